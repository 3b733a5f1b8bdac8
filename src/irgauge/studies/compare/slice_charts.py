"""Kinds of topics as a forest: every pair on all topics and on every kind, with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt

from irgauge.errors import DesignError
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure, below_each_other
from irgauge.show.ratios import axis_of, difference_of, is_ratio, plain_name
from irgauge.show.style import data, layered, scale, tips
from irgauge.show.words import counted, listed, lower_told, percent
from irgauge.studies.compare.records import pair_records
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.tested import slice_records

_WIDE, _ROW = 480, 22  # pixels of a chart and of a row
_MOST, _TOLD = 12, 4  # pairs that are drawn, and kinds that a title names
_ALL = "all topics"
_NAMES = "split(datum.label, '\\n')[1] || split(datum.label, '\\n')[0]"  # of a kind, or of the pair above its kinds
_IS_PAIR: dict[str, Any] = {"test": "!split(datum.value, '\\n')[1]", "value": "bold"}
_TURNED = {"better": "worse", "worse": "better", "not better": "not worse", "not worse": "not better"}
_Rows = Sequence[Mapping[str, Any]]


def slices(result: Compared, best: int | None = None, measure: str | None = None) -> Figure:
    """A forest: below each pair a row for all topics and for each kind, with its interval, coloured by its verdict."""
    chosen = result.each if measure is None else (result.of(measure),)
    figures, names = [forest(compared, best) for compared in chosen], [compared.measure for compared in chosen]
    return below_each_other(figures, f"Kinds of topics by {listed(names)}", result.provenance, names=names)


def forest(compared: MeasureCompared, best: int | None) -> Figure:
    """The same by one measure: pairs with the baseline, else with the best system; of many those of the best."""
    if not compared.sliced.slices:
        raise DesignError("there are no kinds of topics to draw; name a column of topics by 'by'")
    every, first = list(_rows(compared)), compared.comparison
    pairs = dict.fromkeys(row["pair"] for row in every)
    own = [row for row in every if first.baseline or first.systems[0] in (row["system"], row["against"])]
    near = [row for row in own if best is None or max(row["ranks"]) <= best]
    shown = list(dict.fromkeys(row["pair"] for row in near))[:_MOST]
    rows = [row for pair in shown for row in near if row["pair"] == pair]
    names = [name for pair in shown for name in (pair, *(row["line"] for row in rows if row["pair"] == pair))]
    which = f"those with {first.baseline or first.systems[0]} that are best"
    return Figure(
        layered(*_marks(compared, rows, names)).properties(width=_WIDE, height=_ROW * len(names) + 10),
        _title(compared, every, len(pairs)),
        (
            f"{percent(first.confidence)} intervals, of kinds for all kinds and pairs together; "
            "numbers of topics in brackets.",
            *([f"Shown: {len(shown)} of {counted(len(pairs), 'pair')}, {which}."] if len(shown) < len(pairs) else []),
        ),
        width=_WIDE + 320,
        provenance=compared.provenance,
        alternative="Pairs on kinds of topics, each with its interval, coloured by its verdict.",
    )


def _marks(compared: MeasureCompared, rows: _Rows, names: Sequence[str]) -> Iterator[alt.Chart]:
    seen = {row["verdict"] for row in rows}
    colours = {verdict: colour for verdict, colour in verdicts.COLOURS.items() if verdict in seen}
    axis = alt.Axis(
        title=None,
        ticks=False,
        labelLimit=1.4 * style.LONGEST,
        labelExpr=_NAMES,
        labelFontWeight={"condition": _IS_PAIR, "value": "normal"},
        labelOverlap=False,
        grid=False,
    )
    base = alt.Chart(data(dict(row) | {"ranks": None} for row in rows)).encode(
        y=alt.Y("line:N", scale=alt.Scale(domain=list(names)), axis=axis),
        color=alt.Color("verdict:N", scale=scale(colours)),
        opacity=style.fading("system"),
        tooltip=tips("slice:N", "n:Q", "system:N", "difference:Q", "low:Q", "high:Q", "p_adjusted:Q", "verdict:N"),
    )
    title = f"{difference_of(compared.measure)}{lower_told(compared.direction)}"
    x = alt.X("low:Q", title=title, axis=axis_of(compared.measure))
    yield alt.Chart(data([{}])).mark_rule(color=style.INK).encode(x=alt.XDatum(0))
    yield base.mark_rule(strokeWidth=3).encode(x=x, x2=alt.X2("high:Q"))
    yield base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("difference:Q"))


def _title(compared: MeasureCompared, rows: _Rows, pairs: int) -> str:
    """How many pairs differ on all topics, and on each kind; of many kinds, on any of them."""
    baseline = compared.comparison.baseline
    counts = dict.fromkeys((row["slice"] for row in rows), 0)
    for row in rows:
        counts[row["slice"]] += row["verdict"] == "better" or (baseline is None and row["verdict"] == "worse")
    all_topics = counts.pop(_ALL)
    kinds = [f"{count:,} on {kind}" for kind, count in counts.items()]
    if len(kinds) > _TOLD:
        kinds = [f"some on {sum(map(bool, counts.values()))} of {len(kinds)} kinds"]
    of = f"{counted(pairs, 'system')}, better than {baseline}" if baseline else f"{counted(pairs, 'pair')}, different"
    return f"Of {of} in {plain_name(compared.measure)}: {listed([f'{all_topics:,} on {_ALL}', *kinds])}"


def _rows(compared: MeasureCompared) -> Iterator[dict[str, Any]]:
    """Pairs on all topics first, then on each kind, each with the better system on all topics first."""
    is_of_ratios, first = is_ratio(compared.measure), compared.comparison
    rank = {system: i for i, system in enumerate(first.systems, 1)}
    every = [record | {"column": "", "slice": _ALL} for record in pair_records(compared)]
    records = [*every, *slice_records(compared.measure, compared.sliced.slices)]
    several = len({record["column"] for record in records}) > 2  # of which two may have kinds of one name
    for record in records:
        ranks = rank[record["system"]], rank[record["against"]]
        if first.baseline is None and ranks[0] > ranks[1]:
            record = _turned(record)
        kind = f"{record['column']} {record['slice']}" if several and record["column"] else record["slice"]
        pair = f"{record['system']} {'/' if is_of_ratios else '−'} {record['against']}"
        line = f"{pair}\n{kind} ({record['n']})"
        yield record | {"slice": kind, "ranks": ranks, "pair": pair, "line": line}


def _turned(record: Mapping[str, Any]) -> dict[str, Any]:
    """The other system of a pair first; differences of ratios are their logarithms."""
    verdict = record["verdict"]
    return dict(record) | {
        "system": record["against"],
        "against": record["system"],
        "difference": -record["difference"],
        "low": -record["high"],
        "high": -record["low"],
        "verdict": _TURNED.get(verdict, verdict),
    }
