"""What a stranger looks for first: licence, citation, changes; and that they agree with the package."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import Environment
from packaging.version import Version
from trove_classifiers import classifiers
from website.commands import parameters

from irgauge.cli.app import commands, every_command
from irgauge.papers.entry import entries
from irgauge.papers.which_test.claims import CLAIMS
from irgauge.show.references import REFERENCES

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def cited() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "CITATION.cff").read_text())


def check(schema: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Files against a schema that check-jsonschema has."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # a tool of ours


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_the_licence_is_that_of_the_package() -> None:
    assert (ROOT / "LICENSE").read_text().startswith("MIT License\n\nCopyright (c) 2026 the irgauge authors\n")
    assert metadata("irgauge")["License-Expression"] == cited()["license"] == "MIT"


def test_the_citation_is_valid() -> None:
    checked = check("citation-file-format", ROOT / "CITATION.cff")
    assert checked.returncode == 0, checked.stdout


def test_a_citation_that_is_not_valid_is_found(tmp_path: Path) -> None:
    (tmp_path / "CITATION.cff").write_text((ROOT / "CITATION.cff").read_text().replace("family-names: Kim", "name: 3"))
    assert check("citation-file-format", tmp_path / "CITATION.cff").returncode == 1


def test_the_papers_whose_methods_these_are_are_cited_as_the_report_cites_them() -> None:
    """Not those that are asked for their claims about tests."""
    papers = {name.partition("/")[0] for name in entries()} & set(REFERENCES) - set(CLAIMS)
    titles = {one["title"].lower(): one for one in cited()["references"]}
    assert len(papers) == len(titles) == 6
    for paper in papers:
        reference = REFERENCES[paper]
        (found,) = (one for title, one in titles.items() if title in reference.lower())
        assert str(found["year"]) in reference
        assert all(author["family-names"] in reference for author in found["authors"])
        assert "doi.org" not in reference or reference.endswith(f"https://doi.org/{found['doi']}")


def test_the_version_is_the_same_everywhere() -> None:
    versions = re.findall(r"^## (?!Unreleased)(\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert PROJECT["version"] == cited()["version"] == versions[0]
    assert versions == sorted(versions, key=Version, reverse=True)


def test_an_archive_is_told_what_the_citation_says() -> None:
    archived, papers = json.loads((ROOT / ".zenodo.json").read_text()), cited()["references"]
    said = {name: cited()[name] for name in ("title", "license", "keywords")}
    assert {name: archived[name] for name in said} == said
    assert archived["creators"] == cited()["authors"]
    assert archived["description"] == " ".join(cited()["abstract"].split()) == PROJECT["description"]
    dois = [one["identifier"] for one in archived["related_identifiers"]]
    assert dois == [paper["doi"] for paper in papers if "doi" in paper]


def test_the_recipe_of_conda_has_the_version_and_all_that_is_needed() -> None:
    files = {"../pyproject.toml": {"project": PROJECT}}
    template = Environment(autoescape=False).from_string((ROOT / "recipe" / "meta.yaml").read_text())  # noqa: S701  # YAML
    text = template.render(load_file_data=lambda path, *, from_recipe_dir: from_recipe_dir and files[path])
    recipe = yaml.safe_load(text)
    assert (recipe["package"]["name"], str(recipe["package"]["version"])) == ("irgauge", PROJECT["version"])
    needed = [one.partition(";")[0] for one in PROJECT["dependencies"]]
    assert recipe["requirements"]["run"] == [f"python {PROJECT['requires-python']}", *needed]
    assert recipe["build"]["entry_points"] == ["irgauge = irgauge.cli:entry"]
    for command in recipe["test"]["commands"]:
        assert set(command.split()[1:2]) <= {"--version", *commands()}


def test_an_index_knows_the_classifiers() -> None:
    assert set(PROJECT["classifiers"]) <= classifiers


@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text())
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_paths_that_a_page_names_exist(name: str) -> None:
    paths = re.findall(r"`((?:src|tests|docs|examples)/[\w./]+)`", (ROOT / name).read_text())
    assert [path for path in paths if not (ROOT / path).exists()] == []


def flags(command: str) -> set[str]:
    return {flag for one in parameters(command) for flag in (*one.opts, *one.secondary_opts)}


def test_commands_options_and_targets_that_pages_name_exist() -> None:
    pages = "\n".join((ROOT / name).read_text() for name in PAGES)
    targets = set(re.findall(r"(?<![\w.])make ([a-z][\w-]*)(?=`|\n| +#)", pages))
    assert targets
    assert targets <= make_targets()
    called = re.findall(r"`irgauge ([a-z]+)([^`]*)`", pages)
    assert called
    for name, rest in called:
        assert name in commands()
        assert set(re.findall(r"(?<= )--[a-z][a-z-]*", rest)) <= flags(name), name
    alone = set(re.findall(r"`(--[a-z][a-z-]*)[^`]*`", pages))
    assert alone
    assert alone <= {"--version", "--help", "--help-all"}.union(*(flags(name) for name in every_command()))
