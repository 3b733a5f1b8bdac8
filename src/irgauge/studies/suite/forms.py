"""The form that only a suite has: one page with everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from irgauge.show.html import render
from irgauge.studies.suite.page import page_of
from irgauge.studies.suite.study import SuiteCompared


def html(result: SuiteCompared) -> str:
    """The page."""
    return render(page_of(result))


FORMS: Mapping[str, Callable[[SuiteCompared], str | bytes]] = {"html": html}
