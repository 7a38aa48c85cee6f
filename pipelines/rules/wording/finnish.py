"""FINNISH: thoughts and progress notes in Finnish."""

from pipelines.rules.wording.wording import Wording, literals

FINNISH = Wording(
    language="fi",
    script="latin",
    asker=(r"käyttäjä (?:\S+ )?(?:kysyy|kysyi|haluaa|halusi|pyytää|pyysi|kirjoittaa|tarvitsee|sanoo|sanoi)",),
    plan=(
        r"\b(?:minun (?:pitäisi|pitää|täytyy|kannattaa)) (?:\S+ ){0,2}(?:vastata|mainita|selittää|"
        r"välttää|kirjoittaa|antaa)\b",
        r"^vastaan (?:lyhyesti|suomeksi)",
    ),
    task=(),
    talk=(r"(?:hm+|hetkinen|odota|okei|no niin|selvä)[,.:!…]",),
    check=(r"\b(?:luulen, että|en ole varma|pitää paikkansa|tarkistan vielä)",),
    progress=(
        r"(?:selvä, |okei, |toki, |hetki[,.] |hetkinen[,.] |ensin )*(?:tarkistan|katson|etsin|haen|avaan|"
        r"selvitän|käyn läpi)\b",
        r"(?:anna minun|antakaa minun) (?:tarkistaa|katsoa|etsiä)|(?:hetki|hetkinen)[,.…]",
    ),
    report=(r"(?:löysin|löytyi|tarkistin|katsoin)\b",),
    work=(r"^(?:tarkistin|katsoin|etsin|hain)\b",),
    openings=literals(
        "käyttäjä |^tarkistan|^katson|^etsin|^haen|^avaan|^selvitän|^käyn läpi|^hetki|^ensin |^selvä, |"
        "^toki, |^anna minun|^odota|"
        "minun pit|vastaan lyhyesti|löysin|^tarkistin|^katsoin"
    ),
    asides=literals("Käyttäjä |käyttäjä |Hetkinen, "),
)
