"""What a correction changes in studies, against scipy: p, intervals, verdicts, topics needed, words, plans, trials."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import irgauge
from irgauge import calibrate, compare, plan
from irgauge.calibrating.methods import PairClaims
from irgauge.errors import DesignError
from irgauge.inference.corrections import correction
from irgauge.scoring.scores import Scores, load_scores
from irgauge.studies.compare.study import Compared

TOPICS, SYSTEMS, ALPHA, MARGIN = 30, 4, 0.05, 0.04
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2
NAMES = [f"s{i}" for i in range(SYSTEMS)]
TOGETHER = {"hochberg": PAIRS, "by": 1}  # by how many α is divided for an interval


@pytest.fixture(scope="module")
def values() -> NDArray[np.float64]:
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 0.08, (TOPICS, SYSTEMS)) + rng.normal(0.4, 0.1, (TOPICS, 1))
    return np.clip(noise + np.array([0.09, 0.05, 0.04, 0.0]), 0, 1)


@pytest.fixture(scope="module")
def table(values: NDArray[np.float64]) -> Scores:
    return load_scores(values, measure="AP", systems=NAMES)


def compared(table: Scores, name: str) -> Compared:
    return compare(table, "AP", test="t", correction=name, margin=MARGIN, alpha=ALPHA)  # type: ignore[arg-type]  # any text


def differences(values: NDArray[np.float64], found: Compared) -> NDArray[np.float64]:
    """Of each pair on each topic, in the order of the comparison."""
    return np.array([values[:, NAMES.index(u)] - values[:, NAMES.index(v)] for u, v in found.comparison.names])


@pytest.mark.parametrize(("name", "theirs"), [("hochberg", "simes-hochberg"), ("by", "fdr_by")])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of statsmodels itself
def test_p_intervals_and_verdicts_go_together(
    values: NDArray[np.float64], table: Scores, name: str, theirs: str
) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    found, tests = compared(table, name), TOGETHER[name]
    tested = [stats.ttest_1samp(d, 0) for d in differences(values, found)]
    np.testing.assert_allclose(
        found.comparison.p_adjusted,
        multitest.multipletests([one.pvalue for one in tested], method=theirs)[1],
        rtol=1e-8,
    )
    at = {level: [one.confidence_interval(1 - level / tests) for one in tested] for level in (ALPHA, 2 * ALPHA)}
    np.testing.assert_allclose(found.comparison.low, [one.low for one in at[ALPHA]], atol=1e-9)
    assert list(found.first.verdict.verdicts) == [verdict(*ends) for ends in zip(*at.values(), strict=True)]


def verdict(own: tuple[float, float], wide: tuple[float, float]) -> str:
    not_worse, not_better = wide[0] > -MARGIN, wide[1] < MARGIN
    rules = {
        "equivalent": not_worse and not_better,
        "better": own[0] > 0,
        "worse": own[1] < 0,
        "not worse": not_worse,
        "not better": not_better,
    }
    return next((name for name, holds in rules.items() if holds), "inconclusive")


def test_where_a_correction_has_no_level_for_each_pair_new_topics_are_not_told(table: Scores) -> None:
    said = {
        name: compare(table, test="t", baseline="s1", correction=name, margin=0.01).findings().texts()
        for name in ("hochberg", "by", "bh")
    }
    assert {name: "new topics would show" in " ".join(texts) for name, texts in said.items()} == {
        "hochberg": True,
        "by": False,
        "bh": False,
    }


@pytest.mark.parametrize(("name", "title", "short"), [
    ("hochberg", "Hochberg's correction", "Hochberg"), ("by", "Benjamini and Yekutieli's correction", "BY")
])  # fmt: skip
def test_sentences_captions_and_facts_name_the_correction(table: Scores, name: str, title: str, short: str) -> None:
    found = compared(table, name)
    assert f"({title.split()[0]}" not in str(found.table())  # no interval is called by a name that is not its own
    assert title in " ".join(one.text for one in compare(table, "AP", correction=name, baseline="s3").findings())  # type: ignore[arg-type]  # any text
    assert f"guarded t-test, {short}, α = 0.05" in compare(table, "AP", correction=name).table("paper").notes[0]  # type: ignore[arg-type]  # any text
    assert found.provenance["correction"] == name
    wider = "Bonferroni's, a little wider than Hochberg's test" in str(found.tables())
    assert wider == (name == "hochberg")


def test_a_plan_is_at_the_level_of_the_correction(table: Scores) -> None:
    levels = {name: plan(table, "AP", correction=name).level for name in ("holm", "hochberg", "bonferroni", "none")}
    assert levels == {"holm": ALPHA / PAIRS, "hochberg": ALPHA / PAIRS, "bonferroni": ALPHA / PAIRS, "none": ALPHA}
    for name in ("bh", "by"):
        with pytest.raises(DesignError, match="depends on all other pairs; plan with one that has a level"):
            plan(table, "AP", correction=name)


def test_a_correction_is_tried_when_asked_for(table: Scores) -> None:
    usual, more = (calibrate(table, quick=True, trials=10, correction=name) for name in (None, "hochberg"))
    rows = {(one.method.test, one.method.correction, one.world): one for one in more.first.errors}
    assert {correction for _, correction, _ in rows} == {"none", "holm", "bh", "built in", "hochberg"}
    assert [one for one in more.first.errors if one.method.correction != "hochberg"] == list(usual.first.errors)
    assert more.first.coverage == usual.first.coverage  # its intervals are Bonferroni's too
    for (test, name, world), one in rows.items():
        if name == "hochberg":
            assert one.method.promise == "any pair"
            assert one.rate.observed >= rows[test, "holm", world].rate.observed


@pytest.mark.parametrize(("name", "theirs"), [("hochberg", "simes-hochberg"), ("by", "fdr_by")])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of statsmodels itself
def test_what_is_tried_is_corrected_in_each_experiment(name: str, theirs: str) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(1).beta(0.4, 2, (20, len(list(combinations(NAMES, 2)))))
    empty = np.zeros(p.shape)
    found = PairClaims(ALPHA, empty, empty, p, empty, empty).significant(correction(name))
    assert found.tolist() == [multitest.multipletests(row, ALPHA, theirs)[0].tolist() for row in p]


def test_these_corrections_are_known_in_one_file() -> None:
    folder = Path(irgauge.__file__).parent
    naming = [path for path in folder.rglob("*.py") if re.search("[\"']hochberg[\"']|Yekutieli's", path.read_text())]
    assert sorted(naming) == [folder / "inference" / "corrections.py", folder / "names.py"]  # names.py is made of it
