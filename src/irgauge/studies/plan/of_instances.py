"""A pilot of scores of instances of random systems."""

from __future__ import annotations

import numpy as np

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference.instance_models import POPULATIONS, chosen_model
from irgauge.inference.instance_tests import Pair as Two
from irgauge.inference.instance_tests import pairs_of, squares_of
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.instances import TopicsAndInstances
from irgauge.planning.observed import Observed
from irgauge.planning.sizes import Size
from irgauge.provenance import Provenance
from irgauge.replicates.data import Data
from irgauge.replicates.facts import instances, topics
from irgauge.replicates.instance_data import Instances, RunLabels
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.plan.chosen import chosen
from irgauge.studies.plan.options import Asked
from irgauge.studies.plan.pilot import Pair, PairPilot, Pilot


def pilot_of_instances(data: InstanceScores | Data, asked: Asked) -> Pilot:
    """The variances of pairs of algorithms over topics and instances."""
    if asked.shards is not None:
        raise DesignError("shards and instances were both asked for; plan for one of them, and leave the other out")
    scores, source = _wanted(asked).scored(data)
    known_judgments = None if isinstance(data, InstanceScores) else data.judgments
    if len(scores.algorithms) < 2:
        raise DesignError(f"there is one algorithm, '{scores.algorithms[0]}'; at least 2 are needed for a difference")
    baseline = None if asked.baseline is None else known(asked.baseline, scores.algorithms, "baseline")
    cells = scores.cells()
    means = np.array([np.nanmean(cells[scores.algorithm_of == a]) for a in range(len(scores.algorithms))])
    pairs = pairs_of(scores.algorithms, baseline, means)
    squares = {pair: one for pair, one in squares_of(scores, pairs).items() if isinstance(one, TwoAlgorithms)}
    named = chosen({(pair.first, pair.second): sum(one.variance) for pair, one in squares.items()}, baseline)
    counts = scores.instance_counts.tolist()
    deterministic, algorithms = len(scores.deterministic), len(scores.algorithms)
    planned = asked.systems or algorithms
    return Pilot(
        pairs=tuple(_pilot(pair, squares[Two(*names)]) for names, pair in named.items()),
        of_pairs=len(pairs),
        systems=planned,
        random=max(1, planned - deterministic) if deterministic < algorithms else 0,
        replicates="instances" if deterministic < algorithms else None,
        here=Size(len(scores.topics), int(np.median([count for count in counts if count > 1] or [1]))),
        measure=scores.measure,
        population=POPULATIONS[chosen_model(scores, None)],
        facts=Provenance.of(
            source, instances(dict(zip(scores.algorithms, counts, strict=True))), topics(len(scores.topics))
        ),
        values=None,
        judgments=known_judgments if asked.judgments is None else asked.judgments,
    )


def _wanted(asked: Asked) -> Instances:
    runs = RunLabels(manifest=asked.manifest, pattern=asked.pattern, labels=asked.labels, fill=asked.fill)
    return Instances(measure=asked.measure, usual="AP", of_runs=runs)


def _pilot(pair: Pair, squares: TwoAlgorithms) -> PairPilot:
    certain = TopicsAndInstances.of(squares, is_certain=True)
    random = [name for name, one in zip(pair[1:], (squares.first, squares.second), strict=True) if one.instances > 1]
    components = {"topic:system": float(certain.over_topics[0])}
    for i, name in enumerate(random):
        components |= {f"instance of {name}": float(certain.instance[i, 0])}
        components |= {f"residual of {name}": float(certain.residual[i, 0])}
    return PairPilot(pair, Observed(squares.difference, components, TopicsAndInstances.of(squares), certain))
