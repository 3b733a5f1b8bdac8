"""One contract: all that verbs answer can be asked the same, and shows itself."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TypeVar

import polars as pl
import pytest
from website.examples import Examples, result_of

from irgauge import compare, load_scores, read
from irgauge.errors import DesignError
from irgauge.papers.reproduce import reproduce
from irgauge.provenance import Provenance
from irgauge.reporting.report import report
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, Findings, Sentence
from irgauge.studies.registry import studies
from irgauge.studies.result import Result

T = TypeVar("T")
COUNTED = {"difference", "equivalence", "effect"}  # what is false or not by the truth of systems
VERBS = [*studies(), "report", "reproduce"]
TABLE = {"a": {"1": 0.1, "2": 0.4, "3": 0.2}, "b": {"1": 0.3, "2": 0.5, "3": 0.1}}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Examples:
    return Examples(tmp_path_factory.mktemp("examples"))


@cache
def answer(verb: str, made: Examples) -> Result | None:
    """What a verb says of small data."""
    if verb == "report":
        return report(load_scores(TABLE))
    if verb == "reproduce":
        return reproduce("zobel-rashidi-2020/table-1", {})
    return result_of(made, studies()[verb])


def may_be_false(finding: Finding) -> bool:
    """Whether a finding may claim what is false or not by the truth of systems, and so has a place on a page."""
    sentence: Sentence = finding.say.sentence  # type: ignore[attr-defined]  # set where it is declared
    return sentence.tone == "finding" and bool(COUNTED & set(sentence.claims or ()))


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_keeps_the_contract(verb: str, made: Examples, tmp_path: Path) -> None:
    result = answer(verb, made)
    assert isinstance(result, Result), f"give {verb} an example in website/examples.py"
    assert result.study == verb
    assert isinstance(result.provenance, Provenance)
    assert isinstance(result.findings(), Findings)
    assert result.findings()
    assert all(finding.place is not None for finding in result.findings() if may_be_false(finding))
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
            result.chart(widht=3)  # type: ignore[call-arg]  # wrong on purpose
    assert "<li>" in result._repr_html_()
    result.save(tmp_path / "result.json")
    written = json.loads((tmp_path / "result.json").read_text())
    assert written.keys() == {"study", "schema", "irgauge", "versions", "made", "state", *result.to_dict()}
    result.save(tmp_path / "result.csv")
    assert len((tmp_path / "result.csv").read_text().splitlines()) > 1


def drawn(result: Result) -> dict[str, str]:
    """Every chart as JSON, or why these data have none."""
    charts: dict[str, str] = {}
    for name in result.charts():
        try:
            charts[name] = json.dumps(result.chart(name).to_dict())
        except DesignError as error:
            charts[name] = str(error)
    return charts


def assert_same(copy: Result, result: Result) -> None:
    assert type(copy) is type(result)
    assert copy.frame().equals(result.frame())
    assert copy.findings() == result.findings()
    assert copy.findings().texts() == result.findings().texts()
    assert dict(copy.provenance) == dict(result.provenance)
    assert copy.to_text() == result.to_text()
    assert copy.to_dict() == result.to_dict()
    assert drawn(copy) == drawn(result)


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_comes_back(verb: str, made: Examples, tmp_path: Path) -> None:
    result = answer(verb, made)
    assert result is not None
    result.save(tmp_path / "result.json")
    copy = read(tmp_path / "result.json")
    assert_same(copy, result)
    copy.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "result.json").read_text()


def test_a_report_of_runs_comes_back_without_the_runs(made: Examples, tmp_path: Path) -> None:
    result = report((made.files / "qrels.txt", made.files / "runs"), "AP", images=2, shards=None)
    result.save(tmp_path / "report.json")
    copy = read(tmp_path / "report.json")
    assert isinstance(copy, type(result))
    assert copy.to_html() == result.to_html()
    with pytest.raises(DesignError, match="these runs are those of a report that was read from a file"):
        compare(copy.reporting.data, "nDCG")


def unpickled(value: T) -> T:
    copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301  # our own
    return copy


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_goes_to_other_processes(verb: str, made: Examples) -> None:
    result = answer(verb, made)
    assert result is not None
    for copied in (unpickled, deepcopy):
        assert_same(copied(result), result)
        findings = copied(result.findings())
        assert [(finding, finding.text, finding.tone) for finding in findings] == [
            (finding, finding.text, finding.tone) for finding in result.findings()
        ]
        assert [table.to_text() for table in copied(result.tables())] == [table.to_text() for table in result.tables()]
        if result.charts():
            assert copied(result.chart()).to_dict() == result.chart().to_dict()


@pytest.mark.parametrize("verb", VERBS)
def test_files_have_the_rows_of_the_frame(verb: str, made: Examples, tmp_path: Path) -> None:
    result = answer(verb, made)
    assert result is not None
    frame = result.frame().with_columns(pl.col(pl.Null).cast(pl.String))
    for name in ("rows.csv", "rows.parquet"):
        result.save(tmp_path / name)
    if verb != "score":  # whose Parquet is a table of scores, for other verbs
        assert pl.read_parquet(tmp_path / "rows.parquet").equals(result.frame())
    finite = frame.with_columns(pl.when(pl.col(pl.Float64).is_finite()).then(pl.col(pl.Float64)).name.keep())
    rows = pl.read_csv(tmp_path / "rows.csv", schema=frame.schema)
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    assert rows.with_columns(pl.col(texts).fill_null("")).equals(finite.with_columns(pl.col(texts).fill_null("")))


def test_where_there_are_no_charts_it_is_said(made: Examples, tmp_path: Path) -> None:
    result = answer("reproduce", made)
    assert result is not None
    assert not result.charts()
    with pytest.raises(DesignError, match=r"there are no charts of reproduce; tables\(\) gives its tables"):
        result.chart()
    with pytest.raises(DesignError, match="there are no charts"):
        result.save(tmp_path / "chart.svg")
