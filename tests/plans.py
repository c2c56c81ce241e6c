"""Plans as tests need them: of a given chunk size, with nothing solved for."""

from harness.theory.fixed_point import Plan


def plan_of(s: int, T: float = 3.0) -> Plan:
    """A plan with s examples a chunk and the cutoff T; what it claims is of no matter."""
    return Plan(n=s, k=1, s=s, alpha=1.0, bound=None, reason="made by hand", T=T, lam=1.0, w=1.0)
