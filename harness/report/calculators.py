"""The calculators, each of which loads the theory that it needs and no other: what is asked is answered within a second."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from harness.registry import installed
from harness.sweep.errors import InputError
from harness.sweep.spec.complaints import first_complaint
from harness.sweep.spec.document import KeyPath
from harness.sweep.spec.document import value as yaml_value

if TYPE_CHECKING:
    from harness.report.advice.labels import Advice
    from harness.report.advice.race import Race
    from harness.report.crossover import Crossovers
    from harness.report.plan import Calculation
    from harness.report.release_plan import ReleaseCalculation
    from harness.report.score_plan import ScoreCalculation
    from harness.report.spec_plan import SpecPlan
    from harness.report.worksheet import Worksheet

Question = TypeVar("Question", bound=BaseModel)
Answer = TypeVar("Answer", bound="Worksheet")


def loaded(plugins: Sequence[str]) -> None:
    """Loads users' plugins, and those that are installed. Raises InputError."""
    if plugins or installed():
        from harness.sweep.plugins import bring

        bring(plugins)


def plan_spec(spec: Path, options: Mapping[str, str], changes: Sequence[str] = ()) -> "SpecPlan":
    """The plan of every mechanism in every cell of a spec. options, changes: values that take the place of the spec's own.

    Raises InputError.
    """
    from harness.report.experiments import spec_named
    from harness.report.running import overriding
    from harness.report.spec_plan import spec_plan

    return spec_plan(spec_named(spec), {**options, **overriding([], None, changes)})


def plan(*, plugins: Sequence[str] = (), **setting: Any) -> "Calculation":
    """The calculator: what the theory derives from m queries and n examples, or an error alpha, for every mechanism.

    Takes the parameters of `harness plan`: m, n or alpha, V, eps, delta, beta, gamma, concept, constants, pac_bound, learner.
    plugins: users' files, here and in all that follows. Raises InputError.

    >>> calculation = plan(m=1000, alpha=0.01)
    >>> calculation.solved.k, calculation.solved.vacuous
    (192903, False)
    """
    from harness.report.plan import Calculation
    from harness.trials.cell import Planned

    return answered(plugins, setting, Planned, Calculation)


def plan_release(*, plugins: Sequence[str] = (), **setting: Any) -> "ReleaseCalculation":
    """The calculator of release: m public and n private points for an error alpha, and what the alternatives need.

    Takes the parameters of `harness plan --release`: alpha, or n or m or both, p, V, eps, delta, beta, concept, constants,
    cover. Raises InputError.

    >>> calculation = plan_release(alpha=0.1)
    >>> calculation.json["m"], calculation.json["n"]
    (2723, 21005705)
    """
    from harness.report.release_plan import ReleaseCalculation, release_setting
    from harness.trials.release_cell import ReleaseSetting

    return answered(plugins, setting, ReleaseSetting, ReleaseCalculation, release_setting)


def plan_scores(*, plugins: Sequence[str] = (), **setting: Any) -> "ScoreCalculation":
    """The calculator of soft labels: k, λ, w, the bins' width and the bound at n examples, and what an average would cost.

    Takes the parameters of `harness plan --scores`: n, m, T, nu, eps, delta, beta, constants; and those of the kind of trial
    soft_labels. Without a distribution it is one atom, labelled 1 half of the time, and without a learner the mean of its
    labels. Raises InputError.

    >>> calculation = plan_scores(n=10**9)
    >>> calculation.json["k"], round(calculation.json["width"], 4), calculation.json["vacuous"]
    (16706, 0.0909, False)
    """
    from harness.report.score_plan import ScoreCalculation
    from harness.trials.soft_labels import SoftLabelsCell

    return answered(plugins, setting, SoftLabelsCell, ScoreCalculation)


def crossovers(*, plugins: Sequence[str] = (), **question: Any) -> "Crossovers":
    """Where paying only for unstable votes overtakes each baseline: the largest error of a learner at which it needs no more k.

    Takes the parameters of `harness plan --crossover`: m, eps, delta, beta, constants. Raises InputError.

    >>> crossed = [one for one in crossovers(m=10**6, constants="BTT18").every if one.baseline == "gaussian"]
    >>> {one.mechanism: f"{one.T:.2g}" for one in crossed}
    {'A_binClas': '17', 'exponential_sparse_vector': '2.2e+03', 'gaussian_sparse_vector': '3e+04'}
    """
    from harness.report import crossover

    return answered(plugins, question, crossover.CrossoverQuestion, crossover.crossovers)


def advise(*, plugins: Sequence[str] = (), **setting: Any) -> "Advice":
    """Which private mechanism to use for n examples, m queries and a learner by its learning curve; how many labels are wrong.

    Takes the parameters of `harness advise`: errs, one or several points such as "0.02@5000", or a mapping from examples to
    errors; n, m, eps, delta, beta, constants. What is certified by no accountant never wins. Raises InputError.

    >>> advice = advise(errs={5000: 0.02}, n=4e6, m=300, eps=2, delta=1e-7)
    >>> advice.wins.name, advice.wins.split.plan.k < 1000
    ('gaussian', True)
    """
    from harness.report.advice import labels

    return answered(plugins, setting, labels.LabelQuestion, labels.advice)


def advise_release(*, plugins: Sequence[str] = (), **setting: Any) -> "Race":
    """Which private mechanism to use for statistical queries, with n private and m public points; and how much it errs.

    Takes the parameters of `harness advise --release`: n, m, concept, distribution, grid, alpha, eps, delta, beta. A class and
    a distribution may be mappings, `{"name": "stumps", "d": 3}`. What is certified by no accountant never wins. Raises
    InputError.

    >>> advise_release(n=10**5, grid=50).wins.promised < 0.05
    True
    """
    from harness.report.advice import releases

    return answered(plugins, setting, releases.ReleaseQuestion, releases.advice)


def advise_classifier(*, plugins: Sequence[str] = (), **setting: Any) -> "Race":
    """Which private classifier to use for n examples: of a class that is known, or by a learner with a known learning curve.

    Takes the parameters of `harness advise --classifier`: with errs, n, m, eps, delta, beta, constants; else n, m, concept,
    distribution, learner, gamma, eps, delta, beta. m: public points. What is certified by no accountant never wins. Raises
    InputError.
    """
    from harness.report.advice import classifiers, labels, transfers

    if "errs" in setting:
        return answered(plugins, setting, labels.LabelQuestion, transfers.advice)
    return answered(plugins, setting, classifiers.ClassifierQuestion, classifiers.advice)


def answered(
    plugins: Sequence[str],
    setting: Mapping[str, Any],
    question: type[Question],
    answer: Callable[[Question], Answer],
    validate: Callable[[Mapping[str, Any]], Question] | None = None,
) -> Answer:
    """Loads users' plugins, validates a setting as a question, and gives a calculator's answer to this question.

    question: the model of what may be asked.
    validate: what makes a question of a setting, where more than its own fields does. Raises InputError.
    """
    loaded(plugins)
    parameters = with_parameters(setting)
    with validating(question, parameters):
        return answer((validate or question.model_validate)(parameters))


SAYING = {"concept": ("name",), "distribution": ("name",), "learner": ("name", "sklearn")}
"""What may be a mapping, a name with its parameters, by what says the name."""


def with_parameters(setting: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a setting in which a class, distribution or learner written as YAML in braces is parsed into a mapping.

    Raises InputError.
    """
    parameters = dict(setting)
    for key in SAYING:
        text = parameters.get(key)
        if isinstance(text, str) and text.lstrip().startswith("{"):
            try:
                mapping = yaml_value(text, "")
            except InputError as error:
                raise InputError(f"{error}; {BRACES}", option((key,))) from None
            if not isinstance(mapping, dict) or not any(isinstance(mapping.get(word), str) for word in SAYING[key]):
                raise InputError(f"{text!r} names nothing; {BRACES}", option((key,)))
            parameters[key] = mapping
    return parameters


BRACES = "allowed: a name, or a mapping in quotes, such as '{name: stumps, d: 3}'"


@contextmanager
def validating(model: type[BaseModel], setting: Mapping[str, Any]) -> Iterator[None]:
    """A context manager that raises an error in a setting as an InputError, which names the command-line option at fault."""
    for key in setting:
        if key not in model.model_fields:
            raise InputError(f"it has no say here; allowed: {', '.join(model.model_fields)}", f"--{key.replace('_', '-')}")
    try:
        yield
    except ValidationError as error:
        message, place = first_complaint(error)
        raise InputError(message, option(place)) from None


def option(place: KeyPath) -> str:
    """The option of `harness plan` that gave what stands at a place of a setting, as text; of several together, the first."""
    if place[:1] == ("constants",) and len(place) > 1 and place[1] != "from":
        return f"--with {place[1]}"
    return f"--{str(place[0]).replace('_', '-')}" if place else "--n"
