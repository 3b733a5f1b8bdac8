"""The pictures of the tutorials, of the data that each uses; python -m website.tutorials writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import irgauge
from irgauge.reading.collection import Collection
from irgauge.scoring.scores import score
from irgauge.studies.compare.reasons import Against
from website.pictures import DOCS
from website.teaching import INK, OUTSIDE, RELEVANT, TOP, drawing, text, ticks

MEASURE = "nDCG@10"
LEFT, WIDE = 90, 204  # pixels of names, and of an axis
BAND = "#e3efe6"  # of the margin


class Row(NamedTuple):
    """A difference with its interval."""

    name: str
    difference: float
    low: float
    high: float
    colour: str
    margin: float = 0.0
    said: str = ""  # behind it


def track() -> Collection:
    """What the first tutorial simulates."""
    return irgauge.simulate(systems=59, families=12, topics=54, depth=100, corpus_size=100_000, seed=2020).collection()


def better(data: Collection) -> str:
    """The differences of two systems on topics, sorted."""
    values = score(data["F02-3", "F06-1"], [MEASURE]).values[0, :, :, 0]  # topic, system
    gains = sorted((values[:, 0] - values[:, 1]).tolist(), reverse=True)
    step, height, zero = 6, 130, 170
    bars = [
        f'<rect x="{i * step}" y="{zero - max(gain, 0) * height:.1f}" width="{step - 2}" '
        f'height="{abs(gain) * height:.1f}" fill="{RELEVANT if gain > 0 else TOP}"/>'
        for i, gain in enumerate(gains)
    ]
    words = titled(f"difference in {MEASURE}, F02-3 − F06-1", "a bar is a topic, blue where F02-3 is better")
    axis = f'<path d="M0 {zero}H{step * len(gains)}" stroke="{INK}"/>'
    ends = [text(8, zero - 104, f"{gains[0]:.2f}"), text(step * len(gains) + 6, zero + 34, f"−{-gains[-1]:.2f}")]
    return drawing("Differences on topics", [*words, *bars, axis, *ends], 220)


def ship(data: Collection) -> str:
    """Three gates: passed, failed, undecided."""
    colours = {"pass": "#228833", "fail": TOP, "undecided": OUTSIDE}
    rows = []
    for baseline, candidate, margin in (("F08-4", "F08-5", "10%"), ("F02-3", "F06-1", "10%"), ("F08-4", "F08-5", "5%")):
        result = irgauge.gate(data, baseline, candidate, MEASURE, margin=margin)
        (found,) = result.frame().to_dicts()
        ends = ("margin_low", "margin_high") if result.verdict == "pass" else ("low", "high")
        colour = colours[result.verdict]
        interval = (found[ends[0]], found[ends[1]])
        rows.append(Row(candidate, found["difference"], *interval, colour, found["margin"], result.verdict))
    return forest(f"difference in {MEASURE} from the baseline", "green: less than the margin", rows, 30)


def of_track(data: Collection) -> str:
    """Every system against the best."""
    compared = irgauge.compare(data, MEASURE).first
    comparison, top = compared.comparison, set(compared.comparison.top_group)
    rows = [
        Row(each.system, each.difference, each.low, each.high, TOP if each.system in top else OUTSIDE)
        for each in Against.best(compared, comparison)
    ]
    return forest(f"difference in {MEASURE} from {comparison.systems[0]}, the best", "orange: the top group", rows, 14)


def random() -> str:
    """Random searches against the exhaustive one."""
    data = irgauge.simulate(topics=54, instances=10, depth=100).collection()
    pattern = ("{algorithm}.{instance}", "{algorithm}")
    result = irgauge.instances(data, MEASURE, pattern=pattern, baseline="exhaustive", margin=0.03, posterior=False)
    rows = [
        Row(each["system"], each["difference"], each["low"], each["high"], RELEVANT, 0.03, each["verdict"])
        for each in result.frame().to_dicts()
    ]
    return forest(
        f"difference in {MEASURE} from the exhaustive search", "green: less than the margin of 0.03", rows, 30
    )


def titled(title: str, key: str) -> Sequence[str]:
    """What is drawn, and what its colours mean."""
    return text(0, 14, title), text(0, 32, key)


def forest(title: str, key: str, rows: Sequence[Row], line: int) -> str:
    """Differences with their intervals, one below the other."""
    ends = [end for row in rows for end in (row.low, row.high, row.margin, -row.margin)]
    least, span = min(ends), max(ends) - min(ends)

    def at(value: float) -> float:
        return LEFT + WIDE * (value - least) / span

    height = 48 + line * len(rows)
    parts = [*titled(title, key)]
    for number, row in enumerate(rows):
        parts += _row(row, 48 + line * number, line, [at(each) for each in (row.low, row.difference, row.high)])
        if row.margin:
            wide = at(row.margin) - at(-row.margin)
            band = f'<rect x="{at(-row.margin):.1f}" y="{42 + line * number}" width="{wide:.1f}" height="{line - 4}"'
            parts.insert(1, f'{band} fill="{BAND}"/>')
    parts.append(f'<path d="M{at(0):.1f} 40V{height}" stroke="{INK}" stroke-dasharray="4 3"/>')
    parts += ticks(at, least, least + span, height + 14)
    return drawing(title, parts, height + 24)


def _row(row: Row, top: float, line: int, places: Sequence[float]) -> Iterator[str]:
    y, (low, middle, high) = top + line / 2 - 8, places
    yield text(0, y + 4, row.name, "" if line > 20 else 'font-size="12"')
    yield f'<path d="M{low:.1f} {y:g}H{high:.1f}" stroke="{row.colour}" stroke-width="3"/>'
    yield f'<circle cx="{middle:.1f}" cy="{y:g}" r="4" fill="{row.colour}"/>'
    yield text(LEFT + WIDE + 8, y + 4, row.said)


def made() -> Mapping[str, str]:
    """The pictures by the names of their files."""
    data = track()
    return {"better.svg": better(data), "ship.svg": ship(data), "track.svg": of_track(data), "random.svg": random()}


if __name__ == "__main__":
    for name, content in made().items():
        (DOCS / "tutorials" / name).write_text(content, encoding="utf-8")
