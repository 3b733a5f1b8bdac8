"""Trials: random inputs that are made from a seed and a number, so that each can be made again."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from random import Random, SystemRandom
from typing import TypeVar

from hypothesis import HealthCheck, settings

from fuzz.limits import limited
from irgauge.errors import DesignError, InputError

T = TypeVar("T")
MANY = "IRGAUGE_FUZZ"  # how many times as many inputs as in CI; where it is set, they are others each time
ONE = "IRGAUGE_FUZZ_INPUT"  # seed:number of one input
_DEAR = 5  # commands take a hundred times as long as readers: of each a fifth as many, so that both take as long
_MOST_SHOWN = 1500  # characters of an input
_MOST_FAULTS = 20


def is_fresh() -> bool:
    """Whether inputs are others each time."""
    return MANY in os.environ


def scaled(count: int, *, is_dear: bool = False) -> int:
    """How many inputs, where CI has so many; of those that take a tenth of a second, fewer are added."""
    times = float(os.environ.get(MANY, "1"))
    return round(count * (max(1.0, times / _DEAR) if is_dear else times))


def drawn(count: int) -> settings:
    """Hypothesis draws so many inputs in CI, and always the same."""
    return settings(
        max_examples=scaled(count),
        derandomize=not is_fresh(),
        database=None,
        deadline=None,  # `limited` tells what takes too long
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


def try_each(
    name: str, count: int, make: Callable[[Random], T], attempt: Callable[[T], object], *, is_dear: bool = False
) -> None:
    """Try random inputs; at the end all faults are told that differ by where they are, and how to repeat them."""
    seed, numbers = _asked(scaled(count, is_dear=is_dear))
    faults: dict[str, str] = {}
    for number in numbers:
        made = make(Random(f"{name} {seed} {number}"))  # noqa: S311  # no secret
        try:
            with limited():
                attempt(made)
        except (InputError, DesignError):
            pass
        except KeyboardInterrupt:
            raise
        except BaseException as fault:  # noqa: BLE001  # whatever else it is, also a panic of polars
            faults.setdefault(_place(fault), _told(fault, made, f"{ONE}={seed}:{number}"))
            if len(faults) == _MOST_FAULTS:
                break
    assert not faults, f"{len(faults)} faults in {name}\n\n" + "\n\n".join(faults.values())


def attempted(attempt: Callable[[], object]) -> None:
    """Try one input, within its limits: it gives a result, or is refused."""
    with limited():
        try:
            attempt()
        except (InputError, DesignError) as error:
            str(error).encode()


def _asked(count: int) -> tuple[str, Iterator[int] | range]:
    """The seed and the numbers of the inputs."""
    if ONE in os.environ:
        seed, number = os.environ[ONE].split(":")
        return seed, iter([int(number)])
    return str(SystemRandom().getrandbits(32) if is_fresh() else 0), range(count)


def _place(fault: BaseException) -> str:
    """The last line of the package that a fault came through."""
    frames = traceback.extract_tb(fault.__traceback__)
    ours = [frame for frame in frames if f"{os.sep}irgauge{os.sep}" in frame.filename] or frames
    return f"{type(fault).__name__} {ours[-1].filename}:{ours[-1].lineno} {getattr(fault, 'place', '')}"


def _told(fault: BaseException, made: object, repeat: str) -> str:
    lines = "".join(traceback.format_exception(fault, limit=-6))
    test = os.environ.get("PYTEST_CURRENT_TEST", "tests/fuzz").split(" ")[0]
    how = f"repeat it with: {repeat} {os.path.relpath(sys.executable)} -m pytest '{test}'"
    return f"{repr(made)[:_MOST_SHOWN]}\n{lines}{how}"
