"""The script that draws charts is kept between processes, and made again where what is kept is damaged."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from irgauge.show import vega as module


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """How often it is made, in a place of its own."""
    calls: list[str] = []

    def make() -> str:
        calls.append("made")
        return "draw();\n// é"

    monkeypatch.setattr(module, "_made", make)
    monkeypatch.setattr(module, "_FOLDER", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return calls


def again() -> str:
    """As another process would ask."""
    module.vega.cache_clear()
    try:
        return module.vega()
    finally:
        module.vega.cache_clear()


def test_it_is_made_once(made: list[str], tmp_path: Path) -> None:
    assert again() == again() == "draw();\n// é"
    assert made == ["made"]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"\xff", b"0123\ndraw();"])
def test_what_is_damaged_is_made_again(made: list[str], tmp_path: Path, damage: bytes) -> None:
    again()
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(damage)
    assert again() == again() == "draw();\n// é"
    assert made == ["made"] * 2


def test_where_nothing_can_be_kept_it_is_made_each_time(
    made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FOLDER", tmp_path / "none")
    assert again() == again()
    monkeypatch.setattr(module, "_FOLDER", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert again()
    assert made == ["made"] * 3
    assert list(tmp_path.iterdir()) == []
