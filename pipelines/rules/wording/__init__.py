"""LANGUAGES: the wording of thoughts and progress notes, one file per language, and the patterns over all of them."""

from functools import cache

import re2

from pipelines.rules.views.script import fold
from pipelines.rules.wording.arabic import ARABIC
from pipelines.rules.wording.chinese import CHINESE
from pipelines.rules.wording.czech import CZECH
from pipelines.rules.wording.danish import DANISH
from pipelines.rules.wording.dutch import DUTCH
from pipelines.rules.wording.english import ENGLISH
from pipelines.rules.wording.finnish import FINNISH
from pipelines.rules.wording.french import FRENCH
from pipelines.rules.wording.german import GERMAN
from pipelines.rules.wording.hindi import HINDI
from pipelines.rules.wording.indonesian import INDONESIAN
from pipelines.rules.wording.italian import ITALIAN
from pipelines.rules.wording.japanese import JAPANESE
from pipelines.rules.wording.korean import KOREAN
from pipelines.rules.wording.polish import POLISH
from pipelines.rules.wording.portuguese import PORTUGUESE
from pipelines.rules.wording.russian import RUSSIAN
from pipelines.rules.wording.spanish import SPANISH
from pipelines.rules.wording.swedish import SWEDISH
from pipelines.rules.wording.turkish import TURKISH
from pipelines.rules.wording.ukrainian import UKRAINIAN
from pipelines.rules.wording.vietnamese import VIETNAMESE
from pipelines.rules.wording.wording import Wording

LANGUAGES: tuple[Wording, ...] = (
    ENGLISH,
    CHINESE,
    JAPANESE,
    KOREAN,
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    RUSSIAN,
    ARABIC,
    HINDI,
    ITALIAN,
    DUTCH,
    VIETNAMESE,
    TURKISH,
    POLISH,
    INDONESIAN,
    UKRAINIAN,
    CZECH,
    SWEDISH,
    DANISH,
    FINNISH,
)


KINDS = ("asker", "plan", "task", "talk", "check", "progress", "report", "work")
_ANYWHERE = frozenset({"plan", "task", "check", "work"})
_INTERJECTIONS = {
    "latin": r"(?:(?:okay|ok|oke|oh|so|alright|hm+|well|wait|right|first|now|but|and|also|yes|good|great|actually|"
    r"got it|sure(?: thing)?|understood|noted|interesting|certainly|of course|no problem|(?:easy|simple|quick) one|"
    r"thought|thinking|reasoning|analysis|(?:looking|going) (?:at|by) the (?:question|request|message)|"
    r"verstanden|klar|compris|entendu|d'accord|entendido|claro|certo|capito|begrepen|duidelijk|"
    r"i (?:see|think|believe)(?: that)?|"
    r"alors|bon|donc|mais|or|bien|gut|aber|und|moment|also|bueno|vale|pero|espera|entonces|bem|aspetta|attends|attendez|espere|warte|wacht|bom|mas|entao|"
    r"allora|bene|ma|dunque|maar|dus|goed)[,.:!… ]+)*",
    "cjk": r"(?:(?:嗯|唔|好的?|明白了?|收到|了解(?:しました|です)?|承知しました|"
    r"首先|不过|但是?|那么|所以|现在|看来|等等|然后|另外|对了|待って|さて|まず|えーと|うーん|あれ|でも|"
    r"つまり)[，,、。… ]*)*",
    "cyrillic": r"(?:(?:так|ну|погодите|погоди|подождите|подожди|стоп|хм+|итак|хорошо|но|а|значит|ладно|"
    r"зачекай|стривай|гаразд|добре|отже)[,.… ]+)*",
    "arabic": r"(?:(?:حسن[ًاا]+|حسناً|طيب|إذن|إذًا|لكن)[،,. ]+)*",
    "hangul": r"(?:(?:음|흠|잠깐만?|가만|아니|자|그럼|그런데|일단|먼저|아|근데|좋아)[,.… ]+)*",
    "devanagari": r"(?:(?:ठीक है|तो|अच्छा|हम्म+)[,।. ]+)*",
}
"""What may stand before a remark on the asker."""


def _pattern(kind: str, script: str) -> "re2.Pattern":
    """One pattern over the fragments of a kind in all languages of a script. Boundaries are ASCII in re2, so Latin text is
    matched without its accents (`fold`) and the other scripts without boundaries."""
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    options.case_sensitive = False
    fragments = "|".join(
        fragment for wording in LANGUAGES if wording.script == script for fragment in getattr(wording, kind)
    )
    if script != "latin":
        fragments = fragments.replace(r"\b", "").replace(r"\w", r"\pL")
    start = "" if kind in _ANYWHERE else "^" + (_INTERJECTIONS[script] if kind == "asker" else "")
    return re2.compile(f"{start}(?:{fold(fragments)})", options)


@cache
def patterns_of(script: str | None) -> dict[str, "re2.Pattern"]:
    """Kind of phrase → pattern, to be searched in folded sentences of the script; compiled when a sentence asks for it."""
    wordings = [wording for wording in LANGUAGES if wording.script == script]
    return {kind: _pattern(kind, script or "") for kind in KINDS if any(getattr(one, kind) for one in wordings)}


OPENINGS: tuple[str, ...] = tuple(sorted({literal for wording in LANGUAGES for literal in wording.openings}))
"""Lower-case literals that a lead of thoughts or of progress notes cannot do without."""

ASIDES: tuple[str, ...] = tuple(sorted({literal.lower() for wording in LANGUAGES for literal in wording.asides}))
"""Lower-case literals that an aside in the opening of an answer cannot do without."""

FAR_ASIDES = (
    "Hmm, ",
    "Hmm. ",
    "Wait, ",
    "Wait a ",
    "But wait",
    "he user said",
    "he user asked",
    "what she asked",
    "what he asked",
    "what they asked",
    "L'utilisateur",
    "Attends, ",
    "Der Nutzer ",
    "El usuario ",
    "L'utente ",
    "Espera, ",
    "Aspetta, ",
    "Moment, ",
)
"""Literals for which whole lines of a log are searched, so that an aside is found behind the opening too. Few, and ASCII only: every
sign beyond it costs the scan of all lines (with all asides as needles it took three times as long, measured 2026-11-30)."""
