"""Labels beside a chart, moved apart so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence


def apart(places: Sequence[float], least: float, most: float) -> list[float]:
    """The places of labels, at least so far apart, as near as they can be to where they belong, from 0 to most.

    >>> apart([50.0, 50.0, 10.0], 4.0, 100.0)
    [52.0, 48.0, 10.0]
    >>> apart([99.0, 100.0], 10.0, 100.0)
    [90.0, 100.0]
    """
    order = sorted(range(len(places)), key=lambda i: (places[i], -i))
    blocks: list[tuple[float, int]] = []  # the lowest place of labels that touch, and their number
    for i in order:
        blocks.append((places[i], 1))
        while len(blocks) > 1 and blocks[-2][0] + blocks[-2][1] * least > blocks[-1][0]:
            (low, count), (high, more) = blocks[-2:]
            centre = (low * count + (high - count * least) * more) / (count + more)
            blocks[-2:] = [(_within(centre, count + more, least, most), count + more)]
        blocks[-1] = (_within(*blocks[-1], least, most), blocks[-1][1])
    lowest = [low + k * least for low, count in blocks for k in range(count)]
    found = dict(zip(order, lowest, strict=True))
    return [found[i] for i in range(len(places))]


def _within(low: float, count: int, least: float, most: float) -> float:
    return max(0.0, min(low, most - (count - 1) * least))
