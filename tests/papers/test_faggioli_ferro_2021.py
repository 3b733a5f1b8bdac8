"""Bootstrap ANOVA, ANOVA with FDR and with Tukey, against models fitted by dummies and scipy's distributions."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irgauge.compute.arrays import Floats
from irgauge.papers import faggioli_ferro_2021 as paper
from irgauge.papers.published import Verdict, papers
from irgauge.papers.reproduce import reproduce
from irgauge.simulation.collections import Design, simulate

TOPICS, SYSTEMS, PARTS = 6, 5, 3


@pytest.fixture(scope="module")
def values() -> Floats:
    rng = np.random.default_rng(8)
    shape = TOPICS, SYSTEMS, PARTS
    topics, systems = rng.normal(0.4, 0.1, (TOPICS, 1, 1)), rng.normal(0, 0.05, (1, SYSTEMS, 1))
    return np.asarray(topics + systems + rng.normal(0, 0.03, (TOPICS, 1, PARTS)) + rng.normal(0, 0.04, shape))


def by_dummies(values: Floats, model: str) -> tuple[float, int]:
    """The mean square and degrees of freedom of the residual, by least squares on indicators of all cells of terms."""
    terms = {"MD3": ["t", "s", "ts"], "MD6": ["t", "s", "ts", "k", "sk", "tk"]}[model]
    rows = np.array(list(np.ndindex(values.shape)))
    axes = {"t": 0, "s": 1, "k": 2}
    columns = [
        (rows[:, [axes[letter] for letter in term]] == level).all(axis=1)
        for term in terms
        for level in np.ndindex(*(values.shape[axes[letter]] for letter in term))
    ]
    x = np.column_stack([np.ones(len(rows)), *columns]).astype(float)
    y = values[tuple(rows.T)]
    fitted = x @ np.linalg.lstsq(x, y, rcond=None)[0]
    df = len(y) - int(np.linalg.matrix_rank(x))
    return float(((y - fitted) ** 2).sum() / df), df


@pytest.mark.parametrize("model", paper.MODELS)
def test_both_corrections_of_anova(values: Floats, model: str) -> None:
    ms, df = by_dummies(values, model)
    means = values.mean(axis=(0, 2))
    d = np.array([means[a] - means[b] for a, b in combinations(range(SYSTEMS), 2)])
    se = np.sqrt(ms / (TOPICS * PARTS))
    by_t = stats.false_discovery_control(2 * stats.t.sf(np.abs(d) / (np.sqrt(2) * se), df))
    by_range = stats.studentized_range.sf(np.abs(d) / se, SYSTEMS, df)
    found = paper.decisions(values, model, seed=1, split=0).significant
    assert found[paper.FDR].tolist() == (by_t <= 0.05).tolist()
    assert found[paper.FWER].tolist() == (by_range <= 0.05).tolist()
    assert 0 < found[paper.FWER].sum() < len(d)


def test_bootstrap_anova_against_a_loop(values: Floats, monkeypatch: pytest.MonkeyPatch) -> None:
    """MD3: the fit is the mean over parts, and residuals are drawn from all cells."""
    monkeypatch.setattr(paper, "DRAWS", 4000)
    rng, fitted = np.random.default_rng(2), values.mean(axis=2, keepdims=True)
    residuals = (values - fitted).ravel()
    drawn = np.array([(fitted + rng.choice(residuals, values.shape)).mean(axis=(0, 2)) for _ in range(4000)])
    effects, drawn = values.mean(axis=(0, 2)) - values.mean(), drawn - drawn.mean(axis=1, keepdims=True)
    p = np.array(
        [
            (drawn[:, b] >= effects[a]).mean() if effects[a] >= effects[b] else (drawn[:, a] >= effects[b]).mean()
            for a, b in combinations(range(SYSTEMS), 2)
        ]
    )
    adjusted = stats.false_discovery_control(p)
    sure = np.abs(adjusted - 0.05) > 0.02
    found = paper.decisions(values, "MD3", seed=1, split=0)
    assert (found.significant[paper.BOOTSTRAP] == (adjusted <= 0.05))[sure].all()
    level = 0.05 * found.significant[paper.BOOTSTRAP].mean()
    low, high = np.quantile(drawn, [level / 2, 1 - level / 2], axis=0)
    assert found.length == pytest.approx((high - low).mean(), rel=0.05)


def test_change_is_counted_over_all_two_splits() -> None:
    significant = np.random.default_rng(1).random((7, 30)) < 0.4
    pairs = list(combinations(range(7), 2))
    expected = np.mean([(significant[a] != significant[b]).mean() for a, b in pairs])
    assert paper.change(significant) == pytest.approx(expected)


def test_every_claim_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "SPLITS", 3)
    monkeypatch.setattr(paper, "DRAWS", 200)
    design = Design(systems=5, families=2, topics=6, depth=60, corpus_size=400, relevant_median=30, seed=3)
    simulate(design).write(tmp_path / "trec8")
    [outcome] = reproduce(paper.PAPER, tmp_path)
    of_trec8 = [value for value in outcome.values if value.printed.collection == "trec8"]
    assert len(of_trec8) == 3 * 8 + 2 == len(papers()[paper.PAPER].exhibits["claims"].values) // 2
    assert all(value.verdict in (Verdict.EXACT, Verdict.DIFFERS) for value in of_trec8)
    assert len(outcome.beside) == 8 + 1
    assert "not at hand" in outcome.entry.exhibit.shows
