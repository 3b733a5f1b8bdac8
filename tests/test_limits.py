"""How much is read: sizes as they are written, and files that hold more than is allowed, refused while they unpack."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import irgauge as ig
from irgauge.errors import InputError
from irgauge.files.limits import reading_at_most, size_of
from irgauge.files.opening import first_bytes, read_bytes

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

lz4 = pytest.importorskip("lz4.frame")

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": lambda data: gzip.compress(data, 1),
    "bzip2": lambda data: bz2.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
    "zstd": zstd.compress,
    "lz4": lz4.compress,
    "lz4 twice": lambda data: lz4.compress(lz4.compress(data)),
}
SIZE = 3_000_000
kinds = pytest.mark.parametrize("compress", list(COMPRESS.values()), ids=list(COMPRESS))


def blank_file(folder: Path, compress: Callable[[bytes], bytes], size: int = SIZE) -> Path:
    """A file of line breaks, which takes little room once it is compressed."""
    path = folder / "blank"
    path.write_bytes(compress(b"\n" * size))
    return path


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("1", 1),
        ("3kB", 3000),
        ("3 KiB", 3072),
        ("2mb", 2_000_000),
        ("2MiB", 2_097_152),
        ("1GB", 10**9),
        ("1gib", 1_073_741_824),
    ],
)
def test_a_size_is_a_number_with_or_without_a_unit(written: str, size: int) -> None:
    assert size_of(written) == size


@pytest.mark.parametrize("written", ["", "0", "-1", "1.5GB", "GB", "5 parsecs", "1e9", "٣", "9" * 5000])
def test_what_is_no_size_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="is not a size"):
        size_of(written)


@kinds
def test_a_file_may_hold_as_much_as_is_allowed(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = blank_file(tmp_path, compress)
    with reading_at_most(SIZE):
        assert read_bytes(path).tobytes() == b"\n" * SIZE


@kinds
def test_a_file_that_holds_one_byte_more_is_refused(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = blank_file(tmp_path, compress)
    with reading_at_most(SIZE - 1), pytest.raises(InputError, match=r"more than 2,999,999 bytes.*--max-size") as caught:
        read_bytes(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "zstd", "lz4"])
def test_a_bomb_is_refused_before_it_fills_the_memory(name: str, tmp_path: Path) -> None:
    size = 60_000_000
    path = blank_file(tmp_path, COMPRESS[name], size)
    assert path.stat().st_size < size / 100
    tracemalloc.start()
    try:
        with reading_at_most("1MB"), pytest.raises(InputError, match="more than 1,000,000 bytes"):
            read_bytes(path)
        assert tracemalloc.get_traced_memory()[1] < 0.8 * size
    finally:
        tracemalloc.stop()


@kinds
def test_the_beginning_of_a_file_is_read_whatever_it_holds(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(compress(b"\xef\xbb\xbf401 Q0 d1 1 0.5 mine\n" * 100_000))
    with reading_at_most(10):
        assert first_bytes(path, 8) == b"401 Q0 d"


def test_load_takes_the_limit_and_threads_keep_to_it(tmp_path: Path) -> None:
    qrels = {"401": {"d1": 1}}
    small, large = tmp_path / "small.run", tmp_path / "large.run"
    small.write_text("401 Q0 d1 1 0.5 small\n")
    large.write_text("".join(f"401 Q0 d{i} 1 {-i} large\n" for i in range(100)))
    assert ig.load(qrels, [small, large], max_size="4kB", workers=2).systems == ("large", "small")
    with pytest.raises(InputError, match="more than 1,000 bytes"):
        ig.load(qrels, [small, large], max_size=1000, workers=2)
    with pytest.raises(InputError, match="more than 1,000 bytes"):
        ig.gate(qrels, small, large, "AP:1%", max_size="1kB")
    assert [str(failure.path) for failure in ig.check(qrels, [small, large], max_size="1kB").failures] == [str(large)]


def test_the_usual_limit_holds_again_afterwards(tmp_path: Path) -> None:
    path = blank_file(tmp_path, gzip.compress)
    with reading_at_most(10), pytest.raises(InputError):
        read_bytes(path)
    assert len(read_bytes(path)) == SIZE
