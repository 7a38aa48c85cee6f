"""CZECH: thoughts and progress notes in Czech."""

from pipelines.rules.wording.wording import Wording, literals

CZECH = Wording(
    language="cs",
    script="latin",
    asker=(
        r"uživatel(?:ka)? (?:\S+ )?(?:se )?(?:ptá|zeptal|chce|chtěl|žádá|požádal|píše|napsal|potřebuje|řekl|zmínil|hledá)",
    ),
    plan=(
        r"\b(?:měl bych|měla bych|musím|je třeba) (?:\S+ ){0,2}(?:odpovědět|zmínit|vysvětlit|uvést|"
        r"napsat|vyhnout|dodat)",
        r"^odpovím\b|^odpověď (?:má být|bude|krátk)",
    ),
    task=(),
    talk=(r"(?:hm+|počkat|počkej|moment|dobře|takže|no)[,.:!…]",),
    check=(r"\b(?:myslím, že|asi|nejsem si jist|to sedí|zkontroluj)",),
    progress=(
        r"(?:dobře, |jasně, |samozřejmě, |okamžik[,.] |moment[,.] |chvilku[,.] |nejdřív |nejprve |teď |"
        r"hned )*(?:se )?(?:podívám se|podívám|zkontroluji|zkontroluju|ověřím|vyhledám|prohledám|hledám|"
        r"kontroluji|prohlížím|projdu)\b",
        r"(?:dovolte|nechte mě)\b.*\b(?:podívat|zkontrolovat|ověřit)|(?:okamžik|chvilku|moment) (?:prosím|strpení)",
    ),
    report=(r"(?:už )?(?:jsem )?(?:našel|našla|zkontroloval|ověřil|prohlédl)a?\b(?: jsem)?|nalezeno\b",),
    work=(r"\b(?:zkontroloval|ověřil|prohledal|podíval|našel|našla)a? jsem\b",),
    openings=literals(
        "uživatel|^podívám|^zkontrol|^ověřím|^vyhled|^prohled|^hledám|^kontroluj|^prohlíž|^projdu|^nejdřív |"
        "^nejprve |^teď se|^hned |"
        "^okamžik|^chvilku|^moment|^dovol|^odpovím|odpovím |měl bych|měla bych|našel jsem|našla jsem|^počk"
    ),
    asides=literals("Uživatel |uživatel |Počkat, |Počkej, "),
)
