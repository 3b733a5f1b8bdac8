"""All entries, paper by paper."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from irgauge.errors import InputError
from irgauge.papers.entry import Entry


@cache
def entries() -> Mapping[str, Entry]:
    """Every table and figure, by its name."""
    from irgauge.papers import (
        ferro_kim_sanderson_2019,
        ferro_sanderson_2019,
        jayasinghe_2014,
        jayasinghe_2014_lab,
        voorhees_2017,
        zobel_rashidi_2020,
    )

    papers = (
        ferro_sanderson_2019,
        ferro_kim_sanderson_2019,
        voorhees_2017,
        zobel_rashidi_2020,
        jayasinghe_2014,
        jayasinghe_2014_lab,
    )
    return {entry.name: entry for paper in papers for entry in paper.ENTRIES}


def named(names: list[str]) -> tuple[Entry, ...]:
    """The entries of these names; all of a paper if its name stands alone, all of all papers for no name."""
    chosen = [entry for name in names for entry in _one(name)] if names else list(entries().values())
    return tuple(dict.fromkeys(chosen))


def _one(name: str) -> list[Entry]:
    known = entries()
    matches = [entry for key, entry in known.items() if name in (key, key.partition("/")[0])]
    if not matches:
        papers = ", ".join(dict.fromkeys(key.partition("/")[0] for key in known))
        raise InputError(
            f"'{name}' is no table or figure; name a paper ({papers}) or one of its tables, such as {next(iter(known))}"
        )
    return matches
