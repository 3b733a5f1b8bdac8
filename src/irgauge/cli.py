"""The command line: parse, one call, print. The only module that prints or exits."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.errors import DesignError, InputError

if TYPE_CHECKING:
    from irgauge.collection import Collection, Progress
    from irgauge.scores import Fill

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A gauge for information-retrieval experiments: which differences between systems are real, how sure one "
    "can be, and what the claim covers.",
    epilog="Start with: irgauge check QRELS RUNS, then irgauge score QRELS RUNS -m AP -m nDCG@10",
)


class Form(StrEnum):
    """How results are printed."""

    table = "table"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"


class ScoreForm(StrEnum):
    """How scores are printed; trec: the lines of trec_eval -q."""

    table = "table"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"
    trec = "trec"
    parquet = "parquet"


class PrecisionOption(StrEnum):
    """Bits of scores when documents are put in order."""

    double = "double"
    single = "single"


_EXTENSIONS = {
    ".txt": "table",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".trec": "trec",
    ".parquet": "parquet",
}

Qrels = Annotated[str, typer.Argument(metavar="QRELS", help="Judgments: topic 0 docno grade. Plain or compressed.")]
Runs = Annotated[list[str], typer.Argument(metavar="RUN...", help="Run files, folders of runs, or glob patterns.")]
Measures = Annotated[
    list[str], typer.Option("--measure", "-m", help="A measure, such as AP, nDCG@10 or map; repeatable.")
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file; its extension chooses the format.")
]
Precision = Annotated[
    PrecisionOption, typer.Option(help="Precision of scores in the order; single orders as older trec_eval does.")
]
FillOption = Annotated[
    str, typer.Option("--fill", help="Value of undefined scores: zero, lq, med, mean, uq, one or a number.")
]
Alpha = Annotated[float, typer.Option(help="Intervals have confidence 1 − alpha.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Threads; all cores if not given.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")]


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # typer's interface
    if wanted:
        from importlib.metadata import version

        print(version("irgauge"))  # noqa: T201  # this module prints
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options before any command."""


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
    from irgauge.measures import parse_measures
    from irgauge.present import overview, tables
    from irgauge.scores import score as score_all
    from irgauge.studies.summary import summarise

    chosen = _form(form, output, ScoreForm)
    measures, fill_value = parse_measures(measure), _fill(fill)
    collection = _load(qrels, runs, precision, workers, quiet=quiet)
    scores = score_all(collection, measures, workers=workers)
    if chosen == "parquet":
        scores.save(_file(output))
    elif chosen == "trec":
        _emit(overview.trec_lines(scores.filled(fill_value)), output)
    elif per_topic:
        undefined = int((scores.values != scores.values).sum())
        table = overview.topic_table(scores.filled(fill_value), collection.precision, fill=fill, undefined=undefined)
        _emit(tables.render([table], chosen), output)
    else:
        table = overview.summary_table(summarise(scores, fill=fill_value, alpha=alpha), collection.precision)
        _emit(tables.render([table], chosen), output)


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
    from irgauge.collection import run_readers
    from irgauge.present import overview, tables
    from irgauge.studies.preflight import check as check_all
    from irgauge.trec import read_qrels

    chosen = _form(form, output, Form)
    _tell_of_compilation(quiet=quiet)
    with _progress("reading", quiet=quiet) as progress:
        report = check_all(
            read_qrels(qrels), run_readers(runs), precision=precision.value, workers=workers, progress=progress
        )
    if chosen == "json":
        _emit(tables.to_json(asdict(report) | {"usable": report.usable}), output)
    else:
        _emit(tables.render(overview.preflight_tables(report), chosen, width=_width()), output)
    if not report.usable:
        raise typer.Exit(2)


@app.command(epilog="Example: irgauge measures")
def measures(
    form: Annotated[Form | None, typer.Option("--format", "-f", help="How to print.")] = None, output: Output = None
) -> None:
    """All measures, how to write them, and what they mean."""
    from irgauge.present import overview, tables

    chosen = _form(form, output, Form)
    _emit(tables.render([overview.measure_table()], chosen, width=_width()), output)


@app.command(epilog="Example: irgauge simulate -o demo --systems 20 --equal 2 --seed 1")
def simulate(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write: qrels.txt, runs/, truth.json.")],
    systems: Annotated[int, typer.Option(help="Systems.")] = 20,
    families: Annotated[int, typer.Option(help="Families of related systems.")] = 5,
    topics: Annotated[int, typer.Option(help="Topics.")] = 50,
    depth: Annotated[int, typer.Option(help="Documents that a system retrieves at most.")] = 1000,
    corpus_size: Annotated[int, typer.Option(help="Documents in the corpus.")] = 50_000,
    equal: Annotated[int, typer.Option(help="So many systems have exactly the same true effectiveness.")] = 0,
    truth_topics: Annotated[int, typer.Option(help="Fresh topics over which the true means are taken.")] = 2000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Make a synthetic collection whose truth is known: qrels, runs and truth.json.

    Systems come in related families, topics differ in difficulty and in their number of relevant
    documents, judgments are graded, scores have ties. truth.json holds the true mean of each measure.
    """
    from irgauge.simulate import Design
    from irgauge.simulate import simulate as simulate_all
    from irgauge.truth import true_means

    design = Design(
        systems=systems,
        families=families,
        topics=topics,
        depth=depth,
        corpus_size=corpus_size,
        equal=equal,
        seed=seed,
    )
    _tell_of_compilation(quiet=quiet)
    simulation = simulate_all(design, workers=workers)
    with _progress("true means", quiet=quiet) as progress:
        truth = true_means(design, topics=truth_topics, workers=workers, progress=progress)
    simulation.write(output)
    truth.save(output / "truth.json")
    if not quiet:
        _tell(f"wrote {output}: {systems} systems on {topics} topics, with their truth over {truth_topics} others")


def _load(
    qrels: str, runs: Sequence[str], precision: PrecisionOption, workers: int | None, *, quiet: bool
) -> Collection:
    from irgauge.collection import load

    _tell_of_compilation(quiet=quiet)
    with _progress("reading", quiet=quiet) as progress:
        collection = load(
            qrels, runs, precision=precision.value, documents="judged", workers=workers, progress=progress
        )
    if not quiet:
        _tell_notes(collection.notes)
    return collection


def _tell_notes(notes: Sequence[str]) -> None:
    shown = 5
    for note in notes[:shown]:
        _tell(f"note: {note}")
    if len(notes) > shown:
        _tell(f"note: ... and {len(notes) - shown} more; `irgauge check` shows them all")


def _tell(message: str) -> None:
    print(message, file=sys.stderr)  # noqa: T201  # this module prints


def _tell_of_compilation(*, quiet: bool) -> None:
    from irgauge.jit import on_first_compilation

    if not quiet:
        on_first_compilation(lambda: _tell("compiling for the first use; this takes some seconds, once"))


@contextmanager
def _progress(description: str, *, quiet: bool) -> Iterator[Progress | None]:
    """A progress bar on stderr where that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(description), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _form(given: StrEnum | None, output: Path | None, forms: type[StrEnum]) -> str:
    """The format: as given, by the file's extension, or a table."""
    allowed = [form.value for form in forms]
    if given is None and output is not None:
        named = _EXTENSIONS.get(output.suffix.lower())
        if named not in allowed:
            known = ", ".join(extension for extension, form in _EXTENSIONS.items() if form in allowed)
            raise InputError(f"no format is known for the extension '{output.suffix}'; use {known}", path=str(output))
        return named
    if given == "parquet" and output is None:
        raise InputError("Parquet is not printed; name a file with -o scores.parquet")
    return "table" if given is None else given.value


def _file(output: Path | None) -> Path:
    if output is None:
        raise InputError("name a file with -o")
    return output


def _fill(text: str) -> Fill:
    """A fill by its name, or a number."""
    if text in ("zero", "lq", "med", "mean", "uq", "one"):
        return text  # type: ignore[return-value]  # one of the names
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--fill '{text}' is unknown; it is zero, lq, med, mean, uq, one or a number") from None


def _width() -> int:
    """Columns for tables with long texts: those of the terminal, or 100."""
    return shutil.get_terminal_size((100, 24)).columns


def _emit(text: str, output: Path | None) -> None:
    """Print a result, or write it to a file, whole or not at all."""
    if output is None:
        sys.stdout.write(text)
        return
    from irgauge.files import replacing

    with replacing(output) as temporary:
        temporary.write_text(text, encoding="utf-8")


def main() -> None:
    """Run the command line: exit 0, or 2 for bad input."""
    _exit_on(app)


def _exit_on(command: Callable[[], Any]) -> None:
    try:
        command()
    except (InputError, DesignError) as error:
        _tell(f"irgauge: {error}")
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what reads our output has had enough
        sys.exit(0)
