"""Near-duplicates: whether a text shares most of its character shingles with an earlier one.

Similarity is the Jaccard index of the sets of 6-character shingles of the text in lower case, without digits and layout; 1 means
the same shingles, 0 none in common. The index is exact, not estimated: earlier texts are found through their shingles.
"""

from collections import Counter
from collections.abc import Iterable

SIZE = 6
LIMIT = 0.7
"""From here on two texts count as one text with words swapped."""


def shingles(text: str) -> frozenset[str]:
    """Every run of 6 letters, signs or single spaces of `text`; the text itself where it is shorter."""
    plain = " ".join("".join(letter if letter.isalpha() else " " for letter in text.lower()).split())
    return frozenset(plain[at : at + SIZE] for at in range(max(len(plain) - SIZE + 1, 1)))


class Seen:
    """The texts accepted so far."""

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit
        self._sizes: list[int] = []
        self._holders: dict[str, list[int]] = {}

    def closest(self, text: str) -> tuple[float, int | None]:
        """(similarity, number) of the most similar accepted text; (0.0, None) where nothing is shared."""
        own = shingles(text)
        shared = Counter(holder for shingle in own for holder in self._holders.get(shingle, ()))
        scored = ((count / (len(own) + self._sizes[holder] - count), holder) for holder, count in shared.items())
        return max(scored, default=(0.0, None))

    def new(self, text: str) -> bool:
        """True, and the text is accepted, when no accepted text is as similar as the limit."""
        if self.closest(text)[0] >= self.limit:
            return False
        number = len(self._sizes)
        own = shingles(text)
        self._sizes.append(len(own))
        for shingle in own:
            self._holders.setdefault(shingle, []).append(number)
        return True


def near_duplicates(texts: Iterable[str], limit: float = LIMIT) -> list[tuple[int, int, float]]:
    """(number, number of an earlier text, similarity) of every text that is as similar to an earlier one as `limit`."""
    seen = Seen(limit)
    found: list[tuple[int, int, float]] = []
    kept: list[int] = []
    for number, text in enumerate(texts):
        similarity, earlier = seen.closest(text)
        if earlier is not None and similarity >= limit:
            found.append((number, kept[earlier], similarity))
        elif seen.new(text):
            kept.append(number)
    return found
