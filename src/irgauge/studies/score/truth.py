"""Do the intervals hold what they promise? Intervals of means against the truth of a simulated collection."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.errors import DesignError
from irgauge.simulation.collections import draw_systems
from irgauge.simulation.truth import Truth
from irgauge.studies.score.study import Scored


@dataclass(frozen=True)
class TruthCheck:
    """How many intervals of a mean over topics hold the true mean."""

    inside: int
    total: int
    alpha: float
    measures: tuple[str, ...]


def truth_check(scored: Scored, truth: Truth) -> TruthCheck:
    """Count the intervals that hold the true mean of their system, for the measures whose truth is known.

    Systems are scored on the same topics, so that their intervals miss together.
    """
    names, known = draw_systems(truth.design).names, [str(measure) for measure in truth.measures]
    true = {(m, s): truth.means[i, j] for i, m in enumerate(known) for j, s in enumerate(names)}
    rows = [row for row in scored.means if (row.measure, row.system) in true]
    if not rows:
        asked = ", ".join(dict.fromkeys(row.measure for row in scored.means))
        raise DesignError(
            f"the truth is of {', '.join(known)} of simulated systems; it says nothing of {asked} of these"
        )
    inside = sum(row.low <= true[row.measure, row.system] <= row.high for row in rows)
    return TruthCheck(int(inside), len(rows), scored.alpha, tuple(dict.fromkeys(row.measure for row in rows)))
