"""Special functions of scipy as numpy functions, without the rest of scipy.

`scipy.special` fits its functions for other array libraries when it is imported, which costs 0.2 s and 15 MB in each run (scipy 1.17,
measured 2026-11-30). The functions themselves lie in one compiled module below it, which opens in a tenth of that.
"""

import sys
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType

NAMES = ("betainc", "betaincc", "betaincinv", "betaln", "ndtri", "stdtrit", "xlog1py", "xlogy")
_PACKAGE, _COMPILED = "scipy.special", "scipy.special._ufuncs"


@cache
def functions() -> ModuleType:
    """A module with NAMES: the compiled one where this scipy has it, else all of `scipy.special`."""
    spec = find_spec(_PACKAGE)
    if spec is not None and _PACKAGE not in sys.modules:
        found = _compiled(spec)
        if found is not None and all(hasattr(found, name) for name in NAMES):
            return found
    return import_module(_PACKAGE)


def _compiled(spec: ModuleSpec) -> ModuleType | None:
    """The compiled module, imported below an empty package that is gone afterwards, so that the whole one can be imported later."""
    sys.modules[_PACKAGE] = module_from_spec(spec)
    try:
        return import_module(_COMPILED)
    except ImportError:
        return None
    finally:
        del sys.modules[_PACKAGE]
