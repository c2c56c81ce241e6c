"""BCMNUW20 Lemma 17: whoever can release averages can learn. The reduction is an algorithm, and here it is run.

`harness.transfer.release_learner`, with binary trees of Gaussians as what releases, on thresholds. Lemma 18, that no learner of
thresholds on ℝ does with o(1/α) public points, and with it T15, is about all algorithms (`BCMNUW20:L18`).
"""

from collections.abc import Iterator
from functools import partial
from math import log

import numpy as np

from harness.claims.abm19.t import ENOUGH, WITHIN_ALPHA
from harness.claims.engine import Claim, Computed, Number, among
from harness.concepts.covers.line import Line
from harness.concepts.covers.thresholds import Thresholds
from harness.mechanisms.release import Asked, Problem, Site
from harness.theory.constants.bcmnuw20 import PRINTED
from harness.transfer.release_learner import SHARES, ReleaseLearner

LEARNER = ReleaseLearner()
BETA, DELTA, EPS = 0.05, 1e-6, 1.0
ALPHAS = (0.1, 0.01, 0.001, 1e-4)


def _examples() -> Iterator[Number]:
    """n' of the learner for α against n·ln(1/(αβ))/(α²β), with n of one release for α on as many public points."""
    for alpha in ALPHAS:
        size, asked = LEARNER.size(alpha, BETA), Asked(alpha, BETA, EPS, DELTA, PRINTED)
        release = LEARNER.mechanism.needed(size, asked.halved())
        assert release is not None
        own = LEARNER.examples(alpha, BETA, EPS, DELTA)
        yield Number(f"n', α = {alpha:g}", own, release * log(1 / (alpha * BETA)) / (alpha**2 * BETA))


def _parts() -> Iterator[Number]:
    """n' against 32(n + ln(1/β)/α²) for the same n, at the ε that a release has here: examples serve both releases."""
    for alpha in ALPHAS:
        size = LEARNER.size(alpha, BETA)
        release = LEARNER.mechanism.needed(size, Asked(alpha, BETA, SHARES[0] * EPS, DELTA / 2, PRINTED).halved())
        assert release is not None
        own = LEARNER.examples(alpha, BETA, EPS, DELTA)
        yield Number(f"n', α = {alpha:g}", own, 32 * (release + log(1 / BETA) / alpha**2))


def _spends(noises: int) -> Iterator[Number]:
    """The ε of two releases, each at δ/2, and of so many releases of the rate, against ε."""
    for m, n in ((10, 10**4), (1000, 10**6)):
        cover, rng = Thresholds().cover(Line(), np.arange(1, m + 1) / (m + 1)), np.random.default_rng(1)
        site = Site(cover, n, cover.private(n, rng))
        asked = Asked(0.1, BETA, SHARES[0] * EPS, DELTA / 2, PRINTED)
        spent = LEARNER.mechanism.release(Problem(asked, site, True, lambda site=site: site), rng).spent  # type: ignore[misc]
        assert spent is not None
        yield Number(f"ε of both releases and the rate, m = {m}, n = {n:g}", 2 * spent + noises * SHARES[1] * EPS, EPS)


CLAIMS = (
    Claim(
        "BCMNUW20:L17",
        "BCMNUW20 Lemma 17, run",
        "With two releases that keep to 3α/8 but for a chance β each, and the rate of labels within α/8, the h of least "
        "estimated error has error at most γ + α with probability at least 1 − 3β; with the m of the releases.",
        where=(among("mechanism", "release_learner"), ENOUGH),
        decider=WITHIN_ALPHA,
    ),
    Claim(
        "BCMNUW20:L17-n",
        "BCMNUW20 Lemma 17, n'",
        "n' is at most n ln(1/(αβ))/(α²β), for the n of one release: what is stated, with 1 for its constant.",
        decider=Computed(_examples),
    ),
    Claim(
        "BCMNUW20:L17-n-sharp",
        "BCMNUW20 Lemma 17, n', as the reduction has it",
        "n' = O(n + ln(1/β)/α²), with 32 for its constant: a release is of averages under D, so both have all examples.",
        decider=Computed(_parts),
    ),
    Claim(
        "BCMNUW20:L17-privacy",
        "BCMNUW20 Lemma 17, privacy",
        "Two releases at 2ε/5 and δ/2, and Laplace noise of 5/(εn) on the rate of labels, are (ε, δ)-DP: twice the ε and δ of "
        "a release, and the rate.",
        decider=Computed(partial(_spends, 1)),
    ),
)
