"""Groups of systems, such as the runs of one team: a mapping from systems to groups, or a file of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from irgauge.errors import DesignError, InputError

Groups = str | os.PathLike[str] | Mapping[str, str]  # a file with `system group` on each line, or a mapping
_NAMED = 5  # names in an error


@dataclass(frozen=True)
class Grouping:
    """The group of each system that has one, and the file that says so."""

    groups: Mapping[str, str]  # system -> group
    path: str | None = None

    @classmethod
    def of(cls, groups: Groups) -> Grouping:
        """Groups as they are given."""
        if isinstance(groups, Mapping):
            return cls({str(system): str(group) for system, group in groups.items()})
        return cls(read_groups(groups), str(groups))

    def check(self, systems: Iterable[str]) -> None:
        """Refuse groups of systems that there are not."""
        known = set(systems)
        unknown = [system for system in self.groups if system not in known]
        if unknown:
            verb = "is" if len(unknown) == 1 else "are"
            named = some_named(sorted(unknown), "system")
            message = f"the groups name {named} that {verb} not among the runs; remove what is not"
            raise self.error(message, unknown[0])

    def as_teams(self, systems: Sequence[str]) -> Grouping:
        """The groups, if they fit the systems; a system that they do not name must not be called as a team is."""
        self.check(systems)
        members = {group: system for system, group in self.groups.items()}
        for system in systems:
            if system not in self.groups and system in members:
                raise self.error(
                    f"'{system}' is a team, and a system without a team, which would be a team of its own; say which "
                    f"team the system '{system}' belongs to",
                    members[system],
                )
        return self

    def error(self, message: str, system: str | None = None) -> DesignError | InputError:
        """What is wrong with the groups; in a file, with the line of a system."""
        if self.path is None:
            return DesignError(message)
        return InputError(message, path=self.path, line=None if system is None else _line(self.path, system))


def read_groups(path: str | os.PathLike[str]) -> dict[str, str]:
    """The group of each system, from a file with `system group` on each line."""
    from irgauge.files.opening import read_bytes
    from irgauge.reading.textfile import TextFile
    from irgauge.reading.tokens import split_line

    file, groups = TextFile.of(str(path), read_bytes(path), has_comments=False), dict[str, str]()
    lines = file.text.tobytes().split(b"\n")
    for number, fields in enumerate(map(split_line, lines), 1):
        if len(fields) == 2:
            system, group = (field.decode() for field in fields)
            if system in groups:
                raise InputError("this system appears twice; remove one of the two", path=file.path, line=number)
            groups[system] = group
        elif fields:
            expected = "the lines above have 2; fix this line" if groups else "a file of groups has 2: system group"
            message = f"{len(fields)} column{'s' * (len(fields) != 1)} where {expected}"
            raise InputError(message, path=file.path, line=number)
    return groups


def some_named(names: Sequence[str], what: str) -> str:
    """How many, and the first few of them.

    >>> some_named(["a", "b"], "system")
    '2 systems (a, b)'
    """
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{len(names)} {what}{'s' * (len(names) != 1)} ({', '.join(names[:_NAMED])}{more})"


def _line(path: str, system: str) -> int | None:
    """The line that a system stands on; as in `tokens`, control characters are blank, and other white space is not."""
    from irgauge.files.opening import read_bytes

    starts = re.compile(rb"[\0- ]*" + re.escape(system.encode()) + rb"(?:[\0- ]|$)")
    lines = read_bytes(path).tobytes().split(b"\n")
    return next((number for number, line in enumerate(lines, 1) if starts.match(line)), None)
