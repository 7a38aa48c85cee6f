"""The script most letters of a text belong to, a guess at its language, and the text without Latin accents."""

import unicodedata
from bisect import bisect_right

SCRIPTS = ("latin", "cyrillic", "arabic", "devanagari", "hangul", "kana", "han")
_RANGES = (
    (0x00C0, 0x024F, "latin"),
    (0x0400, 0x04FF, "cyrillic"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "devanagari"),
    (0x1100, 0x11FF, "hangul"),
    (0x1E00, 0x1EFF, "latin"),
    (0x3040, 0x30FF, "kana"),
    (0x3400, 0x9FFF, "han"),
    (0xAC00, 0xD7AF, "hangul"),
)
_STARTS = tuple(start for start, _, _ in _RANGES)
_WORDS_PER_LETTER = 3
"""One ideograph or syllable block says as much as about three Latin letters."""
_COMMON = {
    "en": "the is are of and to in that it for with this not you was be have from they will can by on as we"
    " i should need so what which my your an or at but how when where who why",
    "de": "der die das und ist nicht ein eine mit für auf zu den im von sie ich wird auch als dem sich bei"
    " ihr was wie wann wo warum wer welche hat kann einen mir",
    "fr": "le la les des est et une pour dans que qui sur pas vous ce avec du au sont par il elle je plus un"
    " quel quelle comment pourquoi où combien donne ce",
    "es": "el la los las es y una para que en con por del se no su al lo como más son está si usted un qué"
    " cuál cómo dónde cuánto cuándo hay",
    "pt": "o os as é e uma para que em com por do da não se no na ao seu mais são está você um qual como"
    " onde quanto quando isso em",
    "it": "il lo gli è e una per che in con del della non si un di da al sono più questo le può anche cosa"
    " come quando dove perché quale quanto ho",
    "nl": "de het een en is van dat niet op te voor met zijn ik je deze aan ook als er bij naar hoort wat"
    " hoe waar wanneer waarom hoeveel",
    "vi": "là của và có không được cho một các trong với tôi bạn này khi để người những đã thì ở gì mấy bao nhiêu sao",
}
_WORD_SETS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_NO_LETTERS = bytes(sign for sign in range(128) if not chr(sign).isalpha())
_SPACES = dict.fromkeys(_NO_LETTERS, " ")
_SCRIPT_LANGUAGE = {"cyrillic": "ru", "arabic": "ar", "devanagari": "hi", "hangul": "ko"}


def fold(text: str) -> str:
    """`text` without the accents of Latin letters, with straight apostrophes; other scripts stay as they are."""
    if text.isascii():
        return text
    pieces = []
    for char in text.replace("’", "'").replace("đ", "d").replace("Đ", "D"):
        if "À" <= char <= "ɏ" or "Ḁ" <= char <= "ỿ":
            char = unicodedata.normalize("NFD", char)[0]
        pieces.append(char)
    return "".join(pieces)


def script_of(text: str) -> str | None:
    """latin, cyrillic, arabic, devanagari, hangul or cjk: the script that says most in the first 400 characters."""
    text = text[:400]
    if text.isascii():
        return "latin" if text.lower() != text.upper() else None
    counts = _counts(text)
    if not any(counts.values()):
        return None
    best = max(counts, key=lambda script: counts[script])
    return "cjk" if best in ("kana", "han") else best


def language_of(text: str) -> str | None:
    """A guess from script and common words of the first 600 characters; None where too little speaks for one language."""
    text = text[:600]
    counts = _counts(text)
    best = max(counts, key=lambda script: counts[script])
    if counts[best] < _WORDS_PER_LETTER:
        return None
    if best in ("kana", "han"):
        return "ja" if counts["kana"] * 8 > counts["han"] else "zh"
    return _SCRIPT_LANGUAGE.get(best) or _latin_language(text)


def _counts(text: str) -> dict[str, int]:
    counts = dict.fromkeys(SCRIPTS, 0)
    counts["latin"] = len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))
    for char in () if text.isascii() else (char for char in text if char > "\x7f"):
        _, end, script = _RANGES[bisect_right(_STARTS, ord(char)) - 1]
        if ord(char) <= end:
            counts[script] += 1 if script in ("latin", "cyrillic") else _WORDS_PER_LETTER
    return counts


def _latin_language(text: str) -> str | None:
    text = text.lower().translate(_SPACES)
    words = (text if text.isascii() else "".join(char if char.isalpha() else " " for char in text)).split()
    hits = sorted(
        ((sum(map(known.__contains__, words)), language) for language, known in _WORD_SETS.items()), reverse=True
    )
    return hits[0][1] if hits[0][0] >= 2 and hits[0][0] > hits[1][0] else None
