"""The light special functions are those of scipy, and all of scipy can still be imported after them."""

import subprocess
import sys
from pathlib import Path

import pytest
import scipy.special

from pipelines.intervals.special import NAMES, functions

ROOT = Path(__file__).parent.parent.parent
LIGHT_THEN_ALL = """
import sys
from pipelines.intervals.special import NAMES, functions
light = functions()
assert "scipy.special" not in sys.modules and "scipy._lib._array_api" not in sys.modules
assert light.ndtri(0.5) == 0.0
import scipy.special, scipy.stats
assert scipy.special.betaincinv(2.0, 3.0, 0.025) == light.betaincinv(2.0, 3.0, 0.025)
assert scipy.stats.binomtest(3, 10).pvalue > 0
assert functions() is light
"""
ARGUMENTS = {
    "ndtri": (0.975,),
    "stdtrit": (4.5, 0.975),
    "betaln": (2.5, 7.0),
    "xlogy": (2.0, 0.3),
    "xlog1py": (2.0, -0.3),
}


def test_all_of_scipy_can_be_imported_after_the_light_functions() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT_THEN_ALL], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_each_function_is_that_of_scipy(name: str) -> None:
    arguments = ARGUMENTS.get(name, (2.5, 7.0, 0.3))
    assert getattr(functions(), name)(*arguments) == getattr(scipy.special, name)(*arguments)
