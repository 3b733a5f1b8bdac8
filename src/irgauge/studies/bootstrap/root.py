"""The collection as it is: which systems are kept, and their scores on the whole corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import kept_count
from irgauge.scoring.measures import Measure
from irgauge.studies.bootstrap.options import BootstrapOptions
from irgauge.studies.bootstrap.precision import rounded


class Kept(NamedTuple):
    """Which systems were kept: what was asked for, by which measure, of how many."""

    keep_systems: str
    by: str | None  # None where all were kept, in the order given
    given: int


def kept_systems(on_bench: Bench, measures: tuple[Measure, ...], options: BootstrapOptions) -> tuple[list[int], Kept]:
    """The places of the best systems on the root, best first, and the measure that says so."""
    keep_systems, total = str(options.keep_systems), len(on_bench.collection.systems)
    count = kept_count(keep_systems, total)
    if keep_systems == "all":
        return list(range(total)), Kept(keep_systems, None, total)
    by = options.kept_by or measures[0]
    means = np.nan_to_num(root_scores(on_bench, (by,)))[0].mean(axis=0)
    order = np.argsort(-rounded(means), kind="stable")[:count].tolist()
    return order, Kept(keep_systems, str(by), total)


def root_scores(on_bench: Bench, measures: Sequence[Measure]) -> Floats:
    """Scores on the whole corpus (measure, topic, system), NaN where a measure takes no document as relevant."""
    values = on_bench.whole(measures).values[..., 0]
    for measure, of_measure in zip(measures, values, strict=True):
        if np.isnan(of_measure).all():
            raise DesignError(f"{measure} is defined on no topic: none has a document that it takes as relevant")
    return values
