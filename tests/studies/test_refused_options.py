"""Every study refuses values that an option cannot have, from Python and on the command line, before it reads data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from irgauge.errors import DesignError, InputError
from irgauge.options.fields import Option, options_of
from irgauge.reading.collection import load
from irgauge.reporting.options import ReportOptions
from irgauge.reporting.report import report
from irgauge.simulation.simulated import SimulateOptions, simulate
from irgauge.studies.registry import Study, studies

Irgauge = Callable[..., tuple[int, str, str]]
ALPHAS = (5.0, 1.0, 0.0, -0.05, math.nan, math.inf, 1e-320, 1e-17, 1 - 1e-16, "0.05")
UNREAD = object()  # data that no study can read: options are refused first
THREADED = [study for study in studies().values() if "workers" in {one.name for one in options_of(study.options)}]
LEVELLED = [study for study in studies().values() if "alpha" in {one.name for one in options_of(study.options)}]


def asking(study: Study, **asked: Any) -> None:  # noqa: ANN401  # of any option
    """Ask a study, whose first arguments are never looked at."""
    study.verb(*[UNREAD] * max(len(study.reads), 1), **asked)


@pytest.mark.parametrize("study", LEVELLED, ids=lambda study: study.name)
def test_every_study_refuses_a_level_that_is_none(study: Study) -> None:
    with pytest.raises(DesignError, match=r"^alpha is 5"):
        asking(study, alpha=5.0)


@pytest.mark.parametrize("study", [*(study.name for study in LEVELLED), "report", "studentized"])
def test_every_command_refuses_a_level_that_is_none(study: str, run: Irgauge) -> None:
    files = [] if study == "studentized" else ["no-qrels", "no-run", "no-other"]
    code, out, err = run(study, *files, "--alpha", math.nan)
    assert (code, out) == (2, "")
    assert err.startswith("irgauge: alpha is nan")


def test_a_level_is_between_0_and_1_and_neither() -> None:
    for alpha in ALPHAS:
        with pytest.raises(DesignError, match=r"^alpha is "):
            asking(studies()["compare"], alpha=alpha)
        with pytest.raises(DesignError, match=r"^alpha is "):
            report(UNREAD, alpha=alpha)  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize("study", THREADED, ids=lambda study: study.name)
def test_every_study_refuses_threads_that_are_none(study: Study) -> None:
    with pytest.raises(DesignError, match=r"^workers is 0"):
        asking(study, workers=0)


@pytest.mark.parametrize("workers", [-1, 2.5, "2", 10**30])
def test_threads_are_a_whole_number_of_at_least_1(workers: object) -> None:
    with pytest.raises(DesignError, match=r"^workers is "):
        asking(studies()["compare"], workers=workers)


@pytest.mark.parametrize("workers", [0, -1])
def test_other_verbs_refuse_threads_that_are_none(workers: int) -> None:
    verbs: list[Callable[[], object]] = [
        lambda: load({"1": {"a": 1}}, {"x": {"1": {"a": 1.0}}}, workers=workers),
        lambda: simulate(workers=workers),
        lambda: report(UNREAD, workers=workers),  # type: ignore[arg-type]  # what is tested
    ]
    for verb in verbs:
        with pytest.raises(DesignError, match=f"workers is {workers}; it is at least 1"):
            verb()


def numbers(asked: type) -> list[Option]:
    """The options that take whole numbers."""
    return [option for option in options_of(asked) if "int" in str(option.kind)]


@pytest.mark.parametrize("study", studies().values(), ids=lambda study: study.name)
def test_every_number_of_every_study_has_a_limit(study: Study) -> None:
    for option in numbers(study.options):
        with pytest.raises((DesignError, InputError)):
            asking(study, **{option.name: 2**200 if option.kind is int else (2**200,)})


@pytest.mark.parametrize("command", [*studies(), "report", "simulate"])
def test_every_command_refuses_numbers_that_are_none(command: str, run: Irgauge) -> None:
    asked = {name: study.options for name, study in studies().items()} | {
        "report": ReportOptions,
        "simulate": SimulateOptions,
    }
    files = ["-o", "nowhere"] if command == "simulate" else ["no-qrels", "no-run", "no-other"]
    flags = [option.flag for option in numbers(asked[command])]
    for flag, value in ((flags[0], "9" * 5000), (flags[-1], str(2**200))):
        code, out, err = run(command, *files, f"{flag}={value}")
        assert (code, out) == (2, "")
        assert "Traceback" not in err
        assert "no-qrels" not in err, "options are refused before data are read"


@pytest.mark.parametrize("flag", ["--df", "--systems"])
def test_critical_values_refuse_numbers_that_are_none(flag: str, run: Irgauge) -> None:
    for value in ("²", "1e3", "-1", "", "1,,2"):
        code, out, err = run("studentized", f"{flag}={value}")
        assert (code, out) == (2, "")
        assert err.startswith(f"irgauge: {flag} '{value}' are not whole numbers")
    code, out, err = run("studentized", f"{flag}=5,{'9' * 5000}")
    assert (code, out, err) == (2, "", f"irgauge: {flag} has a number of 5,000 digits; numbers have at most 18\n")


def test_numbers_of_each_command_have_a_limit_of_their_own_or_that_of_all(run: Irgauge) -> None:
    for command, *rest in (
        ("bootstrap", "--images", 10**12),
        ("pools", "--images", 10**12),
        ("compare", "--draws", 10**12),
        ("partition", "--splits", 10**12),
        ("pools", "--depths", "10,²"),
        ("report", "--corpus-size", 2**63),
    ):
        code, out, err = run(command, "no-qrels", "no-run", *rest)
        assert (code, out) == (2, "")
        assert "no-qrels" not in err


def test_data_that_do_not_fit_into_memory_are_an_error_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 7.28 TiB for an array")

    monkeypatch.setattr("irgauge.studies.score.study.opened_needs", full)
    with pytest.raises(DesignError, match=r"not enough memory for this \(Unable to allocate 7\.28 TiB"):
        studies()["score"].verb(load({"1": {"a": 1}}, {"x": {"1": {"a": 1.0}}}))


@pytest.mark.parametrize("margin", [math.nan, math.inf])
def test_numbers_are_finite(margin: float) -> None:
    with pytest.raises((DesignError, InputError), match="margin"):
        asking(studies()["instances"], margin=margin)
