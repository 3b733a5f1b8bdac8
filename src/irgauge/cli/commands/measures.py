"""The command that lists the measures, and explains one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.wording import listed

if TYPE_CHECKING:
    from irgauge.scoring.catalogue import Parameter, Record
    from irgauge.scoring.measures import Measure
    from irgauge.scoring.parsing import Spelling
    from irgauge.show.table import Table

_CUTOFFS = {"none": "", "optional": "[@k]", "required": "@k"}


def _make() -> Callable[..., None]:
    from irgauge.cli.frame import keyword, printing, signed

    argument = typer.Argument(help="A measure to explain, here or as others write it; all in short if not given.")
    return signed(_run, [keyword("name", Annotated[str | None, argument], None), *printing()])


def _run(name: str | None, form: str | None, output: Path | None) -> None:
    terminal.show_table(measure_table() if name is None else explained(name), form, output)


def measure_table() -> Table:
    """All measures by family: how to write them, their parameters, and their names elsewhere."""
    from irgauge.show.table import Column, Table

    return Table.of(
        "measures",
        "Measures",
        [
            {
                "family": family,
                "measure": _written(record),
                "name": record.title,
                "parameters": ", ".join(name for name in record.parameters if name != record.at),
                "elsewhere": ", ".join(_names([_shown(spelling.name) for spelling in _elsewhere(record)])),
            }
            for family, record in _by_family()
        ],
        [Column("family"), Column("measure"), Column("name"), Column("parameters"), Column("elsewhere")],
        [
            "k is a cut-off, as in nDCG@10; parameters are written like nDCG(dcg='exp-log2')@10.",
            "Names of trec_eval, ir_measures, ranx, BEIR and MTEB mean what they mean there, also P.5,10, P, official, "
            "set and all_trec of trec_eval, and map@10-l2 of ranx.",
            "`irgauge measures nDCG` explains a measure.",
        ],
        group_by="family",
        is_main=True,
    )


def _by_family() -> Iterator[tuple[str, Record]]:
    """All measures, each with its family, or with the package that adds it."""
    from irgauge.scoring.catalogue import FAMILIES
    from irgauge.scoring.parsing import MEASURES

    for family in FAMILIES:
        yield from ((family.__name__.rpartition(".")[2], record) for record in family.RECORDS)
    yield from ((home, MEASURES[name]) for name, home in MEASURES.homes().items())


def explained(text: str) -> Table:
    """What a name means: one measure in full, or the several that it stands for."""
    from irgauge.scoring.measures import Measure
    from irgauge.scoring.parsing import parsed

    measures = [Measure(part.record.name, part.given, part.cutoff) for part in parsed(text)]
    return _several(text, measures) if len({measure.name for measure in measures}) > 1 else _one(text, measures)


def _several(text: str, measures: Sequence[Measure]) -> Table:
    from irgauge.show.table import Table

    records = [{"measure": str(one), "name": one.record.title} for one in measures]
    return Table.of("measures", f"'{text}' names {len(records)} measures", records, is_main=True)


def _one(text: str, measures: Sequence[Measure]) -> Table:
    from irgauge.show.table import Table

    record, meant = measures[0].record, ", ".join(map(str, measures))
    title = record.title if meant in (text, record.name) else f"{record.title}: '{text}' is {meant}"
    facts = [{"fact": fact, "meaning": meaning} for fact, meaning in _facts(record)]
    return Table.of("measure", title[:1].upper() + title[1:], facts, is_main=True)


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    from irgauge.scoring.parsing import MEASURES

    yield "written", _written(record)
    if (home := MEASURES.homes().get(record.name)) is not None:
        yield "from", home
    yield "meaning", record.explanation
    for name, parameter in record.parameters.items():
        yield f"{name}=", _parameter(parameter)
    if record.range is not None:
        yield "scores", _range(record, *record.range)
    yield "better", _better(record)
    yield "over topics", record.over_topics
    for spelling in _elsewhere(record):
        yield (
            f"in {spelling.owner}",
            _shown(spelling.name) + ("" if "(" not in spelling.means[0] else f" is {_shown(spelling.means[0])}"),
        )


def _range(record: Record, least: float, largest: float) -> str:
    text = f"from {least:.4g} to {largest:.4g}"
    if not record.range_with:
        return text
    parameters = listed([f"{name}=" for name in record.range_with], "or")
    return f"{text} with {parameters}; else to the highest gain, where that is above {largest:.4g}"


def _better(record: Record) -> str:
    others = [f"; with {name}= {other or 'neither'}" for name, other in record.direction_with.items()]
    return f"{record.direction or 'neither'}{''.join(others)}"


def _written(record: Record) -> str:
    return record.name + (_CUTOFFS[record.cutoff] if record.at is None else f"@{record.at}")


def _parameter(parameter: Parameter) -> str:
    default = "" if parameter.default is None else f" (default {parameter.default!r})"
    return f"{parameter.explanation}: {parameter.allowed}{default}"


def _elsewhere(record: Record) -> list[Spelling]:
    """How others write the measure, alone or with parameters."""
    from irgauge.scoring.parsing import OTHERS, OWN

    return [
        spelling
        for spelling in (*OWN, *OTHERS)
        if spelling.name != record.name and len(spelling.means) == 1 and _head(spelling.means[0]) == record.name
    ]


def _head(meant: str) -> str:
    return meant.partition("@")[0].partition("(")[0]


def _shown(text: str) -> str:
    return text.replace("{k}", "k")


def _names(names: Sequence[str]) -> list[str]:
    """The names, without those that are others with a cut-off."""
    return [name for name in names if name.removesuffix("@k") not in set(names) - {name}]


COMMAND = Command(
    question="All measures, how to write them, and what they mean.",
    about="",
    example="irgauge measures nDCG",
    place=320,
    make=_make,
)
