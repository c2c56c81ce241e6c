"""Constants as a spec gives them, what they come to, and what is said of those that cannot be."""

from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from harness.sweep.errors import InputError
from harness.sweep.spec import Sweep
from harness.trials.cell import Cell
from harness.trials.release_cell import ReleaseSetting

if TYPE_CHECKING:
    from tests.support.project import Project

AXIS = "{from: BTT18, c_k: [5, 10, 20, printed], c_lam: [8, printed]}"


def cell(constants: Any) -> Cell:
    return Cell(m=100, n=10**9, constants=constants)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"from": "BTT18", "c_k": 10, "c_lam": "8"}, "BTT18 with c_lam = 8, c_k = 10"),
        ({"c_lam": 8.0, "c_k": "1e1", "from": "BTT18"}, "BTT18 with c_lam = 8, c_k = 10"),
        ("BTT18 with c_k=10, c_lam=8", "BTT18 with c_lam = 8, c_k = 10"),
        ({"from": "BTT18 with c_k = 10", "c_lam": 8}, "BTT18 with c_lam = 8, c_k = 10"),
        ({"from": "BTT18 with c_k = 10", "c_k": 12}, "BTT18 with c_k = 12"),
        ({"from": "BTT18", "c_k": "printed", "c_lam": 32}, "BTT18"),
        ({"from": "BTT18"}, "BTT18"),
        ("tight", "tight"),
        ({"from": "BTT18", "c_majority": 3}, "BTT18 with c_majority = 3"),
    ],
)
def test_one_set_has_one_name_however_it_is_given(given: Any, name: str) -> None:
    assert cell(given).constants == name
    assert cell(given) == cell(name) and cell(given).identity == cell(name).identity


def test_what_changes_nothing_leaves_the_cell_as_it_was() -> None:
    """The identity that every committed row of such a cell has."""
    assert cell({"from": "BTT18", "c_k": "printed"}).identity == Cell(m=100, n=10**9).identity == "998a33612dcfbbcb"
    assert cell({"from": "BTT18", "c_k": 10}).identity != Cell(m=100, n=10**9).identity


def test_the_plan_is_that_of_the_changed_constants() -> None:
    given = ("BTT18", {"from": "BTT18", "c_k": 10})
    printed, changed = (Cell(m=100, n=10**9, T=3, constants=each).plan("A_binClas") for each in given)
    assert changed.k == pytest.approx(printed.k * 10 / (34 * 2**0.5), rel=1e-3)
    assert cell({"from": "BTT18", "c_majority": 3}).plan("noisy_majority").k == -(-cell("BTT18").plan("noisy_majority").k // 2)


def test_the_constants_of_release_can_be_changed() -> None:
    changed = ReleaseSetting(alpha=0.1, constants={"from": "BCMNUW20", "c_n": 400, "c_threshold": 1})
    assert changed.asked.constants.factor == 400 and changed.constants == "BCMNUW20 with c_n = 400, c_threshold = 1"


BAD = [
    ("{from: BTT18, c_q: 1}", "13: constants.c_q: no constant 'c_q' of BTT18; did you mean"),
    ("{from: BTT18, c_k: 0}", "13: constants.c_k: a number > 0, or printed, is needed, not 0"),
    ("{from: BTT18, c_k: -3}", "13: constants.c_k: a number > 0, or printed, is needed, not -3"),
    ("{from: BTT18, c_k: 1e12}", "13: constants.c_k: a number from 1e-09 to 1e+09, or printed, is needed, not '1e12'"),
    ("{from: BTT18, c_k: 34*sqrt(2)}", "such as 1000, 0.05 or 1e12, or printed, is needed, not '34*sqrt(2)'"),
    ("{from: BTT18, c_k: true}", "13: constants.c_k: a number, or printed, is needed, not True"),
    ("{from: BTT18, c_k: {geom: [1, 2, 3]}}", "13: constants.c_k: a number, or printed, is needed, not {'geom'"),
    ("{from: BTT18, c_gap: 3}", "13: constants.c_gap: 1 or 2, or printed, is needed, not 3"),
    ("{from: BTT18, c_delta: 0.5}", "13: constants.c_delta: a number from 1 to 1e+09, or printed, is needed, not 0.5"),
    ("{from: BTT19, c_k: 3}", "13: constants: no constants 'BTT19'; did you mean 'BTT18'?"),
    ("{c_k: 3}", "13: constants.from: this key is required; allowed: BTT18, BTT18a"),
    ("[BTT18, {from: tight, c_lam: 3}]", "13: constants.c_lam: no constant 'c_lam' of tight; did you mean"),
    ("BTT18 with c_k", "13: constants: a set of constants is named such as 'BTT18 with c_k = 10, c_lam = 8'"),
    ("7", "13: constants: text is needed, not 7"),
    ("{from: BTT18, c_k: []}", "13: constants.c_k: a number, or printed, is needed, not []"),
    ("[BTT18, {from: BTT18, c_k: []}]", "13: constants.c_k: a number, or printed, is needed, not []"),
]


@pytest.mark.parametrize(("given", "said"), BAD, ids=[given for given, _ in BAD])
def test_what_is_wrong_is_said_with_the_place(project: "Project", given: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        Sweep(project.spec(constants=given))
    assert said in str(error.value)


def test_the_line_is_that_of_the_constant(project: "Project") -> None:
    path = project.spec(constants="\n  from: BTT18\n  c_lam: 8\n  c_k: zero")
    with pytest.raises(InputError, match=r"small.yaml:16: constants.c_k: a number, or printed, is needed, not 'zero'"):
        Sweep(path)


def test_a_list_in_a_set_is_an_axis(project: "Project") -> None:
    sweep = Sweep(project.spec(m="20", learner="leftmost", constants=f"[tight, {AXIS}]", figure="{x: m, panels: [constants]}"))
    names = [dict(each)["constants"] for each in sweep.cells]
    assert names[0] == "tight" and names[-1] == "BTT18" and len(set(names)) == 9
    assert names[1:4] == ["BTT18 with c_lam = 8, c_k = 5", "BTT18 with c_k = 5", "BTT18 with c_lam = 8, c_k = 10"]


def test_an_option_changes_every_set_of_a_spec(project: "Project") -> None:
    path = project.spec(m="20", learner="leftmost", constants="[BTT18, BTT18a]", figure="{x: m, panels: [constants]}")
    names = [dict(each)["constants"] for each in Sweep(path, {"with c_k": "10"}).cells]
    assert names == ["BTT18 with c_k = 10", "BTT18a with c_k = 10"]
    with pytest.raises(InputError, match=r"--with c_q=1: no constant 'c_q' of BTT18"):
        Sweep(path, {"with c_q": "1"})


def test_sets_that_are_what_is_tried_can_be_changed_too(project: "Project") -> None:
    keys = {
        "kind": "privacy",
        "eps": "1",
        "m": "100",
        "T": "1",
        "trials": "1",
        "figure": "{plot: spent, x: eps, y: spent_upper}",
    }
    none = dict.fromkeys(("n", "concept", "distribution", "learner"))
    path = project.spec(**keys | none, mechanisms="[printed, {from: printed, c_w: [1, 3]}, tight]", claims='["BTT18:T3.1"]')
    assert Sweep(path).spec.mechanisms == ("printed", "printed with c_w = 1", "printed with c_w = 3", "tight")
    assert Sweep(path, {"with c_lam": "8"}).spec.mechanisms[:2] == ("printed with c_lam = 8", "printed with c_lam = 8, c_w = 1")
    with pytest.raises(InputError, match=r"--with c_q=8: no constant 'c_q' of printed"):
        Sweep(path, {"with c_q": "8"})
    with pytest.raises(InputError, match=r"mechanisms.c_w: a number > 0, or printed, is needed, not 0"):
        Sweep(project.spec(**keys | none, mechanisms="[{from: printed, c_w: 0}]", claims="[]"))


def test_trials_without_constants_say_which_have_some(project: "Project") -> None:
    keys = {"kind": "stability", "trials": "1", "mechanisms": "[sgd]", "claims": "[]"}
    none = dict.fromkeys(("n", "m", "concept", "distribution", "learner"))
    with pytest.raises(InputError, match="--with c_k: trials of kind stability have no constants; allowed: answers, "):
        Sweep(project.spec(**keys | none, figure="{x: eps, y: hits}"), {"with c_k": "3"})


def test_a_set_that_the_spec_does_not_name_cannot_be_changed(project: "Project") -> None:
    keys = {"kind": "audit", "eps": "1", "runs": "400", "trials": "1", "mechanisms": "[A_binClas]", "claims": "[]"}
    none = dict.fromkeys(("n", "m", "concept", "distribution", "learner"))
    with pytest.raises(InputError, match="--with c_lam: it names no set of constants to change"):
        Sweep(project.spec(**keys | none, figure="{x: eps, y: lower}"), {"with c_lam": "3"})
    # Of votes, of scores, and of releases.
    for name, mechanism in (("BTT18", "A_binClas"), ("repaired", "A_SL_Quer"), ("proved", "A_PAP"), ("BTT18", "A_OQR")):
        keys["mechanisms"] = f"[{mechanism}]"
        path = project.spec(**keys | none, figure="{x: eps, y: lower}", constants=name)
        assert Sweep(path).cells[0].meant_by("constants") == name
    (cell,) = Sweep(path, {"with c_lam": "3", "constants": "BTT18"}).cells
    assert cell.meant_by("constants") == "BTT18 with c_lam = 3"


def test_a_cell_of_a_set_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValidationError, match="no constants 'nobody'"):
        cell("nobody with c_k = 3")
