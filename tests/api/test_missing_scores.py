"""A score that a table lacks is never 0 by itself: refused with the ways out, or what `missing` says, on every verb."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import polars as pl
import pytest

import irgauge as ig

Irgauge = Callable[..., tuple[int, str, str]]
RNG = np.random.default_rng(3)
VALUES = RNG.integers(1, 6, (12, 3)).astype(float)  # on a scale of 1 to 5, where 0 cannot be
TOPICS, SYSTEMS = [f"q{t}" for t in range(12)], ["a", "b", "c"]
HOLE = (4, 1)  # b on q4
REFUSED = r"missing on some of the 12 topics:\n  b: 1 topic \(q4\)\ncomplete the table, or say .*: zero .* or drop"


def rows(measures: tuple[str, ...] = ("stars",)) -> pl.DataFrame:
    """A long table with a null in one cell, of the first measure."""
    return pl.DataFrame(
        [
            {"measure": measure, "topic": topic, "system": system, "score": None if is_hole else VALUES[t, s]}
            for measure in measures
            for t, topic in enumerate(TOPICS)
            for s, system in enumerate(SYSTEMS)
            for is_hole in [(t, s) == HOLE and measure == measures[0]]
        ]
    )


def wide() -> pl.DataFrame:
    return pl.DataFrame({"topic": TOPICS, **{system: with_nan()[:, s] for s, system in enumerate(SYSTEMS)}})


def with_nan() -> np.ndarray[Any, np.dtype[np.float64]]:
    values = VALUES.copy()
    values[HOLE] = np.nan
    return values


def masked() -> np.ma.MaskedArray[Any, np.dtype[np.float64]]:
    """The hole masked, as a score that could be."""
    values = np.ma.MaskedArray(VALUES)
    values[HOLE] = np.ma.masked
    return values


def arrow() -> object:
    frame: Any = rows()  # pyarrow has no types
    return frame.to_arrow()


def mapping() -> dict[str, dict[str, float]]:
    return {
        system: {topic: VALUES[t, s] for t, topic in enumerate(TOPICS) if (t, s) != HOLE}
        for s, system in enumerate(SYSTEMS)
    }


GIVEN: Mapping[str, Callable[[], Any]] = {
    "a null": rows,
    "an absent row": lambda: rows().drop_nulls(),
    "NaN": lambda: rows().with_columns(pl.col("score").fill_null(float("nan"))),
    "a wide frame": wide,
    "pandas": lambda: rows().to_pandas(),
    "Arrow": arrow,
    "a mapping": mapping,
    "masked columns": lambda: {"topic": TOPICS, **{system: masked()[:, s] for s, system in enumerate(SYSTEMS)}},
    "scores": lambda: ig.Scores.from_frame(rows()),
}


class Call(Protocol):
    """A verb with more than data to say."""

    def __call__(self, data: Any, **options: Any) -> object: ...  # noqa: ANN401  # any data and options


CALLS: Mapping[str, Call] = {
    "teams": lambda data, **options: ig.teams(data, groups=dict(zip(SYSTEMS, "xyz", strict=True)), **options),
    "agreement": lambda data, **options: ig.agreement(
        pl.concat([data, data.with_columns(measure=pl.lit("clicks"))]), **options
    ),
    "calibrate": lambda data, **options: ig.calibrate(data, quick=True, trials=2, **options),
    "plan": lambda data, **options: ig.plan(data, difference=0.5, **options),
    "suite": lambda data, **options: ig.suite({"x": data, "y": data.fill_null(3.0)}, **options),
    "judges": lambda data, **options: ig.judges(data, {"m": data}, draws=5, **options),
    "gate": lambda data, **options: ig.gate(ig.Scores.from_frame(data), "a", "b", margin=0.5, **options),
}
VERBS: Mapping[str, Callable[..., Any]] = {
    "compare": ig.compare,
    "score": ig.score,
    "topics": ig.topics,
    "anova": ig.anova,
    "measure": ig.measure,
    "load_scores": ig.load_scores,
    "report": ig.report,
    **CALLS,
}


@pytest.mark.parametrize("kind", GIVEN)
def test_a_missing_score_is_refused_however_it_is_given(kind: str) -> None:
    with pytest.raises(ig.InputError, match=REFUSED):
        ig.compare(GIVEN[kind]())


def test_what_an_array_masks_is_missing() -> None:
    with pytest.raises(ig.InputError, match=REFUSED):
        ig.load_scores(masked(), systems=SYSTEMS, topics=TOPICS)


def test_a_frame_of_which_nothing_is_known_is_refused_in_a_sentence() -> None:
    class Frame:
        columns, shape = ("a",), (1, 1)

    with pytest.raises(ig.InputError, match=r"^a Frame cannot be read; give the path of a table, a polars or pandas"):
        ig.compare(Frame())


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_refuses_it_unless_told(verb: str) -> None:
    with pytest.raises(ig.InputError, match=r"scores are missing on some of the 12 topics:\n  b: 1 topic \(q4\)"):
        VERBS[verb](rows())
    for rule in ("zero", "drop") if verb not in ("calibrate", "report") else ("drop",):
        VERBS[verb](rows(), missing=rule)


def test_an_array_with_nan_is_refused_too() -> None:
    with pytest.raises(ig.InputError, match=r"b: 1 topic \(5\)"):
        ig.compare(ig.load_scores(with_nan(), systems=SYSTEMS, topics=[str(t + 1) for t in range(12)]))


def test_what_missing_says_is_done_and_counted() -> None:
    kept = np.arange(12) != HOLE[0]
    of: dict[Literal["zero", "drop"], Any] = {
        "zero": np.where(np.isnan(with_nan()), 0.0, with_nan()),
        "drop": VALUES[kept],
    }
    for rule, values in of.items():
        result = ig.compare(rows(), missing=rule, baseline="a")
        pair = result.frame().filter(pl.col("system") == "b").row(0, named=True)
        assert pair["difference"] == pytest.approx(values[:, 1].mean() - values[:, 0].mean())
        assert pair["n"] == len(values)
        assert result.provenance["missing"] == {"rule": rule, "topics": 1, "of": 12, "systems": {"b": 1}}
    settled = ig.load_scores(rows(), missing="drop")
    assert ig.compare(settled, baseline="a").frame().equals(ig.compare(rows(), missing="drop", baseline="a").frame())


def test_a_score_by_one_measure_or_in_one_replicate_counts() -> None:
    """b has a score on q4 by the other measure: that by this one is missing nevertheless."""
    with pytest.raises(ig.InputError, match=REFUSED):
        ig.compare(rows(("stars", "clicks")))
    both = ig.compare(rows(("stars", "clicks")), missing="zero", baseline="a")
    means = dict(both.frame("systems").filter(pl.col("system") == "b").select("measure", "mean").rows())
    assert means["clicks"] == pytest.approx(VALUES[:, 1].mean())
    assert means["stars"] == pytest.approx(np.nansum(with_nan()[:, 1]) / 12)
    seeds = pl.concat([rows().with_columns(replicate=pl.lit(str(r))) for r in range(2)])
    filled = pl.when(pl.col("replicate") == "0").then(pl.col("score").fill_null(3.0)).otherwise("score")
    with pytest.raises(ig.InputError, match=REFUSED):
        ig.compare(seeds.with_columns(score=filled))


def test_a_topic_that_nobody_has_a_score_on_is_missing_by_a_measure_that_we_do_not_know() -> None:
    nobody = rows().with_columns(score=pl.when(pl.col("topic") == "q4").then(None).otherwise("score"))
    with pytest.raises(ig.InputError, match=r"a: 1 topic \(q4\)\n  b: 1 topic \(q4\)\n  c: 1 topic \(q4\)"):
        ig.compare(nobody)
    assert ig.compare(nobody, missing="drop").frame()["n"].unique().to_list() == [11]
    undefined = nobody.with_columns(measure=pl.lit("AP"), score=pl.col("score") / 5)  # no relevant document, as of runs
    assert ig.compare(undefined).provenance["undefined"] == 3


def test_the_command_line_says_the_same(tmp_path: Path, run: Irgauge) -> None:
    path = tmp_path / "scores.csv"
    rows().write_csv(path)
    for command in (("compare", path), ("score", path), ("topics", path), ("gate", path, "a", "b", "--margin", "0.5")):
        code, out, err = run(*command)
        assert (code, out) == (2, ""), command
        assert re.search(r"b: 1 topic \(q4\)", err)
        assert "zero" in err
        assert "drop" in err
    code, out, _ = run("compare", path, "--missing", "drop", "--format", "csv", "-q")
    assert code == 0
    assert out.splitlines()[1].split(",")[3] == "11"


def test_runs_score_0_on_topics_that_they_do_not_answer_as_before() -> None:
    qrels = {str(t): {"d": 1} for t in range(5)}
    runs = {"a": {str(t): {"d": 1.0} for t in range(5)}, "b": {str(t): {"d": 1.0} for t in range(4)}}
    loaded = ig.load(qrels, runs, warn=False)
    missing = {"rule": "zero", "topics": 1, "of": 5, "systems": {"b": 1}}
    assert ig.score(loaded, "AP").provenance["missing"] == missing
    with pytest.raises(ig.DesignError, match="give 'missing' to `load`"):
        ig.score(loaded, "AP", missing="drop")
