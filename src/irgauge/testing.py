"""Gates in tests: `assert_not_worse`, and a plugin for pytest that lists the verdicts.

The plugin is asked for in a conftest.py: `pytest_plugins = ["irgauge.testing"]`. It lists the verdict of every gate at
the end, also of those that pass, and adds it to the properties of the test in JUnit's XML. This module imports neither
pytest nor anything that computes until a gate is asked for.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from irgauge.choices import known
from irgauge.visible import visible

if TYPE_CHECKING:
    import pytest

    from irgauge.studies.gate.study import Gated

_PROPERTY = "irgauge"  # of a test: the verdict of a gate in it
_WAYS = ("fail", "warn")
_VERDICTS: deque[str] = deque(maxlen=1000)  # of the gates in the test at hand


class UndecidedGateWarning(UserWarning):
    """These topics do not say whether a candidate is worse."""


def assert_not_worse(
    data: object,
    baseline: object,
    candidate: object = None,
    measures: object = None,
    *,
    undecided: Literal["fail", "warn"] = "fail",
    **options: Any,  # noqa: ANN401  # those of `gate`
) -> Gated:
    """Assert that a candidate is shown to be not worse than the baseline by the margin, in every measure.

    The arguments are those of `gate`, which is what is returned. Where the gate fails, the error has the verdict and
    the reason: the topics that lose most, and what both rank there. A gate that is undecided fails too, as nothing is
    shown; with undecided="warn" it is a warning (UndecidedGateWarning), for tests on few topics that are to catch large
    losses only.

    >>> qrels = {str(topic): {"d": 1} for topic in range(20)}
    >>> base = {topic: {"d": 2.0, "x": 3.0 * (topic == "0")} for topic in qrels}
    >>> assert_not_worse(qrels, {"base": base}, {"new": base}, "RR", margin=0.01).verdict
    'pass'
    """
    __tracebackhide__ = True  # pytest shows the test's line, not ours
    from irgauge.studies.gate.study import gate

    way = known(undecided, _WAYS, "way to deal with an undecided gate")
    result = gate(data, baseline, candidate, measures, **options)  # type: ignore[arg-type]  # which it checks itself
    told = _told(result)
    _VERDICTS.append(told.partition("\n")[0])
    if result.verdict == "undecided" and way == "warn":
        warnings.warn(told, UndecidedGateWarning, stacklevel=2)
    elif result.verdict != "pass":
        raise AssertionError(told)
    return result


def _told(result: Gated) -> str:
    """The verdict, warnings, what a budget gave, and the reason; names in it command no terminal."""
    first, *others = result.findings()
    said = [first.text, *(f"warning: {other.text}" for other in others if other.tone == "warning")]
    said += [other.text for other in others if other.kind == "budget"]
    return "\n".join(filter(None, [*map(visible, said), result.aside()]))


def pytest_runtest_setup() -> None:
    """What was said before a test is not of it."""
    _VERDICTS.clear()


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """The verdicts of a test go with its report, also from another process."""
    if call.when == "call":
        item.user_properties += [(_PROPERTY, verdict) for verdict in _VERDICTS]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the verdicts of all tests."""
    verdicts = list(_reported(terminalreporter))
    if verdicts:
        terminalreporter.section("retrieval gates")
    for test, verdict in verdicts:
        terminalreporter.write_line(f"{visible(test)}: {verdict}")


def _reported(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, str]]:
    """Tests and the verdicts in them."""
    for reports in reporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                yield from ((report.nodeid, str(text)) for name, text in report.user_properties if name == _PROPERTY)
