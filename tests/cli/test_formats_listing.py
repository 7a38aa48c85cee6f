"""`leakrate formats`: every format, what it is and what it can show, as text and as JSON."""

import json

from click.testing import CliRunner

from pipelines.cli.formats import command
from pipelines.formats import FORMATS


def test_every_format_is_listed_with_its_title_and_what_it_shows() -> None:
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 0
    rows = {line.split()[0]: line for line in result.output.splitlines() if line.strip()}
    for one in FORMATS:
        assert one.title[:40] in rows[one.name]
    assert "content, reasoning, tool_calls, chunks, finish_reason, time" in rows["sse"]
    assert f"{len(FORMATS)} formats" in result.output


def test_as_json_the_formats_keep_their_order() -> None:
    result = CliRunner().invoke(command, ["--json"])
    listed = json.loads(result.output)
    assert [one["name"] for one in listed] == [one.name for one in FORMATS]
    assert listed[0]["shows"] == list(FORMATS[0].shows)
