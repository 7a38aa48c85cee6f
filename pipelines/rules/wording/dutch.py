"""DUTCH: thoughts and progress notes in Dutch."""

from pipelines.rules.wording.wording import Wording, literals

DUTCH = Wording(
    language="nl",
    script="latin",
    asker=(
        r"de gebruiker (?:\w+ )?(?:vraagt|vroeg|schreef|zei|wilde|wil|is|lijkt|zegt|heeft|zoekt|schrijft|"
        r"noemt|bedoelt|wenst|verwacht|geeft)",
    ),
    plan=(
        r"\bik leg (?:het|dit) (?:kort |even |eenvoudig )?uit\b",
        r"\bik (?:moet|zou|zal|kan|wil)(?: \w+){0,3} (?:antwoorden|vermelden|uitleggen|noemen|houden|vermijden|"
        r"geven)\b|^(?:kort|beknopt|direct|vriendelijk) (?:antwoorden|houden)\b|\bde vraag (?:is|gaat)\b",
    ),
    task=(),
    talk=(r"(?:hm+|wacht|even kijken|oké|ok|okay|dus|goed|nou|ah|oh|nee|eens kijken)[,.:!…]",),
    check=(r"\b(?:dat klopt|klopt|dat is (?:juist|goed)|even controleren|ik denk|ik geloof|volgens mij)\b",),
    progress=(
        r"even (?:kijken|zoeken|checken|nakijken|opzoeken)\b",
        r"(?:oké, |goed, |natuurlijk, |prima, |een moment[,.] |momentje[,.] )*(?:ik|eerst|even|"
        r"nu)(?: \w+)? (?:kijk|zoek|controleer|check|lees|open|haal|raadpleeg|bekijk|vergelijk)(?: ik)?\b",
        r"(?:laat me|ik ga)(?: \w+){0,3} (?:kijken|zoeken|controleren|checken|nakijken|opzoeken|bekijken|lezen)\b|"
        r"(?:een moment|momentje|een ogenblik)\b",
    ),
    report=(
        r"(?:gevonden|klaar)[.!]$",
        r"ik heb .*(?:gevonden|gecontroleerd|bekeken|opgezocht)\b|(?:nu|dan|daarna) (?:kijk|controleer|zoek) ik\b",
    ),
    work=(r"\bik\b.*\b(?:zoek|opzoek|opgezocht|kijk|nagekeken|gecontroleerd|controleer|bekeken|bekijk)\w*",),
    openings=literals(
        "^even |^even |^ik heb|^hmm|"
        "^ik |^even |^de vraag|^hm|^wacht|^laat me|^een moment|^momentje|^oké, |^de gebruiker|"
        "de gebruiker|even kijken|hmm|wacht,|ik kijk|ik zoek|ik controleer|ik check|ik raadpleeg|laat me"
        "|ik ga eerst|ik ga even|een moment|momentje|kijk ik|controleer ik|zoek ik|ik heb het gevonden"
        "|ik moet |oké, "
    ),
    asides=literals("Wacht, |De gebruiker|de gebruiker|Hmm"),
)
