"""Speed of the released classifier on this machine: one text at a time, and in batches.

    python benchmarks/classifier_runtime.py            # median, p99 per text; texts per second; size of the folder

Texts are 600-character openings joined from `data/labeled`. CPU time of one thread, so that a busy machine does not count.
"""

import statistics
import time
from itertools import cycle
from pathlib import Path

from classifier.batch import scores
from classifier.examples import read
from classifier.runtime import Model

ROOT = Path(__file__).parent.parent
LENGTH, TEXTS = 600, 3000


def openings() -> list[str]:
    """TEXTS texts of LENGTH code points."""
    parts = cycle(example.text for example in read([ROOT / "data" / "labeled"]))
    made = []
    while len(made) < TEXTS:
        text = ""
        while len(text) < LENGTH:
            text += next(parts) + "\n\n"
        made.append(text[:LENGTH])
    return made


def microseconds(model: Model, texts: list[str]) -> list[float]:
    """CPU time of each text, after 200 of them to get warm."""
    for text in texts[:200]:
        model.scores(text)
    each = []
    for text in texts:
        begin = time.thread_time_ns()
        model.scores(text)
        each.append((time.thread_time_ns() - begin) / 1000)
    return each


def main() -> None:
    folder, texts = ROOT / "classifier" / "models" / "leakrate-1.0", openings()
    model = Model(folder)
    for name, runtime in (("runtime", model), ("runtime without numpy", Model(folder, vectors=False))):
        each = sorted(microseconds(runtime, texts))
        middle, slow = statistics.median(each), each[len(each) * 99 // 100]
        print(f"{name}, {LENGTH} characters: median {middle:.0f} µs, p99 {slow:.0f} µs")
    scores(model, texts[:200], ["unknown"] * 200)
    begin = time.thread_time()
    scores(model, texts, ["unknown"] * len(texts))
    rate = len(texts) / (time.thread_time() - begin)
    size = sum(file.stat().st_size for file in model.folder.iterdir())
    print(f"batch: {rate:,.0f} texts per second and core")
    print(f"folder: {size:,} bytes")


if __name__ == "__main__":
    main()
