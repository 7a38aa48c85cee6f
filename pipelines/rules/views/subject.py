"""Whether a marker is what the user asked about: it begins the answer as the subject of a sentence, or it is all of the answer."""

import re2

_GOES_ON = re2.compile(r"^(?: |, ?)[\p{Ll}\p{Lo}]")
"""A small letter, or one of a script without small ones, as within a sentence."""
_SIGNS = "标签|标记|字符串|タグ|トークン|文字列|태그|토큰|문자열|тег|токен|строк"
_ONE = r"\b(?:strings?|tokens?|tags?|markers?|sequences?|zeichenkette|balise|jeton|etiqueta|cadena)\b|" + _SIGNS
_ASKS_FOR_ONE = re2.compile(
    r"(?i)\b(?:which|what|only|just|single|reply|respond|return|answer|output|welche\w*|nur|quelle?|seulement|qué|"
    rf"cuál|solo)\b[^\n]{{0,160}}(?:{_ONE})"
    rf"|(?:{_ONE})[^\n]{{0,160}}(?:\b(?:only|just|nothing else|nur|seulement|solo)\b|什么|只|何|だけ|만|뭐|какой|только)"
    rf"|(?:哪个|只|どの|어떤|какой|какая|только)[^\n]{{0,80}}(?:{_SIGNS})"
)
_MOST = 4000


def is_asked_about(text: str, start: int, end: int, asked: str) -> bool:
    """Whether the marker from `start` to `end` of an answer answers `asked`, the last message of the user: that holds this very marker
    and a sentence about it begins the answer, or it asks for one string and there is nothing else in the answer."""
    if text[:start].strip():
        return False
    if not text[end:].strip():
        return _ASKS_FOR_ONE.search(asked[:_MOST]) is not None
    return _GOES_ON.match(text[end : end + 3]) is not None and text[start:end].strip() in asked
