"""Where results go: never over what is read, and each to a place of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from irgauge.cli.places import check_places
from irgauge.errors import InputError

Irgauge = Callable[..., tuple[int, str, str]]
READ = "this file is read by the same command; choose another place"


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Judgments and a folder of runs, and a link and a hard link to the judgments."""
    (tmp_path / "runs").mkdir()
    for name in ("qrels.csv", "runs/a.csv", "map.csv"):
        (tmp_path / name).write_text(name)
    (tmp_path / "link.csv").symlink_to(tmp_path / "qrels.csv")
    os.link(tmp_path / "qrels.csv", tmp_path / "twin.csv")
    return tmp_path


@pytest.mark.parametrize("name", ["qrels.csv", "link.csv", "twin.csv", "runs/../qrels.csv", "runs/a.csv", "map.csv"])
def test_a_result_may_not_go_over_what_is_read(name: str, inputs: Path) -> None:
    given = [[str(inputs / "qrels.csv"), str(inputs / "runs")], f"map:{inputs / 'map.csv'}", None, 3]
    with pytest.raises(InputError, match=READ) as caught:
        check_places([None, inputs / name], given)
    assert caught.value.path == str(inputs / name)


def test_other_places_are_free(inputs: Path) -> None:
    check_places([inputs / "new.csv", inputs / "runs" / "new.csv", None], [str(inputs / "qrels.csv"), "AP"])
    check_places([Path(os.devnull), Path(os.devnull)], [os.devnull])


@pytest.mark.parametrize("other", ["out.csv", "runs/../out.csv"])
def test_two_results_may_not_go_to_one_file(other: str, inputs: Path) -> None:
    for _ in range(2):  # before it is there, and then
        with pytest.raises(InputError, match="two results would go to this file"):
            check_places([inputs / "out.csv", inputs / other])
        (inputs / "out.csv").write_text("")


def test_no_file_may_be_in_a_folder_of_results(inputs: Path) -> None:
    check_places([inputs / "out.csv"], [str(inputs / "qrels.csv")], folders=[inputs / "new", None])
    (inputs / "more").symlink_to(inputs / "runs")
    for outputs, given, folder in (
        ([inputs / "runs" / "new.csv"], [], "more"),
        ([], [str(inputs / "runs" / "a.csv")], "more"),
        ([], [str(inputs / "runs")], "runs"),
        ([inputs / "new"], [], "new"),
    ):
        with pytest.raises(InputError, match="a folder for results would hold"):
            check_places(outputs, given, folders=[inputs / folder])


def test_a_file_deep_in_a_folder_that_is_read_stays(inputs: Path) -> None:
    with pytest.raises(InputError, match=READ):
        check_places([inputs / "runs" / "a.csv"], [str(inputs)])
    check_places([inputs / "runs" / "new.csv"], [str(inputs)])


def test_what_is_held_may_be_read_only_but_is_no_place_for_a_result(inputs: Path) -> None:
    (inputs / "lock").write_text("")
    (inputs / "lock").chmod(0o400)
    check_places([inputs / "out.csv"], held=[inputs / "lock", None])
    os.link(inputs / "lock", inputs / "twin-lock")
    (inputs / "dangling").symlink_to(inputs / "new")
    for place, held in (("lock", "lock"), ("twin-lock", "lock"), ("dangling", "new"), ("new", "dangling")):
        with pytest.raises(InputError, match="two results would go to this file"):
            check_places([inputs / place], held=[inputs / held])
    with pytest.raises(InputError, match=READ):
        check_places([], [str(inputs / "qrels.csv")], held=[inputs / "twin.csv"])


def test_a_place_without_a_folder_is_refused(inputs: Path) -> None:
    with pytest.raises(InputError, match="the folder of this file does not exist"):
        check_places([inputs / "none" / "out.csv"])


def test_judgments_survive_a_command_that_would_write_over_them(demo: Path, tmp_path: Path, run: Irgauge) -> None:
    before = (demo / "qrels.txt").read_bytes()
    (tmp_path / "chart.svg").symlink_to(demo / "qrels.txt")
    for command, option in (("score", "-o"), ("compare", "-o"), ("check", "-o"), ("compare", "--chart")):
        place = tmp_path / "chart.svg" if option == "--chart" else demo / "qrels.txt"
        code, _, err = run(command, demo / "qrels.txt", demo / "runs", option, place)
        assert (code, err) == (2, f"irgauge: {place}: {READ}\n")
    map_ = ("shards", demo / "qrels.txt", demo / "runs", "--shards", "even:2", "-o")
    assert run(*map_, demo / "runs" / "F1-1.run")[0] == 2
    assert (demo / "qrels.txt").read_bytes() == before


def test_places_that_options_name_clash_with_none(demo: Path, tmp_path: Path, run: Irgauge) -> None:
    runs = (demo / "qrels.txt", demo / "runs" / "F1-1.run", demo / "runs" / "F1-2.run")
    gate = ("gate", *runs, "-m", "AP", "--margin", "10%")
    place, folder = tmp_path / "out.md", tmp_path / "kept"
    folder.mkdir()
    for command in (
        (*gate, "--lock", place, "--summary", place),
        (*gate, "--lock", place, "-o", place),
        (*gate, "--lock", runs[1]),
        ("bootstrap", demo / "qrels.txt", demo / "runs", "--keep", folder, "-o", folder / "out.csv"),
        ("bootstrap", demo / "qrels.txt", demo / "runs", "--keep", tmp_path / "a.csv", "-o", tmp_path / "a.csv"),
        ("report", demo / "qrels.txt", demo / "runs", "--bundle", folder, "-o", folder / "report.html"),
        ("studentized", "--chart", tmp_path / "a.svg", "-o", tmp_path / "a.svg", "-f", "csv"),
    ):
        code, out, err = run(*command)
        assert (code, out) == (2, ""), command
        assert "choose another" in err or "give each a file of its own" in err
    assert [path.name for path in tmp_path.rglob("*")] == ["kept"]
