"""Matrices of the partition method, a cell for each pair of systems: decisions of tests, agreement of splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import altair as alt
import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.errors import DesignError
from irgauge.inference.corrections import any_correction
from irgauge.inference.facts import draws
from irgauge.provenance import Provenance
from irgauge.replicates.facts import measures
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, level_axis, scale, tips
from irgauge.show.verdicts import SHORT
from irgauge.show.words import best_note, capital, counted, listed, percent
from irgauge.studies.partition.side_by_side import ONE_SIDED, UNPAIRED, PairTest, SideBySide
from irgauge.studies.partition.splits import Splits
from irgauge.studies.partition.study import Partitioned

_AGREED = "#eef1f4"
_DISAGREED = ("#b3d6ef", "#2f7ab5", "#071a30")  # from little to much
_STEPS = 12  # so many levels of disagreement have a colour each; of more, a gradient
_INSIDE = 20  # from so many systems on a legend fits into the empty half of a matrix
# which of three tests find a pair different, as the sum of 1, 2 and 4: the usual cases pale, the odd ones loud
_SETS = {
    0: style.NOT_DIFFERENT,
    7: "#d3e4f1",
    6: "#7fb2d9",
    4: "#0b4f8a",
    2: "#e69f00",
    1: "#d55e00",
    3: "#009e73",
    5: "#cc79a7",
}
_HALVES = ("above the diagonal", "below it")
Trio = Sequence[PairTest]


def decisions(result: Partitioned, measure: str | None = None) -> Figure:
    """Which tests find each pair different."""
    tests = result.of(measure).tests
    if tests is None:
        raise DesignError("the chart of decisions is of tests side by side; ask for tests too")
    return decision_matrix(tests)


def decision_matrix(tests: SideBySide) -> Figure:
    """Which tests find each pair different, three in a matrix (Voorhees et al., Fig. 4 and 5)."""
    trios, side = _trios(tests), _side(len(tests.systems))
    panels = [_set_panel(tests, trio, side) for trio in trios]
    return Figure(
        alt.hconcat(*panels, spacing=30).resolve_scale(color="independent"),
        _decisions_title(tests, trios[0]),
        _decisions_caption(tests, trios),
        width=len(panels) * (max(side, 320) + 110),
        provenance=_decisions_provenance(tests),
        alternative="A matrix of cells, one for each pair of systems, coloured by the tests that find it different.",
    )


def _decisions_provenance(tests: SideBySide) -> Provenance:
    names = ("p", "alpha", "measures", "systems", "topics", "missing", "seed")
    return Provenance.of(draws(tests.draws), tests.many.provenance.only(*names))


def _trios(tests: SideBySide) -> list[Trio]:
    """Two tests over topics and one split; then one test over topics and splits into two numbers of parts."""
    splits, drawn = tests.of_kind("split"), tests.test(ONE_SIDED)
    first = (tests.test(UNPAIRED), drawn, splits[0])
    return [first] if len(splits) < 2 else [first, (drawn, *splits[:2])]


def _side(n: int) -> int:
    """The side of a matrix: whole pixels for a cell, so that no seams show."""
    return n * max(1, min(48, 560 // n))


def _set_panel(tests: SideBySide, trio: Trio, side: int) -> alt.Chart:
    masks = _masks(tests, trio, 1), _masks(tests, trio, -1)
    counts = _cell_counts(masks)
    names = {mask: f"{_set_name(trio, mask)}: {counts[mask]:,}" for mask in _SETS}
    colours = {names[mask]: colour for mask, colour in _SETS.items() if counts[mask]}
    n = len(tests.systems)
    by = "" if n <= style.NAMED else ", by rank"
    chart = alt.Chart(data(_set_rows(tests, masks, names))).mark_rect()
    return chart.encode(
        x=alt.X(**level_axis(tests.systems, f"the better mean{by}", fields=("better", "better_rank"))),
        y=alt.Y(**level_axis(tests.systems, f"the worse mean{by}", fields=("worse", "worse_rank"), angle=0)),
        color=alt.Color("tests:N", scale=scale(colours), legend=_legend("different by", n, side)),
        opacity=style.fading("better", "worse"),
        tooltip=tips("better:N", "worse:N", "tests:N"),
    ).properties(width=side, height=side)


def _cell_counts(masks: tuple[Ints, Ints]) -> list[int]:
    """How many cells there are of each set of tests, as `_set_rows` draws them."""
    ahead, against = masks
    cells = np.concatenate((ahead[(ahead > 0) | (against == 0)], against[against > 0]))
    counts: list[int] = np.bincount(cells, minlength=8).tolist()
    return counts


def _masks(tests: SideBySide, trio: Trio, sign: int) -> Ints:
    """Which of the tests say that one system of the pair is better, the first (1) or the second (-1): 1, 2 and 4."""
    says = [test.decisions(tests.levels[0]) == sign for test in trio]
    return np.sum([is_better.astype(np.int64) << i for i, is_better in enumerate(says)], axis=0, dtype=np.int64)


def _set_name(trio: Trio, mask: int) -> str:
    if mask in (0, 7):
        return "all three" if mask else "none"
    names = [test.short for i, test in enumerate(trio) if mask >> i & 1]
    return names[0] + " only" if len(names) == 1 else " and ".join(names)


def _set_rows(tests: SideBySide, masks: tuple[Ints, Ints], names: Mapping[int, str]) -> Iterator[Row]:
    """A cell for each pair, the better system on the whole corpus to the side; another where tests say the opposite."""
    columns = (tests.first.tolist(), tests.second.tolist(), masks[0].tolist(), masks[1].tolist())
    for first, second, ahead, against in zip(*columns, strict=True):
        if ahead or not against:
            yield _cell(tests.systems, first, second) | {"tests": names[ahead]}
        if against:
            yield _cell(tests.systems, second, first) | {"tests": names[against]}


def _cell(systems: Sequence[str], better: int, worse: int) -> Row:
    return {
        "better": systems[better],
        "worse": systems[worse],
        "better_rank": better + 1,
        "worse_rank": worse + 1,
    }


def _legend(title: str, n: int, side: int, *, x: float = 0.42, y: float = 0.02) -> alt.Legend:
    """A legend in the empty half of a matrix, or beside it if that is small."""
    if n < _INSIDE:
        return alt.Legend(title=title)
    return alt.Legend(title=title, orient="none", legendX=round(x * side), legendY=round(y * side))


def _decisions_title(tests: SideBySide, trio: Trio) -> str:
    masks = _masks(tests, trio, 1) | _masks(tests, trio, -1)
    counts, pairs = np.bincount(masks, minlength=8).tolist(), len(masks)
    names = capital(listed([test.short for test in trio]))
    return (
        f"{names} all have an adjusted p ≤ {tests.levels[0]:g} in {counts[7]:,} of {counted(pairs, 'pair')} in "
        f"{tests.measure}; {trio[2].short} alone in another {counts[4]:,}"
    )


def _decisions_caption(tests: SideBySide, trios: Sequence[Trio]) -> tuple[str, ...]:
    shown = {test.name: test for trio in trios for test in trio}.values()
    topics, parts = (
        ", ".join(f"{test.name} ({any_correction(test.correction).title})" for test in shown if test.kind == kind)
        for kind in ("topics", "split")
    )
    population = tests.many.population
    return (
        "A cell says which tests find the system of its column better than that of its row; systems stand by their "
        "means on the whole corpus, so that a cell above the diagonal is against their order.",
        f"Population topics: {topics}. Population {population} ({SHORT[population]}): {parts}, one split each.",
    )


def agreement(result: Partitioned, measure: str | None = None, best: int | None = None) -> Figure:
    """How far the splits disagree on each pair, of two measures one in each half of the matrix."""
    chosen = result.measures if measure is None else (result.of(measure),)
    return agreement_matrix([claims.splits for claims in chosen], best)


def agreement_matrix(results: Sequence[Splits], best: int | None = None) -> Figure:
    """How far the splits disagree on each pair, a measure in each half of the matrix (Voorhees et al., Fig. 6).

    Of the best systems by the first measure only, if asked for; the title is that of all.
    """
    order = results[0].systems[: best or len(results[0].systems)]
    n, side = len(order), _side(len(order))
    rows = (row for half, result in enumerate(results) for row in _agreement_rows(result, order, half))
    axis = f"system by mean {results[0].measure}{'' if n <= style.NAMED else ', by rank'}"
    base = alt.Chart(data(rows)).encode(
        x=alt.X(**level_axis(order, axis, fields=("column", "column_rank"))),
        y=alt.Y(**level_axis(order, axis, fields=("row", "row_rank"), angle=0)),
        opacity=style.fading("row", "column"),
        tooltip=tips("row:N", "column:N", "measure:N", "splits:N"),
    )
    beside = len(results) > 1 or n < _INSIDE
    legend = alt.Legend(title="splits") if beside else _legend("splits", n, side, x=0.06, y=0.6)
    cells = base.mark_rect().encode(color=_agreement_colour(results, legend))
    facts = results[0].provenance | measures(tuple(result.measure for result in results))
    return Figure(
        layered(cells, *_corners(results, n)).properties(width=side, height=side),
        _agreement_title(results),
        (_agreement_caption(results), *best_note(n, len(results[0].systems))),
        width=max(side, 340) + 120,
        provenance=facts,
        alternative="A triangle of cells, one for each pair of systems; those that stand out are pairs that splits "
        "decide differently.",
    )


def _agreement_rows(result: Splits, order: Sequence[str], half: int) -> Iterator[Row]:
    """The cells above the diagonal (half 0) or below it (half 1), in the order of systems given."""
    minority, splits = result.matrix(result.minority(), order), len(result.splits)
    for better in range(len(order)):
        for worse in range(better + 1, len(order)):
            row, column = (better, worse) if half == 0 else (worse, better)
            few = int(minority[row, column])
            yield {
                "row": order[row],
                "column": order[column],
                "row_rank": row + 1,
                "column_rank": column + 1,
                "measure": result.measure,
                "minority": few,
                "splits": f"{few}:{splits - few}",
            }


def _agreement_colour(results: Sequence[Splits], legend: alt.Legend) -> alt.Color:
    names = list(dict.fromkeys(str(level) for result in results for level in result.levels()))
    if len(names) <= _STEPS:
        ramp = _ramp(len(names) - 1)
        return alt.Color("splits:N", scale=scale(dict(zip(names, (_AGREED, *ramp), strict=True))), legend=legend)
    return alt.Color(
        "minority:Q", scale=alt.Scale(range=[_AGREED, *_DISAGREED]), legend=alt.Legend(title="splits in the minority")
    )


def _ramp(steps: int) -> list[str]:
    """Colours from little disagreement to much."""
    anchors = [[int(colour[i : i + 2], 16) for colour in _DISAGREED] for i in (1, 3, 5)]  # red, green, blue
    places = np.linspace(0, len(_DISAGREED) - 1, steps) if steps > 1 else np.full(steps, 1.0)
    mixed = [np.rint(np.interp(places, range(len(_DISAGREED)), anchor)).astype(int) for anchor in anchors]
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in zip(*mixed, strict=True)]


def _corners(results: Sequence[Splits], n: int) -> list[alt.Chart]:
    """The measures, in the corners of their halves, where there is room."""
    if len(results) < 2 or n < _INSIDE:
        return []
    corners = []
    for result, is_upper in zip(results, (True, False), strict=True):
        text = alt.Chart(data([{"measure": result.measure}])).encode(text=alt.Text("measure:N"))
        dx, dy = (-8, 14) if is_upper else (8, -14)
        mark = text.mark_text(
            align="right" if is_upper else "left", dx=dx, dy=dy, fontSize=14, fontWeight="bold", color=style.INK
        )
        x, y = ("width", 0) if is_upper else (0, "height")  # of the chart, however a page fits it
        corners.append(mark.encode(x=alt.XValue(x), y=alt.YValue(y)))
    return corners


def _agreement_title(results: Sequence[Splits]) -> str:
    shares = [f"{percent(result.levels()[0].share)} of pairs in {result.measure}" for result in results]
    return f"{counted(len(results[0].splits), 'split')} decide {' and '.join(shares)} alike"


def _agreement_caption(results: Sequence[Splits]) -> str:
    places = ["above the diagonal"] if len(results) == 1 else _HALVES
    halves = ", ".join(f"{result.measure} {place}" for result, place in zip(results, places, strict=True))
    return (
        f"A cell is a pair of systems, {halves}. The more it stands out, the more splits disagree with the majority "
        f"(one system is better, the other is, or neither)."
    )
