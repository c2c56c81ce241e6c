"""BTT18 Claim 4.1, the last inequality of its proof: false where γ is more than about five times α. Intervals throughout."""

from typing import Any

from mpmath import iv


def sides(alpha: str, ratio: int) -> tuple[Any, Any, Any]:
    """β + 3(α+γ+√((α+γ) ln(m/β)/(2m))) and 3γ + 7α at β = α, γ = ratio·α and the least m allowed, and 3(α+γ)."""
    a = iv.mpf(alpha)
    b, gamma = a, ratio * a
    m = 4 * iv.log(1 / (a * b)) / a
    root = iv.sqrt((a + gamma) * iv.log(m / b) / (2 * m))
    return b + 3 * (a + gamma + root), 3 * gamma + 7 * a, 3 * (a + gamma)


def main() -> None:
    left, right, markov = sides("0.01", 6)
    assert left > right
    assert markov < right  # what holds by Markov's inequality, for every m
    easy, room, _ = sides("0.01", 1)
    assert easy < room  # and at γ = α the step is right
    a = iv.mpf("0.01")  # with α+γ under the fraction line, as the display has it, at γ = 0
    under = a + 3 * (a + iv.sqrt(iv.log(4 * iv.log(1 / a**2) / a**2) / (8 * iv.log(1 / a**2))))
    assert under > 18 * 7 * a
    for alpha in ("0.1", "0.01", "1e-3", "1e-6", "1e-12"):
        left_, right_, _ = sides(alpha, 7)
        assert left_ > right_
    said = f"{float(left.mid):.4f} > {float(right.mid):.4f} = 3γ + 7α at α = β = 0.01, γ = 0.06, m = 3,684"
    print(f"{said}; by Markov's inequality 3(α+γ) = {float(markov.mid):.2f}")


if __name__ == "__main__":
    main()
