"""FRENCH: thoughts and progress notes in French."""

from pipelines.rules.wording.wording import Wording, literals

FRENCH = Wording(
    language="fr",
    script="latin",
    asker=(
        r"on me (?:demande|pose|interroge)\b",
        r"l['’]utilisat(?:eur|rice) (?:\w+ )?(?:demande|veut|souhaite|parle|dit|a |pose|écrit|cherche|voudrait|"
        r"mentionne|précise|attend|voulait|demandait|n['’])",
        r"(?:il|elle|le client|la cliente) (?:demande|veut savoir|souhaite savoir)\b",
    ),
    plan=(
        r"\b(?:un|une) (?:seul mot|mot|phrase|seule phrase) suffit\b|^(?:faut-il|dois-je|est-ce que je) .*\?",
        r"\bje (?:vais|dois) (?:répondre|expliquer|donner)\b|^je donne (?:celui|celle|ce)\b",
        r"\bje vais (?:proposer|donner|répondre|expliquer|faire simple)\b|^(?:rester|réponse|"
        r"être) (?:concis|concise|courte|court|bref|brève)\b",
        r"\b(?:je (?:dois|devrais|vais|peux|pourrais)|il faut|faut)(?: \w+){0,2} (?:répondre|rester|mentionner|"
        r"expliquer|éviter|préciser|rédiger|corriger|donner|"
        r"garder|faire court|être (?:bref|concis|clair))\b",
        r"^(?:répondre|réponse|rester|faire) (?:en|court|bref|brève|courte|simplement|poliment|directement|"
        r"concis)\b|\bla question (?:porte|est|concerne|demande)\b",
        r"\bje (?:réponds|répondrai|donne|choisis|garde|mentionne)\b|\bmon raisonnement\b",
    ),
    task=(),
    talk=(
        r"(?:hm+|euh|attends?|attendez|alors|bon|bien|ok|okay|voyons(?: voir)?|ah|oh|non|d['’]accord|donc|"
        r"voilà)[,.:!…]",
        r"(?:mais )?(?:attends|voyons|une seconde|réfléchissons|laisse-moi réfléchir)\b",
    ),
    check=(
        r"\bpas demande\b|\bconvient(?: bien)?\.$",
        r"^donc (?:non|oui)\b",
        r"\bje suppose\b|\bne précise pas\b",
        r"\b(?:c['’]est (?:bien )?(?:juste|correct|exact|bon|ça)|ça (?:fait|donne|colle|marche)|je vérifie|"
        r"vérifions|recalculons|je recompte)\b",
        r"\bje (?:crois|pense|me souviens|suppose|ne suis pas sûre?|me suis trompée?|laisse)\b|"
        r"\best-ce que (?:c['’]est|je)\b",
    ),
    progress=(
        r"je (?:jette|vais jeter) un (?:œil|oeil|coup d)",
        r"(?:je |j')(?:modifie|edite|mets a jour|lance|execute|calcule|enregistre|ouvre)\b",
        r"(?:d['’]accord, |très bien, |bien sûr, |ok, |parfait, |entendu, |un instant[,.] )*(?:je|"
        r"j['’])\s?(?:vais )?(?:d['’]abord |tout de suite |maintenant |vite )?"
        r"(?:vérifie|regarde|consulte|cherche|recherche|lis|ouvre|récupère|interroge|contrôle|parcours|compare|note|"
        r"vérifier|regarder|consulter|chercher|rechercher|"
        r"ouvrir|récupérer|interroger|contrôler|parcourir|comparer|jeter un œil)\b",
        r"(?:laissez|laisse)-moi (?:\w+ )?(?:vérifier|regarder|consulter|chercher|rechercher|voir)\b|"
        r"(?:un instant|un moment|une seconde)\b",
        r"(?:recherche|vérification|consultation|lecture|ouverture)\b.*(?:en cours|…|\.\.\.)",
    ),
    report=(
        r"(?:voilà|trouvé|c'est bon)[.!]$",
        r"j['’]ai (?:bien )?(?:trouvé|consulté|vérifié|regardé|récupéré|terminé|parcouru)\b|(?:voilà|"
        r"ça y est), (?:j['’]ai|c['’]est)\b",
        r"(?:maintenant|ensuite|puis),? je (?:regarde|vérifie|consulte|cherche|compare)\b",
    ),
    work=(
        r"\bje (?:lance|fais) (?:la|une) (?:recherche|verification|requete)\b|\bje m'occupe de (?:chercher|"
        r"verifier|consulter)\b",
        r"\bj(?:e |'|e m').*\b(?:consult|verifi|cherch|recherch|regard|ouvr|parcour|trouv|lanc)\w*|"
        r"\bpermettez-moi de (?:verifier|consulter|chercher|regarder)\b",
    ),
    openings=literals(
        "je jette|je vais jeter|mot suffit|phrase suffit|faut-il|dois-je|pas demandé|"
        "je vais répondre|je donne|^d'abord|^d’abord|je réponds|"
        "^très bien|^permett|^on me |^l'util|^hmm|"
        "^je |^j'|^j’|^bon, |^voyons|^alors, |^la question|^un instant|^laissez|^d'accord|"
        "^d’accord|^recherche|^attend|^ok, |^euh|"
        "l'utilisat|l’utilisat|attends,|attends |attendez|voyons|alors, |euh|hmm|je dois répondre"
        "|je devrais|je vérifie|je vais vérifier|je vais d'abord|je vais consulter|je vais regarder"
        "|je vais chercher|je regarde|je consulte|je cherche|je recherche|j'ouvre|je récupère|je lis"
        "|je contrôle|je parcours|je compare|laissez-moi|laisse-moi|un instant|un moment|une seconde"
        "|j'ai trouvé|j'ai consulté|la question porte|il faut répondre|recherche en cours|je réponds"
        "|d'accord, |j’ouvre|j’ai trouvé"
    ),
    asides=literals(
        "Attends, |attends, |Attendez, |'utilisateur|’utilisateur|Hmm|Voyons|Je me suis tromp|je me suis tromp"
    ),
)
