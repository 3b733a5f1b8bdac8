"""The command that lists the measures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from irgauge.cli import terminal
from irgauge.cli.app import Command

if TYPE_CHECKING:
    from irgauge.scoring.catalogue import Parameter, Record
    from irgauge.show.table import Table

_CUTOFFS = {"none": "", "optional": "[@k]", "required": "@k"}


def _make() -> Callable[..., None]:
    from irgauge.cli.frame import printing, signed

    return signed(_run, list(printing()))


def _run(form: str | None, output: Path | None) -> None:
    terminal.show_table(measure_table(), form, output)


def measure_table() -> Table:
    """All measures, how to write them and what they mean."""
    from irgauge.scoring.catalogue import RECORDS
    from irgauge.show.table import Column, Table

    return Table.of(
        "measures",
        "Measures",
        [
            {
                "measure": record.name + _CUTOFFS[record.cutoff],
                "name": record.title,
                "explanation": _explanation(record),
                "in_trec_eval": ", ".join(alias.format(k="k") for alias in record.aliases),
            }
            for record in RECORDS
        ],
        [Column("measure"), Column("name"), Column("explanation"), Column("in_trec_eval", "in trec_eval")],
        ["k is a cut-off, such as nDCG@10; parameters are written like RBP(p=0.95) or nDCG(dcg='exp-log2')@10."],
        is_main=True,
    )


def _explanation(record: Record) -> str:
    parameters = "; ".join(_parameter(name, parameter) for name, parameter in record.parameters.items())
    return record.explanation + (f" Parameters: {parameters}." if parameters else "")


def _parameter(name: str, parameter: Parameter) -> str:
    default = "" if parameter.default is None else f" (default {parameter.default!r})"
    return f"{name}= {parameter.explanation}{default}"


COMMAND = Command(
    question="All measures, how to write them, and what they mean.",
    about="",
    example="irgauge measures",
    place=320,
    make=_make,
)
