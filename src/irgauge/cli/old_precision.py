"""Commands about measures: how precise they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.keeping import check_free, keeping
from irgauge.cli.options import (
    Alpha,
    ChartOf,
    ChartOption,
    CorpusSize,
    Form,
    FormOption,
    Measures,
    Output,
    Precision,
    PrecisionOption,
    Qrels,
    Quiet,
    ResampleChoice,
    Runs,
    Seed,
    UndefinedChoice,
    Workers,
)
from irgauge.errors import DesignError, InputError

if TYPE_CHECKING:
    from irgauge.studies.reliability import Reliability

_CHARTS = ("systems", "ranks", "deviations")
_CHARTS_OF_TOPICS = ("topics", "spread")


@app.command(
    epilog="Example: irgauge bootstrap qrels.txt runs/ -m AP -m 'RBP(p=0.95)' --top 50 --corpus-size 528155 "
    "--chart ranks.html --chart-of ranks"
)
def bootstrap(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = ["AP", "nDCG@10", "P@10", "RBP(p=0.95)"],  # noqa: B006  # typer copies it
    images: Annotated[int, typer.Option(help="Bootstrap samples to draw, 2 or more.")] = 1000,
    top: Annotated[int | None, typer.Option(help="Keep so many systems, the best ones; all if not given.")] = None,
    top_by: Annotated[str | None, typer.Option(help="The measure of --top; the first one if not given.")] = None,
    resample: Annotated[
        ResampleChoice, typer.Option(help="What to draw with replacement, and so what claims cover.")
    ] = ResampleChoice.documents,
    undefined: Annotated[
        UndefinedChoice, typer.Option(help="A topic without relevant documents in an image scores 0, or is left out.")
    ] = UndefinedChoice.zero,
    per_topic: Annotated[
        bool, typer.Option("--per-topic", help="Also every topic of one system, by default the best.")
    ] = False,
    system: Annotated[str | None, typer.Option(help="The system whose topics are shown; implies --per-topic.")] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Save the scores of all images as Parquet files in this new folder.")
    ] = None,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: ChartOf = None,
    precision: Precision = PrecisionOption.double,
    corpus_size: CorpusSize = None,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """How precise is each measure? Scores, differences and ranks in bootstrap images of the corpus.

    An image is a sample of all documents with replacement, the same for every
    system and topic; runs and judgments are amended, nothing is retrieved again.
    Zobel and Rashidi (CIKM 2020). Give --corpus-size where runs and judgments do
    not name every document of the corpus.
    """
    from irgauge.present import precision as present
    from irgauge.present.precision_findings import findings
    from irgauge.scoring.measures import parse_measures
    from irgauge.studies.reliability import bootstrap as draw_and_score

    chosen, parsed = terminal.form(form, output, Form), parse_measures(measure)
    shows_topics = per_topic or system is not None
    _check_parts(resample, keep, top, top_by, shows_topics=shows_topics)
    terminal.check_chart(chart, chart_of, _chart_names(resample))
    collection = terminal.load(qrels, runs, precision, workers, quiet=quiet, corpus_size=corpus_size)
    _check_system(system, collection.systems)
    with keeping(keep) as save, terminal.progress("bootstrap", quiet=quiet, unit="images") as progress:
        result = draw_and_score(
            collection,
            parsed,
            images=images,
            top=top,
            top_by=top_by,
            resample=resample.value,
            undefined=undefined.value,
            alpha=alpha,
            seed=seed,
            workers=workers,
            progress=progress,
            keep=save,
        )
    place = _place(result, system)
    if chart is not None:
        terminal.draw(chart, lambda gallery: gallery.reliability_chart(result, chart_of, place))
    tables = partial(present.reliability_tables, result, place if shows_topics else None)
    terminal.show(
        chosen,
        output,
        tables,
        partial(present.reliability_json, result),
        main=present.TOPICS if shows_topics else present.SYSTEMS,
        findings=partial(findings, result),
    )


def _check_parts(
    resample: ResampleChoice, keep: Path | None, top: int | None, top_by: str | None, *, shows_topics: bool
) -> None:
    """Refuse options that do not go together."""
    if top_by is not None and top is None:
        raise InputError(f"--top-by {top_by} says by what --top keeps systems; give --top too, such as --top 50")
    if resample == ResampleChoice.topics:
        if keep is not None:
            raise DesignError(
                "--keep saves scores in images of the corpus, and --resample topics draws none: there are only the "
                "scores that `irgauge score -o scores.parquet` saves"
            )
        if shows_topics:
            raise DesignError(
                "the scores on a topic vary only where documents are drawn; leave --per-topic and --system out, or "
                "take --resample documents or both"
            )
    if keep is not None:
        check_free(keep)


def _chart_names(resample: ResampleChoice) -> tuple[str, ...]:
    return _CHARTS if resample == ResampleChoice.topics else (*_CHARTS, *_CHARTS_OF_TOPICS)


def _check_system(system: str | None, systems: Sequence[str]) -> None:
    from difflib import get_close_matches

    if system is not None and system not in systems:
        near = get_close_matches(system, systems, n=1, cutoff=0.0)[0]
        raise DesignError(f"the system '{system}' is unknown; did you mean '{near}'?")


def _place(result: Reliability, system: str | None) -> int:
    """The place of the system among those kept; by default of the best by the first measure."""
    if system is None:
        return int(result.order(0)[0])
    if system not in result.systems:
        kept = f"the {len(result.systems)} best by {result.kept_by}"
        raise DesignError(f"the system '{system}' is not among {kept}; keep more with --top, or all without it")
    return result.systems.index(system)
