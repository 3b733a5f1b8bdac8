"""When is a verdict false? What both the tests and the benchmark of verdicts count."""

from __future__ import annotations

from collections.abc import Callable

from irgauge.inference.verdicts import Verdict

MARGIN = 0.02
FAR = 0.3  # a difference that every test finds

FALSE: dict[Verdict, Callable[[float], bool]] = {  # verdict: of which true differences it is false
    "better": lambda d: d <= 0,
    "worse": lambda d: d >= 0,
    "equivalent": lambda d: abs(d) >= MARGIN,
    "not worse": lambda d: d <= -MARGIN,
    "not better": lambda d: d >= MARGIN,
    "inconclusive": lambda _: False,
}
