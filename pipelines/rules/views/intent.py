"""What a request wants that excuses thoughts and progress notes in the answer: visible reasoning, a message to somebody, words to
start with."""

import re2

from pipelines.rules.views.script import fold

_LIMIT = 6000
_TWO_WORDS = 30
_REASONING = re2.compile(
    r"(?i)think(?:ing)? (?:out loud|aloud)|show (?:me )?(?:your|all|the) (?:reasoning|work|working|thinking|"
    r"thought|steps|calculation)|"
    r"(?:chain|train) of thought|thought process|step[- ]by[- ]step|explain (?:your|the) (?:reasoning|"
    r"thinking|steps)|visible .{0,20}reasoning|"
    r"reasoning: ?['\"]? ?section|walk me through|in <?(?:thinking|think|scratchpad)>? tags|let'?s think|"
    r"react\b.{0,40}(?:format|example)|"
    r"schritt fuer schritt|schritt fur schritt|laut (?:denken|nachdenken)|denk laut|gedankengang|denkweg|rechenweg|"
    r"etape par etape|pas a pas|raisonnement|a voix haute|paso a paso|en voz alta|razonamiento|passo a passo|"
    r"em voz alta|raciocinio|"
    r"passo (?:dopo|per) passo|ad alta voce|ragionamento|stap voor stap|hardop|"
    r"思考过程|一步一步|逐步|分步|推理过程|解题(?:过程|思路)|思路|順を追って|思考過程|考え方|途中式|ステップ|段階的|생각 ?과정|단계별"
    r"|풀이 ?과정"
    r"|차근차근"
    r"|"
    r""
    r""
    r""
    r"по шагам|пошагов|ход (?:мысл|решен|рассужд)|вслух|рассужден|خطوة بخطوة|خطوات|طريقة التفكير|بصوت عال|चरण|"
    r"कदम दर कदम|सोच(?:ने)? की प्रक्रिया|विचार प्रक्रिया"
)
_WRITE = re2.compile(
    r"(?i)\b(?:write|draft|compose|prepare|give|suggest|create|need|redacta|escribe|escribeme|ecris|ecrivez|"
    r"redige|redigez|schreib|schreibe|"
    r"formuliere|verfass\w*|entwirf|escreva|redija|escreve|preciso|scrivi|redigi|prepara|schrijf|stel|viet|soan|"
    r"napisz|przygotuj|napis|priprav|skriv|formulera|tulis\w*|buatkan|yaz|yazin|yazar misin|kirjoita|laadi)\b|"
    r"напиши|составь|подготовь|ответ|써 ?줘|써 ?주|작성|보낼|写|撰写|起草|拟|書いて|作成|書き|اكتب|اكتبي|صغ|حرر|लिख|तैयार"
)
_MESSAGE = re2.compile(
    r"(?i)\b(?:reply|replies|e-?mails?|mail|letters?|messages?|sms|text messages?|notes?|macros?|"
    r"status texts?|texts?|script|copy|canned|lines?|podcast|cold open|barks?|npc|"
    r"announcement|tweet|post|speech|response to|answer to|antwort|brief|nachricht|schreiben|reponse|lettre|"
    r"courriel|message|respuesta|carta|"
    r"mensaje|correo|resposta|mensagem|carta|macros|risposta|lettera|messaggio|antwoord|bericht|brief|"
    r"tin nhan|thu|mesaj\w*|e-?posta|musteri\w*|mektup\w*|wiadomosc\w*|odpowiedz\w*|klient\w*|svar|"
    r"meddelande|mejl|kunden|zprav\w*|odpoved\w*|"
    r"dopis|zakazn\w*|pesan|surat|balasan|pelanggan|besked|viesti\w*|vastaus|asiakka\w*)\b|повідомлен|відповідь|клієнт|"
    r"문구|멘트|공지|안내 문|文案|通知|お知らせ|"
    r"ответ|письмо|сообщени|답장|메일|편지|문자|메시지|안내문|回复|邮件|信|短信|话术|消息|返信|メール|手紙|文面|メッセージ|رسالة|رد |بريد|"
    r"पत्र|संदेश|"
    r"उत्तर|ईमेल|मेल"
)
_TRANSLATE = re2.compile(
    r"(?i)\b(?:translate|translation|rephrase|paraphrase|improve this|rewrite|correct this|proofread|"
    r"ubersetz\w*|traduis|traduire|traduisez|traduce|"
    r"traducir|traduz\w*|traduci|traducete|vertaal|dich)\b|переведи|перевод|번역|고쳐|翻译|译成|改写|润色|翻訳|訳して|言い換え|"
    r"ترجم|ترجمة|अनुवाद"
)
_ABOUT_A_CHAT = re2.compile(
    r"(?i)\b(?:summar\w+|hand-?over|minutes|ticket|recap|zusammenfass\w*|fass\b|resume\w*|resum\w+|riassum\w*|"
    r"riassunto|samenvat\w*|user stor\w+|persona|"
    r"requirements?|use cases?|transcript|conversation|chat)\b|요약|회의록|总结|摘要|概括|对话|需求|要約|まとめ|議事録|кратко изложи|"
    r"резюм|перескаж|ملخص|لخص|सारांश"
)

_PEOPLE = re2.compile(
    r"(?i)\b(?:users?|customers?|clients?|agents?|nutzer\w*|kund\w+|benutzer\w*|utilisat\w+|usuari\w+|"
    r"clientes?|utent\w+|gebruiker\w*|persona)\b|"
    r"사용자|고객|用户|客户|ユーザ|顧客|お客|пользовател|клиент|مستخدم|عميل|उपयोगकर्ता|ग्राहक"
)

_VOICE = re2.compile(
    r"(?i)\b(?:npcs?|barks?|podcast|cold open|monolog\w*|soliloquy|improv|stand-?up|skit|sketch comedy|"
    r"role-?play\w*|dialog\w*|character|"
    r"inner (?:voice|speech|thoughts?)|stream of consciousness|diary|haiku|limerick|screenplay|teaser|voice-?over|"
    r"in the (?:voice|style) of|"
    r"dialogue|personnage|personaje|personagem|personaggio|figur|rolle|journal intime|diario|tagebuch|guion|drehbuch)\b|"
    r"独白|台词|角色|旁白|日记|内心|セリフ|台詞|独り言|日記|ナレーション|대사|독백|일기|캐릭터|персонаж|реплик|монолог|дневник|حوار|مونولوج|"
    r"شخصية|संवाद|एकालाप|पात्र"
)


def asks_for_a_voice(last_user: str) -> bool:
    """Whether the last user message asks for words in somebody's mouth: lines of a character, a monologue, a podcast."""
    return _VOICE.search(fold(last_user[:_LIMIT])) is not None


def asks_for_reasoning(asked: str) -> bool:
    """Whether instructions and user messages ask for visible reasoning or for the steps of a solution."""
    return _REASONING.search(fold(asked[-_LIMIT:])) is not None


def asks_for_message(last_user: str) -> bool:
    """Whether the last user message asks for a text that is addressed to somebody: a reply, a letter, macros, status texts."""
    text = fold(last_user[:_LIMIT])
    return _WRITE.search(text) is not None and _MESSAGE.search(text) is not None


def asks_for_translation(last_user: str) -> bool:
    """Whether the last user message asks for a translation or for other words of a text that it brings."""
    return _TRANSLATE.search(fold(last_user[:_LIMIT])) is not None


def asks_about_a_chat(last_user: str) -> bool:
    """Whether the last user message is about what users do: a conversation to sum up, a persona, user stories."""
    text = fold(last_user[:_LIMIT])
    return _ABOUT_A_CHAT.search(text) is not None and _PEOPLE.search(text) is not None


def opening_was_given(content: str, asked: str) -> bool:
    """Whether the request holds the first two words of the answer (in scripts without spaces its first six signs) in quotation marks."""
    opening = content.lstrip(" \n\t\"'“„«「*_").lower()[:60]
    words = " ".join(opening.split()[:2]).rstrip(".,:;!?…")
    first = words if len(words) <= _TWO_WORDS else opening[:6]
    lowered = asked[-_LIMIT:].lower()
    at = lowered.find(first) if len(first) >= 6 else -1
    return at > 0 and lowered[at - 1] in "'\"“„«‹‘「『《"
