"""A team keeps results in files: what is written comes back, from older versions too; what is damaged is refused."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pytest

import irgauge as ig
from irgauge import results
from irgauge.provenance import Fact, Provenance
from irgauge.storing import Unpacking, kinds_of, packed

TABLE = {"a": {"1": 0.1, "2": 0.4, "3": 0.2}, "b": {"1": 0.3, "2": 0.5, "3": 0.1}}
STORED = Path(__file__).with_name("compare-0.3.json")  # as version 0.3 wrote it: it is read for ever


@pytest.fixture
def path(tmp_path: Path) -> Path:
    ig.compare(TABLE).save(tmp_path / "compared.json")
    return tmp_path / "compared.json"


def change(path: Path, edit: Callable[[Any], object]) -> None:
    """Change the state that a file holds."""
    content = json.loads(path.read_text())
    state = json.loads(gzip.decompress(base64.b64decode(content["state"])))
    edit(state)
    content["state"] = base64.b64encode(gzip.compress(json.dumps(state).encode())).decode()
    path.write_text(json.dumps(content))


def test_a_file_says_by_what_it_was_written(path: Path) -> None:
    content = json.loads(path.read_text())
    assert content["study"] == "compare"
    assert isinstance(content["schema"], int)
    assert content["irgauge"].count(".") == 2


def test_a_file_of_the_first_version_is_read() -> None:
    result = ig.read(STORED)
    assert result.study == "compare"
    assert result.frame().height == 1
    assert [round(value, 4) for value in result.frame()["difference"].to_list()] == [0.0667]
    assert result.findings().texts()[0].startswith("The comparison of b and a in score is inconclusive")


def test_compressed_files_are_read(path: Path) -> None:
    packed_path = path.with_suffix(".json.gz")
    packed_path.write_bytes(gzip.compress(path.read_bytes()))
    assert ig.read(packed_path).frame().equals(ig.read(path).frame())


def without(name: str) -> Callable[[Any], object]:
    return lambda state: state["result"].pop(name)


def test_what_older_versions_did_not_know_takes_its_default(tmp_path: Path) -> None:
    scored = ig.score(ig.load({"1": {"d": 1}}, {"a": {"1": {"d": 1.0}}}, warn=False), "AP")
    scored.save(tmp_path / "scored.json")
    change(tmp_path / "scored.json", lambda state: state["result"]["missing"].pop("rule"))
    assert ig.read(tmp_path / "scored.json").frame().equals(scored.frame())


def test_classes_that_were_renamed_are_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ig.read(path).frame()
    change(path, lambda state: state["result"].update({"$": "OldName"}))
    monkeypatch.setattr(results, "RENAMED", {"OldName": "Compared"})
    assert ig.read(path).frame().equals(before)


Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | None"


def array_of(stored: Json) -> Any:  # noqa: ANN401  # an array as JSON
    """The first array in it."""
    if isinstance(stored, dict) and stored.get("$") == "array":
        return stored
    inner: Iterable[Json] = stored.values() if isinstance(stored, dict) else stored if isinstance(stored, list) else ()
    return next((array for array in (array_of(part) for part in inner) if array is not None), None)


EDITS: list[tuple[Callable[[Any], object], str]] = [
    (lambda state: state.update(version=99), "version 99 of its state; this one reads up to 1: install"),
    (lambda state: state.pop("result"), "its state is damaged; save the result anew"),
    (lambda state: state.update(result=3), "its state is no result of compare"),
    (without("each"), "missing 1 required positional argument: 'each'"),
    (lambda state: state["result"].update(each=3), "the each of Compared is none: a int"),
    (lambda state: state["result"].update(other=3), "Compared has no other"),
    (lambda state: state["result"].update({"$": "Popen"}), "there can be no Popen in it"),
    (lambda state: state["result"].update({"$": "Scored"}), "there can be no Scored in it"),
    (lambda state: array_of(state).update(type="|O"), "there can be no array of object in it"),
    (lambda state: array_of(state).update(shape=[10**9]), "cannot reshape"),
]


@pytest.mark.parametrize(("edit", "why"), EDITS)
def test_what_cannot_be_is_refused(edit: Callable[[Any], object], why: str, path: Path) -> None:
    change(path, edit)
    with pytest.raises(ig.InputError) as error:
        ig.read(path)
    assert str(error.value).startswith(f"{path}: ")
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[1]", "this is not a result; name a file that save wrote"),
        ('{"study": "compare"}', "holds no state to read a result from, as those of irgauge before 0.3 do; save"),
        ('{"study": "own", "irgauge": "0.3.0"}', "no state .* as a result of own holds what cannot be stored; compute"),
        ('{"study": "compare", "state": "?"}', "its state is damaged"),
        ('{"study": "compare", "state": "bm8="}', "is not JSON"),
        ('{"study": "compare", "schema": NaN}', "is not JSON"),
    ],
)
def test_what_is_no_result_is_refused(content: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(content)
    with pytest.raises(ig.InputError, match=why):
        ig.read(path)


def test_a_study_that_is_not_there_is_named(path: Path) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | {"study": "lengths"}))
    with pytest.raises(ig.InputError, match="the study 'lengths' is not known here; install the package that adds it"):
        ig.read(path)


def test_a_state_may_be_no_larger_than_a_file(path: Path) -> None:
    from irgauge.files.limits import reading_at_most

    bomb = base64.b64encode(gzip.compress(b" " * 10_000_000)).decode()
    path.write_text(json.dumps({"study": "compare", "state": bomb}))
    with reading_at_most("1MB"), pytest.raises(ig.InputError, match="holds more than 1,000,000 bytes"):
        ig.read(path)


class Holder(NamedTuple):
    """Something that holds a function."""

    say: Callable[[], str]


def test_values_of_all_kinds_come_back() -> None:
    arrays = [np.arange(6.0).reshape(2, 3)[:, ::2], np.array([True, False]), np.zeros((0, 2), np.int16), np.array(3.0)]
    nested = {1: [None, (np.nan, -np.inf)], "$": {"x"}, "facts": Provenance((Fact("a", 1.5, "x"),)), "arrays": arrays}
    stored = json.loads(json.dumps(packed(nested), allow_nan=False))
    again = Unpacking(kinds_of(Provenance), {}).value(stored)
    assert again.pop("arrays")[0].flags.writeable
    copies = Unpacking(kinds_of(Provenance), {}).value(packed(arrays))
    for copy, array in zip(copies, arrays, strict=True):
        assert np.array_equal(copy, array)
        assert copy.dtype == array.dtype
    assert repr(again) == repr({key: value for key, value in nested.items() if key != "arrays"}).replace(
        "{'x'}", "frozenset({'x'})"
    )
    with pytest.raises(TypeError, match="a function cannot be stored; give it the methods stored and restored"):
        packed(Holder(lambda: "x"))
