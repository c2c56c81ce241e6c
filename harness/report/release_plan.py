"""The calculator of release: how many public and private points, how large the cover, and what each alternative needs.

Public points leave half of α and of β to what is done on their cover. From n, or m, or both, it solves for α.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Any

from rich.console import Group
from rich.text import Text

from harness.concepts.covers import Size
from harness.mechanisms.accounts import spent_by
from harness.mechanisms.release import Release, releases
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.report.grids import Sheet
from harness.report.numerals import number
from harness.theory.constants.bcmnuw20 import least
from harness.trials.release_cell import ReleaseSetting

LEAST_ALPHA = 1e-9
STEPS = 60  # halvings of the range of ln α


@dataclass(frozen=True)
class ReleaseCalculation:
    """What the theory says at a setting. given_n: how many private points there are, where that is given."""

    setting: ReleaseSetting
    given_n: int | None = None

    @property
    def own(self) -> Release:
        """A_PAP, or PMW on the fixed grid where there are no public points."""
        return releases()["A_PAP" if self.setting.public else "PMW"]

    @property
    def n(self) -> int:
        """Private points."""
        return self.needed if self.given_n is None else self.given_n

    @property
    def needed(self) -> int:
        """What the constants ask for."""
        return self.setting.needed(self.own) or 0

    @property
    def size(self) -> Size:
        """The largest that the cover can be."""
        return self.setting.sizes

    @property
    def plan(self) -> PmwPlan:
        """PMW's own numbers."""
        asked, most = self.setting.on_cover, max(1, self.n)
        noise = asked.beta * asked.constants.noise
        accuracy = asked.alpha / asked.constants.share
        queries = max(1, int(min(self.size.queries, 1e300)))
        values = asked.constants.values
        return PmwPlan.of(queries, self.size.log_cells, most, accuracy, noise, asked.eps, asked.delta, values)

    @property
    def reason(self) -> str | None:
        """Why nothing is promised, or None."""
        setting = self.setting
        if setting.alpha >= ALL:
            return "at these numbers no error below 1 is promised, and G = 0 has error at most 1"
        if setting.public and (setting.explicit_m is None or setting.public < setting.explicit_m):
            asked = f"asks for m = {setting.explicit_m:,}" if setting.explicit_m else "asks for more than there is a number for"
            return f"m = {setting.public:,} public points are too few: for an α/4-cover the bound {asked}"
        if self.n < self.needed:
            return f"n = {self.n:,} private points are too few: {setting.constants} asks for {self.needed:,}"
        return None

    @property
    def alternatives(self) -> dict[str, dict[str, Any]]:
        """What each other mechanism needs by its own guarantee, on the same cover.

        n, m, whether it is private and by whose word, and the inequality that bounds the sample's error: of two the sharper.
        """
        setting, found = self.setting, {}
        for name, release in releases().items():
            if release is self.own or (release.needs_public and not setting.public):
                continue
            n, m = setting.needed(release, sharp=True), setting.public
            by: str | None = release.sample_by(setting.sizes, setting.sharp)
            if not release.needs_private:
                m = least(lambda m: setting.query_class.deviation(m, setting.alpha) > setting.beta) or 0
                by = setting.query_class.inequality
            found[name] = {"n": n, "m": m, "private": release.private, "spent_by": spent_by(name), "sample_by": by or None}
        return found

    def __rich__(self) -> Group:
        """What `harness plan` prints."""
        return _as_text(self)

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


def release_calculation(given: Mapping[str, Any]) -> ReleaseCalculation:
    """What is asked for, with α solved for where n or m or both stand in its place. Raises pydantic's ValidationError."""
    known = dict(given)
    if "alpha" in known:
        setting = ReleaseSetting.model_validate(known)
        return ReleaseCalculation(setting, setting.n)
    if "n" not in known and "m" not in known:
        return ReleaseCalculation(ReleaseSetting.model_validate(known))  # which says that alpha is missing
    low, high = log(LEAST_ALPHA), log(ALL)
    if not _promised(known, ALL):
        low = high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _promised(known, exp(middle)) else (middle, high)
    setting = ReleaseSetting.model_validate(known | {"alpha": exp(high)})
    return ReleaseCalculation(setting, setting.n)


def _promised(given: Mapping[str, Any], alpha: float) -> bool:
    setting = ReleaseSetting.model_validate({**given, "alpha": alpha})
    found = ReleaseCalculation(setting, setting.n)
    if setting.public and (setting.explicit_m is None or setting.public < setting.explicit_m):
        return False
    return found.n >= found.needed


def _as_text(calculation: ReleaseCalculation) -> Group:
    """The same as two small tables."""
    setting, found = calculation.setting, calculation.json
    budget = f"ε = {setting.eps:g}, δ = {setting.delta:g}, β = {setting.beta:g}"
    constants = setting.asked.constants
    heading = Text(
        f"release of {setting.query_class.name}, V = {setting.query_class.vc}, p = {setting.query_class.dual_vc}, "
        f"α = {setting.alpha:.4g}, {budget}\nconstants of {constants.name} ({constants.source}); cover: {setting.cover}\n"
    )
    derived = Sheet("", ("symbol", "value", "meaning"), numbers=("value",), headed=False)
    cells = "e^" + number(found["log_X"]) if found["X"] is None else f"{found['X']:,}"
    for symbol, value, meaning in (
        ("m", f"{found['m']:,}", "public points"),
        ("n", f"{found['n']:,}", f"private points, of {calculation.own.name}"),
        ("|H̃|", "too many to count" if found["H"] is None else f"{found['H']:,}", "queries in the cover, at most"),
        ("|X̃|", cells, "cells of the representative domain, at most"),
        ("c", number(found["c"]), "most releases of NumericSparse"),
        ("η", number(found["eta"]), "step of the weights"),
        ("T", number(found["threshold"]), "threshold of NumericSparse, as a share"),
    ):
        derived.add_row(Text(symbol, style="bold"), value, Text(meaning, style="dim"))
    notes = [Text(f"\nvacuous: {found['reason']}", style="yellow")] if found["vacuous"] else []
    heads = "mechanism", "n", "m", "sample by", ""
    compared = Sheet("\nwhat others need for the same error", heads, numbers=("n", "m"))
    for name, needs in found["alternatives"].items():
        n = "no guarantee" if needs["n"] is None else f"{needs['n']:,}"
        compared.add_row(name, n, f"{needs['m']:,}", needs["sample_by"] or "–", NOTES[needs["spent_by"]])
    return Group(heading, derived, *notes, compared)
