"""An index as files of a folder: arrays that are mapped into memory, docnos and terms as lines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

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
        (folder / "docnos.txt").write_bytes("\n".join(index.docnos).encode())
        (folder / "terms.txt").write_bytes("\n".join(index.terms).encode())
        (folder / "index.json").write_bytes(json.dumps(about, indent=2).encode())


def load(path: str | os.PathLike[str]) -> Index:
    """Read an index; its arrays stay on disk, and are mapped into memory."""
    try:
        found = _loaded(Path(path))
    except InputError as error:
        raise InputError(error.message, path=str(path)) from None
    except Exception:  # noqa: BLE001  # whatever numpy, scipy and json raise of files that are others
        raise InputError(_NOT_ONE, path=str(path)) from None
    return found


def _loaded(folder: Path) -> Index:
    from scipy.sparse import csr_array

    from irgauge.lab.index import Index, Vocabulary

    about = json.loads((folder / "index.json").read_bytes())
    if about["format"] != _FORMAT:
        message = f"the index has format {about['format']}, and this version reads {_FORMAT}; make it again"
        raise InputError(f"{message} with irgauge lab index")
    docnos, terms = _lines(folder / "docnos.txt"), _lines(folder / "terms.txt")
    arrays = tuple(np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS)
    if any(array.dtype.kind != "i" for array in arrays) or len(terms) != about["terms"]:
        raise InputError(_NOT_ONE)
    _, indices, indptr = arrays
    if (indptr[1:] < indptr[:-1]).any() or indptr[-1] != len(indices):  # scipy checks nothing if the last is below 0
        raise InputError(_NOT_ONE)
    counts = csr_array(arrays, shape=(len(terms), about["documents"]))
    counts.check_format(full_check=True)
    if len(docnos) != about["documents"] or counts.data.min(initial=1) < 1:
        raise InputError(_NOT_ONE)
    return Index(docnos, Vocabulary(terms, Analyser(about["stop"], about["stemmer"])), counts)


def _lines(path: Path) -> tuple[str, ...]:
    text = path.read_bytes().decode()
    return tuple(text.split("\n")) if text else ()
