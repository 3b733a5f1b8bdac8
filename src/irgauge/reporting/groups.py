"""The teams of a report: groups of its systems, each of which may be a single run."""

from __future__ import annotations

from collections.abc import Sequence

from irgauge.reading.groups import Grouping


def teams(given: Grouping | None, systems: Sequence[str]) -> Grouping | None:
    """The groups, if they fit the systems; a system that they do not name must not be called as a team is."""
    if given is None:
        return None
    given.check(systems)
    members = {group: system for system, group in given.groups.items()}
    for system in systems:
        if system not in given.groups and system in members:
            raise given.error(
                f"'{system}' is a team, and a system without a team, which would be a team of its own; say which team "
                f"the system '{system}' belongs to",
                members[system],
            )
    return given
