"""The page of figures with the specs that they are drawn by."""

from harness.docs.markdown import escaped
from harness.report.experiments import known_experiments

INTRODUCTION = """\
Every committed figure, with its question and its spec. `harness run` of the spec makes its table and the figure again.
"""
ROOT = "../../.."


def page() -> str:
    """The Markdown of the page of figures: a section for each experiment."""
    parts = [INTRODUCTION]
    for sweep in known_experiments():
        spec, name = sweep.spec, sweep.name
        parts.append(
            f"## {escaped(name)}\n\n{escaped(spec.question)}\n\n![{escaped(spec.title)}]({ROOT}/figures/{name}.png)\n\n"
            f"Plot `{spec.figure.plot}`, kind `{spec.kind}`: [experiments/{name}.yaml]({ROOT}/experiments/{name}.yaml)\n"
        )
    return "\n".join(parts)
