"""The step that runs the gate: its page goes to the job's summary, its verdict and exit code to the step's outputs."""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from irgauge.cli.workflow.history import HistoryBranch

OPTIONS = (
    "margin",
    "undecided",
    "missing",
    "lock",
    "topics-table",
    "by",
    "budget",
)  # inputs that are options of `gate`
FILES = ("data", "baseline", "candidate")
DECIDED = (0, 1, 3)  # exit codes of a verdict
_LONGEST = 900_000  # characters: GitHub refuses a summary of more than 1 MiB


class Ran(NamedTuple):
    """What the gate said, its page, and how it ended."""

    code: int
    said: str
    errors: str
    page: str = ""  # empty where it wrote none

    @property
    def verdict(self) -> str:
        """That of its page, as options may send what it says elsewhere; broken where there is none."""
        if self.code not in DECIDED or not self.page:
            return "broken"
        return self.page.partition("\n")[0].split(" ")[-1]


def input_of(name: str, environment: Mapping[str, str]) -> str:
    """What was given for an input of the action; empty where nothing was."""
    return environment.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()


def lines_of(name: str, environment: Mapping[str, str]) -> list[str]:
    """The same, of one that may have several lines."""
    return [line.strip() for line in input_of(name, environment).splitlines() if line.strip()]


def arguments(environment: Mapping[str, str], summary: Path, history: Path | None) -> Iterator[str]:
    """The command line of the gate; files come behind `--`, so that none is an option."""
    for measure in lines_of("measures", environment):
        yield f"--measure={measure}"
    for name in OPTIONS:
        if value := input_of(name, environment):
            yield f"--{name}={value}"
    yield from shlex.split(input_of("options", environment))
    if history is not None:
        yield f"--history={history}"
    yield from (f"--summary={summary}", "--")
    for name in FILES:
        yield from lines_of(name, environment)


def ran(environment: Mapping[str, str], summary: Path, history: Path | None = None) -> Ran:
    """Run the gate in a process of its own, in which nothing is imported from the folder at hand."""
    summary.unlink(missing_ok=True)
    try:
        command = list(arguments(environment, summary, history))
    except ValueError as error:  # of shlex
        return Ran(2, "", f"irgauge: the input `options` cannot be split into words: {str(error).lower()}")
    done = subprocess.run(  # noqa: S603  # our own program, and no shell
        [sys.executable, "-I", "-m", "irgauge", "gate", *command], capture_output=True, text=True, check=False
    )
    page = summary.read_text(encoding="utf-8") if summary.exists() else ""
    return Ran(done.returncode, done.stdout, done.stderr, page)


def without_lock(environment: Mapping[str, str]) -> Ran | None:
    """A lock that is not in the checkout is bad input: a change that deletes it would have it written anew."""
    lock = input_of("lock", environment)
    if not lock or Path(lock).exists():
        return None
    return Ran(
        2, "", f"irgauge: {lock}: the lock is not in the checkout; run the gate once by hand, and commit the file"
    )


def page_of(gate: Ran) -> str:
    """The page that the gate wrote; where it wrote none, what it said of that."""
    if gate.verdict != "broken":
        return gate.page
    from irgauge.show.escapes import markdown_block

    told = markdown_block(gate.errors.strip() or f"exit code {gate.code}", "")
    return f"## 🛠 the gate could not run\n\nThis is no regression: a file or an option cannot be used.\n\n{told}\n"


def shown(gate: Ran) -> Iterator[str]:
    """What the log has; names in it command no runner."""
    token = secrets.token_hex(16)
    yield f"::stop-commands::{token}"
    yield from (gate.said.rstrip("\n"), gate.errors.rstrip("\n"))
    yield f"::{token}::"


def gated(environment: Mapping[str, str], summary: Path) -> Ran:
    """Run the gate, with its history where there is a branch of it."""
    branch = HistoryBranch.of(input_of("history-branch", environment), Path(environment["RUNNER_TEMP"]))
    if branch is None:
        return ran(environment, summary)
    return branch.kept(lambda history: ran(environment, summary, history))


def append(path: str | None, text: str) -> None:
    """Add to a file of the runner, where it named one."""
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)


def main() -> int:
    """Run the step; the exit code of the gate is an output, for a later step to end with."""
    environment = os.environ
    summary = Path(environment["RUNNER_TEMP"]) / "irgauge-gate.md"
    gate = without_lock(environment) or gated(environment, summary)
    page = page_of(gate)
    summary.write_text(page, encoding="utf-8")
    print("\n".join(filter(None, shown(gate))))  # noqa: T201  # the log
    append(environment.get("GITHUB_STEP_SUMMARY"), page[:_LONGEST])
    outputs = {"verdict": gate.verdict, "exit-code": gate.code, "summary": summary}
    append(environment.get("GITHUB_OUTPUT"), "".join(f"{name}={value}\n" for name, value in outputs.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
