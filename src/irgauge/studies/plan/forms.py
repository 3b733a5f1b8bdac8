"""The list of topics to give to people next, as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from irgauge.errors import DesignError
from irgauge.show.table import Column, Table
from irgauge.studies.plan.study import Planned


def next_topics(result: Planned) -> str:
    """All topics of the judge as CSV: those of people, then the others, those to be judged first before others."""
    if result.people_next is None:
        raise DesignError("there are no topics that only a judge judged; name a judge that has some (--judge)")
    columns = [Column("topic"), Column("stratum"), Column("place")]
    return Table.of("next", "", list(result.people_next.rows()), columns).to_csv()


FORMS: Mapping[str, Callable[[Planned], str | bytes]] = {"next": next_topics}
