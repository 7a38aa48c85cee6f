"""PORTUGUESE: thoughts and progress notes in Portuguese."""

from pipelines.rules.wording.wording import Wording, literals

PORTUGUESE = Wording(
    language="pt",
    script="latin",
    asker=(
        r"me (?:pedem|pede|perguntam|pergunta)\b|pediram-me\b",
        r"(?:o|a) (?:usuári[oa]|utilizador[a]?) (?:\w+ )?(?:quer|pergunt|pede|pediu|diz|disse|precisa|busca|está |"
        r"mencion|escreve|queria|deseja|gostaria|não )",
        r"(?:o cliente|a pessoa) (?:quer|pergunta|quer saber|pede)\b",
    ),
    plan=(
        r"\bdevo ser (?:breve|conciso|direto)\b",
        r"\b(?:uma palavra|uma frase) basta\b|\bbasta uma (?:palavra|frase)\b|^(?:devo|preciso) .*\?",
        r"\b(?:preciso|devo) (?:explicar|responder|dar|dizer)\b|^resposta direta\b",
        r"\b(?:devo|deveria|preciso|tenho que|tenho de|vou|posso|convém)(?: \w+){0,2} (?:responder|mencionar|"
        r"explicar|evitar|ser (?:breve|direto|conciso|claro)|manter|dar|esclarecer)\b",
        r"^(?:responder|resposta|respondo) (?:em|de forma|breve|curta|com|só|apenas|diretamente)\b|"
        r"\ba (?:pergunta|questão) (?:é|trata|pede)\b|\bmeu raciocínio\b",
    ),
    task=(),
    talk=(
        r"(?:hm+|espera|espere|bem|bom|certo|ok|okay|então|deixa eu ver|vejamos|vamos ver|ah|oh|não|peraí|"
        r"pera)[,.:!…]",
        r"(?:mas )?(?:espera|um momento|deixa eu pensar|deixe-me pensar|vamos pensar)\b",
    ),
    check=(
        r"^não precisa\b|\bcombina\.$",
        r"^logo, (?:não|sim)\b|\bserve\.$",
        r"\b(?:deixa eu|deixe-me|vou) (?:conferir|verificar|recalcular|checar)\b|\b(?:confere|está certo|"
        r"está correto|correto|bate)\b",
        r"\b(?:acho que|lembro que|suponho|me parece|não tenho certeza|enganei-me|me enganei)\b|^(?:certo|bem|sim|"
        r"ótimo|pronto)\.$",
    ),
    progress=(
        r"(?:estou (?:rodando|executando|lendo|abrindo|fazendo)|procurando|executando|rodando|executo|rodo)\b",
        r"(?:claro, |certo, |ok, |perfeito, |tudo bem, |um momento[,.] |só um instante[,.] )*(?:primeiro |agora |"
        r"antes )*(?:deixa eu|deixe-me|permita-me|vou|vamos)"
        r"(?: primeiro| agora)? (?:consultar|revisar|buscar|procurar|verificar|olhar|ver|ler|abrir|conferir|"
        r"checar|dar uma olhada|pesquisar|comparar|carregar)\b",
        r"(?:agora |primeiro )*(?:estou (?:consultando|verificando|buscando|procurando|conferindo|a (?:consultar|"
        r"verificar|procurar))|consulto|verifico|procuro|confiro|checo|olho|leio|abro)\b",
        r"(?:alterando|mudando|buscando|consultando|verificando|procurando|editando|lendo|abrindo|carregando|pesquisando|"
        r"atualizando|salvando|conferindo)\b.*(?:…|\.\.\.|\.|:)$|"
        r"(?:um momento|um instante|só um (?:momento|instante|segundo))\b",
    ),
    report=(
        r"(?:pronto|encontrei|achei)[.!]$",
        r"(?:já )?(?:encontrei|achei|consultei|verifiquei|conferi|localizei|terminei)\b|tudo certo, \w+ndo\b",
        r"(?:agora|depois|em seguida),? (?:olho|verifico|consulto|procuro|vou)\b",
    ),
    work=(
        r"\b(?:consult|verific|procur|olh|confer|revis|encontr)(?:o|ei|arei|ado|ando|i)\b|\bbusquei\b|"
        r"\bbuscando\b|\bolhada\b",
    ),
    openings=literals(
        "^rodando|^executando|^executo|"
        "palavra basta|frase basta|basta uma|não precisa|devo citar|devo mencionar|^procurando|"
        "preciso explicar|resposta direta|resposta curta|^primeiro|respondo |"
        "^consultei|^verifiquei|^procurei|^busquei|^conferi|^claro, vou|^claro, estou|^o usu|^me pe|"
        "^vou |^deix|^primeiro |^estou |^agora |^certo, |^bem, |^bom, |^hm|^editando|^abrindo|"
        "^atualizando|^alterando|^preciso |^a pergunta|^um |^só um|^espera|^vejamos|^consulto|"
        "^verifico|"
        "o usuário|a usuária|o utilizador|bem, |bom, |espera,|vejamos|hmm|deixa eu|deixe-me|devo responder"
        "|vou responder|preciso responder|vou verificar|vou consultar|vou buscar|vou procurar|vou olhar"
        "|vou conferir|vou checar|vou pesquisar|vou ver |vou ler|vou abrir|vou dar uma olhada"
        "|estou consultando|estou verificando|estou a |consultando |verificando |buscando |procurando "
        "|editando |um momento|um instante|encontrei|a pergunta é|só um |vou revisar|permita-me"
    ),
    asides=literals("Espera, |espera, |O usuário|o usuário|O utilizador|Hmm|Peraí|me enganei"),
)
