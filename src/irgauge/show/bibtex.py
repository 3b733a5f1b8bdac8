"""BibTeX entries, from the references as they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_AUTHORS = re.compile(r"(?<=[a-zé])\. ")  # the end of a name; initials end with a capital
_TITLE = re.compile(r"(?<=\?) |\. ")
_PROCEEDINGS = re.compile(r"In (?P<booktitle>Proc\. \w+ (?P<year>\d{4}))(?:, (?P<pages>[\d–]+))?")
_JOURNAL = re.compile(
    r"(?P<journal>.+?) (?P<volume>\d+)(?:\((?P<number>[\d/]+)\))?"
    r"(?:, (?:article (?P<articleno>\d+)|(?P<pages>[\d–]+)))?, (?P<year>\d{4})"
)
_BOOK = re.compile(r"(?P<publisher>.+), (?P<year>\d{4})")
_ABOUT = "A gauge for information-retrieval experiments"
_YEAR = "2026"  # as LICENSE has it
_KINDS = {"inproceedings": _PROCEEDINGS, "article": _JOURNAL, "book": _BOOK}


def entry(key: str, reference: str) -> str:
    """The entry of a reference: `Authors. Title. Where, when. Address`.

    >>> print(entry("brennan-2001", "R. L. Brennan. Generalizability Theory. Springer, 2001."))
    @book{brennan-2001,
      author = {R. L. Brennan},
      title = {{Generalizability Theory}},
      publisher = {Springer},
      year = {2001}
    }
    """
    authors, rest = _AUTHORS.split(reference, maxsplit=1)
    title, where = _TITLE.split(rest, maxsplit=1)
    kind, fields = _published(where)
    return _entry(kind, key, {"author": authors.replace(", ", " and "), "title": f"{{{title}}}", **fields})


def software(version: str) -> str:
    """The entry of irgauge itself, as CITATION.cff has it, of a type that every style has.

    >>> print(software("0.2.0"))
    @misc{irgauge,
      author = {{the irgauge authors}},
      title = {{irgauge: A gauge for information-retrieval experiments}},
      howpublished = {Computer software},
      note = {Version 0.2.0},
      year = {2026}
    }
    """
    named = {"author": "{the irgauge authors}", "title": f"{{irgauge: {_ABOUT}}}"}
    published = {"howpublished": "Computer software", "note": f"Version {version}", "year": _YEAR}
    return _entry("misc", "irgauge", named | published)


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def _published(where: str) -> tuple[str, dict[str, str]]:
    """The kind of an entry, and its fields."""
    kind, match = next((kind, match) for kind, form in _KINDS.items() if (match := form.match(where)))
    fields = {name: value.replace("–", "--") for name, value in match.groupdict().items() if value}
    return kind, fields | dict(_address(where))


def _address(where: str) -> Iterator[tuple[str, str]]:
    if address := re.search(r"https://(?:(doi\.org)/)?(\S+)", where):
        yield ("doi", address[2]) if address[1] else ("url", address[0].rstrip("."))
