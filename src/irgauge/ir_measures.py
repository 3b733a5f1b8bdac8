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


class IrgaugeProvider(providers.Provider):
    """Computes every measure that irgauge has; a name means what ir_measures means by it."""

    NAME = "irgauge"

    def supports(self, measure: Any) -> bool:  # noqa: ANN401  # a measure of ir_measures
        """Whether irgauge has the measure."""
        measure.validate_params()
        try:
            Measure.parse(str(measure))
        except InputError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: object) -> IrgaugeEvaluator:
        return IrgaugeEvaluator(list(measures), list(util.QrelsConverter(qrels).as_namedtuple_iter()))


class IrgaugeEvaluator(providers.Evaluator):
    """Scores runs against the same judgments; a judged topic without a relevant document scores 0."""

    def __init__(self, measures: list[Any], qrels: list[Any]) -> None:
        super().__init__(measures, {judgments.query_id for judgments in qrels})
        self._qrels = qrels
        self._parsed = {measure: Measure.parse(str(measure)) for measure in measures}

    def _iter_calc(self, run: object) -> Iterator[Any]:
        rows = [one for one in util.RunConverter(run).as_namedtuple_iter() if one.query_id in self.qrel_qids]
        if not rows:
            return
        collection = load(self._qrels, {"run": rows}, topics="judged", documents="judged", warn=False)
        found = score(collection, self._parsed.values())
        values = dict(zip(found.measures, np.nan_to_num(found.values[:, :, 0, 0]), strict=True))  # measure -> topic
        answered = np.flatnonzero(collection.lengths[:, 0])
        for measure, own in self._parsed.items():
            for topic in answered:
                yield ir_measures.Metric(collection.topics[topic], measure, float(values[own][topic]))


_AFTER_RUNTIME = 1  # measures that users define themselves stay theirs
provider = IrgaugeProvider()  # type: ignore[no-untyped-call]  # ir_measures has no annotations
if provider.NAME not in providers.registry:
    providers.register(provider)
    ir_measures.DefaultPipeline.providers.insert(_AFTER_RUNTIME, provider)
