"""Data in which topics are needs: scores are means over the wordings of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from irgauge.errors import DesignError
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.reading.tables.read import GivenNames, table_of
from irgauge.reading.tables.sheet import roles_of
from irgauge.reading.topic_table import GivenTopics, topic_table
from irgauge.replicates.data import Data
from irgauge.replicates.facts import wordings
from irgauge.replicates.given import Given, ScoreTable, judgments_and_runs, opened, several_measures
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores, is_measure
from irgauge.scoring.wordings import NeedOfTopics, by_need, told_apart


def opened_needs(
    data: Given,
    workers: int | None = None,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    missing: str | None = None,
    topics_table: GivenTopics | None = None,
    columns: str | Mapping[str, str] | None = None,
    variants: str | None = None,
) -> Data:
    """What a study works on, as `opened` gives it; means over wordings, where a column tells these apart.

    Where the column has one value for each topic, that is the need which the topic is a wording of. Else topics are
    needs, and the column of a table of scores tells their wordings apart.
    """
    about = None if topics_table is None else topic_table(topics_table)
    if variants is None:
        return opened(data, workers, measures, missing=missing, topics_table=about, columns=columns)
    if about is None or variants not in about.columns:
        if isinstance(data, Data_ALREADY_READ) or judgments_and_runs(data) is not None:
            raise DesignError(_NEEDS_TABLE.format(variants))
        roles = {role: names[0] for role, names in roles_of(columns).items()} | {"replicate": variants}
        apart, needs = told_apart(table_of(data, is_measure, GivenNames(columns=roles)), variants)
        table = ScoreTable(Scores.of_table(apart), missing).settled()
        return _averaged(table, table.scores, needs)
    whole = opened(data, workers, measures, missing=missing, topics_table=about, columns=columns)
    scores = whole.whole(several_measures(whole, measures or None))
    return _averaged(whole, scores, NeedOfTopics.of_column(variants, about.column(variants), scores.topics))
