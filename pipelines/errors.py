"""The exceptions that leakrate raises on purpose; each carries one sentence for the person who reads it.

    LeakrateError
    ├── ConfigurationError   wrong use, option, file or key: found before any work, exit code 2
    ├── InputError           an input that does not exist or cannot be opened: before any work, exit code 2
    └── DataError            data unusable or incomplete: an output without manifest, a damaged file, too many rejects, exit code 3

A bad line, row or rule run is not an exception: it is a REJECT row.
"""


class LeakrateError(Exception):
    """Base of the exceptions raised on purpose; `exit_code` is what the command ends with."""

    exit_code = 2


class ConfigurationError(LeakrateError):
    """Wrong use or configuration; the sentence names file, key and the allowed values."""


class InputError(LeakrateError):
    """An input that is missing or cannot be opened."""


class DataError(LeakrateError):
    """Data that cannot be used, or a result that is not complete."""

    exit_code = 3
