"""Random command lines: the options are those that commands declare, the values good, at their bounds or absurd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin

import typer

from fuzz.expressions import expression
from fuzz.option_values import ABSURD, COUNTS, FLOATS, NEEDED, OF_COMMANDS, SMALL, VALUES
from fuzz.worlds import World
from irgauge.cli.app import app_for
from irgauge.cli.commands import shards, studentized
from irgauge.cli.commands.lab import corpora, runs
from irgauge.cli.frame import forms_of
from irgauge.lab import generated, rerun, selective, tuned
from irgauge.options.fields import Option, options_of
from irgauge.reading.options import ReadsCorpus
from irgauge.reporting.options import ReportOptions
from irgauge.simulation.simulated import SimulateOptions
from irgauge.studies.registry import studies

ASKED: Mapping[str, type] = {
    "report": ReportOptions,
    "simulate": SimulateOptions,
    "shards": shards.ShardsOptions,
    "studentized": studentized.StudentizedOptions,
    "lab index": corpora.LabIndexOptions,
    "lab run": runs.LabRunOptions,
    "lab generate": generated.GenerateOptions,
    "lab shards": corpora.LabShardsOptions,
    "lab selective": selective.SelectiveOptions,
    "lab tuned": tuned.TunedOptions,
    "lab rerun": rerun.RerunOptions,
}


@cache
def declared(command: str) -> Sequence[Any]:
    """The options of a command, as the command line declares them."""
    found: Any = typer.main.get_command(app_for(command.split()))
    for name in command.split():
        found = found.commands[name]
    return [one for one in found.params if one.param_type_name == "option" and one.name != "help"]


@cache
def told(command: str) -> Mapping[str, Option]:
    """The options of a command that dataclasses declare, by their names on the command line."""
    asked = studies()[command].options if command in studies() else ASKED.get(command)
    kinds = [ReadsCorpus] if asked is None else [ReadsCorpus, asked]
    return {option.flag: option for kind in kinds for option in options_of(kind)}


def command_line(command: str, world: World, absurd: float) -> list[str]:
    """A command with files and options, of whose values some share is absurd."""
    rng = world.rng
    inputs = _inputs(command, world)
    words = [*inputs, *(word for pair in SMALL.get(command, ()) if _goes_with(inputs, pair[0]) for word in pair)]
    options = [one for one in declared(command) if rng.random() < absurd or _goes_with(inputs, max(one.opts, key=len))]
    if command in NEEDED and rng.random() > absurd:
        words += [word for word in NEEDED[command](world) if _goes_with(inputs, NEEDED[command](world)[0])]
    needed = [one for one in options if one.required and rng.random() < 0.97]
    for option in [*needed, *rng.choices(options, k=rng.choice((0, 1, 1, 2, 2, 3, 4)))]:
        given = _given(command, option, world, absurd)
        at = 0 if rng.random() < 0.2 else len(words)
        words[at:at] = given
    if rng.random() < absurd / 4:
        words.insert(rng.randrange(len(words) + 1), rng.choice([*ABSURD, "--no-such", "-z", "--help", "--version"]))
    return [*command.split(), *words]


def _goes_with(inputs: Sequence[str], flag: str) -> bool:
    """Whether an option may be given beside these files: much is said of runs only."""
    of_runs = [option.flag for option in options_of(ReadsCorpus) if option.name != "missing"]
    is_table = inputs[:1] and inputs[0].endswith((".csv", ".json"))
    return not is_table or flag not in (*of_runs, "--shards", "--manifest", "--pattern", "--splits", "--parts")


def _given(command: str, option: Any, world: World, absurd: float) -> list[str]:  # noqa: ANN401  # of click
    """An option with its value; what to draw comes with where to."""
    flag = world.rng.choice([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return [flag]
    more = ["--chart", "drawn.html"] if flag == "--chart-of" and world.rng.random() > absurd else []
    if world.rng.random() < absurd:
        return [*more, flag, *world.rng.choices(ABSURD, k=option.nargs)]
    return [*more, flag, *_value(command, option, world)]


def _value(command: str, option: Any, world: World) -> Sequence[str]:  # noqa: ANN401  # of click
    flag = max(option.opts, key=len)
    if choices := _choices(command, flag):
        return [world.rng.choice(choices)]
    if found := OF_COMMANDS.get((command, flag)) or VALUES.get(flag):
        return found(world)
    return [world.rng.choice(FLOATS if option.type.name == "float" else COUNTS)]


def _choices(command: str, flag: str) -> Sequence[str]:
    """The names that an option may have, from its registry or its type."""
    if command in studies():
        study = studies()[command]
        of_study = {"--chart-of": tuple(study.charts), "--table": tuple(study.layouts), "--format": forms_of(study)}
        if flag in of_study:
            return of_study[flag]
    elif flag == "--format":
        return ("table", "markdown", "latex", "csv", "json", "html")
    option = told(command).get(flag)
    if option is None:
        return ()
    if get_origin(option.kind) is Literal:
        return get_args(option.kind)
    return () if option.help.names is None else tuple(option.help.names())


# what commands are given


def _inputs(command: str, world: World) -> list[str]:
    """The files, or names, that a command is given."""
    rng = world.rng
    if command in ("simulate", "studentized"):
        return []
    if command.startswith("lab"):
        return _of_lab(command, world)
    if command == "measures":
        return rng.choice(([], [expression(rng)]))
    if command == "reproduce":
        return rng.choice((["--list"], ["--list"], ["--list", "voorhees-2017"], [], ["x"]))
    if not world.is_sound and rng.random() < 0.1:
        return rng.choice(([], ["nothing"], ["runs"], [world.qrels()], [world.run(), world.qrels()], ["-"], [""]))
    if command == "gate":
        return _of_gate(world)
    if command == "suite":
        return [world.suite()]
    if rng.random() < _share_of_scores(command):
        return [world.scores()]
    if world.is_sound or rng.random() < 0.5:
        return [world.qrels(), world.runs() + rng.choice(("", "/*"))]
    return [world.qrels(), world.run(), world.run()]


def _of_lab(command: str, world: World) -> list[str]:
    given = {
        "lab generate": (),
        "lab index": (world.documents,),
        "lab shards": (world.index,),
        "lab tuned": (world.index, world.asked, world.qrels),
        "lab rerun": (world.index, world.asked, world.qrels),
    }
    return [made() for made in given.get(command, (world.index, world.asked))]


def _share_of_scores(command: str) -> float:
    """How often a command is given a table of scores; those that cannot use one are seldom."""
    takes = command == "report" or (command in studies() and not studies()[command].needs_runs)
    return 0.4 if takes else 0.02


def _of_gate(world: World) -> list[str]:
    rng = world.rng
    if rng.random() < 0.4:
        return [world.scores(), rng.choice(world.systems), rng.choice(world.systems)]
    if not world.is_sound and rng.random() < 0.3:
        return [world.scores(), world.scores()]
    candidates = [world.run() for _ in range(rng.choice((1, 1, 2)))]
    return [world.qrels(), world.run() if rng.random() < 0.8 else world.runs(), *candidates]
