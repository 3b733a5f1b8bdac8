"""What tells a collection from every other: a fingerprint of its lists, judgments and names."""

from __future__ import annotations

from dataclasses import fields
from hashlib import sha256

import numpy as np

from irgauge.reading.collection import Collection

_OTHERWISE = ("origins", "name_documents", "notes", "missing", "headers", "identical_ids")  # what scores do not rest on


def fingerprint(collection: Collection) -> str:
    """Of all that scores and images rest on; the same for the same files, wherever they are.

    >>> from irgauge import load
    >>> one, other = (load({"1": {"a": 1}}, {"mine": {"1": {"a": 2.0, "b": score}}}) for score in (1.0, 3.0))
    >>> fingerprint(one) == fingerprint(one), fingerprint(one) == fingerprint(other)
    (True, False)
    """
    found = sha256()
    for field in fields(collection):
        if field.name not in _OTHERWISE:
            value = getattr(collection, field.name)
            found.update(field.name.encode())
            found.update(np.ascontiguousarray(value).data if isinstance(value, np.ndarray) else repr(value).encode())
    return found.hexdigest()
