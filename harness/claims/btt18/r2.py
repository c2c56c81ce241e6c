"""BTT18 Remark 2: if Θ minimises the empirical risk, fewer public points are enough."""

from harness.claims.btt18.t4_2 import FORMS
from harness.claims.engine import (
    Claim,
    Complexity,
    FixedPointN,
    Quote,
    confident,
    error_within,
    fifteen_alpha,
    learned,
    learned_consistently,
    needs,
    promising,
    realizable,
)

PRINTED = Quote(
    "BTT18 §4, p. 8 (Remark 2)",
    "In Theorem 4.2, if Θ is an ERM learner, then the value of m can be reduced to Õ(V/α). Hence, the resulting sample "
    "complexity would be n = Õ(V^{3/2}/εα), saving us a factor of 1/√α.",
)

CLAIMS = (
    Claim(
        "BTT18:R2",
        "BTT18 Remark 2",
        "If Θ is an ERM, m = Õ(V/α) points and n = Õ(V^(3/2)/(εα)) examples suffice: the least n is at most that of the "
        "explicit fixed point.",
        where=promising("A_Priv_erm"),
        decider=Complexity({"alpha": 1, "V": 1.5, "eps": 1}),
        quote=PRINTED,
    ),
    Claim(
        "BTT18:R2-free",
        "BTT18 Remark 2, for the algorithm with any T",
        "With T, and k from it, chosen freely, the least n at which A_Priv learns on m = Õ(V/α) points is at most that of the "
        "explicit fixed point.",
        where=promising("A_Priv_erm_free"),
        decider=Complexity({"alpha": 1, "V": 1.5, "eps": 1}),
        nature="reading",
        of="BTT18:R2",
        quote=PRINTED,
    ),
    Claim(
        "BTT18:R2-error",
        "BTT18 Remark 2",
        "In T4.2, if Θ minimises the empirical risk, m = Õ(V/α) points are enough for err(ĥ) ≤ 15α; here the least m from "
        "which Θ learns consistent labels to α.",
        where=(*learned("A_Priv_erm"), realizable(), confident()),
        decider=error_within(fifteen_alpha),
        of="BTT18:R2",
        quote=PRINTED,
    ),
    Claim(
        "BTT18:R2-form",
        "BTT18 Remark 2, n",
        "If Θ is an ERM, m = Õ(V/α), and the explicit fixed point asks for n = Õ(V^(3/2)/(εα)).",
        decider=needs(FORMS["Remark 2"], FixedPointN(points=learned_consistently, order=(1, 1)), **FORMS),
        nature="reading",
        of="BTT18:R2",
        quote=PRINTED,
    ),
)
