"""What five papers say of the tests to take, asked of worlds in which systems are equally good in three senses."""

from irgauge.papers.which_test.claims import ENTRIES

__all__ = ["ENTRIES"]
