"""How topics came together, as a study is asked: in clusters, with weights, in kinds of known shares, as needs."""

from __future__ import annotations

from irgauge.errors import DesignError
from irgauge.inference.sampling import Sampling, SamplingColumns, sampling_of
from irgauge.reading.share_table import share_table
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.scores import Scores, Wordings
from irgauge.studies.sampling_options import OfSampling


def sampling(scores: Scores | InstanceScores, options: OfSampling) -> Sampling | None:
    """Of the topics of scores; None where nothing is asked for."""
    table = None if options.shares is None else share_table(options.shares)
    columns = SamplingColumns(options.cluster, options.weights, None if table is None else table.column)
    return sampling_of(scores.about, scores.topics, columns, None if table is None else table.shares)


def check_one_corpus(options: OfSampling, replicates: int) -> None:
    """Refuse clusters, weights and shares of topics that have several scores."""
    if options.is_sampled and replicates > 1:
        raise DesignError(
            "clusters, weights and shares are of topics on one corpus; leave the shards or replicates out"
        )


def drawn(population: str, sampled: Sampling | None, wordings: Wordings | None = None) -> str:
    """What claims about a population are for, by a name of `show.verdicts.FOR`: topics may be drawn in other ways."""
    if population != "topics":
        return population
    if sampled is not None and sampled.drawn != "topics":
        return sampled.drawn
    if wordings is not None:
        return "needs with these wordings" if wordings.is_shared else "needs"
    return population
