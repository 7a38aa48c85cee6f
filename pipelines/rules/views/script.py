"""The script most letters of a text belong to, a guess at its language, and the text without Latin accents."""

import unicodedata

import re2

SCRIPTS = ("latin", "cyrillic", "arabic", "devanagari", "hangul", "kana", "han")
_LETTERS = {
    "latin": re2.compile(r"[A-Za-zÀ-ɏḀ-ỿ]"),
    "cyrillic": re2.compile(r"[Ѐ-ӿ]"),
    "arabic": re2.compile(r"[\x{0600}-\x{06ff}]"),
    "devanagari": re2.compile(r"[\x{0900}-\x{097f}]"),
    "hangul": re2.compile(r"[\x{1100}-\x{11ff}\x{ac00}-\x{d7af}]"),
    "kana": re2.compile(r"[\x{3040}-\x{30ff}]"),
    "han": re2.compile(r"[\x{3400}-\x{9fff}]"),
}
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
_TOKEN = re2.compile(r"\pL+")
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
    if text.isascii():
        return {**dict.fromkeys(SCRIPTS, 0), "latin": len(_LETTERS["latin"].findall(text))}
    return {
        script: len(_LETTERS[script].findall(text)) * (1 if script in ("latin", "cyrillic") else _WORDS_PER_LETTER)
        for script in SCRIPTS
    }


def _latin_language(text: str) -> str | None:
    words = [word.lower() for word in _TOKEN.findall(text)]
    hits = sorted(
        ((sum(word in known for word in words), language) for language, known in _WORD_SETS.items()), reverse=True
    )
    return hits[0][1] if hits[0][0] >= 2 and hits[0][0] > hits[1][0] else None
