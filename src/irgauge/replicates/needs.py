"""Data in which topics are needs: scores are means over the wordings of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from irgauge.provenance import Provenance
from irgauge.reading.tables.read import GivenNames, is_to_be_read, table_of
from irgauge.reading.tables.sheet import roles_of
from irgauge.reading.topic_table import GivenTopics, topic_table
from irgauge.replicates.data import Data
from irgauge.replicates.facts import wordings
from irgauge.replicates.given import Given, ScoreTable, judgments_and_runs, opened, several_measures
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores, is_measure
from irgauge.scoring.wordings import NeedOfTopics, by_need, told_apart

_WORDING = "replicate"  # the role of what tells wordings apart, among those of columns


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
    """What a study works on, as `opened` gives it; means over wordings, where a column tells these apart."""
    options: dict[str, Any] = {"missing": missing, "topics_table": topics_table, "columns": columns}
    if variants is None:
        return opened(data, workers, measures, **options)
    return means_over_wordings(data, variants, workers, measures, **options)


def means_over_wordings(
    data: Given,
    variants: str,
    workers: int | None = None,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    missing: str | None = None,
    topics_table: GivenTopics | None = None,
    columns: str | Mapping[str, str] | None = None,
) -> ScoreTable:
    """Scores in which topics are needs.

    Where the column has one value for each topic, that is the need which the topic is a wording of. Else topics are
    needs, and the column of a table of scores tells their wordings apart.
    """
    about = None if topics_table is None else topic_table(topics_table)
    if is_to_be_read(data) and judgments_and_runs(data) is None and (about is None or variants not in about.columns):
        apart, needs = told_apart(table_of(data, is_measure, GivenNames(columns=_with(columns, variants))), variants)
        table = ScoreTable(Scores.of_table(apart), missing).settled()
        averaged = _averaged(table, table.scores, needs)
        return averaged if about is None else averaged.with_topics(about)
    whole = opened(data, workers, measures, missing=missing, topics_table=about, columns=columns)
    scores = whole.whole(several_measures(whole, None if whole.measures else measures or None))
    column = (scores.about if about is None else scores.about.beside(about)).column(variants)
    return _averaged(whole, scores, NeedOfTopics.of_column(variants, column, scores.topics))


def _with(columns: str | Mapping[str, str] | None, variants: str) -> str:
    """The roles of columns, the one that tells wordings apart among them."""
    given = [(role, name) for role, names in roles_of(columns).items() for name in names if role != _WORDING]
    return ",".join(f"{role}={name}" for role, name in (*given, (_WORDING, variants)))


def _averaged(data: Data, scores: Scores, needs: NeedOfTopics) -> ScoreTable:
    averaged = by_need(scores, needs)
    if averaged.wordings is None:
        raise ValueError("means over wordings know these")
    counts, is_shared = averaged.wordings.counts, averaged.wordings.is_shared
    said = wordings((min(counts), max(counts)), column=needs.column, is_shared=is_shared)
    return ScoreTable(averaged, made_of=Provenance.of(data.whole_source, said))
