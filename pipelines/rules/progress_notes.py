"""The answer announces or reports the model's own work in front of the result.

Catches: "let me look that up", "searching …", "found one result" and their like in twenty-two languages at the start of a final answer.
Why it matters: users wait for work that is done, and callers that parse the answer fail on it.
Misses: announcements behind a first sentence that says something else than sorry, thanks or the like.
False alarms: letters, macros and status texts that were asked for; these are excused.
Likely layers: model, client.
"""

from collections.abc import Iterator

from pipelines.rules import denominators, notes, thoughts
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.wording import OPENINGS
from pipelines.schema import ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The notes, when a result follows, or when tools were offered and no call came. gpt-oss writes them as commentary for the user by
    design, and vLLM joins it to the answer: that is by configuration."""
    record = turn.record
    passage = notes.lead(turn) if denominators.turn_is_final(turn) and not record.flattened_from else None
    if passage is None or not (passage.answered or record.tools) or thoughts.lead(turn) is not None:
        return
    excuse = "call_follows" if _announces_a_call(turn, passage.end) else notes.excuse(turn)
    if excuse:
        yield Excluded(excuse)
    elif turn.family.name == "gpt-oss":
        yield Span(passage.start, passage.end, confidence=0.8, symptom="commentary_leak", configured=True)
    else:
        confidence = 0.6 + (0.2 if record.tools else 0.0) + (0.05 if passage.score > 2 else 0.0)
        yield Span(
            passage.start, passage.end, confidence=confidence, repair="strip" if passage.answered else "regenerate"
        )


def _announces_a_call(turn: Turn, end: int) -> bool:
    """Whether a call written as text follows at once: then the sentence is an interim text, as beside a structured call."""
    return any(call.start >= end and not turn.content[end : call.start].strip() for call in turn.envelopes)


RULE = Rule(
    id="progress-notes-before-answer",
    version=1,
    status="preview",
    tier="heuristic",
    symptom="preamble",
    find=find,
    eligible=denominators.turn_is_final,
    openings=OPENINGS,
    repair="strip",
    layers=("model", "client"),
    action="Show interim texts apart from the answer: by phase where the API has it, else buffer the first sentence and leave it out.",
    verify="Read the first sentences of the sampled answers.",
    doc=__doc__,
    leaks=(
        leak(
            "English",
            answer("Let me search the archive. Found three entries.\n\nThe mill closed in 1911."),
            "Let me search the archive. Found three entries.",
        ),
        leak(
            "in one paragraph",
            answer("I'll check the roster now. Ana has the late shift."),
            "I'll check the roster now.",
        ),
        leak(
            "behind an apology",
            answer("I apologize for the delay. Let me check the ledger again.\n\nThe mill closed in 1911."),
            "I apologize for the delay. Let me check the ledger again.",
        ),
        leak("Chinese", answer("我先看一下值班表。\n\n末班车是23点。"), "我先看一下值班表。"),
        leak("Japanese", answer("当番表を確認しますね。\n\n最終は23時です。"), "当番表を確認しますね。"),
        leak("Korean", answer("먼저 시간표를 조회해 보겠습니다. 확인했습니다.\n\n막차는 23시입니다.")),
        leak(
            "a look",
            answer("I'll take a quick look at the ledger.\n\nThe mill closed in 1911."),
            "I'll take a quick look at the ledger.",
        ),
        leak("Korean, in progress", answer("장부를 불러오는 중입니다.\n\n1911년입니다."), "장부를 불러오는 중입니다."),
        leak("French idiom", answer("Je jette un œil au registre.\n\nEn 1911."), "Je jette un œil au registre."),
        leak("German", answer("Hierzu öffne ich das Register.\n\n1911."), "Hierzu öffne ich das Register."),
        leak("German", answer("Ich schaue kurz in den Dienstplan.\n\nAna hat Spätdienst.")),
        leak("French", answer("Je consulte d'abord les horaires.\n\nÀ 23 heures.")),
        leak("Spanish", answer("Voy a mirar la lista. He encontrado tres.\n\nA las 23.")),
        leak("Portuguese", answer("Vou consultar os horários agora.\n\nÀs 23 horas.")),
        leak("Russian", answer("Сейчас проверю расписание.\n\nВ 23 часа.")),
        leak("Arabic", answer("سأراجع القائمة الآن.\n\nالساعة 23.")),
        leak("Hindi", answer("पहले मैं सूची देखता हूँ।\n\nरात 11 बजे।")),
        leak("Turkish", answer("Önce vardiya listesine bakıyorum.\n\nGeç vardiya Ana'da.")),
        leak("Polish", answer("Zajrzę do grafiku. Znalazłam.\n\nAna ma późną zmianę.")),
        leak("Indonesian", answer("Saya cek jadwalnya dulu.\n\nPukul 23.")),
        leak("Ukrainian", answer("Спершу подивлюся графік.\n\nО 23 годині.")),
        leak("Czech", answer("Nejdřív zkontroluji rozpis.\n\nVe 23 hodin.")),
        leak("Swedish", answer("Jag kollar schemat.\n\nKlockan 23.")),
        leak("Danish", answer("Jeg tjekker lige planen.\n\nKlokken 23.")),
        leak("Finnish", answer("Katson ensin vuorolistan.\n\nKello 23.")),
        leak(
            "with a picture in front, in several lines",
            answer("🔎 Searching the archive…\n✔ Found three entries.\n\nThe mill closed in 1911."),
            "🔎 Searching the archive…\n✔ Found three entries.",
        ),
        leak(
            "everything is at hand",
            answer("Great! Now I have all the data I need.\n\nThe mill closed in 1911."),
            "Great! Now I have all the data I need.",
        ),
        leak("Italian", answer("Controllo prima gli orari.\n\nAlle 23.")),
        leak(
            "announced, and neither called nor answered", answer("Let me check the weather in Bern.", tools=(WEATHER,))
        ),
    ),
    clean=(
        clean(
            "what an agent is about to do, for the user to confirm",
            answer("Since the ticket is flexible, it can be cancelled. I will proceed with the cancellation. Shall I?"),
        ),
        clean(
            "in front of a call that stands as text",
            answer(
                'Let me look at the weather.\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bern"}}\n</tool_call>',
                tools=(WEATHER,),
            ),
        ),
        clean(
            "beside a structured call",
            answer("Let me check the weather.", tools=(WEATHER,), calls=(ToolCall("get_weather", "{}"),)),
        ),
        clean(
            "a letter was asked for",
            answer("Je consulte votre contrat.\n\nCordialement", user="Rédige un courriel à un locataire."),
        ),
        clean(
            "status texts were asked for",
            answer(
                "Let me check your seat…\nLoading the map…",
                user="Write two status texts for our lift display.",
            ),
        ),
        clean(
            "a translation",
            answer(
                "Let me search for it. It won't take long.",
                user="Translate to English: 'Ich suche es. Es dauert nicht lange.'",
            ),
        ),
        clean("a didactic opening", answer("Lass mich das an einer Waage erklären: Sie vergleicht zwei Seiten.")),
        clean("a review for the reader", answer("J'ai regardé votre code. Deux points à corriger.\n\n1. Le nom")),
        clean("let me know", answer("Let me know what you think. I'm happy to help.")),
    ),
)
