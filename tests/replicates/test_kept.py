"""What an earlier try kept is taken as it was put; all else in its folder is refused, whatever it is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from irgauge.errors import InputError
from irgauge.replicates.kept import UNFINISHED, Bounds, keeping
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores

BATCHES: list[Bounds] = [(0, 2), (2, 4)]
SETTINGS = {"data": "abc", "seed": 1}
SHAPE = (1, 3, 2, 2)
FIRST, SECOND = "images-000001-000002.parquet", "images-000003-000004.parquet"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and links are those of POSIX")


class PowerCutError(Exception):
    """Ends a try before its last batch."""


def scores(seed: int) -> Scores:
    values = np.random.default_rng(seed).random(SHAPE)
    return Scores(values, (Measure("AP"),), ("1", "2", "3"), ("a", "b"), ("1", "2"))


def begin(folder: Path, settings: dict[str, object] = SETTINGS, seed: int = 0) -> Path:
    """A try that ends once its first batch is kept."""
    with suppress(PowerCutError), keeping(folder, settings, BATCHES) as shelf:
        shelf.put(BATCHES[0], scores(seed))
        raise PowerCutError
    return Path(f"{folder}{UNFINISHED}")


def go_on(folder: Path) -> list[bool]:
    """Whether each batch was there; what is there must be as it was put."""
    with keeping(folder, SETTINGS, BATCHES) as shelf:
        there = [shelf.has(batch) for batch in BATCHES]
        for batch, is_there in zip(BATCHES, there, strict=True):
            if is_there:
                np.testing.assert_array_equal(shelf.take(batch, SHAPE), scores(batch[0]).values)
            else:
                shelf.put(batch, scores(batch[0]))
    return there


def test_a_later_try_goes_on_and_the_folder_holds_batches_alone(tmp_path: Path) -> None:
    begin(tmp_path / "out")
    assert go_on(tmp_path / "out") == [True, False]
    assert sorted(path.name for path in tmp_path.rglob("*")) == [FIRST, SECOND, "out"]
    assert Scores.load(tmp_path / "out" / FIRST).values.tolist() == scores(0).values.tolist()


def test_what_killed_writers_left_is_no_hindrance(tmp_path: Path) -> None:
    place = begin(tmp_path / "out")
    (place / ".irgauge-1").mkdir()
    (place / ".irgauge-1.lock").write_text("")
    (place / f"{SECOND}.sha256").write_text("of a batch that was not written")
    assert go_on(tmp_path / "out") == [True, False]
    assert sorted(path.name for path in tmp_path.rglob("*")) == [FIRST, SECOND, "out"]


def rewritten(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[Path], None]:
    return lambda place: change(pl.read_parquet(place / FIRST)).write_parquet(place / FIRST)


def foreign(place: Path, settings: dict[str, object]) -> None:
    """The batch and checksum of another try."""
    other = begin(place.with_name("other"), settings, seed=9)
    for name in (FIRST, f"{FIRST}.sha256"):
        shutil.copy(other / name, place / name)


def moved(place: Path) -> None:
    for ending in ("", ".sha256"):
        (place / f"{FIRST}{ending}").rename(place / f"{SECOND}{ending}")


def swapped(place: Path, name: str, make: Callable[[Path], None]) -> None:
    (place / name).rename(place.with_name("before"))
    make(place / name)


def linked(path: Path) -> None:
    path.symlink_to(path.parent.with_name("before"))


TRICKS: dict[str, Callable[[Path], object]] = {
    "another seed": lambda place: foreign(place, {"data": "abc", "seed": 2}),
    "other data": lambda place: foreign(place, {"data": "abd", "seed": 1}),
    "another number": moved,
    "rows reversed": rewritten(lambda frame: frame.reverse()),
    "a huge score": rewritten(lambda frame: frame.with_columns(score=pl.lit(1e300))),
    "too few rows": rewritten(lambda frame: frame.head(5)),
    "other columns": rewritten(lambda frame: frame.drop("score")),
    "cut off": lambda place: (place / FIRST).write_bytes((place / FIRST).read_bytes()[:50]),
    "empty": lambda place: (place / FIRST).write_bytes(b""),
    "not Parquet": lambda place: (place / FIRST).write_bytes(b"PAR1" + bytes(99)),
    "a pipe": lambda place: swapped(place, FIRST, os.mkfifo),
    "a link": lambda place: swapped(place, FIRST, linked),
    "a folder": lambda place: swapped(place, FIRST, Path.mkdir),
    "a pipe for a batch to come": lambda place: os.mkfifo(place / SECOND),
    "a pipe for a checksum": lambda place: swapped(place, f"{FIRST}.sha256", os.mkfifo),
    "a checksum of nothing": lambda place: (place / f"{FIRST}.sha256").write_bytes(b"\xff\0"),
    "no checksum": lambda place: (place / f"{FIRST}.sha256").unlink(),
    "no settings": lambda place: (place / "settings.json").unlink(),
    "damaged settings": lambda place: (place / "settings.json").write_bytes(b"\xff{"),
    "a pipe for settings": lambda place: swapped(place, "settings.json", os.mkfifo),
    "a link for settings": lambda place: swapped(place, "settings.json", linked),
    "images of another number": lambda place: shutil.copy(place / FIRST, place / "images-000001-000007.parquet"),
    "someone's notes": lambda place: (place / "notes.txt").write_text("mine"),
}


@pytest.mark.parametrize("trick", list(TRICKS))
def test_what_does_not_fit_is_refused_and_stays(trick: str, tmp_path: Path) -> None:
    place = begin(tmp_path / "out")
    TRICKS[trick](place)
    before = sorted(path.name for path in place.iterdir())
    with pytest.raises(InputError) as error:
        go_on(tmp_path / "out")
    assert str(error.value).startswith(str(place))
    assert "remove" in str(error.value)
    assert set(before) <= {path.name for path in place.iterdir()}
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_a_link_or_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = begin(tmp_path / "out")
    (tmp_path / f"linked{UNFINISHED}").symlink_to(place)
    with pytest.raises(InputError, match="is no folder of yours"):
        go_on(tmp_path / "linked")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(InputError, match="is no folder of yours"):
        go_on(tmp_path / "out")
    assert (place / FIRST).exists()


def test_settings_without_batches_are_those_of_a_try_that_did_nothing(tmp_path: Path) -> None:
    place = begin(tmp_path / "out", {"seed": 2})
    (place / FIRST).unlink()
    assert go_on(tmp_path / "out") == [False, False]
