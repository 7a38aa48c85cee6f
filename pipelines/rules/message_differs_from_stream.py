"""The assembled message lost, doubled or changed text that the stream holds.

Catches: text of the chunks that the message lacks (also where both fields came in one chunk and an if/elif reader dropped one), text that
stands twice or in another order in the message.
Why it matters: the model answered right, and the user reads something else.
Misses: rows without chunks.
False alarms: gateways that rewrite texts on purpose without saying so.
Likely layers: client, gateway.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.deltas import difference, is_evidence
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Delta, Record


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The place of the joined stream that the message lacks or has otherwise."""
    found = difference(turn)
    if found is not None:
        yield Span(found.start, found.end, confidence=0.99 if found.mixed else 0.95)


def wants_chunks(record: Record) -> bool:
    return record.chunks is not None and is_evidence(record)


_MIXED = (
    Delta(reasoning="Sein Lied."),
    Delta(reasoning=" Nun.", content="Schu"),
    Delta(content="bert schrieb es."),
    Delta(finish_reason="stop"),
)
_PLAIN = (Delta(content="One. "), Delta(content="Two. "), Delta(content="Three."))

RULE = Rule(
    id="message-differs-from-stream",
    version=1,
    status="stable",
    tier="rule",
    symptom="stream_loss",
    find=find,
    eligible=denominators.stream_is_logged,
    wants=wants_chunks,
    channel="stream",
    repair="rescue",
    layers=("client", "gateway"),
    action="Read reasoning and content of each chunk independently, never with elif; keep a test that compares the "
    "assembled message with the chunks.",
    verify="Look for chunks with both fields set in the chunk log.",
    doc=__doc__,
    leaks=(
        leak("both fields in one chunk", answer("bert schrieb es.", reasoning="Sein Lied. Nun.", chunks=_MIXED)),
        leak("a sentence in the middle is lost", answer("One. Three.", chunks=_PLAIN)),
        leak("the end stands twice", answer("One. Two. Three.Three.", chunks=_PLAIN)),
    ),
    clean=(
        clean("equal", answer("One. Two. Three.", chunks=_PLAIN)),
        clean("white space at the ends", answer("One. Two. Three.", chunks=(Delta(content="\n\n"), *_PLAIN))),
        clean(
            "both fields in one chunk, and nothing is lost",
            answer("Schubert schrieb es.", reasoning="Sein Lied. Nun.", chunks=_MIXED),
        ),
        clean("cut at a stop string", answer("One. Two.", chunks=_PLAIN, stop=("Three",))),
        clean("joined by us", answer("One. Three.", chunks=_PLAIN, assembled_by="us")),
    ),
)
