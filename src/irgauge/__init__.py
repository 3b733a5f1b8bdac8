"""A gauge for information-retrieval experiments: which differences are real, how sure, and what they cover."""

from irgauge.collection import Collection, load
from irgauge.errors import DesignError, InputError
from irgauge.measures import Measure
from irgauge.scores import Scores, score

__all__ = ["Collection", "DesignError", "InputError", "Measure", "Scores", "load", "score"]
