"""A comparison of algorithms as records: what tables, CSV and JSON are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from irgauge.inference.instance_tests import MEAN_SQUARES, MIXED_MODEL
from irgauge.models.mixed.posterior import Posterior
from irgauge.studies.instances.slicing import slice_rows

if TYPE_CHECKING:
    from irgauge.studies.instances.study import AlgorithmsCompared

Record = dict[str, str | int | float | bool | None]


def pair_records(result: AlgorithmsCompared) -> list[Record]:
    """Every number of every pair."""
    tests, influence = result.tests, result.influence
    p_equivalent = tests.p_equivalent.tolist()
    by_hpd = result.hpd_verdicts or (None,) * len(result.pairs)
    rows = []
    for i, (pair, contrast) in enumerate(zip(result.pairs, result.contrasts, strict=True)):
        low, high = result.intervals[:, i].tolist()
        hpd = [None, None] if result.hpd is None else result.hpd[:, i].tolist()
        probable = [None] * 3 if result.probabilities is None else result.probabilities[:, i].tolist()
        row: Record = {
            "measure": result.measure,
            "system": pair.system,
            "against": pair.against,
            "n": len(result.scores.topics),
            "difference": contrast.estimate,
            "low": low,
            "high": high,
            "p": contrast.p,
            "p_adjusted": float(tests.p_difference[i]),
            "verdict": result.verdicts[i],
            "margin": result.margin,
            "test": MEAN_SQUARES if result.variances == "own" else MIXED_MODEL,
            "correction": tests.correction,
            "population": result.population,
            "alpha": result.alpha,
            "direction": result.scores.direction,
            "se": contrast.se,
            "df": contrast.df,
            "t": contrast.t,
            "p_not_worse": float(tests.p_not_worse[i]),
            "p_not_better": float(tests.p_not_better[i]),
            "p_equivalent": p_equivalent[i],
            "hpd_low": hpd[0],
            "hpd_high": hpd[1],
            "probability_better": probable[0],
            "probability_within": probable[1],
            "probability_worse": probable[2],
            "hpd_verdict": by_hpd[i],
            "prior_influence": None if influence is None else influence[i],
        }
        rows.append(row)
    return rows


def slice_records(result: AlgorithmsCompared) -> list[Record]:
    """The pairs on each kind of topics."""
    same = {
        "measure": result.measure,
        "margin": result.margin,
        "test": MEAN_SQUARES,
        "correction": result.tests.correction,
        "population": result.population,
        "alpha": result.alpha,
        "direction": result.scores.direction,
    }
    return list(slice_rows(result.slices, result.pairs, same))


def algorithm_records(result: AlgorithmsCompared) -> list[Record]:
    """The algorithms, best first by their fitted means."""
    counts = dict(zip(result.scores.algorithms, result.scores.instance_counts.tolist(), strict=True))
    same: Record = {"n": len(result.scores.topics), "population": result.population, "alpha": result.alpha}
    same["direction"] = result.scores.direction
    return [
        {"measure": result.measure, "system": name, "mean": mean, **same, "instances": counts[name], "se": se}
        for name, (mean, se) in result.ranked
    ]


def component_records(result: AlgorithmsCompared) -> list[Record]:
    """The components of the variance of one score; the ends of the interval of a share are of the posterior."""
    drawn = (
        {} if result.posterior is None else {share.name: share for share in result.posterior.shares(alpha=result.alpha)}
    )
    return [
        {
            "component": component.name,
            "levels": component.levels,
            "variance": component.variance,
            "sd": component.sd,
            "share": component.share,
            "share_low": drawn[component.name].low if drawn else None,
            "share_high": drawn[component.name].high if drawn else None,
        }
        for component in result.fit.components
    ]


def single_records(result: AlgorithmsCompared) -> list[Record]:
    """What the tests of single instances say."""
    return [
        asdict(single) | {"significant": single.significant, "contradict": single.contradict}
        for single in result.singles
    ]


def diagnostic_records(result: AlgorithmsCompared) -> list[Record]:
    """Whether the draws of each parameter converged; none without a posterior."""
    if result.posterior is None:
        return []
    names = [
        *(f"mean of {name}" for name in result.scores.algorithms),
        *(f"sd of {name}" for name in result.posterior.names),
    ]
    return [
        {"parameter": name, "r_hat": diagnostic.r_hat, "ess_bulk": diagnostic.ess_bulk, "ess_tail": diagnostic.ess_tail}
        for name, diagnostic in zip(names, result.posterior.diagnostics, strict=True)
    ]


def posterior_record(drawn: Posterior) -> dict[str, Any]:
    """How the posterior was drawn."""
    chains, draws = drawn.beta.shape[:2]
    return {"chains": chains, "draws": draws, "warmup": drawn.warmup, "prior": str(drawn.prior)}


def _series_record(result: AlgorithmsCompared) -> dict[str, Any] | None:
    if not result.series:
        return None
    return {
        "baseline": result.baseline,
        "settings": result.series,
        "smallest": result.smallest(),
        "smallest_by_hpd": None if result.hpd is None else result.smallest(by_hpd=True),
    }


def content(result: AlgorithmsCompared) -> dict[str, Any]:
    """All of it, in full precision."""
    scores, fit = result.scores, result.fit
    return {
        "formula": result.formula,
        "baseline": result.baseline,
        "variances": result.variances,
        "unequal_variances": result.unequal,
        "slices": slice_records(result),
        "small_slices": [dict(part._asdict()) for part in result.small_slices],
        "heterogeneity": [dict(test._asdict()) for test in result.heterogeneity],
        "margin": result.margin,
        "prior": None if result.posterior is None else result.posterior.prior,
        "no_posterior": result.undrawn,
        "topics": scores.topics,
        "instances": len(scores.instances),
        "missing": scores.missing,
        "filled": scores.filled,
        "deterministic": scores.deterministic,
        "unchanging": scores.unchanging,
        "pairs": pair_records(result),
        "systems": algorithm_records(result),
        "components": component_records(result),
        "series": _series_record(result),
        "single_instances": single_records(result),
        "diagnostics": diagnostic_records(result),
        "fit": {"criterion": fit.criterion, "is_singular": fit.is_singular, **asdict(fit.convergence)},
        "notes": scores.notes,
    }


ROWS: Mapping[str, Callable[[AlgorithmsCompared], list[Record]]] = {
    "pairs": pair_records,
    "slices": slice_records,
    "systems": algorithm_records,
    "components": component_records,
    "singles": single_records,
    "diagnostics": diagnostic_records,
}
