"""A_SL-Quer (BTT18a Algorithms 6 to 8): the midpoint of the bin with the most predictions, tested for stability on the
γ-partition, and where that fails on the half-shifted one."""

from math import sqrt

import numpy as np

from harness.arrays import Ints
from harness.mechanisms import whole_blocks
from harness.mechanisms.scoring import Answered, ScorePlan, ScoreRequest, Scoring, promised, trials_of
from harness.mechanisms.scoring.histograms import MOST_BINS, Histograms, half_edges
from harness.mechanisms.scoring.two_tests import two_tests
from harness.scores import Scorer
from harness.theory.constants.btt18a_scores import whole_width
from harness.theory.privacy.scores import score_spent_upper

COARSEST = 0.5


class ASLQuer(Scoring):
    """A_SL-Quer: the midpoint of the bin with the most predictions, where one of two tests finds the histogram stable, else ⊥.

    A_PrvLearn is the division into chunks (Algorithm 7), H_Priv the two tests of one query (Algorithm 8).
    """

    name = "A_SL_Quer"
    source = "BTT18a Algorithm 6"
    legend = "A_SL-Quer (histogram stability)"
    private = True

    def plan(self, request: ScoreRequest) -> ScorePlan:
        task, constants = request.task, request.constants
        k = request.chunks or constants.k(task)
        s = request.n // k
        alpha = request.alpha(s) if s else None
        needed = None if alpha is None else constants.width(alpha, s, request.nu)
        width = request.width if request.width is not None else COARSEST if needed is None else whole_width(needed)
        bound, reason = self._promised(request, k, s, alpha, width)
        return ScorePlan(
            n=request.n,
            k=k,
            s=s,
            alpha=alpha,
            width=width,
            bound=bound,
            reason=reason,
            noise={"lam": constants.lam(task), "w": constants.w(task), "cutoff": constants.cutoff(task)},
            accounting=lambda: score_spent_upper(constants, task),
        )

    @staticmethod
    def _promised(request: ScoreRequest, k: int, s: int, alpha: float | None, width: float) -> tuple[float | None, str | None]:
        """Theorem 5.14's bound, γ/2 and what the constants add to it, where its hypotheses on k and γ are met."""
        if alpha is None:
            return promised(np.inf, request.n, k)
        least, needed = request.constants.k(request.task), request.constants.width(alpha, s, request.nu)
        if needed > COARSEST:
            return None, f"the bins would be {needed:.3g} wide, and there are none wider than ½"
        if k < least:
            return None, f"k = {k} is less than the {least} chunks that are asked for"
        if width < needed * (1 - 1e-9):
            return None, f"bins of width {width:.3g} are narrower than 16α√(2n') + ν = {needed:.3g}"
        return promised(width / 2 + request.constants.beyond * alpha * sqrt(2 * s), request.n, k)

    @whole_blocks
    def answer(
        self, plan: ScorePlan, scorer: Scorer, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        assert plan.width is not None
        bins = np.full(scorer.types, round(1 / plan.width), np.int64)
        return self.by_widths(plan, scorer, bins, sizes, votes, noise)

    def by_widths(
        self,
        plan: ScorePlan,
        scorer: Scorer,
        bins: Ints,
        sizes: Ints,
        votes: np.random.Generator,
        noise: np.random.Generator,
    ) -> Answered:
        """Scores with so many bins for each type, (q,): the per-query precision of Section 5."""
        assert 2 * int(bins.max()) * len(bins) <= MOST_BINS
        halves = scorer.counts(votes, plan.s, plan.k, half_edges(bins), trials_of(sizes))
        return self.tested(plan, Histograms(halves, bins), sizes, noise)

    @staticmethod
    def tested(plan: ScorePlan, seen: Histograms, sizes: Ints, noise: np.random.Generator) -> Answered:
        """Answers to sizes[i] queries of each histogram seen, (…, q)."""
        plain, shifted, drawn = seen.plain, seen.shifted, plan.noise
        passed = two_tests(plain.distance, shifted.distance, sizes, drawn["lam"], drawn["w"], int(drawn["cutoff"]), noise)
        scores = np.array(
            [
                np.where(passed.first > 0, plain.midpoint, np.nan),
                np.where(passed.second > 0, shifted.midpoint, np.nan),
            ]
        )
        low, high = np.fmin(*scores), np.fmax(*scores)
        return Answered(low, high, passed.first, passed.second, passed.bottoms, passed.unanswered, seen)


MECHANISM = ASLQuer()
