"""Labelled texts composed from the sentences in `data/labeled/frames`, the same for the same seed.

    python -m classifier.compose data/labeled        # writes the JSONL parts anew

A kind is a function that takes sentences of one language and puts a text together; it knows which part of the text is the
leak. Texts that are too similar to an earlier one (`classifier.duplicates`) are thrown away, so the frames limit how many
texts a language can give. The written parts are checked in and are what training reads; this module is how they came about.
"""

import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from classifier.duplicates import Seen

Facts = dict[str, Any]
Text = tuple[str, str]
"""(the leaked part, the whole text); the leaked part of a clean text is empty."""

COUNTS = {"en": 4600, "zh": 640, "ja": 720, "ko": 640, "de": 360, "fr": 360, "es": 360, "pt": 280, "it": 280, "ru": 320}
OTHER_LANGUAGES = 200
SEED = "leakrate 1"
RARE = {"monologue": 0.02, "markup": 0.05, "work-text": 0.05, "beside-call": 0.2}
"""Kinds of clean texts that are as frequent here as answers and rare in traffic, with the share each text stands for."""
TRACES = ("problem-thoughts", "maths-thoughts", "thoughts", "thoughts-answer", "thoughts-end")
JOINS = ("\n\n", "\n\n", "\n\n", "\n", " ", "")


def compose(folder: Path, only: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Examples of every language in `folder`/frames (or `only` some), in order; rows as `classifier.examples` reads them."""
    frames = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((folder / "frames").glob("*.toml"))}
    for path in sorted((folder / "problems").glob("*.toml")):
        frames[path.stem]["problems"] = tomllib.loads(path.read_text("utf-8"))
    for language, facts in frames.items():
        if only and language not in only:
            continue
        rng, seen = Random(f"{SEED} {language}"), Seen()
        wanted, made = COUNTS.get(language, OTHER_LANGUAGES), 0
        for attempt in range(wanted * 8):
            if made == wanted:
                break
            label, name, kind = KINDS[attempt % len(KINDS)]
            try:
                leak, text = kind(rng, facts, frames)
            except LookupError:
                continue
            if text and seen.new(text):
                made += 1
                yield _row(rng, language, number=made, label=label, source=name, leak=leak, text=text)


def _row(rng: Random, language: str, *, number: int, label: str, source: str, leak: str, text: str) -> dict[str, Any]:
    start = text.index(leak)
    tools = "called" if source == "beside-call" else rng.choice(_TOOLS[label])
    return {
        "id": f"{language}-{number:04d}",
        "text": text,
        "labels": [label],
        "tools": tools,
        "span": [start, start + len(leak)] if leak else None,
        "language": language,
        "labeled_by": "construction",
        "source": source,
        "style": "trace" if source in TRACES else "note" if label == "reasoning_leak" else "unknown",
        "share": RARE.get(source, 1.0),
        "split": "test" if rng.random() < 0.2 else "train",
    }


_TOOLS = {
    "preamble": ("unknown", "unknown", "unknown", "offered"),
    "reasoning_leak": ("unknown", "unknown", "offered", "called"),
    "clean": ("unknown", "unknown", "offered", "called"),
}


def _some(rng: Random, sentences: list[str], low: int, high: int) -> list[str]:
    return rng.sample(sentences, min(rng.randint(low, high), len(sentences)))


def _answer(rng: Random, topic: list[str]) -> str:
    return rng.choice((topic[1], topic[2], f"{topic[1]} {topic[2]}", f"{topic[1]}\n\n{topic[2]}"))


def _join(language_facts: Facts, sentences: list[str]) -> str:
    dense = language_facts["topics"][0][1].endswith("。")
    return ("" if dense else " ").join(sentences)


def _thoughts(rng: Random, facts: Facts, topic: list[str], most: int) -> str:
    thinking = facts["thinking"]
    middle = _some(rng, thinking["think"], 1, most) + _some(rng, thinking["doubt"], 0, max(most - 1, 1))
    rng.shuffle(middle)
    opening = [
        sentence.replace("{ask}", topic[0]) for sentence in _some(rng, thinking["open"], 1, 2 if most > 3 else 1)
    ]
    parts = [*opening, *middle, *_some(rng, thinking["plan"], 1, 3), *_some(rng, thinking["close"], 0, 1)]
    if rng.random() < 0.25:
        return "\n\n".join(parts)
    return _join(facts, parts)


def _short(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = _join(
        facts,
        [
            rng.choice(facts["thinking"]["open"]).replace("{ask}", topic[0]),
            topic[1],
            *_some(rng, facts["thinking"]["plan"], 1, 2),
        ],
    )
    return leak, leak + rng.choice(JOINS) + _answer(rng, topic)


def _trace(rng: Random, facts: Facts, frames: Facts) -> Text:
    text = _thoughts(rng, facts, rng.choice(facts["topics"]), 6)
    cut = text[: rng.randint(120, 700)] if rng.random() < 0.5 else text
    return cut, cut


def _trace_and_answer(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = _thoughts(rng, facts, topic, rng.choice((2, 4, 6)))
    return leak, leak + rng.choice(JOINS) + _answer(rng, topic)


def _trace_end(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    thinking = facts["thinking"]
    parts = (
        _some(rng, thinking["think"], 0, 2) + _some(rng, thinking["doubt"], 1, 3) + _some(rng, thinking["plan"], 0, 2)
    )
    leak = _join(facts, [*parts, *_some(rng, thinking["close"], 1, 2)])
    return leak, leak + rng.choice(JOINS) + _answer(rng, topic)


def _inside(rng: Random, facts: Facts, frames: Facts) -> Text:
    first, second = rng.sample(facts["topics"], 2)
    leak = _join(facts, _some(rng, facts["thinking"]["middle"], 1, 1) + _some(rng, facts["thinking"]["doubt"], 0, 2))
    return leak, f"{_answer(rng, first)}\n\n{leak}\n\n{second[2]}"


def _behind(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = _join(
        facts,
        _some(rng, facts["thinking"].get("tail", facts["thinking"]["middle"]), 1, 1)
        + _some(rng, facts["thinking"]["close"], 1, 2),
    )
    return leak, f"{_answer(rng, topic)}\n\n{leak}"


def _notes(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = rng.choice(facts["thinking"]["notes"]).replace("{ask}", topic[0])
    return leak, leak + rng.choice(JOINS) + _answer(rng, topic)


def _outline(rng: Random, facts: Facts, frames: Facts) -> Text:
    topic = rng.choice(facts["topics"])
    leak = rng.choice(facts["thinking"]["outline"]).replace("{ask}", topic[0])
    more = "\n\n" + _join(facts, _some(rng, facts["thinking"]["plan"], 1, 2)) if rng.random() < 0.5 else ""
    return leak + more, leak + more + rng.choice(("", "\n\n" + _answer(rng, topic)))


def _foreign(rng: Random, facts: Facts, frames: Facts) -> Text:
    """Thoughts in English or Chinese in front of an answer in the language of the request."""
    other = frames[rng.choice(("en", "en", "zh"))]
    if other is facts:
        raise LookupError
    number = rng.randrange(min(len(facts["topics"]), len(other["topics"])))
    leak = _thoughts(rng, other, other["topics"][number], rng.choice((1, 3, 5)))
    return leak, leak + rng.choice(JOINS) + _answer(rng, facts["topics"][number])


def _problems(facts: Facts) -> list[list[str]]:
    """(problem, solution, thought, result) of a language; English keeps them beside wordings of their own."""
    maths = facts["maths"]
    return maths if isinstance(maths, list) else list(maths["items"])


def _maths_trace(rng: Random, facts: Facts, frames: Facts) -> Text:
    problem, solution, thought, result = rng.choice(_problems(facts))
    words = facts["maths"] if "items" in facts["maths"] else facts["thinking"]
    opening = rng.choice(words.get("trace_open") or words["maths_open"]).replace("{m}", problem)
    closing = rng.choice(words.get("trace_close") or words["maths_close"]).replace("{r}", result)
    doubts = _some(rng, words.get("trace_mid") or facts["thinking"]["doubt"], 1, 4)
    parts = [opening, *doubts[:1], thought + _stop(facts), *doubts[1:], closing]
    begin = rng.choice((0, 0, 0, 1, 2, len(parts) - 2))
    leak = rng.choice((" ", "\n\n", " ")).join(parts[begin:]) if " " in opening else _join(facts, parts[begin:])
    return leak, leak + rng.choice(
        ("", "\n\n" + solution, "\n" + solution, solution, "\n\n" + _solution(rng, facts, frames)[1])
    )


def _stop(facts: Facts) -> str:
    return "。" if facts["topics"][0][1].endswith("。") else "."


def _solution(rng: Random, facts: Facts, frames: Facts) -> Text:
    maths = facts["maths"]
    problem, solution, _, result = rng.choice(_problems(facts))
    words = maths if "items" in maths else facts["thinking"]
    opening = rng.choice(words["solution_open"]).replace("{m}", problem)
    closing = rng.choice(words["solution_close"]).replace("{r}", result)
    middle = _some(rng, words.get("solution_mid", []), 0, 2)
    return "", rng.choice(("\n\n", "\n", " ")).join([opening, *middle[:1], solution, *middle[1:], closing])


def _problem_thoughts(rng: Random, facts: Facts, frames: Facts) -> Text:
    """Thoughts on a worked problem: whole, cut, or their end only; alone or in front of the answer."""
    words = facts["problems"]
    problem = rng.choice(words["problem"])
    steps = problem["think"][: rng.randint(1, len(problem["think"]))]
    woven = _some(rng, words["weave"], 1, 6)
    for sentence in woven:
        steps = [*steps[: (at := rng.randint(0, len(steps)))], sentence, *steps[at:]]
    parts = [rng.choice(words["open"]).replace("{p}", problem["restate"]), *steps, *_some(rng, words["close"], 0, 2)]
    begin = rng.choice((0, 0, 0, 0, len(parts) // 2, len(parts) - 3))
    text = rng.choice((" ", " ", "\n\n")).join(parts[max(begin, 0) :])
    way = rng.choice(("alone", "cut", "cut", "answer", "answer"))
    leak = text[: rng.randint(140, 620)] if way == "cut" else text
    return leak, leak + rng.choice(JOINS) + _explained(rng, words, problem) if way == "answer" else leak


def _explained(rng: Random, words: Facts, problem: Facts) -> str:
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


def _problem_solved(rng: Random, facts: Facts, frames: Facts) -> Text:
    words = facts["problems"]
    return "", _explained(rng, words, rng.choice(words["problem"]))


def _thing(rng: Random, facts: Facts, kind: str) -> str:
    return str(rng.choice(facts["working"][kind])).replace("{thing}", rng.choice(facts["working"]["things"]))


def _announce(rng: Random, facts: Facts, frames: Facts) -> Text:
    parts = [_thing(rng, facts, "intent")] + [_thing(rng, facts, "step") for _ in range(rng.choice((0, 0, 0, 1)))]
    leak = _join(facts, parts)
    return leak, leak


def _beside_call(rng: Random, facts: Facts, frames: Facts) -> Text:
    """The same wording beside a structured call is what agents are asked to write: clean."""
    return "", _announce(rng, facts, frames)[1]


def _announce_and_answer(rng: Random, facts: Facts, frames: Facts) -> Text:
    leak = _join(
        facts, [_thing(rng, facts, "intent")] + [_thing(rng, facts, "found") for _ in range(rng.choice((0, 0, 1)))]
    )
    return leak, leak + rng.choice(JOINS) + _answer(rng, rng.choice(facts["topics"]))


def _progress(rng: Random, facts: Facts, frames: Facts) -> Text:
    steps = [_thing(rng, facts, rng.choice(("step", "step", "found"))) for _ in range(rng.randint(1, 4))]
    parts = [_thing(rng, facts, rng.choice(("intent", "step"))), *steps]
    leak = rng.choice((" ", "\n", "", "\n\n")).join(parts)
    return leak, leak + rng.choice((*JOINS, "\n\n## ", "\n\n---\n\n")) + _answer(rng, rng.choice(facts["topics"]))


def _report(rng: Random, facts: Facts, frames: Facts) -> Text:
    leak = _join(
        facts, [_thing(rng, facts, "found"), *[_thing(rng, facts, "step") for _ in range(rng.choice((0, 1, 2)))]]
    )
    if len(leak) < 20:
        raise LookupError
    return leak, leak + rng.choice(JOINS) + _clean_answer(rng, facts, frames)[1]


def _clean_answer(rng: Random, facts: Facts, frames: Facts) -> Text:
    answering, topic = facts["answering"], rng.choice(facts["topics"])
    parts = [
        *_some(rng, answering["open"], 0, 1),
        _answer(rng, topic),
        *_some(rng, answering.get("list", []), 0, 1),
        *_some(rng, answering["end"], 0, 1),
    ]
    return "", rng.choice(("\n\n", "\n\n", " ")).join(parts)


def _clean_long(rng: Random, facts: Facts, frames: Facts) -> Text:
    answering = facts["answering"]
    topics = rng.sample(facts["topics"], rng.randint(2, 3))
    body = [_answer(rng, topic) for topic in topics]
    style = rng.choice(("plain", "bold", "numbers", "headings"))
    marks = {"plain": "{1}", "bold": "**{0}.** {1}", "numbers": "{0}. {1}", "headings": "## {0}\n\n{1}"}[style]
    parts = [marks.format(place, text) for place, text in enumerate(body, 1)]
    return "", "\n\n".join([*_some(rng, answering["open"], 0, 1), *parts, *_some(rng, answering["end"], 0, 1)])


def _written(*names: str) -> Callable[[Random, Facts, Facts], Text]:
    """A kind that uses texts as they were written, alone or followed by another of the same kind or a closing line."""

    def kind(rng: Random, facts: Facts, frames: Facts) -> Text:
        answering = facts["answering"]
        texts = [text for name in names for text in answering.get(name, [])]
        parts = _some(rng, texts, 1, 2)
        parts += rng.choice(([], [], _some(rng, answering["end"], 1, 1), [rng.choice(facts["topics"])[2]]))
        filled = "\n\n".join(parts)
        for slot in ("name", "problem", "Problem"):
            words = answering.get(f"{slot.lower()}s", [""])
            word = str(rng.choice(words))
            filled = filled.replace(f"{{{slot}}}", word[:1].upper() + word[1:] if slot == "Problem" else word)
        return "", filled

    return kind


KINDS: tuple[tuple[str, str, Callable[[Random, Facts, Facts], Text]], ...] = (
    ("reasoning_leak", "thoughts-short", _short),
    ("clean", "answer", _clean_answer),
    ("preamble", "announcement", _announce),
    ("reasoning_leak", "thoughts", _trace),
    ("clean", "support", _written("support", "steps_for_user")),
    ("preamble", "announcement-answer", _announce_and_answer),
    ("reasoning_leak", "thoughts-answer", _trace_and_answer),
    ("clean", "answer-long", _clean_long),
    ("reasoning_leak", "thoughts-end", _trace_end),
    ("clean", "solution", _solution),
    ("preamble", "progress", _progress),
    ("reasoning_leak", "maths-thoughts", _maths_trace),
    ("clean", "first-person", _written("own", "steps_for_user")),
    ("reasoning_leak", "thoughts-inside", _inside),
    ("clean", "monologue", _written("monologue")),
    ("preamble", "report", _report),
    ("reasoning_leak", "notes", _notes),
    ("clean", "markup", _written("markup", "code")),
    ("reasoning_leak", "outline", _outline),
    ("clean", "work-text", _written("reports", "plain")),
    ("reasoning_leak", "thoughts-foreign", _foreign),
    ("clean", "plain", _written("plain", "own")),
    ("clean", "beside-call", _beside_call),
    ("clean", "essay", _written("essays")),
    ("clean", "essay-answer", _written("essays", "own", "plain", "reports")),
    ("reasoning_leak", "thoughts-behind", _behind),
    ("preamble", "announcement-answer", _announce_and_answer),
    ("clean", "answer", _clean_answer),
    ("clean", "solution", _solution),
    ("reasoning_leak", "problem-thoughts", _problem_thoughts),
    ("clean", "problem-solved", _problem_solved),
    ("reasoning_leak", "problem-thoughts", _problem_thoughts),
    ("reasoning_leak", "problem-thoughts", _problem_thoughts),
    ("clean", "problem-solved", _problem_solved),
    ("reasoning_leak", "problem-thoughts", _problem_thoughts),
    ("reasoning_leak", "maths-thoughts", _maths_trace),
    ("reasoning_leak", "problem-thoughts", _problem_thoughts),
)
"""(label, source, how it is put together); taken in turn."""


def write(folder: Path) -> int:
    """The number of examples written to `folder`/<language>.jsonl."""
    parts: dict[str, list[str]] = {}
    for row in compose(folder):
        parts.setdefault(row["language"], []).append(json.dumps(row, ensure_ascii=False) + "\n")
    for language, lines in parts.items():
        (folder / f"{language}.jsonl").write_text("".join(lines), "utf-8")
    return sum(map(len, parts.values()))


if __name__ == "__main__":
    sys.stdout.write(f"{write(Path(sys.argv[1]))} examples\n")
