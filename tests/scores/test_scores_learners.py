"""Learners of scores: closed forms of means and of stability against brute force, rules of steps, and what is refused."""

from itertools import product

import numpy as np
import pytest

from harness.arrays import Labels
from harness.scores import Learner, Scorer, instances, learners
from harness.scores.atoms import ScoreAtoms
from harness.scores.beyond_c import BeyondC
from harness.scores.means import LabelMeans
from harness.scores.proba import Proba
from harness.scores.replacement import places
from harness.scores.sgd import Sgd

SHARED = ScoreAtoms(masses=(0.4, 0.35), chances=(0.3, 0.8))
NONE = np.zeros(0, np.int64)


def every_chunk(instance: ScoreAtoms, s: int) -> tuple[np.ndarray, Labels, np.ndarray]:
    """All chunks of s examples, (s, chunks) points and labels, and their probabilities."""
    examples = list(product(range(len(instance.law)), (0, 1)))
    chunks = np.array(list(product(examples, repeat=s)))  # (chunks, s, 2)
    points, labels = chunks[..., 0].T, chunks[..., 1].T.astype(np.int8)
    chance = instance.chance(points)
    each = instance.law[points] * np.where(labels == 1, chance, 1 - chance)
    return points, labels, each.prod(axis=0)


@pytest.mark.parametrize("learner", [LabelMeans(), Sgd(eta=0.3), Sgd(eta=1.0)], ids=["means", "constant", "last"])
def test_closed_forms_are_those_of_all_chunks(learner: Learner) -> None:
    """E h and α² of Definition 5.7: every chunk of three examples, and every way to replace one of them."""
    s = 3
    points, labels, chance = every_chunk(SHARED, s)
    scores = learner.fit(SHARED, points, labels, np.zeros(points.shape[1], np.int64))
    np.testing.assert_allclose(chance @ scores, Scorer(SHARED, learner, "full").means(s), atol=1e-12)
    at = {chunk: i for i, chunk in enumerate(zip(map(tuple, points.T), map(tuple, labels.T), strict=True))}
    squares = np.zeros(2)
    for j in range(s):
        for x, y in product(range(3), (0, 1)):
            p = SHARED.law[x] * (SHARED.chance(np.array(x)) if y else 1 - SHARED.chance(np.array(x)))
            now, told = points.copy(), labels.copy()
            now[j], told[j] = x, y
            other = [at[chunk] for chunk in zip(map(tuple, now.T), map(tuple, told.T), strict=True)]
            squares += float(p) / s * (chance @ (scores - scores[other]) ** 2)
    found = learner.changes(SHARED, s)
    assert found is not None
    np.testing.assert_allclose(found, squares, rtol=1e-12)
    assert Scorer(SHARED, learner).stability(s) == pytest.approx(np.sqrt(squares.max()))


def test_stability_of_means_at_any_size() -> None:
    """α = √(2p(1 − p)/q)/n' but for lower orders; exact where all examples fall on the atom."""
    for s in (1, 7, 10**4, 10**14):
        assert Scorer(ScoreAtoms(chances=(0.3,)), LabelMeans()).stability(s) == pytest.approx(np.sqrt(0.42) / s, rel=1e-9)
    for s in (10**6, 10**9, 10**14):
        assert Scorer(ScoreAtoms(masses=(0.4,), chances=(0.3,)), LabelMeans()).stability(s) == pytest.approx(
            np.sqrt(0.42 / 0.4) / s, rel=10 / s
        )


def test_stability_of_constant_steps_at_any_size() -> None:
    for s in (10**4, 10**14):
        found = Scorer(ScoreAtoms(chances=(0.3,)), Sgd(eta=0.1)).stability(s)
        assert found == pytest.approx(np.sqrt(0.42 * 0.1 / (1.9 * s)), rel=1e-9)


@pytest.mark.parametrize("order", ["given", "permuted"])
def test_steps_of_1_over_t_on_one_atom_are_the_mean(order: str) -> None:
    rng = np.random.default_rng(1)
    labels = (rng.random((40, 9)) < 0.3).astype(np.int8)
    points, coins = np.zeros(labels.shape, np.intp), rng.integers(2**62, size=9)
    found = Sgd(steps="inverse", order=order).fit(ScoreAtoms(), points, labels, coins)
    np.testing.assert_allclose(found[:, 0], labels.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(LabelMeans().fit(ScoreAtoms(), points, labels, coins), found, atol=1e-12)


@pytest.mark.parametrize("steps", ["constant", "sqrt", "inverse"])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_all_chunks_at_once_are_learned_as_one_by_one_as_printed(steps: str, loss: str) -> None:
    """Two passes in an order of each chunk's own, with a regulariser, against scalars."""
    learner = Sgd(loss=loss, steps=steps, eta=0.4, gamma=0.5, ridge=0.2, passes=2, order="permuted")
    instance, rng = BeyondC(), np.random.default_rng(3)
    points = instance.draw(rng, (12, 5))
    labels, coins = instance.labels(rng, points), rng.integers(2**62, size=5)
    together = learner.fit(instance, points, labels, coins)
    for chunk in range(5):
        w, t, order = (instance.half if loss == "squared" else np.zeros(2)).tolist(), 0, np.random.default_rng(coins[chunk])
        for _ in range(2):
            for i in order.permutation(12).tolist():
                t += 1
                eta = {"constant": 0.4, "sqrt": 0.4 / t**0.5, "inverse": 1 / (0.5 * t)}[steps]
                x, y = instance.features(points[i, chunk]), int(labels[i, chunk])
                z = w[0] * x[0] + w[1] * x[1]
                pull = (z if loss == "squared" else 1 / (1 + np.exp(-z))) - y
                w = [each - eta * (pull * along + 0.2 * each) for each, along in zip(w, x.tolist(), strict=True)]
        z = instance.features(instance.asked) @ w
        expected = np.clip(z, 0, 1) if loss == "squared" else 1 / (1 + np.exp(-z))
        np.testing.assert_allclose(together[chunk], expected, atol=1e-12)


def test_streamed_chunks_have_the_law_of_held_ones() -> None:
    """Means of 4000 chunks; off by five standard deviations with probability below 1e-6."""
    instance, learner = BeyondC(), Sgd(loss="logistic", steps="sqrt", eta=1.0)
    streamed = Scorer(instance, learner, "full").predictions(np.random.default_rng(1), 30, 4000)
    held = np.concatenate(list(Learner.drawn(learner, instance, "full", np.random.default_rng(2), 30, 4000)))
    deviation = np.hypot(streamed.std(axis=0), held.std(axis=0)) / np.sqrt(4000)
    assert (np.abs(streamed.mean(axis=0) - held.mean(axis=0)) < 5.2 * deviation).all()


def test_the_texts_example_labels_by_the_sign_of_x_and_noise() -> None:
    """Both edges and both ends, 10⁵ labels each; false with probability below 1e-9."""
    instance, rng, size = BeyondC(), np.random.default_rng(1), 10**5
    drawn = instance.draw(rng, (size,))
    assert (np.abs(drawn) >= 1).all() and (np.abs(drawn) <= 2).all()
    for x, p in zip(instance.asked, instance.truth, strict=True):
        ones = np.count_nonzero(x + rng.normal(0, np.sqrt(1 / 8), size) > 0) / size
        assert abs(ones - p) <= 7 * np.sqrt(max(p * (1 - p), 1e-7) / size) + 1e-4
    np.testing.assert_allclose(instance.features(drawn) @ instance.half, 0.5, atol=1e-12)
    assert (np.linalg.norm(instance.features(drawn), axis=1) <= 1 + 1e-12).all()


def test_any_classifier_with_probabilities_is_a_learner() -> None:
    scorer = Scorer(BeyondC(), Proba(estimator="linear_model.LogisticRegression", parameters='{"C": 10}'))
    scores = scorer.predictions(np.random.default_rng(1), 60, 5)
    assert scores.shape == (5, 4) and (np.diff(scores) > 0).all()
    counted = scorer.counts(np.random.default_rng(1), 60, 5, np.tile([0.5], (4, 1)))
    assert counted.tolist() == [[5, 0], [5, 0], [0, 5], [0, 5]]
    always = Proba(estimator="linear_model.LogisticRegression").fit(
        BeyondC(), np.ones((3, 1)), np.ones((3, 1), np.int8), np.zeros(1, np.int64)
    )
    assert (always == 1).all()


@pytest.mark.parametrize(
    ("scorer", "said"),
    [
        (Scorer(BeyondC(), LabelMeans()), "means has one weight an atom, and beyond_c has none; allowed: atoms"),
        (Scorer(ScoreAtoms(), Sgd(loss="logistic"), "sufficient"), "no sampling 'sufficient' of sgd on atoms; allowed: full"),
        (Scorer(ScoreAtoms(), Sgd()), "a chunk of s = 1e+12 examples would be drawn; allowed: at most 8,388,608"),
        (Scorer(ScoreAtoms(), Proba(estimator="svm.LinearSVC")), "LinearSVC has no predict_proba, so it predicts no score"),
    ],
)
def test_what_is_refused(scorer: Scorer, said: str) -> None:
    refusal = scorer.refuse(10**12)
    assert refusal is not None and refusal.message.startswith(said)


def test_every_registered_learner_keeps_scores_between_0_and_1() -> None:
    for instance in instances().values():
        for learner in learners().values():
            if learner is not Proba and learner().refuse(instance(), 9) is None:
                scorer = Scorer(instance(), learner(), "full")
                scores = scorer.predictions(np.random.default_rng(1), 9, 50)
                assert scores.shape == (50, scorer.types) and (scores >= 0).all() and (scores <= 1).all()
                assert instance().shares.sum() == pytest.approx(1)


def test_weights_make_up_for_where_examples_are_replaced() -> None:
    """The mean weighted indicator of each place is 1/s; false with probability below 1e-9, and no weight is above 3."""
    s, pairs = 8, 200_000
    j, weights = places(s, pairs, np.random.default_rng(1))
    assert weights.max() <= 3
    for place in range(s):
        seen = np.where(j == place, weights, 0.0)
        assert abs(seen.mean() - 1 / s) < 6.5 * seen.std() / np.sqrt(pairs)


@pytest.mark.parametrize(
    "chances", [[[-0.2, 0.7]] * 4, [[0.2, 1.2]] * 4, [[0.5, 0.5]] * 3, [[1.0]] * 4], ids=["below", "above", "few", "one"]
)
def test_a_classifier_of_scores_that_are_no_probabilities_is_an_error(
    chances: list[list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Strange:
        def fit(self, x: object, y: object) -> None:
            pass

        def predict_proba(self, x: object) -> list[list[float]]:
            return chances

    monkeypatch.setattr("harness.scores.proba.named_class", lambda name: Strange)
    with pytest.raises(ValueError, match="must predict two probabilities for each of 4 points"):
        Proba(estimator="strange").fit(BeyondC(), np.ones((2, 1)), np.array([[0], [1]], np.int8), np.zeros(1, np.int64))


@pytest.mark.parametrize(
    ("s", "parameters", "said"), [(60, "{}", None), (9, '{"n_neighbors": 10}', "does not learn from 9 examples: ")]
)
def test_a_classifier_of_scores_is_tried_before_it_runs(s: int, parameters: str, said: str | None) -> None:
    refused = Proba(estimator="neighbors.KNeighborsClassifier", parameters=parameters).refuse(BeyondC(), s)
    assert (refused is None) if said is None else (refused is not None and said in refused.message)


def test_what_a_classifier_of_scores_complains_of_is_told_but_not_at_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    class Complains:
        said = ""

        def fit(self, x: object, y: object) -> None:
            raise ValueError(self.said)

        def predict_proba(self, x: object) -> None:
            pass

    monkeypatch.setattr("harness.scores.proba.named_class", lambda name: Complains)
    for said, told in (("?" * 400, "?" * 300), ("", "ValueError")):
        Complains.said = said
        refused = Proba(estimator="strange").refuse(BeyondC(), 9)
        assert refused is not None and f"from 9 examples: {told};" in refused.message


def test_a_descent_is_named_by_what_is_not_as_usual() -> None:
    assert str(Sgd()) == "sgd(squared, constant 0.1)"
    assert str(Sgd(loss="logistic", steps="sqrt", eta=0.5, passes=1, order="permuted")) == "sgd(logistic, sqrt 0.5, permuted)"
    assert str(Sgd(steps="inverse", gamma=0.25, ridge=0.1, passes=2)) == "sgd(squared, inverse 0.25, ridge 0.1, 2 passes)"
