"""As many rejects as are allowed are no failure; one more is, and says how many were allowed."""

from pathlib import Path

import pytest

from tests.gateway_rows import lines, pair
from tests.runs import finished


@pytest.mark.parametrize(("allowed", "code"), [("0.2", 0), ("0.19", 3)])
def test_rejects_up_to_the_rate_that_is_allowed(allowed: str, code: int, tmp_path: Path) -> None:
    """One item of five is broken."""
    (tmp_path / "log.jsonl").write_bytes(lines(pair(number) for number in range(4)) + b"broken\n")
    told = finished(
        tmp_path / "log.jsonl", "--output", tmp_path / "out", "--workers", "1", "--max-reject-rate", allowed, "--quiet"
    )
    assert told.returncode == code
    assert ("20.0% of the items were rejected, 19.0% are allowed" in told.stderr) == (code == 3)
