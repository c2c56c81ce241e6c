"""What was found, in ten sentences: each answers a question that people have, and is the title of a figure or of the registry.

A sentence is about an experiment of experiments/. Where its table is not there, or is not as its spec says, it is not said.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.report.headline import FallenError, finding
from harness.report.stored import Stored

ERRATA = "errata"


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question and its answer. place: id of what shows it in the report's page; where: a word for that, as `figure`."""

    question: str
    answer: str
    place: str
    where: str


def answered(stored: Mapping[str, Stored], errata: str) -> Iterator[AnsweredQuestion]:
    """The questions that stored tables answer, with the answers. stored: by experiment.
    errata: how many there are, by severity.
    """
    for experiment, question in QUESTIONS.items():
        answer = answer_to(stored[experiment]) if experiment in stored else None
        if answer is not None:
            yield AnsweredQuestion(question, answer, f"experiment-{experiment}", "figure")
    if errata:
        yield AnsweredQuestion("Where do the papers not hold as printed?", f"By severity: {errata}.", ERRATA, "errata")


def answer_to(stored: Stored) -> str | None:
    """The sentence with a stored table's finding; None where its spec has none, or the rows do not make it true."""
    spec = stored.sweep.spec.figure.finding
    try:
        return None if spec is None else f"{finding(stored.table.cells, spec)}."
    except FallenError:
        return None


QUESTIONS: Mapping[str, str] = {
    "misclassification_vs_n": "Does the main theorem hold, and how loose is it?",
    "privacy_grid": "Is the algorithm private?",
    "utility_transition": "How small can k, the number of chunks, be?",
    "crossover": "When is it worth it to pay for unstable votes alone?",
    "queries_answered_vs_alpha": "How many queries more than advanced composition?",
    "sample_complexity_vs_alpha": "What does privacy cost when a classifier is wanted?",
    "public_learner": "I can list the class; what then?",
    "release_n_vs_alpha": "Is private multiplicative weights worth it for averages?",
    "soft_label_error_vs_n": "Scores in place of labels?",
}
"""By experiment: what its finding answers."""
