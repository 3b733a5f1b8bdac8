"""The command that answers all questions on one page."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.cli.process import command_words
from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.options.fields import Option
    from irgauge.options.progress import Progress
    from irgauge.replicates.data import Data
    from irgauge.reporting.report import Report
    from irgauge.scoring.scores import Scores
    from irgauge.simulation.truth import Truth

_PAGE = Path("report.html")
_SMALL, _SMALL_FILE = "small", Path("report.zip")
_ABOUT = (
    "The page is one HTML file that needs no network. Its first screen is the answer: a sentence, a picture, some "
    "facts. Below, each question is closed to its answer and one chart; more charts, all tables, and the methods for a "
    "paper's appendix open on demand. What cannot be computed from the data is explained in its place."
)


def _make() -> Callable[..., None]:
    from irgauge.cli.frame import files, parameter, signed
    from irgauge.options.fields import options_of
    from irgauge.reporting.options import ReportOptions

    own = list(options_of(ReportOptions))

    def command(**arguments: Any) -> None:  # noqa: ANN401  # what typer has parsed
        _run(own, arguments)

    return signed(command, [files(needs_runs=False), *map(parameter, own), *_outputs()])


def _outputs() -> Iterator[inspect.Parameter]:
    """Where the page and the bundle go."""
    from irgauge.cli.frame import calling, keyword, silence

    page = typer.Option("--output", "-o", help="The page to write; report.html if there is no bundle.")
    yield keyword("output", Annotated[Path | None, page], None)
    files = (
        "Write the page, every chart, every table and results.json into this new folder; into a file NAME.zip only the "
        f"page and short results, to be mailed; {_SMALL} is {_SMALL_FILE}."
    )
    yield keyword("bundle", Annotated[Path | None, typer.Option("--bundle", help=files)], None)
    truth = "truth.json of `irgauge simulate`: say how many intervals of means hold it."
    yield keyword("truth", Annotated[str | None, typer.Option("--truth", help=truth)], None)
    yield calling()
    yield silence()


def _run(own: Sequence[Option], arguments: dict[str, Any]) -> None:
    """Read, run every study, write."""
    from irgauge.cli.frame import read_call, value_of
    from irgauge.reading.options import Limited
    from irgauge.reading.tables.named_columns import naming_columns
    from irgauge.reporting.report import report

    inputs, quiet = arguments["inputs"], arguments["quiet"]
    bundle = _SMALL_FILE if arguments["bundle"] == Path(_SMALL) else arguments["bundle"]
    target = arguments["output"] or (None if bundle else _PAGE)
    _check(target, bundle, arguments.values())
    call, truth = read_call(arguments["call"]), _truth(arguments["truth"])
    asked = {option.name: value_of(option, arguments[option.name]) for option in own}
    with Limited(max_size=asked["max_size"]).while_running(), naming_columns(asked):
        data = _data(inputs, asked)
    result = report(data, **asked, telling=_telling(quiet=quiet)).made_by(command_words())
    if call is not None:
        result.note_call(call)
    if not quiet:
        terminal.tell_notes(list(map(str, result.reporting.data.notes)))
    _write(result, target, bundle, quiet=quiet)
    if truth is not None:
        terminal.emit(_held(result, truth), None)


def _data(inputs: Sequence[str], asked: dict[str, Any]) -> Data | Scores | tuple[str, Sequence[str]]:
    """Judgments and runs, or the scores of tables, for which nothing is to be asked of their columns any more."""
    if terminal.is_table(inputs[0], is_alone=len(inputs) == 1):
        from irgauge.reading.tables.read import GivenNames
        from irgauge.replicates.needs import opened_needs
        from irgauge.scoring.scores import Scores
        from irgauge.studies.registry import said_of_tables

        told = {name: asked.pop(name) for name in said_of_tables(asked)}
        if "variants" in told:
            return opened_needs(list(inputs), missing=asked["missing"], **told)
        return Scores.of(list(inputs), GivenNames(**told))
    terminal.check_runs(inputs)
    return inputs[0], inputs[1:]


def _telling(*, quiet: bool) -> Callable[[str], AbstractContextManager[Progress | None]]:
    """What is told how far each study is."""

    def telling(study: str) -> AbstractContextManager[Progress | None]:
        return terminal.reading(quiet=quiet) if study == "reading" else terminal.progress(study, quiet=quiet)

    return telling


def _truth(path: str | None) -> Truth | None:
    from irgauge.simulation.truth import Truth

    return None if path is None else Truth.load(path)


def _held(report: Report, truth: Truth) -> str:
    """How many intervals of means hold the truth."""
    from irgauge.studies.score.study import truth_check

    held = truth_check(report.ran["score"].results[0], truth)
    of = f"{held.total} intervals of {1 - held.alpha:.0%} ({' and '.join(held.measures)})"
    return f"the truth is inside {held.inside} of {of}\n"


def _check(target: Path | None, bundle: Path | None, given: Iterable[object]) -> None:
    """Refuse before any long work what cannot be written."""
    from irgauge.show.bundle import check_bundle, is_small

    if target is not None and target.suffix.lower() not in (".html", ".htm"):
        raise InputError("a report is a page; end its name in .html", path=str(target))
    if bundle is None or is_small(bundle):
        check_places([target, bundle], given)
    else:
        check_bundle(bundle)
        check_places([target], given, folders=[bundle])


def _write(report: Report, target: Path | None, bundle: Path | None, *, quiet: bool) -> None:
    """Write the page, and the bundle if one was asked for."""
    without: Sequence[str] = ()
    if bundle is not None:
        with terminal.progress("files", quiet=quiet) as progress:
            without = report.bundle(bundle, progress=progress)
    if target is not None:
        report.save(target)
    if not quiet:
        for finding in (*report.findings()[:1], *report.page_rate()):
            terminal.tell(str(finding))
        for written in filter(None, (target, bundle)):
            terminal.tell(f"wrote {written}")
        if without:
            terminal.tell(f"not in {bundle}: {', '.join(without)}; --bundle FOLDER writes all")


COMMAND = Command(
    question="All questions on one page: which systems differ, for which population, and how precise measures are.",
    about=_ABOUT,
    example="irgauge report qrels.txt runs/ -m AP -m nDCG@10 --corpus-size 528155 -o report.html; of scores of any "
    "tool: irgauge report scores.csv -o report.html; against one system: irgauge report qrels.txt runs/ --baseline "
    "bm25 -o report.html",
    place=200,
    first=("measures", "baseline", "margin", "by", "shards", "judges", "groups", "bundle", "topics_table", "alpha"),
    make=_make,
)
