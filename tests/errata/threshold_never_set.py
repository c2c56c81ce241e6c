"""BTT18a Algorithms 6 to 8, line by line: the first comparison reads a ŵ to which nothing has been assigned."""

from random import Random

NOISE = Random(1)


def h_priv(assigned: dict[str, float], dist: float) -> float | None:
    """Algorithm 8, steps 3 to 7; ŵ is none of its inputs. assigned: what stands in some variable by now."""
    lam = assigned["λ"]
    if dist + NOISE.gauss(0, 2 * lam) > assigned["ŵ"]:  # step 4
        return 0.5
    assigned["ŵ"] = assigned["w"] + NOISE.gauss(0, lam)  # step 7
    return None


def sl_quer(as_algorithm_3: bool) -> float | None:
    """Algorithm 6: step 1, c, λ, w and AUX = {GenHist, γ, λ, w}, and step 4 of the first query."""
    assigned = {"c": 0.0, "λ": 1.0, "w": 10.0, "γ": 0.1}
    if as_algorithm_3:
        assigned["ŵ"] = assigned["w"] + NOISE.gauss(0, assigned["λ"])  # ŵ ← w + Lap(λ)
    return h_priv(assigned, dist=1000.0)


def main() -> None:
    missing = ""
    try:
        sl_quer(as_algorithm_3=False)
    except KeyError as error:
        missing = str(error.args[0])
    assert missing == "ŵ"
    assert sl_quer(as_algorithm_3=True) == 0.5
    print("Algorithm 6 as printed: step 4 of Algorithm 8 reads ŵ before any step sets it")


if __name__ == "__main__":
    main()
