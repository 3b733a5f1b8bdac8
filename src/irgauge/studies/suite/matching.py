"""Systems over collections: matched by name, those that are missing somewhere left out and remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from irgauge.choices import advice
from irgauge.errors import DesignError
from irgauge.replicates.measured import Measured

Absent = dict[str, tuple[str, ...]]  # system -> the collections that lack it
_NAMED = 5  # systems, and collections of each, in an error


def absent(found: Mapping[str, Measured]) -> Absent:
    """The systems that some collection lacks, and which."""
    every = dict.fromkeys(system for one in found.values() for system in one.scores.systems)
    lacking = {
        system: tuple(name for name, one in found.items() if system not in one.scores.systems) for system in every
    }
    return {system: names for system, names in lacking.items() if names}


def common(found: Mapping[str, Measured], lacking: Absent, baseline: str | None) -> tuple[str, ...]:
    """The systems that all collections have, the baseline among them; they are two at least."""
    first = next(iter(found.values()))
    kept = tuple(system for system in first.scores.systems if system not in lacking)
    if baseline is not None:
        _check_baseline(baseline, kept, lacking)
    if len(kept) < 2:
        raise DesignError(
            f"{_count(len(kept))} in all {len(found)} collections, and a comparison needs 2; systems are matched by "
            f"the names of their runs (see --name-by): {_told(lacking)}"
        )
    return kept


def _count(kept: int) -> str:
    return "no system is" if kept == 0 else "only 1 system is"


def _check_baseline(baseline: str, kept: Sequence[str], lacking: Absent) -> None:
    if baseline in kept:
        return
    if baseline in lacking:
        raise DesignError(f"the baseline {baseline} is missing in {_some(lacking[baseline])}; add its run there")
    raise DesignError(f"the baseline '{baseline}' is unknown; {advice(baseline, kept or tuple(lacking))}")


def _told(lacking: Absent) -> str:
    """`a is missing in x, b in y`, of some."""
    told = [f"{system} is missing in {_some(names)}" for system, names in lacking.items()]
    more = f"; and {len(told) - _NAMED} more systems" if len(told) > _NAMED else ""
    return f"{'; '.join(told[:_NAMED])}{more}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def of_systems(one: Measured, systems: Sequence[str]) -> Measured:
    """The scores of some systems, in their order."""
    places = [one.scores.systems.index(system) for system in systems]
    scores = replace(one.scores, values=np.ascontiguousarray(one.scores.values[:, :, places]), systems=tuple(systems))
    return replace(one, scores=scores, missing=one.missing.only(systems))
