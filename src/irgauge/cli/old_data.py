"""Commands about the data: what they are, and how effective each system is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.options import (
    Alpha,
    FillOption,
    Form,
    Measures,
    Output,
    Precision,
    PrecisionOption,
    Qrels,
    Quiet,
    Runs,
    ScoreForm,
    Workers,
)
from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.simulation.collections import Design


@app.command(epilog="Example: irgauge score qrels.txt runs/ -m AP -m nDCG@10 -o scores.parquet")
def score(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = ["AP", "P@10", "nDCG@10"],  # noqa: B006  # typer copies it
    per_topic: Annotated[bool, typer.Option("--per-topic", help="The score of every topic.")] = False,
    form: Annotated[
        ScoreForm | None, typer.Option("--format", "-f", help="How to print; trec: as trec_eval -q.")
    ] = None,
    output: Output = None,
    precision: Precision = PrecisionOption.double,
    fill: FillOption = "zero",
    alpha: Alpha = 0.05,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """How effective is each system? Means over topics with standard errors and intervals.

    With -o scores.parquet the score of every topic is saved as a long table (measure, topic, system,
    replicate, score) that other tools, and irgauge, can read.
    """
    from irgauge.present import overview, tables
    from irgauge.scoring.measures import parse_measures
    from irgauge.scoring.scores import score as score_all
    from irgauge.studies.summary import summarise

    chosen = terminal.form(form, output, ScoreForm)
    measures, fill_value = parse_measures(measure), terminal.fill(fill)
    collection = terminal.load(qrels, runs, precision, workers, quiet=quiet, documents="judged")
    scores = score_all(collection, measures, workers=workers)
    if not quiet:
        terminal.tell_notes(overview.undefined_notes(scores, fill))
    if chosen == "parquet" and output is not None:
        scores.save(output)
    elif chosen == "trec":
        terminal.emit(overview.trec_lines(scores.filled(fill_value)), output)
    elif per_topic:
        undefined = int((scores.values != scores.values).sum())
        table = overview.topic_table(scores.filled(fill_value), collection.precision, fill=fill, undefined=undefined)
        terminal.emit(tables.render([table], chosen), output)
    else:
        table = overview.summary_table(summarise(scores, fill=fill_value, alpha=alpha), collection.precision)
        terminal.emit(tables.render([table], chosen), output)


@app.command(epilog="Example: irgauge check qrels.txt runs/")
def check(
    qrels: Qrels,
    runs: Runs,
    form: Annotated[Form | None, typer.Option("--format", "-f", help="How to print.")] = None,
    output: Output = None,
    precision: Precision = PrecisionOption.double,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Can these data be used? A preflight report: topics, depth, judged share, ties, suspicious runs.

    Exits with 2 when the data cannot be used as they are.
    """
    from irgauge.present import overview
    from irgauge.reading.collection import run_readers
    from irgauge.reading.trec import read_qrels
    from irgauge.studies.preflight import check as check_all

    chosen = terminal.form(form, output, Form)
    terminal.tell_of_compilation(quiet=quiet)
    with terminal.progress("reading", quiet=quiet) as progress:
        report = check_all(
            read_qrels(qrels), run_readers(runs), precision=precision.value, workers=workers, progress=progress
        )
    terminal.show(
        chosen, output, lambda: overview.preflight_tables(report), lambda: overview.preflight_json(report), main=1
    )
    if not report.usable:
        raise typer.Exit(2)


@app.command(epilog="Example: irgauge measures")
def measures(
    form: Annotated[Form | None, typer.Option("--format", "-f", help="How to print.")] = None, output: Output = None
) -> None:
    """All measures, how to write them, and what they mean."""
    from irgauge.present import overview, tables

    chosen = terminal.form(form, output, Form)
    terminal.emit(tables.render([overview.measure_table()], chosen, width=terminal.width()), output)


@app.command(
    epilog="Example: irgauge simulate -o demo --systems 20 --equal 2 --seed 1; "
    "with random systems: irgauge simulate -o random --instances 10 --depth 100"
)
def simulate(
    context: typer.Context,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write: qrels.txt, runs/, truth.json.")],
    systems: Annotated[int, typer.Option(help="Systems.")] = 20,
    families: Annotated[int, typer.Option(help="Families of related systems.")] = 5,
    topics: Annotated[int, typer.Option(help="Topics.")] = 50,
    depth: Annotated[int, typer.Option(help="Documents that a system retrieves at most.")] = 1000,
    corpus_size: Annotated[int, typer.Option(help="Documents in the corpus.")] = 50_000,
    equal: Annotated[int, typer.Option(help="So many systems have exactly the same true effectiveness.")] = 0,
    instances: Annotated[
        int | None,
        typer.Option(help="Random systems instead: one exhaustive search, and so many instances of each that samples."),
    ] = None,
    truth_topics: Annotated[int, typer.Option(help="Fresh topics over which the true means are taken.")] = 2000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Make a synthetic collection whose truth is known: qrels, runs and truth.json.

    Systems come in related families, topics differ in difficulty and in their number of relevant
    documents, judgments are graded, scores have ties. truth.json holds the true mean of each measure.

    With --instances the systems are one exhaustive search, which is deterministic, and searches that sample 0.1, 0.5,
    1 and 4 % of the corpus, each with so many instances. manifest.txt says which run is an instance of which, and
    truth.json holds the true means and variance components.
    """
    from irgauge.simulation.collections import Design
    from irgauge.simulation.collections import simulate as simulate_all
    from irgauge.simulation.truth import true_means

    if instances is not None:
        _refuse_beside_instances(context, ("systems", "families", "equal"))
        exhaustive = Design(systems=1, families=1, topics=topics, depth=depth, corpus_size=corpus_size, seed=seed)
        _simulate_instances(output, instances, exhaustive, truth_topics, workers, quiet=quiet)
        return
    design = Design(
        systems=systems,
        families=families,
        topics=topics,
        depth=depth,
        corpus_size=corpus_size,
        equal=equal,
        seed=seed,
    )
    terminal.tell_of_compilation(quiet=quiet)
    simulation = simulate_all(design, workers=workers)
    with terminal.progress("true means", quiet=quiet) as progress:
        truth = true_means(design, topics=truth_topics, workers=workers, progress=progress)
    simulation.write(output)
    truth.save(output / "truth.json")
    if not quiet:
        terminal.tell(
            f"wrote {output}: {systems} systems on {topics} topics, with their truth over {truth_topics} others"
        )


def _refuse_beside_instances(context: typer.Context, names: Sequence[str]) -> None:
    """Refuse options that say nothing of instances, rather than ignore them."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            message = f"--{name} cannot stand beside --instances, which makes systems of its own; remove one of the two"
            raise InputError(message)


def _simulate_instances(
    output: Path, instances: int, exhaustive: Design, truth_topics: int, workers: int | None, *, quiet: bool
) -> None:
    """Write runs of random systems with their manifest and their truth."""
    from irgauge.simulation.instances import InstanceDesign, simulate_instances, true_instances

    design = InstanceDesign(instances=instances, collection=exhaustive)
    terminal.tell_of_compilation(quiet=quiet)
    simulation = simulate_instances(design, workers=workers)
    with terminal.progress("true means", quiet=quiet) as progress:
        truth = true_instances(design, topics=truth_topics, workers=workers, progress=progress)
    simulation.write(output)
    truth.save(output / "truth.json")
    if not quiet:
        terminal.tell(
            f"wrote {output}: {len(design.runs)} runs of {len(design.algorithms)} algorithms on {exhaustive.topics} "
            f"topics, with their manifest, and their truth over {truth_topics} others"
        )
