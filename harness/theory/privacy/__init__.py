"""What a mechanism really spends: the least ε at which it is (ε, δ)-DP, for the δ that is claimed.

Two neighbouring datasets differ in one example. It lies in one of the k chunks, so one vote on each query may change, and all
that the output depends on is a table of vote counts a dataset: gaps, winners and distances to instability. Everything here is
about pairs of such tables; nothing is sampled.

- `stab`: one A_stab, exactly, over all pairs.
- `sparse_vector`: one epoch of A_OQR or A_sparseVec, from a fresh threshold to its first ⊥, by quadrature.
- `distance`: distances to instability, and how far one changed vote moves them.
- `composition`: what n pure or Laplace mechanisms spend and each of them may; what an event shows that n epochs spend.
- `gaussian`: the exact curve of Gaussian noise. `gnmax`: Rényi accounting of GNMax, data-independent and not.
- `calibration`: how λ and w follow from what is claimed, one entry for each source or repair.
- `witness`: a pair of tables and an event that show how much is spent at least.
- `spent`: a certified upper bound and a demonstrated lower bound for a whole run.
- `laplace`: tails of the noise.

Ranges: ε in [0.1, 10], δ in [1e-9, 0.1], m up to 10⁷, T up to 10⁵. Nothing checks them; beyond them the tolerances do not hold.
"""
