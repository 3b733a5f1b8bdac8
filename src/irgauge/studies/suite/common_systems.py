"""The systems that all collections of a suite have: only these are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from irgauge.choices import advice
from irgauge.errors import DesignError
from irgauge.replicates.measured import Measured

Absent = dict[str, tuple[str, ...]]  # system -> the collections that lack it
_NAMED = 5  # systems, and collections of each, in an error


def absent(measured: Mapping[str, Measured]) -> Absent:
    """The systems that some collection lacks, and which."""
    every = dict.fromkeys(system for collection in measured.values() for system in collection.scores.systems)
    lacking = {
        system: tuple(name for name, collection in measured.items() if system not in collection.scores.systems)
        for system in every
    }
    return {system: names for system, names in lacking.items() if names}


def common(measured: Mapping[str, Measured], lacking: Absent, baseline: str | None) -> tuple[str, ...]:
    """The systems that all collections have, the baseline among them; they are two at least."""
    first = next(iter(measured.values()))
    kept = tuple(system for system in first.scores.systems if system not in lacking)
    if baseline is not None:
        _check_baseline(baseline, kept, lacking)
    if len(kept) < 2:
        raise DesignError(
            f"{_count(len(kept))} in all {len(measured)} collections, and a comparison needs 2; systems are matched by "
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
    parts = [f"{system} is missing in {_some(names)}" for system, names in lacking.items()]
    more = f"; and {len(parts) - _NAMED} more systems" if len(parts) > _NAMED else ""
    return f"{'; '.join(parts[:_NAMED])}{more}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def of_systems(measured: Measured, systems: Sequence[str]) -> Measured:
    """The scores of some systems, in their order."""
    places = [measured.scores.systems.index(system) for system in systems]
    scores = replace(
        measured.scores, values=np.ascontiguousarray(measured.scores.values[:, :, places]), systems=tuple(systems)
    )
    return replace(measured, scores=scores, missing=measured.missing.only(systems))
