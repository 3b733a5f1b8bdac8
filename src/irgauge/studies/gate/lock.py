"""A lock: fingerprints of judgments, baseline and topics, settings and method; a gate refuses what has changed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from irgauge.errors import InputError
from irgauge.files.opening import read_bytes
from irgauge.files.writing import write
from irgauge.inference.corrections import BONFERRONI
from irgauge.inference.instance_tests import MEAN_SQUARES
from irgauge.options.fields import options_of
from irgauge.reading.options import Reads
from irgauge.reading.ordering import TIE_RULE
from irgauge.reading.share_table import share_table
from irgauge.reading.topic_table import TopicTable
from irgauge.replicates.measured import Measuring
from irgauge.studies.gate.criteria import slice_margins
from irgauge.studies.gate.evidence import TEST
from irgauge.studies.gate.options import GateOptions
from irgauge.studies.gate.run_evidence import MODEL

if TYPE_CHECKING:
    from irgauge.studies.gate.inputs import Given

VERSION = 3  # of the format
_KIND = "irgauge gate lock"
_SHORT = 12  # digits of a fingerprint in a message
_TOLD = ("measures", "kinds")  # settings whose changes have words of their own
_DELETE = "delete the lock file to have it written anew"


class Locked(NamedTuple):
    """A lock file, and whether what it holds was held, or is new."""

    path: str
    state: Literal["written", "held"]


@dataclass(frozen=True)
class Lock:
    """What must stay as it was."""

    judgments: str | None  # fingerprints: see `Fingerprints`
    baseline: tuple[str, ...]
    topics: Mapping[str, Any]  # that count: how many, and SHA-256 of their names
    settings: Mapping[str, Any]
    method: Mapping[str, Any]  # how verdicts come about, of what nobody asks for

    @classmethod
    def of(cls, inputs: Given, options: GateOptions, about: TopicTable) -> Lock:
        """The lock of what is asked now, with what is said about topics besides the inputs."""
        settings = {
            "measures": {str(criterion.measure): criterion.terms for criterion in inputs.wanted},
            "alpha": options.alpha,
            "missing": inputs.rule,
            "precision": options.precision,
            "undecided": str(options.undecided),
            **unusual_reading(options),
            **asked_of_topics(inputs, options, about),
            **({} if options.scale is None else {"scale": options.scale}),
            **({} if options.columns is None else {"columns": str(options.columns)}),
            **({} if options.budget is None else {"budget": options.budget}),
        }
        return cls(*inputs.fingerprints(), _topics(inputs.topics), settings, method_of(inputs))

    def check(self, path: str | os.PathLike[str]) -> Locked:
        """Refuse what differs from the lock in the file; where there is none, it is to be written."""
        if not Path(path).exists():
            return Locked(str(path), "written")
        changes = list(_changes(_read(path), self))
        if changes:
            advice = "restore what was locked, or delete the lock file to accept the change"
            raise InputError(f"since the gate was locked, {'; '.join(changes)}; {advice}", path=str(path))
        return Locked(str(path), "held")

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all."""
        content = {"kind": _KIND, "version": VERSION, "irgauge": version("irgauge"), **asdict(self)}
        write(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def unusual_reading(options: GateOptions) -> dict[str, Any]:
    """What else is said of reading, where it is not as usual."""
    values = {option.name: (getattr(options, option.name), option.default) for option in options_of(Reads)}
    return {name: value for name, (value, usual) in values.items() if value != usual}


def asked_of_topics(inputs: Given, options: GateOptions, about: TopicTable) -> dict[str, Any]:
    """Kinds, clusters, weights and wordings of topics, and margins on kinds, where they are asked for."""
    columns, sampled = options.slice_columns, _sampled(options)
    rests_on = (*columns, *_columns_of(sampled), *([] if options.variants is None else [options.variants]))
    margins = {"=".join(kind): str(margin) for kind, margin in sorted(slice_margins(options.slice_margins).items())}
    return {
        **({"by": list(columns)} if columns else {}),
        **sampled,
        **({"kinds": _kinds(inputs, about, rests_on, options.variants)} if rests_on else {}),
        **({} if options.variants is None else {"variants": options.variants}),
        **({} if not margins else {"slice_margins": margins}),
    }


def _sampled(options: GateOptions) -> dict[str, Any]:
    """Clusters, weights and shares, where they are asked for."""
    table = None if options.shares is None else share_table(options.shares)
    shares = None if table is None else {table.column: dict(sorted(table.shares.items()))}
    asked = {"cluster": options.cluster, "weights": options.weights, "shares": shares}
    return {name: value for name, value in asked.items() if value is not None}


def _columns_of(sampled: Mapping[str, Any]) -> Iterator[str]:
    """The columns of topics that these rest on."""
    yield from (name for value in sampled.values() for name in ([value] if isinstance(value, str) else value))


def _topics(names: Sequence[str]) -> dict[str, Any]:
    """Of the names of topics, whatever their order."""
    return {"count": len(names), "names": sha256(json.dumps(sorted(names)).encode()).hexdigest()}


def _kinds(inputs: Given, about: TopicTable, columns: Sequence[str], variants: str | None) -> str:
    """SHA-256 of which topics that count are of which kind, as a gate fails where it is worse on one.

    Kinds may be those of the needs which topics are wordings of.
    """
    table = inputs.about.beside(about)
    kinds = {column: table.column(column) for column in columns}
    need = {} if variants is None else kinds[variants]
    rows = [
        (column, topic, kinds[column].get(topic, kinds[column].get(need.get(topic, topic))))
        for column in sorted(kinds)
        for topic in sorted(inputs.topics)
    ]
    return sha256(json.dumps(rows).encode()).hexdigest()


def fingerprint(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file's content, the same however it is compressed."""
    return sha256(read_bytes(path).tobytes()).hexdigest()


def _read(path: str | os.PathLike[str]) -> Lock:
    """The lock in a file; a file that holds none is refused."""
    match _json(path):
        case {"kind": kind, "version": number, "irgauge": by} if kind == _KIND and number != VERSION:
            message = f"the lock file has version {number} of its format, and this irgauge reads version {VERSION}"
            raise InputError(f"{message}; use irgauge {by}, which wrote it, or {_DELETE}", path=str(path))
        case {
            "kind": kind,
            "judgments": (str() | None) as judgments,
            "baseline": [*runs],
            "topics": {"count": int(), "names": str()} as topics,
            "settings": {"measures": {}} as settings,
            "method": {} as method,
        } if kind == _KIND:
            return Lock(judgments, tuple(map(str, runs)), topics, settings, method)
    raise InputError(f"this is no lock file of a gate, or it is damaged; restore it, or {_DELETE}", path=str(path))


def _json(path: str | os.PathLike[str]) -> object:
    content = read_bytes(path).tobytes()
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        message = f"the lock file is damaged, as it is not JSON; restore it, or {_DELETE}"
        raise InputError(message, path=str(path)) from None


def _changes(locked: Lock, now: Lock) -> Iterator[str]:
    """What differs, with both values."""
    if now.judgments != locked.judgments:
        yield f"the judgments changed (from {_short([locked.judgments])} to {_short([now.judgments])})"
    if now.baseline != locked.baseline:
        yield f"the baseline changed (from {_short(locked.baseline)} to {_short(now.baseline)})"
    if now.topics != locked.topics:
        yield f"the topics changed (from {_named(locked.topics)} to {_named(now.topics)})"
    yield from _measures_changed(locked.settings["measures"], now.settings["measures"])
    others = ({name: value for name, value in of.settings.items() if name not in _TOLD} for of in (locked, now))
    yield from _changed("the setting ", *others)
    yield from _changed("", locked.method, now.method)
    kinds = [str(of.settings.get("kinds", "none")) for of in (locked, now)]
    if kinds[0] != kinds[1] and locked.settings.get("by") == now.settings.get("by"):
        yield f"the kinds of topics changed (from {_short(kinds[:1])} to {_short(kinds[1:])})"


def _measures_changed(locked: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"the measure {name} was left out" for name in locked if name not in now)
    yield from (f"the measure {name} was added" for name in now if name not in locked)
    both = [name for name in locked if name in now]
    yield from _changed("the margin of ", *({name: of[name] for name in both} for of in (locked, now)))


def _changed(what: str, locked: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*locked, *now)):
        if locked.get(name) != now.get(name):
            yield f"{what}{name} changed (from {locked.get(name, 'none')} to {now.get(name, 'none')})"


def _named(topics: Mapping[str, Any]) -> str:
    return f"{topics['count']} with the fingerprint {_short([topics['names']])}"


def _short(fingerprints: Sequence[str | None]) -> str:
    return ", ".join(fingerprint[:_SHORT] for fingerprint in fingerprints if fingerprint is not None) or "none"


def method_of(inputs: Given) -> dict[str, Any]:
    """The test, the correction, the order of documents, what undefined scores are, and the version that does it.

    The number of the candidate's runs is part of it: it chooses the test, and a candidate may not leave out poor runs.
    """
    runs = len(inputs.candidate.runs)
    is_single = runs == len(inputs.baseline.runs) == 1
    return {
        "irgauge": version("irgauge"),
        "test": TEST.name if is_single else f"{MEAN_SQUARES}, {MODEL}",
        "correction": TEST.corrected_by.name if is_single else BONFERRONI.name,
        "order": TIE_RULE,
        "undefined": str(Measuring.fill),
        "candidate runs": runs,
    }
