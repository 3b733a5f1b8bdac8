"""What `--help` prints: the options that matter most, by what they are for; `--help-all` prints every one in full."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from typer.core import TyperCommand

from irgauge.cli import terminal

ALL = "--help-all"
_PANELS: Mapping[str, str] = {  # what the options of these names are for; others are of the question
    "Test": "test correction family sides draws model models alpha transform scale variances df tests tests_of "
    "tests_correction posterior interactions aggregate p power assurance",
    "Claim": "margin slice_margin population shards variants cluster weights shares by sparse fill images resamples",
    "Reading data": "rel missing topics depth name_by precision ignore_identical_ids corpus_size max_size topics_table "
    "columns grades duplicates manifest pattern judge_column keep_systems keep_by",
    "Output": "form output table chart chart_of summary metadata next per_topic page keep bundle print_all for_paper "
    "recompute call",
    "Running": "seed workers scheduler quiet",
}
_PANEL_OF = {name: panel for panel, names in _PANELS.items() for name in names.split()}
_ORDER = ("Question", *_PANELS)
_USUAL = ("Question", "Claim", "Test")  # panels of which a command with few options shows all of them
_OUTPUT = ("form", "output", "chart", "for_paper")  # what every short help has of the output
_KINDS = {"int": "NUMBER", "integer": "NUMBER", "float": "NUMBER", "path": "FILE", "file": "FILE"}
_SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z])")
_WIDEST = 100  # columns: longer lines are hard to read
_LONGEST_ABOUT = 480  # characters of it in the short help
_MOST_NAMES = 26  # columns of the names of options


class Example(NamedTuple):
    """A command line, and what it is of where there are several."""

    command: str
    note: str = ""


def examples(text: str) -> list[Example]:
    """The examples in a text such as `irgauge a x; without data: irgauge a`."""
    parts = (part.strip() for part in text.split("; "))
    return [Example(part) if part.startswith("irgauge ") else _noted(part) for part in parts]


def _noted(part: str) -> Example:
    note, _, command = part.partition(": ")
    return Example(command, note)


WORDS = "irgauge.words"  # of a command line, in the `meta` of its context


class HelpedCommand(TyperCommand):
    """A command whose help is ours; `command_class` sets what it says."""

    shows_all: ClassVar[bool] = False
    first: ClassVar[tuple[str, ...]] = ()
    shown_examples: ClassVar[Sequence[Example]] = ()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # click's
        """Keep the words for options that look at all of them before others are read."""
        ctx.meta[WORDS] = tuple(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002  # click's
        """Print the help ourselves, as click would change the encoding of the stream."""
        width = min(terminal.width(), _WIDEST)
        terminal.emit("\n".join(self._lines(ctx, width)), None)

    def _lines(self, ctx: Any, width: int) -> Iterator[str]:  # noqa: ANN401  # click's
        arguments: list[Any] = [param for param in self.params if param.param_type_name == "argument"]
        usage = " ".join([ctx.command_path, "[OPTIONS]", *(_argument(param) for param in arguments)])
        yield from _wrapped(f"Usage: {usage}", width, indent="       ")
        for paragraph in self._about():
            yield ""
            yield from _wrapped(" ".join(paragraph.split()), width)
        yield ""
        for param in arguments:
            yield from _entry(_argument(param), param.help or "", width)
        yield from self._options(width)
        yield ""
        yield from _example_lines(self.shown_examples)

    def _about(self) -> list[str]:
        """The question and what else is said, or the first sentences of that."""
        question, *about = (self.help or "").split("\n\n")
        return [question, *(about if self.shows_all else map(_beginning, about[:1]))]

    def _options(self, width: int) -> Iterator[str]:
        params: list[Any] = self.params
        options = [param for param in params if param.param_type_name == "option" and not param.hidden]
        shown = options if self.shows_all else _first(options, self.first)
        for panel in _ORDER:
            of_panel = [param for param in shown if _panel(param) == panel]
            if of_panel:
                yield from ("", _heading(panel))
            for param in of_panel:
                yield from _entry(_names(param), _meaning(param, in_full=self.shows_all), width)
        if len(options) > len(shown):
            yield from ("", f"{ALL} shows {len(options) - len(shown)} more options, and all in full.")


def command_class(text: str, *, first: tuple[str, ...], shows_all: bool) -> type[HelpedCommand]:
    """The class of a command with these examples, whose short help has the options that come first."""
    settings = {"shown_examples": examples(text), "first": first, "shows_all": shows_all}
    return type("Command", (HelpedCommand,), settings)


def _first(options: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """The options of the short help: those that are named, in this order, or those of the question and its claims."""
    if not names:
        return [param for param in options if _panel(param) in _USUAL or param.name in _OUTPUT]
    by_name = {param.name: param for param in options}
    return [by_name[name] for name in (*names, *_OUTPUT) if name in by_name]


def _panel(param: Any) -> str:  # noqa: ANN401  # click's
    return _PANEL_OF.get(param.name, "Question")


def _argument(param: Any) -> str:  # noqa: ANN401  # click's
    return param.metavar or param.name.upper()


def _names(param: Any) -> str:  # noqa: ANN401  # click's
    """How an option is written, its short name first."""
    flags = sorted([*param.opts, *param.secondary_opts], key=lambda flag: flag.startswith("--"))
    return ", ".join(flags) + ("" if param.is_flag else f" {metavar(param)}")


def metavar(param: Any) -> str:  # noqa: ANN401  # click's
    """What stands for the value of an option."""
    return param.metavar or _KINDS.get(param.type.name.split()[0], "TEXT")


def _meaning(param: Any, *, in_full: bool) -> str:  # noqa: ANN401  # click's
    """What an option means, or the first sentence of it; its default, where the text does not name it."""
    text = param.help or ""
    said = text if in_full else _SENTENCE_END.split(text)[0]
    default = param.default() if callable(param.default) else param.default
    is_told = isinstance(default, str) or (isinstance(default, int | float) and not isinstance(default, bool))
    return f"{said} [{'required' if param.required else default}]" if is_told or param.required else said


def _entry(names: str, meaning: str, width: int) -> Iterator[str]:
    """An option and what it means beside it, or below where its names are long."""
    column = _MOST_NAMES + 2
    head = f"  {names}"
    lines = textwrap.wrap(meaning, width - column, break_long_words=False, break_on_hyphens=False) or [""]
    if len(head) > column - 2:
        yield head
    else:
        yield f"{head:{column}}{lines.pop(0)}".rstrip()
    yield from (f"{'':{column}}{line}" for line in lines)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _beginning(paragraph: str) -> str:
    """The first sentences, one at least."""
    sentences = _SENTENCE_END.split(paragraph)
    return " ".join(
        sentence
        for i, sentence in enumerate(sentences)
        if i == 0 or len(" ".join(sentences[: i + 1])) <= _LONGEST_ABOUT
    )


def _heading(panel: str) -> str:
    is_bold = sys.stdout.isatty() and terminal.has_colours()
    return terminal.bold(panel) if is_bold else panel


def _example_lines(shown: Iterable[Example]) -> Iterator[str]:
    """The examples, each on a line that can be copied."""
    lines = list(shown)
    yield "Example:" if len(lines) == 1 else "Examples:"
    for example in lines:
        yield f"  {example.command}" + (f"  # {example.note}" if example.note else "")
