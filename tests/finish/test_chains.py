"""Every response of a chain has the conversation in which the chain began, also where the chain is long or a circle."""

import pytest

from pipelines.finish.chains import followed


@pytest.mark.parametrize(
    ("conversation_of", "roots"),
    [
        ({}, {}),
        ({5: 3}, {5: 3}),
        ({5: 4, 4: 9, 9: 1}, {4: 1, 5: 1, 9: 1}),
        ({2: 1, 3: 1}, {2: 1, 3: 1}),
        ({7: 7}, {7: 7}),
        ({5: 6, 6: 5}, {5: 5, 6: 5}),
        ({1: 5, 5: 6, 6: 5, 9: 1}, {1: 5, 5: 5, 6: 5, 9: 5}),
        ({9: 6, 5: 6, 6: 8, 8: 5, 2: 9}, {2: 5, 5: 5, 6: 5, 8: 5, 9: 5}),
    ],
    ids=["none", "one", "chain", "fork", "itself", "circle", "tail below the circle", "tails into a circle"],
)
def test_roots(conversation_of: dict[int, int], roots: dict[int, int]) -> None:
    table = followed(conversation_of)
    assert dict(zip(table["named"].to_pylist(), table["root"].to_pylist(), strict=True)) == roots
    assert table["named"].to_pylist() == sorted(roots)


@pytest.mark.parametrize("step", [1, -1])
def test_a_chain_of_a_hundred_thousand_turns_is_followed_once(step: int) -> None:
    count = 100_000
    places = range(1, count + 1)
    table = followed({place: place + step for place in places})
    assert set(table["root"].to_pylist()) == {count + 1 if step > 0 else 0}
