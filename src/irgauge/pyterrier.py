"""irgauge's tests in PyTerrier: a function for `test=` of `pt.Experiment`.

>>> from irgauge.pyterrier import paired_test
>>> statistic, p = paired_test("skewed-t")([0.3, 0.5, 0.2, 0.6], [0.2, 0.3, 0.2, 0.3])
>>> round(statistic, 2), round(p, 3)
(2.32, 0.103)

What `pt.Experiment(..., perquery=True)` returns or saves is a table of scores: `irgauge.compare(frame)`. What it
writes to `save_dir` are runs: `irgauge.load(qrels, "folder")`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.choices import known
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import TESTS

Values = NDArray[np.float64] | Sequence[float]
_BY_TOPIC = {  # the tests of single pairs over topics
    name: test
    for name, test in TESTS.items()
    if test.is_of_pairs and test.needs == "values" and "within" not in test.takes
}


class PairedOutcome(NamedTuple):
    """What scipy's tests return first: the statistic and the p-value."""

    statistic: float
    pvalue: float


def paired_test(test: str = "t", *, seed: int = 0) -> Callable[[Values, Values], PairedOutcome]:
    """A test of the difference of two systems over topics, without correction: PyTerrier corrects (`correction=`).

    `test` is one of irgauge's tests of single pairs: t, skewed-t, wilcoxon, randomization, unpaired-t.

    >>> from scipy.stats import ttest_rel
    >>> ours, scipys = (one([1.0, 2.0, 4.0], [1.0, 1.0, 2.0]).pvalue for one in (paired_test(), ttest_rel))
    >>> bool(abs(ours - scipys) < 1e-9)
    True
    """
    chosen = _BY_TOPIC[known(test, tuple(_BY_TOPIC), "test of a pair over topics")]

    def outcome(system: Values, baseline: Values) -> PairedOutcome:
        values = np.column_stack([np.asarray(system, float), np.asarray(baseline, float)])  # topic, system
        result = chosen.compare(Experiment(values[:, :, None], ["system", "baseline"], baseline="baseline", seed=seed))
        return PairedOutcome(float(result.statistic[0]), float(result.p[0]))

    return outcome
