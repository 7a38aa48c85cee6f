"""SWEDISH: thoughts and progress notes in Swedish."""

from pipelines.rules.wording.wording import Wording, literals

SWEDISH = Wording(
    language="sv",
    script="latin",
    asker=(
        r"användaren (?:\S+ )?(?:frågar|frågade|vill|ville|ber|bad|undrar|skriver|skrev|behöver|säger|sa|nämner|nämnde)\b",
    ),
    plan=(
        r"\bjag (?:bör|ska|måste|behöver) (?:\S+ )?(?:svara|nämna|förklara|undvika|hålla|ge|skriva)\b",
        r"^svara (?:kort|på svenska)\b|^svaret (?:bör|ska)\b",
    ),
    task=(),
    talk=(r"(?:hm+|vänta|okej|okay|alltså|nåväl)[,.:!…]",),
    check=(r"\b(?:jag tror|är inte säker|det stämmer|kontrollera igen)\b",),
    progress=(
        r"(?:okej, |självklart, |visst, |ett ögonblick[,.] |först )*jag (?:ska|tänker|vill)(?: bara| först|"
        r" nu| snabbt)* (?:kolla|titta|leta|söka|öppna|läsa igenom|hämta|kontrollera|slå upp|undersöka)\b",
        r"(?:okej, |visst, )?(?:jag )(?:kollar|letar|söker|kontrollerar|slår upp|hämtar|tittar)\b|"
        r"låt mig (?:\S+ )?(?:kolla|titta|leta|söka|kontrollera)\b|ett ögonblick[,.…]",
    ),
    report=(r"(?:jag (?:har )?)(?:hittat|hittade|kollat|kollade|kontrollerat|kontrollerade)\b|(?:hittade|klart)\b",),
    work=(r"^jag (?:har )?(?:kollat|kontrollerat|letat|sökt|tittat)\b",),
    openings=literals(
        "användaren |^jag ska |^jag kollar|^jag letar|^jag söker|^jag kontroll|^jag slår|^jag hämtar|"
        "^jag tittar|^jag har |^låt mig|"
        "^ett ögonblick|^visst, jag|^okej, jag|^först |^vänta|jag bör |jag måste svara|jag ska svara|svara kort"
    ),
    asides=literals("Användaren |användaren |Vänta, "),
)
