"""Tables, CSV and JSON of a comparison of algorithms: the numbers of the study, in full precision."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from irgauge.show.saving import to_json
from irgauge.studies.instances.further_questions import SingleTests
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from oracles.simulated_scores import Effects, simulate_scores

RATES = Effects(("full", "rate-1", "rate-4"), (0.5, 0.45, 0.5), topic_algorithm_sd=0.03, deterministic=("full",))
NAMES = ("differences", "margin", "algorithms", "components", "singles", "diagnostics")


@pytest.fixture(scope="module")
def rates() -> AlgorithmsCompared:
    scores = simulate_scores(RATES, topics=30, instances=5, seed=2)
    return instances(scores, baseline="full", seed=7)


@pytest.fixture(scope="module")
def tests_alone(rates: AlgorithmsCompared) -> AlgorithmsCompared:
    return instances(rates.scores, baseline="full", seed=7, posterior=False)


def object_of(result: AlgorithmsCompared) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(to_json(result.to_dict()))
    return shown


def test_every_table_has_a_name(rates: AlgorithmsCompared, tests_alone: AlgorithmsCompared) -> None:
    assert tuple(table.name for table in rates.tables()) == NAMES
    assert tuple(table.name for table in tests_alone.tables()) == NAMES[:-1]
    assert rates.table().name == "differences"
    assert rates.table("diagnostics").title == "Convergence diagnostics"


def test_tables_have_the_numbers_of_the_pairs(rates: AlgorithmsCompared) -> None:
    differences, margin = rates.table("differences"), rates.table("margin")
    assert differences.title == "Differences in score from full"
    for i, row in enumerate(differences.records()):
        one = rates.contrasts[i]
        expected = (rates.pairs[i].system, one.estimate, one.se, one.df, one.t, one.p)
        assert tuple(row.values())[:6] == expected
        assert row["p_adjusted"] == rates.tests.p_difference[i]
        assert (row["low"], row["high"], row["verdict"]) == (*rates.intervals[:, i], rates.verdicts[i])
    assert rates.hpd is not None
    assert rates.probabilities is not None
    assert rates.hpd_verdicts is not None
    for i, row in enumerate(margin.records()):
        p = rates.tests.p_not_worse[i], rates.tests.p_not_better[i]
        assert (row["p_not_worse"], row["p_not_better"], row["p_equivalent"]) == (*p, max(p))
        assert (row["hpd_low"], row["hpd_high"]) == tuple(rates.hpd[:, i])
        shares = [row[f"probability_{name}"] for name in ("better", "within", "worse")]
        assert shares == rates.probabilities[:, i].tolist()
        assert row["hpd_verdict"] == rates.hpd_verdicts[i]


def test_tables_have_the_other_numbers(rates: AlgorithmsCompared) -> None:
    algorithms = rates.table("algorithms")
    counts = dict(zip(algorithms.column("system"), algorithms.column("instances"), strict=True))
    assert counts == {"full": 1, "rate-1": 5, "rate-4": 5}
    assert algorithms.column("mean") == sorted((mean for mean, _ in rates.means.values()), reverse=True)
    singles = rates.table("singles")
    assert singles.title == "What single instances would have said against full"
    assert singles.column("alpha") == [0.05, 0.1] * 2
    assert singles.column("contradict") == [one.contradict for one in rates.singles]
    diagnostics = rates.table("diagnostics")
    assert diagnostics.column("parameter") == [
        *("mean of full", "mean of rate-1", "mean of rate-4"),
        *("sd of instance", "sd of topic", "sd of topic:algorithm", "sd of residual"),
    ]
    for row in diagnostics.records():
        assert isinstance(row["r_hat"], float)
        assert isinstance(row["ess_bulk"], float)
        assert row["r_hat"] <= 1.01
        assert row["ess_bulk"] >= 400


def test_all_pairs_name_both_algorithms(rates: AlgorithmsCompared) -> None:
    every = instances(rates.scores, posterior=False)
    assert every.table("differences").names[:2] == ("system", "against")


def test_cells_are_numbers(rates: AlgorithmsCompared) -> None:
    texts = {"system", "against", "algorithm", "verdict", "hpd_verdict", "component", "comparison", "pair", "parameter"}
    for table in rates.tables():
        for name in set(table.names) - texts:
            assert all(one is None or isinstance(one, int | float) for one in table.column(name)), name


def test_components_have_posterior_shares(rates: AlgorithmsCompared) -> None:
    assert rates.posterior is not None
    variances = rates.posterior.sd.reshape(-1, 4) ** 2
    drawn = variances / variances.sum(axis=1, keepdims=True)
    for i, row in enumerate(rates.content()["components"]):
        inside = (drawn[:, i] >= row["share_low"]) & (drawn[:, i] <= row["share_high"])
        assert inside.mean() == pytest.approx(0.95, abs=0.001)
        assert row["share"] == pytest.approx(row["sd"] ** 2 / sum(c.variance for c in rates.fit.components))
    table = rates.table("components")
    assert table.column("share") == [one.share for one in rates.fit.components]


def test_without_a_posterior_its_columns_are_left_out(tests_alone: AlgorithmsCompared) -> None:
    columns = [column for table in tests_alone.tables() for column in table.names]
    assert not [name for name in columns if name.startswith(("hpd", "probability", "share_"))]
    assert "HPD" not in " ".join(tests_alone.findings().texts())
    assert "posterior" not in tests_alone.to_text()


def test_the_frame_has_every_number_of_the_pairs(rates: AlgorithmsCompared) -> None:
    frame = rates.frame()
    assert frame["p_equivalent"].to_list() == rates.tests.p_equivalent.tolist()
    assert frame["verdict"].to_list() == list(rates.verdicts)
    assert set(rates.table("differences").names) | set(rates.table("margin").names) <= set(frame.columns)


def test_the_method_is_said_once(rates: AlgorithmsCompared) -> None:
    shown, prior = " ".join(rates.to_text(width=80).split()), rates.content()["prior"]
    assert shown.count("score = algorithm + (instance in algorithm)") == 1
    assert shown.endswith(
        "Method: model nested; random effects in brackets: score = algorithm + (instance in algorithm) + (topic) + "
        "(topic:algorithm); variances of each algorithm by its mean squares, and intervals by t of each part (Banerjee "
        "1960); Holm's correction; family: all tests of 2 pairs; margin 0.01; α = 0.05; population: "
        "other topics and other instances of the algorithms, of full this run only; posterior by Gibbs sampling, 4 "
        "chains × 2,000 draws, "
        f"prior of standard deviations: half-t, 3 degrees of freedom, scale {prior.scale:.6g}, of instance "
        f"{prior.own['instance']:.3g}; seed 7; 11 instances of 3 algorithms (1 to "
        "5 each); a table of scores; 30 topics."
    )


@pytest.mark.parametrize("columns", [80, 100])
def test_text_fits_the_terminal(columns: int, rates: AlgorithmsCompared) -> None:
    assert max(map(len, rates.to_text(width=columns).splitlines())) <= columns


# the object


def test_json_has_everything(rates: AlgorithmsCompared) -> None:
    shown = object_of(rates)
    assert shown["study"] == "instances"
    assert [one["text"] for one in shown["findings"]] == rates.findings().texts()
    assert [one["tone"] for one in shown["findings"]].count("note") == 1
    facts = shown["provenance"]
    assert facts["formula"] == shown["formula"] == rates.formula
    assert facts["population"] == "other topics and other instances of the algorithms, of full this run only"
    assert (shown["margin"], facts["alpha"], facts["seed"]) == (0.01, 0.05, 7)
    assert shown["prior"]["df"] == 3
    assert len(shown["topics"]) == 30
    assert shown["series"]["smallest"] == rates.smallest()._asdict()
    assert shown["series"]["smallest_by_hpd"] == rates.smallest(by_hpd=True)._asdict()
    assert [one["algorithm"] for one in shown["series"]["settings"]] == ["rate-1", "rate-4"]
    assert {field.name for field in fields(SingleTests)} <= set(shown["single_instances"][0])
    assert shown["fit"]["criterion"] == rates.fit.criterion
    assert shown["pairs"] == rates.frame().to_dicts()


def test_json_has_null_for_what_is_not_a_number(rates: AlgorithmsCompared) -> None:
    shown = object_of(replace(rates, intervals=np.full((2, 2), math.nan)))
    assert [pair["low"] for pair in shown["pairs"]] == [None, None]


def test_json_without_series_or_posterior() -> None:
    shown = object_of(instances(simulate_scores(Effects(), topics=10, instances=3), posterior=False))
    assert (shown["series"], shown["prior"], shown["diagnostics"]) == (None, None, [])
    assert shown["components"][0]["share_low"] is None


# files and notebooks


def test_results_are_saved_by_their_extension(rates: AlgorithmsCompared, tmp_path: Path) -> None:
    for name in ("a.json", "a.csv", "a.parquet", "a.md", "a.tex", "a.txt", "a.png", "a.svg"):
        rates.save(tmp_path / name)
    assert json.loads((tmp_path / "a.json").read_text()).items() >= object_of(rates).items()
    assert pl.read_csv(tmp_path / "a.csv").equals(rates.frame())
    assert pl.read_parquet(tmp_path / "a.parquet").equals(rates.frame())
    assert "Convergence diagnostics" in (tmp_path / "a.md").read_text()
    assert (tmp_path / "a.tex").read_text().startswith(r"\begin{itemize}")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


def test_it_shows_itself_briefly_and_safely() -> None:
    effects = Effects(("<b>full</b>", "rate"), (0.5, 0.45))
    result = instances(simulate_scores(effects, topics=8, instances=2), posterior=False)
    assert repr(result).startswith("AlgorithmsCompared:\n- For other topics")
    assert len(repr(result).splitlines()) <= 6
    page = result._repr_html_()
    assert "<b>full" not in page
    assert "&lt;b&gt;full" in page
    assert "<script" not in page
