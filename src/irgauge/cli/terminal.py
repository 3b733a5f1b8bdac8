"""What commands do alike: read, tell, show progress, print and write."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irgauge.cli.options import PrecisionOption
from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.present.tables import Table
    from irgauge.reading.collection import Collection, Documents, Progress
    from irgauge.scoring.scores import Fill

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


class _Process:
    is_ours = False  # whether the process runs one command and nothing else


_process = _Process()


def claim_process() -> None:
    """Say that this process runs one command and nothing else, so that shared libraries may be set up for it."""
    _process.is_ours = True


def load(
    qrels: str,
    runs: Sequence[str],
    precision: PrecisionOption,
    workers: int | None,
    *,
    quiet: bool,
    documents: Documents = "all",
    corpus_size: int | None = None,
) -> Collection:
    """Read and join, with progress and notes on stderr."""
    from irgauge.reading.collection import load as load_collection

    with reading(quiet=quiet) as told:
        collection = load_collection(
            qrels,
            runs,
            precision=precision.value,
            corpus_size=corpus_size,
            documents=documents,
            workers=workers,
            progress=told,
        )
    if not quiet:
        tell_notes(collection.notes)
    return collection


@contextmanager
def reading(*, quiet: bool) -> Iterator[Progress | None]:
    """Set up for the long work that begins with reading; what is told how far that is."""
    from irgauge.jit import forgo_blas

    if _process.is_ours:
        forgo_blas()
    tell_of_compilation(quiet=quiet)
    with progress("reading", quiet=quiet) as told:
        yield told


def tell_notes(notes: Sequence[str]) -> None:
    """Say what a reader of the results should know of the data; the first notes where there are many."""
    shown = 5
    for note in notes[:shown]:
        tell(f"note: {note}")
    if len(notes) > shown:
        tell(f"note: ... and {len(notes) - shown} more; `irgauge check` shows them all")


def tell(message: str) -> None:
    """Say something that is not the result."""
    print(message, file=sys.stderr)  # noqa: T201  # this module prints


def tell_of_compilation(*, quiet: bool) -> None:
    """Say so when the first use of something compiles it."""
    from irgauge.jit import on_first_compilation

    if not quiet:
        on_first_compilation(lambda: tell("compiling for the first use; this takes some seconds, once"))


@contextmanager
def progress(description: str, *, quiet: bool, unit: str = "") -> Iterator[Progress | None]:
    """A progress bar on stderr where that is a terminal; how many a second is told in this unit."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(description), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, rate="")

        def tell_done(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, rate=_rate(done, bar.tasks[0].elapsed, unit))

        yield tell_done


@contextmanager
def steps(total: int, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A progress bar on stderr, where that is a terminal, that is told the name of each of so many steps."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=-1)
        yield lambda name: bar.update(task, advance=1, description=name)


def _rate(done: int, seconds: float | None, unit: str) -> str:
    return f"{done / seconds:,.0f} {unit}/s" if unit and seconds else ""


def form(given: StrEnum | None, output: Path | None, forms: type[StrEnum]) -> str:
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


def fill(text: str) -> Fill:
    """A fill by its name, or a number."""
    if text in ("zero", "lq", "med", "mean", "uq", "one"):
        return text  # type: ignore[return-value]  # one of the names
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"--fill '{text}' is unknown; it is zero, lq, med, mean, uq, one or a number")
    return value


def undefined(text: str) -> Fill | str:
    """A fill, or what avoids undefined scores."""
    return text if text in ("drop", "resample") else fill(text)


def numbers(text: str) -> list[int]:
    """Whole numbers, such as 2,5,10."""
    if not all(part.strip().isdigit() for part in text.split(",")):
        raise InputError(f"'{text}' are not whole numbers; write them like 2,5,10")
    return [int(part) for part in text.split(",")]


def check_chart(path: Path | None, of: str | None, names: Sequence[str]) -> None:
    """Refuse before any long work what cannot be drawn."""
    if path is None:
        if of is not None:
            raise InputError(f"--chart-of {of} needs a file to draw to; name it with --chart {of}.html")
        return
    from irgauge.present import gallery

    gallery.check(path, of, names)


def draw(path: Path, make: Callable[[Any], Any]) -> None:
    """Draw a chart to a file."""
    from irgauge.present import charts, gallery

    charts.save(make(gallery), path)


def show(
    form: str,
    output: Path | None,
    tables_of: Callable[[], Sequence[Table]],
    object_of: Callable[[], object],
    *,
    main: int = 0,
    findings: Callable[[], Sequence[str]] = tuple,
) -> None:
    """Print or write a result: as findings and tables, as a JSON object, or as the CSV of its main table."""
    from irgauge.present import sentences, tables

    if form == "json":
        emit(tables.to_json(object_of()), output)
    elif form == "csv":
        emit(tables.to_csv(tables_of()[main]), output)
    else:
        lead = [sentences.render(told, form, width=width())] if (told := findings()) else []
        emit("\n".join([*lead, tables.render(tables_of(), form, width=width())]), output)


def width() -> int:
    """Columns for tables with long texts: those of the terminal, or 100."""
    return shutil.get_terminal_size((100, 24)).columns


def check_place(output: Path | None) -> None:
    """Refuse before any long work a file that has no folder to be in."""
    if output is not None and not output.absolute().parent.is_dir():
        raise InputError("the folder of this file does not exist; make it, or choose another place", path=str(output))


def emit(text: str, output: Path | None) -> None:
    """Print a result, or write it to a file, whole or not at all."""
    if output is None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(f"the result cannot be printed ({error.strerror})") from None
        return
    from irgauge.files import replacing

    with replacing(output) as temporary:
        temporary.write_text(text, encoding="utf-8")
