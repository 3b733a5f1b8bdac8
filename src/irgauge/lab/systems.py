"""Systems as texts: a stop list, a stemmer, a model and feedback, such as short-porter-bm25(k1=1.2)+rm3."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.errors import InputError
from irgauge.lab.analysis import Analyser
from irgauge.lab.feedback import FEEDBACK
from irgauge.lab.models import MODELS, Model
from irgauge.lab.parameters import Chosen, choose

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
        before, _, after = "".join(text.split()).partition("+")
        *analysis, model = before.split("-") if "(" not in before else _cut(before)
        if len(analysis) not in (0, 2):
            raise InputError(f"'{text}' is no system; {_HOW}")
        return cls(
            choose(model, {name: one.parameters for name, one in MODELS.items()}, "model"),
            choose(after, FEEDBACK, "feedback") if after else None,
            Analyser(*analysis) if analysis else None,
        )

    def __str__(self) -> str:
        analysis = f"{self.analyser}-" if self.analyser is not None else ""
        feedback = f"+{self.feedback.text(FEEDBACK[self.feedback.name])}" if self.feedback is not None else ""
        return f"{analysis}{self.chosen.text(self.model.parameters)}{feedback}"

    @property
    def model(self) -> Model:
        """The record of the model."""
        return MODELS[self.chosen.name]


def _cut(text: str) -> list[str]:
    """The parts of a text between dashes; one in parentheses, as of a negative number, cuts nothing."""
    head, _, values = text.partition("(")
    *before, model = head.split("-")
    return [*before, f"{model}({values}"]
