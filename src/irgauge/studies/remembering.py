"""What `--history` keeps of a result: the option, and the entry that is added to the file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from irgauge.options.fields import Help

if TYPE_CHECKING:
    from irgauge.archive.entry import Entry, KeptRun, KeptScores, KeptVerdict
    from irgauge.provenance import Provenance
    from irgauge.reading.collection import Collection


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """The option of what is kept."""

    history: Annotated[
        str | os.PathLike[str] | None,
        Help(
            "Add the time, the commit, fingerprints, settings, scores on topics and verdicts to this SQLite file, "
            "which is made if it is not there; `irgauge history` reads it.",
            metavar="FILE",
            writes="file",
        ),
    ] = None

    def check_history(self) -> None:
        """Refuse a file that is no history before any long work."""
        if self.history is not None:
            from irgauge.archive.store import HistoryFile

            HistoryFile(self.history).check()


def entry_of(
    command: str,
    provenance: Provenance,
    collection: Collection | None,
    runs: Iterable[KeptRun],
    scores: KeptScores,
    verdicts: Iterable[KeptVerdict],
) -> Entry:
    """What is kept of a result that was found now, here."""
    from irgauge.archive.checkout import commit_of
    from irgauge.archive.entry import Entry, judgments_fingerprint, settings_of
    from irgauge.archive.store import now
    from irgauge.provenance import package_versions

    return Entry(
        time=now(),
        command=command,
        version=package_versions()["irgauge"],
        checkout=commit_of(Path.cwd()),
        judgments=None if collection is None else judgments_fingerprint(collection),
        settings=settings_of(provenance),
        runs=tuple(runs),
        scores=scores,
        verdicts=tuple(verdicts),
    )


def origins_of(collection: Collection | None) -> Mapping[str, str]:
    """System -> the path of its run, where there are runs."""
    return {} if collection is None else dict(zip(collection.systems, collection.origins, strict=True))
