"""The options of reading, each written once: `load`, the commands of studies and the report take them from here."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass, fields
from typing import Annotated, Any, Literal

from irgauge.files.limits import USUAL, reading_at_most, size_of
from irgauge.options.fields import Help, options_of, refuse
from irgauge.options.progress import Telling
from irgauge.reading.missing import RULES, MissingRule

Precision = Literal["double", "single"]
TopicRule = Literal["relevant", "judged"]
TOPIC_RULES = {
    "relevant": "those with a relevant document",
    "judged": "all of the judgments, as in trec_eval; one without a relevant document scores 0",
}
Documents = Literal["all", "judged"]
NameBy = Literal["tag", "file"]
WORKERS = Help("Number of threads; all cores if not given.", least=1, most=4096)
_TOPICS = ", ".join(f"{name} ({which})" for name, which in TOPIC_RULES.items())
_RULES = ", ".join(f"{name} ({done})" for name, done in RULES.items())


@dataclass(frozen=True)
class Reads:
    """How runs are read."""

    _: KW_ONLY
    precision: Annotated[
        Precision,
        Help("Precision of scores in the order, double or single; single orders as older trec_eval does."),
    ] = "double"
    missing: Annotated[
        MissingRule | None,
        Help(
            f"What becomes of judged topics that a run does not answer, and of scores that a table lacks: {_RULES}. If "
            "not given zero for runs, fail for tables."
        ),
    ] = None
    topics: Annotated[
        TopicRule | None,
        Help(
            f"Which topics count: {_TOPICS}. If not given relevant; judged for the lines of trec_eval (--format trec)."
        ),
    ] = None
    depth: Annotated[
        int | None, Help("Only so many documents of each list count, as with trec_eval -M; all if not given.", least=1)
    ] = None
    name_by: Annotated[
        NameBy | None,
        Help("Name runs by their tag or by their file; if not given by the tag, and by the file where tags clash."),
    ] = None
    ignore_identical_ids: Annotated[
        bool, Help("Leave documents whose id is that of their topic out of runs, as BEIR does.")
    ] = False


@dataclass(frozen=True)
class ReadsCorpus(Reads):
    """How runs are read where documents are drawn."""

    _: KW_ONLY
    corpus_size: Annotated[
        int | Iterable[str] | None, Help("Documents in the corpus; those seen if not given.", least=1)
    ] = None


@dataclass(frozen=True)
class ReadsNothing:
    """No runs are read."""


def refuse_reading(asked: object, reading: type[Reads] = ReadsCorpus) -> None:
    """Refuse options of reading where nothing is read."""
    of_reading = (option.name for option in options_of(reading))
    refuse(asked, of_reading, "files that are read, and a collection was given; give it to `load`")


@dataclass(frozen=True)
class Limited:
    """How much is read."""

    _: KW_ONLY
    max_size: Annotated[
        int | str | None,
        Help(
            f"The most that one file may hold once it is decompressed, such as 500MB or 8GiB; {USUAL} if not given.",
            read=size_of,
            metavar="SIZE",
        ),
    ] = None

    def while_running(self) -> AbstractContextManager[None]:
        """While a verb runs, larger files are refused."""
        return nullcontext() if self.max_size is None else reading_at_most(self.max_size)


@dataclass(frozen=True)
class Joining(ReadsCorpus, Limited, Telling):
    """How judgments and runs are joined."""

    _: KW_ONLY
    documents: Documents = "all"
    workers: Annotated[int | None, WORKERS] = None

    @classmethod
    def of(cls, asked: object, **others: Any) -> Joining:  # noqa: ANN401  # values of any options
        """As the options of a command or a verb say, and `others` besides."""
        values = {field.name: getattr(asked, field.name) for field in fields(cls) if hasattr(asked, field.name)}
        return cls(**(values | others))


@dataclass(frozen=True)
class Loading(Joining):
    """What `load` takes."""

    qrels: object
    runs: object
    _: KW_ONLY
    warn: bool = True  # whether notes on the data are given as warnings
