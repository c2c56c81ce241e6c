"""BCMNUW20 Lemma 7: PMW (DR14 Algorithm 6) at the printed n errs by more than α, whatever its inner accuracy α' = rα.

Up to r = 0.943 the threshold T is above α/2, as a share: D has mass ½ + g on half of the domain, α/2 < g < T, and nothing is
updated. From there on D is two cells of e²⁰⁰, asked for by turns among cells of weight ½ − g, g just above T: every query is
updated, and the algorithm halts after c updates, before the two weigh anything. Sampling and noise are seven digits below what
decides, as ln|H̃| = 10⁶. The other cells keep two weights that are e^η apart, so the run can be followed as it is, in
logarithms.
"""

from math import ceil, exp, log, sqrt

import numpy as np

ALPHA, BETA, EPS, DELTA, LOG_H, LOG_X = 0.1, 0.05, 0.9, 1e-6, 1e6, 200.0
N = 200 * sqrt(LOG_X * log(2 / DELTA)) * (LOG_H + log(128 * LOG_X / (ALPHA**2 * BETA))) / (EPS * ALPHA**2)


def numbers(r: float) -> tuple[float, float, float, float]:
    """c, η, T and the scale of the noise on a test, at α' = rα."""
    c = 4 * LOG_X / (r * ALPHA) ** 2
    scale = sqrt(c * log(2 / DELTA)) / (EPS * N)
    threshold = (2 + 32 * sqrt(2)) * scale * (LOG_H + log(4 * c / BETA))
    return c, r * ALPHA / 2, threshold, 2 * sqrt(32) * scale * (1 + 1 / sqrt(512))


def followed(r: float, rng: np.random.Generator) -> tuple[int, float]:
    """Updates, and the weight of the two cells after them. The rest: a share `high` of cells at e^η, the others at 1."""
    c, eta, threshold, noise = numbers(r)
    gap, own, high = threshold * 1.0002, np.full(2, -LOG_X), 0.0
    for step in range(ceil(c)):
        kept = 0.5 - gap  # the weight under the query; of the others those of least weight are in it
        if gap + rng.laplace(0, noise) < threshold + rng.laplace(0, noise / 2):
            return step, float(np.exp(own).sum())
        low = (1 - high) / (1 - high + high * exp(eta))  # the weight of those at 1
        raised = kept / low * (1 - high) if kept < low else 1 - high
        again = 0.0 if kept < low else (kept - low) / (1 - low) * high  # of those at e^η, where the others are not enough
        high = high + raised if kept < low else again
        own[step % 2] += eta
        own -= log(1 + kept * (exp(eta) - 1))
    return ceil(c), float(np.exp(own).sum())


def main() -> None:
    rng, turn = np.random.default_rng(7), 0.9432
    for r in (0.01, 1 / 3, 0.5, 0.9, turn):
        _, _, threshold, noise = numbers(r)
        assert threshold - ALPHA / 2 * 1.001 > 100 * noise, "averages that are 1.001α from 0 are not updated"
    for r in (turn, 0.95, 1.0, 1.2, 4 / 3, 2.0, 4.0, 20.0):
        c, _, _, _ = numbers(r)
        updates, weight = followed(r, rng)
        assert updates == ceil(c) and 2 * (1 - weight) > 1.99, "halted, and the two cells have next to no weight"
    eta, kept = turn * ALPHA / 2, 0.5 - 0.0502
    learned = 4 * (eta / 2 - log(1 + kept * (exp(eta) - 1))) / (turn * ALPHA) ** 2
    assert learned < 0.95, "c updates leave a twentieth of ln|X̃|, and at any larger α' more"
    print(f"α = {ALPHA}, β = {BETA}: PMW errs by more than α at α' = rα, r ≤ {turn} without an update, r ≥ {turn} after all c")


if __name__ == "__main__":
    main()
