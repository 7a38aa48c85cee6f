"""Passages of an answer that read like thoughts, by opening sentence, stance and language: in front, within and behind."""

from dataclasses import dataclass
from functools import lru_cache

import ahocorasick_rs
import re2

from pipelines.rules.planned import begins_with_steps, last_step
from pipelines.rules.rule import Turn, once, opening_of
from pipelines.rules.views import intent
from pipelines.rules.views.script import fold, language_of, script_of
from pipelines.rules.views.sentences import Line, words_of
from pipelines.rules.wording import ASIDES, FAR_ASIDES, OPENINGS, patterns_of

_OPENINGS = ahocorasick_rs.AhoCorasick(OPENINGS)

ENOUGH = 3.0
"""From this score on a passage counts as thoughts: a remark on the asker or a plan, and a word beside it."""
_WEIGHTS = {"asker": 2.5, "plan": 2.0, "task": 2.0, "talk": 1.0, "check": 1.0}
_SENTENCE_LIMIT = 400
_GAP = 2
"""So many lines without a phrase may stand between two lines of thoughts."""
_FIRST_LINE = 200
_LAST_SAID = 2000
_RESTATED = 0.6
_SHORT_QUESTION = 60
_ADDRESSES = re2.compile(
    r"(?i)\b(?:you|your|vous|usted|voce|lei|sie|du|ihnen|jij|u)\b|您|你|니까|세요|ますか|ですか|вы"
)
"""A question to the reader is none to oneself."""
_SPEAKS_TO = re2.compile(
    r"(?i)\b(?:you|your|vous|votre|usted|voce|ihnen|ihr)\b|您|你|당신|(?:^|\s)(?:вы|вам|вас)(?:\s|$)|आप"
)
"""Who speaks to the reader does not plan what to say."""
_SIGNS = re2.compile(r"^[\pS\pM*_#>\-•\"'“„«(\[ \t\x{200d}]+")
"""Emphasis, quotation marks, bullets and pictures in front of a sentence are no part of it."""
_GERUND = re2.compile(r"(?i)^(?:okay, |ok, |alright, |sure, |now |currently |still |just )*[a-z]+(?:ing|ando|endo)\b")
_SUBORDINATE = re2.compile(r"(?i)\b(?:what|that|which|whether|if|when|who|where|how|que|quien|como|se|qual)\b")
_FINITE = re2.compile(
    r"(?i)\b(?:is|are|was|were|has|have|had|can|will|would|should|may|might|must|does|do|did|requires?|"
    r"takes?|helps?|makes?|means?|becomes?|works?|"
    r"involves?|gives?|leads?|lets|allows?|es|son|esta|estan|fue|puede|requiere|ayuda|sao|foi|pode|requer"
    r"|ajuda)\b|, (?:the|a|an|it|we|you|this|that|"
    r"these|there|two|three|your|my|el|la|los|las|o|os|as)\b"
)
"""A sentence that begins with a participle and has a finite verb of its own speaks of something else."""
_POLITE = re2.compile(
    r"(?:です|ます|ください|ました|ません|でしょう|니다|세요|어요|아요|예요|이에요|해요)[。.!?！？]?$"
)
_PLAIN = re2.compile(r"(?:[るただいうかよ]|だ|ない|けど|다|자|나|지|까)[。.?？]$")


@dataclass(frozen=True, slots=True)
class Passage:
    """`content[start:end]` and what speaks for it; `answered`: other text stands beside it; `whole`: every line of it has a phrase."""

    start: int
    end: int
    score: float
    kinds: frozenset[str]
    answered: bool
    whole: bool


def kinds_of(text: str) -> frozenset[str]:
    """The kinds of phrases in one sentence: asker, plan, talk, check, progress, report."""
    return _kinds_of(text[:_SENTENCE_LIMIT])


@lru_cache(maxsize=1024)
def _kinds_of(text: str) -> frozenset[str]:
    """Several rules ask for the same sentence, mostly one behind the other."""
    sentence = fold(_SIGNS.sub("", text, count=1))
    patterns = patterns_of(script_of(sentence))
    kinds = frozenset(kind for kind, pattern in patterns.items() if pattern.search(sentence))
    if _SPEAKS_TO.search(sentence) and "asker" not in kinds:
        kinds -= {"plan", "task", "check"}
    if len(sentence) <= _SHORT_QUESTION and sentence.endswith("?") and not _ADDRESSES.search(sentence):
        kinds |= {"check"}
    if "progress" in kinds and _GERUND.search(sentence) and _FINITE.search(_SUBORDINATE.split(sentence, maxsplit=1)[0]):
        kinds -= {"progress"}
    return kinds


@once
def opens_like_a_candidate(turn: Turn) -> bool:
    """Whether one of OPENINGS stands in the opening."""
    return bool(_OPENINGS.find_matches_as_indexes(opening_of(turn.content)))


@once
def lead(turn: Turn) -> Passage | None:
    """Thoughts with which the answer begins, None where too little speaks for them."""
    content = turn.content
    if not opens_like_a_candidate(turn) or not _begins_like_thoughts(content, turn.opening_lines[:1]) or turn.blocks:
        return None
    lines = turn.lines
    step = last_step(content, lines)
    if step is not None:
        end = lines[step].end
        return Passage(lines[0].start, end, ENOUGH + 3, frozenset({"plan", "steps"}), bool(content[end:].strip()), True)
    if not _begins_with_a_phrase(content, lines[0]):
        return None
    weights = _weights(turn)
    last, score, kinds, whole = _extent(content, lines, weights)
    end = _end(turn, lines, last)
    rest = content[end:].strip()
    stance = _stance(turn, content[lines[0].start : end], rest)
    score += stance
    if _is_restated(content[lines[0].start : end], rest.split("\n", 1)[0]):
        score, kinds = score + 1, kinds | {"restated"}
    if not kinds & {"asker", "plan", "task"} and (
        "talk" not in kinds_of(content[lines[0].start : lines[0].sentences[0].end])
        or (not stance and _SPEAKS_TO.search(fold(content[lines[0].start : end])))
    ):
        return None
    return Passage(lines[0].start, end, score, kinds, bool(rest), whole) if score >= ENOUGH else None


@once
def asides(turn: Turn) -> list[Passage]:
    """Thoughts within or behind the answer: lines with a word of self-talk, or in another script, that score high enough."""
    content = turn.content
    opening = opening_of(content)
    if not any(literal in opening for literal in ASIDES) and not any(literal in content for literal in FAR_ASIDES):
        return []
    lines = turn.lines
    found: list[Passage] = []
    weights = _weights(turn)
    language = language_of(content[lines[0].start : lines[0].end]) if lines else None
    for line in lines[1:]:
        score, kinds = _score(content, line, weights)
        spoken = content[line.start : line.end]
        if kinds and language and language_of(spoken) not in (None, language):
            score += 2
        if score >= (ENOUGH if not found else ENOUGH - 1) and kinds & {"talk", "asker"}:
            found.append(Passage(line.start, line.end, score, kinds, True, True))
    return [passage for passage in found if not _belongs_to_others(turn, passage)]


def excuse(turn: Turn, passage: Passage) -> str | None:
    """Why a passage is no leak although it reads like thoughts: what the request asked for; None: nothing excuses it."""
    planned = {"plan", "restated"} <= passage.kinds and passage.score >= ENOUGH + 2
    strong = planned or not passage.kinds.isdisjoint({"asker", "steps"})
    if intent.opening_was_given(turn.content, turn.asked):
        return "requested_opening"
    if intent.asks_for_reasoning(turn.asked) and "asker" not in passage.kinds:
        return "requested_reasoning"
    if strong:
        return None
    if turn.creative or intent.asks_for_a_voice(turn.last_user):
        return "creative"
    if intent.asks_for_message(turn.last_user):
        return "requested_message"
    translated = intent.asks_for_translation(turn.last_user) and "restated" not in passage.kinds
    return "requested_translation" if translated else None


def _weights(turn: Turn) -> dict[str, float]:
    """A text about a conversation speaks of the asker by right."""
    return {**_WEIGHTS, "asker": 0.0, "plan": 1.0} if intent.asks_about_a_chat(turn.last_user) else _WEIGHTS


def _belongs_to_others(turn: Turn, passage: Passage) -> bool:
    """Quoted, told back from the request, or in a block with markers, which has a rule of its own."""
    first = turn.content[passage.start : passage.start + 40]
    quoted = turn.quotes.cover(passage.start + 1, passage.start + 20)
    marked = any(block.start < passage.end and passage.start < block.end for block in turn.blocks)
    return quoted or marked or first in turn.given_text


def _end(turn: Turn, lines: tuple[Line, ...], last: int) -> int:
    """Where a lead ends: with its line, or with its last phrase where no line follows, or with a text cut by length."""
    if turn.content[lines[last].end :].strip():
        return lines[last].end
    return lines[last].end if turn.record.finish_reason == "length" else _last_phrase(turn.content, lines[last])


def _begins_like_thoughts(content: str, first: tuple[Line, ...]) -> bool:
    return any(
        begins_with_steps(content[line.start : line.end]) or _begins_with_a_phrase(content, line) for line in first
    )


def _begins_with_a_phrase(content: str, line: Line) -> bool:
    return any(kinds_of(content[sentence.start : sentence.end]) & _WEIGHTS.keys() for sentence in line.sentences[:3])


def _score(content: str, line: Line, weights: dict[str, float]) -> tuple[float, frozenset[str]]:
    """Each kind counts at most twice a line."""
    counts = dict.fromkeys(_WEIGHTS, 0)
    for sentence in line.sentences:
        for kind in kinds_of(content[sentence.start : sentence.end]) & _WEIGHTS.keys():
            counts[kind] += 1
    score = sum(min(count, 2) * weights[kind] for kind, count in counts.items())
    return score, frozenset(kind for kind, count in counts.items() if count)


def _extent(
    content: str, lines: tuple[Line, ...], weights: dict[str, float]
) -> tuple[int, float, frozenset[str], bool]:
    """Index of the last line of the lead, its score, its kinds, and whether every line of it has a phrase."""
    score, kinds = _score(content, lines[0], weights)
    last = 0
    gaps = False
    for index, line in enumerate(lines[1:], start=1):
        if index - last > _GAP + 1:
            break
        more, further = _score(content, line, weights)
        if more >= 2 and further & {"asker", "plan", "task", "talk"}:
            gaps = gaps or index - last > 1
            score, kinds, last = score + more, kinds | further, index
    return last, score, kinds, not gaps


def _last_phrase(content: str, line: Line) -> int:
    """End of the last sentence of the line with a phrase in it."""
    ends = [
        sentence.end
        for sentence in line.sentences
        if kinds_of(content[sentence.start : sentence.end]) & _WEIGHTS.keys()
    ]
    return max(ends, default=line.end)


def _stance(turn: Turn, passage: str, rest: str) -> float:
    """Points for another language than the asker's and for plain style before polite style."""
    points = 0.0
    language, asked, told = language_of(passage), language_of(turn.last_user), language_of(rest)
    if language and (asked or told) and language not in (asked, told) and rest:
        points += 2
    first = rest.split("\n", 1)[0].rstrip()
    if _PLAIN.search(passage.rstrip()) and _POLITE.search(first):
        points += 1
    return points


def _is_restated(passage: str, answer: str) -> bool:
    """Whether most of the answer's first line was said in the passage: words and numbers, or pairs of signs where no spaces are."""
    told, words = _pieces(words_of(answer[:_FIRST_LINE].lower())), words_of(passage[-_LAST_SAID:].lower())
    said = _pieces(words) | set(words)
    return bool(told) and len(told & said) >= _RESTATED * len(told)


def _pieces(words: list[str]) -> set[str]:
    pairs = {word[at : at + 2] for word in words if word[0] >= "\u2e80" for at in range(len(word) - 1)}
    return pairs | {word for word in words if word[0] < "\u2e80" and (len(word) > 3 or word.isdigit())} or set(words)
