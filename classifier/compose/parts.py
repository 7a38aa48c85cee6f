"""The parts that texts are put together from: answers, trains of thought, solutions, work messages."""

from random import Random
from typing import Any

Facts = dict[str, Any]
Text = tuple[str, str]
"""(the leaked part, the whole text); the leaked part of a clean text is empty."""

JOINS = ("\n\n", "\n\n", "\n\n", "\n", " ", "")
"""What stands between a leak and the answer behind it."""


def some(rng: Random, sentences: list[str], low: int, high: int) -> list[str]:
    """Between `low` and `high` of the sentences, in random order."""
    return rng.sample(sentences, min(rng.randint(low, high), len(sentences)))


def answer(rng: Random, topic: list[str]) -> str:
    """A topic answered, shortly or at length."""
    return rng.choice((topic[1], topic[2], f"{topic[1]} {topic[2]}", f"{topic[1]}\n\n{topic[2]}"))


def join(language_facts: Facts, sentences: list[str]) -> str:
    """Sentences one after the other, without spaces in the scripts that have none."""
    dense = language_facts["topics"][0][1].endswith("。")
    return ("" if dense else " ").join(sentences)


def train_of_thought(rng: Random, facts: Facts, topic: list[str], most: int) -> str:
    """A train of thought on a topic, with at most `most` thoughts in its middle."""
    thinking = facts["thinking"]
    middle = some(rng, thinking["think"], 1, most) + some(rng, thinking["doubt"], 0, max(most - 1, 1))
    rng.shuffle(middle)
    opening = [sentence.replace("{ask}", topic[0]) for sentence in some(rng, thinking["open"], 1, 2 if most > 3 else 1)]
    parts = [*opening, *middle, *some(rng, thinking["plan"], 1, 3), *some(rng, thinking["close"], 0, 1)]
    if rng.random() < 0.25:
        return "\n\n".join(parts)
    return join(facts, parts)


def problems(facts: Facts) -> list[list[str]]:
    """(problem, solution, thought, result) of a language; English keeps them beside wordings of their own."""
    maths = facts["maths"]
    return maths if isinstance(maths, list) else list(maths["items"])


def capital(words: str) -> str:
    """The words with their first letter as a capital."""
    return words[:1].upper() + words[1:]


def stop(facts: Facts) -> str:
    """The full stop of the language."""
    return "。" if facts["topics"][0][1].endswith("。") else "."


def worked_solution(rng: Random, facts: Facts, frames: Facts) -> Text:
    """A problem solved step by step."""
    maths = facts["maths"]
    problem, solution, _, result = rng.choice(problems(facts))
    words = maths if "items" in maths else facts["thinking"]
    opening = rng.choice(words["solution_open"]).replace("{m}", problem)
    closing = rng.choice(words["solution_close"]).replace("{r}", result)
    middle = some(rng, words.get("solution_mid", []), 0, 2)
    return "", rng.choice(("\n\n", "\n", " ")).join([opening, *middle[:1], solution, *middle[1:], closing])


def explained(rng: Random, words: Facts, problem: Facts) -> str:
    """A worked problem as an answer explains it, in one of several layouts."""
    steps = problem["solve"]
    style = rng.choice(("plain", "plain", "lines", "numbers", "bold", "headings"))
    if style == "numbers":
        body = "\n".join(f"{place}. {step}" for place, step in enumerate(steps, 1))
    elif style in ("bold", "headings"):
        marks = "**Step {0}.** {1}" if style == "bold" else "## Step {0}\n{1}"
        body = "\n\n".join(marks.format(place, step) for place, step in enumerate(steps, 1))
    else:
        body = ("\n\n" if style == "lines" else " ").join(steps)
    head = rng.choice((f"**{problem['title']}**", "", "", f"# {problem['title']}"))
    parts = [head, rng.choice(words["explain_open"]), body, rng.choice(words["explain_close"])]
    return "\n\n".join(part for part in parts if part)


def thing(rng: Random, facts: Facts, kind: str) -> str:
    """One sentence of a kind of work message, with something to work on."""
    return str(rng.choice(facts["working"][kind])).replace("{thing}", rng.choice(facts["working"]["things"]))
