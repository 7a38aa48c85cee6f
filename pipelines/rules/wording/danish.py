"""DANISH: thoughts and progress notes in Danish."""

from pipelines.rules.wording.wording import Wording, literals

DANISH = Wording(
    language="da",
    script="latin",
    asker=(r"brugeren (?:\S+ )?(?:spørger|spurgte|vil|ville|beder|bad|ønsker|skriver|skrev|siger|sagde|nævner)\b",),
    plan=(
        r"\bjeg (?:bør|skal|må) (?:\S+ )?(?:svare|nævne|forklare|undgå|give|skrive)\b",
        r"^svar (?:kort|på dansk)\b|^svaret (?:bør|skal)\b",
    ),
    task=(),
    talk=(r"(?:hm+|vent|okay|altså|nå)[,.:!…]",),
    check=(r"\b(?:jeg tror|er ikke sikker|det passer)\b",),
    progress=(
        r"(?:okay, |selvfølgelig, |et øjeblik[,.] |først )*jeg (?:vil |skal )?(?:lige |først |nu |"
        r"hurtigt )*(?:slår|slå|tjekker|tjekke|kigger|kigge|undersøger|undersøge|henter|hente|leder|lede|"
        r"søger|søge)\b(?: lige| først| nu)*",
        r"lad mig (?:\S+ )?(?:tjekke|kigge|se|slå|undersøge|finde)\b|et øjeblik[,.…]",
    ),
    report=(r"(?:jeg har |jeg )(?:fundet|fandt|tjekket|tjekkede)\b|fundet\b",),
    work=(r"^jeg (?:har )?(?:tjekket|kigget|ledt|søgt|undersøgt)\b",),
    openings=literals(
        "brugeren |^jeg slår|^jeg tjekker|^jeg kigger|^jeg undersøger|^jeg henter|^jeg leder|^jeg søger|"
        "^jeg vil |^jeg skal |^jeg har |"
        "^lad mig|^et øjeblik|^først |^vent|jeg bør |jeg skal svare|svar kort"
    ),
    asides=literals("Brugeren |brugeren |Vent, "),
)
