"""One contract: all that verbs answer can be asked the same, and shows itself."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from website.examples import Examples, result_of

from irgauge import load_scores
from irgauge.errors import DesignError
from irgauge.papers.reproduce import reproduce
from irgauge.provenance import Provenance
from irgauge.reporting.report import report
from irgauge.show.figure import Figure
from irgauge.show.finding import Findings
from irgauge.studies.registry import studies
from irgauge.studies.result import Result

TABLE = {"a": {"1": 0.1, "2": 0.4, "3": 0.2}, "b": {"1": 0.3, "2": 0.5, "3": 0.1}}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Examples:
    return Examples(tmp_path_factory.mktemp("examples"))


def answer(verb: str, made: Examples) -> Result | None:
    """What a verb says of small data."""
    if verb == "report":
        return report(load_scores(TABLE))
    if verb == "reproduce":
        return reproduce("zobel-rashidi-2020/table-1", {})
    return result_of(made, studies()[verb])


@pytest.mark.parametrize("verb", [*studies(), "report", "reproduce"])
def test_a_result_keeps_the_contract(verb: str, made: Examples, tmp_path: Path) -> None:
    result = answer(verb, made)
    assert isinstance(result, Result), f"give {verb} an example in website/examples.py"
    assert result.study == verb
    assert isinstance(result.provenance, Provenance)
    assert isinstance(result.findings(), Findings)
    assert result.findings()
    assert isinstance(result.frame(), pl.DataFrame)
    names = [table.name for table in result.tables()]
    assert len(set(names)) == len(names)
    assert result.table(names[-1]).name == names[-1]
    assert repr(result).startswith(f"{type(result).__name__}:")
    assert result.to_text()
    assert len(result) == len(result.parts) == len(list(result)) > 0
    for name, part in result.parts.items():
        assert result[name] is not None
        assert name in result
        for shown in map(repr, part if type(part) is tuple else [part]):
            assert len(shown) < 1000, f"{verb}: the repr of a part is short"
            assert "array(" not in shown
    with pytest.raises(DesignError, match=f"the {result.part} 'no such part' is unknown"):
        result["no such part"]
    assert bool(result) == (verb != "gate")  # which is undecided
    if result.charts():
        assert isinstance(result.chart(), Figure)
        with pytest.raises(TypeError, match=r"the chart \S+ has no option 'widht'"):
            result.chart(widht=3)
    assert "<li>" in result._repr_html_()
    result.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text()).keys() == result.to_dict().keys()
    result.save(tmp_path / "result.csv")
    assert len((tmp_path / "result.csv").read_text().splitlines()) > 1


def test_where_there_are_no_charts_it_is_said(made: Examples, tmp_path: Path) -> None:
    result = answer("reproduce", made)
    assert result is not None
    assert not result.charts()
    with pytest.raises(DesignError, match=r"there are no charts of reproduce; tables\(\) gives its tables"):
        result.chart()
    with pytest.raises(DesignError, match="there are no charts"):
        result.save(tmp_path / "chart.svg")
