"""The command that shows what Tukey's test looks up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.options.fields import Help
from irgauge.studies.shared_options import Levelled, numbers


@dataclass(frozen=True, kw_only=True)
class StudentizedOptions(Levelled):
    """Which critical values are asked for."""

    systems: Annotated[tuple[int, ...], Help("Numbers of systems.", read=numbers)] = (5, 25, 75)
    df: Annotated[tuple[int, ...], Help("Degrees of freedom of the error.", read=numbers)] = (100, 500)


def _make() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, drawing, printing

    return command_asking(StudentizedOptions, _run, (), (*printing(), drawing()))


def _run(asked: dict[str, Any], form: str | None, output: Path | None, chart: Path | None) -> None:
    from irgauge.cli.frame import check_chart
    from irgauge.inference.studentized import range_curves
    from irgauge.show.shared_charts import critical_table, range_chart

    check_places([output, chart])
    check_chart(chart, None, ())
    curves = range_curves(**asked)
    if chart is not None:
        range_chart(curves).save(chart)
    terminal.show_table(critical_table(curves), form, output)


COMMAND = Command(
    question="Critical values of the studentized range, which Tukey's test looks up.",
    about="",
    example="irgauge studentized --systems 5,25,75 --df 100,500 --chart range.svg",
    place=330,
    make=_make,
)
