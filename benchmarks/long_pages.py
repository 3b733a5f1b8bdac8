"""The report of many systems: how long it takes, how large its page is, and how soon Chromium shows its first chart."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.clock import run_process

_SYSTEMS, _CORPUS = 500, 20_000
_MEASURES = ("-m", "AP", "-m", "nDCG@10")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def run() -> None:
    """A report with all pairs of 500 systems by two measures: at most 8 MB, and 3 s until its first chart."""
    from irgauge.simulation.collections import Design, simulate

    irgauge = str(Path(sys.executable).with_name("irgauge"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulate(Design(systems=_SYSTEMS, families=60, depth=100, corpus_size=_CORPUS)).write(folder / "data")
        page = folder / "report.html"
        files = [str(folder / "data" / "qrels.txt"), str(folder / "data" / "runs"), "--corpus-size", str(_CORPUS)]
        took = run_process([irgauge, "report", *files, *_MEASURES, "-o", str(page), "--quiet"])
        print(f"\nreport of {_SYSTEMS} systems, with all pairs by two measures:")
        print(f"  written in       {took.seconds:7.2f} s, {took.megabytes:.0f} MB of memory")
        print(f"  page             {page.stat().st_size / 1e6:7.2f} MB")
        opened = _opened(page)
        print("  no Chromium to open it" if opened is None else f"  first chart in   {opened:7.2f} s")


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


if __name__ == "__main__":
    run()
