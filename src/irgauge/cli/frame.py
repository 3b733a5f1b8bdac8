"""From a study to its command: its own options, and those that every command has."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from irgauge.cli import terminal
from irgauge.cli.completing import completer_of, offering
from irgauge.cli.help import examples
from irgauge.cli.left_out import left_out
from irgauge.cli.places import check_places
from irgauge.cli.process import command_words
from irgauge.cli.starting import starting
from irgauge.errors import InputError
from irgauge.files.made import noting_files
from irgauge.options.fields import Option, checked, help_of, options_of
from irgauge.reading.options import Limited, Reads, ReadsCorpus, ReadsNothing
from irgauge.studies.registry import Study, said_of_tables

if TYPE_CHECKING:
    from irgauge.studies.result import Result

RUNS = "Judgments (topic 0 docno grade), then run files, folders of runs, or glob patterns."
_OR_SCORES = f"{RUNS} Or tables of scores instead, long or wide: CSV, TSV, JSON, Parquet, lines of trec_eval -q."
FORMS = ("table", "markdown", "latex", "csv", "json", "parquet")
_OF_LAYOUTS = ("table", "markdown", "latex")  # formats of tables that are made for readers
_OF_TABLES = (*_OF_LAYOUTS, "csv", "json")  # of any table


def command_of(study: Study) -> Callable[..., None]:
    """The function of a study's command, whose signature typer reads."""
    shared = {option.name for option in [*options_of(reads(study)), *options_of(Limited)]}
    own = [option for option in options_of(study.options) if option.name not in shared]

    def command(**arguments: Any) -> None:  # noqa: ANN401  # what typer has parsed
        limits = {option.name: value_of(option, arguments.pop(option.name)) for option in options_of(Limited)}
        with Limited(**limits).while_running():
            run(study, own, arguments)

    inputs = files(needs_runs=study.needs_runs, names=study.reads, instead=study.instead_of_data, told=study.reads_told)
    return signed(command, [inputs, *map(parameter, own), *_shared(study)])


def signed(command: Callable[..., None], parameters: Sequence[inspect.Parameter]) -> Callable[..., None]:
    """The function with a signature of its own."""
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def keyword(name: str, kind: object, default: object) -> inspect.Parameter:
    """A parameter of a command."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def files(
    *, needs_runs: bool = True, names: Sequence[str] = (), instead: str = "", told: str = ""
) -> inspect.Parameter:
    """The judgments and runs that a command reads, under their usual names or others, or a table of scores.

    `instead` is the option of which there may be none with; `told` says what files are that are none of these.
    """
    metavar = " ".join(names) or ("QRELS RUN..." if needs_runs else "QRELS RUN...|SCORES")
    more = f" Or nothing, with --{instead}." if instead else ""
    text = told or (RUNS if needs_runs else _OR_SCORES)
    argument = typer.Argument(metavar=metavar, help=f"{text}{more}", show_default=False)
    kind = list[str] | None if instead else list[str]  # click before 8.3 takes no default of many values but None
    return keyword("inputs", Annotated[kind, argument], None if instead else inspect.Parameter.empty)


def parameter(option: Option) -> inspect.Parameter:
    """An option as typer wants it."""
    spec = option.help
    flags = [option.flag, *([spec.short] if spec.short else [])]
    settings: dict[str, Any] = {"help": help_of(option), "metavar": spec.metavar}
    settings["autocompletion"] = completer_of(option)
    if spec.least is not None:
        settings["min"] = spec.least
    if spec.most is not None:
        settings["max"] = spec.most
    if option.kind is bool:
        flags = [f"{option.flag}/--no-{option.flag[2:]}" if option.default else option.flag]
    return keyword(option.name, Annotated[_typer_kind(option), typer.Option(*flags, **settings)], _default(option))


def _typer_kind(option: Option) -> Any:  # noqa: ANN401  # a type
    """The type that typer parses: text where we read it ourselves."""
    if option.help.read is not None or option.help.names is not None or get_origin(option.kind) is Literal:
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
    if option.help.read is not None and not isinstance(option.default, str | None):
        joined = option.default if isinstance(option.default, tuple | list) else [option.default]
        return ",".join(map(str, joined))
    return list(option.default) if is_repeatable(option) and option.default is not None else option.default


def forms_of(study: Study) -> tuple[str, ...]:
    """The formats of a study: those of all, and its own."""
    return tuple(dict.fromkeys((*FORMS, *study.forms)))


def _shared(study: Study) -> Iterator[inspect.Parameter]:
    """What every command of a study has."""
    own = "".join(f" {name}: {meaning}." for name, meaning in study.forms.items())
    yield from printing(f"{', '.join(forms_of(study))}.{own}", forms_of(study))
    which = "".join(f" {name}: {meaning}." for name, meaning in study.layouts.items())
    told = f"Print or write this table alone, by its name: {', '.join(_OF_TABLES)}.{which}"
    yield calling()
    table = typer.Option("--table", help=told, autocompletion=offering(study.layouts), metavar="NAME")
    yield keyword("table", Annotated[str | None, table], None)
    if study.charts:
        yield drawing()
        which = "; ".join(f"{name}: {seen}" for name, seen in study.charts.items())
        told = f"What to draw. {which}. The first if not given."
        chart_of = typer.Option("--chart-of", help=told, autocompletion=offering(study.charts))
        yield keyword("chart_of", Annotated[str | None, chart_of], None)
    for name, text in study.pages.items():
        yield keyword(name, Annotated[Path | None, typer.Option(f"--{name}", help=text)], None)
    yield from map(parameter, [*options_of(reads(study)), *options_of(Limited)])
    if study.starter:
        yield starting(study)
    yield silence(" and, where a form has no room for them, missing topics")


def reads(study: Study) -> type:
    """The options of how the runs of a study are read."""
    if not study.reads_runs:
        return ReadsNothing
    return Reads if study.documents == "judged" else ReadsCorpus


def printing(told: str = f"{', '.join(FORMS[:-1])}.", forms: Sequence[str] = FORMS[:-1]) -> Iterator[inspect.Parameter]:
    """How, and to which file, a result is printed."""
    how = typer.Option("--format", "-f", help=f"How to print: {told}", autocompletion=offering(forms))
    yield keyword("form", Annotated[str | None, how], None)
    where = "Write to this file; its extension chooses the format."
    yield keyword("output", Annotated[Path | None, typer.Option("--output", "-o", help=where)], None)


def calling() -> inspect.Parameter:
    """What people read instead of topics."""
    told = "What to call topics where people read: a plural, such as questions. Data for programs stay as they are."
    return keyword("call", Annotated[str | None, typer.Option("--call", metavar="NOUNS", help=told)], None)


def read_call(text: str | None) -> str | None:
    """The noun that was asked for; none where it was not."""
    from irgauge.nouns import read_noun

    try:
        return None if text is None else read_noun(text)
    except InputError as error:
        raise InputError(f"--call {error}") from None


def drawing() -> inspect.Parameter:
    """Where a chart goes."""
    ends = "Draw to this .html, .svg, .png or .pdf file."
    return keyword("chart", Annotated[Path | None, typer.Option("--chart", help=ends)], None)


def silence(besides: str = "") -> inspect.Parameter:
    """Whether anything but errors, and what is told besides, is left out."""
    quiet = typer.Option("--quiet", "-q", help=f"Nothing on stderr but errors{besides}.")
    return keyword("quiet", Annotated[bool, quiet], default=False)


def command_asking(
    asked: type, run: Callable[..., None], before: Iterable[inspect.Parameter], after: Iterable[inspect.Parameter]
) -> Callable[..., None]:
    """A command that is no study: `run` is given the options that a dataclass declares, and the other parameters."""
    own = list(options_of(asked))

    def command(**arguments: Any) -> None:  # noqa: ANN401  # what typer has parsed
        values = {option.name: value_of(option, arguments.pop(option.name)) for option in own}
        checked(asked(**values))
        run(values, **arguments)

    return signed(command, [*before, *map(parameter, own), *after])


def run(study: Study, own: Sequence[Option], arguments: dict[str, Any]) -> None:
    """Read, answer, draw, print."""
    shared = {name: arguments.pop(name, None) for name in ("inputs", "form", "output", "table", "chart", "chart_of")}
    shared["inputs"] = shared["inputs"] or []
    arguments.pop("init", None)  # which ends the command before it is run
    call = read_call(arguments.pop("call"))
    quiet, pages = arguments.pop("quiet"), {name: arguments.pop(name) for name in study.pages}
    reading: dict[str, Any] = {option.name: arguments.pop(option.name) for option in options_of(reads(study))}
    asked = {option.name: value_of(option, arguments[option.name]) for option in own}
    usual = study.form if shared["table"] is None else "table"
    form = terminal.form(shared["form"], shared["output"], forms_of(study), usual)
    reading |= {name: value for name, value in study.form_reads.get(form, {}).items() if reading[name] is None}
    _check_given(study, shared["inputs"], asked)
    outputs = (shared["output"], shared["chart"], *pages.values())
    _check_places(own, arguments, outputs, [shared["inputs"], *reading.values()])
    _check_table(shared["table"], form, study.layouts)
    _check_kept(shared["table"], study.layouts, [option.flag for option in own if _is_kept(option, asked)])
    check_chart(shared["chart"], shared["chart_of"], tuple(study.charts))
    check(checked(study.options(*_parted(study, shared["inputs"])[1:], **asked)), shared["chart_of"])
    with noting_files() as paths:
        result = answer(study, shared["inputs"], asked, reading, quiet=quiet)
    result.note_made(result.how_made().of(paths).by(command_words()))
    if call is not None:
        result.note_call(call)
    if shared["chart"] is not None:
        result.chart(shared["chart_of"]).save(shared["chart"])
    for name, place in pages.items():
        if place is not None:
            terminal.emit(result.own_forms()[name](result), place)
    terminal.show(result, form, shared["output"], table=shared["table"], quiet=quiet)
    if not quiet and (folder := asked.get("for_paper")):
        terminal.tell(f"wrote {folder}: start with {Path(folder) / 'sentences.md'}")
    if not quiet and shared["table"] is None and (besides := left_out(result, form, shared["output"])):
        terminal.tell(besides)
    if form == "line" and not quiet and (aside := result.aside()):
        terminal.tell(aside)
    if result.exit_code:
        raise typer.Exit(result.exit_code)


def _check_places(
    own: Sequence[Option], arguments: dict[str, Any], outputs: Iterable[Path | None], read: Sequence[object]
) -> None:
    """Refuse places of results that clash with others or with what is read; some options name such places."""
    named = [(option.help.writes, arguments[option.name]) for option in own]
    texts = [*read, *(value for kind, value in named if kind is None)]
    files, folders = ([Path(value) for kind, value in named if kind == what and value] for what in ("file", "folder"))
    check_places(outputs, texts, folders=folders, held=files)


def answer(
    study: Study, inputs: Sequence[str], asked: dict[str, Any], reading: dict[str, Any], *, quiet: bool
) -> Result:
    """The answer of a study to what was asked of these files."""
    if study.reads:
        with terminal.reading(quiet=quiet) as progress:
            return study.verb(*_parted(study, inputs), **asked, **reading, progress=progress)
    if inputs and study.reads_with and asked[study.reads_with] is not None:
        if not terminal.is_table(inputs[0], is_alone=len(inputs) == 1):
            terminal.check_runs(inputs)
        with terminal.reading(quiet=quiet) as progress:
            return study.verb(inputs, **asked, **reading, progress=progress)
    if not inputs:
        with terminal.progress(study.name, quiet=quiet, unit=study.unit) as progress:
            return study.verb(None, **asked, progress=progress)
    data = terminal.data(
        inputs,
        read_tables=None if study.needs_runs else partial(study.read_tables, asked=asked),
        without_runs=study.without_runs,
        documents=study.documents_of(inputs[1:], asked),
        workers=asked.get("workers"),
        quiet=quiet,
        reads=reading,
    )
    is_table = not study.needs_runs and terminal.is_table(inputs[0], is_alone=len(inputs) == 1)
    left = {name: value for name, value in asked.items() if not is_table or name not in said_of_tables(asked)}
    with terminal.progress(study.name, quiet=quiet, unit=study.unit) as progress:
        return study.verb(data, **left, progress=progress)  # the columns of a table that is read are told already


def _check_given(study: Study, inputs: Sequence[str], asked: dict[str, Any]) -> None:
    """Refuse both files and what stands in their place, and neither."""
    instead = study.instead_of_data
    if not instead:
        return
    if inputs and asked[instead] is not None:
        raise InputError(f"--{instead} stands in the place of files; leave one of the two out", path=inputs[0])
    if not inputs and asked[instead] is None:
        example = examples(study.example)[0].command
        raise InputError(f"name judgments and runs, or a table of scores; or give --{instead}. For example: {example}")


def _parted(study: Study, inputs: Sequence[str]) -> list[str | Sequence[str]]:
    """The files that a verb takes as they are, its last argument all that are left; none where it takes data."""
    if not study.reads:
        return []
    if len(study.reads) == 1:
        return [inputs]
    last = len(study.reads) - 1
    is_table = not study.needs_runs and terminal.is_table(inputs[0], is_alone=last > 1 or len(inputs) == 1)
    if is_table and last == 1:
        return [list(inputs)]
    if is_table and len(inputs) < last:
        needed = f"{' '.join(study.reads[1:])} by their names in it, or another table"
        raise InputError(f"after a table of scores name {needed}", path=inputs[0])
    terminal.check_runs(inputs)
    if is_table and len(inputs) == last:
        return list(inputs)  # tables of scores, instead of judgments and runs
    if len(inputs) <= last:
        raise InputError(f"name {' '.join(study.reads)}, as in `{examples(study.example)[0].command}`", path=inputs[-1])
    return [*inputs[:last], inputs[last:]]


def check(asked: object, chart_of: str | None) -> None:
    """Refuse before any long work a chart that what is asked does not give."""
    if chart_of is not None and hasattr(asked, "check_chart"):
        asked.check_chart(chart_of)


def value_of(option: Option, value: Any) -> Any:  # noqa: ANN401  # of any type
    """What an option's text on the command line means; an error names the option."""
    spec = option.help
    if value is None:
        return option.default
    if spec.read is not None and isinstance(value, str):
        try:
            return spec.read(value)
        except InputError as error:
            raise InputError(f"{option.flag} {error}") from None
    if spec.names is not None:
        from irgauge.choices import known

        return known(value, tuple(spec.names()), option.flag, error=InputError)
    return tuple(value) if isinstance(value, list) else value


def _check_table(name: str | None, form: str, layouts: Mapping[str, str]) -> None:
    """Refuse before any long work a form that one table does not have."""
    allowed = _OF_LAYOUTS if name in layouts else _OF_TABLES
    if name is not None and form not in allowed:
        kind = "a table for readers" if name in layouts else "one table"
        raise InputError(f"--table {name} is {kind}, not {form}; use --format with one of {', '.join(allowed)}")


def _is_kept(option: Option, asked: Mapping[str, Any]) -> bool:
    """Whether the option names what is written while the question is answered."""
    return option.help.writes is not None and asked[option.name] is not None


def _check_kept(table: str | None, layouts: Mapping[str, str], flags: Sequence[str]) -> None:
    """Refuse a table that may not be there beside what is written before that is known."""
    if table is not None and table not in layouts and flags:
        raise InputError(
            f"--table {table} is looked for when all is answered, and {flags[0]} is written before; leave one of the "
            "two out"
        )


def check_chart(path: Path | None, of: str | None, names: Sequence[str]) -> None:
    """Refuse before any long work what cannot be drawn."""
    if path is None:
        if of is not None:
            raise InputError(f"--chart-of {of} needs a file to draw to; name it with --chart {of}.html")
        return
    from irgauge.choices import known
    from irgauge.show.figure import check_format

    check_format(path)
    if of is not None:
        known(of, names, "chart", error=InputError)
