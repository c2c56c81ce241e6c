"""How small constants can be over a whole range of m, T, ε, δ and β: exact laws, and searches that can miss nothing.

- `ranges`: a setting, a range of settings, the corners of one.
- `bounds`: the largest value of a function over a box, by branch and bound.
- `answered`: stable queries answered; the least k, and the constants of the distances that are asked for.
- `private`: (ε, δ)-DP; the least λ and w that an accountant certifies.
- `cutoff`: T = 3B on votes that are split.
"""

from harness.theory.least.ranges import STANDARD, ConstantSetting, Extreme, Range

__all__ = ["STANDARD", "ConstantSetting", "Extreme", "Range"]
