"""ITALIAN: thoughts and progress notes in Italian."""

from pipelines.rules.wording.wording import Wording, literals

ITALIAN = Wording(
    language="it",
    script="latin",
    asker=(
        r"mi (?:chiedono|chiede|si chiede)\b",
        r"l['’]utente (?:\w+ )?(?:chiede|vuole|voleva|intende|ha |dice|cerca|desidera|scrive|parla|vorrebbe|"
        r"menziona|sta |non )",
        r"(?:il cliente|la persona|la cliente) (?:chiede|vuole sapere)\b",
    ),
    plan=(
        r"\bbasta una (?:parola|frase)\b|^(?:cito|devo|dovrei|metto|aggiungo) .*\?",
        r"\bdevo (?:spiegare|rispondere|dare|dire)\b|^risposta (?:secca|diretta|breve)\b",
        r"\b(?:devo|dovrei|bisogna|occorre|posso|potrei|conviene)(?: \w+){0,2} (?:rispondere|menzionare|spiegare|"
        r"evitare|essere (?:breve|conciso|chiaro)|mantenere|dare|citare|correggere)\b",
        r"^(?:rispondo|rispondere|risposta) (?:in|breve|con|solo|direttamente)\b|\bla domanda (?:è|riguarda|"
        r"chiede)\b|\bil mio ragionamento\b",
    ),
    task=(),
    talk=(
        r"(?:hm+|aspetta|aspetti|allora|bene|ok|okay|dunque|vediamo|ah|oh|no|mah|beh|quindi)[,.:!…]",
        r"(?:ma )?(?:aspetta|un attimo|fammi pensare|pensiamo|vediamo un po['’])\b",
    ),
    check=(
        r"^non serve\b",
        r"^quindi (?:no|sì)\b|\bva bene\.$",
        r"\b(?:controllo|verifico|ricalcolo|ricontrollo|verifichiamo|torna|è giusto|è corretto|è esatto|"
        r"corretto)[.,:]",
        r"\b(?:credo che|penso che|ricordo che|suppongo|mi pare|non sono sicur[oa]|mi sono sbagliat[oa])\b|"
        r"^(?:bene|sì|ok|giusto)\.$",
    ),
    progress=(
        r"(?:eseguo|lancio|faccio|cerco|leggo|scorro) (?:una|un|la|il|i|le|nella|nel|gli)\b",
        r"(?:certo, |va bene, |ok, |perfetto, |d['’]accordo, |un attimo[,.] |un momento[,.] )*(?:prima |ora |"
        r"adesso )*(?:controllo|verifico|consulto|cerco|guardo|leggo|apro|recupero|confronto|"
        r"modifico|aggiorno|salvo|esamino|do un['’]occhiata)\b",
        r"(?:certo, |ok, |va bene, )*(?:lasciami|mi lasci|fammi|mi faccia|vado a|"
        r"permettimi di)(?: prima)? (?:controllare|verificare|consultare|cercare|guardare|vedere|leggere|"
        r"recuperare|dare un['’]occhiata)\b",
        r"sto (?:controllando|verificando|consultando|cercando|guardando|leggendo|recuperando|confrontando|aprendo|"
        r"modificando|aggiornando|esaminando)\b|"
        r"(?:ricerca|verifica|lettura)\b.*in corso|(?:un attimo|un momento|un istante)\b",
    ),
    report=(
        r"(?:trovato|fatto|ecco)[.!]$",
        r"(?:ecco, )?(?:l['’]|li |le )?ho (?:trovat|consultat|verificat|controllat|recuperat|finit)\w\b",
        r"(?:adesso|ora|poi),? (?:guardo|verifico|controllo|consulto|cerco|confronto)\b",
    ),
    work=(r"\b(?:ho|sto|vado a|do subito|do)\b.*\b(?:controll|verific|consult|cerc|guard|trov|esamin|occhiata)\w*",),
    openings=literals(
        "basta una|non serve|cito |^eseguo|^cerco|"
        "devo spiegare|risposta secca|risposta breve|risposta diretta|rispondo |"
        "^ho |^certo, do|^do |^vado a|^certo, |^mi chied|^l'ut|^mmm|"
        "^controllo|^verifico|^consulto|^cerco|^guardo|^leggo|^apro|^prima |^un attimo|"
        "^un momento|^fammi|^mi lasci|^lascia|^sto |^allora|^vediamo|^hm|^dunque|^bene, |"
        "^la domanda|^devo|^aspett|^ok, |"
        "l'utente|l’utente|aspetta,|aspetti,|allora, |vediamo|hmm|dunque, |devo rispondere|dovrei|controllo "
        "|verifico |consulto |cerco |guardo |apro |recupero |lasciami|mi lasci|fammi |mi faccia"
        "|sto controllando|sto verificando|sto consultando|sto cercando|un attimo|un momento|un istante"
        "|ho trovato|la domanda è|la domanda riguarda|rispondo |do un'occhiata|confronto "
    ),
    asides=literals("Aspetta, |aspetta, |L'utente|l'utente|L’utente|Hmm|Un attimo, |mi sono sbagliat"),
)
