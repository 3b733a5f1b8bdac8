"""Measuring, once for several studies: what is scored, on which shards, with which fill, systems and seed.

And the shards alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.options.verbs import verb
from irgauge.replicates.given import Given, bench, opened, several_measures
from irgauge.replicates.measured import Measured, Measuring
from irgauge.replicates.shards import Split, split_documents
from irgauge.studies.scale_options import Transforming
from irgauge.studies.shared_options import AnyMeasures, OfTables, Sharded


@dataclass(frozen=True)
class MeasureOptions(AnyMeasures, Sharded, Transforming, OfTables):
    """What is measured."""


@verb(MeasureOptions)
def measure(data: Given, options: MeasureOptions) -> Measured:
    """Scores ready for a model, which studies take in place of runs; they say how they came about.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1, "b": 1}, "2": {"a": 1, "c": 1}}
    >>> runs = {"good": {"1": {"a": 2, "b": 1}, "2": {"a": 2, "c": 1}}, "poor": {"1": {"x": 2, "a": 1}, "2": {"c": 1}}}
    >>> found = measure(load(qrels, runs), "AP", shards="match:^.", fill="lq")
    >>> found.shards, found.undefined
    (4, 8)
    """
    opened_data = opened(data, options.workers, missing=options.missing)
    measures = several_measures(opened_data, options.measures)
    kept = (options.fill, options.keep_systems, options.seed)
    measuring = Measuring(measures, options.shards, *kept, sparse=options.sparse, transform=options.transform)
    return opened_data.measured(measuring)


def shards(data: Given, spec: str, seed: int = 0) -> Split:
    """Split the documents of a collection, as a study with these shards and this seed does first.

    >>> from irgauge import load
    >>> collection = load({"q": {"AP1": 1, "FT2": 0}}, {"mine": {"q": {"AP1": 2.0, "FT3": 1.0}}})
    >>> shards(collection, "match:^(AP|FT)").sizes
    {'AP': 1, 'FT': 2}
    """
    collection = bench(data).collection
    return Split(spec, seed, collection, split_documents(collection, spec, seed=seed))
