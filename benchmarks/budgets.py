"""What gates every night report falsely, with and without a budget of errors: `python -m benchmarks.budgets`.

A trial is 1,000 nights of the same 50 topics and the same baseline, by three measures. A night's candidate differs from
the baseline on each topic at random; it is no worse, or, on some nights, worse. The differences of all nights share a
part on each topic, or not: it is of mean 0 over all topics, but not over these, so that nights err together.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.inference.online import Spent, budget_of
from irgauge.inference.tests.skewed_t import skewed_t_outcome

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
NIGHTS, TOPICS, MEASURES, TRIALS = 1000, 50, 3, 200
SPREAD = 0.06  # standard deviation of the differences of a night over topics
LOSS = 0.04  # of a night that is worse
TOGETHER = 0.8  # correlation of measures
ALPHA = 0.05
START = datetime(2026, 1, 1, 3, tzinfo=UTC)
TIMES = [START + timedelta(days=night) for night in range(NIGHTS)]


class Errors(NamedTuple):
    """What is reported over trials."""

    false_share: float  # of all that is reported, in the mean over trials
    any_false: float  # share of trials with a false alarm
    false_alarms: float  # in 1,000 nights
    two_a_month: float  # share of months with more than one
    power: float  # share of nights that are worse which are reported


def p_values(worse: Bools, shared: float, rng: np.random.Generator) -> Floats:
    """One-sided p of each night, corrected over the measures; `shared` is what nights share of the variance."""
    same, own = (_correlated(rng, (nights, TOPICS)) for nights in (1, len(worse)))
    parts = np.sqrt(shared) * same + np.sqrt(1 - shared) * own
    d = SPREAD * parts - LOSS * worse[:, None, None]  # night, topic, measure
    columns = d.transpose(1, 0, 2).reshape(TOPICS, -1)
    p = skewed_t_outcome(columns, ALPHA).p.reshape(-1, MEASURES)
    one_sided = np.where(d.mean(axis=1) < 0, p / 2, 1.0)
    return np.asarray(np.minimum(1.0, MEASURES * one_sided.min(axis=1)))


def _correlated(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Normal numbers[night, topic, measure], of which measures have a part in common."""
    common, own = rng.standard_normal((*shape, 1)), rng.standard_normal((*shape, MEASURES))
    return np.asarray(np.sqrt(TOGETHER) * common + np.sqrt(1 - TOGETHER) * own)


def reported(p: Floats, asked: str | None) -> Bools:
    """On which nights a gate fails."""
    if asked is None:
        return np.asarray(p <= ALPHA / 2)
    budget, spent = budget_of(asked, ALPHA), list[Spent]()
    for time, own in zip(TIMES, p, strict=False):
        level = budget.next(_recent(spent, asked), time, most=ALPHA / 2).level
        spent.append(Spent(time, level, bool(own <= level)))
    return np.array([each.is_rejected for each in spent])


def _recent(spent: Sequence[Spent], asked: str) -> Sequence[Spent]:
    """Of a period what may lie in it: all else only takes time."""
    return spent if asked == "fdr" else spent[-31:]


def errors(regressions: int, asked: str | None, shared: float, trials: int = TRIALS) -> Errors:
    """What is reported with so many nights that are worse."""
    rows, months = [], np.array([time.year * 12 + time.month for time in TIMES])
    for trial in range(trials):
        rng = np.random.default_rng((trial, regressions))
        worse = np.isin(np.arange(NIGHTS), rng.choice(NIGHTS, regressions, replace=False))
        alarms = reported(p_values(worse, shared, rng), asked)
        false = alarms & ~worse
        in_months = np.bincount(months[false] - months[0], minlength=int(np.ptp(months)) + 1)
        share, power = false.sum() / max(1, alarms.sum()), (alarms & worse).sum() / max(1, regressions)
        rows.append((share, false.any(), false.sum(), (in_months > 1).mean(), power))
    return Errors(*map(float, np.mean(rows, axis=0)))


def main() -> None:
    """Print the rows of a table."""
    print("| worse nights | shared | budget | false share | any false | false alarms | > 1 a month | found |")
    print("|--:|--:|---|--:|--:|--:|--:|--:|")
    for regressions in (0, 2, 20):
        for shared in (0.0, 0.5):
            for asked in (None, "fdr", "1/month"):
                row = errors(regressions, asked, shared)
                power = f"{row.power:.0%}" if regressions else "–"
                cells = f"{row.false_share:.1%} | {row.any_false:.1%} | {row.false_alarms:.2f} | {row.two_a_month:.1%}"
                print(f"| {regressions} | {shared:.0%} | {asked or 'none'} | {cells} | {power} |", flush=True)


if __name__ == "__main__":
    main()
