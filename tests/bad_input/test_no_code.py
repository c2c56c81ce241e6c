"""Nothing that is read can run code: neither a spec nor a table, whoever made it."""

import ast
import json
import pickle
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

import harness
from harness.sweep.spec import document
from harness.sweep.table.table import KEY, Table
from tests.bad_input.mutations import FRESH, SPEC

if TYPE_CHECKING:
    from tests.support.bench import Bench

SOURCES = sorted(Path(harness.__file__).parent.rglob("*.py"))
FORBIDDEN = {"pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "_pickle", "code", "runpy"}
UNSAFE_YAML = {
    "unsafe_load",
    "full_load",
    "unsafe_load_all",
    "full_load_all",
    "Loader",
    "UnsafeLoader",
    "FullLoader",
    "CLoader",
}
RUNS_TEXT = {"sweep/ray/worker.py": {"exec"}}  # the driver's own, in a worker
IMPORTS_BY_NAME = {
    "__init__.py",
    "registry.py",
    "sweep/plugins/__init__.py",
    "sweep/plugins/arrow_files.py",
    "sweep/plugins/forbidden_calls.py",
    "sweep/plugins/patches.py",
    "concepts/black_box.py",
    "docs/__init__.py",
    "report/papers.py",
    "trials/audited/subject.py",
}  # its own parts, papers and pages, plugins and what they import, and what is scikit-learn's or Arrow's


class Payload:
    """When unpickled, it leaves a file."""

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("pwned"),)


PICKLED = pickle.dumps(Payload())


@pytest.mark.parametrize("path", SOURCES, ids=[path.stem for path in SOURCES])
def test_the_harness_uses_nothing_that_runs_what_it_reads(path: Path) -> None:
    place = path.relative_to(Path(harness.__file__).parent).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                assert not {alias.name.partition(".")[0] for alias in names} & FORBIDDEN
            case ast.ImportFrom(module=str(module), names=names):
                assert module.partition(".")[0] not in FORBIDDEN
                assert module != "yaml" or not {alias.name for alias in names} & {*UNSAFE_YAML, "load"}
                imported = {alias.name for alias in names} & {"import_module"}
                assert not imported or place in IMPORTS_BY_NAME
            case ast.Call(func=ast.Name(id=name)):
                assert name not in {"eval", "exec", "compile", "__import__"} - RUNS_TEXT.get(place, set())
            case ast.Attribute(value=ast.Name(id="yaml"), attr=attribute):
                assert attribute not in UNSAFE_YAML
                assert attribute != "load" or place == "sweep/spec/document.py"
            case ast.Attribute(attr=attribute):
                assert attribute not in {"read_pickle", "allow_pickle", "system", "popen"}
            case ast.keyword(arg=str(argument), value=value):
                assert argument not in {"allow_pickle", "shell"}
                assert argument != "Loader" or (isinstance(value, ast.Name) and value.id == "_Loader")


def test_the_loader_of_specs_makes_only_plain_values() -> None:
    made = {str(tag).rpartition(":")[2] for tag in document._LineLoader.yaml_constructors if tag is not None}
    assert issubclass(document._LineLoader, yaml.SafeLoader) and not document._LineLoader.yaml_multi_constructors
    assert made == {"null", "bool", "int", "float", "binary", "timestamp", "omap", "pairs", "set", "str", "seq", "map"}


@pytest.mark.parametrize(
    "learner",
    [
        "{sklearn: os.system}",
        "{sklearn: tree.os}",
        "{sklearn: utils.Bunch}",
        "{sklearn: tree.export_text}",
        "{sklearn: tree.DecisionTreeRegressor}",
        "{sklearn: ensemble.VotingClassifier, estimators: []}",
        "{sklearn: ..os.system}",
        "{sklearn: tree.__builtins__}",
        "{name: os.system}",
        "{name: BaseEstimator}",
        "{sklearn: tree.DecisionTreeClassifier, __class__: os}",
        "{sklearn: tree.DecisionTreeClassifier, max_depth: {sklearn: tree.DecisionTreeClassifier}}",
    ],
)
def test_a_learner_that_is_not_on_the_list_is_refused(bench: "Bench", learner: str) -> None:
    bench.put(SPEC, bench.good[SPEC].replace(b"[leftmost, midpoint]", learner.encode()) + b"sampling: full\n")
    said = bench.harness("run", SPEC, "--serial")
    assert said.code == 2 and said.err.startswith(f"error: {SPEC}:7: learner") and "allowed" in said.err, said


def test_the_payload_does_run_where_it_is_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the next test would show nothing."""
    monkeypatch.chdir(tmp_path)
    pickle.loads(PICKLED)
    assert Path("pwned").exists()


def extension(field: pa.Field) -> pa.Field:
    """The column as one of a Python class that its metadata hold, pickled, which old versions of Arrow loaded."""
    metadata = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": PICKLED}
    return field.with_metadata(metadata)


def pandas_metadata(rows: pa.Table) -> bytes:
    """What pandas would write of columns of objects, pickled."""
    columns = [{"name": name, "pandas_type": "object", "numpy_type": "object", "metadata": None} for name in rows.column_names]
    pickled = PICKLED.decode("latin-1")
    about = {"index_columns": [pickled], "columns": columns, "column_indexes": [], "creator": {"library": pickled}}
    return json.dumps(about | {"attributes": {"pickle": pickled}}).encode()


@pytest.mark.at_once("seal", "column")
@pytest.mark.parametrize("where", ["extension", "pandas", "seal", "column", "provenance"])
def test_a_pickle_in_a_table_stays_one(bench: "Bench", where: str) -> None:
    """The file is read as if the payload were not there, or refused; for two of them, refused is all it can be."""
    rows, provenance = bench.table.rows, dict(bench.table.provenance)
    if where == "provenance":
        provenance["set"] = {"m": f"!!python/object/apply:pickle.loads [{PICKLED!r}]"}
    if where == "column":
        rows = rows.set_column(2, "trial", pa.array([PICKLED] * len(rows), pa.binary()))
    sealed = {"digest": Table(rows, provenance).digest if where != "column" else "", "provenance": provenance}
    metadata: dict[bytes, bytes] = {KEY: PICKLED if where == "seal" else json.dumps(sealed).encode()}
    if where == "pandas":
        metadata[b"pandas"] = pandas_metadata(rows)
    schema = pa.schema([extension(field) for field in rows.schema]) if where == "extension" else rows.schema
    sink = BytesIO()
    pq.write_table(rows.cast(schema).replace_schema_metadata(metadata), sink)
    assert PICKLED in sink.getvalue() or where in ("pandas", "provenance", "extension")
    for words in (["check", SPEC], ["replay", bench.row], ["figures"], ["accept", "small"], ["run", SPEC, "--serial"]):
        bench.put(FRESH, sink.getvalue())
        said = bench.harness(*words)
        assert not (bench.root / "pwned").exists()
        assert said.code != 0 or where not in ("seal", "column") or words == ["figures"], said
    if where in ("extension", "pandas"):
        path = bench.root / "spoiled.parquet"
        path.write_bytes(sink.getvalue())
        assert Table.read(path).frame().equals(bench.table.frame())
        path.unlink()
