"""Conversations of the Responses API: each turn names the response before it, so the chain is followed back to its first turn."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipelines import store
from pipelines.finish.staged import staged_turns
from pipelines.job import Ledger

LINKS = pa.schema([pa.field("named", pa.uint64()), pa.field("root", pa.uint64())])
_CHAIN = "response_chain"


def links_uri(work: str) -> str:
    return store.join(work, "links.arrow")


def write_links(work: str, ledger: Ledger) -> None:
    """For each hash by which a turn names an earlier response: the conversation in which the chain began."""
    shards = [shard for shard in ledger.shards if shard.chained]
    links = LINKS.empty_table()
    if shards:
        turns = staged_turns(work, shards, ["response", "conversation"])
        turns = turns.filter(turns["response"].is_valid())
        links = followed(dict(zip(turns["response"].to_pylist(), turns["conversation"].to_pylist(), strict=True)))
    store.write_stream(links_uri(work), LINKS, links.to_batches())


def followed(conversation_of: dict[int, int]) -> pa.Table:
    """LINKS of a map from each response to what it names. Responses that name each other in a circle have its smallest as root."""
    named = sorted(conversation_of)
    root_of: dict[int, int] = {}
    for start in named:
        passed: dict[int, int] = {}
        at = start
        while at in conversation_of and at not in root_of and at not in passed:
            passed[at] = len(passed)
            at = conversation_of[at]
        root = min(list(passed)[passed[at] :]) if at in passed else root_of.get(at, at)
        root_of.update(dict.fromkeys(passed, root))
    roots = pa.array([root_of[name] for name in named], pa.uint64())
    return pa.table({"named": pa.array(named, pa.uint64()), "root": roots}, schema=LINKS)


def follow(turns: pa.Table, links: pa.Table) -> pa.Table:
    """The turns with each chain's conversation replaced by the one in which it began."""
    if not len(links):
        return turns
    named: npt.NDArray[np.uint64] = links["named"].to_numpy()
    keys = turns["conversation"].to_numpy().copy()
    chained = np.array([name == _CHAIN for name in turns["conversation_source"].to_pylist()], np.bool_)
    place = np.minimum(np.searchsorted(named, keys), len(named) - 1)
    known = chained & (named[place] == keys)
    keys[known] = links["root"].to_numpy()[place[known]]
    index = turns.schema.get_field_index("conversation")
    return turns.set_column(index, turns.schema.field(index), pa.array(keys, pa.uint64()))
