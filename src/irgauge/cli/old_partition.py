"""The command of the partition method: which systems differ, by many random splits of the documents?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.options import (
    ChartOption,
    CorrectionChoice,
    Form,
    FormOption,
    KeepSystems,
    Output,
    Precision,
    PrecisionOption,
    Qrels,
    Quiet,
    Runs,
    Seed,
    Workers,
)
from irgauge.errors import DesignError, InputError

if TYPE_CHECKING:
    from irgauge.present.partition_findings import Answer
    from irgauge.reading.collection import Collection
    from irgauge.studies.partitions import Overlap

_CHARTS = ("effects", "densities", "decisions", "agreement")
_LENGTHS = "2,3,5"  # numbers of parts
_PARTS = (2, 3)  # that the tests side by side have


class DrawnChoice(StrEnum):
    """What the bootstrap draws."""

    residuals = "residuals"
    topics = "topics"


class GapChoice(StrEnum):
    """What to do about topics without relevant documents in some part."""

    resample = "resample"
    drop = "drop"


@dataclass(frozen=True)
class _Asked:
    """What is asked for besides the splits, and of which pair densities are drawn."""

    tests: bool
    lengths: tuple[int, ...]
    groups: Path | None
    skip_singles: bool
    pair: tuple[str, str] | None
    chart_of: str | None  # None: no chart
    correction: str


@app.command(
    epilog="Example: irgauge partition qrels.txt runs/ -m AP -m P@10 --splits 11 --tests "
    "--chart agreement.png --chart-of agreement"
)
def partition(
    qrels: Qrels,
    runs: Runs,
    measure: Annotated[
        list[str], typer.Option("--measure", "-m", help="The measure, such as AP or nDCG@10; at most two.")
    ] = ["AP"],  # noqa: B006  # typer copies it
    parts: Annotated[int, typer.Option(help="Parts of a split, 2 or more.")] = 2,
    splits: Annotated[int, typer.Option(help="Random splits, 1 or more.")] = 11,
    aggregate: Annotated[
        str,
        typer.Option(
            help="One decision from all splits: all, majority, median-p, twice-median, fisher or harmonic. Valid "
            "whatever the dependence of splits: all, twice-median."
        ),
    ] = "all",
    draws: Annotated[int, typer.Option(help="Of the bootstrap, for each split.")] = 10_000,
    resample: Annotated[
        DrawnChoice, typer.Option(help="topics: draw topics too, so that claims cover other topics as well.")
    ] = DrawnChoice.residuals,
    sides: Annotated[
        int,
        typer.Option(
            min=1, max=2, help="1: p as in the paper, its direction taken from the data; 2: doubled for that."
        ),
    ] = 1,
    interactions: Annotated[
        bool, typer.Option("--interactions/--no-interactions", help="Of system and topic, in the model.")
    ] = True,
    tests: Annotated[
        bool, typer.Option("--tests", help="Also t and randomization tests, 2 and 3 parts, side by side.")
    ] = False,
    correction: Annotated[
        CorrectionChoice, typer.Option(help="Of the tests over topics in --tests; the paper has none.")
    ] = CorrectionChoice.none,
    lengths: Annotated[
        bool,
        typer.Option("--lengths", help="Also lengths of intervals by number of parts, with and without interactions."),
    ] = False,
    lengths_of: Annotated[
        str | None, typer.Option(help=f"Numbers of parts of --lengths, which it implies; {_LENGTHS} if not given.")
    ] = None,
    groups: Annotated[
        Path | None, typer.Option(help="A file with a system and its group on each line: also related runs.")
    ] = None,
    skip_singles: Annotated[
        bool, typer.Option("--skip-singles", help="Leave groups of one system out of --groups.")
    ] = False,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B", help="Systems whose densities are drawn; the best neighbours that overlap if not given."
        ),
    ] = None,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: Annotated[
        str | None, typer.Option(help=f"What to draw: {', '.join(_CHARTS)}; effects if not given.")
    ] = None,
    precision: Precision = PrecisionOption.double,
    fill: Annotated[
        GapChoice,
        typer.Option(help="Draw a split again until every topic has relevant documents in every part, or drop topics."),
    ] = GapChoice.resample,
    keep_systems: KeepSystems = "all",
    alpha: Annotated[
        float, typer.Option(help="Pairs differ where p, corrected over all pairs, is at most alpha.")
    ] = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Which systems differ, by the partition method? Bootstrap ANOVA over many random splits of the documents.

    Each split divides the documents at random into parts; runs and judgments are
    restricted to each part, nothing is retrieved again. Voorhees, Samarov and
    Soboroff (TOIS 2017). CSV and JSON have every pair and every split. Two
    measures stand in the two halves of the chart of agreement.
    """
    from irgauge.inference.aggregation import aggregation

    chosen, measures = terminal.form(form, output, Form), _measures(measure, keep_systems)
    terminal.check_chart(chart, chart_of, _CHARTS)
    rule = aggregation(aggregate)
    asked = _Asked(
        tests=tests or chart_of == "decisions",
        lengths=_lengths(lengths_of, wanted=lengths),
        groups=groups,
        skip_singles=skip_singles,
        pair=pair,
        chart_of=None if chart is None else chart_of or _CHARTS[0],
        correction=correction.value,
    )
    _check_together(asked, keep_systems, interactions=interactions)
    collection = terminal.load(qrels, runs, precision, workers, quiet=quiet)
    options: dict[str, Any] = {"resample": resample.value, "fill": fill.value, "draws": draws, "alpha": alpha}
    common = options | {"sides": sides, "seed": seed, "workers": workers}
    _check_data(collection, measures, asked, parts, fill.value, keep_systems)
    many = {"splits": splits, "aggregate": aggregate, "keep": keep_systems}
    answers = [
        _answer(collection, one, asked, parts, common, many, interactions=interactions, quiet=quiet) for one in measures
    ]
    if rule.warning and not quiet:
        terminal.tell(f"note: {rule.warning}")
    _finish(collection, answers, asked, common, chart, chosen, output)


def _measures(given: Sequence[str], keep: str) -> list[str]:
    """One measure, or two."""
    from irgauge.scoring.measures import parse_measures

    measures = [str(one) for one in parse_measures(given)]
    if len(measures) > 2:
        raise InputError(
            f"the partition method is asked of one measure, or of two side by side, not of {len(measures)}"
        )
    if len(measures) == 2 and keep != "all":
        raise InputError(
            f"--keep-systems {keep} keeps the best by one measure, and there are two; leave it out, or name one measure"
        )
    return measures


def _lengths(given: str | None, *, wanted: bool) -> tuple[int, ...]:
    return tuple(terminal.numbers(given or _LENGTHS)) if wanted or given is not None else ()


def _check_together(asked: _Asked, keep: str, *, interactions: bool) -> None:
    """Refuse options that do not go together."""
    if asked.tests and not interactions:
        raise InputError("the tests side by side are of the model with interactions; leave out --no-interactions")
    if asked.groups is not None and keep != "all":
        raise InputError(f"--groups compares with the model of all systems; leave out --keep-systems {keep}")
    if asked.groups is None and asked.skip_singles:
        raise InputError("--skip-singles is of groups; name their file with --groups FILE")


def _check_data(
    collection: Collection, measures: Sequence[str], asked: _Asked, parts: int, fill: str, keep: str
) -> None:
    """Refuse before any long work what these data cannot answer."""
    from irgauge.studies.measurement import kept_count
    from irgauge.studies.splits import check_parts, check_split

    kept = kept_count(keep, len(collection.systems))
    if kept < 2:
        raise DesignError(f"a pair is two systems, and there is {kept}; give more runs, or keep more")
    for system in asked.pair or ():
        _check_known(system, collection.systems)
    if asked.pair is not None and asked.pair[0] == asked.pair[1]:
        raise InputError(f"--pair names {asked.pair[0]} twice; name two systems")
    for measure in measures:
        for count in dict.fromkeys((parts, *(_PARTS if asked.tests else ()))):
            check_split(collection, measure, count, fill)
        _check_lengths(collection, measure, asked.lengths, fill)
    if asked.lengths:
        check_parts(asked.lengths)
    if asked.groups is not None:
        _groups(asked.groups, collection.systems, skip_singles=asked.skip_singles)


def _check_lengths(collection: Collection, measure: str, counts: Sequence[int], fill: str) -> None:
    from irgauge.studies.splits import check_split

    try:
        for count in counts:
            check_split(collection, measure, count, fill)
    except DesignError as error:
        raise DesignError(f"--lengths: {error}; --lengths-of 2,3 chooses numbers of parts") from None


def _check_known(system: str, systems: Sequence[str]) -> None:
    if system not in systems:
        near = get_close_matches(system, systems, n=1, cutoff=0.0)[0]
        raise DesignError(f"--pair: the system '{system}' is unknown; did you mean '{near}'?")


def _groups(path: Path, systems: Sequence[str], *, skip_singles: bool) -> dict[str, str]:
    """The group of each system; an error names the line of the first system that is wrong."""
    from irgauge.studies.related_runs import grouped, read_groups

    groups = read_groups(path)
    try:
        grouped(groups, systems, "leave out" if skip_singles else "refuse")
    except DesignError as error:
        line = _line(path, _first_wrong(groups, systems))
        raise InputError(str(error), path=str(path), line=line) from None
    return groups


def _first_wrong(groups: Mapping[str, str], systems: Sequence[str]) -> str:
    """The first system that is unknown, or else alone in its group."""
    members = list(groups.values())
    unknown = [system for system in groups if system not in systems]
    return (unknown or [system for system, group in groups.items() if members.count(group) == 1])[0]


def _line(path: Path, system: str) -> int:
    """The line that a system stands on."""
    from irgauge.files import read_bytes

    lines = read_bytes(path).tobytes().decode().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.split()[:1] == [system])


def _answer(
    collection: Collection,
    measure: str,
    asked: _Asked,
    parts: int,
    common: dict[str, Any],
    many: dict[str, Any],
    *,
    interactions: bool,
    quiet: bool,
) -> Answer:
    """All that is asked of one measure."""
    from irgauge.present.partition_findings import Answer
    from irgauge.present.partitions import levels
    from irgauge.studies.partition_tests import compare_tests
    from irgauge.studies.partitions import partitions
    from irgauge.studies.related_runs import related_runs
    from irgauge.studies.splits import interval_lengths

    side_by_side = lengths = related = None
    with terminal.progress(f"{measure}: splits", quiet=quiet) as progress:
        if asked.tests:
            tested = {name: value for name, value in common.items() if name != "alpha"}
            side_by_side = compare_tests(
                collection,
                measure,
                parts=tuple(dict.fromkeys((parts, *_PARTS))),
                levels=levels(common["alpha"]),
                correction=asked.correction,
                progress=progress,
                **many,
                **tested,
            )
            found = side_by_side.many
        else:
            found = partitions(
                collection, measure, parts=parts, interactions=interactions, progress=progress, **many, **common
            )
    if asked.lengths:
        lengths = interval_lengths(collection, measure, parts=asked.lengths, keep=many["keep"], **common)
    if asked.groups is not None:
        groups = _groups(asked.groups, collection.systems, skip_singles=asked.skip_singles)
        singles: Any = "leave out" if asked.skip_singles else "refuse"
        related = related_runs(collection, measure, groups, singles=singles, parts=parts, **common)
    return Answer(found, collection.precision, side_by_side, lengths, related)


def _finish(
    collection: Collection,
    answers: Sequence[Answer],
    asked: _Asked,
    common: dict[str, Any],
    chart: Path | None,
    form: str,
    output: Path | None,
) -> None:
    """Draw, then print or write."""
    from irgauge.present import partitions as presented
    from irgauge.present.partition_findings import findings
    from irgauge.present.partition_object import partition_json

    found = answers[0].found
    better, worse = asked.pair or found.nearest
    for system in (better, worse):
        if system not in found.systems:
            raise DesignError(f"--pair: '{system}' is not among the {len(found.systems)} systems kept; keep more")
    overlap = found.overlap(better, worse)
    if chart is not None:
        _draw(collection, answers, asked, common, overlap, chart)
    terminal.show(
        form,
        output,
        lambda: [presented.pair_table(answers)] if form == "csv" else presented.partition_tables(answers),
        lambda: partition_json(answers, overlap),
        findings=lambda: findings(answers),
    )


def _draw(
    collection: Collection,
    answers: Sequence[Answer],
    asked: _Asked,
    common: dict[str, Any],
    overlap: Overlap,
    chart: Path,
) -> None:
    from irgauge.present import partition_charts, partition_matrices
    from irgauge.studies.splits import interval_lengths

    first = answers[0]
    found = first.found
    if asked.chart_of == "densities":
        terminal.draw(chart, lambda _: partition_charts.densities(found, overlap))
    elif asked.chart_of == "agreement":
        terminal.draw(chart, lambda _: partition_matrices.agreement([answer.found for answer in answers]))
    elif asked.chart_of == "decisions" and first.tests is not None:
        tests = first.tests
        terminal.draw(chart, lambda _: partition_matrices.decisions(tests))
    else:
        lengths = interval_lengths(collection, found.measure, parts=[found.parts], keep=found.kept, **common)
        terminal.draw(chart, lambda _: partition_charts.effects(lengths))
