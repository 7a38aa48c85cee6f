"""No line, file or rule ends a run; every item is accounted for, wherever it lies and however it is wrapped."""

import gzip
import json
from pathlib import Path

import pytest
import zstandard

from pipelines import plan as planning
from pipelines.errors import ConfigurationError, InputError
from tests import gateway_rows
from tests.gateway_rows import CLEAN, LEAKING, lines, pair, payload
from tests.runs import finished, rows, run, totals

SECRET = "the secret of the log"
LINES = {
    "cut off": json.dumps(pair(1, SECRET)).encode()[:-40],
    "no JSON": SECRET.encode(),
    "a list": json.dumps([SECRET]).encode(),
    "a string": json.dumps(SECRET).encode(),
    "null": b"null",
    "a number": b"7",
    "another shape": json.dumps({"a": SECRET}).encode(),
    "half an object": b'{"a": ' + json.dumps(pair(1, SECRET)).encode(),
    "too deep": b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "no id": json.dumps({**pair(1, SECRET), "id": None}).encode(),
    "choices of another type": json.dumps(
        {**pair(1), "response": {"object": "chat.completion", "choices": SECRET}}
    ).encode(),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_bad_line_is_one_reject_between_two_good_ones(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines([pair(10)]) + line + b"\n" + lines([pair(11, LEAKING)]))
    run([path], tmp_path / "out")
    count = totals(tmp_path / "out")
    assert (count["items"], count["records"]) == (3, 2)
    assert count["accepted"] + count["rejected"] + count["skipped"] == 3 and count["accepted"] == 2
    written = rows(tmp_path / "out", "rejects")
    assert len(written) == count["rejected"]
    assert all(reject["source_pos"] == 1 and SECRET not in str(reject) for reject in written)


def test_each_object_of_a_line_is_an_item(tmp_path: Path) -> None:
    twice, other = json.dumps(pair(1)).encode() * 2, json.dumps({"a": SECRET}).encode()
    (tmp_path / "log.jsonl").write_bytes(lines([pair(10)]) + twice + other + b"\n" + lines([pair(11)]))
    run([tmp_path / "log.jsonl"], tmp_path / "out")
    count = totals(tmp_path / "out")
    found = (count["items"], count["accepted"], count["duplicate"], count["rejected"])
    assert found == (5, 3, 1, 1)
    assert [reject["source_pos"] for reject in rows(tmp_path / "out", "rejects")] == [3]


@pytest.mark.parametrize("first", [True, False])
def test_metadata_that_nothing_is_read_from_is_counted_by_row(first: bool, tmp_path: Path) -> None:
    own = {"requester_metadata": {"shift": "late", "desk": "left"}}
    logged = [payload(number, metadata=own if first == (number < 2) else {}) for number in range(5)]
    (tmp_path / "log.jsonl").write_bytes(lines(logged))
    (tmp_path / "pairs.jsonl").write_bytes(lines([pair(6, shift="late"), pair(7), pair(8, LEAKING, shift="late")]))
    run([tmp_path / "log.jsonl", tmp_path / "pairs.jsonl"], tmp_path / "out")
    found = {
        Path(row["source_uri"]).name: dict(row["detail"]).get("ignored_metadata")
        for row in rows(tmp_path / "out", "coverage")
    }
    assert found == {"log.jsonl": 2 if first else 3, "pairs.jsonl": 2}


def test_blank_lines_other_line_ends_and_marks_are_no_rejects(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + lines([pair(1)]).replace(b"\n", b"\r\n") + b"\n \t\n\r\n" + lines([pair(2)])[:-1]
    )
    run([path], tmp_path / "out")
    count = totals(tmp_path / "out")
    assert (count["items"], count["blank"], count["accepted"], count["rejected"]) == (5, 3, 2, 0)


def test_a_damaged_file_costs_only_what_is_behind_the_damage(tmp_path: Path) -> None:
    noise = [pair(n, CLEAN + str(n * 7919)) for n in range(400)]
    whole = gzip.compress(lines(noise))
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "good.zst").write_bytes(zstandard.compress(lines([pair(n) for n in range(1000, 1010)])))
    (tmp_path / "garbage.gz").write_bytes(b"\x1f\x8b" + b"garbage" * 9)
    run([tmp_path / name for name in ("cut.gz", "good.zst", "garbage.gz")], tmp_path / "out")
    count = totals(tmp_path / "out")
    assert 10 < count["accepted"] < 410
    assert {reject["code"] for reject in rows(tmp_path / "out", "rejects")} >= {"damaged_file"}


@pytest.fixture
def calls() -> list[dict[str, object]]:
    return [payload(n, LEAKING if n in (3, 4, 11) else CLEAN, session=f"s{n % 5}") for n in range(20)]


def counted(output: Path) -> list[tuple[object, ...]]:
    names = (
        "cut",
        "cut_value",
        "measure_kind",
        "measure",
        "turns",
        "leaked_turns",
        "conversations",
        "leaked_conversations",
    )
    names += ("sum_leaks_squared", "sum_turns_squared", "at_risk_1", "first_leaks_1", "at_risk_2", "first_leaks_2")
    return sorted(tuple(row[name] for name in names) for row in rows(output, "counts"))


def test_a_conversation_over_shards_and_files_counts_as_in_one_file(
    calls: list[dict[str, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = gateway_rows.write_log(tmp_path / "one", "log.jsonl", calls)
    run([one], tmp_path / "whole")
    monkeypatch.setattr(planning, "SHARD_BYTES", 3000)
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "a.json").write_text(json.dumps(calls[:6]))
    (tmp_path / "many" / "b.jsonl.gz").write_bytes(gzip.compress(lines(calls[6:9])))
    for number, call in enumerate(calls[9:12]):
        (tmp_path / "many" / f"c{number}").write_text(json.dumps(call))
    gateway_rows.write_log(tmp_path / "many", "d.jsonl", [*calls[12:], *calls[2:5]])
    run([tmp_path / "many"], tmp_path / "parts")
    assert counted(tmp_path / "parts") == counted(tmp_path / "whole")
    assert totals(tmp_path / "parts")["duplicate"] == 3
    assert len(rows(tmp_path / "parts", "duplicates")) == 3
    assert len(rows(tmp_path / "parts", "detections")) == len(rows(tmp_path / "whole", "detections"))


def test_positions_are_those_of_the_file_in_every_shard(
    calls: list[dict[str, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "SHARD_BYTES", 3000)
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(calls[:10]) + b"broken\n\n" + lines(calls[10:]))
    run([path], tmp_path / "out")
    assert sorted(row["source_pos"] for row in rows(tmp_path / "out", "turns")) == [*range(10), *range(12, 22)]
    assert [row["source_pos"] for row in rows(tmp_path / "out", "rejects")] == [10]
    assert {row["source_pos"] for row in rows(tmp_path / "out", "detections")} == {3, 4, 12 + 1}


def test_days_outside_the_window_are_left_out_and_counted(tmp_path: Path) -> None:
    made = [pair(0), pair(86400), {**pair(5), "time": None, "response": {**pair(5)["response"], "created": None}}]  # type: ignore[dict-item]
    path = gateway_rows.write_log(tmp_path, "log.jsonl", made)
    run([path], tmp_path / "out", since="2026-12-01", until="2026-12-01")
    count = totals(tmp_path / "out")
    assert (count["records"], count["skipped"], count["outside_window"], count["time_unknown"]) == (1, 2, 1, 1)


def test_an_empty_file_and_nothing_judged_is_a_run_that_is_done(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    done = finished(tmp_path / "empty.jsonl", "--output", tmp_path / "out", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "manifest.json").exists()
    for dataset in ("turns", "detections", "duplicates", "rejects"):
        assert list((tmp_path / "out" / dataset).iterdir())
    assert [row["items"] for row in rows(tmp_path / "out", "coverage")] == [0]


def test_a_rerun_replaces_the_output_whole(tmp_path: Path) -> None:
    one = gateway_rows.write_log(tmp_path, "one.jsonl", [pair(1, LEAKING)])
    two = gateway_rows.write_log(tmp_path, "two.jsonl", [pair(2)])
    run([one], tmp_path / "out")
    run([two], tmp_path / "out")
    assert {row["source_file"] for row in rows(tmp_path / "out", "turns")} == {str(two)}
    assert not rows(tmp_path / "out", "detections")
    assert not (tmp_path / "out" / "_work").exists()


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    path = gateway_rows.write_log(tmp_path, "log.jsonl", [pair(1)])
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    with pytest.raises(ConfigurationError, match="did not write"):
        run([path], tmp_path / "thesis")
    assert [name.name for name in (tmp_path / "thesis").iterdir()] == ["chapter.txt"]


def test_the_output_may_be_an_object_store(tmp_path: Path) -> None:
    from pipelines import store

    path = gateway_rows.write_log(tmp_path, "log.jsonl", [pair(n, LEAKING) for n in range(3)])
    run([path], "memory://bucket/out")
    assert store.names("memory://bucket/out") == sorted(
        f"{name}{ending}"
        for ending, names in {
            "": ("detections", "duplicates", "rejects", "turns", "manifest.json", "rates.csv"),
            ".parquet": ("counts", "coverage", "rates", "usage"),
        }.items()
        for name in names
    )
    assert len(store.read_parquet("memory://bucket/out/turns/part-00000.parquet")) == 3


WRONG = {
    "a missing input": (["nothing.jsonl"], "nothing.jsonl"),
    "an unknown format": (["{log}", "--format", "litelm"], "litellm"),
    "a day that is none": (["{log}", "--since", "2026-13-01"], "YYYY-MM-DD"),
    "days in the wrong order": (["{log}", "--since", "2026-12-02", "--until", "2026-12-01"], "behind"),
    "a deployments file that is missing": (["{log}", "--deployments", "none.toml"], "none.toml"),
    "an option that does not exist": (["{log}", "--evidnce=hash"], "--evidnce"),
    "a refused runner": (["{log}", "--runner", "DaskRunner"], "refused"),
    "an option of the wrong kind": (["{log}", "--workers", "many"], "--workers"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "named"), WRONG.values(), ids=WRONG)
def test_wrong_use_is_one_sentence_before_any_work(arguments: list[str], named: str, tmp_path: Path) -> None:
    log = gateway_rows.write_log(tmp_path, "log.jsonl", [pair(1)])
    given = [argument.format(log=log) for argument in arguments]
    done = finished(*given, "--output", tmp_path / "out")
    assert done.returncode == 2
    assert named in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_missing_input_is_found_before_any_work(tmp_path: Path) -> None:
    log = gateway_rows.write_log(tmp_path, "log.jsonl", [pair(1)])
    with pytest.raises(InputError):
        planning.plan([str(log), str(tmp_path / "nothing")], planning.Options(work=str(tmp_path / "out" / "work")))


def test_too_many_rejects_end_with_3_and_everything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines([pair(1), pair(2)]) + b"broken\n")
    done = finished(path, "--output", tmp_path / "out", "--workers", "1", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["coverage"]["rejected"] == 1
    assert "33.3%" in done.stderr and (tmp_path / "out" / "manifest.json").exists()
    assert finished(path, "--output", tmp_path / "out", "--max-reject-rate", "0.4", "--quiet").returncode == 0
