"""Parquet files as frames; counts and sizes are checked before, as polars ends the process at some that are wrong.

A file holds pages, each behind a header, and at its end a footer that says where they are; headers and footer are
written in Thrift's compact protocol (https://parquet.apache.org/docs/file-format/).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irgauge.compute.polars_pool import check_pool
from irgauge.errors import InputError
from irgauge.files.limits import refuse_larger

if TYPE_CHECKING:
    import polars as pl

START = b"PAR1"
Struct = Mapping[int, Any]  # the number of a field -> its value

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LISTS, _MAP, _STRUCT = 1, 2, 3, 7, 8, (9, 10), 11, 12
_DEEPEST = 20  # structs and lists within each other
_END = 8  # bytes: the length of the footer, and PAR1
# fields by their numbers
_SCHEMA, _ROWS, _GROUPS = 2, 3, 4  # of the file, and rows of a group
_LENGTH, _CHILDREN = 2, 5  # of an element of the schema
_COLUMNS, _ABOUT = 1, 3  # of a group of rows, and of a column in it
_VALUES, _SIZE, _STORED, _FIRST_DATA, _DICTIONARY = 5, 6, 7, 9, 11  # of what is said about a column
_PAGE_SIZE, _PAGE_STORED, _DATA_PAGES, _DICTIONARY_PAGE = 2, 3, (5, 8), 7  # of the header of a page
_PAGE_VALUES, _PAGE_COUNTS = 1, range(1, 7)  # of a kind of page: values, nulls, rows, lengths, encodings


class WrongSizeError(ValueError):
    """A count or a size that cannot be."""


def read_parquet(data: bytes, path: str) -> pl.DataFrame:
    """The table that a Parquet file holds."""
    import polars as pl

    check_pool()
    try:
        check_sizes(data, path)
        return pl.read_parquet(io.BytesIO(data))
    except (WrongSizeError, pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(f"this is not a readable Parquet file ({error})", path=path) from None


def column_names(data: bytes) -> list[str]:
    """The names of its columns; none where it is damaged, which reading it says."""
    import polars as pl

    try:
        check_sizes(data, "")
        return list(pl.read_parquet_schema(io.BytesIO(data)))
    except (WrongSizeError, InputError, pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        return []


def check_sizes(data: bytes, path: str) -> None:
    """Refuse a file whose counts or sizes cannot be, or that holds more than a file may."""
    try:
        footer_at = len(data) - _END - int.from_bytes(data[-_END:-4], "little")
        if footer_at < 0:
            raise WrongSizeError("its footer is longer than the file")
        footer = _Reader(data, footer_at).struct()
        _check_counts(footer, (_ROWS,))
        for element in footer[_SCHEMA]:
            _check_counts(element, (_LENGTH, _CHILDREN))
        for column in _columns(footer):
            refuse_larger(max(column[_SIZE], column[_VALUES]), path)
            _check_pages(data, column, path)
    except (IndexError, KeyError, TypeError, AttributeError) as error:
        raise WrongSizeError(f"its footer or a page is damaged ({error})") from None


def _columns(footer: Struct) -> Iterator[Struct]:
    """What the footer says of each column in each group of rows."""
    for group in footer[_GROUPS]:
        _check_counts(group, (_ROWS,))
        for chunk in group[_COLUMNS]:
            column = chunk[_ABOUT]
            _check_counts(column, (_VALUES, _SIZE, _STORED, _FIRST_DATA, _DICTIONARY))
            yield column


def _check_pages(data: bytes, column: Struct, path: str) -> None:
    """Walk from page to page, as the column says where they begin and how many bytes they take."""
    at = column[_FIRST_DATA]
    at = min(at, column.get(_DICTIONARY) or at)
    end, values = at + column[_STORED], 0
    if end > len(data):
        raise WrongSizeError("a column ends behind the file")
    while at < end:
        reader = _Reader(data, at)
        page = reader.struct()
        refuse_larger(page[_PAGE_SIZE], path)
        values += _values(page)
        at = reader.at + page[_PAGE_STORED]
    if at != end or values != column[_VALUES]:
        raise WrongSizeError("the pages of a column do not hold what is said of it")


def _values(page: Struct) -> int:
    """How many values a page of data holds; 0 for a dictionary, which has no more entries than bytes."""
    _check_counts(page, (_PAGE_SIZE, _PAGE_STORED))
    if _DICTIONARY_PAGE in page and not 0 <= page[_DICTIONARY_PAGE][_PAGE_VALUES] <= page[_PAGE_SIZE]:
        raise WrongSizeError("a dictionary has more entries than bytes")
    for kind in _DATA_PAGES:
        _check_counts(page.get(kind, {}), _PAGE_COUNTS)
    return sum(page[kind][_PAGE_VALUES] for kind in _DATA_PAGES if kind in page)


def _check_counts(struct: Struct, fields: Iterable[int]) -> None:
    for field in fields:
        value = struct.get(field, 0)
        if isinstance(value, int) and value < 0:
            raise WrongSizeError(f"a count or a size is {value}")


@dataclass
class _Reader:
    """Reads values of the compact protocol one after another."""

    data: bytes
    at: int

    def struct(self, deep: int = 0) -> Struct:
        """Fields until a stop; a field's number is told by how far it is from the one before."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            fields[number] = self._value(head & 15, deep + 1)
        return fields

    def _value(self, kind: int, deep: int) -> Any:  # noqa: ANN401  # of any kind
        if deep > _DEEPEST:
            raise WrongSizeError("its footer is nested too deep")
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind == _DOUBLE:
            return self._skipped(8)
        if kind == _BINARY:
            return self._skipped(self._varint())
        if kind in _LISTS:
            return self._list(deep)
        if kind == _STRUCT:
            return self.struct(deep)
        if kind == _MAP or kind > _STRUCT:
            raise WrongSizeError(f"a field of kind {kind} has no place in a Parquet file")
        return self._integer()

    def _list(self, deep: int) -> list[Any]:
        head = self._byte()
        count, kind = head >> 4, head & 15
        count = self._varint() if count == 15 else count
        if count > len(self.data):
            raise WrongSizeError(f"a list of {count} is longer than the file")
        if kind in (_TRUE, _FALSE):
            return [self._byte() for _ in range(count)]
        return [self._value(kind, deep + 1) for _ in range(count)]

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _skipped(self, count: int) -> None:
        self.at += count
        if self.at > len(self.data):
            raise WrongSizeError("a text is longer than the file")

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise WrongSizeError("a number has too many digits")

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
