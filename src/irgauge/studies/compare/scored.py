"""What is compared: the scores by each measure, and how their topics came together."""

from __future__ import annotations

from irgauge.errors import DesignError
from irgauge.inference.sampling import Sampling
from irgauge.models.anova import Model
from irgauge.replicates.data import Data
from irgauge.replicates.given import claimed_measures, whole_and_shards
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.measures import Measure
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.compare.testing import ComparedScores
from irgauge.studies.sampled import check_one_corpus, sampling


def scored_by_measure(data: Data, options: CompareOptions) -> tuple[ComparedScores, ...]:
    """The scores on the whole corpus and on the shards by each measure, and the models of these."""
    measures = claimed_measures(data, options.measures, options.usual)
    kept = (options.fill, options.keep_systems, options.seed)
    measuring = Measuring(measures, options.shards, *kept, sparse=options.sparse, transform=options.own_transform)
    whole, shards = whole_and_shards(data, measuring)
    if options.model not in (None, "MD1") and options.shards is None and shards.shards == 1:
        raise DesignError(f"{Model.parse(options.model)} needs shards; name a way to split, such as even:5, or use MD1")
    check_one_corpus(options, shards.shards)
    chosen = Model.parse(options.model or ("MD1" if shards.shards == 1 else "MD6"))
    own = sampling(whole.scores, options)
    return tuple(_of_measure(whole, shards, measure, chosen, own) for measure in whole.scores.measures)


def _of_measure(
    whole: Measured, shards: Measured, measure: Measure, model: Model, own: Sampling | None
) -> ComparedScores:
    measured = shards.only(measure)
    return ComparedScores(measured if whole is shards else whole.only(measure), measured, model, own)
