"""The command about random algorithms: which is better, or as good, when each run of it differs?"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.options import (
    ChartOption,
    FillOption,
    Form,
    FormOption,
    Manifest,
    Output,
    Pattern,
    Precision,
    PrecisionOption,
    Quiet,
    Seed,
    Workers,
)
from irgauge.errors import DesignError, InputError

if TYPE_CHECKING:
    from irgauge.present.instance_findings import Answer
    from irgauge.replicates.instances import InstanceScores

_CHARTS = ("topics", "margins", "variance", "needed")
_TABLES = (".csv", ".tsv", ".parquet")
_MEASURE = "nDCG@10"


class InstanceModel(StrEnum):
    """Models of instances."""

    topic = "topic"
    repeated = "repeated"
    nested = "nested"
    crossed = "crossed"


class PairCorrection(StrEnum):
    """Corrections of p-values for the family of pairs."""

    none = "none"
    holm = "holm"
    bh = "bh"
    bonferroni = "bonferroni"
    tukey = "tukey"


class DegreesOfFreedom(StrEnum):
    """Degrees of freedom of t."""

    satterthwaite = "satterthwaite"
    n_f = "n-f"


@app.command(
    epilog="Example: irgauge instances scores.csv --baseline exhaustive --margin 0.01; "
    "with runs: irgauge instances qrels.txt runs/ -m nDCG@10 --manifest manifest.txt --baseline exhaustive "
    "--chart margins.png --chart-of margins; "
    "or: irgauge instances qrels.txt runs/ --pattern '{algorithm}.{seed}.run'"
)
def instances(
    context: typer.Context,
    scores: Annotated[
        str,
        typer.Argument(
            metavar="TABLE|QRELS",
            help="A table algorithm, instance, topic, score (.csv, .tsv, .parquet); or judgments, before runs.",
        ),
    ],
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN...]", help="Run files, folders of runs, or glob patterns.")
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option("--measure", "-m", help=f"Of runs, {_MEASURE} if not given; of a table, the one to take."),
    ] = None,
    manifest: Manifest = None,
    pattern: Pattern = None,
    only: Annotated[list[str] | None, typer.Option(help="Keep this algorithm; repeatable; all if not given.")] = None,
    baseline: Annotated[
        str | None, typer.Option(help="The algorithm that the others are compared with; all pairs if not given.")
    ] = None,
    margin: Annotated[float, typer.Option(help="The smallest difference of consequence.")] = 0.01,
    model: Annotated[
        InstanceModel | None,
        typer.Option(help="nested where an algorithm has several instances, else topic, if not given."),
    ] = None,
    correction: Annotated[PairCorrection, typer.Option(help="Of p-values, over the pairs.")] = PairCorrection.holm,
    df: Annotated[
        DegreesOfFreedom, typer.Option(help="Degrees of freedom: Satterthwaite's, or the paper's n − f.")
    ] = DegreesOfFreedom.satterthwaite,
    posterior: Annotated[
        bool, typer.Option("--posterior/--no-posterior", help="HPD intervals and probabilities by Gibbs sampling.")
    ] = True,
    draws: Annotated[int, typer.Option(min=8, help="Draws of each of the four chains of the posterior.")] = 2000,
    width: Annotated[float, typer.Option(help="How many topics and instances does an interval of ± this need?")] = 0.01,
    pair: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="The algorithms in the chart of topics.")
    ] = None,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: Annotated[
        str | None,
        typer.Option(help="What to draw: topics (scores over instances), margins (intervals), variance or needed."),
    ] = None,
    precision: Precision = PrecisionOption.double,
    fill: FillOption = "zero",
    alpha: Annotated[float, typer.Option(help="Level of tests; intervals have 1 − alpha.")] = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Which algorithm is better, or as good, when each run of it differs? Mixed models of instances and topics.

    For rankers that are random: sampled indexes, approximate nearest neighbours, seeds of neural rankers. Each pair of
    algorithms is better, worse, equivalent, not worse, not better or inconclusive against the margin, by two one-sided
    tests and by the posterior. Jayasinghe et al. (SIGIR 2014).
    """
    chosen = terminal.form(form, output, Form)
    terminal.check_chart(chart, chart_of, _CHARTS)
    _check_numbers(margin, alpha, width)
    if pair is not None and (chart is None or chart_of not in (None, "topics")):
        raise InputError("--pair names the algorithms in the chart of topics; ask for it with --chart FILE")
    if not runs:
        _check_table(scores)
        _refuse_with_a_table(context, ("manifest", "pattern", "fill", "precision"))
    given = _scores(scores, runs or [], measure, manifest, pattern or [], fill, precision, workers=workers, quiet=quiet)
    given = _kept(given, only or [])
    for name, option in ((baseline, "--baseline"), *((one, "--pair") for one in pair or ())):
        _check_known(name, option, given.algorithms)
    answer = _answer(
        given,
        width,
        of_runs=(fill, precision.value) if runs else (None, None),
        model=model and model.value,
        baseline=baseline,
        margin=margin,
        alpha=alpha,
        correction=correction.value,
        freedom=df.value,
        posterior=posterior,
        draws=draws,
        seed=seed,
        workers=workers,
    )
    if chart is not None:
        _draw(answer, chart, chart_of or _CHARTS[0], pair)
    _show(answer, chosen, output)


def _check_numbers(margin: float, alpha: float, width: float) -> None:
    from irgauge.errors import check_alpha
    from irgauge.inference.equivalence import check_margin
    from irgauge.studies.sample_size import check_half_width

    check_margin(margin)
    check_alpha(alpha)
    check_half_width(width)


def _scores(
    path: str,
    runs: Sequence[str],
    measure: str | None,
    manifest: Path | None,
    patterns: Sequence[str],
    fill: str,
    precision: PrecisionOption,
    *,
    workers: int | None,
    quiet: bool,
) -> InstanceScores:
    """The scores of a table, or of runs that a manifest or patterns tell apart."""
    from irgauge.replicates.instances import InstanceScores, score_instances
    from irgauge.replicates.labels import labelling
    from irgauge.scoring.measures import parse_measures

    if not runs:
        terminal.tell_of_compilation(quiet=quiet)
        return InstanceScores.load(path, measure=measure)
    filled, parsed = terminal.fill(fill), parse_measures([measure or _MEASURE])[0]
    label = labelling(manifest, patterns or None)
    collection = terminal.load(path, runs, precision, workers, quiet=quiet, documents="judged")
    return score_instances(collection, parsed, label, fill=filled, workers=workers)


def _check_table(path: str) -> None:
    """Refuse a file alone that is no table of scores."""
    if not any(suffix in _TABLES for suffix in map(str.lower, Path(path).suffixes)):
        endings = ", ".join(_TABLES)
        message = f"a table of scores ends in {endings}; for judgments name the runs after them"
        raise InputError(message, path=path)


def _refuse_with_a_table(context: typer.Context, names: Sequence[str]) -> None:
    """Refuse options of runs, rather than ignore them."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            raise InputError(f"--{name} is of runs, and a table of scores was given; leave it out, or name the runs")


def _kept(scores: InstanceScores, names: Sequence[str]) -> InstanceScores:
    """The scores of some algorithms, or of all."""
    for name in names:
        _check_known(name, "--only", scores.algorithms)
    return scores.only(list(dict.fromkeys(names))) if names else scores


def _check_known(name: str | None, option: str, algorithms: Sequence[str]) -> None:
    if name is not None and name not in algorithms:
        near = get_close_matches(name, algorithms, n=1, cutoff=0.0)[0]
        raise DesignError(f"{option}: the algorithm '{name}' is unknown; did you mean '{near}'?")


def _answer(
    scores: InstanceScores, width: float, *, of_runs: tuple[str | None, str | None], **options: object
) -> Answer:
    """The comparison, the tests of single instances and what is needed."""
    from irgauge.present.instance_findings import Answer
    from irgauge.studies.instances import compare_instances
    from irgauge.studies.sample_size import plans
    from irgauge.studies.single_instances import single_tests_of

    found = compare_instances(scores, **options)  # type: ignore[arg-type]  # those of the command
    return Answer(found, single_tests_of(scores, found.pairs), plans(found, width), width, *of_runs)


def _draw(answer: Answer, path: Path, of: str, pair: tuple[str, str] | None) -> None:
    from irgauge.present import instance_charts
    from irgauge.present.instance_topics import topic_scores

    charts = {
        "topics": lambda: topic_scores(answer, pair),
        "margins": lambda: instance_charts.margins(answer),
        "variance": lambda: instance_charts.variance(answer),
        "needed": lambda: instance_charts.needed(answer),
    }
    terminal.draw(path, lambda _: charts[of]())


def _show(answer: Answer, form: str, output: Path | None) -> None:
    """Findings first, then the tables; or the object, or every pair as CSV."""
    from irgauge.present.instance_findings import findings
    from irgauge.present.instances import instance_json, instance_tables, pair_table

    terminal.show(
        form,
        output,
        lambda: [pair_table(answer)] if form == "csv" else instance_tables(answer),
        lambda: instance_json(answer),
        findings=lambda: findings(answer),
    )
