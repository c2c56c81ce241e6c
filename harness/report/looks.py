"""Which hue and marker each mechanism and construction has, in every figure: a hue is a family, a hue with a marker one of it.

Two of a family may share a hue only where they never stand in one figure, or where each row of that says whose it is.

Hues are Okabe and Ito's first, and others that a screen's few colours keep apart. Sets of constants, measures and values of an
axis are no mechanisms: they have places on a scale of their own, from dark to light.
"""

from collections.abc import Mapping

BLUE, SKY, NAVY, TEAL = "#0072B2", "#56B4E9", "#101085", "#44AA99"
VERMILION, AMBER, WINE, MAROON = "#D55E00", "#E69F00", "#882255", "#6E2A0C"
GREEN, OLIVE, LIME, MOSS, MINT = "#009E73", "#7A7A00", "#66B814", "#344908", "#00E083"
PINK, MAGENTA, PLUM = "#CC79A7", "#B01090", "#70205F"
VIOLET, ORCHID, LAVENDER = "#5A1EA8", "#7A66E6", "#A99BDD"
INK, GREY = "#3B3B3B", "#8A8A8A"
BROWN, SAND, RUST = "#8C6D31", "#C2A15A", "#A55A10"

LOOKS: Mapping[str, tuple[str, str]] = {
    # answers that are stable, at the distance to instability: blue
    **{"A_binClas": (BLUE, "o"), "A_Priv": (BLUE, "o"), "A_SL_Quer": (BLUE, "o")},
    **{"A_OQR": (SKY, "s"), "A_sparseVec": (NAVY, "^"), "A_subSamp": (TEAL, "h")},
    **{"gaussian_sparse_vector": (MINT, "^"), "exponential_sparse_vector": (PLUM, "v")},
    **{"online/A_OQR": (SKY, "s"), "online/A_subSamp": (TEAL, "h")},  # as audits call those that queries come to one by one
    **{"A_Priv_erm": (SKY, "D"), "A_Priv_pac": (NAVY, "P"), "A_Priv_free": (TEAL, "<")},
    **{"A_stab_per_query": (MAROON, "*"), "A_Priv_estimated": (MAROON, "P"), "A_Priv_erm_free": (OLIVE, ">")},
    **{"label_private": (WINE, "X"), "A_Priv_relabelled": (TEAL, "s"), "A_Priv_relabelled_noisy_majority": (NAVY, "o")},
    # Laplace noise on every answer, by advanced composition: orange
    **{"noisy_majority": (VERMILION, "s"), "A_Priv_noisy_majority": (VERMILION, "s"), "laplace_averages": (VERMILION, "v")},
    **{"A_Priv_erm_noisy_majority": (AMBER, "v"), "report_noisy_max": (AMBER, "X"), "noisy_majority_t320": (WINE, "<")},
    # Gaussian noise: green
    **{
        "gaussian": (GREEN, "D"),
        "gaussian_argmax": (GREEN, "D"),
        "gaussian_mean": (GREEN, "D"),
        "gaussian_averages": (GREEN, "D"),
    },
    **{"GNMax": (OLIVE, "v"), "Confident_GNMax": (LIME, "P")},
    **{"gaussian_tree": (OLIVE, "<"), "gaussian_sums": (LIME, "*"), "private_grid": (LIME, ">")},
    **{"square_root_sums": (MOSS, "o"), "gaussian_histogram": (MINT, "s"), "factorised_averages": (LIME, "D")},
    # the exponential mechanism: pink
    **{"exponential": (PINK, "P"), "exponential_few": (MAGENTA, "D"), "exponential_on_m": (PINK, "D")},
    **{"exponential_mechanism": (PINK, "*"), "median_exponential": (PINK, "v"), "permute_and_flip": (PLUM, "^")},
    "noisy_max_exponential": (PLUM, "o"),
    # private training: rust, from noise on what is learned to noise on every gradient
    **{"output_perturbation": (RUST, "s"), "objective_perturbation": (BROWN, "o")},
    **{"noisy_descent": (SAND, "v"), "dp_sgd": (MAROON, "X")},
    # multiplicative weights: violet
    **{"A_PAP": (VIOLET, "X"), "A_PAP_calibrated": (ORCHID, "h"), "PMW": (ORCHID, "P")},
    "PMW_calibrated": (ORCHID, "v"),
    **{"mwem": (LAVENDER, "o"), "mwem_public": (LAVENDER, "^"), "release_learner": (VIOLET, "v")},
    # not private: dark grey
    **dict.fromkeys(("majority", "plurality", "mean", "exact_averages", "non_private"), (INK, "^")),
    "single_learner": (GREY, ">"),
    # public points alone: brown
    **{"public_averages": (BROWN, "h"), "public_alone": (BROWN, "h")},
    # what is not private either, but made to be attacked
    **{
        "all_averages": (RUST, "h"),
        "grid_averages": (SAND, "s"),
        "rounded_averages": (WINE, "^"),
        "published_rows": (MAROON, "D"),
    },
}
"""Colour and marker of all that a trial may have a row of, by its name. What is one thing has one look under every name."""

SPARE = ("#00DDDD", "#FF5FA0", "#C8B400", "#005500")
"""Hues for mechanisms of users' files, each with other markers."""

HATCHES: Mapping[str, str] = {
    **{
        "o": "",
        "s": "///",
        "D": "\\\\\\",
        "h": "..",
        "X": "xx",
        "<": "---",
        ">": "|||",
        "^": "++",
        "v": "oo",
        "P": "**",
        "*": "OO",
    },
}
"""How the area of a mechanism on a map is hatched, by its marker."""

PLACES: Mapping[str, tuple[float, str, str]] = {
    # constants: as printed, repaired, as small as they can be
    **dict.fromkeys(("printed", "BTT18", "BTT18a", "BCMNUW20"), (0.0, "o", "")),
    **dict.fromkeys(("corrected", "repaired"), (0.3, "D", "")),
    "lean": (0.55, "^", ""),
    **dict.fromkeys(("tight", "k_tight"), (0.8, "v", "")),
    "sparse_vec": (1.0, "s", "sparse vector"),
    "A_stab_printed": (0.0, "o", "A_stab, as printed"),
    "A_stab_corrected": (0.3, "D", "A_stab, corrected"),
    "A_binClas_epoch": (0.8, "^", "A_binClas, an epoch"),
    # measures of stability
    "on_average": (0.0, "o", "on average"),
    "uniform": (0.6, "s", "uniform over permutations, from below"),
    "coins": (1.0, "^", "two coins"),
}
"""Of sets of constants and of measures: place on the scale, marker, and what figures call them if not by their name.

Uniform stability, the largest over all data sets, is known from below alone.
"""
