"""Whether a place is quoted can be told from its own line."""

import hypothesis.strategies as st
from hypothesis import given

from pipelines.rules.views.intervals import covers
from pipelines.rules.views.quotes import Quotes, quoted_spans

PIECES = st.sampled_from(['"', "'", "“", "”", "„", "«", "»", "a", " ", "\n", "> ", "\n> a", ".", ":"])


@given(st.lists(PIECES, max_size=20).map("".join), st.integers(0, 24), st.integers(0, 6))
def test_the_line_says_what_the_whole_text_says(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    quotes, wanted = Quotes(text), covers(quoted_spans(text), start, end)
    assert [quotes.cover(start, end), quotes.cover(start, end)] == [wanted, wanted]
