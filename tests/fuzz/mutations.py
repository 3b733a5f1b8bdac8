"""Mutations: files that are damaged in the ways of transfers, editors and programs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random

from fuzz.odd_values import odd_text, with_odd_node
from oracles.every_format import COMPRESS

TOKENS = (
    *(b"", b" ", b"\t", b"\n", b"\r", b"\r\n", b",", b";", b":", b'"', b"'", b"{", b"}", b"[", b"]", b"#", b"# "),
    *(b"\x00", b"\x0b", b"\xff", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800", b"\\"),
    *(b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"PAR1", b"%PDF", b"PK\x03\x04"),
    *(b"\xa1", b"\xbf", b"\xd8\x1c", b"\xd8\x1d\x00", b"\xc2\x59\x08\x00", b"\xfb\x7f\xf8\x00\x00\x00\x00\x00\x00"),
    *(b"9" * 5000, b"[" * 3000, b'{"a":' * 3000, b"# ir_metadata.start\n", b"# ir_metadata.end\n", b"runid\tall\tx\n"),
    *(
        b"[" * 100_000,
        b'{"a":[' * 50_000,
        b"\x81" * 100_000,
        b"\xef\xbf\xbf",
        b"\x1b[31m",
        b"\xe2\x80\x8d",
        b"&#" + b"9" * 5000,
    ),
    *(
        b"<DOC>",
        b"</DOC>",
        b"<DOCNO>" * 2000,
        b"</DOCNO>",
        b"<top>",
        b"</top>",
        b"<num>" * 500,
        b"<title>",
        b"&amp;&#x110000;",
    ),
    b'# ir_metadata.start\n# a: "\\UFFFFFFFF"\n# ir_metadata.end\n',
    b"# ir_metadata.start\n# a: &a [x, x]\n# b: &b [*a, *a]\n# c: [*b, *b]\n# ir_metadata.end\n",
)
_SEPARATED = re.compile(rb"([ \t,;:]+)")


_PACK = COMPRESS | {".gz": partial(gzip.compress, mtime=0)}  # without the time, so that an input can be made again


def damaged(data: bytes, rng: Random) -> bytes:
    """Some edits, one after the other."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(EDITS)(data, rng)
    return data


def packed(data: bytes, rng: Random) -> bytes:
    """Damaged before it is compressed, after it, or compressed in spite of its form."""
    end = rng.choice(["", "", "", *_PACK])
    if end and rng.random() < 0.4:
        return damaged(_PACK[end](data), rng)
    return _PACK[end](damaged(data, rng))


# bytes


def _place(data: bytes, rng: Random) -> tuple[int, int]:
    """Where, and how many bytes."""
    return rng.randrange(len(data) + 1), rng.randrange(1, 9)


def flipped(data: bytes, rng: Random) -> bytes:
    at, _ = _place(data, rng)
    return data[:at] + bytes(byte ^ 1 << rng.randrange(8) for byte in data[at : at + 1]) + data[at + 1 :]


def overwritten(data: bytes, rng: Random) -> bytes:
    at, size = _place(data, rng)
    return data[:at] + rng.randbytes(size) + data[at + size :]


def cut(data: bytes, rng: Random) -> bytes:
    return data[: _place(data, rng)[0]]


def shortened(data: bytes, rng: Random) -> bytes:
    at, size = _place(data, rng)
    return data[:at] + data[at + size :]


def repeated(data: bytes, rng: Random) -> bytes:
    at, size = _place(data, rng)
    return data[: at + size] + data[at:]


def inserted(data: bytes, rng: Random) -> bytes:
    at = rng.choice([0, len(data), _place(data, rng)[0]])
    return data[:at] + rng.choice(TOKENS) + data[at:]


# lines


def with_other_lines(data: bytes, rng: Random) -> bytes:
    """A line left out, twice, elsewhere, or all in another order."""
    lines = data.split(b"\n")
    line = rng.randrange(len(lines))
    made: list[list[bytes]] = [
        lines[:line] + lines[line + 1 :],
        lines[: line + 1] + lines[line:],
        [*lines[:line], *lines[line + 1 :], lines[line]],
        [*lines[:line], b"", *lines[line:]],
        [*lines[:line], lines[line].strip() * 2, *lines[line + 1 :]],
        rng.sample(lines, len(lines)),
    ]
    return b"\n".join(rng.choice(made))


def with_other_ends(data: bytes, rng: Random) -> bytes:
    """Other ends of lines, another separator, or another encoding."""
    return rng.choice(_REWRITTEN)(data)


_REWRITTEN: Sequence[Callable[[bytes], bytes]] = (
    lambda data: data.replace(b"\n", b"\r\n"),
    lambda data: data.replace(b"\n", b"\r"),
    lambda data: data.replace(b" ", b"\t"),
    lambda data: data.replace(b"\t", b" "),
    lambda data: data.replace(b",", b";"),
    lambda data: data.rstrip(b"\n"),
    lambda data: data.decode(errors="replace").encode("utf-16"),
    lambda data: data.decode(errors="replace").encode("latin-1", errors="replace"),
    lambda data: data + data,
    lambda data: data.upper(),
)


def with_odd_fields(data: bytes, rng: Random) -> bytes:
    """A field of a line odd, left out, or in the place of another."""
    lines = data.split(b"\n")
    line = rng.randrange(len(lines))
    parts = _SEPARATED.split(lines[line])  # field, separator, field, ...
    places = range(0, len(parts), 2)
    one, other = rng.choice(places), rng.choice(places)
    done = rng.random()
    if done < 0.7:
        parts[one] = odd_text(rng).encode(errors="surrogatepass")
    elif done < 0.85:
        parts[one], parts[other] = parts[other], parts[one]
    else:
        del parts[one : one + 2]
    return b"\n".join([*lines[:line], b"".join(parts), *lines[line + 1 :]])


def with_odd_json(data: bytes, rng: Random) -> bytes:
    """Of JSON, or of one of its lines, one node odd; other data have odd fields."""
    with suppress(ValueError, RecursionError):
        return json.dumps(with_odd_node(json.loads(data), rng, of_json=True)).encode()
    lines = data.split(b"\n")
    line = rng.randrange(len(lines))
    with suppress(ValueError, RecursionError):
        lines[line] = json.dumps(with_odd_node(json.loads(lines[line]), rng, of_json=True)).encode()
        return b"\n".join(lines)
    return with_odd_fields(data, rng)


EDITS: Sequence[Callable[[bytes, Random], bytes]] = (
    *(flipped, overwritten, cut, shortened, repeated, inserted, with_other_lines, with_other_ends),
    *(with_odd_fields,) * 4,
    *(with_odd_json,) * 4,
)
