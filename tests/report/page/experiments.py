"""Experiments whose report is looked at: plain, hostile, with a counterexample, and a search for n*."""

HOSTILE = """</title></style><script>window.broken = 1</script><img src=x onerror="window.broken = 2">"'&amp;{{ 7 * 7 }}"""
SPECS: dict[str, dict[str, str | None]] = {
    "small": {},
    "hostile": {
        "title": f'"{HOSTILE.replace(chr(34), chr(92) + chr(34))}"',
        "question": f'"{HOSTILE.replace(chr(34), chr(92) + chr(34))}"',
        "learner": "leftmost",
        "m": "20",
        "figure": "{x: m}",
    },
    "cutoff": {
        "distribution": "split",
        "concept": "ensemble",
        "learner": None,
        "n": None,
        "m": "40",
        "T": "[1, 3.5]",
        "trials": "50",
        "mechanisms": "[A_binClas]",
        "claims": '["BTT18:A2-cutoff", "BTT18:A2-cutoff-repaired"]',
        "figure": "{plot: means, x: T, y: bottoms, finding: {says: 'At most {high} ⊥', numbers: {high: most(bottoms)}}}",
    },
    "search": {
        "kind": "sample_complexity",
        "title": "n*",
        "learner": None,
        "n": None,
        "m": None,
        "trials": "1",
        "alpha": "[0.05, 0.1]",
        "error": "0.1",
        "budget": "20",
        "mechanisms": "[A_Priv_pac, non_private]",
        "claims": '["BTT18:R3"]',
        "figure": "{plot: complexity, x: alpha, y: n_star}",
    },
}
