"""BCMNUW20 Lemma 17: whoever can release averages can learn. The reduction is an algorithm, and here it is run.

`harness.transfer.release_learner`, with binary trees of Gaussians as what releases, on thresholds. Lemma 18, that no learner of
thresholds on ℝ does with o(1/α) public points, and with it T15, is about all algorithms (`BCMNUW20:L18`).

The text cites the reduction. That it has to release the rate of labels, P(y = 1), is a note of ours.
"""

from collections.abc import Iterator
from functools import partial
from math import log

import numpy as np

from harness.claims.abm19.t import ENOUGH, WITHIN_ALPHA
from harness.claims.bcmnuw20.l18 import Unshown
from harness.claims.engine import Claim, Computed, Condition, Number, Quote, among
from harness.covers.line import Line
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import Problem, ReleaseRequest, Site
from harness.theory.constants.bcmnuw20 import PRINTED
from harness.transfer.release_learner import SHARES, ReleaseLearner

LEARNER = ReleaseLearner()
BETA, DELTA, EPS = 0.05, 1e-6, 1.0
A_THOUSANDTH = Condition(
    "a thousandth of what it asks for", ("n", "needed"), lambda first: bool(0.0009 <= first["n"] / first["needed"] <= 0.00101)
)
ALPHAS = (0.1, 0.01, 0.001, 1e-4)


def _examples() -> Iterator[Number]:
    """n' of the learner for α against n·ln(1/(αβ))/(α²β), with n of one release for α on as many public points."""
    for alpha in ALPHAS:
        size, request = LEARNER.size(alpha, BETA), ReleaseRequest(alpha, BETA, EPS, DELTA, PRINTED)
        release = LEARNER.mechanism.needed(size, request.halved())
        assert release is not None
        of_learner = LEARNER.examples(alpha, BETA, EPS, DELTA)
        yield Number(f"n', α = {alpha:g}", of_learner, release * log(1 / (alpha * BETA)) / (alpha**2 * BETA))


def _parts() -> Iterator[Number]:
    """n' against 32(n + ln(1/β)/α²) for the same n, at the ε that a release has here: examples serve both releases."""
    for alpha in ALPHAS:
        size = LEARNER.size(alpha, BETA)
        release = LEARNER.mechanism.needed(size, ReleaseRequest(alpha, BETA, SHARES[0] * EPS, DELTA / 2, PRINTED).halved())
        assert release is not None
        of_learner = LEARNER.examples(alpha, BETA, EPS, DELTA)
        yield Number(f"n', α = {alpha:g}", of_learner, 32 * (release + log(1 / BETA) / alpha**2))


def _spends(noises: int) -> Iterator[Number]:
    """The ε of two releases, each at δ/2, and of so many releases of the rate, against ε."""
    for m, n in ((10, 10**4), (1000, 10**6)):
        cover, rng = ThresholdQueries().cover(Line(), np.arange(1, m + 1) / (m + 1)), np.random.default_rng(1)
        site = Site(cover, n, cover.private(n, rng))
        request = ReleaseRequest(0.1, BETA, SHARES[0] * EPS, DELTA / 2, PRINTED)
        spent = LEARNER.mechanism.release(Problem(request, site, True, lambda site=site: site), rng).spent  # type: ignore[misc]
        assert spent is not None
        yield Number(f"ε of both releases and the rate, m = {m}, n = {n:g}", 2 * spent + noises * SHARES[1] * EPS, EPS)


THEOREM = Quote(
    "BCMNUW20 §5 (Lemma 17)",
    "Let ℋ ⊆ {±1}^𝒳 be any class of binary functions. If there exists an (α, β, ε, δ) PAP query-release algorithm for ℋ with "
    "private sample complexity n and public sample complexity m, then there exists an (O(α), O(β), O(ε), O(δ)) PAP learner for "
    "ℋ with private sample complexity n′ = O(n log(1/αβ)/α²β), and public sample complexity m.",
)
OWN = "not in the papers: "

CLAIMS = (
    Claim(
        "BCMNUW20:L17",
        "BCMNUW20 Lemma 17",
        "From an (α, β, ε, δ) PAP query-release algorithm with n and m samples one has an (O(α), O(β), O(ε), O(δ)) PAP learner "
        "with n′ = O(n log(1/αβ)/α²β) and m, for every class.",
        decider=Unshown("it is about every class and release, and hides its constants; run is one of each (L17-thresholds)"),
        expected="untested",
        quote=THEOREM,
    ),
    Claim(
        "BCMNUW20:L17-thresholds",
        f"{OWN}the reduction of BCMNUW20 Lemma 17, run on thresholds",
        "With two releases that keep to 3α/8 but for a chance β each, and the rate of labels within α/8, at our own n′, the h "
        "of least estimated error has error at most γ + α with probability at least 1 − 3β; with the m of the releases.",
        where=(among("mechanism", "release_learner"), ENOUGH),
        decider=WITHIN_ALPHA,
        nature="ours",
        of="BCMNUW20:L17",
    ),
    Claim(
        "probe:BCMNUW20:L17-thousandth",
        "BCMNUW20 Lemma 17, run with a thousandth of n′",
        "Already at a thousandth of our n′ the h of least estimated error has error at most γ + α with probability at least "
        "1 − 3β. (False: the noise of the releases is too large by then.)",
        where=(among("mechanism", "release_learner"), A_THOUSANDTH),
        decider=WITHIN_ALPHA,
        expected="refuted",
        nature="probe",
        of="BCMNUW20:L17-thresholds",
    ),
    Claim(
        "BCMNUW20:L17-n",
        "BCMNUW20 Lemma 17, n′ with 1 for its constant",
        "n' is at most n ln(1/(αβ))/(α²β), for the n of one release, α from 0.1 to 10⁻⁴. (It is 1,500 times below at α = 0.1, "
        "and farther at smaller α: the reduction does not need the factors beside n, and so these numbers cannot tell them.)",
        decider=Computed(_examples),
        nature="reading",
        of="BCMNUW20:L17",
        quote=THEOREM,
    ),
    Claim(
        "BCMNUW20:L17-n-sharp",
        f"{OWN}the n′ that the reduction of BCMNUW20 Lemma 17 needs",
        "n' = O(n + ln(1/β)/α²), with 32 for its constant, α from 0.1 to 10⁻⁴: a release is of averages under D, so both have "
        "all examples.",
        decider=Computed(_parts),
        nature="ours",
        of="BCMNUW20:L17",
    ),
    Claim(
        "BCMNUW20:L17-privacy",
        f"{OWN}privacy of the reduction of BCMNUW20 Lemma 17 as it is run",
        "Two releases at 2ε/5 and δ/2, and Laplace noise of 5/(εn) on the rate of labels, are (ε, δ)-DP: twice the ε and δ of "
        "a release, and the rate.",
        decider=Computed(partial(_spends, 1)),
        nature="ours",
        of="BCMNUW20:L17",
    ),
    Claim(
        "probe:BCMNUW20:L17-privacy-two-rates",
        f"{OWN}privacy of the reduction of BCMNUW20 Lemma 17, with the rate of labels released twice",
        "The same with the rate of labels released for each of the two. (False: that is 6ε/5.)",
        decider=Computed(partial(_spends, 2)),
        expected="refuted",
        nature="probe",
        of="BCMNUW20:L17-privacy",
    ),
)
