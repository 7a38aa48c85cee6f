"""Named views on a text: what in it is code, quoted, echoed, asked for or fiction, so that it is no leak."""
