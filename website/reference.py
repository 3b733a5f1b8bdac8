"""The Python reference, from docstrings.

Verbs take their options from dataclasses when they are made, so that only the running program knows their signatures;
tools that read the source alone would show two parameters, `data` and `options`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING
from pathlib import Path
from typing import Any

import irgauge
from irgauge.options.fields import Option, help_of, options_of
from irgauge.studies.registry import studies
from irgauge.studies.result import Result
from website.markup import anchor, block, code, prose, table

MODULES = ("conversion", "pyterrier", "ir_measures", "testing")


PLACE = Path(__file__).parents[1] / "docs" / "reference.md"
_FIRST = "## Functions\n"


def page(text: str) -> str:
    """Verbs, types, and what every result can do, under what stands above them on the page as it is."""
    intro = text.partition(_FIRST)[0].rstrip() + "\n"
    public = {name: getattr(irgauge, name) for name in sorted({*irgauge.__all__, *studies()}, key=str.lower)}
    verbs = {name: one for name, one in public.items() if inspect.isfunction(one)}
    types = {name: one for name, one in public.items() if inspect.isclass(one)}
    return "\n".join(
        [
            intro,
            _FIRST,
            *(_function(name, one) for name, one in verbs.items()),
            "## Results\n",
            "Every study gives a result, frozen, with these methods.\n",
            *_class("Result", Result),
            "## Types\n",
            *(part for name, one in types.items() for part in _class(name, one)),
        ]
    )


def _function(name: str, function: Any) -> str:  # noqa: ANN401  # any function
    return f"### {name} {{ #{anchor(name)} }}\n\n{block('python', _signature(name, function))}\n{docstring(function)}\n"


def _class(name: str, kind: type) -> Iterator[str]:
    yield f"### {name} {{ #{anchor(f'class-{name}')} }}\n\n{docstring(kind)}\n"
    for attribute, member in inspect.getmembers(kind):
        own = attribute in {key for base in kind.__mro__ if base.__module__.startswith("irgauge") for key in vars(base)}
        if own and not attribute.startswith("_") and (callable(member) or isinstance(member, property)):
            shown = attribute if isinstance(member, property) else _signature(attribute, member)
            yield f"#### {name}.{attribute}\n\n{block('python', shown)}\n{docstring(member)}\n"


def _signature(name: str, function: Any) -> str:  # noqa: ANN401  # any function
    """A call, an argument a line where there are many."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        return f"{name}(...)"
    given = [_shown(one) for one in signature.parameters.values() if one.name not in ("self", "cls")]
    star = next((i for i, one in enumerate(signature.parameters.values()) if one.kind is one.KEYWORD_ONLY), None)
    if star is not None:
        given.insert(star - (len(signature.parameters) - len(given)), "*")
    joined = f"{name}({', '.join(given)})"
    return joined if len(joined) <= 90 else f"{name}(\n    " + ",\n    ".join(given) + ",\n)"


def _shown(one: inspect.Parameter) -> str:
    """A parameter, with its default if it has one; what it means is said below."""
    stars = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
    return f"{stars}{one.name}" + ("" if one.default is one.empty else f"={_written(one.default)}")


def _written(default: object) -> str:
    """A default; of a function, which has no text of its own, dots."""
    return "..." if inspect.isfunction(default) else repr(default)


def docstring(thing: Any) -> str:  # noqa: ANN401  # anything that has one
    """A docstring as Markdown: paragraphs, examples as code, options as a table."""
    text, _, _ = (inspect.getdoc(thing) or "").partition("\nParameters\n----------\n")
    parts = [_paragraph(lines) for lines in re.split(r"\n\s*\n", text)]
    options = options_of(thing.options) if hasattr(thing, "options") else ()
    rows = [[code(option.name), _default(option), prose(help_of(option))] for option in options]
    returned = re.search(r"\nReturns\n-------\n(.*)(?:\n +(.*))?", inspect.getdoc(thing) or "")
    gives = f"Gives {code(returned[1])}{f': {prose(returned[2])}' if returned[2] else ''}\n" if returned else ""
    return "\n".join([*parts, table(["argument", "default", "meaning"], rows) if rows else "", gives])


def explanation(thing: Any) -> str:  # noqa: ANN401  # anything that has a docstring
    """A docstring as Markdown, without its examples and parameters."""
    text, _, _ = (inspect.getdoc(thing) or "").partition("\nParameters\n----------\n")
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n".join(_paragraph(lines) for lines in paragraphs if not lines.lstrip().startswith(">>>"))


def _default(option: Option) -> str:
    return code(_written(option.default)) if option.default is not MISSING else ""


def _paragraph(lines: str) -> str:
    """A paragraph; an example, or an indented formula, is code."""
    if lines.lstrip().startswith(">>>"):
        return block("pycon", inspect.cleandoc(lines))
    if lines.startswith("    "):
        return block("text", inspect.cleandoc(lines))
    return f"{prose(' '.join(lines.split()))}\n"


if __name__ == "__main__":
    PLACE.write_text(page(PLACE.read_text(encoding="utf-8")), encoding="utf-8")
