"""What audits have measured stands beside what is certified and what is declared."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness import check, run
from harness.report import seen
from harness.report.mathematics import typeset
from harness.report.plan import Calculation
from harness.report.replay import Address
from harness.report.seen import SeenByAudit, measured_of, share_of, told_measured
from harness.report.spending import marks
from harness.report.summary import escaped
from harness.sweep import plugins
from harness.trials.cell import Planned
from tests.audits.test_command import CARELESS
from tests.report.test_vouched import CLAIM
from tests.support.project import Here

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC = {
    "name": "audited",
    "title": "Audits",
    "question": "What is seen?",
    "kind": "audit",
    "seed": 1,
    "trials": 2,
    "eps": [1, 5],
    "m": 1,
    "runs": 500,
    "mechanisms": ["gaussian", "online/A_OQR", "majority"],
    "claims": ["audit:kept"],
    "figure": {"plot": "measured", "x": "eps", "y": "lower"},
}


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    yield
    _unloaded()


def _unloaded() -> None:
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_the_largest_share_that_a_committed_audit_saw_is_told(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.report.cost.Probe", Here)
    monkeypatch.setattr(Here, "measure", lambda self, *of, **more: None)  # what it will cost is not asked
    measured = run(SPEC, serial=True, out="seen")
    table = Path("seen/audited.parquet")
    rows = measured.frame[measured.frame["mechanism"] == "gaussian"]
    best = rows.iloc[(rows["lower"] / rows["claimed"]).argmax()]
    told = measured_of("gaussian", table)
    assert told == SeenByAudit(best["lower"], best["claimed"], best["eps"], 1e-6, 1, 1e-3) and told.share > 0.1
    assert measured_of("majority", table) is measured_of("my_noise", table) is measured_of("gaussian", Path("none")) is None
    assert share_of("gaussian") is None  # of no spec of this folder
    monkeypatch.setattr(seen, "measured_of", lambda name: measured_of(name, table))
    share = f"{told.share:.0%}"
    assert told_measured(["gaussian", "my_noise"]).endswith(f"in a setting of theirs: gaussian {share}.")
    assert told_measured(["online/A_OQR", "gaussian"]).endswith(f": gaussian {share}, of the others nothing.")
    assert told_measured(["online/A_OQR"]).endswith(": nothing.") and told_measured(["my_noise"]) == ""


def test_a_plan_says_what_was_measured_beside_what_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    found = SeenByAudit(0.5, 2.0, 5.0, 1e-6, 1, 1e-6)
    for module in ("plan", "seen"):
        monkeypatch.setattr(f"harness.report.{module}.measured_of", lambda name: found if name == "gaussian" else None)
    told = Calculation(Planned(m=100, n=10**9)).json["mechanisms"]
    assert told["gaussian"]["measured"] == found.json and told["gaussian"]["spent_by"] == "certified"
    assert told["A_binClas"]["measured"] is None


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_plugin_that_spends_more_than_it_says_is_told_at_the_end_of_its_first_run(
    project: "Project", harness: "Harness"
) -> None:
    """By the claim, whose lower ends are right all at once, and without it: 5 of 5 audits, each with a chance of 0.001."""
    Path("my_noise.py").write_text(CARELESS, encoding="utf-8")
    keys = {key: str(value).replace("'", "") for key, value in SPEC.items() if key not in ("name", "figure")}
    keys |= {
        "figure": "{x: eps, y: lower}",
        "eps": "1",
        "trials": "5",
        "runs": "500",
        "mechanisms": "[my_noise]",
        "claims": "[]",
    }
    none = dict.fromkeys(("n", "concept", "distribution", "learner"))
    project.spec("mine", **keys | none)
    said = harness("run", "experiments/mine.yaml", "--serial", "--plugin", "my_noise.py")
    assert said.code == 0 and "my_noise breaks its own bound in mine, in 5 of 5 trials" in said.out + said.err
    project.spec("mine", **keys | none | {"claims": '["audit:kept"]'})
    said = harness("check", "experiments/mine.yaml", "--plugin", "my_noise.py", "--no-reference")
    assert said.code == 1 and "refuted" in said.out


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_what_audits_of_ones_own_saw_is_below_verdicts_in_legends_and_in_frames(project: "Project", harness: "Harness") -> None:
    """Of a plugin, by a spec of one's own, until the plugin is another."""
    plugin = Path("my_noise.py")
    plugin.write_text(CARELESS, encoding="utf-8")
    keys = {key: str(value).replace("'", "") for key, value in SPEC.items() if key not in ("name", "figure")}
    keys |= {
        "figure": "{x: eps, y: lower}",
        "eps": "5",
        "runs": "500",
        "mechanisms": "[my_noise, noisy_majority]",
        "claims": "[]",
    }
    project.spec("mine", **keys | dict.fromkeys(("n", "concept", "distribution", "learner")))
    assert harness("run", "experiments/mine.yaml", "--serial", "--plugin", "my_noise.py").code == 0
    spec = project.spec(mechanisms="[my_noise, noisy_majority]", claims='["MINE:none"]')
    Path("claim.py").write_text(CLAIM, encoding="utf-8")
    given = ("--plugin", "my_noise.py", "--plugin", "claim.py")
    ran = harness("run", spec, "--serial", *given)
    table = Path("results/runs/mine.parquet")
    own, other = (measured_of(name, table) for name in ("my_noise", "noisy_majority"))
    assert own is not None and own.share > 2 and other is not None and 0 < other.share < 1
    said = f"in a setting of theirs: my_noise {own.share:.2g} times, noisy_majority {other.share:.0%}."
    asked = ("check", spec, "--no-reference", *given)
    printed = harness(*asked, "--latex", "--summary", "summary.md")
    for each in (ran, harness(*asked)):
        assert said in " ".join(each.out.split()), each
    assert typeset(said) in printed.out and escaped(said) in Path("summary.md").read_text("utf-8")
    rows = project.rows()
    assert marks(rows) == {"my_noise": f"ε as declared, audits see {own.share:.2g} times as much"}
    frame = check(spec, reference=False, plugins=["my_noise.py", "claim.py"]).frame
    assert set(frame["audited"][frame["mechanism"] == "noisy_majority"]) == {other.share}
    plugin.write_text(CARELESS.replace("1e-9", "1e-8"), encoding="utf-8")
    _unloaded()
    again = harness("plan", "--n", "1e9", "--m", "100", "--plugin", "my_noise.py")
    assert "my_noise" in again.out and "Measured by audits" not in again.out, again


def test_specs_of_audits_are_told_by_their_kind_and_a_table_that_is_damaged_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text, told in (
        ("a", "kind: audit\n", True),
        ("b", "title: x\nkind: 'audit'\n", True),
        ("c", "kind: audited\n", False),
    ):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        assert seen._is_of_audits(tmp_path / f"{name}.yaml") == told
    assert not seen._is_of_audits(tmp_path / "none.yaml") and not seen._is_of_audits(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"no table")
    assert seen._best(tmp_path / "a.parquet", 1) == seen._best(tmp_path / "none.parquet", 0) == ({}, {})
    assert measured_of("gaussian", tmp_path / "a.parquet") is None and seen._changed(tmp_path / "none.parquet") == 0

    def lost(*of: object, **more: object) -> str:
        raise OSError

    monkeypatch.setattr(Path, "read_text", lost)
    assert not seen._is_of_audits(tmp_path / "a.yaml")


def test_an_audit_of_a_plugin_says_nothing_of_another_that_has_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sweep.run.provenance.of_plugins", lambda: {"mine": "digest"})
    made: list[dict[str, str]] = [{}, {"mine": "digest"}, {"mine": "another"}, {"other": "digest"}]
    assert [seen._of_these_plugins(each) for each in made] == [True, True, False, False]


def test_a_row_of_a_mechanism_with_a_stroke_in_its_name_has_an_address() -> None:
    assert Address.parse("some/where/audited/0a1b/3/online/A_OQR") == Address("some/where/audited", "0a1b", 3, "online/A_OQR")
    assert Address.parse("cutoff/0a1b/3/A_binClas") == Address("cutoff", "0a1b", 3, "A_binClas")
