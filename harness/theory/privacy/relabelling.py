"""What it costs to relabel examples by one of their own dichotomies, and what a random part of the examples saves.

Let h be drawn from one hypothesis a dichotomy of the n points, by e^(−tilt·mistakes), and let A, which is (ε, δ)-DP, see the
points with the labels of h. Let two data sets differ in one example, and take a dichotomy z of the n − 1 others. Each data set
has one or two dichotomies that extend z, of as many mistakes as z or one more. So of a common weight w(z) they have together
between e^(−tilt) and 1 + e^(−tilt) times that, and the chances of z differ by a factor of (1 + e^tilt)² at most. Given z, the
relabelled data sets differ in one example, whichever extensions they have. Together

    P(A ∈ E) = Σ_z P(z) P(A ∈ E | z) ≤ Σ_z P(z) (e^ε P'(A ∈ E | z) + δ) ≤ (1 + e^tilt)² e^ε P'(A ∈ E) + δ.

Beimel, Nissim, Stemmer 2015 have (ε + 3, 4eδ) at tilt = ½, where this is (ε + 1.95, δ). However small the tilt is, ln 4 is
paid. So for a small ε it is run on a random part of the examples: of a share q, without replacement, what is (ε, δ)-DP on the
part is (ln(1 + q(e^ε − 1)), qδ)-DP (Balle, Barthe, Gaboardi 2018 Theorem 9).
"""

from math import exp, expm1, inf, log1p


def dichotomies(tilt: float) -> float:
    """The ε that it costs to choose a dichotomy of a sample with a chance in proportion to e^(−tilt·mistakes)."""
    return 2 * log1p(exp(tilt))


def of_a_part(share: float, eps: float) -> float:
    """The ε of running what is (`eps`, δ)-DP on a random share of the examples only; δ becomes share·δ."""
    return log1p(share * expm1(eps)) if eps < inf else inf


def largest_share(eps: float, inner: float) -> float:
    """The largest random share of the examples on which what is (`inner`, δ)-DP becomes (`eps`, share·δ)-DP."""
    return min(1.0, expm1(eps) / expm1(inner))
