"""The measures: for each a record (name, explanation, parameters) and the kernel that scores one hit list.

To add a measure, write its kernel and its record in the file of its family, or in a new file that is named here;
the command line, the report and the help take it from `RECORDS`.
"""

from irgauge.scoring.catalogue import (
    compat,
    counts,
    diversity,
    experimental,
    gains,
    geometric,
    graded,
    incomplete,
    interpolated,
    precision,
    readers,
    sets,
    stopping,
    twist,
    walks,
)
from irgauge.scoring.catalogue.record import Parameter, Record

FAMILIES = (
    precision,
    graded,
    gains,
    readers,
    stopping,
    walks,
    twist,
    incomplete,
    interpolated,
    sets,
    geometric,
    counts,
    experimental,
    diversity,
    compat,
)
RECORDS: tuple[Record, ...] = tuple(record for family in FAMILIES for record in family.RECORDS)

__all__ = ["FAMILIES", "RECORDS", "Parameter", "Record"]
