"""Texts within code that no fence encloses: here-documents, triple-quoted literals, block scalars of YAML."""

from itertools import islice

import re2

_HERE = re2.compile(r"<<[-~]?\s?[\"'\\]?([A-Za-z_]\w{0,30})[\"']?[^\n]{0,200}\n")
_TRIPLE = re2.compile(
    r"(?:=|\(|\[|,|:|return|(?m:^(?:TEMPLATE|SYSTEM|LICENSE|MESSAGE \w+)) )\s*[rfbuRFBU]{0,2}(\"\"\"|''')"
)
_MOST = 200
"""Places of one text that are tried; each costs the length of the text at most."""
_HEADS = tuple(before + sign for before in ": \t" for sign in "|>")
_SCALAR = re2.compile(r"(?m)^([ \t]*(?:- )?)[\w.\-\"']{1,60}:[ \t]*[|>][+-]?\d?[ \t]*\n")


def unfenced_code(text: str) -> list[tuple[int, int]]:
    """Intervals of all of them."""
    return [
        *(_here_documents(text) if "<<" in text else ()),
        *(_literals(text) if '"""' in text or "'''" in text else ()),
        *(_scalars(text) if any(ending in text for ending in _HEADS) else ()),
    ]


def _here_documents(text: str) -> list[tuple[int, int]]:
    """Shell here-documents outside of a fence, from the operator to the line that ends them."""
    spans: list[tuple[int, int]] = []
    last = 0
    for match in islice(_HERE.finditer(text), _MOST):
        if match.start() < last:
            continue
        end = text.find(f"\n{match.group(1)}", match.end())
        if end >= 0:
            last = end + 1 + len(match.group(1))
            spans.append((match.start(), last))
    return spans


def _literals(text: str) -> list[tuple[int, int]]:
    """Triple-quoted literals behind an assignment, a bracket, a comma or an instruction of a Modelfile, outside of a fence."""
    spans: list[tuple[int, int]] = []
    last = 0
    for match in islice(_TRIPLE.finditer(text), _MOST):
        if match.start() < last:
            continue
        end = text.find(match.group(1), match.end())
        if end >= 0:
            last = end + 3
            spans.append((match.start(1), last))
    return spans


def _scalars(text: str) -> list[tuple[int, int]]:
    """Block scalars of YAML: the lines behind `key: |` that stand deeper than the key."""
    spans: list[tuple[int, int]] = []
    last = 0
    for match in islice(_SCALAR.finditer(text), _MOST):
        if match.start() < last:
            continue
        last = end = match.end()
        depth = len(match.group(1).expandtabs())
        while end < len(text):
            close = text.find("\n", end)
            close = len(text) if close < 0 else close
            line = text[end:close].expandtabs()
            if line.strip() and len(line) - len(line.lstrip()) <= depth:
                break
            last = min(close + 1, len(text)) if line.strip() else last
            end = close + 1
        if last > match.end():
            spans.append((match.start(), last))
    return spans
