"""No generated part of a README is stale."""

from pathlib import Path

import pytest

import pipelines
from pipelines.catalogue import Part, parts, refreshed

FOLDER = Path(pipelines.__file__).parent


@pytest.mark.parametrize("part", parts(), ids=lambda part: f"{part.page}:{part.name}")
def test_a_generated_part_is_what_the_code_says_now(part: Part) -> None:
    page = (FOLDER / part.page).read_text()
    assert refreshed(page, part) == page, "run `leakrate catalogue --write`"


@pytest.mark.parametrize("part", parts(), ids=lambda part: f"{part.page}:{part.name}")
def test_a_page_that_somebody_changed_by_hand_is_seen(part: Part) -> None:
    page = (FOLDER / part.page).read_text()
    place = page.index(f"<!-- end: {part.name} -->")
    assert refreshed(page[:place] + "a line by hand\n" + page[place:], part) == page
