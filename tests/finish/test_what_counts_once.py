"""Items whose choices are counted elsewhere in part, chains of responses that lead nowhere or round, and a kill while files are moved."""

from pathlib import Path

import pytest

from pipelines import store
from pipelines.errors import DataError
from pipelines.finish.chains import followed
from pipelines.outputs import load_counts, load_manifest
from tests import gateway_rows
from tests.runs import files, rows, run, totals


class Killed(BaseException):
    """In place of a signal that ends the process."""


def of_choices(*choices: int, file: str) -> dict[str, object]:
    """A row of one call that holds these of its choices."""
    row = gateway_rows.payload(1, session=file)
    (choice,) = row["response"]["choices"]  # type: ignore[index]
    row["response"] |= {"choices": [choice | {"index": index} for index in choices]}  # type: ignore[operator]
    return row


@pytest.mark.parametrize(
    ("second", "records", "duplicates", "duplicate_items"),
    [((0,), 2, 1, 1), ((0, 1), 2, 2, 1), ((0, 2), 3, 1, 0), ((2,), 3, 0, 0)],
    ids=["its only choice", "both choices", "one of two choices", "another choice"],
)
def test_an_item_is_a_duplicate_when_all_its_choices_are(
    second: tuple[int, ...], records: int, duplicates: int, duplicate_items: int, tmp_path: Path
) -> None:
    """The first row of the call holds the choices 0 and 1."""
    log = gateway_rows.write_log(tmp_path, "log", [of_choices(0, 1, file="a"), of_choices(*second, file="a")])
    run([log], tmp_path / "out")
    count = totals(tmp_path / "out")
    assert (count["items"], count["accepted"], count["duplicate"]) == (2, 2 - duplicate_items, duplicate_items)
    assert (count["records"], len(rows(tmp_path / "out", "duplicates"))) == (records, duplicates)


def roots(before: dict[int, int]) -> dict[int, int]:
    """Each response that is named → the conversation in which its chain began; `before` is the one that it names itself."""
    one, other = (followed(dict(sorted(before.items(), reverse=back))) for back in (False, True))
    assert one == other
    return {row["named"]: row["root"] for row in one.to_pylist()}


def test_a_chain_of_responses_is_the_conversation_in_which_it_began() -> None:
    assert roots({2: 1, 3: 2, 4: 3, 9: 8}) == {2: 1, 3: 1, 4: 1, 9: 8}


@pytest.mark.parametrize(
    "before",
    [{5: 5}, {3: 5, 5: 3}, {3: 5, 5: 7, 7: 3}, {3: 5, 5: 7, 7: 3, 9: 5}],
    ids=["names itself", "name each other", "three in a circle", "leads into a circle"],
)
def test_responses_that_name_each_other_in_a_circle_are_one_conversation(before: dict[int, int]) -> None:
    found = roots(before)
    assert found.keys() == before.keys()
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("moves", [0, 1, 5])
def test_a_run_killed_while_it_puts_files_in_their_place_is_no_result_until_it_is_finished(
    moves: int, tmp_path: Path
) -> None:
    """The folder holds the result of an earlier run over other logs, which must not be read as the new one's."""
    old, new = (
        gateway_rows.write_log(tmp_path, name, [gateway_rows.pair(number) for number in range(count)])
        for name, count in (("old.jsonl", 2), ("new.jsonl", 5))
    )
    run([old], tmp_path / "out")
    real = store.move
    done: list[str] = []

    def killed_after(source: str, target: str) -> None:
        if len(done) == moves:
            raise Killed
        done.append(target)
        real(source, target)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        patch.setattr(store, "move", killed_after)
        run([new], tmp_path / "out")
    with pytest.raises(DataError, match="was killed"):
        load_manifest(str(tmp_path / "out"))
    with pytest.raises(DataError, match="was killed"):
        load_counts(str(tmp_path / "out"))
    run([new], tmp_path / "out")
    run([new], tmp_path / "whole")
    assert files(tmp_path / "out") == files(tmp_path / "whole")
