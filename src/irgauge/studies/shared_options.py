"""Options that several studies share, each written once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from irgauge.errors import DesignError, InputError, check_asked_alpha
from irgauge.names import Population
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.options.progress import Telling
from irgauge.reading.missing import MissingRule
from irgauge.reading.options import WORKERS
from irgauge.reading.tables.named_columns import NamesColumns
from irgauge.reading.topic_table import GivenTopics

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

_MOST_DIGITS = 18  # what 64 bits hold in any case


def fill_of(text: str) -> float | str:
    """A fill by its name, or a number."""
    try:
        return float(text)
    except ValueError:
        return text


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers, such as 2,5,10."""
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch("[0-9]+", part) for part in parts):
        raise InputError(f"'{text}' are not whole numbers; write them like 2,5,10")
    if (digits := max(map(len, parts))) > _MOST_DIGITS:
        raise InputError(f"has a number of {digits:,} digits; numbers have at most {_MOST_DIGITS}")
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
    from irgauge.inference.corrections import CORRECTIONS

    return CORRECTIONS


MEASURES = Help("A measure, such as AP, nDCG@10 or map; repeatable.", short="-m", flag="measure")
MANIFEST = Help(
    "If runs are instances: a file with a run, its algorithm, its instance and its group (if any) on each line.",
    metavar="FILE",
)
PATTERN = Help("Or a pattern of their file names, such as {algorithm}.{seed}.run (repeatable; the first that fits).")
MARGIN = Help(
    "The smallest difference that matters, such as 0.01, or 2% of the baseline's mean: adds the verdicts equivalent, "
    "not worse and not better.",
    read=str,
)
ALPHA = Help("Level of tests; intervals have confidence 1 − alpha.", check=check_asked_alpha)
FILL = "For undefined scores: zero, lq, med, mean, uq, one, a number, drop (topics), or redraw (splits)."


@dataclass(frozen=True)
class Relevant:
    """A study of measures, most of which take a document as relevant from some grade on."""

    usual: ClassVar[tuple[str, ...]] = ("AP",)  # measures of runs, where none is named
    _: KW_ONLY
    rel: Annotated[
        int | None,
        Help(
            "The lowest grade that counts as relevant, as with trec_eval -l; 1 if not given. Measures that set rel= "
            "and those of graded gains, such as nDCG, stay as they are.",
            least=1,
        ),
    ] = None

    def resolved(self) -> Self:
        """With the lowest grade in the measures, so that all that is said of them names it."""
        from irgauge.scoring.measures import relevant_from

        if self.rel is None:
            return self
        changed: dict[str, Any] = {"rel": None}
        for name in {"measures", "keep_by"} & {field.name for field in fields(self)}:
            value = getattr(self, name) or (None if name == "keep_by" else self.usual)
            if value is not None:
                several = [value] if isinstance(value, str) or not isinstance(value, Iterable) else value
                measures = relevant_from(self.rel, several)
                changed[name] = measures if name == "measures" or len(measures) > 1 else measures[0]
        return replace(self, **changed)


@dataclass(frozen=True)
class OneMeasure(Relevant):
    """A study of one measure; one whose default is another declares the field again."""

    measures: Annotated[
        str | Measure | Sequence[str | Measure] | None,
        Help(
            "The measure, such as nDCG@10; AP if not given. Of a table its only one, which this names if it does not.",
            short="-m",
            flag="measure",
        ),
    ] = None

    @property
    def measure(self) -> str | Measure | None:
        """The measure; several are refused."""
        return single(self.measures)


def single(measures: str | Measure | Sequence[str | Measure] | None) -> str | Measure | None:
    """The measure that is given, alone or in a list."""
    if measures is None or isinstance(measures, str) or not isinstance(measures, Sequence):
        return measures
    if len(measures) != 1:
        names = ", ".join(map(str, measures)) or "none"
        raise DesignError(f"this question is asked of one measure at a time, and {len(measures)} are given: {names}")
    return measures[0]


@dataclass(frozen=True)
class Measures(Relevant):
    """A study of one or several measures; one whose defaults are others declares the field again, with `MEASURES`."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("AP", "P@10", "nDCG@10")


@dataclass(frozen=True)
class AnyMeasures(Relevant):
    """A study of whatever measures there are."""

    usual: ClassVar[tuple[str, ...]] = ("AP", "P@10", "nDCG@10")

    measures: Annotated[
        Sequence[str | Measure] | str | Measure | None,
        Help(
            "A measure, such as AP, nDCG@10 or map; repeatable; latency_ms:lower where lower is better. AP, P@10 and "
            "nDCG@10, or all of a table, if not given.",
            short="-m",
            flag="measure",
        ),
    ] = None


COLUMNS = Help(
    "Which columns of a table of scores hold what, where their names do not tell: topic=qid,system=model,"
    "score=f1,slice=type; slice for one that describes topics.",
    metavar="ROLE=COLUMN,...",
)


@dataclass(frozen=True)
class OfTopics(NamesColumns):
    """What else is known of topics."""

    _: KW_ONLY
    topics_table: Annotated[
        GivenTopics | None,
        Help(
            "What is known of topics: CSV, TSV, JSON lines or Parquet with a row for each (topic, query, and any other "
            "columns). Texts of queries are shown beside topics.",
            metavar="FILE",
        ),
    ] = None
    columns: Annotated[str | Mapping[str, str] | None, COLUMNS] = None

    @property
    def about_topics(self) -> dict[str, Any]:
        """Both, as what opens data takes them."""
        return {"topics_table": self.topics_table, "columns": self.columns}


@dataclass(frozen=True)
class OfWordings(OfTopics):
    """Topics that are wordings of needs."""

    _: KW_ONLY
    variants: Annotated[
        str | None,
        Help(
            "A column that tells the wordings of a need apart, such as paraphrases or prompts (in a table of scores "
            "with several rows for a topic), or that says whose wording a topic is: scores are means over these, and "
            "claims are for other needs and other wordings."
        ),
    ] = None

    @property
    def about_topics(self) -> dict[str, Any]:
        """All, as what opens data takes them."""
        return super().about_topics | {"variants": self.variants}


@dataclass(frozen=True)
class OfSlices(OfTopics):
    """Kinds of topics, beside all of them."""

    _: KW_ONLY
    by: Annotated[
        Sequence[str] | str | None,
        Help(
            "A column of topics (repeatable): a verdict for every slice, all of them corrected together, and whether "
            "the difference is the same everywhere."
        ),
    ] = None

    @property
    def slice_columns(self) -> tuple[str, ...]:
        """The columns whose slices are asked for."""
        return () if self.by is None else (self.by,) if isinstance(self.by, str) else tuple(self.by)


@dataclass(frozen=True)
class OfTables:
    """What is done with tables of scores."""

    _: KW_ONLY
    missing: Annotated[
        MissingRule | None,
        Help(
            "What becomes of scores that a table lacks: zero (they are 0), drop (their topics are left out for all "
            "systems), fail (they are an error). If not given fail; of runs it is said to `load`."
        ),
    ] = None


@dataclass(frozen=True)
class Working(Telling):
    """What every study has: work that threads share, and that may take long."""

    _: KW_ONLY
    workers: Annotated[int | None, WORKERS] = None

    def __getstate__(self) -> dict[str, object]:
        """What work elsewhere needs to know: not who is told of it, nor where it is done."""
        return {name: value for name, value in vars(self).items() if name not in ("progress", "scheduler")}


@dataclass(frozen=True)
class Scheduled:
    """A study whose work many machines can share."""

    _: KW_ONLY
    scheduler: Annotated[
        str | object | None,
        Help(
            "Let the workers of a Dask cluster do the work: the address of its scheduler, such as tcp://HOST:8786; or "
            "local:N for N processes on this machine, or dask for what Dask's settings name. Needs irgauge[cluster].",
            metavar="ADDRESS",
        ),
    ] = None

    def while_running(self) -> AbstractContextManager[None]:
        """While a verb runs, tasks go to the workers."""
        from irgauge.cluster import working_on

        return working_on(self.scheduler)


@dataclass(frozen=True)
class Seeded(Working):
    """A study that draws."""

    _: KW_ONLY
    seed: Annotated[
        int, Help("Seed of the draws; the same seed gives the same numbers.", least=0, most=LARGEST_SEED)
    ] = 0


@dataclass(frozen=True)
class Keeping:
    """A study of all systems, or of the best."""

    _: KW_ONLY
    keep_systems: Annotated[
        str, Help("How many systems to keep, the best: all, a number, or a share such as top75%.")
    ] = "all"


@dataclass(frozen=True)
class KeepingBy(Keeping):
    """A study of the best systems by some measure, which need not be one that is asked about."""

    _: KW_ONLY
    keep_by: Annotated[
        str | Measure | None, Help("The measure by which systems are kept; the first one if not given.")
    ] = None

    def __post_init__(self) -> None:
        """Refuse a measure that keeps nothing out."""
        if self.keep_by is not None and self.keep_systems == "all":
            raise DesignError(f"systems are kept by {self.keep_by}, but all are kept; say how many, such as 50")

    @property
    def kept_by(self) -> Measure | None:
        """The measure by which systems are kept, read."""
        from irgauge.scoring.measures import parse_measures

        return None if self.keep_by is None else parse_measures([self.keep_by])[0]


@dataclass(frozen=True)
class Filled(Keeping, Seeded):
    """A study of scores some of which may be undefined."""

    _: KW_ONLY
    fill: Annotated[float | str, Help(FILL, read=fill_of)] = "zero"


@dataclass(frozen=True)
class AllowsSparse:
    """A study of shards or images, in which scores of topics with few relevant documents are undefined."""

    _: KW_ONLY
    sparse: Annotated[bool, Help("Continue although most scores in shards or images are undefined, and filled in.")] = (
        False
    )


@dataclass(frozen=True)
class Sharded(AllowsSparse, Filled):
    """A study of the whole corpus, or of its shards."""

    _: KW_ONLY
    shards: Annotated[str | None, Help("How to split the documents; the whole corpus if not given.", forms=schemes)] = (
        None
    )


@dataclass(frozen=True)
class Levelled:
    """A study that tests, or gives intervals."""

    _: KW_ONLY
    alpha: Annotated[float, ALPHA] = 0.05


@dataclass(frozen=True)
class Covering:
    """A study whose claims can cover several populations."""

    _: KW_ONLY
    population: Annotated[
        Population | None, Help("What claims cover: other topics, documents, or both.", names=populations)
    ] = None
