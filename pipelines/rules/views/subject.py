"""Whether a marker is what the user asked about: it begins the answer as the subject of a sentence, or it is all of the answer."""

import re2

_GOES_ON = re2.compile(r"^(?: |, ?)[\p{Ll}\p{Lo}]")
"""A small letter, or one of a script without small ones, as within a sentence."""
_ASKS_FOR_ONE = re2.compile(
    r"(?i)\b(?:strings?|tokens?|tags?|markers?|sequences?|zeichenkette|marke|balise|jeton|chaîne|etiqueta|cadena|marca)\b[^.!?\n]{0,60}"
    r"(?:öffne|\b(?:clos|open|end|start|begin|stop|terminat|separat|schließ|beende|beginn|ferm|ouvr|arrêt|termin|cierra|abre))"
    r"|\b(?:eos|eot|end|stop|closing|opening|special|end-of-\w+) (?:strings?|tokens?|tags?|markers?|sequences?)\b"
    r"|(?:结束|关闭|开始|停止|终止)[^。？！\n]{0,30}(?:标签|标记|字符串|token)|(?:閉じ|終わ|終了|開始|停止)[^。？！\n]{0,30}(?:タグ|トークン|文字列)"
    r"|(?:닫|끝|종료|시작|여는)[^.?!\n]{0,30}(?:태그|토큰|문자열)|(?:тег|токен|строк)[^.?!\n]{0,60}(?:закрыва|открыва|заверша)"
)
"""Asks for a string by what it does: which token closes …, the stop sequence."""
_MOST = 4000


def is_asked_about(text: str, start: int, end: int, asked: str) -> bool:
    """Whether the marker from `start` to `end` answers `asked`, the last message of the user: this very marker stands there and a sentence
    about it begins the answer, or it is all of the answer to a question for the string that opens or closes something."""
    if text[:start].strip():
        return False
    if not text[end:].strip():
        return _ASKS_FOR_ONE.search(asked[:_MOST]) is not None
    return _GOES_ON.match(text[end : end + 3]) is not None and text[start:end].strip() in asked
