"""One chart as a page that needs no server and no network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irgauge.show.safe_html import page_file, policy, script_data, template
from irgauge.show.vega import vega


def chart_page(spec: Mapping[str, Any], title: str, alternative: str) -> str:
    """The page of a Vega-Lite specification."""
    scripts = (vega(), page_file("chart.js"))
    return template("chart.html.j2").render(
        title=title, alternative=alternative, spec=script_data(spec), scripts=scripts, policy=policy(scripts)
    )
