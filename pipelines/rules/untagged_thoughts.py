"""The answer begins with thoughts that carry no mark at all.

Catches: openings that speak of the user in the third person, plan the answer, talk to themselves or check themselves, in twenty-two
languages;
more surely in another language than the user's, in plain style before a polite answer, or before an answer that repeats them.
Why it matters: with the delimiter eaten there is nothing to strip by, and no marker rule sees it.
Misses: thoughts that read like an explanation; families whose stripped reasoning has no border at all.
False alarms: notes about a conversation, requested monologues and worked solutions; these are excused by what the request asks for.
Likely layers: engine_parser, chat_template.
"""

from collections.abc import Iterator

from pipelines.rules import denominators, thoughts
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.shown_thoughts import is_shown
from pipelines.rules.views.configuration import keeps_reasoning_in_content, moves_reasoning_into_empty_content
from pipelines.rules.wording import OPENINGS


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The lead: strip it where an answer follows and every line of it is a thought, else let the model answer again."""
    passage = thoughts.lead(turn)
    if passage is None or is_shown(turn, passage):
        return
    excuse = thoughts.excuse(turn, passage)
    if excuse:
        yield Excluded(excuse)
        return
    yield Span(
        passage.start,
        passage.end,
        confidence=min(0.9, 0.5 + 0.05 * passage.score),
        repair="strip" if passage.answered and passage.whole else "regenerate",
        configured=is_configured(turn),
    )


def is_configured(turn: Turn) -> bool:
    """Whether request or deployment leave the reasoning in the content on purpose."""
    return keeps_reasoning_in_content(turn.record, turn.identity) or moves_reasoning_into_empty_content(turn.record)


RULE = Rule(
    id="untagged-thoughts",
    version=1,
    status="preview",
    tier="heuristic",
    symptom="reasoning_leak",
    find=find,
    eligible=denominators.content_is_text,
    openings=OPENINGS,
    repair="strip",
    layers=("engine_parser", "chat_template"),
    action="Set --reasoning-parser together with --tool-call-parser; check that the reasoning arrives in its own field.",
    verify="Look for the end tag in the text before the parsers.",
    doc=__doc__,
    leaks=(
        leak(
            "English",
            answer("The user asks for a lake. I should name just one.\n\nLake Geneva."),
            "The user asks for a lake. I should name just one.",
        ),
        leak(
            "English before Italian",
            answer(
                "Okay, the request is about a recipe. Answer in Italian.\n\nServono due uova e il latte.",
                user="Che cosa serve per la frittata?",
            ),
        ),
        leak(
            "Chinese before Russian",
            answer("用户用俄语提问，回答要简短。\n\nДа, это так.", user="Это так?"),
            "用户用俄语提问，回答要简短。",
        ),
        leak(
            "Japanese in plain style",
            answer("ユーザーは高さを聞いている。短く答えればよい。\n\n3776メートルです。", user="富士山の高さは？"),
        ),
        leak(
            "Korean in plain style",
            answer("사용자가 높이를 물어봤다. 짧게 답하면 된다.\n\n1947미터입니다.", user="한라산 높이는?"),
        ),
        leak(
            "a list of planning steps",
            answer("Thinking Process:\n\n1.  **Analyze the request:** a rhyme on tea.\n2.  **Draft:** sea.\n\nSea."),
            "Thinking Process:\n\n1.  **Analyze the request:** a rhyme on tea.\n2.  **Draft:** sea.",
        ),
        leak(
            "planning steps without a heading",
            answer(
                "1. **Understand the question:** the user asks for a sum.\n   - 3 and 4\n2. **Compute:** 7.\n\n1. Take 3.\n2. Add 4.",
                user="3 + 4, in two lines?",
            ),
            "1. **Understand the question:** the user asks for a sum.\n   - 3 and 4\n2. **Compute:** 7.",
        ),
        leak(
            "Chinese planning steps",
            answer("思考过程：\n1. 用户要一个比喻。\n2. 选茶。\n\n时间像一杯茶。", user="给时间一个比喻"),
            "思考过程：\n1. 用户要一个比喻。\n2. 选茶。",
        ),
        leak(
            "in search of words",
            answer('I need a slogan. "Mill it"? Too short. Go with "Ground well".\n\nGround well.'),
        ),
        leak(
            "in note form",
            answer(
                "Mill: 1911, fire. The question is general, so the year. Mention the fire. Done.\n\nIt closed in 1911."
            ),
        ),
        leak("German", answer("Der Nutzer will die Höhe wissen. Ich sollte nur eine Zahl nennen.\n\n2962 Meter.")),
        leak("French", answer("L'utilisateur demande la hauteur. Je dois répondre brièvement.\n\n4806 mètres.")),
        leak(
            "Spanish, with a check",
            answer("A ver, 10 % son 5. Espera, compruebo: la mitad de 10. Bien.\n\n5", user="¿10 % de 50?"),
        ),
        leak("Portuguese", answer("O usuário quer o plural. Devo responder com uma palavra.\n\nPães.")),
        leak("Russian", answer("Пользователь спрашивает высоту. Надо ответить одним числом.\n\n5642 метра.")),
        leak("Arabic", answer("المستخدم يسأل عن العاصمة. يجب أن أجيب باختصار.\n\nالرباط.")),
        leak("Hindi", answer("उपयोगकर्ता राजधानी जानना चाहता है। उत्तर छोटा रखना चाहिए।\n\nनैरोबी।")),
        leak("Turkish", answer("Kullanıcı yüksekliği soruyor. Kısa cevap vermeliyim.\n\n5137 metre.")),
        leak("Polish", answer("Użytkownik pyta o wysokość. Powinienem podać jedną liczbę.\n\n2499 metrów.")),
        leak("Indonesian", answer("Pengguna menanyakan tingginya. Saya harus menjawab singkat.\n\n3805 meter.")),
        leak("Ukrainian", answer("Користувач питає про висоту. Треба відповісти одним числом.\n\n2061 метр.")),
        leak("Czech", answer("Uživatel se ptá na výšku. Měl bych uvést jedno číslo.\n\n1603 metrů.")),
        leak("Swedish", answer("Användaren undrar hur högt det är. Jag bör svara kort.\n\n2097 meter.")),
        leak("Danish", answer("Brugeren spørger om højden. Jeg bør svare kort.\n\n171 meter.")),
        leak("Finnish", answer("Käyttäjä kysyy korkeutta. Minun pitäisi vastata lyhyesti.\n\n1324 metriä.")),
        leak("Italian", answer("L'utente chiede l'altezza. Devo rispondere in breve.\n\n3357 metri.")),
        leak(
            "it begins with a word of the question, which nobody prescribed",
            answer(
                "Rust, hmm: water and oxygen. I should say it in one line.\n\nIron reacts with oxygen.",
                user="Why does rust form?",
            ),
        ),
        leak(
            "no answer at all",
            answer("We need to produce a table. I should avoid prices. Hmm, columns:", finish="length"),
        ),
    ),
    clean=(
        clean(
            "a study guide",
            answer(
                "1. **Understand the question:** read it twice.\n2. **Compute.**", user="How do I solve word problems?"
            ),
        ),
        clean(
            "the steps were asked for",
            answer(
                "Thinking Process:\n\n1. Count the legs.\n2. Divide by 4.\n\n9 cows.",
                user="Show your thinking: 36 legs?",
            ),
        ),
        clean(
            "chat with the reader",
            answer("Okay, so a boat is work. You said you hate rust, right? Actually, ask your brother for his."),
        ),
        clean(
            "a note about a chat was asked for",
            answer(
                "The user wants a refund. We agreed on Friday.", user="Summarise this chat.\nUser: I want a refund."
            ),
        ),
        clean(
            "a monologue was asked for",
            answer("Okay, so the lock was open. Wait, no.", user="Give a burglar's thoughts as a monologue."),
        ),
        clean(
            "the opening was prescribed",
            answer("Okay, so a lease is a long rent. I think so.", user="Start with 'Okay, so': what is a lease?"),
        ),
        clean(
            "thinking aloud was asked for",
            answer(
                "Okay, so a van has 8 cubic metres. I guess 3,000 bricks.",
                user="Show your reasoning: how many bricks fit?",
            ),
        ),
        clean("a didactic opening", answer("让我们从邮局说起。路由器像一个邮局。", user="什么是路由器？")),
        clean(
            "a specification",
            answer("The user asks for a reset link. The system sends it.\n\nIt expires after an hour."),
        ),
        clean(
            "advice",
            answer(
                "I'd keep it short and warm. Don't overdo the jokes.\n\nBegin with how you met.", user="What do I say?"
            ),
        ),
        clean("a product is explained", answer("When the user asks for a new password, the server sends a link.")),
    ),
)
