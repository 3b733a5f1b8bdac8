"""Systems as texts, such as short-porter-bm25(k1=1.2)+rm3, and grids of them, whose braces hold alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from irgauge.errors import InputError
from irgauge.lab.analysis import STEMMERS, STOP_LISTS, Analyser
from irgauge.lab.models import MODELS, Chosen, RankingModel, choose
from irgauge.lab.ranking import FEEDBACK

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
    def model(self) -> RankingModel:
        """The record of the model."""
        return MODELS[self.chosen.name]


_OF_COUNTS = [name for name, model in MODELS.items() if model.dependences is None]  # which need no positions
MODEL_GRID = f"{{{','.join(_OF_COUNTS)}}}{{,+rm3}}"
FULL_GRID = f"{{{','.join(STOP_LISTS)}}}-{{{','.join(STEMMERS)}}}-{MODEL_GRID}"
_MOST = 10_000  # systems of a grid
_PAIRS = {"{": "}", "(": ")"}


def default_grid(analyser: Analyser) -> str:
    """All models of counts, with and without feedback; on words as they are, with every stop list and stemmer."""
    return FULL_GRID if analyser.is_plain else MODEL_GRID


def systems_of(grid: str) -> list[System]:
    """The systems of a grid, each once, in their order.

    >>> [str(one) for one in systems_of("{none,short}-porter-bm25(b={0.4,0.75}){,+rm3},jm")][:4]
    ['none-porter-bm25', 'none-porter-bm25+rm3', 'none-porter-bm25(b=0.75)', 'none-porter-bm25(b=0.75)+rm3']
    >>> len(systems_of(FULL_GRID))
    90
    """
    texts = list(islice((text for part in _parts(grid) for text in _expanded(part)), _MOST + 1))
    if len(texts) > _MOST:
        raise InputError(f"the grid has more than {_MOST:,} systems; ask for fewer alternatives")
    return list(dict.fromkeys(System.of(text) for text in texts))


def _expanded(text: str) -> Iterator[str]:
    """The texts that a text with braces means."""
    start = text.find("{")
    if start < 0:
        if "}" in text:
            raise InputError(f"the grid has a '}}' without a '{{' in '{text}'; write it like {{none,porter}}")
        yield text
        return
    stop = _closing(text, start)
    for middle in _parts(text[start + 1 : stop]):
        for first in _expanded(middle):
            for rest in _expanded(text[stop + 1 :]):
                yield f"{text[:start]}{first}{rest}"


def _closing(text: str, start: int) -> int:
    """Where the brace that is opened here is closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    raise InputError(f"the grid has a '{{' without a '}}' in '{text}'; write it like {{none,porter}}")


def _parts(text: str) -> list[str]:
    """A text cut at its commas, but for those in braces or parentheses."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in _PAIRS) - (sign in _PAIRS.values())
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
