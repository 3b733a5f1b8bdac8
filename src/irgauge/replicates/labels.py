"""Labels: which algorithm each run is an instance of, from a manifest or from the names of files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from irgauge.choices import nearest
from irgauge.errors import DesignError, InputError
from irgauge.files.compression import COMPRESSED
from irgauge.files.opening import read_bytes
from irgauge.reading.collection import Collection
from irgauge.reading.run_names import file_name

_COLUMNS = "run algorithm [instance [group]]"
_HOW = f"either a manifest (`{_COLUMNS}` on each line) or a pattern such as {{algorithm}}.{{instance}}.run"


class Label(NamedTuple):
    """The algorithm and the instance of a run; an instance without a name is named after the run.

    Instances of a group share something that is random too, such as a map of shards.
    """

    algorithm: str
    instance: str | None
    group: str | None = None


Labelling = Callable[[Collection], list[Label]]


def labelling(manifest: str | os.PathLike[str] | None = None, pattern: str | Sequence[str] | None = None) -> Labelling:
    """How to label runs: by a manifest, or by the first of several patterns that fits."""
    if (manifest is None) == (pattern is None):
        subject = "neither a manifest nor a pattern was" if manifest is None else "both a manifest and a pattern were"
        raise DesignError(f"{subject} given: give {_HOW}, to say which algorithm each run is an instance of")
    by = by_manifest(manifest) if manifest is not None else by_patterns(pattern or ())
    return lambda collection: _distinct(by(collection), collection)


def _distinct(labels: list[Label], collection: Collection) -> list[Label]:
    """Refuses two runs that are the same instance."""
    seen: dict[Label, str] = {}
    for label, origin in zip(labels, collection.origins, strict=True):
        if label.instance is not None and label in seen:
            same = f"both this run and {seen[label]} are instance '{label.instance}' of algorithm '{label.algorithm}'"
            raise InputError(f"{same}; give them different names, or leave one out", path=origin)
        seen[label] = origin
    return labels


def by_patterns(patterns: str | Sequence[str]) -> Labelling:
    """Labels from file names (or from names of runs that are no files), by the first pattern that fits.

    {algorithm} takes as much of the name as it can, {instance} or {seed} and {group} as little. A compression suffix,
    and one such as `.run`, may be left out of the pattern.
    """
    pattern_list = [patterns] if isinstance(patterns, str) else list(patterns)
    compiled = [_compiled(pattern) for pattern in pattern_list]

    def label(system: str, origin: str) -> Label:
        for expression in compiled:
            for name in _names(origin) if Path(origin).exists() else [system]:
                if match := expression.fullmatch(name):
                    return Label(match["algorithm"], *map(match.groupdict().get, ("instance", "group")))
        fits = " or ".join(f"'{pattern}'" for pattern in pattern_list)
        raise InputError(
            f"this run's name does not fit {fits}; rename it, add a pattern or use a manifest", path=origin
        )

    return lambda collection: list(map(label, collection.systems, collection.origins))


def _names(path: str) -> list[str]:
    """The names of a file: without suffixes, without that of compression, as it is."""
    name = Path(path).name
    bare = next((name.removesuffix(suffix) for suffix in COMPRESSED if name.endswith(suffix)), name)
    return [file_name(path), bare, name]


def _compiled(pattern: str) -> re.Pattern[str]:
    """The expression of a pattern; {seed} is another word for {instance}."""
    parts = re.split(r"\{(algorithm|instance|seed|group)\}", pattern)  # text, field, text, ...
    fields, texts = ["instance" if field == "seed" else field for field in parts[1::2]], parts[::2]
    wrong = ""
    if re.search(r"[{}/]", "".join(texts)):
        wrong = "its fields are {algorithm}, {instance}, {seed} and {group}, and it fits file names, not folders"
    elif "algorithm" not in fields:
        wrong = "it lacks {algorithm}"
    elif len(set(fields)) != len(fields):
        wrong = "each field may appear only once, and {seed} is another word for {instance}"
    elif "" in texts[1:-1]:
        wrong = "two fields need some text between them"
    if wrong:
        raise DesignError(f"the pattern '{pattern}' cannot be used: {wrong}; write it like {{algorithm}}.{{seed}}.run")
    groups = {"algorithm": "(?P<algorithm>.+)", "instance": "(?P<instance>.+?)", "group": "(?P<group>.+?)"}
    expressions = [groups[field] for field in fields]
    return re.compile("".join(re.escape(text) + group for text, group in zip(texts, [*expressions, ""], strict=True)))


@dataclass(frozen=True, kw_only=True)
class RunLabels:
    """What can be said of runs only: which algorithm each is an instance of, and the fill of undefined scores."""

    manifest: str | os.PathLike[str] | None = None
    pattern: Sequence[str] | str | None = None
    labels: Mapping[str, Sequence[str | None]] | None = None  # run -> algorithm, instance and, if any, group
    fill: float | str = "zero"

    def of(self, collection: Collection) -> Sequence[Label]:
        """The label of each run."""
        if self.labels is None:
            return labelling(self.manifest, self.pattern or None)(collection)
        if self.manifest is not None or self.pattern is not None:
            raise DesignError("labels were given beside a manifest or a pattern; give one of them")
        if not isinstance(self.labels, Mapping):
            raise DesignError("labels are a mapping from the name of each run to its algorithm and instance")
        if lacking := [system for system in collection.systems if system not in self.labels]:
            raise DesignError(
                f"{len(lacking)} of {len(collection.systems)} runs, such as {lacking[0]}, have no label; add it"
            )
        return [_label(system, self.labels[system]) for system in collection.systems]


def _label(system: str, given: Sequence[str | None]) -> Label:
    """A label of two or three names."""
    if isinstance(given, str) or not 2 <= len(given) <= 3 or given[0] is None:
        message = f"the label of {system} is {given!r}; it is its algorithm, its instance or None, and perhaps a group"
        raise DesignError(f"{message}, such as ('sampled', '1', 'map 1')")
    return Label(given[0], *given[1:])


# manifests


class _Line(NamedTuple):
    number: int
    run: str
    label: Label


def by_manifest(path: str | os.PathLike[str]) -> Labelling:
    """Labels from a file with `run algorithm [instance [group]]` on each line; empty lines and comments are skipped.

    A run is the name of a system, a file's name, or a path from the folder of the manifest or the current one.
    """
    lines = _read_manifest(str(path))

    def label(collection: Collection) -> list[Label]:
        sources = [_Source(*names) for names in zip(collection.systems, collection.origins, strict=True)]
        labels: dict[int, _Line] = {}
        for line in lines:
            system = _system(line, sources, str(path))
            if system in labels:
                message = f"run '{line.run}' is already in line {labels[system].number}; remove one of the two"
                raise InputError(message, path=str(path), line=line.number)
            labels[system] = line
        for system, origin in enumerate(collection.origins):
            if system not in labels:
                example = f"{collection.systems[system]} ALGORITHM [INSTANCE]"
                message = f"the manifest {path} does not name this run; add a line `{example}`, or leave the run out"
                raise InputError(message, path=origin)
        return [labels[system].label for system in range(len(collection.systems))]

    return label


def _read_manifest(path: str) -> list[_Line]:
    try:
        text = read_bytes(path).tobytes().decode()
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=path) from None
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if "\0" in line:
            raise InputError("the line holds a NUL character, which no name has; fix it", path=path, line=number)
        if len(words) not in (2, 3, 4):
            columns = f"{len(words)} column{'s' * (len(words) != 1)}"
            raise InputError(f"{columns} where a manifest has 2 to 4: {_COLUMNS}", path=path, line=number)
        run, algorithm, instance, group = (*words, None, None)[:4]
        lines.append(_Line(number, str(run), Label(str(algorithm), instance, group)))
    if not lines:
        raise InputError(f"the manifest is empty; it has `{_COLUMNS}` on each line", path=path)
    return lines


class _Source:
    """All the names that a manifest may use for a run."""

    def __init__(self, system: str, origin: str) -> None:
        self.system, self.origin = system, origin
        self.files, self.path = set(_names(origin)), _real(origin)


def _system(line: _Line, sources: Sequence[_Source], manifest: str) -> int:
    """The one system that a line means: by its name, else by a file name, else by a path."""
    paths = {_real(line.run), _real(str(Path(manifest).parent / line.run))}
    matches = (
        [s for s, source in enumerate(sources) if source.system == line.run]
        or [s for s, source in enumerate(sources) if line.run in source.files]
        or [s for s, source in enumerate(sources) if source.path in paths]
    )
    if len(matches) == 1:
        return matches[0]
    if matches:
        first, second = (sources[s].origin for s in matches[:2])
        fault = f"'{line.run}' may be {first} or {second}; write the path of the one that is meant"
    else:
        near = nearest(line.run, [name for source in sources for name in (source.system, *source.files)])
        meant = f"did you mean '{near}'? Fix or remove this line"
        fault = f"there is no run '{line.run}' among the {len(sources)} runs given; {meant}"
    raise InputError(fault, path=manifest, line=line.number)


def _real(path: str) -> str:
    return str(Path(path).resolve())
