"""Judgments, topics and documents by the name that ir_datasets gives them, where that package is installed."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Literal

from irgauge.errors import InputError
from irgauge.reading.objects import qrels_of
from irgauge.reading.trec import Qrels

_NO_FILE = "there is no such file"
_KINDS = {"docs": "documents", "queries": "topics"}
_ALIKE = 0.8  # a name less like the given one than this is no help


def dataset_qrels(name: str) -> Qrels:
    """The judgments of a dataset, such as msmarco-passage/trec-dl-2020/judged; they are fetched on first use."""
    dataset = _dataset(name, "judgments")
    if not dataset.has_qrels():
        raise InputError("ir_datasets has no judgments for this dataset; name one of its parts that has", path=name)
    try:
        rows = list(dataset.qrels_iter())
    except Exception as error:  # noqa: BLE001  # whatever another package raises when it fetches files
        raise _not_given(name, error, "judgments") from None
    return qrels_of(rows, f"ir_datasets {name}")


def dataset_items(name: str, kind: Literal["docs", "queries"]) -> Iterator[Any]:
    """The documents or topics of a dataset, in their order; they are fetched on first use."""
    dataset = _dataset(name, _KINDS[kind])
    if not getattr(dataset, f"has_{kind}")():
        raise InputError(f"ir_datasets has no {_KINDS[kind]} for this dataset; name one that has", path=name)
    try:
        yield from getattr(dataset, f"{kind}_iter")()
    except Exception as error:  # noqa: BLE001  # whatever another package raises when it fetches files
        raise _not_given(name, error, _KINDS[kind]) from None


def _dataset(name: str, wanted: str) -> Any:  # noqa: ANN401  # a package without types
    try:
        import ir_datasets
    except ImportError:
        advice = "check the path; to name a dataset of ir_datasets, install it (pip install ir_datasets)"
        raise InputError(f"{_NO_FILE}; {advice}", path=name) from None
    try:
        return ir_datasets.load(name)
    except KeyError:
        near = get_close_matches(name, list(ir_datasets.registry), n=3, cutoff=_ALIKE)
        advice = f"did you mean {' or '.join(map(repr, near))}?" if near else "check the path"
        raise InputError(f"{_NO_FILE}, and ir_datasets knows no dataset of this name; {advice}", path=name) from None
    except Exception as error:  # noqa: BLE001  # some datasets are fetched as soon as they are named
        raise _not_given(name, error, wanted) from None


def _not_given(name: str, error: Exception, what: str) -> InputError:
    return InputError(f"ir_datasets could not give the {what} ({error})", path=name)
