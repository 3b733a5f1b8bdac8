"""The types of arrays, each named once; a comment beside an array says what its axes are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]  # text
Weights = NDArray[np.uint8]  # how often a document is drawn
Indices = NDArray[np.intp]  # places in another array
Signs = NDArray[np.int8]  # 1, 0 or -1
