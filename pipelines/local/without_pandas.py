"""Keeps pandas out of a process that works with Arrow alone.

pyarrow 25 imports pandas, if it is there, as soon as it makes its first array: 0.35 s and 40 MB in each process (measured 2026-11-30).
It remembers a failed attempt, and tries again when pandas is really asked for (`to_pandas`), so nothing is lost.
"""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec

import pyarrow as pa


class _Absent(MetaPathFinder):
    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)
        return None


def first_array_without_pandas() -> None:
    """Let pyarrow make its first array while pandas cannot be found; afterwards it can be imported as ever."""
    if "pandas" in sys.modules:
        return
    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(absent)
