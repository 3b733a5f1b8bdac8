"""The command line's frame: its commands, of which only the one that is called is made in full."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Annotated, NamedTuple

import typer

import irgauge.cli.commands
from irgauge.studies.registry import studies


class Command(NamedTuple):
    """A command: what it says of itself, its place among the others, and what makes its function when it is called."""

    question: str
    about: str
    example: str
    place: int
    make: Callable[[], Callable[..., None]]

    @property
    def help(self) -> str:
        """The question, then more."""
        return f"{self.question}\n\n{self.about}" if self.about else self.question


def commands() -> Mapping[str, Command]:
    """All commands by their names: the studies, and those that are none."""
    found = {
        study.name: Command(study.question, study.about, study.example, study.place, _made(study.name))
        for study in studies().values()
    }
    others = [one.name for one in pkgutil.iter_modules(irgauge.cli.commands.__path__)]
    found |= {name: import_module(f"irgauge.cli.commands.{name}").COMMAND for name in others}
    return dict(sorted(found.items(), key=lambda item: item[1].place))


def _made(name: str) -> Callable[[], Callable[..., None]]:
    def make() -> Callable[..., None]:
        from irgauge.cli.frame import command_of

        return command_of(studies()[name])

    return make


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The command line for these arguments: the command that they name has its options, the others their names."""
    called = next((one for one in arguments if not one.startswith("-")), None)
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="A gauge for information-retrieval experiments: which differences between systems are real, how sure one "
        "can be, and what the claim covers.",
        epilog="Start with: irgauge check QRELS RUNS, then irgauge compare QRELS RUNS -m AP",
    )
    app.callback()(_options)
    for name, command in commands().items():
        function = command.make() if name == called else _not_called
        app.command(name, help=command.help, epilog=f"Example: {command.example}")(function)
    return app


def _not_called() -> None:
    """Stands for a command that is not called."""


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # typer's interface
    if wanted:
        from importlib.metadata import version

        print(version("irgauge"))  # noqa: T201  # this package prints
        raise typer.Exit


def _options(
    version: Annotated[  # typer's interface
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options before any command."""
