"""A history that lives on a branch of its own: fetched before a gate, pushed after it, and never rewritten."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
FILE = "history.sqlite"
_TRIES = 5  # others may push at the same time: then the gate runs again on what they pushed
_NAME, _MAIL = "github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com"  # as GitHub writes them
_NAMED = {
    f"GIT_{role}_{what}": own for role in ("AUTHOR", "COMMITTER") for what, own in (("NAME", _NAME), ("EMAIL", _MAIL))
}


@dataclass(frozen=True)
class HistoryBranch:
    """The branch of the checkout's origin that holds the history, and where the file is meanwhile."""

    name: str
    folder: Path

    @classmethod
    def of(cls, name: str, folder: Path) -> HistoryBranch | None:
        """None where no branch was named."""
        return cls(name, folder) if name else None

    @property
    def file(self) -> Path:
        """The history."""
        return self.folder / f"irgauge-{FILE}"

    def kept(self, gate: Callable[[Path], T]) -> T:
        """What a gate gives that adds to the history; where it may not be pushed, that is said and no failure."""
        for _ in range(_TRIES):
            parent = self._fetch()
            before = self.file.read_bytes() if self.file.exists() else None
            answer = gate(self.file)
            if not self.file.exists() or self.file.read_bytes() == before or self._push(parent):
                return answer
            if self._head() == parent:
                break  # nobody else pushed: it is not permitted
        print(f"::notice::the history was not pushed to the branch {self.name}: is `contents: write` permitted?")  # noqa: T201  # the log
        return answer

    def _fetch(self) -> str | None:
        """The commit of the branch, its history in the file if it has one; None where there is no such branch."""
        self.file.unlink(missing_ok=True)
        if self._head() is None:
            return None
        _git("fetch", "--quiet", "--depth=1", "origin", f"refs/heads/{self.name}")
        commit = _git("rev-parse", "FETCH_HEAD").decode().strip()
        if _git("ls-tree", "--full-tree", commit, FILE):
            self.file.write_bytes(_git("cat-file", "blob", f"{commit}:{FILE}"))
        return commit

    def _head(self) -> str | None:
        """The commit of the branch at the origin."""
        told = _git("ls-remote", "origin", f"refs/heads/{self.name}").decode().split()
        return told[0] if told else None

    def _push(self, parent: str | None) -> bool:
        """Add a commit with the file anew; whether the origin took it, which it does not if others pushed."""
        blob = _git("hash-object", "-w", "--no-filters", str(self.file)).decode().strip()
        entries = _others(parent) + f"100644 blob {blob}\t{FILE}\0".encode()
        tree = _git("mktree", "-z", "--missing", standard_input=entries).decode().strip()
        parents = ["-p", parent] if parent else []
        commit = _git("commit-tree", tree, *parents, "-m", "The history of gates").decode().strip()
        pushed = ["git", "push", "--quiet", "--no-verify", "origin", f"{commit}:refs/heads/{self.name}"]
        return subprocess.run(pushed, check=False).returncode == 0  # noqa: S603  # no shell


def _others(commit: str | None) -> bytes:
    """The other entries of a commit's tree, which stay: files that somebody put beside the history."""
    if commit is None:
        return b""
    entries = _git("ls-tree", "-z", "--full-tree", commit).split(b"\0")
    return b"".join(entry + b"\0" for entry in entries if entry and not entry.endswith(f"\t{FILE}".encode()))


def _git(*arguments: str, standard_input: bytes | None = None) -> bytes:
    command, environment = ["git", *arguments], {**os.environ, **_NAMED}
    done = subprocess.run(command, input=standard_input, env=environment, stdout=subprocess.PIPE, check=True)  # noqa: S603  # no shell
    return done.stdout
