"""Code that documents mark by indentation, by LaTeX commands and environments, or by the delimiter lines of AsciiDoc.

An indented block stands behind a blank line and is no continuation of a list item (CommonMark 0.31, section 4.4, read 2026-11-30); behind
a paragraph that ends with two colons any indentation makes a block (reStructuredText, literal blocks, read 2026-11-30).
"""

from itertools import islice

import re2

_INDENTED = re2.compile(r"\n[ \t]*\n(?:(?: {4}|\t)[^\n]*(?:\n[ \t]*)*(?:\n|$))+")
_LITERAL = re2.compile(r"::[ \t]*\n[ \t]*\n(?:[ \t]+[^\n]*(?:\n[ \t]*)*(?:\n|$))+")
_ITEM = re2.compile(r"^[ \t]*(?:[-*+•] |\d{1,3}[.)] )")
_COMMAND = re2.compile(
    r"\\(?:texttt|lstinline|path|code|tok)\*?\{[^{}\n]{0,200}\}"
    r"|\\mintinline\{\w{1,20}\}\{[^{}\n]{0,200}\}"
    r"|\\(?:verb|lstinline)\*?(?:\|[^|\n]{0,200}\||![^!\n]{0,200}!|\+[^+\n]{0,200}\+|\"[^\"\n]{0,200}\"|@[^@\n]{0,200}@)"
)
_ENVIRONMENT = re2.compile(r"\\begin\{(verbatim\*?|Verbatim|lstlisting|minted|alltt)\}")
_DELIMITER = re2.compile(r"(?m)^(?:----|\.\.\.\.)[ \t]*$")
_MOST = 200
"""Environments of one text that are read; each costs the length of the text at most."""
_LINE = 1000
"""Characters in front of a block in which the line before it is looked for."""


def document_code(text: str) -> list[tuple[int, int]]:
    """Intervals of all of them."""
    return [
        *(_indented(text) if "\n    " in text or "\n\t" in text else ()),
        *(_literal_blocks(text) if "::" in text else ()),
        *(_latex(text) if "\\" in text else ()),
        *(_listings(text) if "----" in text or "...." in text else ()),
    ]


def _indented(text: str) -> list[tuple[int, int]]:
    """Blocks of lines with four spaces or a tab in front, behind a line of text that is neither indented nor a list item."""
    spans = []
    for match in _INDENTED.finditer(text):
        before = text[max(0, match.start() - _LINE) : match.start()].rstrip().rpartition("\n")[2]
        if before[:1].strip() and not _ITEM.match(before):
            spans.append((match.start() + 1, match.end()))
    return spans


def _literal_blocks(text: str) -> list[tuple[int, int]]:
    return [(match.start(), match.end()) for match in _LITERAL.finditer(text)]


def _latex(text: str) -> list[tuple[int, int]]:
    spans = [(match.start(), match.end()) for match in _COMMAND.finditer(text)]
    for match in islice(_ENVIRONMENT.finditer(text), _MOST):
        closing = f"\\end{{{match.group(1)}}}"
        end = text.find(closing, match.end())
        if end >= 0 and text.find(match.group(), match.end(), end) < 0:
            spans.append((match.start(), end + len(closing)))
    return spans


def _listings(text: str) -> list[tuple[int, int]]:
    """Listing and literal blocks of AsciiDoc: between two equal lines of four dashes or dots, the first behind a blank line, a title or
    attributes and right before a line of text, so that it underlines no heading and is no rule."""
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for match in _DELIMITER.finditer(text):
        sign = match.group()[0]
        if opened is None:
            above = text[max(0, match.start() - _LINE) : max(0, match.start() - 1)].rpartition("\n")[2]
            filled = text[match.end() + 1 : match.end() + _LINE].partition("\n")[0].strip()
            if filled and (not above.strip() or above.startswith((".", "["))):
                opened = (match.start(), sign)
        elif sign == opened[1]:
            spans.append((opened[0], match.end()))
            opened = None
    return spans
