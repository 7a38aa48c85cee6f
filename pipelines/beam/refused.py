"""Which Beam runners are refused, and why; asked before Beam is imported, which takes a second."""

from pipelines.errors import ConfigurationError

_DOWNLOADS = "it downloads a runner from the internet without a timeout; name FnApiRunner instead"
REFUSED = {
    "directrunner": _DOWNLOADS,
    "switchingdirectrunner": _DOWNLOADS,
    "bundlebaseddirectrunner": "it knows no batches; name FnApiRunner instead",
    "daskrunner": "it loses data and says that it is done; name FnApiRunner, PrismRunner or DataflowRunner instead",
}
"""Runner in lower case → why (measured with Beam 2.77, 2026-11-30)."""


KNOWN = (
    "FnApiRunner",
    "PrismRunner",
    "DataflowRunner",
    "FlinkRunner",
    "SparkRunner",
    "PortableRunner",
    "KafkaStreamsRunner",
    "InteractiveRunner",
    "TestDirectRunner",
    "TestDataflowRunner",
)
"""The other names that Beam 2.77 knows; a runner of another package is named in full."""


def check_runner(runner: str) -> None:
    """Raise ConfigurationError with the reason for a runner that is refused, and for a name that nobody knows."""
    reason = REFUSED.get(runner.rsplit(".", 1)[-1].lower())
    if reason is not None:
        raise ConfigurationError(f"--runner {runner} is refused: {reason}")
    if "." not in runner and runner.lower() not in [known.lower() for known in KNOWN]:
        raise ConfigurationError(
            f"--runner {runner}: no such runner; allowed: {', '.join(KNOWN)}, or the full name of a runner's class"
        )
