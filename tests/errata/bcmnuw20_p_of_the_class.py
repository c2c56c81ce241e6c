"""BCMNUW20 §1.2: (e|H̃|/p)^p with the dual VC dimension p of H is no bound on the representative domain; with that of H̃ it is.

Stumps x_i on {±1}^p have the dual VC dimension p. Two public points leave at most four of them apart, the cover H̃, and every
pattern of these is a cell.
"""

from itertools import combinations, product
from math import e


def shattered(rows: list[tuple[int, ...]]) -> int:
    """The largest number of columns on which the rows have all patterns."""
    width = len(rows[0])
    return max(
        k
        for k in range(width + 1)
        if any(len({tuple(r[i] for i in c) for r in rows}) == 2**k for c in combinations(range(width), k))
    )


def main() -> None:
    for p, public in ((20, ((0, 1) * 10, (0, 0, 1, 1) * 5)), (100, ((0, 1) * 50, (0, 0, 1, 1) * 25))):
        labellings = set(zip(*public, strict=True))
        assert len(labellings) == 4
        cells = list(product((0, 1), repeat=len(labellings)))  # the values of the four stumps of H̃: independent coordinates
        of_cover = shattered(cells)
        assert of_cover == 4 and len(cells) == 16
        assert (e * 4 / p) ** p < 1 < len(cells) <= (e * 4 / of_cover) ** of_cover
    print("p = 20, two public points: |H̃| = 4, 16 cells, and (4e/20)^20 = 5·10⁻⁶; with p = 4 of H̃ it is 55")


if __name__ == "__main__":
    main()
