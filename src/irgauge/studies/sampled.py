"""How topics came together, as a study is asked: in clusters, with weights, in kinds of known shares."""

from __future__ import annotations

from irgauge.inference.sampling import Sampling, SamplingColumns, sampling_of
from irgauge.reading.share_table import share_table
from irgauge.scoring.scores import Scores
from irgauge.studies.sampling_options import OfSampling


def sampling(scores: Scores, options: OfSampling) -> Sampling | None:
    """Of the topics of scores; None where nothing is asked for."""
    table = None if options.shares is None else share_table(options.shares)
    columns = SamplingColumns(options.cluster, options.weights, None if table is None else table.column)
    return sampling_of(scores.about, scores.topics, columns, None if table is None else table.shares)
