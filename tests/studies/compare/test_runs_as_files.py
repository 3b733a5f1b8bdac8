"""Comparisons of runs in files: the baseline by its file, and verdicts that rest on topics that a run lacks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import Golden
from irgauge import Collection, DesignError, load
from irgauge.replicates.data import baseline_of
from irgauge.replicates.given import opened
from irgauge.studies.compare.study import compare

Irgauge = Callable[..., tuple[int, str, str]]
Run = Mapping[str, list[str]]  # topic -> documents, best first
TOPICS, LACKING = 200, 7


def ranked(topic: int, place: int) -> list[str]:
    """Four documents, the relevant one at a place."""
    others = [f"d{topic}-{i}" for i in range(3)]
    return [*others[: place - 1], f"r{topic}", *others[place - 1 :]]


@cache
def base() -> dict[str, list[str]]:
    return {str(topic): ranked(topic, 1 + topic % 2) for topic in range(1, TOPICS + 1)}


@cache
def candidate() -> dict[str, list[str]]:
    """As the base on all but a few topics that are better or worse; of the last it lacks some."""
    moved = {topic: ranked(topic, 3 - (1 + topic % 2)) for topic in range(1, 9)}
    return {str(topic): moved.get(topic, base()[str(topic)]) for topic in range(1, TOPICS + 1 - LACKING)}


def write(folder: Path, runs: Mapping[str, tuple[str, Run]]) -> tuple[Path, Path]:
    """Judgments, and runs by the names of their files, with their tags."""
    (folder / "runs").mkdir()
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 r{topic} 1\n" for topic in range(1, TOPICS + 1)))
    for name, (tag, run) in runs.items():
        lines = [
            f"{topic} Q0 {document} {rank} {10 - rank} {tag}\n"
            for topic, documents in run.items()
            for rank, document in enumerate(documents, 1)
        ]
        (folder / "runs" / name).write_text("".join(lines))
    return folder / "qrels.txt", folder / "runs"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    runs = {"first-stage.run": ("BM25", base()), "candidate.v2.txt": ("Dense", candidate())}
    return write(tmp_path_factory.mktemp("files"), runs)


def loaded(files: tuple[Path, Path], **options: Any) -> Collection:  # noqa: ANN401  # of load
    return load(*files, warn=False, **options)


# the baseline


def test_a_baseline_is_named_by_its_name_its_file_or_the_file_without_its_ending(files: tuple[Path, Path]) -> None:
    data = opened(loaded(files))
    for given in ("BM25", "bm25", str(files[1] / "first-stage.run"), "first-stage.run", "first-stage"):
        assert baseline_of(data, given) == "BM25"
    for given in ("candidate.v2.txt", "candidate.v2", "candidate", "elsewhere/candidate.v2.txt"):
        assert baseline_of(data, given) == "Dense"


@pytest.mark.parametrize(
    ("given", "nearest"),
    [("BM52", "BM25"), ("dens", "Dense"), ("first-stag.run", "first-stage.run"), ("x/candidat.v2.txt", "candidate.v2")],
)
def test_a_baseline_that_is_not_there_is_refused_with_the_nearest(
    given: str, nearest: str, files: tuple[Path, Path], run: Irgauge
) -> None:
    with pytest.raises(DesignError, match=f"is unknown; did you mean '{nearest}"):
        compare(loaded(files), "RR", baseline=given)
    code, out, err = run("compare", *files, "-q", "-m", "RR", "--baseline", given)
    assert (code, out) == (2, "")
    assert f"did you mean '{nearest}" in " ".join(err.split())


def test_a_baseline_that_is_not_kept_is_not_called_unknown(files: tuple[Path, Path]) -> None:
    data = loaded(files)
    best = compare(data, "RR").comparison.systems
    with pytest.raises(DesignError, match=f"the baseline {best[-1]} is not among the .* kept .*; keep more of them"):
        compare(data, "RR", baseline=best[-1], keep_systems=str(len(best) - 1))


def test_the_command_takes_the_file_of_the_baseline(files: tuple[Path, Path], run: Irgauge) -> None:
    given = ["compare", *files, "-q", "-m", "RR", "--format", "json"]
    by_file, by_name = (
        json.loads(run(*given, "--baseline", name)[1]) | {"made": None}
        for name in (files[1] / "first-stage.run", "BM25")
    )
    assert by_file == by_name
    assert by_file["measures"][0]["baseline"] == "BM25"


def test_two_files_with_the_same_run_are_the_same(tmp_path: Path, run: Irgauge) -> None:
    given = write(tmp_path, {"a.run": ("BM25", base()), "b.run": ("Copy", base())})
    for margin in ([], ["--margin", "0.01"]):
        code, out, _ = run("compare", *given, "-m", "RR", "--baseline", "a.run", *margin)
        assert code == 0
        said = "Copy and BM25 have the same RR on all 200 topics: they are equivalent."
        assert said in " ".join(out.split())


# topics that a run does not answer


def test_zeros_turn_equivalent_into_worse_and_it_is_said(files: tuple[Path, Path], golden: Golden) -> None:
    found = compare(loaded(files), "RR", baseline="BM25", margin=0.02)
    assert (found.comparison.topics, found.first.verdict.verdicts) == (200, ("worse",))
    [change] = found.first.changes
    assert (change.system, change.against, change.population) == ("Dense", "BM25", "topics")
    assert (change.verdict, change.on_common, change.topics) == ("worse", "equivalent", TOPICS - LACKING)
    [told] = found.findings().of("missing-decides")
    assert (told.tone, told.fields["changes"]) == ("warning", [change])
    golden(told.text)


def test_without_these_topics_the_verdict_is_the_other(files: tuple[Path, Path]) -> None:
    dropped = compare(loaded(files, missing="drop"), "RR", baseline="BM25", margin=0.02)
    assert (dropped.comparison.topics, dropped.first.verdict.verdicts) == (193, ("equivalent",))
    assert dropped.first.changes == ()
    assert not dropped.findings().of("missing-decides")


def test_where_nothing_changes_nothing_is_said(files: tuple[Path, Path]) -> None:
    found = compare(loaded(files), "RR", baseline="BM25", margin=0.9)
    assert (found.first.verdict.verdicts, found.first.changes) == (("equivalent",), ())
    assert not found.findings().of("missing-decides")
    wide = compare(loaded(files), "RR", baseline="Dense", margin=0.02)
    assert [(one.verdict, one.on_common) for one in wide.first.changes] == [("better", "equivalent")]
    both = compare(loaded(files), ["RR", "P@1"], baseline="BM25", margin=0.02)
    assert [one.measure for one in both.findings().of("missing-decides")] == [
        one.measure for one in both.each if one.changes
    ]


@pytest.mark.parametrize("quiet", [[], ["-q"]], ids=["loud", "quiet"])
def test_the_command_says_so_even_when_quiet(quiet: list[str], files: tuple[Path, Path], run: Irgauge) -> None:
    given = ["compare", *files, "-m", "RR", "--baseline", "BM25", "--margin", "0.02", *quiet]
    code, out, _ = run(*given)
    assert code == 0
    said = "Dense against BM25 would be 'equivalent', not 'worse'"
    assert said in " ".join(out.split())
    code, out, err = run(*given, "--format", "json")
    shown = json.loads(out)
    [change] = shown["measures"][0]["changes_on_common_topics"]
    assert (change["verdict"], change["on_common"], change["topics"]) == ("worse", "equivalent", 193)
    assert any(said in told["text"] for told in shown["findings"])
    assert code == 0
    code, _, err = run(*given, "--format", "csv")
    assert code == 0
    assert said in " ".join(err.split())
