"""The median of the k predictions by the exponential mechanism, on a grid of cells."""

from functools import partial
from math import ceil, inf, log, sqrt

import numpy as np
from scipy.special import softmax

from harness.arrays import Ints
from harness.mechanisms import whole_blocks
from harness.mechanisms.scoring import Answered, ScorePlan, ScoreRequest, Scoring, promised, trials_of
from harness.scores import Scorer
from harness.theory.constants.btt18a_scores import NEAR, near_chunks
from harness.theory.privacy.composition import compose_pure, pure_share

CELLS = 1 << 10
"""Of the grid: an answer is the middle of one."""


class MedianExponential(Scoring):
    """The median of each query's k predictions, by the exponential mechanism on a grid of cells of [0, 1].

    A cell is worth minus the distance of k/2 from the ranks that its points have; one prediction moves that by at most 1.

    Weights are e^{ε₀u/2}, with ε₀ such that m pure ε₀-DP mechanisms are (ε, δ)-DP together. Where k/6 is more than what u is
    short of 0, and 2k/3 predictions are within 4α√(2n') of their mean, the chosen cell has a point that is.
    """

    name = "median_exponential"
    source = "McSherry, Talwar 2007"
    legend = "median, exponential mechanism"
    private = True

    def plan(self, request: ScoreRequest) -> ScorePlan:
        task = request.task
        share = pure_share(task.eps, task.m, task.delta)
        short = 2 / share * log(2 * CELLS * task.m / task.beta)
        k = request.chunks or max(ceil(6 * short) + 1, near_chunks(task.beta / (2 * task.m)))
        s = request.n // k
        alpha = request.alpha(s) if s else None
        bound, reason = promised(inf if alpha is None else NEAR * alpha * sqrt(s) + 0.5 / CELLS, request.n, k)
        if k <= 6 * short:
            bound, reason = None, f"k = {k} is not more than {6 * short:.4g}"
        return ScorePlan(
            n=request.n,
            k=k,
            s=s,
            alpha=alpha,
            width=1 / CELLS,
            bound=bound,
            reason=reason,
            noise={"share": share},
            accounting=partial(compose_pure, share, task.m, task.delta),
        )

    @whole_blocks
    def answer(
        self, plan: ScorePlan, scorer: Scorer, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        edges = np.tile(np.arange(1, CELLS) / CELLS, (scorer.types, 1))
        counts = scorer.counts(votes, plan.s, plan.k, edges, trials_of(sizes))
        below = np.cumsum(counts, axis=-1)
        before = below - counts
        short = np.maximum(0, np.maximum(before - plan.k / 2, plan.k / 2 - below))
        chances = softmax(-plan.noise["share"] / 2 * short, axis=-1)
        chosen = noise.multinomial(sizes, chances) > 0
        low, high = chosen.argmax(axis=-1), CELLS - 1 - chosen[..., ::-1].argmax(axis=-1)
        return Answered.all_of((low + 0.5) / CELLS, (high + 0.5) / CELLS, sizes)


MECHANISM = MedianExponential()
