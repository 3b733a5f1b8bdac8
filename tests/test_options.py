"""Options as fields: what verbs take, what commands are made of."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass
from typing import Annotated

import pytest

from irgauge.options.fields import Help, Option, help_of, options_of
from irgauge.options.verbs import verb, verb_without_data
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.compare.study import compare
from irgauge.studies.registry import Study, studies


def colours() -> Iterable[str]:
    return ("red", "blue")


@dataclass(frozen=True)
class Base:
    measure: Annotated[str | None, Help("The measure.", short="-m")] = None
    _: KW_ONLY
    seed: Annotated[int, Help("The seed.", least=0)] = 0
    progress: object = None


@dataclass(frozen=True, kw_only=True)
class PaintOptions(Base):
    """What is asked."""

    colour: Annotated[str, Help("A colour.", names=colours)] = "red"
    keep_systems: Annotated[tuple[str, ...], Help("Systems.", flag="keep", forms=colours)] = ()


@verb(PaintOptions)
def paint(data: str, options: PaintOptions) -> str:
    """Paint data."""
    return f"{data} {options.colour} {options.measure} {options.seed}"


@verb_without_data(PaintOptions)
def dye(options: PaintOptions) -> str:
    """Dye."""
    return options.colour


def test_options_are_the_told_fields_own_ones_before_those_of_the_bases() -> None:
    found = {option.name: option for option in options_of(PaintOptions)}
    assert list(found) == ["measure", "colour", "keep_systems", "seed"]
    assert (found["measure"].kind, found["measure"].default) == (str, None)
    assert (found["seed"].kind, found["seed"].default) == (int, 0)
    assert [option.flag for option in found.values()] == ["--measure", "--colour", "--keep", "--seed"]


def test_help_has_what_a_registry_allows() -> None:
    found: dict[str, Option] = {option.name: option for option in options_of(PaintOptions)}
    assert help_of(found["seed"]) == "The seed."
    assert help_of(found["colour"]) == "A colour. One of: red, blue."
    assert help_of(found["keep_systems"]) == "Systems. One of: red, blue."


def test_a_verb_takes_the_options_as_arguments() -> None:
    assert paint("wall") == "wall red None 0"
    assert paint("wall", "AP", colour="blue", seed=3) == "wall blue AP 3"
    assert dye(colour="blue") == "blue"
    text = str(paint.__doc__)
    assert text.startswith("Paint data.\n\nParameters\n----------\n")
    assert "colour : a text, default 'red'\n    A colour. One of: red, blue.\n" in text
    assert [option.name for option in options_of(PaintOptions) if f"\n{option.name} : " not in text] == []
    assert paint.__name__ == "paint"


def test_a_verb_has_the_signature_that_it_takes() -> None:
    signature = inspect.signature(paint)
    assert list(signature.parameters) == ["data", "measure", "colour", "keep_systems", "seed", "progress"]
    assert signature.parameters["seed"].kind is inspect.Parameter.KEYWORD_ONLY
    assert signature.parameters["measure"].default is None
    assert "data" not in inspect.signature(dye).parameters


@pytest.mark.parametrize("verb", [paint, dye])
def test_an_option_that_there_is_not_names_the_nearest(verb: object) -> None:
    arguments = ("wall",) if verb is paint else ()
    with pytest.raises(TypeError, match=r"^(paint|dye) has no option 'color'; did you mean colour\?$"):
        verb(*arguments, color="blue")  # type: ignore[operator]  # either verb


def test_options_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        PaintOptions().seed = 3  # type: ignore[misc]  # what is tested


def test_a_verb_of_the_package_takes_what_its_command_takes() -> None:
    flags = {option.name for option in options_of(CompareOptions)}
    taken = set(inspect.signature(compare).parameters)
    assert flags <= taken
    assert taken - flags == {"data", "progress"}


@pytest.mark.parametrize("study", studies().values(), ids=lambda study: study.name)
def test_every_option_of_every_study_is_told(study: Study) -> None:
    names = [option.name for option in options_of(study.options)]
    assert len(names) == len(set(names))
    for option in options_of(study.options):
        assert help_of(option).endswith((".", "?")), option.name
