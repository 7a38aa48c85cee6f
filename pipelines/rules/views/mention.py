"""Whether a marker is talked about: it stands inside a sentence, in a table or at the head of a list item, and does no work.

A marker that works stands at a line start or right behind a sentence and is followed by a line break, a capital letter or glued
text. A marker that is named has a space or an opening bracket before it and goes on with a space and a small letter, or with
punctuation.
"""

import re2

_ITEM = re2.compile(r"^[ \t]{0,8}(?:[-*+•–] |\d{1,3}[.)] )[*_\"'(]{0,3}$")
_LONGEST_ITEM = 16
_NAMED = re2.compile(
    r"^(?:タグ|トークン|マーカー|は[^いじ]|と[、<「` ]|が[^んく]|を|の(?:間|中|後|前|タグ|よう)|から|まで|で(?:囲|始|終)"
    r"|(?:는|은|을|를|와|과|이|가|로|으로|의|라는|이라는|태그|토큰|사이)[ ,.은는이가를을]"
    r"|表示|标签|标记|標籤|标志|代表|用来|用于|之间|之後|之后|开头|结尾|和<|与<|是(?:思考|推理|开始|结束|一个|模型|用|指|什么|特殊|起始))"
)
"""What follows a marker that a Chinese, Japanese or Korean sentence names without a space."""
_OPENS = frozenset(" \t(（[【“\"'‘「『«„、，,：:=+/*_~→")
_PUNCTUATION = frozenset(",.;:!?)）]】”\"'’」』»，。；：、！？/*_|=…")
_DASHES = frozenset("–—-")
_PATTERN_BEFORE = (
    "]*?",
    "]*",
    "]+",
    "]+?",
    ")*",
    ")?",
    ".*",
    ".+",
    ".*?",
    ".+?",
    "(?:",
    "(",
    "|",
    "^",
    "/",
    "\\s*",
    "\\n",
    "=",
    "='",
    '="',
)
_PATTERN_AFTER = (
    "\\",
    "|",
    "/",
    "$",
    ")",
    "*?",
    "'",
    '"',
    ".*",
    ".+",
    "(.*",
    "(.+",
    "[\\s",
    "[\\S",
    "[^",
    "([\\s",
    "([^",
    "(?",
)
"""What stands around a marker inside a regular expression or a command outside of code formatting."""
_VERB = re2.compile(
    r"^(?:: [a-z]| (?:is|are|was|were|means?|marks?|closes?|opens?|ends?|starts?|begins?|tells?|separates?|denotes?|"
    r"signals?|must|should|has|and|or|tag|token|ist|sind|öffnet|schließt|beendet|markiert|und|est|ferme|ouvre|marque|et|"
    r"es|cierra|abre|marca|y|é|fecha|e|è|chiude|apre|sluit|opent|en|"
    r"закрывает|открывает|означает|и)\b)"
)
_SLOT_BEFORE = re2.compile(r"[>\]]\$?\{(?:[a-z_ ]{1,30}|…|\.{3})\}$")
_ACTION = r"\{\{-? ?(?:[.$]|(?:if|end|else|range|define|template|messages?|content|system|[be]os_token)\b)"
_TEMPLATE_BEFORE = re2.compile(rf"(?:{_ACTION}[^{{}}\n]{{0,120}}\}}\}}|\{{%[^%\n]{{1,120}}%\}})$")
_TEMPLATE_AFTER = re2.compile(rf"^\s?(?:{_ACTION}|\{{%-? ?\w)")
"""An action of a Go or Jinja template, which stands beside the tokens that the template writes."""
_SLOT_AFTER = re2.compile(r"^\$?\{(?:[a-z_ ]{1,30}|…|\.{3})\}[<\[]")
"""A slot between two marks that a format's description leaves open: `<a>{role}<b>`."""
_LINE = 240
"""Characters of the line that are looked at on each side."""


def is_mention(text: str, start: int, end: int) -> bool:
    """Whether the marker (or run of markers) from `start` to `end` is named and not used."""
    before = text[max(0, start - _LINE) : start].rpartition("\n")[2]
    after = text[end : end + _LINE].partition("\n")[0]
    if before.lstrip().startswith("|") and "|" in before + after:
        return True
    if after[:1] > "\x7f" and _NAMED.match(after):
        return True
    if (before[-1:] == "}" and _SLOT_BEFORE.search(before)) or (after[:1] in ("{", "$") and _SLOT_AFTER.match(after)):
        return True
    if (before.endswith(("}}", "%}")) and _TEMPLATE_BEFORE.search(before)) or _TEMPLATE_AFTER.match(after):
        return True
    if 0 < len(before) <= _LONGEST_ITEM and _ITEM.match(before):
        spaced = text[end - 1] == " " and after[:1] in _DASHES
        return spaced or after[:1] in (" ", ":", "") or after[:1] in _PUNCTUATION
    if not before.strip():
        return False
    if before.endswith(_PATTERN_BEFORE) and after.startswith(_PATTERN_AFTER):
        return True
    return before[-1] in _OPENS and _goes_on(after)


def _goes_on(after: str) -> bool:
    """Whether the sentence goes on behind the marker: punctuation, or a space and no capital letter."""
    if not after:
        return False
    if after[0] in _PUNCTUATION:
        return True
    following = after.lstrip(" \t")
    if not following or following == after:
        return False
    return not following[0].isupper() and not following[0].isdigit()


def names_subject(text: str, start: int, end: int) -> bool:
    """Whether the marker at the start of a line is the subject of a sentence: `</think> closes …`."""
    before = text[max(0, start - _LINE) : start].rpartition("\n")[2]
    after = text[end : end + _LINE].partition("\n")[0]
    return not before.strip() and after[:1] in (" ", ":") and _VERB.match(after) is not None
