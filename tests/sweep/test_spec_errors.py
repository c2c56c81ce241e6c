"""What is wrong with a spec is said in one line: file, line, key, what is wrong and what is allowed. Exit code 2.

In the small sweep each key has a line: title 1, question 2, seed 3, trials 4, concept 5, distribution 6, learner 7, n 8, m 9,
mechanisms 10, claims 11, figure 12; what is added stands on line 13.
"""

import re
from typing import TYPE_CHECKING

import pytest

from harness.sweep.errors import InputError
from harness.sweep.spec import Sweep

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

GEOM = "geom takes [first, last, count] with first and last above 0 and count a whole number from 2 to 10000"
PLAIN = "a number in plain digits, such as 1000, 0.05 or 1e12, is needed"
SIZES = "exactly one of n, alpha and T must be given, or n and T"
ALL_OUT: dict[str, str | None] = {"exclude": "[{m: 20}, {m: [50, 20]}]"}

# Changes to the small sweep, and what must be said, after the file. "…" stands for anything.
BAD: dict[str, tuple[dict[str, str | None], str]] = {
    # keys
    "unknown key": ({"vegetable": "1"}, "13: vegetable: unknown key; allowed: title, question, …, eps, delta, …"),
    "the word for a symbol": ({"epsilon": "1"}, "13: epsilon: unknown key; did you mean 'eps'? allowed: …"),
    "almost the word for a symbol": ({"epsilom": "1"}, "13: epsilom: unknown key; did you mean 'eps'? allowed: …"),
    "another word for a count": ({"queries": "100"}, "13: queries: unknown key; did you mean 'm'? allowed: …"),
    "a word with a dash": ({"concept-class": "stumps"}, "13: concept-class: unknown key; did you mean 'concept'? allowed: …"),
    "misspelt key": ({"bet": "0.1"}, "13: bet: unknown key; did you mean 'beta'? allowed: …"),
    "key in capitals": ({"Seed": "1"}, "13: Seed: unknown key; did you mean 'seed'? allowed: …"),
    "missing key": ({"seed": None}, " seed: this key is required"),
    "no m": ({"m": None}, " m: this key is required"),
    "misspelt key of the figure": (
        {"figure": "{x: m, panel: [learner]}"},
        "12: figure.panel: unknown key; did you mean 'panels'? …",
    ),
    "misspelt rule for trials": ({"trials": "{until: decided, maxx: 5}"}, "4: trials.maxx: unknown key; did you mean 'max'? …"),
    # names
    "misspelt concept": (
        {"concept": "threshold"},
        "5: concept: no concept class 'threshold'; did you mean 'thresholds'? allowed: …",
    ),
    "misspelt distribution": (
        {"distribution": "unifrom"},
        "6: distribution: no distribution 'unifrom'; did you mean 'uniform'? …",
    ),
    "misspelt parameter": (
        {"distribution": "{name: hard, mas: 1}"},
        "6: distribution.mas: unknown key; did you mean 'mass'? allowed: c, mass, total, scale",
    ),
    "nameless distribution": ({"distribution": "{c: 1}"}, "6: distribution: no distribution 'None'; allowed: uniform, hard"),
    "misspelt learner": (
        {"learner": "[leftmost, midpont]"},
        "7: learner: no learner 'midpont'; did you mean 'midpoint'? allowed: …",
    ),
    "misspelt mechanism": (
        {"mechanisms": "[A_binclas]"},
        "10: mechanisms: no mechanism 'A_binclas'; did you mean 'A_binClas'? …",
    ),
    "misspelt claim": ({"claims": "['BTT18:T32']"}, "11: claims: no claim 'BTT18:T32'; did you mean 'BTT18:T3.2'? allowed: …"),
    "misspelt constants": (
        {"constants": "BTT18b"},
        "13: constants: no constants 'BTT18b'; did you mean 'BTT18…'? allowed: BTT18, …",
    ),
    "misspelt kind": ({"kind": "anwsers"}, "13: kind: no kind of trial 'anwsers'; did you mean 'answers'? allowed: …"),
    "misspelt sampling": (
        {"sampling": "ful"},
        "13: sampling: no sampling 'ful'; did you mean 'full'? allowed: sufficient, full",
    ),
    "misspelt bound": (
        {"pac_bound": "blume"},
        "13: pac_bound: 'blume' is not allowed; did you mean 'blumer'? allowed: class, blumer",
    ),
    "misspelt x": ({"figure": "{x: ms}"}, "12: figure: no axis or column 'ms'; did you mean 'm'? allowed: …"),
    "misspelt y": (
        {"figure": "{x: m, y: bottom}"},
        "12: figure: no axis or column 'bottom'; did you mean 'bottoms'? allowed: …",
    ),
    "misspelt panel": (
        {"figure": "{x: m, panels: [leaner]}"},
        "12: figure: no axis or column 'leaner'; did you mean 'learner'? …",
    ),
    "misspelt plot": ({"figure": "{x: m, plot: mean}"}, "12: figure.plot: no plot 'mean'; did you mean 'means'? …"),
    "a mechanism twice": ({"mechanisms": "[majority, majority]"}, "10: mechanisms: 'majority' appears twice"),
    # numbers
    "eps 0": ({"eps": "0"}, "13: eps: a number ≥ 1e-100 is needed, not 0"),
    "eps below what can be computed": ({"eps": "1e-300"}, "13: eps: a number ≥ 1e-100 is needed, not '1e-300'"),
    "eps infinite": ({"eps": ".inf"}, "13: eps: a finite number is needed, not inf"),
    "eps beyond all floats": ({"eps": "1e400"}, "13: eps: a finite number is needed, not '1e400'"),
    "eps not a number": ({"eps": ".nan"}, "13: eps: a finite number is needed, not nan"),
    "delta 1": ({"delta": "1"}, "13: delta: a number < 1 is needed, not 1"),
    "delta above 1": ({"delta": "[1e-6, 1.5]"}, "13: delta: a number < 1 is needed, not 1.5"),
    "delta tiny": ({"delta": "1e-320"}, "13: delta: a number ≥ 1e-100 is needed, not '1e-320'"),
    "beta 0": ({"beta": "0"}, "13: beta: a number ≥ 1e-100 is needed, not 0"),
    "m 0": ({"m": "[20, 0]"}, "9: m: a number ≥ 1 is needed, not 0"),
    "m a fraction": ({"m": "20.5"}, "9: m: a whole number is needed, not 20.5"),
    "n beyond all": ({"n": "1e19"}, "8: n: a number ≤ 1e+18 is needed, not '1e19'"),
    "n beyond what a machine counts": ({"n": "1e20"}, "8: n: a number ≤ 1e+18 is needed, not '1e20'"),
    "n as digits beyond that": ({"n": "1" + "0" * 20}, f"8: n: a number ≤ 1e+18 is needed, not 1{'0' * 20}"),
    "n infinite": ({"n": "1e400"}, "8: n: a finite number is needed, not '1e400'"),
    "n with a billion digits": ({"n": "1e1000000000"}, "8: n: a finite number is needed, not '1e1000000000'"),
    "n with a long exponent": ({"n": f"1e{'9' * 30}"}, f"8: n: a finite number is needed, not '1e{'9' * 30}'"),
    "n with a billion digits after the point": ({"n": "1e-1000000000"}, "8: n: a number ≥ 1 is needed, not '1e-1000000000'"),
    "n too long": ({"n": "9" * 5000}, "8: not valid YAML: …99' cannot be read as int: 5,000 digits; allowed: at most 400"),
    "n as long text": ({"n": f"'{'9' * 5000}'"}, "8: n: a number is needed, not 5,000 characters; allowed: at most 400"),
    "n as large as its length allows": ({"n": "9" * 400}, "8: n: a finite number is needed, not 999…999"),
    "n in another base": ({"n": "0x1F"}, f"8: n: {PLAIN}, not '0x1F'"),
    "n of many digits in another base": ({"n": f"0x{'F' * 5000}"}, "8: n: a number is needed, not 5,002 characters; …"),
    "n in eights": ({"n": "010"}, f"8: n: {PLAIN}, not '010'"),
    "n in twos": ({"n": "0b11"}, f"8: n: {PLAIN}, not '0b11'"),
    "m in sixties": ({"m": "1:30"}, f"9: m: {PLAIN}, not '1:30'"),
    "m in thousands of sixties": ({"m": "1" + ":30" * 3000}, "9: m: a number is needed, not 9,001 characters; …"),
    "m in sixties, tagged": ({"m": "!!int 1:30"}, "9: not valid YAML: '1:30' cannot be read as int: allowed: plain digits, …"),
    "n with odd underscores": ({"n": "1__0"}, f"8: n: {PLAIN}, not '1__0'"),
    "n in other digits": ({"n": "١٢"}, f"8: n: {PLAIN}, not '١٢'"),
    "n not a number": ({"n": "nan"}, "8: n: a finite number is needed, not 'nan'"),
    "n a signalling one": ({"n": "snan"}, "8: n: a number is needed, not 'snan'"),
    "n below k": (
        {"n": "[1e9, 1000]"},
        "8: n: n = 1000 is less than the k = … chunks of A_binClas at m = 20, eps = 1; allowed: n ≥ …",
    ),
    "s below the atoms": (
        {"distribution": "{name: hard, c: 1e6}"},
        "6: distribution: at s = … and gamma = 0 the rare atom would have mass 18.9; allowed: c < s",
    ),
    "alpha beyond the largest n": ({"n": None, "alpha": "1e-18"}, "12: alpha: this needs n = …; allowed: n ≤ 1e+18"),
    "gamma": ({"gamma": "0.6"}, "13: gamma: labels flipped at a rate of 0.6; allowed: 0 ≤ gamma ≤ 0.45"),
    "gamma where labels have no noise": (
        {"gamma": "0.1", "concept": "exact_error", "distribution": None, "learner": None},
        "11: gamma: the target labels every example, so the best error is 0, not 0.1; allowed: 0",
    ),
    "halfspaces in no dimension": (
        {"concept": "{name: halfspaces, d: 0}", "learner": None, "distribution": None},
        "5: concept.d: a number ≥ 1 is needed, not 0",
    ),
    "V and d that differ": (
        {"concept": "{name: halfspaces, d: 3}", "V": "4", "learner": None, "distribution": "hard"},
        "12: V: V = 4 is not attained: with d = 3 the VC dimension is 3; allowed: 3",
    ),
    "V that no affine halfspace attains": (
        {"concept": "affine_halfspaces", "V": "1", "learner": None, "distribution": "hard"},
        "12: V: V = 1 is not attained: …; allowed: V ≥ 2",
    ),
    "atoms whose mass passes 1": (
        {"concept": "halfspaces", "V": "5", "learner": None, "distribution": "{name: hard, c: 1e6}"},
        "6: distribution: at s = … the 5 rare atoms would have mass …; allowed: c < s/5",
    ),
    "V": ({"V": "2"}, "13: V: V = 2 is not attained: the class thresholds has VC dimension 1; allowed: 1"),
    "seed below 0": ({"seed": "-1"}, "3: seed: a number ≥ 0 is needed, not -1"),
    "seed beyond all": ({"seed": "1e1000000000"}, "3: seed: a finite number is needed, not '1e1000000000'"),
    "seed beyond its limit": ({"seed": "1e20"}, "3: seed: a number < 9.22337e+18 is needed, not '1e20'"),
    "seed a fraction": ({"seed": "1.5"}, "3: seed: a whole number is needed, not 1.5"),
    "trials beyond all": ({"trials": "1e1000000000"}, "4: trials: a finite number is needed, not '1e1000000000'"),
    "trials beyond what a machine counts": ({"trials": "1e20"}, "4: trials: a number ≤ 1e+10 is needed, not '1e20'"),
    "a maximum beyond all": (
        {"trials": "{until: decided, max: 1e1000000000}"},
        "4: trials.max: a finite number is needed, not '1e1000000000'",
    ),
    "trials 0": ({"trials": "0"}, "4: trials: a number ≥ 1 is needed, not 0"),
    "no maximum for queries": ({"trials": "{queries: 1e6}"}, "4: trials.max: this key is required"),
    "queries 0": ({"trials": "{queries: 0, max: 5}"}, "4: trials.queries: a number ≥ 1 is needed, not 0"),
    "misspelt group": (
        {"figure": "{x: m, groups: {all: [A_binClass]}}"},
        "12: figure.groups: no mechanism 'A_binClass'; did you mean 'A_binClas'? allowed: …",
    ),
    "misspelt axis of a map": ({"figure": "{plot: map, x: m, by: nn}"}, "12: figure: no axis or column 'nn'; …allowed: …"),
    "no maximum": ({"trials": "{until: decided}"}, "4: trials.max: this key is required"),
    "mass 1": ({"distribution": "{name: hard, mass: 1}"}, "6: distribution.mass: a number < 1 is needed, not 1"),
    "c infinite": ({"distribution": "{name: hard, c: .inf}"}, "6: distribution.c: …, not inf"),
    "c with a billion digits": (
        {"distribution": "{name: hard, c: 1e1000000000}"},
        "6: distribution.c: a finite number is needed, not '1e1000000000'",
    ),
    "a parameter of a learner": (
        {"learner": "{sklearn: svm.SVC, C: 1e1000000000}", "sampling": "full"},
        "7: learner.C: a finite number is needed, not '1e1000000000'",
    ),
    "c and mass": (
        {"distribution": "{name: hard, c: 1, mass: 0.5}"},
        "6: distribution: give one of c, mass and total, not c and mass",
    ),
    # types
    "true for a number": ({"eps": "true"}, "13: eps: a number is needed, not true or false"),
    "true for a seed": ({"seed": "true"}, "3: seed: a number is needed, not true or false"),
    "true for a parameter": (
        {"distribution": "{name: hard, c: yes}"},
        "6: distribution.c: a number is needed, not true or false",
    ),
    "text for a number": ({"m": "many"}, "9: m: a number is needed, not 'many'"),
    "text for trials": ({"trials": "lots"}, "4: trials: a number is needed, not 'lots'"),
    "a mapping for a number": ({"m": "{from: 1}"}, "9: m.from: unknown key; allowed: geom"),
    "null for a number": ({"m": "null"}, "9: m: a whole number is needed, not null"),
    "a list in a list": ({"n": "[[1e9]]"}, "8: n: a whole number is needed, not ['1e9']"),
    "a date": ({"m": "2020-01-01"}, "9: m: a whole number is needed, not datetime.date(2020, 1, 1)"),
    "a number for text": ({"title": "5"}, "1: title: text is needed, not 5"),
    "null for text": ({"question": "null"}, "2: question: text is needed, not null"),
    "a number for a name": ({"learner": "3"}, "7: learner: text is needed, not 3"),
    "a name for a list": ({"mechanisms": "A_binClas"}, "10: mechanisms: a list is needed, not 'A_binClas'"),
    "no mechanism": ({"mechanisms": "[]"}, "10: mechanisms: at least one is needed, not []"),
    "a list for a mapping": ({"figure": "[m]"}, "12: figure: a mapping is needed, not ['m']"),
    "null for a mapping": ({"figure": "null"}, "12: figure: a mapping is needed, not null"),
    "false for a distribution": ({"distribution": "false"}, "6: distribution: no distribution 'False'; allowed: uniform, hard"),
    "an endless name": ({"learner": "x" * 5000}, "7: learner: no learner 'xxx…xxx'; allowed: …"),
    "a text beyond all": ({"title": "x" * 10_001}, "1: a text of 10,001 characters; allowed: at most 10,000"),
    "half a character": ({"title": '"\\ud800"'}, "1: half a character in '\\ud800'; allowed: whole ones"),
    "an endless value": ({"title": f"[{'x, ' * 500}]"}, "1: title: text is needed, not ['x', 'x', 'x', 'x', 'x', 'x', ...]"),
    # what belongs together
    "n and alpha": ({"alpha": "0.1"}, f"8: n: {SIZES}"),
    "no size": ({"n": None}, f" n: {SIZES}"),
    "null for the only size": ({"n": "null"}, f"8: n: {SIZES}"),
    "an empty list": ({"m": "[]"}, "9: m: a sweep with no cells: the list is empty"),
    "everything excluded": (ALL_OUT, "13: exclude: a sweep with no cells: every combination is excluded"),
    "exclude an unknown axis": (
        {"exclude": "[{m: 20}, {mm: 50}]"},
        "13: exclude.mm: no such axis; did you mean 'm'? allowed: …",
    ),
    "exclude what is no axis": ({"exclude": "[{trials: 1}]"}, "13: exclude.trials: no such axis; …allowed: …"),
    "exclude a name": ({"exclude": "[m]"}, "13: exclude: a mapping is needed, not 'm'"),
    "zip of unequal lengths": (
        {"eps": "[1, 2, 3]", "zip": "[[m, eps]]"},
        "14: zip: zipped axes have unequal lengths: m and eps",
    ),
    "zip with what is no axis": ({"zip": "[[m, epsilon]]"}, "13: zip: 'epsilon' is no axis of this spec; …allowed: concept, …"),
    "zip with what may be meant": (
        {"eps": "[1, 2]", "zip": "[[m, epsilon]]"},
        "14: zip: 'epsilon' is no axis of this spec; did you mean 'eps'? allowed: concept, …",
    ),
    "zip twice": ({"zip": "[[m, learner], [m, learner]]"}, "13: zip: 'm' is zipped twice"),
    "zip of names": ({"zip": "[m, learner]"}, "13: zip: a list is needed, not 'm'"),
    "geom too short": ({"m": "{geom: [1, 2]}"}, f"9: m.geom: {GEOM}"),
    "geom from 0": ({"m": "{geom: [0, 10, 3]}"}, f"9: m.geom: {GEOM}"),
    "geom to infinity": ({"m": "{geom: [1, 1e400, 3]}"}, "9: m.geom: a finite number is needed, not '1e400'"),
    "geom to a billion digits": ({"m": "{geom: [1, 9, 1e1000000000]}"}, "9: m.geom: a finite number is needed, …"),
    "geom by another name": ({"m": "{logspace: [1, 3, 3]}"}, "9: m.logspace: unknown key; did you mean 'geom'? allowed: geom"),
    "geom of one": ({"m": "{geom: [1, 10, 1]}"}, f"9: m.geom: {GEOM}"),
    "geom of many": ({"m": "{geom: [1, 10, 1e9]}"}, f"9: m.geom: {GEOM}"),
    "geom of nothing": ({"m": "{geom: null}"}, f"9: m.geom: {GEOM}"),
    "geom with text": ({"m": "{geom: [1, ten, 3]}"}, "9: m.geom: a number is needed, not 'ten'"),
    "geom with true": ({"m": "{geom: [1, 10, true]}"}, "9: m.geom: a number is needed, not true or false"),
    "geom with company": ({"m": "{geom: [1, 10, 3], lin: 2}"}, "9: m.lin: unknown key; allowed: geom"),
    "x without numbers": (
        {"figure": "{x: learner, panels: [m]}"},
        "12: figure.x: learner is no axis of this spec with numbers on it",
    ),
    "x of another size": ({"figure": "{x: alpha, panels: [m, learner]}"}, "12: figure.x: alpha is no axis of this spec …"),
    "y without numbers": ({"figure": "{x: m, y: learner}"}, "12: figure: no axis or column 'learner'; …"),
    "cells that would be mixed": (
        {"figure": "{x: m}"},
        "12: figure: cells that differ in learner would share a point; name one in panels",
    ),
}


def matches(message: str, pattern: str) -> bool:
    """Whether a message is the pattern, with … for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), message) is not None


@pytest.mark.parametrize(("changes", "said"), BAD.values(), ids=BAD)
def test_a_bad_spec_is_told_in_one_line_and_nothing_is_written(
    project: "Project", harness: "Harness", changes: dict[str, str | None], said: str
) -> None:
    ended = harness("run", project.spec(**changes), "--serial")
    assert (ended.code, ended.out, project.files()) == (2, "", set())
    assert ended.err.startswith("error: experiments/small.yaml:") and ended.err.endswith("\n")
    assert ended.err.count("\n") == 1 and len(ended.err) < 1500
    assert matches(ended.err.removeprefix("error: experiments/small.yaml:").rstrip("\n"), said), ended.err


BLOCK = """\
title: Lines
question: Which?
seed: 1
trials: 2
learner: leftmost
n: 1e9
distribution:
  - name: uniform
    target: 0.5
  - name: hard
    mass: 2
m:
  - 20
  - 50
  - {m}
mechanisms:
  - majority
  - {mechanism}
figure:
  x: m
  panels:
    - distribution
exclude:
  - m: 20
  - distribution: hard
    {axis}: 20
"""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "11: distribution.mass: a number < 1 is needed, not 2"),
        ({"mechanism": "minority"}, "18: mechanisms: no mechanism 'minority'; did you mean 'majority'? …"),
        ({"axis": "M"}, "26: exclude.M: no such axis; did you mean 'm'? …"),
        ({"m": "0"}, "15: m: a number ≥ 1 is needed, not 0"),
    ],
)
def test_the_line_is_that_of_the_item_at_fault(project: "Project", change: dict[str, str], said: str) -> None:
    """The broken `mass` comes last of all, so each other fault is met before it."""
    path = project.text(BLOCK.format(**({"m": "80", "mechanism": "A_binClas", "axis": "m"} | change)))
    with pytest.raises(InputError) as error:
        Sweep(path)
    assert matches(str(error.value).removeprefix("experiments/small.yaml:"), said), error.value


SETTINGS = {
    "no value": ("m", "--set: key=value is needed, not 'm'"),
    "no key": ("=3", "--set: key=value is needed, not '=3'"),
    "unknown key": ("epz=1", "--set epz: unknown key; did you mean 'eps'? allowed: …"),
    "bad value": ("eps=0", "--set eps: a number ≥ 1e-100 is needed, not 0"),
    "no value for a number": ("m=", "--set m: a whole number is needed, not null"),
    "broken YAML": ("m=[1, 2", "--set m: not valid YAML: expected ',' or ']', …"),
    "an object": ("m=!!python/object:os.system {}", "--set m: not valid YAML: could not determine a constructor for the tag …"),
    "no such day": ("title=2020-99-99", "--set title: not valid YAML: '2020-99-99' cannot be read as timestamp: …"),
    "empty list": ("m=[]", "--set m: a sweep with no cells: the list is empty"),
    "a billion digits": ("n=1e1000000000", "--set n: a finite number is needed, not '1e1000000000'"),
    "another word": ("epsilon=1", "--set epsilon: unknown key; did you mean 'eps'? allowed: …"),
    "n below k": ("n=9", "--set n: n = 9 is less than the k = … chunks of A_binClas at m = 20, eps = 1; allowed: n ≥ …"),
    "misspelt mechanism": ("mechanisms=[majorty]", "--set mechanisms: no mechanism 'majorty'; did you mean 'majority'? …"),
}


@pytest.mark.parametrize(("setting", "said"), SETTINGS.values(), ids=SETTINGS)
def test_a_bad_setting_is_told_by_the_option(project: "Project", harness: "Harness", setting: str, said: str) -> None:
    ended = harness("run", project.spec(), "--serial", "--set", setting)
    assert (ended.code, ended.out, project.files()) == (2, "", set())
    assert ended.err.count("\n") == 1 and matches(ended.err.removeprefix("error: ").rstrip("\n"), said), ended.err
