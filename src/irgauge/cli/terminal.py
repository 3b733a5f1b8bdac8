"""What commands do alike: read, tell, show progress and compiling, print and write."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irgauge.cli.places import check_places
from irgauge.cli.process import replace_unknown_signs
from irgauge.errors import ExtensionWarning, InputError
from irgauge.visible import encodable, visible

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from irgauge.options.progress import Progress
    from irgauge.reading.collection import Collection
    from irgauge.reading.options import Documents
    from irgauge.show.table import Table
    from irgauge.studies.result import Result

_EXTENSIONS = {
    ".txt": "table",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".trec": "trec",
    ".parquet": "parquet",
}

_FIRST_USE = "compiling for the first use; each command takes a few seconds more, once"
_UNKEPT = (
    "compiled code cannot be kept ({}), so that every command compiles again; set NUMBA_CACHE_DIR to a folder that "
    "only you can write"
)
_CLEAR = "\r\x1b[K"  # the line, on every terminal that shows bars
_TABLES = (".parquet", ".csv", ".tsv")
_BINARY = ("parquet",)  # formats that are not text
_ALWAYS = ("missing", "missing-decides")  # warnings that are said even when quiet


class _Process:
    is_ours = False  # whether the process runs one command and nothing else


_process = _Process()


def claim_process() -> None:
    """Say that this process runs one command and nothing else: its libraries and streams may be set up for that."""
    _process.is_ours = True
    replace_unknown_signs()
    _tell_extension_warnings()


def _tell_extension_warnings() -> None:
    """Say what is wrong with packages that add to irgauge as all else is said; other warnings stay Python's."""
    show = warnings.showwarning

    def shown(message: Warning | str, category: type[Warning], *place: Any) -> None:  # noqa: ANN401  # Python's
        if issubclass(category, ExtensionWarning):
            tell(f"warning: {message}")
        else:
            show(message, category, *place)

    warnings.showwarning = shown  # type: ignore[assignment]  # with any of its arguments


def data(
    inputs: Sequence[str],
    *,
    read_tables: Callable[..., Any] | None,
    without_runs: str,
    reads: Mapping[str, Any],
    documents: Documents = "all",
    workers: int | None = None,
    quiet: bool = False,
) -> Any:  # noqa: ANN401  # a collection, or what the tables are read as
    """What the arguments of a command name: judgments and runs, or tables of scores where these can be read.

    The first tells: where it is a table of scores, all are.
    """
    if is_table(inputs[0], is_alone=len(inputs) == 1):
        if read_tables is None:
            raise InputError(without_runs, path=inputs[0])
        _check_table(reads)
        tell_of_compilation(quiet=quiet)
        return read_tables(inputs, missing=reads["missing"])
    check_runs(inputs, "" if read_tables is None else "; this is not a table of scores")
    _check_no_tables(inputs)
    return load(inputs[0], inputs[1:], reads, documents=documents, workers=workers, quiet=quiet)


def _check_no_tables(inputs: Sequence[str]) -> None:
    """Refuse tables of scores among runs."""
    for path in inputs[1:]:
        if path.lower().removesuffix(".gz").endswith(_TABLES) and is_table(path):
            message = f"this is a table of scores, and {inputs[0]} is not"
            raise InputError(f"{message}; name judgments and runs, or tables alone", path=path)


def _check_table(options: Mapping[str, Any]) -> None:
    """Refuse with a table of scores what is said of runs."""
    from irgauge.options.fields import refuse
    from irgauge.reading.options import ReadsCorpus

    of_runs = [name for name in options if name != "missing"]
    reason = "runs, and a table of scores was given; leave it out, or name the runs"
    refuse(ReadsCorpus(**options), of_runs, reason, lambda name: f"--{name.replace('_', '-')}")


def check_runs(inputs: Sequence[str], hint: str = "") -> None:
    """Refuse judgments without runs."""
    if len(inputs) < 2:
        raise InputError(f"name the runs after the judgments, such as qrels.txt runs/{hint}", path=inputs[0])


def is_table(path: str, *, is_alone: bool = True) -> bool:
    """Whether a file, or what a folder holds, is a table of scores; judgments do not come alone."""
    from irgauge.reading.tables.looks import are_scores
    from irgauge.scoring.scores import is_measure

    return are_scores(path, is_measure, is_alone=is_alone)


def load(
    qrels: str,
    runs: Sequence[str],
    reads: Mapping[str, Any],
    *,
    documents: Documents = "all",
    workers: int | None,
    quiet: bool,
) -> Collection:
    """Read and join as the options of reading say, with progress and notes on stderr."""
    from irgauge.reading.collection import load as loaded

    with reading(quiet=quiet) as bar:
        collection = loaded(qrels, list(runs), **reads, documents=documents, workers=workers, progress=bar, warn=False)
    if not quiet:
        tell_notes(list(map(str, collection.notes)))
    return collection


@contextmanager
def reading(*, quiet: bool) -> Iterator[Progress | None]:
    """Set up for the long work that begins with reading; what is told how far that is."""
    from irgauge.compute.compilation import on_first_compilation
    from irgauge.compute.jit import prepare_process

    if _process.is_ours:
        on_first_compilation(prepare_process)
    tell_of_compilation(quiet=quiet)
    with progress("reading", quiet=quiet) as bar:
        yield bar


def tell_notes(notes: Sequence[str]) -> None:
    """Say what a reader of the results should know of the data; the first notes where there are many."""
    shown = 5
    for note in notes[:shown]:
        tell(f"note: {note}")
    if len(notes) > shown:
        tell(f"note: ... and {len(notes) - shown} more; `irgauge check` shows them all")


def tell(message: str) -> None:
    """Say something that is not the result; names in it command no terminal."""
    with suppress(BrokenPipeError):
        print(visible(message, keep="\n"), file=sys.stderr)  # noqa: T201  # this module prints


def tell_of_compilation(*, quiet: bool) -> None:
    """Say so when something is compiled for the first time on this machine: once, and not again by each command."""
    from irgauge.compute.compilation import on_compilation, on_first_compilation, on_trouble

    if not quiet:
        on_first_compilation(_tell_of_first_use)
        on_compilation(show_compiling)
        on_trouble(lambda reason: tell(f"note: {_UNKEPT.format(reason)}"))


def _tell_of_first_use() -> None:
    from irgauge.compute.jit_cache import is_first_use

    if is_first_use():
        tell(_FIRST_USE)


class _Compiling:
    functions = 0  # that were compiled so far, or are being
    is_under_way = False


_compiling = _Compiling()


def compiling_text() -> str:
    """What is being compiled; empty where nothing is."""
    return f"compiling function {_compiling.functions}" if _compiling.is_under_way else ""


def show_compiling(functions: int, *, is_under_way: bool) -> None:
    """Take note of it, and say it on the line of a terminal unless that line has a bar."""
    _compiling.functions, _compiling.is_under_way = functions, is_under_way
    line = sys.__stderr__
    if line is not None and line is sys.stderr and line.isatty():  # a bar puts a stream of its own there
        with suppress(OSError):
            line.write(f"{_CLEAR}{compiling_text()}")
            line.flush()


def compiling_column() -> ProgressColumn:
    """The part of a bar that tells of compiling."""
    from rich.progress import ProgressColumn
    from rich.text import Text

    class Column(ProgressColumn):
        def render(self, task: object) -> Text:  # noqa: ARG002  # rich's interface
            return Text(compiling_text())

    return Column()


@contextmanager
def progress(description: str, *, quiet: bool, unit: str = "") -> Iterator[Progress | None]:
    """A progress bar on stderr where that is a terminal; how many a second is told in this unit.

    What has a total of 0 does not know how much there is.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    counts = (TextColumn(description), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    columns = (*counts, TimeRemainingColumn(), compiling_column())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, rate="")

        def tell_done(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None, rate=_rate(done, bar.tasks[0].elapsed, unit))

        yield tell_done


@contextmanager
def steps(total: int, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A progress bar on stderr, where that is a terminal, that is told the name of each of so many steps."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    counts = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    columns = (*counts, compiling_column())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=-1)
        yield lambda name: bar.update(task, advance=1, description=name)


def _rate(done: int, seconds: float | None, unit: str) -> str:
    return f"{done / seconds:,.0f} {unit}/s" if unit and seconds else ""


def form(form_name: str | None, output: Path | None, forms: Sequence[str], usual: str = "table") -> str:
    """The format: as given, by the file's extension, or the usual one."""
    if form_name is not None:
        from irgauge.choices import known

        chosen = known(form_name, forms, "format", error=InputError)
        if chosen in _BINARY and output is None:
            raise InputError(f"{chosen} cannot be printed; name a file with -o, such as -o scores.{chosen}")
        return chosen
    if output is None:
        return usual
    named = _EXTENSIONS.get(output.suffix.lower())
    if named is None or named not in forms:
        allowed = ", ".join(extension for extension, form in _EXTENSIONS.items() if form in forms)
        raise InputError(f"no format is known for the extension '{output.suffix}'; use {allowed}", path=str(output))
    return named


def show(result: Result, form: str, output: Path | None, *, table: str | None = None, quiet: bool = False) -> None:
    """Print or write a result: as findings and tables, as a JSON object, as the CSV of its main table, or one table.

    What holds no findings has its warnings on stderr; that topics are missing, and what it decides, even when quiet.
    """
    from irgauge.show.saving import WITHOUT_FINDINGS, content_of

    if form in WITHOUT_FINDINGS or table is not None:
        for warning in (finding for finding in result.findings() if finding.tone == "warning"):
            if warning.kind in _ALWAYS or not quiet:
                tell(f"warning: {warning}")
    if table is not None:
        _write_table(result.table(table), form, output)
        return
    if form != "table":
        emit(content_of(result, form), output, is_data=form != "line")
        return
    from irgauge.show.document import Look, render

    look = Look(bold, _yellow, _dim) if output is None and has_colours() else Look()
    parts = result.findings(), result.tables(), result.provenance
    emit(render(*parts, "text", width=width(), more=_more, look=look, nouns=result.nouns), output)


def has_colours() -> bool:
    """Whether what is printed is seen in a terminal that shows colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def bold(line: str) -> str:
    """In bold, on a terminal that shows it."""
    return f"\033[1m{line}\033[0m"


def _yellow(line: str) -> str:
    return f"\033[33m{line}\033[0m"


def _dim(line: str) -> str:
    return f"\033[2m{line}\033[0m"


def show_table(table: Table, form_name: str | None, output: Path | None) -> None:
    """Print or write a table that is no result of a study, in one of the forms that are text."""
    chosen = table_form(form_name, output)
    check_places([output])
    _write_table(table, chosen, output)


def table_form(form_name: str | None, output: Path | None = None) -> str:
    """The form of a table that is no result of a study."""
    from irgauge.show.table import FORMS

    return form(form_name, output, ("table", *FORMS, "json"))


def _write_table(table: Table, form: str, output: Path | None) -> None:
    from irgauge.show.saving import to_json
    from irgauge.show.table import FORMS

    if form == "table":
        emit(table.to_text(width=width()), output)
    else:
        emit(to_json(table.records()) if form == "json" else FORMS[form](table), output, is_data=True)


def _more(table: Table) -> str:
    """How to get all rows of a long table."""
    return f"-o {table.name}.csv" if table.is_main else f"--table {table.name} -o {table.name}.csv"


def width() -> int:
    """Columns for tables with long texts: those of the terminal, or 100."""
    return shutil.get_terminal_size((100, 24)).columns


def discard_output() -> None:
    """What reads our output has had enough; the command goes on, and its exit code stays what it is."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(text: str, *, is_data: bool) -> None:
    if is_data and not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(encodable(text).encode())
    else:
        sys.stdout.write(visible(text, keep="\n\t") if is_data else text)
    sys.stdout.flush()


def emit(content: str | bytes, output: Path | None, *, is_data: bool = False) -> None:
    """Print a result, or write it to a file, whole or not at all.

    Data are for programs: these get them as files hold them, in UTF-8, and a terminal without signs that command it.
    """
    if output is None:
        try:
            _print(content if isinstance(content, str) else content.decode(), is_data=is_data)
        except BrokenPipeError:
            discard_output()
        except OSError as error:
            raise InputError(f"the result cannot be printed ({error.strerror})") from None
        return
    from irgauge.files.writing import write

    write(output, content)
