"""Privacy that is measured: runs on neighbours show a lower end for the ε that a mechanism really spends.

One half of the runs finds an event that is likelier on one of two neighbours (`rankings`), the other half, fresh runs, bounds
its two probabilities (`measure`; Ding, Wang, Wang, Zhang, Kifer 2018; Bichsel, Steffen, Bogunovic, Vechev 2021). The pairs of
neighbours come from the mechanisms and from their sort of answer.
"""
