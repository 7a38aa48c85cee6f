"""Profiles: copies of one base record have the profile that the whole record has, whatever they differ in."""

import json
from pathlib import Path

import pytest

from pipelines.deployments import Deployments
from pipelines.formats.litellm.payload import FORMAT
from pipelines.job import Options
from pipelines.schema import Record
from pipelines.shard.profiles import Profiles
from tests import gateway_rows

CHANGES: dict[str, dict[str, object]] = {
    "plain": {},
    "another answer": {"content": None},
    "another conversation": {"session": "s"},
    "another day": {"startTime": gateway_rows.START + 200_000},
    "a stream": {"stream": True},
    "another model": {"model_group": "other"},
    "after a tool": {"messages": [{"role": "user", "content": "a"}, {"role": "tool", "content": "b"}]},
    "a later turn": {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
    "reasoning sent back": {"messages": [{"role": "assistant", "content": "b", "reasoning_content": "c"}]},
}


def test_light_records_have_the_profile_of_the_whole_record() -> None:
    quick, whole = (Profiles(Options(work=""), Deployments()) for _ in range(2))
    for number, changes in enumerate(list(CHANGES.values()) * 2):
        assert FORMAT.light is not None
        light = FORMAT.light("a")(json.dumps(gateway_rows.payload(number, **changes)).encode(), number)  # type: ignore[arg-type]
        if light is not None:
            assert light.base is not None
            assert quick.of_light(light, "latin").names == whole.of(light.record, "latin").names
    assert len(quick.all) == len(whole.all) > 5


@pytest.mark.parametrize("rule_wants", ["position", "history_reasoning"])
def test_a_flag_that_rules_read_is_part_of_the_profile(rule_wants: str, tmp_path: Path) -> None:
    profiles = Profiles(Options(work=""), Deployments())
    one = Record(source_id="a", source_uri="a", source_pos=0, position=1)
    other = Record(source_id="a", source_uri="a", source_pos=0, position=1)
    setattr(other, rule_wants, 2 if rule_wants == "position" else True)
    assert profiles.of(one, "latin") is not profiles.of(other, "latin")
    assert profiles.of(one, "latin") is profiles.of(one, "latin")
