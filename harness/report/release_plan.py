"""The calculator of release: how many public and private points, how large the cover, and what each alternative needs.

Public points leave half of α and of β to what is done on their cover. From n, or m, or both, it solves for α.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from harness.covers import Size
from harness.mechanisms.accounts import spent_by
from harness.mechanisms.release import Release, releases
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.report.grids import Sheet
from harness.report.numerals import number
from harness.report.worksheet import Worksheet, budget, halved, symbols, vacuous
from harness.theory.constants.bcmnuw20 import least
from harness.trials.release_cell import ReleaseSetting

LEAST_ALPHA = 1e-9
STEPS = 60  # halvings of the range of ln α


@dataclass(frozen=True)
class ReleaseCalculation(Worksheet):
    """The calculator's answer on a release at a setting.
    It is for as many private points as the constants ask for, where n is left open.
    """

    setting: ReleaseSetting

    @property
    def release(self) -> Release:
        """A_PAP, or PMW on the fixed grid where there are no public points."""
        return releases()["A_PAP" if self.setting.public else "PMW"]

    @property
    def n(self) -> int:
        """Private points."""
        return self.needed if self.setting.n is None else self.setting.n

    @property
    def needed(self) -> int:
        """The n that the constants ask for."""
        return self.setting.needed(self.release) or 0

    @property
    def size(self) -> Size:
        """The largest that the cover can be."""
        return self.setting.sizes

    @property
    def plan(self) -> PmwPlan:
        """PMW's own numbers."""
        task, n = self.setting.on_cover, max(1, self.n)
        noise = task.beta * task.constants.noise
        accuracy = task.alpha / task.constants.share
        queries = max(1, int(min(self.size.queries, 1e300)))
        values = task.constants.values
        return PmwPlan.of(queries, self.size.log_cells, n, accuracy, noise, task.eps, task.delta, values)

    @property
    def reason(self) -> str | None:
        """Why nothing is promised, or None."""
        setting = self.setting
        if setting.alpha >= ALL:
            return "at these numbers no error below 1 is promised, and G = 0 has error at most 1"
        if too_few_public(setting):
            needed = f"m = {setting.explicit_m:,}" if setting.explicit_m else "more than there is a number for"
            return f"m = {setting.public:,} public points are too few: for an α/4-cover the bound asks for {needed}"
        if self.n < self.needed:
            return f"n = {self.n:,} private points are too few: {setting.constants} asks for {self.needed:,}"
        return None

    @property
    def alternatives(self) -> dict[str, dict[str, Any]]:
        """What each other mechanism needs by its own guarantee, on the same cover.

        n, m, whether it is private and by whose word, and the inequality that bounds the sample's error: of two the sharper.
        """
        setting, needs = self.setting, {}
        for name, release in releases().items():
            if release is self.release or (release.needs_public and not setting.public):
                continue
            n, m = setting.needed(release, sharp=True), setting.public
            by: str | None = release.sample_by(setting.sizes, setting.sharp)
            if not release.needs_private:
                m = least(lambda m: setting.query_class.deviation(m, setting.alpha) > setting.beta) or 0
                by = setting.query_class.inequality
            needs[name] = {"n": n, "m": m, "private": release.private, "spent_by": spent_by(name), "sample_by": by or None}
        return needs

    def parts(self) -> Iterator[RenderableType]:
        """What the constants ask for, and what others need."""
        setting, numbers, constants = self.setting, self.json, self.setting.asked.constants
        yield Text(
            f"release of {setting.query_class.name}, V = {setting.query_class.vc}, p = {setting.query_class.dual_vc}, "
            f"α = {setting.alpha:.4g}, {budget(setting)}\n"
            f"constants of {constants.name} ({constants.source}); cover: {setting.cover}\n"
        )
        cells = "e^" + number(numbers["log_X"]) if numbers["X"] is None else f"{numbers['X']:,}"
        yield symbols(
            (
                ("m", f"{numbers['m']:,}", "public points"),
                ("n", f"{numbers['n']:,}", f"private points, of {self.release.name}"),
                ("|H̃|", "too many to count" if numbers["H"] is None else f"{numbers['H']:,}", "queries in the cover, at most"),
                ("|X̃|", cells, "cells of the representative domain, at most"),
                ("c", number(numbers["c"]), "most releases of NumericSparse"),
                ("η", number(numbers["eta"]), "step of the weights"),
                ("T", number(numbers["threshold"]), "threshold of NumericSparse, as a share"),
            )
        )
        yield from vacuous(self.reason)
        heads = "mechanism", "n", "m", "sample by", ""
        compared = Sheet("\nwhat others need for the same error", heads, numbers=("n", "m"))
        for name, needs in numbers["alternatives"].items():
            n = "no guarantee" if needs["n"] is None else f"{needs['n']:,}"
            compared.add_row(name, n, f"{needs['m']:,}", needs["sample_by"] or "–", NOTES[needs["spent_by"]])
        yield compared

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness plan --release --json`; numbers that do not exist are null."""
        plan, size = self.plan, self.size
        return {
            "alpha": self.setting.alpha,
            "m": self.setting.public,
            "n": self.n,
            "H": int(size.queries) if size.queries < 1e300 else None,
            "X": round(exp(size.log_cells)) if size.log_cells < log(1e15) else None,
            "log_X": size.log_cells,
            "c": plan.c,
            "eta": plan.eta,
            "threshold": plan.threshold,
            "vacuous": self.reason is not None,
            "reason": self.reason,
            "alternatives": self.alternatives,
        }


NOTES = {"certified": "", "declared": "private as its author declares", None: "not private"}
"""What is said of a mechanism, by whose word its ε′ is."""

ALL = 1 - 1e-6
"""An α of so much is as good as 1."""


def too_few_public(setting: ReleaseSetting) -> bool:
    """Whether the bound on public points asks for more of them than a setting has."""
    return bool(setting.public) and (setting.explicit_m is None or setting.public < setting.explicit_m)


def release_setting(options: Mapping[str, Any]) -> ReleaseSetting:
    """The setting of a release from a command's options; α is solved for where they give n or m, or both, and no α.
    Raises pydantic's ValidationError.
    """
    if "alpha" in options or ("n" not in options and "m" not in options):  # of none of them it says that alpha is missing
        return ReleaseSetting.model_validate(options)

    def refused(log_alpha: float) -> bool:
        calculation = ReleaseCalculation(ReleaseSetting.model_validate({**options, "alpha": exp(log_alpha)}))
        return too_few_public(calculation.setting) or calculation.n < calculation.needed

    high = log(ALL)
    _, high = halved(high if refused(high) else log(LEAST_ALPHA), high, STEPS, refused)
    return ReleaseSetting.model_validate({**options, "alpha": exp(high)})
