"""What trackers of experiments keep of a result: means and differences with their intervals, and its files."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from irgauge.errors import DesignError
from irgauge.studies.result import Result

_PARTS: Mapping[str, tuple[str, ...]] = {  # frame -> the numbers of a row
    "systems": ("mean", "low", "high"),
    "pairs": ("difference", "low", "high", "p_adjusted"),
}


def metrics(result: Result, named: Callable[[str], str] = str) -> dict[str, float]:
    """Name -> number, of every system and pair: `AP/bm25/mean`, `AP/mine against bm25/difference`.

    Claims that cover anything but other topics have what they cover behind the measure. What is not finite is left out.
    `named` writes the parts of names as the tracker allows; names that become the same by that are numbered.
    """
    kept: dict[str, float] = {}
    times: Counter[str] = Counter()
    for path, value in _numbers(result):
        kept[_free("/".join(map(named, path)), kept, times)] = value
    return kept


def _free(name: str, kept: Mapping[str, float], times: Counter[str]) -> str:
    """The name, with a number behind it where it is taken."""
    times[name] += 1
    own = name if times[name] == 1 else f"{name} _{times[name]}"
    return _free(name, kept, times) if own in kept else own


def _numbers(result: Result) -> Iterator[tuple[tuple[str, ...], float]]:
    for frame, names in _PARTS.items():
        for row in result.frame_rows(frame) if frame in result.frames else ():
            yield from (((*_path(row), name), float(row[name])) for name in names if _is_finite(row.get(name)))


def _path(row: Mapping[str, Any]) -> tuple[str, str]:
    parts = (row.get(name) for name in ("population", "judge", "pool"))
    covers = "".join(f" {part}" for part in parts if part not in (None, "topics"))
    against = f" against {row['against']}" if "against" in row else ""
    return f"{row['measure']}{covers}", f"{row['system']}{against}"


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def tracker(name: str) -> Any:  # noqa: ANN401  # a module without annotations
    """The package of a tracker."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise DesignError(f"{name} is not installed; install it (pip install {name}) to log results with it") from None


def plain(text: str) -> str:
    """Letters, digits, spaces, hyphens and underscores alone."""
    return re.sub(r"[^A-Za-z0-9 _-]", "_", text)


def write_files(result: Result, folder: Path) -> None:
    """The whole result as JSON, what it says as text, and its page: that of a report, or of the first chart."""
    for ending in (".json", ".md", ".html"):
        result.save(folder / f"{result.study}{ending}")
