"""How a report was made: when, by which command, of which files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from irgauge.errors import InputError
from irgauge.visible import visible

FILES = "sha256 of files"  # their name among the settings
_EPOCH = "SOURCE_DATE_EPOCH"  # https://reproducible-builds.org/specs/source-date-epoch
_SHORT = 16  # digits of a fingerprint on a page


def now() -> str:
    """The time in UTC, to seconds; that of SOURCE_DATE_EPOCH where it is set, so that pages can be the same."""
    epoch = os.environ.get(_EPOCH)
    try:
        time = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError):
        raise InputError(f"{_EPOCH} is '{epoch}'; it is a number of seconds since 1970, or not set") from None
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Made:
    """When, by which command, of which files."""

    at: str = field(default_factory=now)
    command: str = "from Python"
    files: Mapping[str, str | None] = field(default_factory=dict)  # path -> its SHA-256; None of a pipe

    def by(self, words: Sequence[str]) -> Made:
        """The same with the words of a command line, as a shell takes them."""
        return replace(self, command=visible(shlex.join(words)))

    @property
    def settings(self) -> dict[str, object]:
        """What a page says of it, fingerprints cut short."""
        short = {path: None if digits is None else digits[:_SHORT] for path, digits in self.files.items()}
        return {"command": self.command, "made at": self.at} | ({FILES: short} if short else {})
