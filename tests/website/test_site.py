"""The site, built as `make docs` does: whole, without dead links, and without a word to any network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser
from website.markup import anchor
from website.questions import references

import irgauge
from browser.tab import chromium, opened
from irgauge.cli.app import every_command
from irgauge.options.fields import options_of
from irgauge.scoring.catalogue import RECORDS
from irgauge.studies.registry import Study, studies

ROOT = Path(__file__).parents[2]
LOADING = ("src", "srcset", "data", "poster")  # attributes whose address a browser fetches by itself


@dataclass
class Read(HTMLParser):
    """A page: its headings and other places, its links, and what a browser loads with it."""

    path: Path
    places: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    formulas: int = 0
    words: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)  # what is no code
    within: list[str] = field(default_factory=list)  # code, or what is no text

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places.add(given.get("id", ""))
        self.formulas += tag == "math"
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") != "canonical":
            self.loaded.append(given["href"])
        self.loaded += [given[name] for name in LOADING if name in given]
        self.within += [tag] if tag in ("code", "pre", "script", "style") else []

    def handle_endtag(self, tag: str) -> None:
        if self.within[-1:] == [tag]:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        self.prose += [] if self.within else [data]

    @cached_property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


@dataclass(frozen=True)
class Site:
    """All pages by their places in the site."""

    folder: Path
    pages: dict[str, Read]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site; a warning of MkDocs fails the build."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(  # noqa: S603  # a program of our environment
        command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    paths = [path for path in sorted(folder.rglob("*.html")) if path.name != "404.html"]  # which a server shows
    return Site(folder, {str(path.relative_to(folder)): Read(path) for path in paths})


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_every_study_has_a_page_with_all_that_a_reader_needs(study: Study, site: Site) -> None:
    page = site.pages[f"questions/{study.name}.html"]
    written = {"what-it-takes-for-granted", "when-not-to-use-it"}
    made = {"the-command", "its-tables", "its-charts", "its-options"}
    assert written | made <= page.places
    assert ("references" in page.places) == any(references(study))  # some compute nothing that a paper defines
    assert [name for name in study.charts if f"Chart: {name}" not in page.text] == []
    assert [option.flag for option in options_of(study.options) if option.flag not in page.text] == []
    pictures = [one for one in page.loaded if one.startswith(f"{study.name}-") and one.endswith(".svg")]
    assert len(pictures) == len(study.charts)
    assert f"{study.name}.html" in site.pages["questions/index.html"].links


def test_every_measure_has_its_formula(site: Site) -> None:
    page = site.pages["measures.html"]
    assert [one.name for one in RECORDS if f"measure-{one.name.lower()}" not in page.places] == []
    assert page.formulas >= len(RECORDS)


def test_every_command_has_an_entry(site: Site) -> None:
    page = site.pages["commands.html"]
    assert [name for name in every_command() if f"irgauge {name}" not in page.text] == []
    assert [name for name in every_command() if name not in studies() and anchor(name) not in page.places] == []
    assert [name for name in studies() if f"questions/{name}.html" not in page.links] == []


def test_every_public_name_and_every_result_has_an_entry(site: Site) -> None:
    places = site.pages["reference.html"].places
    assert [name for name in irgauge.__all__ if {name.lower(), f"class-{name.lower()}"}.isdisjoint(places)] == []
    assert [name for name in studies() if name not in site.pages["json.html"].places] == []


def test_every_page_can_be_reached_from_the_first(site: Site) -> None:
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        page = site.pages[waiting.pop()]
        for link in page.links:
            found = target(page, link)
            name = "" if found is None else str(found[0].relative_to(site.folder))
            if name in site.pages and name not in reached:
                reached.add(name)
                waiting.append(name)
    assert reached == set(site.pages)


def target(page: Read, link: str) -> tuple[Path, str] | None:
    """The file, and the place in it, that an address means; None if it is not of the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
    return (path / "index.html" if path.is_dir() else path), unquote(parts.fragment)


def test_no_link_is_dead(site: Site) -> None:
    dead = []
    for name, page in site.pages.items():
        for link in {*page.links, *page.loaded}:
            found = target(page, link)
            if found is None:
                continue
            path, place = found
            read = site.pages.get(str(path.relative_to(site.folder)) if path.is_relative_to(site.folder) else "")
            if not path.is_file() or (place and read is not None and place not in read.places):
                dead.append(f"{name} -> {link}")
    assert dead == []


def test_no_page_shows_markdown_as_it_is_written(site: Site) -> None:
    signs = re.compile(r"\*\*|`|\]\(|\| ---|^- |\\[|*_]", re.MULTILINE)
    left = [f"{name}: {found[0]}" for name, page in site.pages.items() for found in signs.finditer("".join(page.prose))]
    assert left == []
    assert [name for name, page in site.pages.items() if "\\|" in page.text] == []


def test_no_page_asks_for_anything_beyond_the_site(site: Site) -> None:
    asked = [f"{name}: {one}" for name, page in site.pages.items() for one in page.loaded if "//" in one]
    assert asked == []
    styles = [path.read_text(encoding="utf-8") for path in site.folder.rglob("*.css")]
    assert not any("url(http" in one or "@import" in one for one in styles)


def test_pages_open_from_disk_without_a_word_to_the_network(site: Site, browser: Browser) -> None:
    page = opened(browser, (site.folder / "index.html").as_uri())
    for name in site.pages:
        page.tab.goto((site.folder / name).as_uri())
        broken = "[...document.images].filter(one => one.complete && !one.naturalWidth).map(one => one.src)"
        assert page.tab.evaluate(broken) == [], name
    assert page.errors == []
    assert [url for url in page.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    page.tab.close()


def test_search_finds_from_disk(site: Site, browser: Browser) -> None:
    page = opened(browser, (site.folder / "tutorials" / "better.html").as_uri())
    page.tab.locator(".md-search__input").first.click()
    page.tab.get_by_text("Type to start searching").first.wait_for()  # the theme has read its index
    page.tab.keyboard.insert_text("rank-biased precisio")  # letter by letter, a "rank-" would be a mistake
    page.tab.keyboard.type("n")  # the theme looks at what is there when a key is let go
    found = page.tab.locator(".md-search-result__link").first
    found.wait_for()
    assert "measures.html" in (found.get_attribute("href") or "")
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_url("**/measures.html**")
    assert page.errors == []
    page.tab.close()


def test_pictures_are_shown_step_by_step_by_buttons_and_keys_and_all_without_scripts(
    site: Site, browser: Browser
) -> None:
    address = (site.folder / "teaching.html").as_uri()
    page = opened(browser, address, 390)
    seen = page.tab.locator(".step:visible h2")
    steps = [seen.inner_text()]
    page.tab.get_by_role("button", name="Next").press("Enter")
    for _ in range(3):
        steps.append(seen.inner_text())
        page.tab.keyboard.press("ArrowRight")
    steps.append(seen.inner_text())
    assert [step.split(".")[0] for step in steps] == ["1", "2", "3", "4", "5"]
    assert page.tab.get_by_role("button", name="Next").is_disabled()
    page.tab.keyboard.press("ArrowLeft")
    assert seen.inner_text() == steps[3]
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= 390
    shrunk = "images => images.map(image => image.getBoundingClientRect().width / image.naturalWidth)"
    assert page.tab.locator(".step:visible img").evaluate_all(shrunk) >= [0.9]  # letters stay readable
    assert page.errors == []
    page.tab.close()
    plain = opened(browser, address, java_script_enabled=False)
    assert plain.tab.locator(".step:visible img").count() == 5
    plain.tab.close()


def test_a_phone_shows_a_page_without_moving_it_sideways(site: Site, browser: Browser) -> None:
    for name in ("index.html", "questions/compare.html", "measures.html"):
        page = opened(browser, (site.folder / name).as_uri(), 390)
        assert page.tab.evaluate("document.documentElement.scrollWidth") <= 390
        page.tab.close()
