"""A series of settings, such as sampling rates: from which one on is an algorithm as good as the baseline?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from irgauge.inference.instance_tests import Pair
from irgauge.inference.verdicts import Verdict, smallest_setting

NOT_WORSE: tuple[Verdict, ...] = ("better", "equivalent", "not worse")
_NUMBER = re.compile(
    r"(?<![0-9])((?:[0-9]{1,99}(?:\.[0-9]{1,99})?|\.[0-9]{1,99})(?:e-?[0-9]{1,9})?)%?$"
)  # bounded: linear


class Setting(NamedTuple):
    """An algorithm as a setting of a series, and what is said of it."""

    algorithm: str
    value: float
    verdict: Verdict
    hpd_verdict: Verdict | None


class Smallest(NamedTuple):
    """The smallest settings from which on all are shown to be so; None where there is none."""

    not_worse: float | None
    equivalent: float | None


def setting_of(algorithm: str) -> float | None:
    """The number at the end of a name, as of a sampling rate.

    >>> setting_of("sampled-0.5"), setting_of("rate4%"), setting_of("eps-1e-3"), setting_of("exhaustive")
    (0.5, 4.0, 0.001, None)
    """
    match = _NUMBER.search(algorithm)
    return float(match[1]) if match else None


def _stem(algorithm: str) -> str:
    """A name without the number at its end."""
    return _NUMBER.sub("", algorithm)


def series_of(
    pairs: Sequence[Pair], verdicts: Sequence[Verdict], hpd_verdicts: Sequence[Verdict] | None
) -> tuple[Setting, ...]:
    """The algorithms whose names differ in the number at their end, by that number, each against the baseline.

    Where there are several such series, the longest; one algorithm alone is none.
    """
    stems = [_stem(pair.first) for pair in pairs if setting_of(pair.first) is not None]
    longest = max(stems, key=stems.count, default="")
    if stems.count(longest) < 2:
        return ()
    by_hpd = hpd_verdicts or (None,) * len(pairs)
    rows = [
        Setting(pair.first, value, verdict, by)
        for pair, verdict, by in zip(pairs, verdicts, by_hpd, strict=True)
        if (value := setting_of(pair.first)) is not None and _stem(pair.first) == longest
    ]
    return tuple(sorted(rows, key=lambda setting: setting.value))


def smallest_of(series: Sequence[Setting], *, by_hpd: bool = False) -> Smallest:
    """From which setting on all are not worse, and from which on all are equivalent; by the tests, or by intervals."""
    values = [setting.value for setting in series]
    verdicts = [setting.hpd_verdict if by_hpd else setting.verdict for setting in series]
    return Smallest(
        smallest_setting(values, [verdict in NOT_WORSE for verdict in verdicts]),
        smallest_setting(values, [verdict == "equivalent" for verdict in verdicts]),
    )
