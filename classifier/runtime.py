"""Scores of one text from a released model folder: one file, standard library only, free to be vendored.

    model = Model("models/leakrate-1.0")
    model.scores("Okay, the user wants a short answer. ...")  -> {"preamble": 0.01, "reasoning_leak": 0.99}
    model.predict("Let me check that. ...", tools="offered")  -> {"label": "preamble", "tier": "likely", ...}

The folder's contract, step by step and with every constant, is in `classifier/README.md`. Everything a text is judged by
is decided in `Extractor`, which training and batch scoring use as well. Time is linear in the part of the text that is
looked at (the first 1,200 and the last 400 code points); nothing here can backtrack.
"""

import hashlib
import json
import math
import re
import sys
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import groupby, islice, repeat
from operator import itemgetter
from pathlib import Path
from typing import Any, TypedDict

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

FORMAT = 1
LABELS = ("preamble", "reasoning_leak")
HEADS = ("preamble", "trace", "note")
"""Linear scores; a reasoning leak is the larger of the last two: thoughts at work on a problem, words about user or answer."""
TOOLS = ("unknown", "offered", "called")
TIERS = ("certain", "likely", "possible")

RAW, BODY, HEAD, START, GRAMS, TAIL, LONG = 1200, 1000, 200, 40, 400, 400, 1600
"""Code points: taken from the text, kept after normalising, four views of that, the last part of texts longer than LONG."""
SIZES = (3, 4, 5)
BUCKETS = 65536
UNIT = 10000
"""Weights of columns and the bias are integers in units of 1 / UNIT, so that sums are exact in any order."""
MULTIPLIERS = (10007, 4517, 12713, 7331, 9241)
"""Odd, and small enough that five products of 16-bit numbers stay below 2^32, so one big integer holds all windows."""
SALTS = {3: 0, 4: 21023, 5: 44111}
_LOWER = int.from_bytes(b"\xff\xff\x00\x00" * GRAMS, "little")
_SALTED = {size: int.from_bytes(salt.to_bytes(4, "little") * GRAMS, "little") for size, salt in SALTS.items()}
_FOLDED = bytes.maketrans(b'0123456789\r\t\x0b\x0c\x1c\x1d\x1e\x1f()[]*_`">', b"0000000000" + b" " * 17)
_RUNS = (("  ", " "), ("\n \n", "\n"))
"""Runs of spaces and of empty lines in ASCII texts, and what is left of them."""
_QUOTES = (("’", "'"), ("‘", "'"), ("“", " "), ("”", " "), ("«", " "), ("»", " "))


class ModelError(Exception):
    """A folder that must not be used; the sentence says what is wrong with it."""


class Prediction(TypedDict):
    """`label` is shown: None unless the tier is certain or likely. `raw_label` may also be "clean"."""

    label: str | None
    raw_label: str
    score: float
    tier: str | None
    reason: str


def normalise(text: str) -> str:
    """`text` in lower case, digits as 0, brackets, emphasis and double quotes as spaces, one space between words, " \\n "
    between lines that are not empty, and a space at both ends."""
    folded = text.encode("utf-8", "surrogatepass").translate(_FOLDED).decode("utf-8", "surrogatepass").lower()
    if folded.isascii():
        joined = f" {folded} ".replace("\n", " \n ")
        for longer, shorter in _RUNS:
            while longer in joined:
                joined = joined.replace(longer, shorter)
        return " " + joined.strip(" \n") + " "
    for quote, plain in _QUOTES:
        folded = folded.replace(quote, plain)
    lines = [" ".join(line.split()) for line in folded.split("\n")]
    return " " + " \n ".join([line for line in lines if line]) + " "


def opening_of(raw: str) -> str:
    """The normalised beginning of a stripped text, which is what phrases and n-grams are looked for in."""
    return normalise(raw[:RAW])[:BODY]


def windows(opening: str) -> list[Sequence[int]]:
    """For each of SIZES the place in the weights of every window of that many code points in the first GRAMS, in order: its bucket,
    Σ_k (code point[i + k] & 0xFFFF) · MULTIPLIERS[k], plus the size's salt, mod 65536. One big-integer product per offset."""
    lanes = int.from_bytes(opening[:GRAMS].encode("utf-32-le", "surrogatepass"), "little") & _LOWER
    length, total = min(len(opening), GRAMS), 0
    result: list[Sequence[int]] = []
    for offset, multiplier in enumerate(MULTIPLIERS):
        total += (lanes >> (32 * offset)) * multiplier
        if offset + 1 in SIZES:
            salted = total + (_SALTED[offset + 1] >> (32 * (GRAMS - length)))
            halves = array("H", salted.to_bytes(4 * length, "little"))
            if sys.byteorder == "big":
                halves.byteswap()
            result.append(halves[: 2 * max(length - offset, 0) : 2])
    return result


def places_of(opening: str) -> dict[int, set[int]]:
    """Window size → places in the weights of the windows that occur in an opening."""
    return dict(zip(SIZES, map(set, windows(opening)), strict=True))


def script_of(text: str) -> str:
    """The script group of the first 64 letters: latin, cjk, hangul, cyrillic, arabic, devanagari or other."""
    if text[:RAW].isascii():
        return "latin"
    letters = "".join(islice(filter(str.isalpha, text[:RAW]), 64))
    if letters.isascii():
        return "latin"
    scripts = list(map(_script, letters))
    return scripts[0] if 2 * scripts.count(scripts[0]) > len(scripts) else Counter(scripts).most_common(1)[0][0]


@lru_cache(maxsize=8192)
def _script(letter: str) -> str:
    point = ord(letter)
    if point < 0x250 or 0x1E00 <= point < 0x1F00:
        return "latin"
    for name, low, high in _RANGES:
        if low <= point < high:
            return name
    return "other"


_RANGES = (
    ("cyrillic", 0x400, 0x530),
    ("arabic", 0x600, 0x780),
    ("devanagari", 0x900, 0x980),
    ("hangul", 0x1100, 0x1200),
    ("cjk", 0x2E80, 0x3130),
    ("hangul", 0x3130, 0x3190),
    ("cjk", 0x3190, 0xA000),
    ("hangul", 0xAC00, 0xD7B0),
    ("cjk", 0xF900, 0xFB00),
    ("cjk", 0xFF66, 0xFFA0),
    ("cjk", 0x20000, 0x32000),
)


class Extractor:
    """What a text is judged by, from the `languages` of a model: phrase columns, shape columns, n-gram buckets."""

    def __init__(self, languages: dict[str, Any], stances: dict[str, str]) -> None:
        self.stances = stances
        self.names = {family: Names(family, stances) for family in sorted(stances)}
        self._patterns: dict[int, list[tuple[str, _Steps]]] = {}
        """First group → (family, further (gap, group)s)."""
        self.marked: list[tuple[frozenset[str], WordStarts]] = []
        """(words that show a language, its literals), of every language that must be present to be matched."""
        self.always: list[WordStarts | Anywhere] = []
        """Literals of the languages that are always matched."""
        count = 0
        anywhere: dict[str, list[int]] = {}
        for _, facts in sorted(languages.items()):
            groups = {name: count + place for place, name in enumerate(sorted(facts["groups"]))}
            count += len(groups)
            literals = _by_literal(facts["groups"], groups)
            if facts["markers"]:
                self.marked.append((frozenset(facts["markers"]), WordStarts(literals)))
            elif all(literal.startswith(" ") for literal in literals):
                self.always.append(WordStarts(literals))
            else:
                for literal, held in literals.items():
                    anywhere.setdefault(literal, []).extend(held)
            self._add_patterns(facts["patterns"], groups)
        if anywhere:
            self.always.append(Anywhere(anywhere))
        self._markers = frozenset().union(*[markers for markers, _ in self.marked])

    def _add_patterns(self, patterns: Iterable[Any], groups: dict[str, int]) -> None:
        for family, (first, *rest) in patterns:
            steps = tuple((rest[at], groups[rest[at + 1]]) for at in range(0, len(rest), 2))
            self._patterns.setdefault(groups[first], []).append((family, steps))

    def look(self, text: str, tools: str | None = None) -> tuple[set[str], dict[int, set[int]]]:
        """(names of the columns that are 1, window size → places of the windows in the first 400 normalised characters)."""
        raw = text.strip()
        opening = opening_of(raw)
        return set(self.columns(raw, opening, tools)), places_of(opening)

    def columns(self, raw: str, opening: str, tools: str | None) -> list[str]:
        """Names of the columns that are 1, each once, for a stripped text and its normalised opening."""
        columns = self.beside(raw, opening, tools, self.events)
        self._judge(self.families(self.events(opening)), columns)
        return columns

    def beside(self, raw: str, opening: str, tools: str | None, find: "Callable[[str], Events]") -> list[str]:
        """Those of the columns that the families in the opening do not decide. `find` does what `events` does."""
        columns = shape(raw, opening)
        if len(raw) > LONG:
            tail = normalise(raw[-TAIL:])[:BODY]
            columns += [self.names[family].tail for family in self.families(find(tail))]
        if tools in TOOLS[1:]:
            columns.append(f"tools@{tools}")
        return columns

    def events(self, text: str) -> "Events":
        """Group → (start, end) of every occurrence of its literals, in order, in the languages that are matched."""
        events: Events = defaultdict(list)
        for literals in self.always:
            if literals.has_ascii or not text.isascii():
                literals.find(text, events)
        for literals in self.matched(text):
            literals.find(text, events)
        return events

    def matched(self, text: str) -> "list[WordStarts]":
        """Literals of every language that has at least a third as many of its markers among the words of `text` as the language
        with the most; all languages with markers where a Latin text has none."""
        words = self._markers.intersection(text.split(" "))
        if not words:
            return [literals for _, literals in self.marked] if script_of(text) == "latin" else []
        marks = [len(words & markers) for markers, _ in self.marked]
        least = max(marks) / 3
        return [literals for count, (_, literals) in zip(marks, self.marked, strict=True) if count and count >= least]

    def families(self, events: "Events") -> dict[str, set[int]]:
        """Family → positions at which one of its patterns begins."""
        families: dict[str, set[int]] = {}
        for group in self._patterns.keys() & events:
            for family, steps in self._patterns[group]:
                if not steps:
                    begins = [start for start, _ in events[group]]
                elif steps[0][1] in events:
                    begins = _begins(events, group, steps)
                else:
                    continue
                if family in families:
                    families[family].update(begins)
                elif begins:
                    families[family] = set(begins)
        return families

    def _judge(self, families: dict[str, set[int]], columns: list[str]) -> None:
        stances: dict[str, int] = {}
        held = sorted(families)
        for place, family in enumerate(held, 1):
            names, begins = self.names[family], families[family]
            first = min(begins)
            columns += names.views[(first < HEAD) + (first < START)][min(len(begins), 8)]
            stance = self.stances[family]
            stances[stance] = stances.get(stance, 0) + 1
            pairs = names.pairs
            columns += [pairs[second] for second in held[place:]]
        for stance, count in stances.items():
            columns += [f"{stance}>={least}" for least in range(2, min(count, 10) + 1)]


class Names:
    """The columns of one family, made once."""

    def __init__(self, family: str, families: Iterable[str]) -> None:
        self.tail = f"{family}@tail"
        counts = [[f"{family}@{least}" for least in (2, 3, 5, 8) if count >= least] for count in range(9)]
        views = [f"{family}@body", f"{family}@head", f"{family}@start"]
        self.views = [[list(map(sys.intern, views[: place + 1] + held)) for held in counts] for place in range(3)]
        """Is the first beginning in the body only, in the head, at the start? → number of beginnings, at most 8 → columns."""
        self.pairs = {second: sys.intern(f"{family}+{second}") for second in families}


_Steps = tuple[tuple[int, int], ...]
Events = dict[int, list[tuple[int, int]]]


def _by_literal(held: dict[str, list[str]], groups: dict[str, int]) -> dict[str, list[int]]:
    """Literal → numbers of the groups that hold it."""
    literals: dict[str, list[int]] = {}
    for name, group in groups.items():
        for literal in held[name]:
            literals.setdefault(literal, []).append(group)
    return literals


class WordStarts:
    """Literals that begin with a space, looked for in one pass: a regular expression that is the tree of their letters, without
    repetition, so a look at a word ends after the longest literal. It is compiled when its language is first met."""

    def __init__(self, literals: dict[str, list[int]]) -> None:
        """`literals`: literal → its groups."""
        self.literals = literals
        self.has_ascii = any(map(str.isascii, literals))
        self._held = {
            literal[1:]: [
                (group, end) for end in range(2, len(literal) + 1) for group in literals.get(literal[:end], ())
            ]
            for literal in literals
        }
        """Literal without its space → (group, length) of every literal that it begins with, itself as well."""

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(f" (?=({_tree(sorted(self._held), 0)}))")

    def find(self, text: str, events: Events) -> None:
        """Adds (start, end) of every occurrence to the literal's groups, in order."""
        for longest in self._pattern.finditer(text):
            start = longest.start()
            for group, length in self._held[longest[1]]:
                events[group].append((start, start + length))


def _tree(words: list[str], depth: int) -> str:
    """Regular expression of the longest of the sorted words, which have their first `depth` letters in common, without these."""
    longer = groupby([word for word in words if len(word) > depth], key=itemgetter(depth))
    branches = [re.escape(letter) + _tree(list(held), depth + 1) for letter, held in longer]
    if len(words[0]) == depth:
        branches.append("")
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


class Anywhere:
    """Literals of scripts that put no spaces between words: looked for where their first and last two letters stand in the text."""

    def __init__(self, literals: dict[str, list[int]]) -> None:
        """`literals`: literal → its groups."""
        self.literals = literals
        self.has_ascii = True
        letters = "".join(sorted({letter for letter in "".join(literals) if not letter.isascii()}))
        self._foreign = re.compile(f"[{letters}]" if letters else "(?!)")
        self._ascii = [(literal, groups) for literal, groups in literals.items() if literal.isascii()]
        self._single = [(literal, groups) for literal, groups in literals.items() if len(literal) == 1]
        self._held: dict[int, list[tuple[int, tuple[str, list[int]]]]] = {}
        """Number of a pair of letters → (number of another pair, (literal, its groups))."""
        for literal, groups in literals.items():
            if len(literal) > 1:
                first, last = min(_pairs(literal[:2])), min(_pairs(literal[-2:]))
                self._held.setdefault(first, []).append((last, (literal, groups)))

    def find(self, text: str, events: Events) -> None:
        """Adds (start, end) of every occurrence to the literal's groups, in order."""
        candidates = self._ascii
        if not text.isascii() and self._foreign.search(text):
            pairs = _pairs(text)
            near = [self._held[pair] for pair in self._held.keys() & pairs]
            candidates = self._single + [found for held in near for last, found in held if last in pairs]
        touched: set[int] = set()
        for literal, groups in candidates:
            start = text.find(literal)
            while start >= 0:
                for group in groups:
                    events[group].append((start, start + len(literal)))
                touched.update(groups)
                start = text.find(literal, start + 1)
        for group in touched:
            events[group].sort()


def _pairs(text: str) -> set[int]:
    """Every two neighbours among the UTF-16 units of `text`, as one number."""
    units = text.encode("utf-16-le", "surrogatepass")
    behind = units[2:]
    return {*array("I", units[: len(units) & ~3]), *array("I", behind[: len(behind) & ~3])}


def _begins(events: Events, first: int, steps: _Steps) -> list[int]:
    """Starts of `first` from which every further group follows, each taken at its first start within the gap."""
    begins = []
    for start, end in events[first]:
        position: int | None = end
        for gap, group in steps:
            if position is not None:
                position = _next_end(events.get(group, ()), position, gap)
        if position is not None:
            begins.append(start)
    return begins


def _next_end(events: Sequence[tuple[int, int]], end: int, gap: int) -> int | None:
    """End of the first event that starts at most `gap` after `end`; it may share one character, the space between words."""
    at = bisect_left(events, (end - 1,))
    return events[at][1] if at < len(events) and events[at][0] <= end + gap else None


def shape(raw: str, opening: str) -> list[str]:
    """Columns of layout: how the text begins, what is in its first 1,000 characters, how its first paragraph ends."""
    body = raw[:BODY]
    columns = [name for limit, name in _LENGTHS if len(raw) < limit]
    if not body[:1].isalpha():
        columns += [name for name, marks in _BEGINS if body.startswith(marks)]
    columns += [name for letters, name, marks in _HOLDS if _held(body, letters, marks)]
    if "\n" in body:
        columns += _breaks(body)
        columns += [name for letters, name, marks in _LINES if _held(body, letters, marks)]
    if raw.endswith(("?", "？", "؟")):
        columns.append("shape:ends_asking")
    share, glued = 100 * opening.count("0"), _glued(body)
    columns += [name for least, name in _DIGITS if share > least * len(opening)]
    columns += [f"shape:glued>={least}" for least in (1, 2) if glued >= least]
    if "shape:formula" in columns:
        boxed = body.count("\\boxed")
        columns += [f"shape:boxed>={least}" for least in (1, 2) if boxed >= least]
    if not raw.isascii() and script_of(body) != script_of(raw[-120:]):
        columns.append("shape:script_changes")
    return columns


def _held(body: str, letters: str, marks: tuple[str, ...]) -> bool:
    """Is one of the marks in `body`? Each mark has one of the letters, and single letters are found faster."""
    for letter in letters:
        if letter in body:
            return any(mark in body for mark in marks)
    return False


def _breaks(body: str) -> list[str]:
    """Columns of how the first line and the first paragraph end and what follows."""
    columns = []
    paragraph, _, rest = body.partition("\n\n")
    line, _, more = body.partition("\n")
    if rest and len(paragraph) < 250:
        columns.append("shape:short_paragraph_first")
        if paragraph.endswith((":", "：", "…", "...")):
            columns.append("shape:paragraph_ends_open")
        if rest.startswith(("#", "**", "|", "-", "1.", "{", "```", "---")):
            columns.append("shape:paragraph_then_layout")
    if more and line.endswith((":", "：")):
        columns.append("shape:line_ends_open")
    if all(line.startswith(_ITEMS) for line in body.split("\n") if line):
        columns.append("shape:list_only")
    return columns


_LENGTHS = tuple((limit, f"shape:length<{limit}") for limit in (40, 100, 250, 600, 1500))
_DIGITS = tuple((least, f"shape:digits>{least}%") for least in (5, 15, 30))
_ITEMS = ("- ", "* ", "• ", "・", "|", "> ", '"', *[f"{number}{mark}" for number in range(1, 21) for mark in ".)"])
"""Beginnings of the lines of a list."""
_BEGINS = (
    ("shape:begins_list", ("- ", "* ", "• ", "1.", "1)", "・")),
    ("shape:begins_heading", "#"),
    ("shape:begins_bold", "**"),
    ("shape:begins_quote", ('"', "'", "“", "「", "『", "«", "„", ">", "‘")),
    ("shape:begins_code", ("```", "{", "[", "<", "|", "$", "\\")),
    ("shape:begins_digit", tuple("0123456789")),
)
_HOLDS = (
    ("<>:", "shape:tags", ("think>", "<|", "thought:", "Thought:", "thinking>", "reasoning>")),
    ("`", "shape:code", ("```",)),
    ("*", "shape:bold", ("**",)),
    ("\\$", "shape:formula", ("\\(", "\\[", "$$", "\\frac", "\\boxed")),
)
_LINES = (
    ("|", "shape:table", ("\n|",)),
    ("#", "shape:heading", ("\n#",)),
    ("-*.•・", "shape:list", ("\n- ", "\n* ", "\n1.", "\n2.", "\n• ", "\n・")),
    ('-—“"「', "shape:dialogue", ("\n—", "\n- «", "\n“", '\n"', "\n「")),
)
_STOP = re.compile(r"[.!?:](?=[^\s.,!?:)])")


def _glued(text: str) -> int:
    """Places where a sentence ends and the next begins without a space, as when two messages were joined."""
    count = 0
    for stop in _STOP.finditer(text, 1):
        at = stop.start()
        count += text[at - 1].islower() and (text[at + 1].isupper() or text[at + 1] in "#*")
    return count


class Model:
    """A released model folder, verified when it is opened. Holds no state that scoring changes."""

    def __init__(self, folder: str | Path, *, vectors: bool = numpy is not None) -> None:
        """ModelError when the folder must not be used. `vectors`: with numpy, which is faster and gives the same numbers."""
        self.folder = Path(folder)
        self.facts = _verified(self.folder)
        self.version: str = self.facts["version"]
        self.extractor = Extractor(self.facts["languages"], self.facts["stances"])
        self.weights: dict[str, list[int]] = self.facts["columns"]
        self.data = (self.folder / "weights.bin").read_bytes()
        self._grams = [
            bytes([byte ^ 0x80 for byte in self.data[at : at + BUCKETS]]) for at in range(0, len(self.data), BUCKETS)
        ]
        """Head → weight of each place + 128: bytes stay in the cache, lists of numbers do not."""
        self._packed = packed(self.data) if vectors else None
        self._columns = {sys.intern(name): _pack(held) for name, held in self.weights.items()}

    def scores(self, text: str, tools: str | None = None) -> dict[str, float]:
        """Label → calibrated probability; 0.0 for texts below the model's minimum length. `tools`: offered, called, unknown."""
        if len(text.strip()) < self.facts["minimum_length"]:
            return dict.fromkeys(LABELS, 0.0)
        return self._judged(text, tools)[0]

    def predict(self, text: str, tools: str | None = None) -> Prediction:
        """The judgement of one text: what is shown, what was measured, and why the two differ."""
        if len(text.strip()) < self.facts["minimum_length"]:
            return Prediction(
                label=None, raw_label="clean", score=0.0, tier=None, reason="shorter than the minimum length"
            )
        scores, columns = self._judged(text, tools)
        tiers = {label: self.tier(label, scores[label], script_of(text)) for label in LABELS}
        rank = {tier: place for place, tier in enumerate((*TIERS, None))}
        label = min(LABELS, key=lambda name: (rank[tiers[name]], -scores[name]))
        tier = tiers[label]
        return Prediction(
            label=label if tier in TIERS[:2] else None,
            raw_label=label if tier or scores[label] >= 0.5 else "clean",
            score=scores[label],
            tier=tier,
            reason=self._reason(label, columns, tier),
        )

    def tier(self, label: str, score: float, script: str) -> str | None:
        """The highest tier whose threshold `score` reaches in this script group; None below all."""
        thresholds = self.facts["thresholds"][label]
        limits = thresholds.get(script, thresholds["other"])
        return next((tier for tier in TIERS if score >= limits[tier]), None)

    def _judged(self, text: str, tools: str | None) -> tuple[dict[str, float], list[str]]:
        """(label → probability, names of the columns that are 1)."""
        raw = text.strip()
        opening = opening_of(raw)
        columns = self.extractor.columns(raw, opening, tools)
        if self._packed is None or len(opening) < max(SIZES):
            wording, present = self._sums(opening)
        else:
            wording, present = _vector_sums(self._packed, opening)
        return self.probabilities(self.stance(columns), wording, present), columns

    def _sums(self, opening: str) -> tuple[list[int], int]:
        """(for each head the sum of the weights of the n-grams present, number of these), in the standard library."""
        places: list[int] = []
        for found in windows(opening):
            places += set(found)
        if len(places) < 2:
            return [sum([weights[place] - 128 for place in places]) for weights in self._grams], len(places)
        pick = itemgetter(*places)
        return [sum(pick(weights)) - 128 * len(places) for weights in self._grams], len(places)

    def stance(self, columns: Iterable[str]) -> list[int]:
        """Sum of the columns' weights for each head, in units of 1 / UNIT; columns that the model does not know count nothing."""
        known = self._columns
        return _unpack(sum(map(known.get, columns, repeat(0))))

    def probabilities(self, stance: Sequence[int], wording: Sequence[int], present: int) -> dict[str, float]:
        """Label → probability, from the heads' sums of column weights and n-gram weights and the number of n-grams present."""
        norm, bias = self.facts["gram_scale"] / math.sqrt(max(present, 1)), self.facts["bias"]
        margins = [(bias[place] + stance[place]) / UNIT + norm * wording[place] for place in range(len(HEADS))]
        result = {}
        for label, margin in zip(LABELS, (margins[0], max(margins[1:])), strict=True):
            slope, shift = self.facts["calibration"][label]
            result[label] = _sigmoid(slope * margin + shift)
        return result

    def _reason(self, label: str, columns: Iterable[str], tier: str | None) -> str:
        places = (0,) if label == LABELS[0] else (1, 2)
        votes = sorted(
            ((max(map(self.weights[name].__getitem__, places)), name) for name in self.weights.keys() & columns),
            reverse=True,
        )
        names = ", ".join(name for weight, name in votes[:3] if weight > 0) or "wording only"
        return names if tier in TIERS[:2] else f"below the likely threshold; {names}"


def _vector_sums(weights: "Vector", opening: str) -> tuple[list[int], int]:
    """The same as `Model._sums`, in numpy; `opening` has at least as many code points as the longest window."""
    points = numpy.frombuffer(opening[:GRAMS].encode("utf-32-le", "surrogatepass"), "<u2")[::2]
    total: Vector = points * _FACTORS[0]
    found: list[Vector] = [_LAST]
    for offset in range(1, max(SIZES)):
        total = total[:-1] + points[offset:] * _FACTORS[offset]
        if offset + 1 in SIZES:
            found.append(total + _KEYS[offset + 1])
    keys = numpy.concatenate(found)
    keys.sort()
    places = keys[:-1][keys[1:] != keys[:-1]] & _PLACE
    return unpacked(int(weights[places].sum()), len(places)), len(places)


if numpy:
    Vector = numpy.ndarray[Any, Any]
    _FACTORS = [numpy.uint16(multiplier) for multiplier in MULTIPLIERS]
    _KEYS = {size: numpy.uint32(SALTS[size] + (size << 17)) for size in SIZES}
    """Added to buckets: the salt, and above the place, which is the lower 16 bits, what keeps the sizes apart."""
    _PLACE, _LAST = numpy.uint32(BUCKETS - 1), numpy.array([(1 << 32) - 1], dtype=numpy.uint32)


_LANE = 20
"""Width of one head's sum of n-gram weights, 128 added to each, in one 64-bit number."""


def packed(data: bytes) -> "Vector":
    """Place → the weights of all heads in one number."""
    heads = numpy.frombuffer(data, numpy.int8).reshape(len(HEADS), BUCKETS).astype(numpy.int64) + 128
    lanes: Vector = heads << (_LANE * numpy.arange(len(HEADS))[:, None])
    return lanes.sum(axis=0)  # type: ignore[no-any-return]


def unpacked(total: int, count: int) -> list[int]:
    """For each head the sum of its weights, from the sum of `count` packed ones."""
    return [((total >> (_LANE * place)) & ((1 << _LANE) - 1)) - 128 * count for place in range(len(HEADS))]


_BITS = 40
"""Width of one head's sum of columns."""


def _pack(values: Sequence[int]) -> int:
    """The heads' weights in one integer, so that all heads are added up at once."""
    return sum(value << (_BITS * place) for place, value in enumerate(values))


def _unpack(total: int) -> list[int]:
    values = []
    for _ in HEADS:
        value = ((total + (1 << (_BITS - 1))) & ((1 << _BITS) - 1)) - (1 << (_BITS - 1))
        values.append(value)
        total = (total - value) >> _BITS
    return values


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def _verified(folder: Path) -> dict[str, Any]:
    """model.json of a folder whose files are all there and unchanged; ModelError with one sentence otherwise."""
    try:
        data = (folder / "model.json").read_bytes()
    except OSError:
        raise ModelError(f"{folder}: model.json is missing or cannot be read") from None
    try:
        facts = json.loads(data)
        version, checksums = facts["format"], dict(facts["checksums"])
    except (ValueError, KeyError, TypeError):
        raise ModelError(f"{folder}: model.json is not the description of a model") from None
    if version != FORMAT:
        raise ModelError(f"{folder}: model format {version} is not supported, only {FORMAT}; use a newer leakrate")
    own = str(checksums.pop("model.json", "")).encode()
    if hashlib.sha256(data.replace(own, b"0" * 64, 1) if len(own) == 64 else b"").hexdigest().encode() != own:
        raise ModelError(f"{folder}: model.json was changed, its checksum does not fit")
    for name, expected in checksums.items():
        try:
            actual = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError:
            raise ModelError(f"{folder}: {name} is missing or cannot be read") from None
        if actual != expected:
            raise ModelError(f"{folder}: {name} was changed, its checksum does not fit")
    return dict(facts)
