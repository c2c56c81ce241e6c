"""BTT18 Lemma 3.3 and BTT18a Lemma 4.2 at B = 0: 'fewer than B/ξ' is 'fewer than 0'. All small tables are gone through."""

from fractions import Fraction
from itertools import product


def main() -> None:
    tables = 0
    for k, m in ((1, 1), (1, 3), (2, 2), (3, 3), (4, 2)):
        for bits in product((0, 1), repeat=k * m):
            rows = [bits[j * m : (j + 1) * m] for j in range(k)]  # 1 where a classifier errs
            wrong = [sum(row[i] for row in rows) for i in range(m)]
            B = max(sum(row) for row in rows)
            for xi in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)):
                many = sum(count > xi * k for count in wrong)
                assert many <= B / xi
                assert (many < B / xi) == (B > 0)  # strict wherever anybody errs, and false where nobody does
                tables += 1
    print(f"no classifier errs, B = 0: 0 queries are bad and 0 < 0/ξ is false; in {tables} cases ≤ holds, and < where B > 0")


if __name__ == "__main__":
    main()
