"""GERMAN: thoughts and progress notes in German."""

from pipelines.rules.wording.wording import Wording, literals

GERMAN = Wording(
    language="de",
    script="latin",
    asker=(
        r"(?:der|die) (?:nutzer|user|anwender|fragesteller|fragende|fragender|"
        r"benutzer)(?:in)? (?:\w+ )?(?:frag|will|möchte|sagt|"
        r"schreibt|schrieb|sagte|wollte|nannte|erwähnte|meinte|gab |hatte |hat |bittet|braucht|"
        r"meint|erwähnt|sucht|wünscht|verlangt|nennt|gibt)",
        r"(?:er|sie|die person|der kunde|die kundin) (?:fragt|möchte wissen|will wissen)\b",
    ),
    plan=(
        r"\bdie frage (?:meint|ist wohl|scheint|ist allgemein)\b",
        r"\b(?:ein wort|ein satz|eine zahl) (?:genügt|reicht)\b|\b(?:muss|soll|sollte) ich\b.*\?|\b(?:angeben|nennen)\.$",
        r"^gefragt (?:ist|wird|sind)\b|^ich nehme (?:das|die|den|dieses)\b|^ich (?:antworte|erkläre|nenne|gebe)\b",
        r"\bich (?:antworte|nenne|gebe|sage|schreibe|erwähne|halte|erkläre|bleibe)\b.*\b(?:kurz|"
        r"knapp|wort|satz|beides|nur|einfach|direkt|deutsch)\b|^ich (?:antworte|nenne) ",
        r"\bich (?:sollte|muss|soll|werde|will|könnte|würde)\b.*\b(?:antworten|erwähnen|erklären|halten|nennen|"
        r"vermeiden|aufpassen|schreiben|"
        r"formulieren|angeben|betonen|hinweisen|weglassen)\b",
        r"^(?:kurz|knapp|auf deutsch|höflich|freundlich|einfach|direkt)(?: \w+)? (?:antworten|halten|erklären|"
        r"formulieren)\b",
        r"\b(?:antwort|text|ton) (?:auf deutsch|kurz halten|knapp halten|sollte)\b|\bdie frage(?: ist|:| lautet|"
        r" betrifft| zielt)\b|\bsoll ich\b.*",
        r"\bmeine (?:überlegungen|gedanken)\b",
    ),
    task=(),
    talk=(
        r"(?:hm+|moment|warte|ok|okay|also|gut|na gut|nun|tja|ach|oh|äh|stopp|halt|mal sehen|mal überlegen|"
        r"so)[,.:!…]",
        r"(?:aber )?(?:moment mal|warte mal|lass mich (?:überlegen|nachdenken|nachrechnen))\b",
    ),
    check=(
        r"^nicht gefragt\b|\bwurde nicht genannt\b|\bist naheliegend\b",
        r"^(?:nicht zu lang|kurz halten|einfache wörter|ein beispiel|knapp halten|nur das)\b",
        r"^also (?:nein|ja|nicht)\b",
        r"\bich (?:nehme an|schätze|vermute|bin mir|tippe auf)\b|\boder\?$|^ja, \d|\bhat nicht gesagt\b",
        r"\b(?:stimmt|passt|das ist richtig|das stimmt|das passt|kommt hin)[.,!]|\b(?:nochmal|noch einmal|"
        r"kurz) (?:prüfen|nachrechnen|überprüfen)\b",
        r"\bich (?:glaube|denke|meine|erinnere mich|weiß nicht|bin (?:mir )?(?:nicht )?sicher)\b|\brechnen wir\b|"
        r"\bprobe:",
    ),
    progress=(
        r"(?:dazu|dafür|hierzu|hierfür|danach) (?:sehe|schaue|prüfe|suche|lese|öffne|rufe|vergleiche|hole|werfe) ich\b",
        r"(?:alles klar, |okay, |gut, |gerne[,!.] |klar, |sicher, |einen moment[,.!] |moment[,.!] |"
        r"verstanden[,.!] )*(?:ich|zuerst|jetzt|nun|erst|dann|zunächst)"
        r"(?: ich)? (?:\w+ )?(?:sehe|schaue|prüfe|suche|öffne|lese|rufe|hole|lade|frage|kontrolliere|checke|"
        r"vergleiche|gleiche|überprüfe|durchsuche|werfe|gehe|schlage|ermittle|recherchiere|ändere|trage|"
        r"bearbeite|aktualisiere|starte|berechne|speichere|führe|hole|ziehe)"
        r"\b(?: ich)?.*(?:\bnach\b|\ban\b|\bab\b|\bdurch\b|\bauf\b|\bzuerst\b|\berst\b|\bnoch\b|\bkurz\b|\bmal\b|"
        r"\bjetzt\b|\bgerade\b|\bschnell\b|:|…|\.)$",
        r"(?:alles klar, |okay, |gut, |gerne[,!.] )?(?:lass(?:en sie)? mich|ich werde|ich will)\b.*\b(?:nachsehen|"
        r"nachschauen|prüfen|suchen|überprüfen|"
        r"nachschlagen|abrufen|ansehen|anschauen|durchsuchen|checken|vergleichen)\b",
        r"(?:einen moment|einen augenblick|kurzen moment|moment bitte)\b|(?:suche|prüfe|lese|lade|öffne|"
        r"durchsuche|rufe)\b.*(?:…|\.\.\.|\.)$",
    ),
    report=(
        r"(?:gefunden|erledigt|da ist (?:er|sie|es))[.!]$",
        r"(?:ich habe|habe)\b.*\b(?:gefunden|geprüft|nachgesehen|abgerufen|durchsucht|überprüft|nachgeschaut)\b",
        r"(?:jetzt|nun|dann|danach|als nächstes)\b.*\b(?:schaue|prüfe|suche|lese|vergleiche)\b|.*\bich suche sie\b",
    ),
    work=(
        r"\b(?:ich|mich)\b.*\b(?:nach(?:ge)?(?:sehen|schau\w*|schlag\w*|prüf\w*)|prüf\w*|geprüft|"
        r"such\w*|gesucht|durchge\w+|abgeglichen|verglichen|ausgewertet|durchsuch\w*|öffne\w*|geöffnet|"
        r"aufruf\w*|blick|gelesen|lese|abgerufen|"
        r"recherch\w*|geschaut|überprüf\w*)\b|\brufe ich\b.*\bauf\b",
    ),
    openings=literals(
        "^denkprozess|^gedankengang|"
        "^dazu |^hierzu|^hierfür|die frage meint|die frage scheint|ein wort genügt|ein satz genügt|"
        "ein wort reicht|muss ich |soll ich |nicht gefragt|"
        "spanne angeben|"
        "ich antworte|ich nenne|^gefragt|ich nehme das|ich nehme die|ich gebe|die nutzerin|"
        "^dafür |^der user|^der nutzer|^mal |^gerne! ich|^gern, ich|^so, |"
        "^hm|^ich |^zuerst |^moment|^einen |^also, |^okay|^gut, ich|^alles klar|^klar, |"
        "^die frage|^der frag|^lass|^suche |^prüfe |^lese |^öffne |^warte|"
        "der nutzer|die nutzerin|der user |der benutzer|der anwender|die person |hmm|warte, |okay, "
        "|also, |mal sehen|mal überlegen|ich sollte|die frage:|die frage ist|kurz antworten|lass mich"
        "|lassen sie mich|ich sehe mal|ich schaue|ich prüfe|ich suche|ich öffne|ich rufe|ich lese|prüfe ich"
        "|gleiche ich|schaue ich|suche ich|sehe ich|einen moment|einen augenblick|ich überprüfe|ich hole"
        "|ich werfe einen blick|ich sehe kurz|ich sehe eben|ich sehe nach|ich werde zuerst|ich werde jetzt"
        "|ich durchsuche|ich kontrolliere|ich vergleiche|ich gehe die|suche nach|ich lade|ich checke"
        "|meine überlegungen|ich muss "
    ),
    asides=literals("Moment, |Moment mal|Warte, |Der Nutzer|der Nutzer|Hm, |Hmm|Soll ich |Halt, "),
)
