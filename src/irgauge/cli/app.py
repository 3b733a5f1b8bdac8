"""The command line's frame: its commands, of which only the one that is called is made in full."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import typer

import irgauge.cli.commands
from irgauge.cli.help import ALL, command_class
from irgauge.studies.registry import studies


class Command(NamedTuple):
    """A command: what it says of itself, its place among the others, and what makes its function when it is called."""

    question: str
    about: str
    example: str
    place: int
    make: Callable[[], Callable[..., None]]
    more: Callable[[], str] = str  # what the help of the command that is called says besides
    first: tuple[str, ...] = ()  # the options that its short help shows; those of its question if not given

    @property
    def help(self) -> str:
        """The question, then more."""
        return f"{self.question}\n\n{self.about}" if self.about else self.question


class CommandGroup(NamedTuple):
    """Commands under one name: a folder among the commands, whose files have some each."""

    question: str
    about: str
    example: str
    place: int
    folder: str  # the name of its package

    @property
    def help(self) -> str:
        """The question, then more."""
        return f"{self.question}\n\n{self.about}"

    def commands(self) -> Mapping[str, Command]:
        """Its commands by their names."""
        files = _in_folder(import_module(self.folder)).values()
        return _in_order({name: command for file in files for name, command in file.COMMANDS.items()})


def commands() -> Mapping[str, Command | CommandGroup]:
    """All commands by their names: the studies, and those that are none."""
    of_studies = {
        name: Command(
            study.question, study.about, study.example, study.place, _made(name), study.more_about, study.first
        )
        for name, study in studies().items()
    }
    others = {name: file.COMMAND for name, file in _in_folder(irgauge.cli.commands).items()}
    return _in_order(of_studies | others)


def every_command() -> list[str]:
    """The names of all commands, those of a group after its name, such as lab index."""
    entries = commands().items()
    return [
        name if part is None else f"{name} {part}"
        for name, command in entries
        for part in (command.commands() if isinstance(command, CommandGroup) else [None])
    ]


def _in_folder(package: ModuleType) -> dict[str, ModuleType]:
    """The files of a folder, by their names."""
    names = [file.name for file in pkgutil.iter_modules(package.__path__)]
    return {name: import_module(f"{package.__name__}.{name}") for name in names}


def _in_order(by_name: Mapping[str, Any]) -> Mapping[str, Any]:
    return dict(sorted(by_name.items(), key=lambda item: item[1].place))


def _made(name: str) -> Callable[[], Callable[..., None]]:
    def make() -> Callable[..., None]:
        from irgauge.cli.frame import command_of

        return command_of(studies()[name])

    return make


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The command line for these arguments: the command that they name has its options, the others their names."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help", ALL]},
        help="A gauge for information-retrieval experiments: which differences between systems are real, how sure one "
        "can be, and what the claim covers.",
        epilog="Start with: irgauge check QRELS RUNS, then irgauge compare QRELS RUNS -m AP",
    )
    app.callback()(_options)
    _fill(app, commands(), arguments)
    return app


def _fill(app: typer.Typer, offered: Mapping[str, Command | CommandGroup], arguments: Sequence[str]) -> None:
    """Give a command line its commands."""
    words = [argument for argument in arguments if not argument.startswith("-")]
    for name, command in offered.items():
        is_called = words[:1] == [name]
        if isinstance(command, CommandGroup):
            group = typer.Typer(no_args_is_help=True)
            if is_called:
                _fill(group, command.commands(), [*words[1:], *({ALL} & {*arguments})])
            app.add_typer(group, name=name, help=command.help, epilog=f"Example: {command.example}")
        else:
            shows_all = ALL in arguments
            help_text = command.help + (command.more() if is_called and shows_all else "")
            helped = command_class(command.example, first=command.first, shows_all=shows_all)
            app.command(name, cls=helped, help=help_text)(command.make() if is_called else _not_called)


def _not_called() -> None:
    """Stands for a command that is not called."""


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # typer's interface
    if wanted:
        from importlib.metadata import version

        print(f"irgauge {version('irgauge')}")  # noqa: T201  # this package prints
        raise typer.Exit


def _warm(wanted: bool) -> None:  # noqa: FBT001  # typer's interface
    if wanted:
        from irgauge.cli.warming import warm

        warm()
        raise typer.Exit


_WARM = "Compile what score, compare and report need, and exit: once after installing, so that no command waits for it."


def _options(
    version: Annotated[  # typer's interface
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
    warm: Annotated[bool, typer.Option("--warm", help=_WARM, callback=_warm, is_eager=True)] = False,
) -> None:
    """Options before any command."""
