"""Systems as texts: a stop list, a stemmer, a model and feedback, such as short-porter-bm25(k1=1.2)+rm3."""

from __future__ import annotations

import re
from dataclasses import dataclass

from irgauge.errors import InputError
from irgauge.lab.analysis import Analyser
from irgauge.lab.feedback import FEEDBACK
from irgauge.lab.models import MODELS, Model
from irgauge.lab.parameters import Chosen, choose

_CHOSEN = r"([a-z0-9]+)(?:\(([^()]*)\))?"
_SYSTEM = re.compile(rf"(?:([a-z]+)-([a-z]+)-)?{_CHOSEN}(?:\+{_CHOSEN})?")
_HOW = "write it like bm25, short-porter-bm25(k1=0.9,b=0.4) or none-english-dirichlet+rm3"


@dataclass(frozen=True)
class System:
    """A system that ranks documents; its text says all of it.

    >>> str(System.of("short-porter-bm25(b=0.75,k1=0.9)+rm3(docs=5)"))
    'short-porter-bm25(b=0.75)+rm3(docs=5)'
    """

    chosen: Chosen  # among the models
    feedback: Chosen | None = None
    analyser: Analyser | None = None  # None: that of the index

    @classmethod
    def of(cls, text: str) -> System:
        """The system that a text names."""
        match = _SYSTEM.fullmatch("".join(text.split()).lower())
        if match is None:
            raise InputError(f"'{text}' is no system; {_HOW}")
        stop, stemmer, model, values, feedback, its_values = match.groups()
        return cls(
            choose(model, values, {name: record.parameters for name, record in MODELS.items()}, "model"),
            None if feedback is None else choose(feedback, its_values, FEEDBACK, "feedback"),
            None if stop is None else Analyser(stop, stemmer),
        )

    def __str__(self) -> str:
        analysis = f"{self.analyser}-" if self.analyser is not None else ""
        feedback = f"+{self.feedback.text(FEEDBACK[self.feedback.name])}" if self.feedback is not None else ""
        return f"{analysis}{self.chosen.text(self.model.parameters)}{feedback}"

    @property
    def model(self) -> Model:
        """The record of the model."""
        return MODELS[self.chosen.name]
