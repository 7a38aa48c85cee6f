"""Labels become precision by rule and version, and a wrong labels file is refused in one sentence."""

import pytest

from pipelines.errors import ConfigurationError
from pipelines.precision import read_precision
from pipelines.schema import PRECISION

VERSIONS = {"one-rule": 2, "other-rule": 1}
LINES = b"""{"rule_id": "one-rule", "rule_version": 2, "correct": true, "language": "ko"}

{"rule_id": "one-rule", "rule_version": 2, "correct": false}
{"rule_id": "one-rule", "rule_version": 1, "correct": true}
{"rule_id": "other-rule", "rule_version": "1", "correct": "no"}
"""
TABLE = b"\xef\xbb\xbfcorrect,rule_id,rule_version\r\nTRUE,one-rule,2\r\n0,one-rule,2\r\nyes,one-rule,1\r\nfalse,other-rule,1\r\n"


@pytest.mark.parametrize("content", [LINES, TABLE], ids=["lines", "csv"])
def test_labels_are_counted_by_rule_and_version(content: bytes) -> None:
    table = read_precision(content, "labels", VERSIONS)
    assert table.schema == PRECISION
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("one-rule", "1", 1, 1),
        ("one-rule", "2", 2, 1),
        ("other-rule", "1", 1, 0),
    ]


def test_no_labels() -> None:
    assert len(read_precision(b"", "labels", VERSIONS)) == 0


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"{broken", "line 1: not a JSON object"),
        (b'{"rule_id": "one-rule"}', "label 1: rule_version is missing"),
        (b"rule_id,correct\none-rule,true\n", "label 1: rule_version is missing"),
        (b'{"rule_id": "no-rule", "rule_version": 1, "correct": true}', "names no rule"),
        (b'{"rule_id": "one-rule", "rule_version": 3, "correct": true}', "from 1 to 2"),
        (b"rule_id,rule_version,correct\n" + b"x" * 200_000 + b",1,true\n", "line 2: not valid CSV"),
        (b"x" * 200_000 + b",rule_version,correct\n", "line 1: not valid CSV"),
        (b"rule_id,rule_version,correct\none-rule," + b"9" * 5000 + b",true\n", "from 1 to 2"),
        (b'{"rule_id": ' + b"[" * 50_000, "line 1: not a JSON object"),
        (
            b'{"rule_id": "one-rule", "rule_version": ' + b"9" * 5000 + b', "correct": true}',
            "line 1: not a JSON object",
        ),
        (b'{"rule_id": "one-rule", "rule_version": "x", "correct": true}', "from 1 to 2"),
        (b'{"rule_id": "one-rule", "rule_version": 1, "correct": "perhaps"}', "one of true, 1, yes, false, 0, no"),
    ],
)
def test_a_wrong_file_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read_precision(content, "labels.jsonl", VERSIONS)
    assert says in str(refusal.value)
    assert "labels.jsonl" in str(refusal.value)
