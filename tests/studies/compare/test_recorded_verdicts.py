"""Verdicts on real data: those on record, and on DL20 those of pytrec_eval's scores and scipy's tests.

The record holds columns of `irgauge compare QRELS RUNS -m MEASURE --test t --baseline SYSTEM --margin MARGIN -o
pairs.csv`, a row a system; the margin is empty where there is none.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytrec_eval
from numpy.typing import NDArray
from scipy import stats

from irgauge import Collection, compare, load

Values = NDArray[np.float64]
RECORD = Path(__file__).parents[2] / "oracles" / "verdicts.csv"
ALPHA = 0.05
TREC_EVAL = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank", "P@10": "P_10"}


class Case(NamedTuple):
    """What was asked."""

    data: str
    measure: str
    baseline: str
    margin: str


def recorded(data: str) -> dict[Case, dict[str, str]]:
    """The verdict on each system, of each case of some data."""
    cases: dict[Case, dict[str, str]] = defaultdict(dict)
    with RECORD.open(newline="") as lines:
        for row in csv.DictReader(lines):
            cases[Case(*(row[name] for name in Case._fields))][row["system"]] = row["verdict"]
    return {case: verdicts for case, verdicts in cases.items() if case.data == data}


def asked(runs: Collection, case: Case) -> dict[str, str]:
    """The verdict on each system."""
    pairs = compare(runs, case.measure, baseline=case.baseline, margin=case.margin or None, test="t").frame()
    return dict(pairs.select("system", "verdict").iter_rows())


def test_verdicts_on_dl20_are_those_on_record(dl20: Path) -> None:
    runs = load(dl20 / "qrels.txt.gz", dl20 / "runs")
    cases = recorded("dl20")
    assert len(cases) == len(TREC_EVAL) * 4
    for case, verdicts in cases.items():
        assert asked(runs, case) == verdicts, case


def test_verdicts_on_trec8_are_those_on_record(trec8_in_64_bits: Collection) -> None:
    for case, verdicts in recorded("trec8").items():
        assert len(verdicts) == 128
        assert asked(trec8_in_64_bits, case) == verdicts, case


# the same by others' means


def scores(folder: Path) -> dict[str, dict[str, Values]]:
    """measure -> system -> the score of each topic, 0 where it is missing, by pytrec_eval."""
    with gzip.open(folder / "qrels.txt.gz", "rt") as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL.values()))
    topics = sorted(topic for topic, grades in qrels.items() if max(grades.values()) > 0)
    found: dict[str, dict[str, Values]] = defaultdict(dict)
    for path in sorted((folder / "runs").iterdir()):
        with gzip.open(path, "rt") as lines:
            by_topic = evaluator.evaluate(pytrec_eval.parse_run(lines))
        for ours, theirs in TREC_EVAL.items():
            values = [by_topic.get(topic, {}).get(theirs, 0.0) for topic in topics]
            found[ours][path.name.split(".")[0]] = np.array(values)
    return found


def by_margin(d: Values, margin: float | Values, systems: int) -> str:
    """A test for each claim, Bonferroni over the systems; a margin in per cent is a share of each topic's score."""
    level = ALPHA / systems
    not_worse = stats.ttest_1samp(d + margin, 0, alternative="greater").pvalue < level
    not_better = stats.ttest_1samp(d - margin, 0, alternative="less").pvalue < level
    if not_worse and not_better:
        return "equivalent"
    if stats.ttest_1samp(d, 0).pvalue < level:
        return "better" if d.mean() > 0 else "worse"
    return "not worse" if not_worse else "not better" if not_better else "inconclusive"


def by_holm(differences: dict[str, Values]) -> dict[str, str]:
    """Step by step, from the smallest p-value on, until one is too large."""
    p = {system: stats.ttest_1samp(d, 0).pvalue for system, d in differences.items()}
    verdicts = dict.fromkeys(p, "inconclusive")
    for step, system in enumerate(sorted(p, key=lambda one: p[one])):
        if p[system] > ALPHA / (len(p) - step):
            break
        verdicts[system] = "better" if differences[system].mean() > 0 else "worse"
    return verdicts


def by_others(by_system: dict[str, Values], case: Case) -> dict[str, str]:
    """The verdict on each system."""
    baseline = by_system[case.baseline]
    differences = {system: values - baseline for system, values in by_system.items() if system != case.baseline}
    if not case.margin:
        return by_holm(differences)
    share = case.margin.endswith("%")
    margin = float(case.margin.strip("%")) / 100 * baseline if share else float(case.margin)
    return {system: by_margin(d, margin, len(differences)) for system, d in differences.items()}


def test_the_record_of_dl20_is_what_others_find(dl20: Path) -> None:
    found = scores(dl20)
    for case, verdicts in recorded("dl20").items():
        assert by_others(found[case.measure], case) == verdicts, case
