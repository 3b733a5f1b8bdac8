"""What `irgauge instances` presents, of given scores."""

from __future__ import annotations

from typing import Any

from irgauge.present.instance_findings import Answer
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances import compare_instances
from irgauge.studies.sample_size import plans
from irgauge.studies.single_instances import single_tests_of


def answer_of(scores: InstanceScores, *, width: float = 0.02, **options: Any) -> Answer:  # noqa: ANN401  # passed on
    found = compare_instances(scores, seed=7, **options)
    return Answer(found, single_tests_of(scores, found.pairs), plans(found, width), width)
