"""What trials refuse to run, each just where it begins, how many run at once, and what rules and columns say."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from harness.audits.measure import LEAST as FEWEST_RUNS
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.classifying import classifiers
from harness.mechanisms.scoring import scorings
from harness.refusal import Refusal
from harness.trials import answers, release, soft_labels
from harness.trials.audit import AuditCell
from harness.trials.audit import refuse as refuse_audit
from harness.trials.columns import Column
from harness.trials.concept_cell import MAX_N
from harness.trials.fields import Identified, Share, kept
from harness.trials.release_complexity import ReleaseSearch
from harness.trials.release_complexity import refuse as refuse_search
from harness.trials.rules import at_least, at_most, chunks_of_n, no_more, null_with, vacuous_without
from harness.trials.soft_labels import SoftLabelsCell

BINARY = next(name for name, each in mechanisms().items() if each.binary)
ANY_LABELS = next(name for name, each in mechanisms().items() if not each.binary)


def cell(labels: int = 2, n: int = 100, s: int = 5, singles: float = 1.0, **sized: Any) -> Any:
    """A cell of classification queries as far as a refusal reads it."""
    plan = SimpleNamespace(s=s, k=20, n=n)
    return SimpleNamespace(
        concept_class=SimpleNamespace(label_count=labels, name="many"),
        plan=lambda name: plan,
        solved=SimpleNamespace(n=n),
        sampler=lambda name: None,
        sample=SimpleNamespace(singles=lambda sampler, m, k, s: singles),
        refuse=lambda name: None,
        **{"n": None, "alpha": None, "T": None, "m": 1000, "eps": 0.5} | (sized or {"n": n}),
    )


@pytest.mark.parametrize(
    ("setting", "key", "said"),
    [
        (cell(labels=3), "mechanisms", f"{BINARY} is for two labels, many has 3 here; allowed: "),
        (cell(n=MAX_N + 1), "n", f"this needs n = {float(MAX_N + 1):.3g}; allowed: n ≤ {MAX_N:g}"),
        (cell(n=MAX_N + 1, alpha=0.1), "alpha", "this needs n = "),
        (cell(n=MAX_N + 1, T=3.0), "T", "this needs n = "),
        (cell(s=0), "n", f"n = 100 is less than the k = 20 chunks of {BINARY} at m = 1000, eps = 0.5; allowed: n ≥ 20"),
        (
            cell(singles=2e9),
            "m",
            "2e+09 of the m = 1e+03 queries would be drawn one by one: chunks of s = 5 may differ on them",
        ),
    ],
)
def test_what_answers_cannot_be_is_told_at_its_key(setting: Any, key: str, said: str) -> None:
    refused = answers.refuse(setting, BINARY)
    assert refused is not None and refused.parameter == key and said in refused.message


def test_answers_are_taken_up_to_what_is_refused() -> None:
    assert answers.refuse(cell(n=MAX_N, s=1, singles=1e9), BINARY) is None
    assert answers.refuse(cell(labels=3), ANY_LABELS) is None and answers.refuse(cell(labels=2), BINARY) is None
    refused = answers.refuse(cell(labels=3), BINARY)
    assert refused is not None and ANY_LABELS in refused.message.partition("allowed: ")[2].split(", ")
    assert BINARY not in refused.message.partition("allowed: ")[2].split(", ")


@pytest.mark.parametrize("name", [BINARY, next(iter(classifiers()))])
def test_what_has_no_sampler_is_told_as_the_cell_tells_it(name: str) -> None:
    said = Refusal("no such distribution", "distribution")
    setting = cell(singles=2e9)
    setting.refuse = lambda of: said
    assert answers.refuse(setting, name) is said


ROW: dict[str, Any] = {
    "T_target": None,
    "alpha_target": None,
    "n": 100,
    "k": 20,
    "k_scale": 1.0,
    "constants": "BTT18",
    "mechanism": "A_binClas",
    "pac_bound": "class",
    "T": 3.0,
}


@pytest.mark.parametrize(
    ("changes", "n", "T"),
    [
        ({}, "set by the spec", "3B(α), the least fixed point of α → T → k → α"),
        ({"alpha_target": 0.25}, "ks at the α = 0.25 of the spec", "3B(α)"),
        ({"T_target": 3.0}, "set by the spec", "set by the spec"),
        ({"T_target": 3.0, "n": 20}, "as many as there are chunks at the T of the spec", "set by the spec"),
    ],
)
def test_where_the_numbers_of_a_plan_come_from_is_told(changes: dict[str, Any], n: str, T: str) -> None:
    told = answers.origins(ROW | changes)
    assert (told["n"], told["T"], told["alpha"], told["bound"]) == (n, T, "class PAC bound", "T/m")
    assert answers.origins(ROW | {"T": None})["bound"] == "3B(α)/m"


def test_where_chunks_come_from_is_told_with_constants_and_their_scale_or_without() -> None:
    of = mechanisms()["A_binClas"]
    plain = answers.origins(ROW)["k"]
    assert plain.startswith(f"what {of.source} needs at the constants BTT18 (") and "times" not in plain
    for scale in (0.5, 2.0):
        assert answers.origins(ROW | {"k_scale": scale})["k"] == f"{plain}, times {scale:g}"
    assert answers.origins(ROW | {"mechanism": next(iter(classifiers()))})["k"] == "one classifier, of all examples"
    free = next(name for name, each in mechanisms().items() if each.takes != "constants")
    assert answers.origins(ROW | {"mechanism": free})["k"] == f"what {mechanisms()[free].source} needs"


def scores(**changes: Any) -> Any:
    """A cell of scores as far as a refusal reads it: of chunks that a scorer refuses below two examples."""

    def of_size(s: int) -> Refusal | None:
        return Refusal("too small", "n") if s < 2 else None

    asked = {
        "hard": None,
        "m": 10,
        "n": 100,
        "s": 5,
        "k": 20,
        "sampling": "sufficient",
        "points": 2,
        "refuse": of_size,
    } | changes
    plan = SimpleNamespace(s=asked["s"], k=asked["k"], width=0.05)
    by_law = SimpleNamespace(refuse=asked["refuse"], types=asked["points"], by_law=lambda s, bins: asked["sampling"] != "full")
    distribution = SimpleNamespace(shares=np.full(asked["points"], 1 / asked["points"]))
    return SimpleNamespace(**asked, plan=lambda name: plan, scorer=by_law, distribution=distribution)


AVERAGES = next(name for name, each in scorings().items() if each.averages)


@pytest.mark.parametrize(
    ("changes", "key", "said"),
    [
        ({"hard": 11}, "hard", "hard = 11 queries of the last point, and there are m = 10; allowed: at most m"),
        ({"hard": 9, "points": 1}, "hard", "hard = 9 queries of the last point, and there is no other point"),
        ({"s": 0}, "n", "n = 100 is less than k = 20, the chunks of A_SL_Quer; allowed: n ≥ 20"),
        ({"s": 1}, "n", "too small"),
        ({"refuse": lambda s: Refusal("a learner", "learner") if s == 100 else None}, "learner", "a learner"),
        ({"refuse": lambda s: Refusal("a learner", "learner") if s == 5 else None}, "learner", "a learner"),
        ({"k": 2**24 + 1}, "T", "k = 16777217 chunks of A_SL_Quer; allowed: at most 16,777,216, or sampling: poisson"),
    ],
)
def test_what_scores_cannot_be_is_told_at_its_key(changes: dict[str, Any], key: str, said: str) -> None:
    refused = soft_labels.refuse(scores(**changes), "A_SL_Quer")
    assert refused is not None and (refused.parameter, refused.message.startswith(said)) == (key, True)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"hard": 10, "points": 1}, "A_SL_Quer"),
        ({"hard": 9}, "A_SL_Quer"),
        ({"s": 2, "k": 2**24}, "A_SL_Quer"),
        ({"k": 2**25, "sampling": "poisson"}, "A_SL_Quer"),
        ({"k": 2**25}, AVERAGES),
        ({"refuse": lambda s: Refusal("too many", "n") if s == 100 else None}, "A_SL_Quer"),
    ],
)
def test_scores_are_taken_up_to_what_is_refused(changes: dict[str, Any], name: str) -> None:
    assert soft_labels.refuse(scores(**changes), name) is None


@pytest.mark.parametrize(
    ("changes", "trials"),
    [
        *[({}, 64), ({"points": 2**7}, 51), ({"points": 2**14}, 1), ({"sampling": "full"}, 1)],
        *[({"s": 0}, 1), ({"s": 1}, 1), ({"s": 0, "refuse": lambda s: None}, 1), ({"s": 1, "refuse": lambda s: None}, 64)],
    ],
)
def test_scores_are_drawn_together_as_far_as_their_counts_fit_and_only_by_their_law(
    changes: dict[str, Any], trials: int
) -> None:
    """At most 64 trials; of 20 bins at each point by both partitions 2¹⁸ counts."""
    block: Any = SoftLabelsCell.__dict__["block"]
    assert block.func(scores(**changes)) == trials


def test_sizes_of_points_add_up_to_the_queries_with_the_hard_ones_last() -> None:
    rng = np.random.default_rng(2)
    of = SimpleNamespace(m=100, hard=None, distribution=SimpleNamespace(shares=np.array([0.5, 0.3, 0.2])))
    sizes: Any = SoftLabelsCell.sizes
    free = sizes(of, 2000, rng)
    assert free.shape == (2000, 3) and (free.sum(axis=1) == 100).all()
    assert np.abs(free.mean(axis=0) - [50, 30, 20]).max() < 1  # eight standard errors
    of.hard = 36
    some = sizes(of, 2000, rng)
    assert (some[:, 2] == 36).all() and (some.sum(axis=1) == 100).all()
    assert np.abs(some[:, :2].mean(axis=0) - [40, 24]).max() < 1
    of.distribution.shares = np.ones(1)
    assert sizes(of, 4, rng).tolist() == [[36]] * 4


@pytest.mark.parametrize(
    ("queries", "trials"), [(1, 256), (2**10, 256), (2**11, 128), (2**16, 4), (2**18, 4), (2**19, 2), (2**20, 1), (2**22, 1)]
)
def test_trials_of_releases_are_as_many_as_answers_fit(queries: int, trials: int) -> None:
    """At most 256, as many as 2¹⁸ answers make, and up to four of 2²⁰."""
    of: Any = SimpleNamespace(sampling="sufficient", grid_cover=SimpleNamespace(queries=queries))
    assert release.together(of, 0) == trials and release.together(of, 1) == 1
    of.sampling = "full"
    assert release.together(of, 0) == 1


def test_a_search_for_public_points_begins_among_those_that_are_tried() -> None:
    def of(**changes: Any) -> ReleaseSearch:
        return ReleaseSearch.model_validate({"alpha": 0.1, "find": "m", "n": 10**6} | changes)

    most = of().most()
    assert refuse_search(of(start=most), "A_PAP") is None
    refused = refuse_search(of(start=most + 1), "A_PAP")
    assert refused is not None and refused.parameter == "start" and f"allowed: at most {most:,}" in refused.message
    blind = refuse_search(ReleaseSearch.model_validate({"alpha": 0.1, "find": "n", "m": 10}), "public_averages")
    assert blind is not None and blind.parameter == "mechanisms" and "looks at no private point" in blind.message
    none = refuse_search(of(n=0), "PMW")
    assert none is not None and none.parameter == "n" and "n = 0 means none" in none.message


def test_an_audit_of_too_few_runs_or_of_what_cannot_be_audited_is_refused() -> None:
    def of(**changes: Any) -> AuditCell:
        return AuditCell.model_validate({"runs": FEWEST_RUNS} | changes)

    assert refuse_audit(of(), "gaussian") is None
    few = refuse_audit(of(runs=FEWEST_RUNS - 1), "gaussian")
    assert few is not None and few.parameter == "runs" and str(FEWEST_RUNS) in few.message
    for ends in ({"eps": 0.1}, {"eps": 10.0}, {"delta": 1e-9}, {"delta": 0.1}):
        assert refuse_audit(of(**ends), "A_stab_printed") is None
    for key, beyond in (("eps", 0.09), ("eps", 10.1), ("delta", 9e-10), ("delta", 0.11)):
        unknown = refuse_audit(of(**{key: beyond}), "A_stab_printed")
        assert unknown is not None and unknown.parameter == key and f"are known for {key} from" in unknown.message
    other = refuse_audit(of(constants="BCMNUW20"), "gaussian")
    assert other is not None and other.parameter == "mechanisms" and "no constants 'BCMNUW20'" in other.message


NAN = float("nan")


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        (no_more("a", "b"), [((1, 1), True), ((1, 2), True), ((2, 1), False)]),
        (at_most("a", 2), [((2,), True), ((2 + 1e-9,), True), ((2 + 1e-8,), False)]),
        (at_least("a", 2), [((2,), True), ((3,), True), ((1.9999999,), False)]),
        (null_with("a", "b"), [((1, 1), True), ((NAN, NAN), True), ((NAN, 1), False), ((1, NAN), False)]),
        (
            null_with("a", "b", "c"),
            [((NAN, NAN, NAN), True), ((NAN, NAN, 1), False), ((NAN, 1, NAN), False), ((1, 1, NAN), False)],
        ),
        (chunks_of_n(), [((3, 15, 5), True), ((3, 19, 5), True), ((3, 21, 5), False), ((3, 14, 5), False), ((4, 20, 5), True)]),
        (vacuous_without("b"), [((1, NAN), True), ((0, 1), True), ((1, 1), False), ((0, NAN), False)]),
    ],
)
def test_a_rule_of_rows_is_kept_where_it_says(rule: Any, rows: list[tuple[tuple[float, ...], bool]]) -> None:
    columns = np.array([row for row, _ in rows], float).T
    assert rule.keeps(*columns).tolist() == [keeps for _, keeps in rows]
    assert rule.nulls == any(np.isnan(row).any() for row, _ in rows) and len(rule.columns) == len(columns)


@pytest.mark.parametrize(
    ("words", "row", "keeps"),
    [
        ("X = e^log_X, null from 700 on", (np.exp(699.5), 699.5), True),
        ("X = e^log_X, null from 700 on", (NAN, 699.5), False),
        ("X = e^log_X, null from 700 on", (NAN, 700), True),
        ("X = e^log_X, null from 700 on", (np.exp(700), 700), False),
        ("radius ≤ 1", (1.0,), True),
        ("radius ≤ 1", (1.001,), False),
        ("error ≤ 2", (2.0,), True),
        ("error ≤ 2", (2.001,), False),
        ("H ≥ 1", (1.0,), True),
        ("H ≥ 1", (0.0,), False),
        ("error_on_cover ≤ error ≤ error_on_cover + 2 radius", (0.1, 0.3, 0.1), True),
        ("error_on_cover ≤ error ≤ error_on_cover + 2 radius", (0.1, 0.301, 0.1), False),
        ("error_on_cover ≤ error ≤ error_on_cover + 2 radius", (0.1, 0.099, 0.1), False),
        ("updates ≤ ⌈c⌉", (3.0, 2.1), True),
        ("updates ≤ ⌈c⌉", (4.0, 3.0), False),
        ("halted just where updates make c releases, one or two each", (1.0, 2.0, 4.0), True),
        ("halted just where updates make c releases, one or two each", (1.0, 1.0, 3.0), False),
        ("halted just where updates make c releases, one or two each", (0.0, 2.0, 4.0), True),
        ("halted just where updates make c releases, one or two each", (0.0, 4.0, 4.0), False),
    ],
)
def test_a_release_keeps_to_its_rules_up_to_their_limits(words: str, row: tuple[float, ...], keeps: bool) -> None:
    (rule,) = (rule for rule in release.RULES if rule.words == words)
    assert rule.keeps(*np.array([row]).T).tolist() == [keeps]


def test_rules_say_in_words_what_is_null_with_what() -> None:
    assert null_with("a", "b").words == "a is null just where b is" and chunks_of_n().words == "s = ⌊n/k⌋"
    assert null_with("a", "b", "c").words == "a is null just where b and c are"
    assert vacuous_without("most").words == "vacuous just where most is null"


def test_a_null_of_what_is_worse_the_more_is_the_best_or_the_worst() -> None:
    column = Column("a", "real", "measured", "how much", "A", null=True, worse=True)
    assert (column.null_is, column.but(null_best=True).null_is) == ("worst", "best")
    assert (column.but(null=False).null_is, column.but(worse=False).null_is) == ("", "")
    assert (column.heading, column.but(symbol="").heading, column.but(title="B").heading) == ("how much A", "how much", "B")
    assert [column.but(type=of).is_number for of in ("real", "whole", "truth", "text", "json")] == [True] * 3 + [False] * 2


def test_what_is_derived_of_a_cell_is_derived_once_a_name() -> None:
    class Counted(Identified, frozen=True):
        hashed_as = "Counted"
        share: Share = 0.0

    calls = list[str]()

    @kept
    def derived(cell: Counted, name: str) -> list[str]:
        calls.append(name)
        return [name]

    one, other = Counted(), Counted(share=0.5)
    assert derived(one, "a") is derived(one, "a") and derived(one, "b") == ["b"] and derived(other, "a") == ["a"]
    assert calls == ["a", "b", "a"] and one.bare() == one and not one.bare().derived
    assert Counted(share=1e-100).share == 1e-100
    with pytest.raises(ValidationError, match="0, or a number of at least 1e-100, is needed, not 1e-101"):
        Counted(share=1e-101)
