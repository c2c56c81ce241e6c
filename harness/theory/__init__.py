"""Pure functions of the papers: parameters, PAC bounds, fixed points and confidence. No randomness, no files.

Sources are cited by short names throughout the project:

- `BTT18`: Bassily, Thakkar, Thakurta, *Model-Agnostic Private Learning*, NeurIPS 2018.
- `BTT18a`: the same authors, *Model-Agnostic Private Learning via Stability*, arXiv 1803.05101.
- `DR14`: Dwork, Roth, *The Algorithmic Foundations of Differential Privacy*, 2014.

What people use today is cited in full where it is used: Balle and Wang 2018 for Gaussian noise, Papernot et al. 2018 for PATE.

Logarithms are natural unless written log2. Symbols are the papers': n private examples are split into k chunks of s = ⌊n/k⌋;
m queries are answered; γ is the best error in the class, α the learner's excess error, β the failure probability, T the
cutoff on ⊥ answers, λ and w the noise scale and the threshold of the sparse vector.
"""
