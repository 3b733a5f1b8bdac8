"""Which pairs are planned for: the only one, each with the baseline, or a typical one and the noisiest."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.errors import DesignError
from irgauge.studies.plan.pilot import Pair

EACH = 10  # pairs with a baseline that are planned for one by one
Named = tuple[str, str]


def chosen(spreads: Mapping[Named, float], baseline: str | None) -> dict[Named, Pair]:
    """The pairs planned for, by how much their differences vary; the first is the one that sentences are of.

    >>> spread = {("a", "b"): 0.1, ("a", "c"): 0.3, ("b", "c"): 0.2}
    >>> [pair.role + " " + pair.first + pair.second for pair in chosen(spread, None).values()]
    ['typical bc', 'noisiest ac']
    """
    varied = sorted((pair for pair, spread in spreads.items() if spread > 0), key=lambda pair: spreads[pair])
    if not varied:
        raise DesignError("no two systems differ in how they score on topics: there is no variance to plan with")
    if len(varied) == 1:
        return {varied[0]: Pair("only" if len(spreads) == 1 else "typical", *varied[0])}
    if baseline is not None and len(varied) <= EACH:
        return {pair: Pair("baseline", *pair) for pair in spreads if spreads[pair] > 0}
    typical, noisiest = varied[(len(varied) - 1) // 2], varied[-1]
    return {typical: Pair("typical", *typical), noisiest: Pair("noisiest", *noisiest)}
