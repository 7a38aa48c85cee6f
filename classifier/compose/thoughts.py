"""Texts in which thoughts leaked: alone, cut, in front of, within and behind an answer."""

from random import Random

from classifier.compose.parts import (
    JOINS,
    Facts,
    Text,
    answer,
    capital,
    explained,
    join,
    problems,
    some,
    stop,
    train_of_thought,
    worked_solution,
)


def thoughts_short(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = join(
        facts,
        [
            rng.choice(facts["thinking"]["open"]).replace("{ask}", topic[0]),
            topic[1],
            *some(rng, facts["thinking"]["plan"], 1, 2),
        ],
    )
    return leak, leak + rng.choice(JOINS) + answer(rng, topic)


def thoughts_alone(rng: Random, facts: Facts, frames: Facts) -> Text:
    text = train_of_thought(rng, facts, rng.choice(facts["topics"]), 6)
    cut = text[: rng.randint(120, 700)] if rng.random() < 0.5 else text
    return cut, cut


def thoughts_and_answer(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = train_of_thought(rng, facts, topic, rng.choice((2, 4, 6)))
    return leak, leak + rng.choice(JOINS) + answer(rng, topic)


def end_of_thoughts(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    thinking = facts["thinking"]
    parts = some(rng, thinking["think"], 0, 2) + some(rng, thinking["doubt"], 1, 3) + some(rng, thinking["plan"], 0, 2)
    leak = join(facts, [*parts, *some(rng, thinking["close"], 1, 2)])
    return leak, leak + rng.choice(JOINS) + answer(rng, topic)


def thoughts_inside(rng: Random, facts: Facts, frames: Facts) -> Text:
    first, second = rng.sample(facts["topics"], 2)
    leak = join(facts, some(rng, facts["thinking"]["middle"], 1, 1) + some(rng, facts["thinking"]["doubt"], 0, 2))
    return leak, f"{answer(rng, first)}\n\n{leak}\n\n{second[2]}"


def thoughts_behind(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = join(
        facts,
        some(rng, facts["thinking"].get("tail", facts["thinking"]["middle"]), 1, 1)
        + some(rng, facts["thinking"]["close"], 1, 2),
    )
    return leak, f"{answer(rng, topic)}\n\n{leak}"


def notes(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = rng.choice(facts["thinking"]["notes"]).replace("{ask}", topic[0])
    return leak, leak + rng.choice(JOINS) + answer(rng, topic)


def quick_thoughts(rng: Random, facts: Facts, frames: Facts) -> Text:
    """A line or two of thought on a small task, in front of its answer of a few words or alone."""
    quick = facts["quick"]
    task, work, short, plain = rng.choice(quick["items"])
    parts = [rng.choice(quick["open"]), *some(rng, quick["decide"], 1, 2)]
    filled = {"q": task, "Q": capital(task), "w": work, "W": capital(work), "a": short}
    leak = " ".join(parts).format(**filled)
    return leak, leak + rng.choice(("\n\n", "\n\n", "\n", " ", "")) + rng.choice((short, short + ".", plain))


def outline(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = rng.choice(facts["thinking"]["outline"]).replace("{ask}", topic[0])
    more = "\n\n" + join(facts, some(rng, facts["thinking"]["plan"], 1, 2)) if rng.random() < 0.5 else ""
    return leak + more, leak + more + rng.choice(("", "\n\n" + answer(rng, topic)))


def foreign_thoughts(rng: Random, facts: Facts, frames: Facts) -> Text:
    """Thoughts in English or Chinese in front of an answer in the language of the request."""
    other = frames[rng.choice(("en", "en", "zh"))]
    if other is facts:
        raise LookupError
    number = rng.randrange(min(len(facts["topics"]), len(other["topics"])))
    leak = train_of_thought(rng, other, other["topics"][number], rng.choice((1, 3, 5)))
    return leak, leak + rng.choice(JOINS) + answer(rng, facts["topics"][number])


def maths_thoughts(rng: Random, facts: Facts, frames: Facts) -> Text:
    problem, solution, thought, result = rng.choice(problems(facts))
    words = facts["maths"] if "items" in facts["maths"] else facts["thinking"]
    opening = rng.choice(words.get("trace_open") or words["maths_open"]).replace("{m}", problem)
    closing = rng.choice(words.get("trace_close") or words["maths_close"]).replace("{r}", result)
    doubts = some(rng, words.get("trace_mid") or facts["thinking"]["doubt"], 1, 4)
    parts = [opening, *doubts[:1], thought + stop(facts), *doubts[1:], closing]
    begin = rng.choice((0, 0, 0, 1, 2, len(parts) - 2))
    leak = rng.choice((" ", "\n\n", " ")).join(parts[begin:]) if " " in opening else join(facts, parts[begin:])
    return leak, leak + rng.choice(
        ("", "\n\n" + solution, "\n" + solution, solution, "\n\n" + worked_solution(rng, facts, frames)[1])
    )


def problem_thoughts(rng: Random, facts: Facts, frames: Facts) -> Text:
    """Thoughts on a worked problem: whole, cut, or their end only; alone or in front of the answer."""
    words = facts["problems"]
    problem = rng.choice(words["problem"])
    steps = problem["think"][: rng.randint(1, len(problem["think"]))]
    woven = some(rng, words["weave"], 1, 6)
    for sentence in woven:
        steps = [*steps[: (at := rng.randint(0, len(steps)))], sentence, *steps[at:]]
    parts = [rng.choice(words["open"]).replace("{p}", problem["restate"]), *steps, *some(rng, words["close"], 0, 2)]
    begin = rng.choice((0, 0, 0, 0, len(parts) // 2, len(parts) - 3))
    text = rng.choice((" ", " ", "\n\n")).join(parts[max(begin, 0) :])
    way = rng.choice(("alone", "cut", "cut", "answer", "answer"))
    leak = text[: rng.randint(140, 620)] if way == "cut" else text
    return leak, leak + rng.choice(JOINS) + explained(rng, words, problem) if way == "answer" else leak
