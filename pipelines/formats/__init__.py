"""FORMATS: the log formats that leakrate reads, in the order in which they are tried on a file."""

from pipelines.formats.format import Format

FORMATS: tuple[Format, ...] = ()
