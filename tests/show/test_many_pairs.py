"""Pairs on a page: all of many systems, those of the best of very many."""

from __future__ import annotations

import pytest

from irgauge.show import abridged
from irgauge.show.abridged import of_best
from irgauge.show.table import Column, Table


def pairs(systems: int) -> Table:
    """All pairs of systems s0, s1, ..., best first, in an order of their own."""
    names = [f"s{i}" for i in range(systems)]
    every = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    firsts, seconds = zip(*every[::-1], strict=True)
    cells = {"system": firsts, "against": seconds, "p": (0.5,) * len(every)}
    return Table.of_columns("pairs", "Pairs", cells, [Column("system"), Column("against"), Column("p")], ["A note."])


def test_a_page_holds_the_pairs_of_the_best_of_very_many_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abridged, "_ALL", 6)
    monkeypatch.setattr(abridged, "_BEST", 3)
    assert of_best(pairs(6)) == pairs(6)
    cut = of_best(pairs(7))
    assert cut.rows == (("s1", "s2", 0.5), ("s0", "s2", 0.5), ("s0", "s1", 0.5))
    assert cut.title == pairs(7).title
    more = "Here are the pairs of the best 3 of 7 systems; the command that compares them has all."
    assert cut.notes == ("A note.", more)


def test_all_pairs_of_500_systems_are_on_the_page() -> None:
    assert of_best(pairs(500)) == pairs(500)
    assert len(of_best(pairs(501)).rows) == 300 * 299 / 2
