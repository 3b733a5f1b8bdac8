"""Which measures can be reported."""

from __future__ import annotations

import numpy as np

from irgauge.errors import DesignError
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores

_UNDEFINED = "it is defined on no topic: none has a document that it takes as relevant"


def usable(scores: Scores) -> tuple[tuple[Measure, ...], dict[str, str]]:
    """The measures that are defined on some topic, and why the others are left out."""
    undefined = [bool(np.isnan(values).all()) for values in scores.values]
    left_out = {str(measure): _UNDEFINED for measure, is_so in zip(scores.measures, undefined, strict=True) if is_so}
    if all(undefined):
        raise DesignError(f"{', '.join(left_out)} cannot be reported: {_UNDEFINED}")
    kept = tuple(measure for measure, is_so in zip(scores.measures, undefined, strict=True) if not is_so)
    return kept, left_out
