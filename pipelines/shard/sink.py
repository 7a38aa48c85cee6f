"""The rows and counts of one shard, item by item: turns judged, findings, rejects, and what coverage has to add up."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from pipelines import detect
from pipelines.deployments import Deployments
from pipelines.detect import Judgement
from pipelines.formats.format import Light, Outcome, Place, Rejected, Skipped, opening
from pipelines.ingest.openings import opening_text
from pipelines.job import Options, Piece
from pipelines.lend import Lent
from pipelines.rules.rule import Turn
from pipelines.schema import UNKNOWN, Record
from pipelines.shard.columns import DetectionRows, RejectRows, TurnRows
from pipelines.shard.cuts import SCRIPT_CHARACTERS, script
from pipelines.shard.evidence import evidence
from pipelines.shard.keys import conversation_key, request_key, response_key, turn_key
from pipelines.shard.profiles import Profile, Profiles
from pipelines.shard.suspects import TOGETHER, Waiting, measures, suspect

_MOST_TOKENS = (1 << 31) - 1


class ShardSink:
    """What one shard has yielded so far. Every item is counted once: accepted, blank, rejected, duplicate or skipped."""

    def __init__(self, options: Options, deployments: Deployments) -> None:
        self._options = options
        self.piece = Piece("", "empty", UNKNOWN)
        """The piece that is being read."""
        self.lent: Lent | None = None
        """What engine logs and access logs know of the turns."""
        self.profiles = Profiles(options, deployments)
        self.turns = TurnRows(len(measures(options.model)))
        self._waiting: list[Waiting] = []
        self.detections = DetectionRows()
        self.rejects = RejectRows()
        self.coverage: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.items = 0
        self.rows = 0
        self.chained = 0

    def admit(self, light: Light) -> Profile | None:
        if self.lent is None:
            profile = self.profiles.of_light(light, _script(light.content))
        else:
            self.lent.complete(light.record)
            profile = self.profiles.of(light.record, _script(light.content))
        return profile if profile.silent is not None or profile.outside is not None else None

    def silent(self, light: Light, token: object) -> None:
        assert isinstance(token, Profile)
        self.items += 1
        count = self.coverage[self.piece.uri, light.base.format]
        if token.bits is None or self.lent is not None:
            self._less_silent(light, token, count)
            return
        count["items"] += 1
        count["accepted"] += 1
        key = turn_key(light.call_id, light.choice, "")
        self.turns.add(
            self.piece.uri,
            token.number,
            token.bits,
            key,
            conversation_key(light.conversation, light.conversation_source, key),
            request_key(light.request),
            light.source_pos,
            light.choice,
            light.time,
            light.position,
            _tokens(light.usage.output),
            _tokens(light.usage.reasoning),
            0,
            self.items,
            None,
        )
        self.rows += 1

    def _less_silent(self, light: Light, profile: Profile, count: Counter[str]) -> None:
        kept = profile.silent is not None and profile.outside is None
        self._count_item(count, kept=kept, outside=profile.outside)
        if profile.silent is not None and kept:
            self._turn(light.record, profile, profile.silent, turn=None, item=self.items)

    def blank(self, position: int) -> None:
        count = self.coverage[self.piece.uri, self.piece.format]
        count["items"] += 1
        count["blank"] += 1
        self.items += 1

    def outcomes(self, position: int, outcomes: Iterable[Outcome]) -> None:
        self.place_outcomes(Place(self.piece.uri, position), list(outcomes), self.piece.format)

    def place_outcomes(self, place: Place, outcomes: list[Outcome], format_name: str) -> None:
        """Count one item at a place and keep what it yielded; `format_name` is that of an item without a record."""
        self.items += 1
        records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
        count = self.coverage[place.uri, records[0].format if records else format_name]
        kept, outside = False, None
        for record in records:
            if self.lent is not None:
                self.lent.complete(record)
            profile = self.profiles.of(record, script(record.content or ""))
            if profile.outside is not None:
                outside = profile.outside
                continue
            kept = True
            turn = Turn(record, profile.family, profile.identity)
            self._judged(Waiting(record, profile, detect.judge(turn), turn, self.items))
        others = [outcome for outcome in outcomes if not isinstance(outcome, Record)]
        for other in others:
            if isinstance(other, Rejected):
                count[f"rejected.{other.code}"] += 1
                self.rejects.add(place.uri, place.position, "ingest", other)
        self._count_item(count, kept=kept, outside=outside, others=others)

    def _judged(self, judged: Waiting) -> None:
        if self._options.model is None:
            self._turn(judged.record, judged.profile, judged.judgement, turn=judged.turn, item=judged.item)
            return
        self._waiting.append(judged)
        if len(self._waiting) >= TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Show the classifier, if there is one, the turns that still wait for it."""
        if self._options.model is not None and self._waiting:
            suspect(self._waiting, self._options.model)
            for judged in self._waiting:
                self._turn(judged.record, judged.profile, judged.judgement, turn=judged.turn, item=judged.item)
            self._waiting.clear()

    def _count_item(
        self, count: Counter[str], *, kept: bool, outside: str | None, others: Iterable[Rejected | Skipped] = ()
    ) -> None:
        count["items"] += 1
        if kept:
            count["accepted"] += 1
            return
        if any(isinstance(other, Rejected) for other in others):
            count["rejected"] += 1
            return
        reason = outside or next((other.reason for other in others if isinstance(other, Skipped)), "empty")
        if reason == "duplicate":
            count["duplicate"] += 1
            return
        count["skipped"] += 1
        count[f"skipped.{reason}"] += 1
        if outside is not None:
            count[outside] += 1

    def _turn(self, record: Record, profile: Profile, judgement: Judgement, *, turn: Turn | None, item: int) -> None:
        call, choice, usage = record.call_id, record.choice, record.usage
        place = f"{record.source_uri}\0{self.piece.start}\0{record.source_pos}" if call is None else ""
        response = response_key(record.api, record.response_id)
        key = turn_key(call, choice, place)
        self.chained += response is not None
        if judgement.says_more:
            self._say(record, profile, judgement, turn=turn or Turn(record, profile.family, profile.identity), key=key)
        self.turns.add(
            record.source_uri,
            profile.number,
            judgement.bits,
            key,
            conversation_key(record.conversation, record.conversation_source, key),
            request_key(record.trace_id or call or place),
            record.source_pos,
            choice,
            record.time,
            record.position,
            _tokens(usage.output),
            _tokens(usage.reasoning),
            sum(done.extra_tokens for done in record.remediation),
            item,
            response,
        )
        self.rows += 1

    def _say(self, record: Record, profile: Profile, judgement: Judgement, *, turn: Turn, key: int) -> None:
        for finding in judgement.findings:
            text = evidence(finding, turn, self._options.evidence)
            self.detections.add(record, profile, finding, (self.rows, key, text))
        count = self.coverage[record.source_uri, record.format]
        for reason, times in judgement.excluded.items():
            count[f"excluded.{reason}"] += times
        for rule, error in judgement.failures:
            count[f"rejected.rule.{rule}"] += 1
            self.rejects.add(record.source_uri, record.source_pos, "detect", Rejected(f"rule.{rule}", error))


def _tokens(count: int | None) -> int | None:
    return count if count is None or 0 <= count <= _MOST_TOKENS else max(0, min(count, _MOST_TOKENS))


_LETTER = re.compile(rb"(?<!\\)[A-Za-z]")


def _script(content: bytes) -> str:
    """The writing system of a raw JSON string."""
    if content[:1] != b'"':
        return "none"
    start = content[1 : 1 + 2 * SCRIPT_CHARACTERS]
    if start.isascii() and b"\\u" not in start and _LETTER.search(start, 0, SCRIPT_CHARACTERS):
        return "latin"
    return script(opening_text(opening(content)))
