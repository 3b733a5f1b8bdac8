"""The public names: all there, light to import, and those of the registries."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import irgauge
import irgauge as ig
from irgauge.options.fields import options_of
from irgauge.scoring.parsing import MEASURES
from irgauge.studies.registry import studies

OTHERS = """load load_scores measure read register simulate report reproduce shards Collection Scores InstanceScores
Measured Measure InputError DesignError DataWarning"""
NAMED = [*studies(), *OTHERS.split()]
HEAVY = ("numpy", "numba", "polars", "scipy", "altair", "typer")


def test_importing_the_package_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys, time; start = time.perf_counter(); import irgauge; "
        f"print(time.perf_counter() - start, [name for name in {HEAVY} if name in sys.modules])"
    )
    shown = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own program
        for _ in range(3)
    ]
    assert all(one.split(maxsplit=1)[1] == "[]\n" for one in shown)
    assert min(float(one.split()[0]) for one in shown) < 0.1


@pytest.mark.parametrize("name", NAMED)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(irgauge, name).__name__ == name
    assert name in irgauge.__all__
    assert name in dir(irgauge)


def test_nothing_else_is_promised() -> None:
    assert sorted(irgauge.__all__) == sorted(NAMED)


@pytest.mark.parametrize("name", studies())
def test_every_study_is_a_verb_with_its_options(name: str) -> None:
    verb = getattr(irgauge, name)
    assert verb is studies()[name].verb
    taken = inspect.signature(verb).parameters
    assert [option.name for option in options_of(studies()[name].options) if option.name not in taken] == []
    assert verb.__doc__
    assert ">>>" in verb.__doc__, "a verb has a runnable example"


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_has_its_name(name: str) -> None:
    assert str(getattr(irgauge, name)) == name
    assert name in dir(irgauge)


def test_measures_are_composed_as_they_are_written() -> None:
    assert str(ig.nDCG @ 10) == "nDCG@10"
    assert str(ig.RBP(p=0.95) @ 1000) == "RBP(p=0.95)@1000"


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="module 'irgauge' has no attribute 'scroe'"):
        irgauge.scroe  # type: ignore[attr-defined]  # noqa: B018  # it is looked up
    assert not hasattr(irgauge, "__wrapped__")


def test_a_module_is_looked_for_without_reading_the_registries() -> None:
    code = "from irgauge import cli; import sys; print('numba' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  # our own program
    assert shown.stdout == "False\n"


def test_measuring_once_serves_several_studies() -> None:
    data = ig.simulate(systems=4, families=2, topics=8, depth=30, corpus_size=300, seed=1).collection()
    measured = ig.measure(data, ["AP", "P@10"], shards="even:2", seed=3, keep_systems="3")
    assert (measured.shards, len(measured.scores.systems)) == (2, 3)
    once = ig.compare(measured, "AP", population="documents")
    again = ig.compare(data, "AP", shards="even:2", seed=3, keep_systems="3", population="documents")
    pairs = once.frame().filter(population="documents")  # of topics it has other scores
    assert pairs.equals(again.frame().filter(population="documents"))
    assert once.provenance_for("documents") == again.provenance_for("documents")
    assert "AP over 2 shards" in once.findings().of("best")[1].text  # of topics: nothing else was measured
    assert "AP over 2 shards" not in again.findings().of("best")[1].text
    with pytest.raises(ig.DesignError, match="these scores are measured already"):
        ig.compare(measured, "AP", shards="even:3")


def test_what_was_measured_shows_and_saves_itself(tmp_path: Path) -> None:
    data = ig.simulate(systems=2, families=1, topics=4, depth=20, corpus_size=200).collection()
    measured = ig.measure(data)
    assert [str(one) for one in measured.scores.measures] == ["AP", "P@10", "nDCG@10"]
    assert repr(measured).startswith("Measured\n  measures   3 (AP, P@10, nDCG@10)\n")
    assert "<table>" in measured._repr_html_()
    measured.save(tmp_path / "measured.parquet")
    assert ig.Scores.load(tmp_path / "measured.parquet").frame().equals(measured.frame())
    with pytest.raises(ig.InputError, match="no measure was given"):
        ig.measure(data, [])
