"""irgauge as a provider of ir_measures: `import irgauge.ir_measures` puts it into the default pipeline.

>>> import ir_measures
>>> import irgauge.ir_measures
>>> qrels, run = {"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 0.9, "d1": 0.8}}
>>> ir_measures.calc_aggregate([ir_measures.AP], qrels, run)
{AP: 0.5}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
import numpy as np
from ir_measures import providers, util

from irgauge.errors import InputError
from irgauge.reading.collection import load
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import score

_OTHER_TIES = ("Compat", "Judged")  # documents with equal scores by ascending docno
_OTHER_TOPICS = ("Accuracy",)  # its mean is over topics with a relevant document retrieved


def _is_computed_otherwise(measure: Measure, theirs: Any) -> bool:  # noqa: ANN401  # a measure of ir_measures
    """Whether other providers give other numbers, or numbers where irgauge refuses judgments."""
    return (
        theirs.NAME in (*_OTHER_TIES, *_OTHER_TOPICS)
        or (measure.name == "RR" and measure.cutoff is not None)  # the code of MS MARCO, with ties as in _OTHER_TIES
        or "max_rel" in theirs.SUPPORTED_PARAMS  # cwl_eval takes higher grades for max_rel
        or measure.record.diversity is not None  # ndeval takes plain judgments for those of one subtopic
    )


class IrgaugeProvider(providers.Provider):
    """Computes what irgauge and the other providers agree on, and what they lack."""

    NAME = "irgauge"

    def supports(self, measure: Any) -> bool:  # noqa: ANN401  # a measure of ir_measures
        """Whether irgauge has the measure, with the numbers that ir_measures gives without it."""
        measure.validate_params()
        try:
            return not _is_computed_otherwise(Measure.parse(str(measure)), measure)
        except InputError:
            return False

    def _evaluator(self, measures: Iterable[Any], qrels: object) -> IrgaugeEvaluator:
        return IrgaugeEvaluator(list(measures), list(util.QrelsConverter(qrels).as_namedtuple_iter()))


class IrgaugeEvaluator(providers.Evaluator):
    """Scores runs against the same judgments; a judged topic without a relevant document scores 0."""

    def __init__(self, measures: list[Any], qrels: list[Any]) -> None:
        super().__init__(measures, {judgments.query_id for judgments in qrels})
        self._qrels = qrels
        self._parsed = {measure: Measure.parse(str(measure)) for measure in measures}

    def _iter_calc(self, run: object) -> Iterator[Any]:
        rows = [row for row in util.RunConverter(run).as_namedtuple_iter() if row.query_id in self.qrel_qids]
        if not rows:
            return
        collection = load(self._qrels, {"run": rows}, topics="judged", documents="judged", warn=False)
        scores = score(collection, self._parsed.values())
        values = dict(zip(scores.measures, np.nan_to_num(scores.values[:, :, 0, 0]), strict=True))  # measure -> topic
        answered = np.flatnonzero(collection.lengths[:, 0])
        for measure, own in self._parsed.items():
            for topic in answered:
                yield ir_measures.Metric(collection.topics[topic], measure, float(values[own][topic]))


_AFTER_RUNTIME = 1  # measures that users define themselves stay theirs
provider = IrgaugeProvider()  # type: ignore[no-untyped-call]  # ir_measures has no annotations
if provider.NAME not in providers.registry:
    providers.register(provider)
    ir_measures.DefaultPipeline.providers.insert(_AFTER_RUNTIME, provider)
