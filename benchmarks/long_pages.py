"""The report of many systems: how long it takes, how large its page is, and how soon Chromium shows its first chart."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clock import irgauge, run_process
from benchmarks.figures import Figure
from irgauge.simulation.collections import Design, simulate

_SYSTEMS, _CORPUS = 500, 20_000
_MEASURES = ("-m", "AP", "-m", "nDCG@10")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def run() -> Iterator[Figure]:
    """A report with all pairs of 500 systems by two measures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulate(Design(systems=_SYSTEMS, families=60, depth=100, corpus_size=_CORPUS)).write(folder / "data")
        page = folder / "report.html"
        files = [folder / "data" / "qrels.txt", folder / "data" / "runs", "--corpus-size", _CORPUS]
        took = run_process(irgauge("report", *files, *_MEASURES, "-o", page, "--quiet"))
        yield Figure("report, 500 systems", took.seconds, "s")
        yield Figure("page of report, 500 systems", page.stat().st_size / 1e6, "MB", 8)
        opened = _opened(page)
        if opened is not None:
            yield Figure("first chart of report, 500 systems, in Chromium", opened, "s", 3)


def _opened(page: Path) -> float | None:
    """Seconds until Chromium has drawn the first chart; None where there is no Chromium."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        return None
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses root
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=arguments)
        tab = browser.new_page(viewport={"width": 1400, "height": 900})
        start = time.perf_counter()
        tab.goto(page.as_uri(), wait_until="commit")
        tab.wait_for_selector(".chart svg, .chart canvas", state="attached", timeout=60_000)
        taken = time.perf_counter() - start
        browser.close()
    return taken
