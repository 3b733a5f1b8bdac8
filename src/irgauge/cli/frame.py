"""From a study to its command: its own options, and those that every command has."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer

from irgauge.cli import terminal
from irgauge.errors import InputError
from irgauge.options import Option, help_of, options_of
from irgauge.studies.registry import Study

_RUNS = "Judgments (topic 0 docno grade), then run files, folders of runs, or glob patterns."
_OR_SCORES = f"{_RUNS} Or a table of scores instead: .parquet or .csv."
FORMS = ("table", "markdown", "latex", "csv", "json")


def command_of(study: Study) -> Callable[..., None]:
    """The function of a study's command, whose signature typer reads."""
    own = list(options_of(study.asked))

    def command(**given: Any) -> None:  # noqa: ANN401  # what typer has parsed
        run(study, own, given)

    return signed(command, [*_inputs(study), *map(parameter, own), *_shared(study)])


def signed(command: Callable[..., None], parameters: Sequence[inspect.Parameter]) -> Callable[..., None]:
    """The function with a signature of its own."""
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def _keyword(name: str, kind: object, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _inputs(study: Study) -> Iterator[inspect.Parameter]:
    metavar = "QRELS RUN..." if study.needs_runs else "QRELS RUN...|SCORES"
    told = typer.Argument(metavar=metavar, help=_RUNS if study.needs_runs else _OR_SCORES, show_default=False)
    yield _keyword("inputs", Annotated[list[str], told], inspect.Parameter.empty)


def parameter(option: Option) -> inspect.Parameter:
    """An option as typer wants it."""
    told = option.told
    flags = [option.flag, *([told.short] if told.short else [])]
    settings: dict[str, Any] = {"help": help_of(option), "metavar": told.metavar}
    if told.least is not None:
        settings["min"] = told.least
    if option.kind is bool:
        flags = [f"{option.flag}/--no-{option.flag[2:]}" if option.default else option.flag]
    return _keyword(option.name, Annotated[_typer_kind(option), typer.Option(*flags, **settings)], _default(option))


def _typer_kind(option: Option) -> Any:  # noqa: ANN401  # a type
    """The type that typer parses: text where we read it ourselves."""
    if option.told.read is not None or option.told.names is not None:
        return str | None if option.default is None else str
    kind = list[str] if is_repeatable(option) else option.kind
    return kind | None if option.default is None else kind


def is_repeatable(option: Option) -> bool:
    """Whether the option may be given several times."""
    return (
        get_origin(option.kind) in (list, tuple, Sequence)
        and get_args(option.kind)[-1:] != (str,) * 2
        and (Ellipsis in get_args(option.kind) or get_origin(option.kind) is not tuple)
    )


def _default(option: Option) -> Any:  # noqa: ANN401  # of any type
    if option.told.read is not None and not isinstance(option.default, str | None):
        joined = option.default if isinstance(option.default, tuple | list) else [option.default]
        return ",".join(map(str, joined))
    return list(option.default) if is_repeatable(option) and option.default is not None else option.default


def _shared(study: Study) -> Iterator[inspect.Parameter]:
    """What every command of a study has."""
    forms = ", ".join(FORMS)
    yield _keyword("form", Annotated[str | None, typer.Option("--format", "-f", help=f"How to print: {forms}.")], None)
    where = "Write to this file; its extension chooses the format."
    yield _keyword("output", Annotated[Path | None, typer.Option("--output", "-o", help=where)], None)
    if study.charts:
        ends = "Draw to this .html, .svg, .png or .pdf file."
        yield _keyword("chart", Annotated[Path | None, typer.Option("--chart", help=ends)], None)
        which = "; ".join(f"{name}: {seen}" for name, seen in study.charts.items())
        chart_of = typer.Option("--chart-of", help=f"What to draw. {which}. The first if not given.")
        yield _keyword("chart_of", Annotated[str | None, chart_of], None)
    bits = "Precision of scores in the order, double or single; single orders as older trec_eval does."
    yield _keyword("precision", Annotated[str, typer.Option("--precision", help=bits)], "double")
    size = "Documents in the corpus; those seen if not given."
    yield _keyword("corpus_size", Annotated[int | None, typer.Option("--corpus-size", help=size)], None)
    quiet = typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")
    yield _keyword("quiet", Annotated[bool, quiet], default=False)


def run(study: Study, own: Sequence[Option], given: dict[str, Any]) -> None:
    """Read, answer, draw, print."""
    shared = {one: given.pop(one, None) for one in ("inputs", "form", "output", "chart", "chart_of")}
    quiet, reading = given.pop("quiet"), {name: given.pop(name) for name in ("precision", "corpus_size")}
    asked = {option.name: value_of(option, given[option.name]) for option in own}
    form = terminal.form(shared["form"], shared["output"], FORMS)
    terminal.check_place(shared["output"])
    terminal.check_chart(shared["chart"], shared["chart_of"], tuple(study.charts))
    data = terminal.data(
        shared["inputs"], needs_runs=study.needs_runs, workers=asked.get("workers"), quiet=quiet, **reading
    )
    with terminal.progress(study.name, quiet=quiet) as progress:
        result = study.verb(data, **asked, progress=progress)
    if shared["chart"] is not None:
        result.chart(shared["chart_of"]).save(shared["chart"])
    terminal.show(result, form, shared["output"])


def value_of(option: Option, given: Any) -> Any:  # noqa: ANN401  # of any type
    """What an option's text on the command line means; an error names the option."""
    told = option.told
    if given is None:
        return option.default
    if told.read is not None and isinstance(given, str):
        try:
            return told.read(given)
        except InputError as error:
            raise InputError(f"{option.flag} {error}") from None
    if told.names is not None:
        from irgauge.choices import known

        return known(given, tuple(told.names()), option.flag, error=InputError)
    return tuple(given) if isinstance(given, list) else given
