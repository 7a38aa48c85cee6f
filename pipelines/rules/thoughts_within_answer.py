"""Thoughts without a mark stand within the answer or behind it.

Catches: lines of self-talk or about the user between the paragraphs of an answer, also in another language, and a review of the answer at
its end.
Why it matters: the answer changes its mind before the reader's eyes; what is wrong in it may stand above the thought that says so.
Misses: asides within a line; behind the first 400 characters, asides without one of a few words in Latin letters.
False alarms: dialogues and quotations; these are excused.
Likely layers: model, engine_parser.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators, thoughts
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.shown_thoughts import is_shown
from pipelines.rules.untagged_thoughts import is_configured
from pipelines.rules.views.script import fold
from pipelines.rules.wording import ASIDES, FAR_ASIDES

_FINDS_AN_ERROR = re2.compile(
    r"(?i)\b(?:mistake|wrong|error|incorrect|should (?:perhaps |probably |maybe )?(?:correct|fix|redo)|not right|"
    r"trompe|erreur|corriger|fehler|falsch|"
    r"verrechnet|equivocad|error|errei|engan|errado|sbagliat|errore|fout)|ошиб|неверн|错|不对|間違|違う|틀렸|실수|خطأ|गलत"
)


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """Each aside. One at the very end is stripped, unless it finds an error in the answer; others blend in."""
    lead = thoughts.lead(turn)
    passages = [passage for passage in thoughts.asides(turn) if lead is None or passage.start >= lead.end]
    passages = [passage for passage in passages if not is_shown(turn, passage)]
    for passage in passages:
        excuse = thoughts.excuse(turn, passage)
        if excuse:
            yield Excluded(excuse)
            continue
        last = not turn.content[passage.end :].strip() and len(passages) == 1
        doubtful = _FINDS_AN_ERROR.search(fold(turn.content[passage.start : passage.end])) is not None
        repair = "strip" if last and not doubtful else "regenerate"
        yield Span(passage.start, passage.end, confidence=0.7, repair=repair, configured=is_configured(turn))


RULE = Rule(
    id="untagged-thoughts-within-answer",
    version=1,
    status="preview",
    tier="heuristic",
    symptom="reasoning_leak",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: FAR_ASIDES,
    openings=ASIDES,
    repair="regenerate",
    layers=("model", "engine_parser"),
    action="Let the model answer again; when it happens often, compare with the text before the parsers.",
    verify="Replay the request several times: a structural cause repeats.",
    doc=__doc__,
    leaks=(
        leak(
            "between two paragraphs",
            answer(
                "**Starter.** A salad.\n\nHmm, did they say no nuts? The user said so. I should leave them out.\n\n**Main.** Risotto."
            ),
            "Hmm, did they say no nuts? The user said so. I should leave them out.",
        ),
        leak(
            "Chinese in an English answer",
            answer("Stop the service first.\n\n等等，用户说的是容器，不能用 systemctl。\n\nThen copy the volume."),
        ),
        leak(
            "Japanese in plain style",
            answer(
                "まず画面を開きます。\n\nえっと、待って。ユーザーは古い版だと書いていたから、この手順は使えない。\n\n設定を選びます。"
            ),
        ),
        leak(
            "a second look",
            answer(
                "Seven rows.\n\nWait a minute, let me double-check the header. I think it counts.\n\nSo eight rows."
            ),
            "Wait a minute, let me double-check the header. I think it counts.",
        ),
        leak(
            "it finds an error",
            answer(
                "Surface : 84 m².\n\nAttends, l'utilisateur a donné la largeur en pieds. Je me suis trompé d'unité."
            ),
        ),
        leak(
            "a review at the end",
            answer("Riegue la planta dos veces.\n\nHmm, that covers what he asked about watering. I should stop here."),
        ),
    ),
    clean=(
        clean(
            "a dialogue was asked for",
            answer("Kim: Yes.\n\nHmm, wait, let me think, I guess so.", user="Write a dialogue."),
        ),
        clean(
            "quoted from the request",
            answer('The log says:\n\n"Hmm, the user wants it."', user='Why "Hmm, the user wants it."?'),
        ),
        clean("an ordinary answer", answer("Yes.\n\nHmm is what bees do, and they do it loudly.")),
    ),
)
