"""Data in which topics are needs: scores are means over the wordings of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from irgauge.provenance import Fact, Provenance
from irgauge.reading.missing import MissingTopics
from irgauge.reading.tables.read import GivenNames, is_to_be_read, table_of
from irgauge.reading.tables.sheet import roles_of
from irgauge.reading.topic_table import GivenTopics, TopicTable, topic_table
from irgauge.replicates.data import Data
from irgauge.replicates.facts import wordings
from irgauge.replicates.given import Given, ScoreTable, judgments_and_runs, opened, several_measures
from irgauge.replicates.measured import Measured
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
    if tells_wordings_apart(data, variants, about):
        table = ScoreTable(scores_of_wordings(data, variants, columns), missing).settled()
        averaged = _averaged(table, table.scores, _needs(table.scores, variants))
        return averaged if about is None else averaged.with_topics(about)
    whole = opened(data, workers, measures, missing=missing, topics_table=about, columns=columns)
    scores = whole.whole(several_measures(whole, None if whole.measures else measures or None))
    return _averaged(whole, scores, _needs(scores if about is None else scores.with_topics(about), variants))


def tells_wordings_apart(data: object, variants: str, about: TopicTable | None) -> bool:
    """Whether the column is one of a table of scores that is to be read, and not of a table of topics."""
    is_table = is_to_be_read(data) and judgments_and_runs(data) is None
    return is_table and (about is None or variants not in about.columns)


def scores_of_wordings(data: object, variants: str, columns: str | Mapping[str, str] | None = None) -> Scores:
    """Scores with a topic for each wording, of which the column says the need; some may be missing."""
    apart, needs = told_apart(table_of(data, is_measure, GivenNames(columns=_with(columns, variants))), variants)
    scores = Scores.of_table(apart)
    return replace(scores, about=scores.about.beside(TopicTable({variants: needs.need})))


def measured_over_wordings(measured: Measured, variants: str, about: TopicTable | None) -> Measured:
    """The same with topics that are needs; `about` is of the wordings, where it has the column, else of needs."""
    is_of_wordings = about is not None and variants in about.columns
    scores = measured.scores.with_topics(about) if about is not None and is_of_wordings else measured.scores
    averaged = by_need(scores, _needs(scores, variants))
    averaged = averaged if about is None or is_of_wordings else averaged.with_topics(about)
    source = Provenance.of(measured.source, _said(averaged))
    return replace(measured, scores=averaged, missing=MissingTopics(), source=source)


def _needs(scores: Scores, variants: str) -> NeedOfTopics:
    return NeedOfTopics.of_column(variants, scores.about.column(variants), scores.topics)


def _with(columns: str | Mapping[str, str] | None, variants: str) -> str:
    """The roles of columns, the one that tells wordings apart among them."""
    given = [(role, name) for role, names in roles_of(columns).items() for name in names if role != _WORDING]
    return ",".join(f"{role}={name}" for role, name in (*given, (_WORDING, variants)))


def _averaged(data: Data, scores: Scores, needs: NeedOfTopics) -> ScoreTable:
    averaged = by_need(scores, needs)
    return ScoreTable(averaged, made_of=Provenance.of(data.whole_source, _said(averaged)))


def _said(averaged: Scores) -> Fact:
    own = averaged.wordings
    if own is None:
        raise ValueError("means over wordings know these")
    return wordings((min(own.counts), max(own.counts)), column=own.column, is_shared=own.is_shared)
