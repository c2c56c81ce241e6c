"""A repository of its own, made as the recipe on its page says, through every change that its guard is for.

What it guards is a mechanism of its own, in a plugin, and a claim on that. In every job a fresh run goes to `fresh` and is
compared with the committed table; what the guard then says to do is done as it is printed. About ten seconds.
"""

import re
import shlex
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from shutil import copytree, rmtree
from typing import TYPE_CHECKING

import pytest

from harness.sweep import engines
from harness.sweep.run import provenance
from harness.trials import seeds
from tests.support.doctored import doctor
from tests.support.guarded import OUT, REFERENCE, SPEC, Repository, forget
from tests.support.project import Said
from tests.support.serial import SerialOnly

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test keeps what all begin with."""
    return tmp_path_factory.mktemp("committed") / "repository"


@pytest.fixture
def repository(
    project: "Project", harness: "Harness", committed: Path, quick_figures: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Repository]:
    """What is run as it was told runs here, not on Ray."""
    monkeypatch.setattr(engines, "Local", SerialOnly)
    made = Repository(project, harness)
    if not committed.exists():
        SPEC.parent.mkdir()
        made.spec()
        made.noise(0.3)
        made.run()
        assert made.harness("accept", SPEC, "--out", OUT).code == 0
        assert REFERENCE.exists()
        copytree(".", committed)
    else:
        copytree(committed, ".", dirs_exist_ok=True)
    yield made
    forget()


def result(said: Said) -> str:
    """What the table of comparisons says of the experiment."""
    found = re.search(r"^rate +[\d,]+ +\d+ +(.*?) *$", said.out, re.MULTILINE)
    assert found is not None, said
    return found[1]


def means(said: Said) -> list[tuple[str, float, float]]:
    """How many answers were wrong on average, in each cell that changed: the result, that of the fresh table, and before."""
    line = r"^(changed[\w ]*) in rate/\w{8}/\*/rate: mean wrong (\S+), reference (\S+)$"
    return [(result, float(now), float(before)) for result, now, before in re.findall(line, said.out, re.MULTILINE)]


def test_the_same(repository: Repository) -> None:
    said = repository.job()
    assert (said.code, result(said), said.err) == (0, "identical", "") and "`" not in said.out
    assert repository.compared() | {"rows": 160, "result": "identical", "code": 0} == repository.compared()


def test_a_bound_is_broken(repository: Repository) -> None:
    repository.noise(30)
    said = repository.job()
    assert (said.code, result(said)) == (1, "changed for the worse")
    assert "MINE:wrong: refuted, but it should hold" in said.out
    assert [(what, now > 2 * before) for what, now, before in means(said)] == [("changed for the worse", True)] * 2
    (replay,) = re.findall("refuted: (harness .*)", said.out)
    forget()
    assert repository.command(*shlex.split(replay)[1:]).code == 0
    found = repository.compared()
    assert {(change["column"], change["result"]) for change in found["changes"]} >= {("wrong", "changed for the worse")}


@pytest.mark.law
def test_it_is_better_than_before(repository: Repository) -> None:
    """It fails as any change of law does, with the numbers; what is meant is accepted."""
    repository.noise(0.1)
    said = repository.job()
    assert (said.code, result(said)) == (1, "changed for the better")
    assert [(what, now < before / 2) for what, now, before in means(said)] == [("changed for the better", True)] * 2
    assert "rate: made with other code\n" in said.out and "where that is meant, `harness" in said.out
    found = repository.compared()
    assert (found["result"], found["code"], found["versions"]) == ("changed for the better", 1, ["other code"])
    assert all(change["fresh"]["value"] < change["reference"]["value"] for change in found["changes"])
    repository.as_told(said, "accept")


def test_another_seed(repository: Repository) -> None:
    """Other rows of the same law. A false change has probability at most 0.001 here, and the seeds are fixed."""
    repository.spec(seed="8")
    said = repository.job()
    assert (said.code, result(said), said.err) == (0, "no change", "") and "`" not in said.out
    assert "rate: made with seed 8 (the reference's 7)\n" in said.out
    assert repository.compared()["tests"] > 0


@pytest.mark.law
def test_fewer_trials(repository: Repository) -> None:
    """In the run alone, and then in the spec as well: what is there is compared, and is not all."""
    said = repository.job("--trials", "70")
    assert (said.code, result(said)) == (3, "identical, in part")
    fewer = "rate: fewer trials than the reference: 70 of 80 of "
    assert fewer in said.out
    found = repository.compared()
    assert (found["rows"], found["part"], len(found["lacking"])) == (140, True, 1)
    repository.as_told(said, "run")
    repository.spec(trials="60")
    said = repository.job()
    assert (said.code, result(said)) == (3, "identical, in part") and fewer.replace("70", "60") in said.out
    repository.as_told(said, "accept")


@pytest.mark.law
@pytest.mark.parametrize(
    ("fewer", "says"),
    [
        ({"m": "20"}, "rate: fewer cells than the reference: 1 of 2, without such as "),
        (
            {"mechanisms": "[majority]", "claims": "[]"},
            "rate: fewer mechanisms than the reference: rate is not in 2 of 2 cells",
        ),
    ],
    ids=["cells", "mechanisms"],
)
def test_fewer_of_something_else(repository: Repository, fewer: dict[str, str | None], says: str) -> None:
    repository.spec(mechanisms="[rate, majority]")
    assert repository.job().code == 3  # the reference has but one of them
    assert repository.harness("accept", SPEC, "--out", OUT).code == 0
    repository.spec(**{"mechanisms": "[rate, majority]"} | fewer)
    said = repository.job()
    assert (said.code, result(said)) == (3, "identical, in part") and says in said.out
    if "m" in fewer:
        assert "rate: MINE:wrong decided 1 of 2 cells of the reference, and says nothing of " in said.out
    repository.as_told(said, "accept")


@pytest.mark.law
def test_more_cells_than_the_reference_has(repository: Repository) -> None:
    repository.spec(m="[20, 19, 18]")
    said = repository.job()
    assert (said.code, result(said)) == (3, "identical, in part")
    assert f"rate: the reference has 160 of 240 trials that {SPEC} asks for\n" in said.out
    repository.as_told(said, "accept")


def test_no_reference(repository: Repository) -> None:
    REFERENCE.unlink()
    said = repository.job()
    why = f"no reference: there is no {REFERENCE}; where its rows are right, `harness --plugin mine.py accept"
    assert (said.code, result(said)) == (4, "compared nothing")
    assert said.err.startswith(f"error: nothing was compared of rate: {why}") and said.err.count("\n") == 1
    assert "identical" not in said.out and "no change" not in said.out
    found = repository.compared()
    assert (found["nothing"], found["rows"]) == (f"no reference: there is no {REFERENCE}", 0)
    assert repository.check("--no-reference").code == 0  # the claims alone
    repository.as_told(said, "accept")


@pytest.mark.law
def test_a_spec_may_be_called_yml(repository: Repository) -> None:
    """What is printed of it works too."""
    REFERENCE.unlink()
    Path("rate.yml").write_bytes(SPEC.read_bytes())
    repository.run()
    words = ("rate.yml", "--out", OUT)
    (hint,) = set(re.findall("`(harness [^`]*)`", repository.harness("check", *words).out))
    forget()
    assert "accept rate.yml" in hint and repository.command(*shlex.split(hint)[1:]).code == 0
    assert repository.harness("check", *words).code == 0


def test_no_fresh_table(repository: Repository) -> None:
    """As where the run of the job went elsewhere: the committed table is judged, and that is no comparison."""
    rmtree(OUT)
    said = repository.check()
    assert (said.code, result(said)) == (4, "compared nothing") and "1 ours: 1 holds" in said.out
    assert f"no fresh table in {OUT}/ of rate: judged on the committed one, and compared with nothing" in said.out
    assert said.err.startswith(
        f"error: nothing was compared of rate: no fresh table in {OUT}/, so the committed one was judged"
    )
    assert repository.compared()["nothing"] == f"no fresh table in {OUT}/, so the committed one was judged"
    repository.as_told(said, "run")
    rmtree(OUT)
    alone = repository.harness("check", SPEC)  # without --out it is asked for verdicts on what is stored
    assert alone.code == 0 and "no fresh table in results/runs/ of rate: judged on the committed one" in alone.out


@pytest.mark.law
def test_a_stale_table(repository: Repository) -> None:
    """The fresh one is of the code before a change: it says nothing of the code that is here."""
    repository.job()
    repository.noise(30)
    said = repository.check()
    assert (said.code, result(said)) == (4, "compared nothing")
    assert f"error: nothing was compared of rate: stale: {OUT}/rate.parquet was made with other code; `harness" in said.err
    assert repository.compared()["nothing"].startswith("stale: ")
    repository.noise(0.3)
    assert repository.check().code == 0
    repository.noise(0.31)
    said = repository.check()
    repository.as_told(said, "run")


@pytest.mark.law
def test_another_version_of_a_library(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its random numbers may be the same, or others of the same law; the seeds are fixed."""
    known = provenance.libraries()
    monkeypatch.setattr(provenance, "libraries", lambda: known | {"numpy": "9.9.9"})
    for drawn, told in ((b"", "identical"), (b"otherwise", "no change")):
        monkeypatch.setattr(seeds, "sha256", lambda named, drawn=drawn: sha256(named + drawn))
        said = repository.job()
        assert (said.code, result(said), said.err) == (0, told, "") and "`" not in said.out
        assert f"rate: made with numpy 9.9.9 (the reference's {known['numpy']})\n" in said.out
    monkeypatch.setattr(provenance, "libraries", lambda: known)
    monkeypatch.setattr(seeds, "sha256", sha256)
    said = repository.check()
    assert said.code == 4 and f"was made with numpy 9.9.9 (here it is {known['numpy']})" in said.err
    repository.as_told(said, "run")


@pytest.mark.law
def test_a_row_is_another_though_all_that_makes_it_is_the_same(repository: Repository) -> None:
    repository.job()
    doctor(repository.project, lambda row: row | {"wrong": 11} if row["trial"] == 7 else row, "rate", Path(OUT))
    said = repository.check()
    assert (said.code, result(said)) == (1, "broken") and "/7/rate: " in said.out
    (hint,) = re.findall("`(harness [^`]*)`", said.out)
    forget()
    again = repository.command(*shlex.split(hint)[1:])
    assert again.code == 1 and f"differs from {OUT}/rate.parquet" in again.out


@pytest.mark.law
def test_without_claims_the_rows_alone_are_guarded(repository: Repository) -> None:
    repository.spec(claims="[]")
    assert (repository.job().code, repository.compared()["result"]) == (0, "identical")
    repository.noise(0.1)
    assert (repository.job().code, repository.compared()["result"]) == (1, "changed for the better")
    REFERENCE.unlink()
    assert repository.check().code == 4
    said = repository.check("--no-reference")
    assert said.code == 4 and "these specs name no claim, and nothing was compared" in said.err
