"""What there is of judges as rows: for frames, JSON and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from irgauge.scoring.direction import HIGHER
from irgauge.studies.tested import pair_columns, records_of

if TYPE_CHECKING:
    from irgauge.studies.judges.compared import JudgeCompared
    from irgauge.studies.judges.study import Judged


def judge_record(result: Judged, judged: JudgeCompared) -> dict[str, Any]:
    """A judge: what becomes of people's claims, the best system, and how well the orders agree."""
    orders, coverage = judged.orders, judged.coverage
    covered = {"both": None, "only_people": None, "only_judge": None} if coverage is None else asdict(coverage)
    return {
        "measure": result.measure,
        "judge": judged.judge,
        "n": judged.topics,
        "claims": judged.claimed,
        **{outcome: judged.counts[outcome] for outcome in ("kept", "lost", "reversed", "added")},
        "same_best": judged.is_same_best,
        "best": judged.best[0],
        "people_best": judged.people_best[0],
        "same_best_share": orders.same_best,
        "tau": orders.tau.value,
        "tau_low": orders.tau.low,
        "tau_high": orders.tau.high,
        "tau_ap": orders.tau_ap.value,
        "tau_ap_low": orders.tau_ap.low,
        "tau_ap_high": orders.tau_ap.high,
        **covered,
    }


def pair_rows(result: Judged, judged: JudgeCompared) -> Iterator[dict[str, Any]]:
    """Every pair as the judge sees it, people's better system first, beside what people's judgments say."""
    columns = pair_columns(result.measure, judged.claims.comparison, judged.claims.verdicts)
    rows = {(row["system"], row["against"]): row for row in records_of(columns)}
    for pair in judged.survival:
        names = pair.system, pair.against
        row = rows[names] if names in rows else _turned(rows[names[::-1]])
        yield row | {
            "judge": judged.judge,
            "verdict": pair.judge,
            "people_verdict": pair.people,
            "people_difference": pair.people_difference,
            "outcome": pair.outcome,
        }


def _turned(row: dict[str, Any]) -> dict[str, Any]:
    """What is said of a pair, of its second system."""
    turned = {"system": row["against"], "against": row["system"]}
    for name in ("difference", "statistic", "effect"):
        turned[name] = -row[name]
    for low, high in (("low", "high"), ("margin_low", "margin_high")):
        turned |= {low: _minus(row[high]), high: _minus(row[low])}
    return row | turned


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def system_rows(result: Judged, judged: JudgeCompared) -> Iterator[dict[str, Any]]:
    """Every system: its mean and rank by the judge and by people, and how many ranks it falls."""
    orders = judged.orders
    for s, system in enumerate(judged.systems):
        yield {
            "measure": result.measure,
            "judge": judged.judge,
            "system": system,
            "n": judged.topics,
            "mean": float(judged.means[s]),
            "population": "topics",  # which the intervals of changes are of
            "alpha": result.alpha,
            "people_mean": float(judged.people_means[s]),
            "rank": int(orders.other_ranks[s]),
            "people_rank": int(orders.ranks[s]),
            "change": int(orders.change[s]),
            "change_low": int(orders.change_low[s]),
            "change_high": int(orders.change_high[s]),
            "direction": HIGHER,
        }
