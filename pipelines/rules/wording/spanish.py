"""SPANISH: thoughts and progress notes in Spanish."""

from pipelines.rules.wording.wording import Wording, literals

SPANISH = Wording(
    language="es",
    script="latin",
    asker=(
        r"me (?:piden|pide|preguntan|pregunta)\b",
        r"(?:el|la) usuari[oa] (?:\w+ )?(?:pregunta|quiere|pide|dice|necesita|busca|ha |menciona|escribe|desea|"
        r"quería|pidió|preguntó|dijo|escribió|mencionó|solicita|espera|no )",
        r"(?:el cliente|la persona|la clienta) (?:pregunta|quiere saber|pide)\b",
    ),
    plan=(
        r"\bbasta (?:una|con una) (?:palabra|frase)\b|^¿(?:menciono|debo|debería|pongo|digo|añado)\b",
        r"\bhay que (?:responder|explicar|dar|decir)\b|^doy (?:ese|esa|este)\b",
        r"\bdebería ser\b|^respuesta (?:breve|corta)\b|\bvoy a dar\b",
        r"\b(?:necesito) (?:dar|responder|explicar|mencionar|encontrar)\b|\bla respuesta (?:debe|tiene que)\b",
        r"\b(?:debo|debería|tengo que|hay que|voy a|puedo|podría|conviene)(?: \w+){0,2} (?:responder|contestar|"
        r"mencionar|explicar|evitar|ser (?:breve|conciso|claro)|"
        r"mantener|aclarar|dar)\b",
        r"^(?:responder|contestar|respuesta|respondo|contesto) (?:en|de forma|breve|corta|con|directamente)\b|"
        r"\bla pregunta (?:es|trata|pide)\b|\bmi razonamiento\b",
    ),
    task=(),
    talk=(
        r"(?:hm+|a ver|espera|esperen|vale|bueno|bien|ok|okay|pues|veamos|eh|ah|oh|no|entonces|mmm+)[,.:!…]",
        r"(?:pero )?(?:espera|un momento|déjame pensar|vamos a ver|pensemos)\b",
    ),
    check=(
        r"^no hace falta\b|\bencaja\.$",
        r"^entonces (?:no|sí)\b",
        r"\bsupongo\b|\bno da contexto\b",
        r"\b(?:lo compruebo|compruebo|comprobemos|verifico|verifiquemos|lo reviso|recalculo|está bien|es correcto|"
        r"correcto|coincide)\b",
        r"\b(?:creo que|recuerdo que|supongo|me parece|no estoy segur[oa]|me he equivocado)\b|^(?:bien|sí|"
        r"perfecto|correcto)\.$",
    ),
    progress=(
        r"(?:ejecuto|lanzo|abro|hago|leo|cargo) (?:una|la|el|los|las|un)\b",
        r"(?:claro, |de acuerdo, |vale, |perfecto, |por supuesto, |muy bien, |un momento[,.] )*(?:primero |ahora |"
        r"antes )*(?:déjame|déjeme|permíteme|permítame|voy a|vamos a)"
        r"(?: primero| ahora)? (?:consultar|revisar|buscar|comprobar|verificar|mirar|ver|leer|abrir|"
        r"echar un vistazo|chequear|confirmar|comparar|cargar|editar|actualizar|cambiar|guardar|calcular|"
        r"ejecutar|localizar)\b",
        r"(?:primero |ahora |enseguida |un momento, )*(?:estoy (?:consultando|revisando|buscando|comprobando|"
        r"verificando|mirando)|consulto|reviso|busco|compruebo|verifico|miro)\b",
        r"(?:comprobando|abriendo|editando|actualizando|cambiando|guardando|ejecutando|calculando|buscando|"
        r"consultando|revisando|comprobando|verificando|leyendo|cargando)\b.*(?:…|\.\.\.|\.)$|"
        r"(?:un momento|un segundo|dame un (?:momento|segundo))\b",
    ),
    report=(
        r"(?:listo|encontrado|aquí está)[.!]$",
        r"(?:ya )?(?:he |lo he |los he |la he )?(?:encontré|encontrado|consultado|revisado|comprobado|terminado|"
        r"localizado)\b",
        r"(?:ahora|después|luego|a continuación),? (?:miro|reviso|consulto|busco|voy a)\b",
    ),
    work=(
        r"\b(?:consult|busc|revis|comprob|comprueb|verific|mir|encontr|localiz)(?:o|are|ado|ando)\b|"
        r"\bvoy a (?:consultar|buscar|mirar)\b",
    ),
    openings=literals(
        "basta una|¿menciono|¿debo|no hace falta|¿pongo|^ejecut|"
        "hay que responder|hay que explicar|doy ese|doy esa|^comprobando|respondo |respuesta breve|"
        "^he |^consult|^enseguida|^claro, |^ahora mismo|^me pid|^me preg|^el usu|^buscar|^revis|"
        "^déja|^permít|^voy a|^primero |^estoy |^abriendo|^editando|^actualizando|^cambiando|"
        "^necesito|^veamos|^a ver|^hm|^mm|^reviso|^busco|^consulto|^vale|^bueno, |^la pregunta|"
        "^debo|^un momento|^espera|^ya he |^vamos a |"
        "el usuario|la usuaria|a ver,|espera,|espera.|vale, |bueno, |veamos|hmm|mmm|debo responder|debería"
        "|déjame|déjeme|permíteme|permítame|voy a revisar|voy a consultar|voy a buscar|voy a comprobar"
        "|voy a verificar|voy a mirar|voy a leer|voy a abrir|voy a echar|estoy consultando|estoy revisando"
        "|estoy buscando|consulto |reviso |busco |compruebo |buscando |consultando |revisando |un momento"
        "|un segundo|he encontrado|la pregunta es|voy a ver |voy a confirmar|voy a responder"
    ),
    asides=literals("Espera, |espera, |A ver, |El usuario|el usuario|Hmm|Mmm|Un momento, |me he equivocado"),
)
