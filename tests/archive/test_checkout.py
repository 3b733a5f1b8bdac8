"""The commit of a checkout is read from its files, and what is odd is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgauge.archive.checkout import commit_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "commit"),
    [
        ({}, None),
        ({".git/HEAD": f"{COMMIT}\n"}, COMMIT),
        ({".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": f"{COMMIT}\n"}, COMMIT),
        ({".git/HEAD": "ref: refs/heads/a\n", ".git/packed-refs": f"# x\n{COMMIT} refs/heads/a\n"}, COMMIT),
        ({".git/HEAD": "ref: refs/heads/unborn\n"}, None),
        ({".git/HEAD": "ref: refs/../../secret\n", "secret": COMMIT}, None),
        ({".git/HEAD": "something else"}, None),
        ({".git": "gitdir: nowhere\n"}, None),
        (
            {
                ".git": "gitdir: main/.git/worktrees/b\n",
                "main/.git/worktrees/b/HEAD": "ref: refs/heads/b\n",
                "main/.git/worktrees/b/commondir": "../..\n",
                "main/.git/refs/heads/b": COMMIT,
            },
            COMMIT,
        ),
    ],
)
def test_a_commit_is_what_head_says(tmp_path: Path, files: dict[str, str], commit: str | None) -> None:
    inner = write(tmp_path, files) / "deep" / "er"
    inner.mkdir(parents=True)
    assert commit_of(inner) == commit


def test_bytes_that_are_no_text_are_no_commit(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(b"\xff\xfe\0")
    assert commit_of(tmp_path) is None
