"""Do the methods keep their promise? Every method in worlds whose truth is known: python -m benchmarks.calibration.

The worlds are those of tests/calibration. A file here is one group of claims: its worlds, its designs and its methods,
each method a function from what was drawn to how far the claim erred. To add a method, write that function and its
record in the file's METHODS; the page docs/calibration.md has it the next time this runs. Worlds made of TREC-8 are
there where IRGAUGE_TREC8 names its folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests"))  # the tests' worlds are no part of the package that is installed
