"""The state of a gate of many looks: the topics that were used, their order and scores, the settings, the verdicts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import InputError
from irgauge.files.opening import read_bytes
from irgauge.files.writing import write
from irgauge.reading.missing import counted_topics
from irgauge.reading.name_order import in_name_order
from irgauge.scoring.measures import ROUNDING
from irgauge.scoring.scores import Scores
from irgauge.studies.gate.evidence import Outcome

VERSION = 1  # of the format
_KIND = "irgauge gate state"
_HEAD = ("kind", "version", "irgauge", "fingerprint")  # what stands before the state itself
_ANEW = "give the data of the looks before, or begin anew with another state file"


class Look(NamedTuple):
    """What was said after so many topics."""

    topics: int  # how many were used
    verdict: Outcome


@dataclass(frozen=True)
class State:
    """What was used so far; scores[measure][topic] are those of the baseline and of the candidate."""

    settings: Mapping[str, Any]
    topics: tuple[str, ...] = ()  # in the order in which they were used
    scores: Mapping[str, Sequence[Sequence[float]]] | None = None  # None: before the first look
    looks: tuple[Look, ...] = ()

    @classmethod
    def of(cls, path: str | os.PathLike[str], settings: Mapping[str, Any]) -> State:
        """The state in a file, whose settings must be these; before the first look there is none."""
        if not Path(path).exists():
            return cls(settings)
        state = _read(path)
        changes = [
            f"{name} changed (from {state.settings.get(name, 'none')} to {settings.get(name, 'none')})"
            for name in dict.fromkeys((*state.settings, *settings))
            if state.settings.get(name) != settings.get(name)
        ]
        if changes:
            advice = "ask as at the first look, or begin anew with another state file"
            raise InputError(f"since the first look, {'; '.join(changes)}; {advice}", path=str(path))
        return state

    def continued(self, scores: Scores, seed: int, path: str | os.PathLike[str]) -> State:
        """With the topics that are new behind those that were used, in random order; the others must be as before."""
        places = {topic: place for place, topic in enumerate(scores.topics)}
        gone = [topic for topic in self.topics if topic not in places]
        if gone:
            message = f"{counted_topics(gone)} of an earlier look {_are(gone)} missing now; {_ANEW}"
            raise InputError(message, path=str(path))
        known = set(self.topics)
        fresh = [topic for topic in scores.topics if topic not in known]
        by_name = [fresh[place] for place in in_name_order(fresh)]
        drawn = np.random.default_rng([seed, len(self.topics)]).permutation(len(fresh))
        topics = (*self.topics, *(by_name[place] for place in drawn))
        order = [places[topic] for topic in topics]
        values = scores.values[..., 0][:, order]  # measure, topic, side
        self._refuse_changed(scores, values, path)
        now = {str(measure): own.tolist() for measure, own in zip(scores.measures, values, strict=True)}
        return replace(self, topics=topics, scores=now)

    def _refuse_changed(self, scores: Scores, values: Floats, path: str | os.PathLike[str]) -> None:
        """Refuse scores that are not those of an earlier look."""
        for measure, own in zip(scores.measures, values, strict=True):
            before = np.array((self.scores or {}).get(str(measure), ()), float).reshape(-1, 2)
            size = ROUNDING * np.maximum(1, np.abs(before))
            changed = np.argwhere(np.abs(own[: len(before)] - before) > size)
            if len(changed):
                t, side = changed[0]
                who = ("baseline", "candidate")[side]
                message = (
                    f"the score of the {who} on topic {self.topics[t]} by {measure} was {before[t, side]:g} at an "
                    f"earlier look and is {own[t, side]:g} now ({len(changed)} scores changed); {_ANEW}"
                )
                raise InputError(message, path=str(path))

    def looked(self, verdict: Outcome) -> State:
        """With one look more; one without new topics is none."""
        if self.looks and self.looks[-1].topics == len(self.topics):
            return self
        return replace(self, looks=(*self.looks, Look(len(self.topics), verdict)))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all."""
        content = asdict(self) | {"looks": [look._asdict() for look in self.looks]}
        head = {"kind": _KIND, "version": VERSION, "irgauge": version("irgauge"), "fingerprint": _fingerprint(content)}
        write(path, json.dumps(head | content, ensure_ascii=False) + "\n")


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _fingerprint(content: Mapping[str, Any]) -> str:
    """SHA-256 of all that is kept, so that a file which was changed by hand is known."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _read(path: str | os.PathLike[str]) -> State:
    """The state in a file; a file that holds none is refused."""
    try:
        content = json.loads(read_bytes(path).tobytes())
        head, rest = ({key: content.pop(key) for key in _HEAD}, content)
        if head["kind"] == _KIND and head["version"] != VERSION:
            raise _other_version(head, path)
        if head["kind"] == _KIND and head["fingerprint"] == _fingerprint(rest):
            looks = tuple(Look(**look) for look in rest["looks"])
            return State(rest["settings"], tuple(rest["topics"]), rest["scores"], looks)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError, AttributeError, KeyError, TypeError):
        pass  # said below
    message = "this is no state of a gate, or it is damaged or was changed; restore it"
    raise InputError(f"{message}, or begin anew with another state file", path=str(path))


def _other_version(head: Mapping[str, Any], path: str | os.PathLike[str]) -> InputError:
    message = f"the state has version {head['version']} of its format, and this irgauge reads version {VERSION}"
    return InputError(f"{message}; use irgauge {head['irgauge']}, which wrote it, or {_ANEW}", path=str(path))
