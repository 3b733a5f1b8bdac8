"""Options that several studies share, each written once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.errors import InputError
from irgauge.options import Told
from irgauge.reading.options import WORKERS, Progress

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure


def fill_of(text: str) -> float | str:
    """A fill by its name, or a number."""
    try:
        return float(text)
    except ValueError:
        return text


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers, such as 2,5,10."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise InputError(f"'{text}' are not whole numbers; write them like 2,5,10")
    return tuple(map(int, parts))


def names(text: str) -> tuple[str, ...]:
    """Names, such as MD2,MD6."""
    return tuple(part.strip() for part in text.split(","))


def schemes() -> Iterable[str]:
    """The ways to split, as they are written."""
    from irgauge.replicates.shards import SCHEMES

    return [scheme.syntax for scheme in SCHEMES.values()]


def populations() -> Iterable[str]:
    """What claims can cover."""
    from typing import get_args

    from irgauge.models.anova import Population

    return get_args(Population)


def corrections() -> Iterable[str]:
    """The corrections for a family of pairs."""
    from irgauge.inference.multiplicity import ADJUSTMENTS

    return ADJUSTMENTS


MEASURES = Told("A measure, such as AP, nDCG@10 or map; repeatable.", short="-m", flag="measure")
MANIFEST = Told(
    "If runs are instances: a file with a run, its algorithm and, if it has several, the instance on each line.",
    metavar="FILE",
)
PATTERN = Told("Or a pattern of their file names, such as {algorithm}.{seed}.run (repeatable; the first that fits).")
FILL = "For undefined scores: zero, lq, med, mean, uq, one, a number, drop (topics), or redraw (splits)."


@dataclass(frozen=True)
class OneMeasure:
    """A study of one measure."""

    measure: Annotated[
        str | Measure | None,
        Told(
            "The measure, such as AP or nDCG@10; AP if not given; for a table of scores, its only measure.", short="-m"
        ),
    ] = None


@dataclass(frozen=True)
class Measures:
    """A study of one or several measures; one whose defaults are others declares the field again, with `MEASURES`."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("AP", "P@10", "nDCG@10")


@dataclass(frozen=True)
class AnyMeasures:
    """A study of whatever measures there are."""

    measures: Annotated[
        Sequence[str | Measure] | str | Measure | None,
        Told(
            "A measure, such as AP, nDCG@10 or map; repeatable. AP, P@10 and nDCG@10, or all of a table, if not given.",
            short="-m",
            flag="measure",
        ),
    ] = None


@dataclass(frozen=True)
class Working:
    """What every study has: work that threads share, and that may take long."""

    _: KW_ONLY
    workers: Annotated[int | None, WORKERS] = None
    progress: Progress | None = None  # is told how far the work is; from Python only


@dataclass(frozen=True)
class Seeded(Working):
    """A study that draws."""

    _: KW_ONLY
    seed: Annotated[int, Told("Seed of the draws; the same seed gives the same numbers.", least=0)] = 0


@dataclass(frozen=True)
class Keeping:
    """A study of all systems, or of the best."""

    _: KW_ONLY
    keep_systems: Annotated[
        str, Told("How many systems to keep, the best: all, a number, or a share such as top75%.")
    ] = "all"


@dataclass(frozen=True)
class Filled(Keeping, Seeded):
    """A study of scores some of which may be undefined."""

    _: KW_ONLY
    fill: Annotated[float | str, Told(FILL, read=fill_of)] = "zero"


@dataclass(frozen=True)
class Sharded(Filled):
    """A study of the whole corpus, or of its shards."""

    _: KW_ONLY
    shards: Annotated[str | None, Told("How to split the documents; the whole corpus if not given.", forms=schemes)] = (
        None
    )


@dataclass(frozen=True)
class Levelled:
    """A study that tests, or gives intervals."""

    _: KW_ONLY
    alpha: Annotated[float, Told("Level of tests; intervals have confidence 1 − alpha.")] = 0.05


@dataclass(frozen=True)
class Covering:
    """A study whose claims can cover several populations."""

    _: KW_ONLY
    population: Annotated[str | None, Told("What claims cover.", names=populations)] = None
