"""The baseline of a comparison: by its name, or by the file of its run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.replicates.given import Data
from irgauge.replicates.measured import Bench
from irgauge.scoring.scores import Scores


def check_kept(systems: Sequence[str], baseline: str | None, keep: str) -> None:
    """Refuse a baseline that is not among the best systems, where only these are kept."""
    if baseline is not None and baseline not in systems:
        kept = f"the {len(systems)} systems that are kept ({keep})"
        raise DesignError(f"the baseline {baseline} is not among {kept}; keep more of them, or all")


def baseline_of(data: Data, given: str) -> str:
    """The system that is meant: by its name, or by the path or the file name of its run."""
    runs = data.collection if isinstance(data, Bench) else data
    if isinstance(runs, Collection):
        return _by_file(runs, given) or _nearest(runs, given)
    scores = runs if isinstance(runs, Scores) else runs.scores
    return known(given, scores.systems, "baseline")


def _by_file(runs: Collection, given: str) -> str | None:
    """The only system whose run is in that file; None where the text is the name of a system, or of no file."""
    if given in runs.systems:
        return None
    files = dict(zip(runs.systems, map(Path, runs.origins), strict=True))
    exact = [system for system, path in files.items() if path == Path(given)]
    named = [system for system, path in files.items() if f"{path.name}.".startswith(f"{Path(given).name}.")]
    found = exact or named
    return found[0] if len(found) == 1 else None


def _nearest(runs: Collection, given: str) -> str:
    """The system of that name, upper and lower case aside; otherwise an error, of a file with the names of files."""
    files = {Path(origin).name: system for system, origin in zip(runs.systems, runs.origins, strict=True)}
    name = known(Path(given).name, (*runs.systems, *(files if Path(given).suffix else ())), "baseline")
    return name if name in runs.systems else files[name]
