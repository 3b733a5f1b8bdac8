"""Files as bytes: compressions, broken files, and what names stand for."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

import irgauge as ig
from irgauge.errors import InputError
from irgauge.files.opening import expand, is_there, read_bytes

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b"".join(b"401 Q0 doc%d %d %.6f tag\n" % (i * i % 9973, i, 1 / (i + 1)) for i in range(500))


def zstd_with_checksum(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd_with_checksum,
}
MAGIC = {".gz": 2, ".bz2": 3, ".xz": 6, ".zst": 4}  # bytes that tell the kind

kinds = pytest.mark.parametrize("suffix", list(COMPRESS))


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


# reading


def test_a_plain_file_is_read_as_it_is(tmp_path: Path) -> None:
    assert read_bytes(written(tmp_path / "a.run", TEXT)).tobytes() == TEXT


def test_a_path_may_be_a_string(tmp_path: Path) -> None:
    assert read_bytes(str(written(tmp_path / "a.run", TEXT))).tobytes() == TEXT


def test_an_empty_file_has_no_bytes(tmp_path: Path) -> None:
    assert len(read_bytes(written(tmp_path / "empty", b""))) == 0


@kinds
def test_a_compressed_file_is_decompressed(suffix: str, tmp_path: Path) -> None:
    path = written(tmp_path / f"a.run{suffix}", COMPRESS[suffix](TEXT))
    assert read_bytes(path).tobytes() == TEXT


@kinds
def test_the_content_tells_the_compression_not_the_name(suffix: str, tmp_path: Path) -> None:
    others = [other for other in COMPRESS if other != suffix]
    for name in ("a.run", *(f"a{other}" for other in others)):
        path = written(tmp_path / name, COMPRESS[suffix](TEXT))
        assert read_bytes(path).tobytes() == TEXT


@kinds
def test_plain_text_is_read_whatever_its_name_says(suffix: str, tmp_path: Path) -> None:
    assert read_bytes(written(tmp_path / f"a{suffix}", TEXT)).tobytes() == TEXT


@kinds
def test_files_compressed_in_parts_are_read_to_the_end(suffix: str, tmp_path: Path) -> None:
    compress = COMPRESS[suffix]
    path = written(tmp_path / f"a{suffix}", compress(TEXT) + compress(b"last line\n"))
    assert read_bytes(path).tobytes() == TEXT + b"last line\n"


@kinds
def test_nothing_compressed_is_nothing(suffix: str, tmp_path: Path) -> None:
    assert len(read_bytes(written(tmp_path / "a", COMPRESS[suffix](b"")))) == 0


@pytest.mark.parametrize("compress", [bytes, *COMPRESS.values()])
def test_a_byte_order_mark_is_taken_away(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    assert read_bytes(written(tmp_path / "a", compress(b"\xef\xbb\xbf" + TEXT))).tobytes() == TEXT


def test_only_a_leading_byte_order_mark_is_taken_away(tmp_path: Path) -> None:
    content = b"a\xef\xbb\xbfb\n"
    assert read_bytes(written(tmp_path / "a", content)).tobytes() == content


@pytest.mark.parametrize("compress", [bytes, *COMPRESS.values()])
def test_what_was_read_can_be_written_to(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = read_bytes(written(tmp_path / "a", compress(TEXT)))
    data[0] = 0
    assert data.dtype == np.uint8
    assert data[0] == 0


@kinds
@pytest.mark.parametrize("kept", ["the first bytes", "half", "all but one byte"])
def test_a_compressed_file_that_is_cut_off_is_said_to_be(kept: str, suffix: str, tmp_path: Path) -> None:
    whole = COMPRESS[suffix](TEXT)
    size = {"the first bytes": MAGIC[suffix], "half": len(whole) // 2, "all but one byte": len(whole) - 1}[kept]
    path = written(tmp_path / f"a{suffix}", whole[:size])
    with pytest.raises(InputError, match="the compressed file is cut off or damaged") as caught:
        read_bytes(path)
    assert caught.value.path == str(path)
    assert caught.value.line is None


@kinds
def test_a_compressed_file_with_a_wrong_byte_is_said_to_be_damaged(suffix: str, tmp_path: Path) -> None:
    damaged = bytearray(COMPRESS[suffix](TEXT))
    damaged[len(damaged) // 2] ^= 0x10
    path = written(tmp_path / f"a{suffix}", bytes(damaged))
    with pytest.raises(InputError, match="cut off or damaged"):
        read_bytes(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file") as caught:
        read_bytes(tmp_path / "missing.run")
    assert caught.value.path == str(tmp_path / "missing.run")


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder where one file is needed") as caught:
        read_bytes(tmp_path)
    assert caught.value.path == str(tmp_path)


def test_a_file_that_cannot_be_opened_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / ("long" * 1000)  # a longer name than file systems allow
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(path)


# what names stand for


def test_a_file_stands_for_itself(tmp_path: Path) -> None:
    path = written(tmp_path / "a.run", TEXT)
    assert expand([path]) == [str(path)]


def test_files_keep_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    paths = [str(written(tmp_path / name, TEXT)) for name in ("b", "c", "a")]
    assert expand(paths) == paths


def test_a_folder_stands_for_its_files_sorted_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.run", "a.run", ".hidden", "c.run.gz"):
        written(tmp_path / name, TEXT)
    (tmp_path / "folder").mkdir()
    written(tmp_path / "folder" / "inner.run", TEXT)
    assert expand([tmp_path]) == [str(tmp_path / name) for name in ("a.run", "b.run", "c.run.gz")]


@pytest.mark.parametrize("others", [(), (".hidden",)])
def test_a_folder_without_files_is_refused(others: tuple[str, ...], tmp_path: Path) -> None:
    for name in others:
        written(tmp_path / name, TEXT)
    with pytest.raises(InputError, match="the folder holds no files") as caught:
        expand([str(tmp_path)])
    assert caught.value.path == str(tmp_path)


def test_a_pattern_stands_for_the_files_that_match_it_sorted(tmp_path: Path) -> None:
    for name in ("b.run", "a.run", "a.txt"):
        written(tmp_path / name, TEXT)
    (tmp_path / "folder.run").mkdir()
    assert expand([str(tmp_path / "*.run")]) == [str(tmp_path / "a.run"), str(tmp_path / "b.run")]


def test_a_pattern_reaches_folders_below(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    inner = written(tmp_path / "x" / "y" / "a.run", TEXT)
    outer = written(tmp_path / "b.run", TEXT)
    assert expand([str(tmp_path / "**" / "*.run")]) == sorted([str(inner), str(outer)])


def test_a_file_whose_name_looks_like_a_pattern_stands_for_itself(tmp_path: Path) -> None:
    written(tmp_path / "run1.txt", TEXT)
    path = written(tmp_path / "run[1].txt", TEXT)
    assert expand([path]) == [str(path)]


def test_a_pattern_without_a_match_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "a.txt", TEXT)
    with pytest.raises(InputError, match="the pattern matches no file") as caught:
        expand([str(tmp_path / "*.run")])
    assert caught.value.path == str(tmp_path / "*.run")


def test_names_of_several_kinds_are_expanded_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    in_folder = str(written(tmp_path / "runs" / "z", TEXT))
    matched = str(written(tmp_path / "b.run", TEXT))
    named = str(written(tmp_path / "a", TEXT))
    assert expand([tmp_path / "runs", str(tmp_path / "*.run"), named]) == [in_folder, matched, named]


def test_no_names_are_refused() -> None:
    with pytest.raises(InputError, match="no runs were given"):
        expand([])


def test_a_missing_path_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a", TEXT)
    with pytest.raises(InputError, match="there is no such file or folder") as caught:
        expand([path, tmp_path / "missing"])
    assert caught.value.path == str(tmp_path / "missing")


@pytest.mark.parametrize("read", [read_bytes, lambda name: expand([name]), lambda name: expand(["a.run", name])])
@pytest.mark.parametrize("name", ["", "a\0b"])
def test_what_cannot_be_a_name_is_refused(
    name: str, read: Callable[[str], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "a.run", TEXT)
    with pytest.raises(InputError, match=r"is empty; name a file|NUL character"):
        read(name)
    assert not is_there(name)


def test_empty_judgments_are_refused_as_a_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the name of a file is empty"):
        ig.load("", tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
def test_a_name_that_is_no_text_can_be_read_and_names_its_system(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.run")
    Path(path).write_bytes(b"q1 Q0 d1 1 0.5 mine\n")
    assert expand([tmp_path]) == [path]
    found = ig.load({"q1": {"d1": 1}}, path, name_by="file")
    assert found.systems == ("caf\\xe9",)
    assert ig.score(found, "AP").frame()["system"].to_list() == ["caf\\xe9"]


# what may not be read


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file, neither of which may be read, whoever runs the tests."""
    folder = tmp_path / "locked"
    folder.mkdir()
    written(folder / "a.run", TEXT)

    def guarded(method: str) -> Callable[..., object]:
        given = getattr(Path, method)

        def call(path: Path, *more: object, **options: object) -> object:
            if folder in path.parents or (path == folder and method in ("iterdir", "open")):
                refuse(path)
            return given(path, *more, **options)

        return call

    for method in ("iterdir", "open", "is_file", "is_dir", "exists", "stat"):
        monkeypatch.setattr(Path, method, guarded(method))
    return folder


def refuse(path: Path) -> NoReturn:
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


def test_a_folder_that_cannot_be_read_is_named(locked: Path) -> None:
    for read in (lambda: expand([locked]), lambda: ig.load({"q": {"d": 1}}, locked), lambda: ig.load_scores(locked)):
        with pytest.raises(InputError, match=r"the folder cannot be read \(Permission denied\)") as caught:
            read()
        assert caught.value.path == str(locked)


def test_a_file_in_a_folder_that_cannot_be_entered_is_named(locked: Path) -> None:
    path = str(locked / "a.run")
    for read in (lambda: read_bytes(path), lambda: ig.load(path, path), lambda: ig.load({"q": {"d": 1}}, path)):
        with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)") as caught:
            read()
        assert caught.value.path == path


def test_a_folder_whose_files_cannot_be_looked_at_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "a.run", TEXT)
    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(InputError, match="Permission denied"):
        expand([tmp_path])
    with pytest.raises(InputError, match="the pattern matches no file"):
        expand([str(tmp_path / "*.run")])
