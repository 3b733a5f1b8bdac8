"""The page of all commands, and the options of each."""

from __future__ import annotations

from functools import cache
from typing import Any

import typer.main

from irgauge.cli.app import Command, CommandGroup, app_for, commands
from irgauge.cli.help import examples, metavar
from irgauge.studies.registry import studies
from website.markup import anchor, block, code, prose, table, text


def page(intro: str) -> str:
    """What is written by hand, what each command asks, and the options of those that are no study."""
    rows = [[link(name), text(one.question)] for name, one in commands().items()]
    others = [section(name) for name in commands() if name not in studies()]
    return "\n".join([intro, table(["command", "what it answers"], rows), *others])


def link(name: str) -> str:
    """A command, with a link to what is said of it; from the page of commands."""
    place = f"questions/{name}.md" if name in studies() else f"#{anchor(name)}"
    return f"[{code(f'irgauge {name}')}]({place})"


def section(name: str) -> str:
    """A command that is no study: what it does, an example, its options, or the commands of the group that it is."""
    command = found(name)
    about = f"{prose(command.about)}\n" if command.about else ""
    head = [f"{'#' * (2 + name.count(' '))} {name}\n", f"{prose(command.question)}\n", about, example(name)]
    if isinstance(command, CommandGroup):
        return "\n".join([*head, *(section(f"{name} {part}") for part in command.commands())])
    return "\n".join([*head, options(name)])


def found(name: str) -> Command | CommandGroup:
    """A command by its name; that of a group comes after the name of the group."""
    first, *rest = name.split()
    command = commands()[first]
    return command.commands()[rest[0]] if isinstance(command, CommandGroup) and rest else command


def example(name: str) -> str:
    """The example of its help, a line a command."""
    shown = (f"{one.command}  # {one.note}" if one.note else one.command for one in examples(found(name).example))
    return block("sh", "\n".join(shown))


def options(name: str) -> str:
    """The options of a command: how each is written, what it means, and what it is if it is not given."""
    rows = [[_written(one), prose(one.help or ""), _default(one)] for one in parameters(name)]
    return table(["option", "meaning", "default"], rows)


@cache
def parameters(name: str) -> tuple[Any, ...]:
    """What a command takes, without --help; as click has it."""
    words = name.split()
    command: Any = typer.main.get_command(app_for(words))
    for word in words:
        command = command.commands[word]
    return tuple(one for one in command.params if one.name != "help")


def _written(one: Any) -> str:  # noqa: ANN401  # click's
    if one.param_type_name == "argument":
        return code(one.metavar or one.name.upper())
    flags = [*one.opts, *one.secondary_opts]
    kind = "" if one.is_flag else f" {metavar(one)}"
    return code(f"{', '.join(flags)}{kind}")


def _default(one: Any) -> str:  # noqa: ANN401  # click's
    if one.required:
        return "required"
    given = one.default() if callable(one.default) else one.default
    return code(given) if isinstance(given, str) or (isinstance(given, int | float) and given is not False) else ""
