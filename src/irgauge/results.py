"""Results that come back: what `save` wrote to a file of JSON is read again, whole and without running anything.

The field `state` of the file holds the result as `storing` packs it: JSON, compressed by gzip, as base64.
"""

from __future__ import annotations

import base64
import inspect
import json
import os
from collections.abc import Mapping
from typing import Any, get_type_hints

from irgauge.errors import InputError
from irgauge.files.compression import DAMAGED, decompressed
from irgauge.files.limits import refuse_larger
from irgauge.files.made import Made
from irgauge.files.opening import read_bytes
from irgauge.papers.reproduce import Reproduction
from irgauge.reading.missing import MissingTopics
from irgauge.replicates.bench import Bench
from irgauge.replicates.given import ScoreTable
from irgauge.replicates.undefined import SparseScores
from irgauge.reporting.report import Report
from irgauge.show.saving import SCHEMA
from irgauge.storing import Unpacking, kinds_of
from irgauge.studies.registry import studies
from irgauge.studies.result import Result

RENAMED: Mapping[str, str] = {}  # the name of a class in older files -> its name now
_RECORDS = (MissingTopics, SparseScores, Bench, ScoreTable)  # what no annotation names: of facts, and of reports
_OTHERS: Mapping[str, type[Result]] = {"report": Report, "reproduce": Reproduction}
_ANEW = "save the result anew"


def read(path: str | os.PathLike[str]) -> Result:
    """Read a result that `save` wrote to a file of JSON: frames, findings, tables and charts are as they were.

    Nothing is computed anew, and nothing in the file is run. What else the file holds, for people and other programs,
    is not looked at.

    >>> import irgauge as ig, tempfile
    >>> compared = ig.compare({"a": {"1": 0.1, "2": 0.4, "3": 0.2}, "b": {"1": 0.3, "2": 0.5, "3": 0.1}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     compared.save(f"{folder}/compared.json")
    ...     again = ig.read(f"{folder}/compared.json")
    >>> again.frame().equals(compared.frame()), again.findings() == compared.findings()
    (True, True)
    """
    content = _json(read_bytes(path).tobytes(), str(path))
    match content:
        case {"study": str(study), "state": str(state)}:
            result = _result(study, _json(_plain(state, str(path)), str(path)), str(path))
            result.note_made(_made(content.get("made")))
            return result
        case {"study": str(study), "irgauge": str()}:
            message = (
                f"the file holds no state to read a result from, as a result of {study} holds what cannot be stored"
            )
            raise InputError(f"{message}; compute it anew", path=str(path))
        case {"study": str()}:
            message = f"the file holds no state to read a result from, as those of irgauge before 0.3 do; {_ANEW}"
            raise InputError(message, path=str(path))
    raise InputError("this is not a result; name a file that save wrote, such as result.json", path=str(path))


def _made(content: object) -> Made:
    """When, by which command and of which files a result was made, as the file says."""
    match content:
        case {"at": str(at), "command": str(command), "files": dict(files)}:
            return Made(at, command, {path: digits for path, digits in files.items() if isinstance(digits, str | None)})
    return Made()


def _json(text: bytes, path: str) -> Any:  # noqa: ANN401  # JSON
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise InputError(f"the file is damaged, as it is not JSON; {_ANEW}", path=path) from None


def _refused(word: str) -> float:
    """JSON knows no NaN, which `storing` says otherwise."""
    raise ValueError(word)


def _plain(state: str, path: str) -> bytes:
    """What is compressed in a state, which may be no larger than a file."""
    text = bytearray()
    try:
        for piece in decompressed([base64.b64decode(state, validate=True)]):
            text += piece
            refuse_larger(len(text), path)
    except InputError:
        raise
    except DAMAGED:
        raise InputError(f"its state is damaged; {_ANEW}", path=path) from None
    return bytes(text)


def _result(study: str, state: Any, path: str) -> Result:  # noqa: ANN401  # JSON
    match state:
        case {"version": int(version), "irgauge": str(by)} if version > SCHEMA:
            message = f"irgauge {by} wrote the file, with version {version} of its state; this one reads up to {SCHEMA}"
            raise InputError(f"{message}: install that irgauge, or a newer one", path=path)
        case {"version": int(), "irgauge": str(by), "result": stored}:
            return _unpacked(study, stored, by, path)
    raise InputError(f"its state is damaged; {_ANEW}", path=path)


def _unpacked(study: str, stored: object, by: str, path: str) -> Result:
    kind = kind_of(study)
    if kind is None:
        message = f"the study '{study}' is not known here; install the package that adds it"
        raise InputError(message, path=path)
    roots = [kind, *map(kind_of, studies())] if study in _OTHERS else [kind]
    try:
        result = Unpacking(kinds_of(*roots, *_RECORDS), RENAMED).value(stored)
    except Exception as error:  # noqa: BLE001  # whatever a record makes of values that it cannot have
        message = f"its state, written by irgauge {by}, is damaged ({error}); {_ANEW}"
        raise InputError(message, path=path) from None
    if not isinstance(result, kind):
        raise InputError(f"its state is no result of {study}; {_ANEW}", path=path)
    return result


def kind_of(study: str) -> type[Result] | None:
    """The class of the results of a study, or of another verb; None where there is none of that name."""
    if study in studies():
        kind: type[Result] = get_type_hints(inspect.unwrap(studies()[study].verb))["return"]
        return kind
    return _OTHERS.get(study)
