"""Hashes of docnos: those of Python's own SipHash, and docnos that are made to collide do so under one key alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

import irgauge as ig
from irgauge.reading import byte_strings
from irgauge.reading.byte_strings import Hashes, Key, hashes, keyed_hashes

_HASH = "import sys; print(*[hash(bytes.fromhex(line)) for line in sys.stdin])"
KEYS: list[Key] = [(np.uint64(2 * i), np.uint64(2 * i + 1)) for i in range(4)]


def hashed(texts: Sequence[bytes], key: Key) -> Hashes:
    stops = np.cumsum([len(text) for text in texts])
    starts = np.concatenate([[0], stops[:-1]])
    return keyed_hashes(np.frombuffer(bytearray(b"".join(texts)), np.uint8), starts, stops, key)


def longest_run(values: Hashes, slots: int = 1 << 17) -> int:
    """How many neighbouring slots of a table are filled by so many hashes: what a search may have to go through."""
    taken = np.zeros(slots, bool)
    for value in values.tolist():
        slot = value % slots
        while taken[slot]:
            slot = (slot + 1) % slots
        taken[slot] = True
    edges = np.flatnonzero(np.diff(np.concatenate([[False], taken, [False]]).astype(int)))
    return int((edges[1::2] - edges[::2]).max())


@pytest.mark.skipif(sys.hash_info.algorithm != "siphash13", reason="this Python hashes otherwise")
def test_the_hash_is_that_of_python_without_a_key() -> None:
    rng = np.random.default_rng(8)
    texts = [rng.integers(0, 256, size, dtype=np.uint8).tobytes() for size in range(1, 80)]
    lines = "\n".join(text.hex() for text in texts)
    found = subprocess.run(  # noqa: S603  # Python itself
        [sys.executable, "-c", _HASH],
        input=lines,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = [int(word) for word in found.stdout.split()]
    assert hashed(texts, (np.uint64(0), np.uint64(0))).view(np.int64).tolist() == expected


def test_a_process_has_one_key() -> None:
    text, places = np.frombuffer(bytearray(b"FT911-3"), np.uint8), (np.array([0]), np.array([7]))
    assert hashes(text, *places).tolist() == hashes(text, *places).tolist()
    assert byte_strings._key() == byte_strings._key()


def test_docnos_that_fill_neighbouring_slots_under_one_key_do_not_under_another() -> None:
    docnos = [b"FT%07d" % number for number in range(400_000)]
    low = hashed(docnos, KEYS[0]) % np.uint64(1 << 17)
    chosen = [docnos[i] for i in np.flatnonzero(low < 1 << 11)]  # all of them meant for a 64th of the slots
    assert len(chosen) > 5000
    runs = [longest_run(hashed(chosen, key)) for key in KEYS]
    assert runs[0] > 4000
    assert max(runs[1:]) < 20


@pytest.mark.parametrize("name", ["%d", "%040d", "a%db", "%d" + "\0" * 9, "doc-%d-doc", "%x"])
def test_docnos_that_are_alike_are_spread(name: str) -> None:
    texts = [(name % number).encode() for number in range(0, 20_000 * 64, 64)]
    values = hashed(texts, KEYS[1])
    assert len(np.unique(values)) == len(texts)
    assert longest_run(values) < 30


def test_nothing_but_speed_depends_on_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    qrels = {f"q{t}": {f"d{d}": int(d % 3) for d in rng.permutation(60)[:40]} for t in range(5)}
    runs = {
        name: {f"q{t}": {f"d{d}": float(d % 7) for d in rng.permutation(80)[:50]} for t in range(5)}
        for name in ("a", "b", "c")
    }
    found = []
    for key in KEYS:
        monkeypatch.setattr(byte_strings, "_key", lambda key=key: key)
        found.append(ig.load(qrels, runs, workers=1))
    for other in found[1:]:
        assert other.docnos.to_list() == found[0].docnos.to_list()
        for name in ("docs", "levels", "firsts", "lengths", "judged_docs", "judged_levels"):
            assert getattr(other, name).tolist() == getattr(found[0], name).tolist()
