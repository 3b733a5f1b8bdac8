"""How far documents lie from their places in the ideal ranking: cumulated relative position, and Twist."""

from __future__ import annotations

from irgauge.compute.jit import kernel
from irgauge.scoring.catalogue.record import JUDGED_ONLY, Record, grade_gains
from irgauge.scoring.kernels import Base, Hits, Scale


@kernel
def _block(gain: float, base: Base, scale: Scale) -> tuple[int, int]:
    """The first and last rank of the documents of this gain in the ideal ranking."""
    better, same = 0, 0
    for level in range(len(scale.gains)):
        if scale.gains[level] > gain:
            better += base.counts[level]
        elif scale.gains[level] == gain:
            same += base.counts[level]
    return better + 1, better + same


@kernel
def _position(rank: int, low: int, high: int) -> int:
    """How far a rank lies before (negative) or after (positive) the ideal ranks of its grade."""
    return rank - high if rank > high else rank - low if rank < low else 0


@kernel
def _reversed_ideal(length: int, base: Base, scale: Scale) -> tuple[int, int]:
    """The sums of the positive and of the negative positions when the ideal ranking is turned round."""
    late, early, rank = 0, 0, 1
    while rank <= length:
        low, high = base.relevant + 1, length
        for level in range(len(scale.gains)):
            start, stop = _block(scale.gains[level], base, scale)
            if scale.gains[level] > 0 and start <= rank <= stop:
                low, high = start, stop
        for ideal in range(rank, min(high, length) + 1):
            position = _position(length - ideal + 1, low, high)
            late += max(position, 0)
            early += min(position, 0)
        rank = high + 1
    return late, early


@kernel
def _kept(displaced: int, worst: int) -> float:
    """1 where nothing is displaced, 0 where all is as bad as can be."""
    return max(0.0, 1.0 - displaced / worst) if worst != 0 else 1.0 * (displaced == 0)


@kernel
def _twist(hits: Hits, base: Base, scale: Scale) -> float:
    """The mean of ρ, from where relevant documents come too late, and σ, from how far documents are displaced."""
    if len(hits.ranks) == 0:
        return 0.0
    late, early, turn, h = 0, 0, -1, 0
    for rank in range(1, hits.length + 1):
        low, high = base.relevant + 1, max(hits.length, base.relevant + 1)
        if h < len(hits.ranks) and hits.ranks[h] == rank:
            low, high = _block(scale.gains[hits.levels[h]], base, scale)
            h += 1
        position = _position(rank, low, high)
        late += max(position, 0)
        early += min(position, 0)
        if turn < 0 and late + early > 0:
            turn = rank - 1
    worst_late, worst_early = _reversed_ideal(hits.length, base, scale)
    kept_late, kept_early = _kept(late, worst_late), _kept(early, worst_early)
    sigma = 2 * kept_late * kept_early / (kept_late + kept_early) if kept_late + kept_early > 0 else 0.0
    rho = 1.0 if late == 0 and early == 0 else 0.0 if turn < 0 else base.relevant / max(base.relevant, turn)
    return (rho + sigma) / 2


@kernel
def _cumulated_position(hits: Hits, base: Base, scale: Scale) -> float:
    """The positions down to the cut-off, summed; beyond all relevant documents the others are in their places."""
    total, h = 0, 0
    last = max(base.relevant, hits.ranks[-1] if len(hits.ranks) > 0 else 0)
    for rank in range(1, min(scale.cutoff, last) + 1):
        low, high = base.relevant + 1, last + 1
        if h < len(hits.ranks) and hits.ranks[h] == rank:
            low, high = _block(scale.gains[hits.levels[h]], base, scale)
            h += 1
        total += _position(rank, low, high)
    return float(total)


RECORDS: tuple[Record, ...] = (
    Record(
        "CRP",
        "cumulated relative position",
        "How many ranks documents lie after (above 0) or before (below 0) those of their grade in the ideal ranking, "
        "summed down to rank k; a shorter list is padded with others (Angelini et al. 2012). It is 0 for the ideal "
        "ranking, falls where others come too early, and rises where relevant documents come late: neither more nor "
        "less is better.",
        _cumulated_position,
        cutoff="required",
        parameters={"judged_only": JUDGED_ONLY},
        gains=grade_gains,
        range=None,
        direction=None,
        formula=r"\sum_{i=1}^{k} \left( \max(i - h_i, 0) - \max(l_i - i, 0) \right)",
    ),
    Record(
        "Twist",
        "twist",
        "The mean of ρ, how long a reader must go on, and σ, how much is displaced, against the ideal ranking "
        "(Ferro et al. 2016); 0 where no relevant document is retrieved.",
        _twist,
        cutoff="none",
        parameters={"judged_only": JUDGED_ONLY},
        gains=grade_gains,
        length=True,
        formula=r"\frac{\rho + \sigma}{2}, \quad \rho = \frac{R}{\max(R, t)}, \quad \sigma = \frac{2ab}{a + b}, "
        r"\quad "
        r"a = 1 - \frac{\text{ranks too late}}{\text{most possible}}, \quad b = 1 - \frac{\text{ranks too "
        r"early}}{\text{most possible}}",
    ),
)
