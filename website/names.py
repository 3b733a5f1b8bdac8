"""What type checkers know of names in registries: `make names` writes src/irgauge/names.py, which a test compares."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from irgauge.options.fields import Option, options_of
from irgauge.scoring.catalogue import RECORDS
from irgauge.studies.registry import studies

PLACE = Path(__file__).parents[1] / "src" / "irgauge" / "names.py"
_SHARED = {
    "test": "compare",
    "correction": "compare",
    "population": "compare",
    "transform": "compare",
}  # options of several studies


def content() -> str:
    """The module."""
    choices = dict(_choices())
    return "\n".join(
        [
            '"""Names out of registries as types, for editors and type checkers; made by `make names`."""',
            "# ruff: noqa: N816, RUF022  # measures have the names and the order of the catalogue",
            "# fmt: off",
            "",
            "from typing import TYPE_CHECKING, Literal",
            "",
            "if TYPE_CHECKING:",
            "    from irgauge.scoring.measures import Measure",
            "",
            *(line for name, values in choices.items() for line in _alias(name, values)),
            *(line for record in RECORDS for line in _measure(record.name, f"{record.title}: {record.explanation}")),
            "    __all__ = [",
            *(f'        "{record.name}",' for record in RECORDS),
            "    ]",
            "else:  # a name that a program registers is one, too",
            *(f"    {name} = str" for name in choices),
            "",
        ]
    )


def _choices() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Types of choices: those of an option that studies share once, and of others by their study."""
    shared = {name: _names(next(_of(study, name))) for name, study in _SHARED.items()}
    yield from ((name.capitalize(), names) for name, names in shared.items())
    for study in studies():
        for option in options_of(studies()[study].options):
            if option.allowed in (str, str | None) and _names(option) not in ((), shared.get(option.name)):
                yield f"{study.capitalize()}{option.name.capitalize()}", _names(option)


def _of(study: str, name: str) -> Iterator[Option]:
    return (option for option in options_of(studies()[study].options) if option.name == name)


def _names(option: Option) -> tuple[str, ...]:
    return tuple(option.help.names()) if option.help.names is not None else ()


def _alias(name: str, values: tuple[str, ...]) -> Iterator[str]:
    yield f"    {name} = Literal["
    quoted = ", ".join(f'"{value}"' for value in values)
    yield from textwrap.wrap(quoted, 118, initial_indent=" " * 8, subsequent_indent=" " * 8, break_on_hyphens=False)
    yield "    ]"
    yield ""


def _measure(name: str, text: str) -> Iterator[str]:
    yield f"    {name}: Measure"
    lines = textwrap.wrap(text, 108, break_on_hyphens=False)
    yield from textwrap.indent('"""' + "\n".join(lines) + '"""', "    ").split("\n")


if __name__ == "__main__":
    PLACE.write_text(content(), encoding="utf-8")
