"""The baseline of a comparison: by its name, or by the file of its run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.replicates.data import Data


def check_kept(systems: Sequence[str], baseline: str | None, keep: str) -> None:
    """Refuse a baseline that is not among the best systems, where only these are kept."""
    if baseline is not None and baseline not in systems:
        kept = f"the {len(systems)} systems that are kept ({keep})"
        raise DesignError(f"the baseline {baseline} is not among {kept}; keep more of them, or all")


def baseline_of(data: Data, baseline: str) -> str:
    """The system that is meant: by its name, or by the path or the file name of its run."""
    if baseline in data.systems:
        return baseline
    return _by_file(data, baseline) or _nearest(data, baseline)


def _by_file(data: Data, baseline: str) -> str | None:
    """The only system whose run is in that file, if there is one."""
    files = {system: Path(origin) for system, origin in data.origins.items()}
    exact = [system for system, path in files.items() if path == Path(baseline)]
    named = [system for system, path in files.items() if f"{path.name}.".startswith(f"{Path(baseline).name}.")]
    matches = exact or named
    return matches[0] if len(matches) == 1 else None


def _nearest(data: Data, baseline: str) -> str:
    """The system of that name, upper and lower case aside; otherwise an error, of a file with the names of files."""
    files = {Path(origin).name: system for system, origin in data.origins.items()}
    asked = Path(baseline).name if files else baseline
    name = known(asked, (*data.systems, *(files if Path(baseline).suffix else ())), "baseline")
    return name if name in data.systems else files[name]
