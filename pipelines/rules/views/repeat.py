"""Whether the user asks for an earlier answer once more, word by word, so that what stands in it may come again."""

import re2

_REPEATS = re2.compile(
    r"(?i)\b(?:verbatim|word[ -]for[ -]word|exactly (?:what|as) you (?:said|wrote|sent|answered)"
    r"|(?:repeat|quote|cite|recite|copy|paste|echo) (?:me )?(?:exactly |back )?(?:it|that|this|what you|"
    r"your|the (?:last|previous|above|earlier|first|whole|entire|exact|same))\b"
    r"|wort für wort|wörtlich|wiederhol\w* (?:das|deine?\w*|die letzte\w*)|zitier\w*|mot pour mot|textuellement"
    r"|(?:répète|répétez|cite|citez) (?:ta|votre|ce que|la)|palabra por palabra|textualmente|repite (?:tu|lo|la|eso)"
    r"|palavra por palavra|repita (?:a|sua|isso|o)|parola per parola|ripeti (?:la|quello|tutto)"
    r"|letterlijk|woord voor woord|herhaal (?:je|dat|wat))\b"
    r"|дословно|слово в слово|повтори (?:сво|тво|пред|последн|это|что)|重复(?:一遍|你|上|刚)|原样|逐字|一字不差"
    r"|もう一度(?:同じ|そのまま)|そのまま(?:繰り返|引用)|一字一句|그대로 (?:다시|반복|인용)|كرر |حرفيا|शब्दशः|दोहराओ|दोहराइए"
)


def asks_to_repeat(text: str) -> bool:
    """Whether `text` (the last user message) asks to repeat or quote what the model wrote before; to try again is not that."""
    return _REPEATS.search(text[:2000]) is not None
