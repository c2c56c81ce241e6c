"""BTT18 D2.2 and Algorithm 2: neighbours with |D Δ D'| = 1 and a split by order change every chunk, and every vote.

D has the examples (i, i mod 2), i = 0, …, 2k; D' lacks the first. Both are cut, in the order of i, into k chunks of two (of D
one example is left over). Θ answers with the label of the first example of its chunk, whatever it is asked. So all k votes are
0 on D and 1 on D'. The one query is answered, with 0 on D and with 1 on D', unless the noise is beyond k − 1 − w.
"""

from math import ceil, exp, log, sqrt


def votes(data: list[tuple[int, int]], k: int) -> list[int]:
    """The label that each chunk's hypothesis gives; chunks of ⌊n/k⌋ examples that follow one another."""
    size = len(data) // k
    ordered = sorted(data)
    return [ordered[j * size][1] for j in range(k)]


def unanswered(above: float, lam: float) -> float:
    """P(⊥) of a query whose distance is so far above w: a Laplace of 2λ and one of λ."""
    return 2 / 3 * exp(-above / (2 * lam)) - exp(-above / lam) / 6


def main() -> None:
    eps, delta, beta, m, T = 1.0, 1e-6, 0.05, 1, 1.0
    lam = sqrt(32 * T * log(2 / delta)) / eps
    w = 2 * lam * log(2 * m / delta)
    k = ceil(34 * sqrt(2) * lam * log(4 * m * T / min(delta, beta / 2)))
    data = [(i, i % 2) for i in range(2 * k + 1)]
    neighbour = data[1:]
    assert len(set(data) ^ set(neighbour)) == 1
    assert set(votes(data, k)) == {0} and set(votes(neighbour, k)) == {1}
    zero = 1 - unanswered(k - 1 - w, lam)  # the same chance gives 1 on the neighbour, where 0 has none
    assert zero > 1 - 1e-9 > delta  # P(0 | D) ≤ e^ε · 0 + δ is false at every ε
    kept = votes([(i, i % 2) for i in range(2 * k)], k), votes([(0, 1)] + [(i, i % 2) for i in range(1, 2 * k)], k)
    assert sum(a != b for a, b in zip(*kept, strict=True)) == 1  # one example replaced in its place: one vote
    print(f"one example less, split by order: P(0) = {zero:.9f} on D and 0 on D', k = {k}, ε = {eps:g}, δ = {delta:g}")


if __name__ == "__main__":
    main()
