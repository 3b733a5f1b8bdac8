"""A report as one JSON object: the results of all studies in full precision, pairs as columns."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from irgauge.inference.comparison import Comparison
from irgauge.present import comparisons, overview
from irgauge.present.page import Page
from irgauge.present.precision import reliability_json
from irgauge.studies.claims import coverage, neighbours
from irgauge.studies.reliability import Reliability
from irgauge.studies.report import Missing, OfMeasure, Report
from irgauge.studies.significance import COVERS, Significance

_COLUMNS = ("difference", "low", "high", "statistic", "p", "effect")  # of pairs
_HEAVY = ("topics", "pairs")  # of a bootstrap: every topic of every system, and every pair on every topic


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
        "measures": [_measure(one) for one in report.measures],
        "effects": _or_reason(report.effects, comparisons.effects_json),
        "precision": {drawn: _or_reason(found, _bootstrap) for drawn, found in report.reliability.items()},
        "methods": dict(page.methods),
        "references": page.references,
    }


def _or_reason(found: Any, shown: Any) -> Any:  # noqa: ANN401  # any result and what makes an object of it
    return {"reason": found.reason} if isinstance(found, Missing) else shown(found)


def _measure(one: OfMeasure) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "comparison": _or_reason(one.significance, _significance),
        "topics_needed": _or_reason(one.needed, asdict),
        "variance": _or_reason(one.variance, comparisons.variance_json),
        "robustness": _or_reason(one.robustness, comparisons.robustness_json),
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
