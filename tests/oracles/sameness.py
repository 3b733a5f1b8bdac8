"""Whether two collections are the same, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from irgauge import Collection


def assert_same(one: Collection, other: Collection, but: Sequence[str] = ()) -> None:
    for field in fields(Collection):
        if field.name in (*but, "name_documents", "read_from", "judged_in", "tied"):  # of how they are written
            continue
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=field.name)
            assert (a.dtype, a.flags.c_contiguous) == (b.dtype, b.flags.c_contiguous), field.name
        else:
            assert a == b, field.name
    if "docnos" not in but:
        assert one.docnos.equals(other.docnos, check_names=True)
