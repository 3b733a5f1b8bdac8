"""Tests and corrections once more, each as a few plain lines of Python (numpy, scipy) or R: parts of a script.

A file `<test>.py.txt` defines `test(d, level)`, of the differences of one pair on topics, or `tests(scores, pairs,
level)`, of all pairs; a file `<correction>.py.txt` defines `adjusted(p)`. What has no file is not computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from irgauge.inference.corrections import Correction
from irgauge.inference.tests.record import Test

LANGUAGES: Mapping[str, str] = {"python": ".py", "r": ".R"}  # name -> how scripts end
EACH_PAIR, BEGINNING, END, UNCORRECTED = "each pair", "beginning", "end", "none"  # parts that scripts have besides


def part(name: str, language: str) -> str | None:
    """The part of that name; None where there is none in this language."""
    file = files(__name__).joinpath(f"{name}{LANGUAGES[language]}.txt")
    return file.read_text(encoding="utf-8") if file.is_file() else None


def has_script(test: Test, correction: Correction, language: str) -> bool:
    """Whether a test, and what corrects it, can be computed again in a language."""
    return part(test.name, language) is not None and (
        correction.is_of_test or part(correction.name, language) is not None
    )


def script(test: Test, correction: Correction, language: str, data: str) -> str:
    """The whole script around some data: what they are, the test, the correction, and what prints all claims."""
    own = part(test.name, language) or ""
    is_of_pair = "def tests(" not in own and "tests <- function(" not in own
    adjusting = UNCORRECTED if correction.is_of_test else correction.name
    names = [EACH_PAIR, adjusting, END] if is_of_pair else [adjusting, END]
    parts = [part(BEGINNING, language), data, own, *(part(name, language) for name in names)]
    return "\n\n".join(text.strip("\n") for text in parts if text) + "\n"
