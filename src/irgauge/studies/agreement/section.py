"""The part of a report that says whether measures agree on the order of systems, and its charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.page import Panel, Variant, panel
from irgauge.show.style import Row, data, layered, tips
from irgauge.show.words import counted, listed, signed
from irgauge.studies.agreement.findings import findings, pair_table, rank_table
from irgauge.studies.agreement.study import LEAST_MEASURES, LEAST_SYSTEMS, Agreement, agreement
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ran, tried

_SIDE = 380  # pixels, of the chart of two measures
_CELL = 46  # pixels, of the matrix
_LETTER, _FEW = 7.5, 8  # pixels of a letter; measures whose names stand level below cells
_LETTERED = 30  # pixels of a cell with a number
_MOST_SIDE = 700
_COLOURS = ("#f3c9a5", "#ffffff", "#a9cee9")  # of a τ of -1, 0 and 1: pale, so that text can be read on each
_TAU = "Kendall's τ: 1 where two measures order all systems alike, 0 without any relation, −1 in the reverse order."


def measures(result: Agreement) -> Figure:
    """Of two measures the systems, of more the pairs of measures."""
    return scatter(result) if len(result.measures) == 2 else matrix(result)


def scatter(result: Agreement) -> Figure:
    """The mean of each system by two measures."""
    x, y = result.measures
    rows = [_point(result, i) for i in range(len(result.systems))]
    first, second = (alt.Scale(zero=False, nice=True, padding=8) for _ in "xy")  # so that no point is cut
    base = alt.Chart(data(rows)).encode(
        x=alt.X("x:Q", title=f"mean {x}", scale=first),
        y=alt.Y("y:Q", title=f"mean {y}", scale=second),
        opacity=style.fading("system", opacity=0.8),
        size=style.growing("system", 40, 130),
        tooltip=tips(
            "system:N", "x:Q", "y:Q", "rank:O", "other_rank:O", x=x, y=y, rank=f"rank, {x}", other_rank=f"rank, {y}"
        ),
    )
    return Figure(
        base.mark_point(filled=True, color=style.DISTINCT[0]).properties(width=_SIDE, height=_SIDE),
        f"{counted(len(rows), 'system')} by {x} and {y}{_tau_of(result)}",
        ("A point is a system, by its means over topics. Were the orders the same, the points would rise all along.",),
        width=_SIDE + 120,
        provenance=result.provenance,
        alternative=f"Systems as points: mean {x} against mean {y}.",
    )


def _tau_of(result: Agreement) -> str:
    tau = result.pairs[0].tau
    return "" if tau is None else f"; Kendall's τ = {signed(tau)}"


def _point(result: Agreement, place: int) -> Row:
    system = result.systems[place]
    (x, y), (rank, other) = system.means, system.ranks
    return {"system": system.system, "rank": rank, "x": x, "y": y, "other_rank": other}


def matrix(result: Agreement) -> Figure:
    """A cell for each pair of measures, with its τ."""
    names = list(result.measures)
    cell = max(18, min(_CELL + 14, _MOST_SIDE // len(names)))
    side = cell * len(names)
    wide = max(side, round(len(names) * _LETTER * max(map(len, names)))) if len(names) <= _FEW else side
    base = alt.Chart(data(_cells(result))).encode(
        x=alt.X("across:O", scale=alt.Scale(domain=names), axis=_axis(0 if len(names) <= _FEW else -90)),
        y=alt.Y("down:O", scale=alt.Scale(domain=names), axis=_axis(0)),
        tooltip=tips("down:N", "across:N", "tau:Q", down="measure", across="other measure", tau="τ"),
    )
    scale = alt.Scale(domain=[-1, 0, 1], range=list(_COLOURS), interpolate="rgb")
    is_lettered = cell >= _LETTERED
    colour = alt.Color("tau:Q", scale=scale, legend=None if is_lettered else alt.Legend(title="Kendall's τ"))
    cells = base.mark_rect(stroke=style.GRID).encode(color=colour)
    texts = [base.mark_text(color=style.INK).encode(text=alt.Text("shown:N"))] if is_lettered else []
    return Figure(
        layered(cells, *texts).properties(width=wide, height=side),
        _matrix_title(result),
        (_TAU,),
        width=max(wide, 340) + 160,
        provenance=result.provenance,
        alternative="A matrix of measures; each cell holds Kendall's τ of two of them.",
    )


def _matrix_title(result: Agreement) -> str:
    """The measures that agree most on the order, and those that agree least."""
    systems = counted(len(result.systems), "system")
    known = sorted((pair.tau, pair.measure, pair.against) for pair in result.pairs if pair.tau is not None)
    if not known:
        return f"No two of {len(result.measures)} measures order {systems}"
    (least, *few), (most, *many) = known[0], known[-1]
    if least == most:
        return f"All {len(result.measures)} measures agree alike on the order of {systems} (τ = {signed(most)})"
    ends = f"{listed(many)} agree most (τ = {signed(most)}), {listed(few)} least ({signed(least)})"
    return f"On the order of {systems}, {ends}"


def _axis(angle: int) -> alt.Axis:
    return alt.Axis(title=None, labelAngle=angle, ticks=False, labelPadding=6, labelLimit=style.LONGEST)


def _cells(result: Agreement) -> Iterator[Row]:
    """Both halves of the matrix; a measure agrees with itself, which is not shown."""
    for pair in result.pairs:
        shown = "–" if pair.tau is None else f"{pair.tau:.2f}".replace("-", "−")
        for down, across in ((pair.measure, pair.against), (pair.against, pair.measure)):
            yield {"down": down, "across": across, "tau": pair.tau, "shown": shown}


CHARTS: Mapping[str, Callable[..., Figure]] = {"measures": measures}


def run(reporting: Reporting) -> Ran:
    """All measures together; nothing where there are too few of them, or of systems."""
    if len(reporting.measures) < LEAST_MEASURES or len(reporting.systems) < LEAST_SYSTEMS:
        return Ran(())
    result = tried(lambda: agreement(reporting.data, reporting.measures, workers=reporting.workers))
    return ran({"agreement": result})


def shown(ran: Ran, _: Reporting) -> Shown:
    """Sentences, a chart, the pairs of measures and the ranks of systems."""
    (result,) = ran.results
    return findings(result), _panels(result)


def _panels(result: Agreement) -> Iterator[Panel]:
    few = len(result.measures) == 2
    yield from panel(
        "measure-agreement",
        "Systems by both measures" if few else "How well measures agree",
        "A point is a system." if few else "A cell is a pair of measures.",
        [Variant((), measures(result))],
    )
    yield from panel(
        "measure-pairs",
        "Agreement of each pair of measures",
        "Kendall's τ between the orders of systems.",
        [Variant((), table=pair_table(result), provenance=result.provenance)],
    )
    yield from panel(
        "measure-ranks",
        "Ranks of systems by each measure",
        "Systems whose ranks differ most come first.",
        [Variant((), table=rank_table(result), provenance=result.provenance)],
    )


def methods(ran: Ran, _: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Agreement of measures",
            "The orders of systems by their means under two measures were compared by Kendall's τ-b (Kendall 1945): "
            "pairs of systems in the same order less those in the opposite one, over the geometric mean of the pairs "
            "that each measure orders. 1 is the same order, −1 the reverse. τ_AP counts the top of the orders more "
            "(Urbano and Marrero 2017). These describe the systems at hand.",
        )


PART = ReportPart(  # without a headline, as the top of the page is about systems
    with_sampling="alike",
    key="measures",
    title="Do measures agree on the order of systems?",
    run=run,
    shown=shown,
    methods=methods,
    references=("kendall-1945", "urbano-marrero-2017"),
)
