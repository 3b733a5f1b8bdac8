"""A report as one JSON object: the results of all studies in full precision, pairs as columns."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from irgauge.inference.comparison import Comparison
from irgauge.present import comparisons, overview
from irgauge.present.instances import instance_json
from irgauge.present.page import Page
from irgauge.present.partition_object import plain
from irgauge.present.pools import pools_json
from irgauge.present.precision import reliability_json
from irgauge.present.report_findings import instance_answer
from irgauge.studies.claims import coverage, neighbours
from irgauge.studies.pools import Pools
from irgauge.studies.reliability import Reliability
from irgauge.studies.report import Divided, Missing, OfMeasure, Report
from irgauge.studies.significance import COVERS, Significance

_COLUMNS = ("difference", "low", "high", "statistic", "p", "effect")  # of pairs
_HEAVY = ("topics", "pairs")  # of a bootstrap: every topic of every system, and every pair on every topic
_HEAVY_POOLS = ("topics", "topic_differences")  # every topic in every image


def report_json(report: Report, page: Page) -> dict[str, Any]:
    """Everything that the page shows, and all pairs of systems; a study that could not run has its reason."""
    return {
        "settings": page.settings,
        "findings": [asdict(finding) for finding in page.findings],
        "warnings": page.warnings,
        "left_out": report.left_out,
        "without_shards": None if report.unsharded is None else report.unsharded.reason,
        "preflight": overview.preflight_json(report.preflight),
        "summary": asdict(report.summary),
        "measures": [_measure(one, report) for one in report.measures],
        "effects": _or_reason(report.effects, comparisons.effects_json),
        "precision": {drawn: _or_reason(found, _bootstrap) for drawn, found in report.reliability.items()},
        "pools": _or_reason(report.pools, lambda results: list(map(_pools, results))),
        "methods": dict(page.methods),
        "references": page.references,
    }


def _or_reason(found: Any, shown: Any) -> Any:  # noqa: ANN401  # any result and what makes an object of it
    return {"reason": found.reason} if isinstance(found, Missing) else shown(found)


def _measure(one: OfMeasure, report: Report) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "comparison": _or_reason(one.significance, _significance),
        "topics_needed": _or_reason(one.needed, asdict),
        "variance": _or_reason(one.variance, comparisons.variance_json),
        "robustness": _or_reason(one.robustness, comparisons.robustness_json),
        "partitions": _or_reason(one.partitions, _partitions),
        "instances": _or_reason(one.instances, lambda found: instance_json(instance_answer(found, report))),
    }


def _significance(found: tuple[Significance, ...]) -> dict[str, Any]:
    first = found[0]
    covered = coverage(first.comparisons)
    return {
        "model": first.model,
        "shape": asdict(first.shape),
        "shards": first.shards,
        "seed": first.seed,
        "fill": first.fill,
        "undefined": first.undefined,
        "coverage": None if covered is None else asdict(covered),
        "neighbours": [one._asdict() for one in neighbours(first.comparisons)],
        "populations": {one.comparison.population: _population(one) for one in found},
    }


def _population(result: Significance) -> dict[str, Any]:
    comparison = result.comparison
    return {
        "covers": COVERS[comparison.population],
        "error_ms": comparison.error_ms,
        "df": comparison.df,
        "significant": comparison.significant_count,
        "not_significant": comparison.not_significant_count,
        "top_group": comparison.top_group,
        "intervals": {
            one.name: {
                "system": result.systems,
                "mean": one.mean.tolist(),
                "low": one.low.tolist(),
                "high": one.high.tolist(),
            }
            for one in result.intervals
        },
        "pairs": _pairs(comparison),
    }


def _pairs(comparison: Comparison) -> dict[str, list[Any]]:
    names = {name: [comparison.systems[i] for i in getattr(comparison, name)] for name in ("first", "second")}
    return names | {name: getattr(comparison, name).tolist() for name in _COLUMNS}


def _bootstrap(found: Reliability) -> dict[str, Any]:
    return {name: value for name, value in reliability_json(found).items() if name not in _HEAVY}


def _pools(result: Pools) -> dict[str, Any]:
    return {name: value for name, value in pools_json(result).items() if name not in _HEAVY_POOLS}


def _partitions(divided: Divided) -> dict[str, Any]:
    """The decisions of all splits together, pairs as columns, and what each split by itself says."""
    found = divided.found
    p, decided, minority = found.combined_p(), found.decided(), found.minority()
    names = {name: [found.systems[i] for i in getattr(found, name)] for name in ("first", "second")}
    return {
        "parts": found.parts,
        "rule": found.rule.name,
        "correction": "bh",
        **plain(found.drawing),
        "fill": found.fill,
        "population": found.population,
        "significant": int(np.count_nonzero(decided)),
        "top_group": found.top_group,
        "disagreements": found.disagreements(),
        "levels": plain(found.levels()),
        "splits": [
            {**plain(split), "significant": count}
            for split, count in zip(found.splits, found.significant_counts().tolist(), strict=True)
        ],
        "notes": found.notes,
        "lengths": plain(divided.lengths.models),
        "tests": None if divided.tests is None else plain(divided.tests.counts()),
        "pairs": names | {"p": p.tolist(), "decision": decided.tolist(), "minority": minority.tolist()},
    }
