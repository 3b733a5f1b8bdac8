"""An index as files of a folder: arrays that are mapped into memory, docnos and terms as lines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.errors import InputError
from irgauge.lab.analysis import Analyser
from irgauge.writing import filling

if TYPE_CHECKING:
    from irgauge.lab.index import Index

_FORMAT = 1  # changes with what the files mean
_ARRAYS = ("data", "indices", "indptr")
_NOT_ONE = "this is no index of the lab, or a damaged one; make it with irgauge lab index"


def save(index: Index, path: str | os.PathLike[str]) -> None:
    """Write an index."""
    about = {
        "format": _FORMAT,
        "stop": index.analyser.stop,
        "stemmer": index.analyser.stemmer,
        "documents": index.n_documents,
        "terms": len(index.terms),
        "tokens": index.n_tokens,
    }
    with filling(path) as folder:
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(index.counts, name))
        (folder / "docnos.txt").write_text("\n".join(index.docnos), encoding="utf-8")
        (folder / "terms.txt").write_text("\n".join(index.terms), encoding="utf-8")
        (folder / "index.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def load(path: str | os.PathLike[str]) -> Index:
    """Read an index; its arrays are read where they are used."""
    from scipy.sparse import csr_array

    from irgauge.lab.index import Index, Vocabulary

    folder = Path(path)
    try:
        about = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        _check_format(about, path)
        docnos, terms = _lines(folder / "docnos.txt"), _lines(folder / "terms.txt")
        arrays = tuple(np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS)
        counts = csr_array(arrays, shape=(about["terms"], about["documents"]))
        found = Index(docnos, Vocabulary(terms, Analyser(about["stop"], about["stemmer"])), counts)
        is_whole = (len(docnos), len(terms)) == (about["documents"], about["terms"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(_NOT_ONE, path=str(path)) from None
    if not is_whole:
        raise InputError(_NOT_ONE, path=str(path))
    return found


def _check_format(about: Any, path: str | os.PathLike[str]) -> None:  # noqa: ANN401  # whatever JSON holds
    if about["format"] != _FORMAT:
        message = f"the index has format {about['format']}, and this version reads {_FORMAT}; make it again"
        raise InputError(f"{message} with irgauge lab index", path=str(path))


def _lines(path: Path) -> tuple[str, ...]:
    text = path.read_text(encoding="utf-8")
    return tuple(text.split("\n")) if text else ()
