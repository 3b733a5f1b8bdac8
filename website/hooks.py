"""What MkDocs calls while it builds the site: pages that are made from the package are added to those of docs/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from irgauge.studies.registry import studies
from website import commands, fields, measures, questions, reference
from website.schemas import FOLDER

QUESTIONS = "Questions"  # the part of the navigation that the studies fill
MADE = {  # pages of which the beginning is written
    "commands.md": commands.page,
    "json.md": fields.page,
    "measures.md": measures.page,
    "questions/index.md": questions.overview,
    "reference.md": reference.page,
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name every study in the navigation."""
    pages: list[Any] = ["questions/index.md", *({name: f"questions/{name}.md"} for name in studies())]
    config.nav = [{QUESTIONS: pages} if part == QUESTIONS else part for part in config.nav or []]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made: charts, and pages of studies that have none."""
    written = {file.src_uri for file in files}
    for place, content in made():
        if place not in written:
            files.append(File.generated(config, place, content=content))
    return files


def made() -> Iterator[tuple[str, str]]:
    """All files that are made, by their places; and the schemas of JSON, which the package has."""
    for schema in sorted(FOLDER.glob("*.json")):
        yield f"schemas/{schema.name}", schema.read_text()
    for study in studies().values():
        yield f"questions/{study.name}.md", questions.heading(study)
        yield from questions.drawings(study).items()


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001  # MkDocs'
    """Add to a page what follows from the code."""
    place = Path(page.file.src_uri)
    if page.file.src_uri in MADE:
        return MADE[page.file.src_uri](_as_in_repositories(markdown))
    if str(place.parent) == "questions" and place.stem in studies():
        return f"{_as_in_repositories(markdown)}\n\n{questions.appendix(studies()[place.stem])}"
    return _as_in_repositories(markdown)


def _as_in_repositories(markdown: str) -> str:
    """What is folded is Markdown too, and code in a table has its bars escaped."""
    lines = markdown.replace("<details>", "<details markdown>").split("\n")
    return "\n".join(
        _CODE.sub(lambda code: code[0].replace("\\|", "|"), one) if one[:1] == "|" else one for one in lines
    )


_CODE = re.compile("`[^`]+`")
