"""Texts with work messages in front of an answer, and clean texts, hard negatives among them."""

from collections.abc import Callable
from random import Random

from classifier.compose.parts import JOINS, Facts, Text, answer, explained, join, some, thing


def announce(rng: Random, facts: Facts, frames: Facts) -> Text:
    parts = [thing(rng, facts, "intent")] + [thing(rng, facts, "step") for _ in range(rng.choice((0, 0, 0, 1)))]
    leak = join(facts, parts)
    return leak, leak


def announce_and_answer(rng: Random, facts: Facts, frames: Facts) -> Text:
    leak = join(
        facts, [thing(rng, facts, "intent")] + [thing(rng, facts, "found") for _ in range(rng.choice((0, 0, 1)))]
    )
    return leak, leak + rng.choice(JOINS) + answer(rng, rng.choice(facts["topics"]))


def progress(rng: Random, facts: Facts, frames: Facts) -> Text:
    steps = [thing(rng, facts, rng.choice(("step", "step", "found"))) for _ in range(rng.randint(1, 4))]
    parts = [thing(rng, facts, rng.choice(("intent", "step"))), *steps]
    leak = rng.choice((" ", "\n", "", "\n\n")).join(parts)
    return leak, leak + rng.choice((*JOINS, "\n\n## ", "\n\n---\n\n")) + answer(rng, rng.choice(facts["topics"]))


def report(rng: Random, facts: Facts, frames: Facts) -> Text:
    leak = join(facts, [thing(rng, facts, "found"), *[thing(rng, facts, "step") for _ in range(rng.choice((0, 1, 2)))]])
    if len(leak) < 20:
        raise LookupError
    return leak, leak + rng.choice(JOINS) + clean_answer(rng, facts, frames)[1]


def beside_call(rng: Random, facts: Facts, frames: Facts) -> Text:
    """The same wording beside a structured call is what agents are asked to write: clean."""
    return "", announce(rng, facts, frames)[1]


def clean_answer(rng: Random, facts: Facts, frames: Facts) -> Text:
    answering, topic = facts["answering"], rng.choice(facts["topics"])
    parts = [
        *some(rng, answering["open"], 0, 1),
        answer(rng, topic),
        *some(rng, answering.get("list", []), 0, 1),
        *some(rng, answering["end"], 0, 1),
    ]
    return "", rng.choice(("\n\n", "\n\n", " ")).join(parts)


def clean_long(rng: Random, facts: Facts, frames: Facts) -> Text:
    answering = facts["answering"]
    topics = rng.sample(facts["topics"], rng.randint(2, 3))
    body = [answer(rng, topic) for topic in topics]
    style = rng.choice(("plain", "bold", "numbers", "headings"))
    marks = {"plain": "{1}", "bold": "**{0}.** {1}", "numbers": "{0}. {1}", "headings": "## {0}\n\n{1}"}[style]
    parts = [marks.format(place, text) for place, text in enumerate(body, 1)]
    return "", "\n\n".join([*some(rng, answering["open"], 0, 1), *parts, *some(rng, answering["end"], 0, 1)])


def quick_answer(rng: Random, facts: Facts, frames: Facts) -> Text:
    """Small tasks answered straight, one or a few in a row."""
    items = rng.sample(facts["quick"]["items"], rng.choice((1, 1, 2, 3)))
    parts = [*some(rng, facts["answering"]["open"], 0, 1), *[item[3] for item in items]]
    return "", rng.choice((" ", "\n", "\n\n")).join([*parts, *some(rng, facts["answering"]["end"], 0, 1)])


def desk(rng: Random, facts: Facts, frames: Facts) -> Text:
    """A clerk tells a customer what is on file and asks what to do."""
    words, item = facts["desk"], rng.choice(facts["desk"]["items"])
    parts = [rng.choice(words["open"]), *some(rng, words["detail"], 0, 2), *some(rng, words["ask"], 0, 2)]
    filled = rng.choice(("\n\n", "\n\n", " ")).join(parts)
    return "", filled.replace("{i}", item).replace("{name}", rng.choice(facts["answering"]["names"]))


def loading(rng: Random, facts: Facts, frames: Facts) -> Text:
    """Loading messages that an app shall show, as a list: the same wording is the requested text. Rare, since they are worded like
    what is looked for."""
    if rng.random() < 0.8:
        raise LookupError
    lines = [
        thing(rng, facts, rng.choice(("intent", "intent", "step"))).rstrip(".。:…") for _ in range(rng.randint(3, 6))
    ]
    line = rng.choice(
        ("{0}. {1}", "{0}. {1}", "- {1}", "* {1}", '- "{1}"', "{0}) {1}", "| {0} | {1} |", "> {1}", '"{1}",')
    )
    end = rng.choice(("…", "...", "…", "", "."))
    return "", "\n".join(line.format(place, text + end) for place, text in enumerate(lines, 1))


def problem_solved(rng: Random, facts: Facts, frames: Facts) -> Text:
    words = facts["problems"]
    return "", explained(rng, words, rng.choice(words["problem"]))


def written(*names: str) -> Callable[[Random, Facts, Facts], Text]:
    """A kind that uses texts as they were written, alone or followed by another of the same kind or a closing line."""

    def kind(rng: Random, facts: Facts, frames: Facts) -> Text:
        answering = facts["answering"]
        texts = [text for name in names for text in answering.get(name, [])]
        if not texts:
            raise LookupError
        parts = some(rng, texts, 1, 2)
        parts += rng.choice(([], [], some(rng, answering["end"], 1, 1), [rng.choice(facts["topics"])[2]]))
        filled = "\n\n".join(parts)
        for slot in ("name", "problem", "Problem"):
            words = answering.get(f"{slot.lower()}s", [""])
            word = str(rng.choice(words))
            filled = filled.replace(f"{{{slot}}}", word[:1].upper() + word[1:] if slot == "Problem" else word)
        return "", filled

    return kind
