"""A store that grows by the day: what `leakrate run --store` keeps, and the history that it publishes.

    STORE/counts|usage|rates|turns|detections/<day>.parquet   published: each folder is one dataset, the day is a column
    STORE/coverage.parquet  rejects.parquet  manifest.json    of all sources and days
    STORE/state.json                                          which file, part and day is how far
    STORE/_parts  _days  _work                                rows as they were read, duplicates included; of use to leakrate only

A day is the union of the rows that all runs have read for it. A file that is read again replaces what was read of it, a file that has
vanished keeps it.
"""

from pipelines.history.update import Asked, Updated, update

__all__ = ["Asked", "Updated", "update"]
