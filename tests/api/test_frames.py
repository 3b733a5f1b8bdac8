"""One contract for frames: the same rows in every study, in CSV, Parquet and JSON, as docs/frames.md says."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from website.examples import results

import irgauge as ig
from irgauge.provenance import package_versions
from irgauge.show.saving import filed
from irgauge.studies.frames import FRAMES, PAIRS, SYSTEMS, VERSION, Rows
from irgauge.studies.registry import studies
from irgauge.studies.result import Result
from website import frames

STATS: Any = import_module("scipy.stats")  # it has no types
TYPES = {"text": pl.String, "number": pl.Float64, "count": pl.Int64, "yes or no": pl.Boolean}
PAIR_ROWS = [(study, name) for study, own in FRAMES.items() for name, rows in own.items() if "p_adjusted" in rows.names]
BESIDE = {
    ("partition", "by-split"),  # of pairs, but what one split or test says
    ("partition", "by-test"),
    ("judges", "favour"),  # of systems, and of groups of them, against all others
}

ELSEWHERE = {
    ("plan", "next"),  # of a plan with a judge, which is not the example: tests/studies/plan/test_plan_judge.py
    ("check", "table"),  # of a table of scores, and the example has runs: tests/studies/check/test_check_table.py
    ("holes", "next"),  # all documents of the example are judged: tests/studies/holes/test_next_documents.py
}


def every() -> Iterator[tuple[str, Result, str, Rows]]:
    for study, result in results().items():
        for name, rows in result.frames.items():
            yield study, result, name, rows


def test_every_study_has_frames_of_its_contract() -> None:
    assert FRAMES.keys() == studies().keys()
    for study, result, name, rows in every():
        frame = result.frame(name)
        assert dict(frame.schema) == {one.name: TYPES[one.holds] for one in rows.columns}, (study, name)
        assert (len(frame) > 0) != ((study, name) in ELSEWHERE), (study, name)
        for column in frame.select(pl.col(pl.Float64)):
            assert column.drop_nulls().is_finite().all(), (study, name, column.name)
        assert result.frames[name].names == tuple(frame.columns)


def test_rows_of_pairs_and_of_systems_start_alike() -> None:
    assert {study for study, _ in PAIR_ROWS} == {
        "compare",
        "gate",
        "holes",
        "instances",
        "judges",
        "partition",
        "pools",
        "suite",
    }
    for study, name in PAIR_ROWS:
        if (study, name) not in BESIDE:
            assert FRAMES[study][name].names[: len(PAIRS)] == PAIRS, (study, name)
    for study, own in FRAMES.items():
        for name, rows in own.items():
            assert not {"first", "second"} & set(rows.names)
            if name == "systems" and study != "agreement":
                assert rows.names[: len(SYSTEMS)] == SYSTEMS, study


def test_the_main_frame_is_the_first_and_an_unknown_one_is_refused() -> None:
    for study, result in results().items():
        assert result.frame().equals(result.frame(next(iter(FRAMES[study]))))
        with pytest.raises(ig.DesignError, match="the frame 'pears' is unknown"):
            result.frame("pears")


def test_csv_and_parquet_hold_the_same_rows(tmp_path: Path) -> None:
    for study, result in results().items():
        frame = result.frame()
        result.save(tmp_path / f"{study}.parquet")
        assert pl.read_parquet(tmp_path / f"{study}.parquet").equals(frame), study
        result.save(tmp_path / f"{study}.csv")
        read = pl.read_csv(tmp_path / f"{study}.csv", schema=frame.schema)
        assert read.equals(frame), study


def in_json(study: str, shown: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of pairs in JSON, where they are nested in what they are of."""
    if study in ("compare", "partition"):
        return [row for one in shown["measures"] for row in one["pairs"]]
    if study == "suite":
        return [row for one in shown["populations"].values() for row in one["pairs"]]
    return list(shown["measures"] if study == "gate" else shown["pairs"])


@pytest.mark.parametrize("study", ["compare", "suite", "gate", "partition", "instances"])
def test_rows_in_json_have_the_same_names_and_numbers(study: str) -> None:
    result = results()[study]
    rows = in_json(study, result.to_dict())
    for column in PAIRS:
        assert [row[column] for row in rows] == result.frame()[column].to_list(), column


def test_json_says_which_contract_and_which_irgauge() -> None:
    shown = filed(results()["compare"])
    assert (shown["schema"], shown["irgauge"]) == (VERSION, package_versions()["irgauge"])
    assert shown["versions"] == package_versions()


def test_the_page_is_made_from_the_contract() -> None:
    assert frames.PAGE.read_text() == frames.page(), "python -m website.frames writes it anew"


RNG = np.random.default_rng(5)
VALUES = RNG.random((30, 3)) + np.array([0.3, 0.1, 0.0])
TABLE = ig.load_scores(VALUES, systems=["a", "b", "c"])


@pytest.mark.parametrize(
    "options", [{}, {"baseline": "c"}, {"margin": 0.05}, {"test": "tukey"}, {"test": "dunnett", "baseline": "c"}]
)
def test_columns_are_the_same_whatever_was_asked(options: dict[str, Any]) -> None:
    result = ig.compare(TABLE, **options)
    for name, rows in result.frames.items():
        assert tuple(result.frame(name).columns) == rows.names
    pairs = result.frame()
    assert pairs["against"].to_list() == (["c", "c"] if "baseline" in options else ["b", "c", "c"])
    assert pairs["margin"].to_list() == [options.get("margin")] * len(pairs)
    assert pairs["test"].unique().to_list() == [options.get("test", "skewed-t")]


def test_p_is_of_the_pair_and_p_adjusted_of_the_family() -> None:
    pairs = ig.compare(TABLE, test="t").frame()
    places = {"a": 0, "b": 1, "c": 2}
    own = [
        STATS.ttest_rel(VALUES[:, places[system]], VALUES[:, places[against]]).pvalue
        for system, against in pairs.select("system", "against").rows()
    ]
    assert pairs["p"].to_list() == pytest.approx(own)
    order = np.argsort(own)
    holm = np.maximum.accumulate(np.minimum(1, np.array(own)[order] * [3, 2, 1]))
    assert pairs["p_adjusted"].to_numpy()[order] == pytest.approx(holm)
    tukey = ig.compare(TABLE, test="tukey").frame()
    assert tukey["p"].to_list() == [None] * 3  # of the family alone
    assert all(p is not None for p in tukey["p_adjusted"])
    two = ig.compare(ig.load_scores(VALUES[:, :2], systems=["a", "b"]), test="tukey").frame()
    assert two["p"].item() == pytest.approx(STATS.ttest_rel(VALUES[:, 0], VALUES[:, 1]).pvalue)


def test_all_populations_are_in_one_frame() -> None:
    shards = ig.load_scores(
        pl.DataFrame(
            [
                {
                    "topic": str(t),
                    "system": system,
                    "replicate": str(r),
                    "score": float(VALUES[t, s] + RNG.random() / 5),
                }
                for t in range(10)
                for s, system in enumerate("abc")
                for r in range(3)
            ]
        )
    )
    result = ig.compare(shards)
    assert result.frame()["population"].unique(maintain_order=True).to_list() == [
        one.population for one in result.first.comparisons
    ]
    assert len(result.first.comparisons) > 1


def test_a_paper_analysis_joins_frames_of_studies() -> None:
    """What a user writes: verdicts beside means, filtered and pivoted, without looking into results."""
    compared, scored = ig.compare(TABLE, baseline="c", margin=0.1), ig.score(TABLE)
    joined = compared.frame().join(scored.frame(), on=["measure", "system"], suffix="_of_mean")
    assert joined.sort("system")["mean"].to_list() == pytest.approx(VALUES.mean(axis=0)[:2].tolist())
    gate = ig.gate(TABLE, "c", "a", margin=0.1).frame()
    together = pl.concat([compared.frame().select(PAIRS), gate.select(PAIRS)])
    assert together["difference"].to_list()[0] == pytest.approx(together["difference"].to_list()[-1])
    assert together["alpha"].unique().to_list() == [0.05]
    assert not math.isnan(together["p"].sum())
    assert io.StringIO(compared.to_csv()).readline().startswith(",".join(PAIRS))
