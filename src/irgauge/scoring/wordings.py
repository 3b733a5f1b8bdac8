"""Wordings: several of one need, such as paraphrases or prompts, with scores of each; needs are what is compared on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.reading.missing import MissingTopics
from irgauge.reading.name_order import in_name_order
from irgauge.reading.tables.longtable import LongTable
from irgauge.reading.topic_table import TopicTable
from irgauge.scoring.scores import Scores, Wordings

_BETWEEN = " / "  # a need and a wording of it, as one name


@dataclass(frozen=True)
class NeedOfTopics:
    """Which need each topic is a wording of, by a column; and what the wording is called."""

    column: str
    need: Mapping[str, str]  # topic -> its need
    wording: Mapping[str, str]  # topic -> what tells it from others of the need

    @classmethod
    def of_column(cls, column: str, values: Mapping[str, str], topics: tuple[str, ...]) -> NeedOfTopics:
        """Of topics of which a column says the need; `told_apart` calls them by it and by their wording."""
        lacking = [topic for topic in topics if topic not in values]
        if lacking:
            raise DesignError(
                f"{len(lacking)} of {len(topics)} topics, such as {lacking[0]}, have no value of '{column}', which "
                "says whose wordings they are; fill it in"
            )
        need = {topic: values[topic] for topic in topics}
        return cls(column, need, {topic: topic.removeprefix(f"{need[topic]}{_BETWEEN}") for topic in topics})


def told_apart(table: LongTable, column: str) -> tuple[LongTable, NeedOfTopics]:
    """A table with a topic for each wording; the column tells wordings apart, or says of each topic whose it is."""
    import polars as pl

    table.refuse_empty(("topic", "replicate"), {"replicate": column})
    pairs = table.frame.select("topic", "replicate").unique(maintain_order=True).rows()
    topics = tuple(dict.fromkeys(topic for topic, _ in pairs))
    if len(pairs) == len(topics):  # one value each: it names the need
        return _without_replicates(table), NeedOfTopics.of_column(column, dict(pairs), topics)
    names = {_BETWEEN.join(pair): pair for pair in pairs}
    joined = pl.concat_str(["topic", "replicate"], separator=_BETWEEN).alias("topic")
    apart = _without_replicates(replace(table, frame=table.frame.with_columns(joined)))
    need, wording = ({name: pair[i] for name, pair in names.items()} for i in range(2))
    return apart, NeedOfTopics(column, need, wording)


def _without_replicates(table: LongTable) -> LongTable:
    import polars as pl

    return replace(table, frame=table.frame.with_columns(pl.lit(None, pl.String).alias("replicate")))


def by_need(scores: Scores, needs: NeedOfTopics) -> Scores:
    """Means over the wordings of each need, undefined ones left out; and the scores that they are of."""
    if len(scores.replicates) > 1:
        raise DesignError(f"scores have {len(scores.replicates)} replicates beside wordings; average these before")
    members: dict[str, list[int]] = {}
    for place, topic in enumerate(scores.topics):
        members.setdefault(needs.need[topic], []).append(place)
    names = [list(members)[i] for i in in_name_order(list(members))]
    most = max(map(len, members.values()))
    if most == 1:
        raise DesignError(
            f"each of the {len(names)} needs has one wording by the column '{needs.column}': there is nothing to "
            "average; name the column that tells wordings apart, or that says whose wording a topic is"
        )
    measures, systems = len(scores.measures), len(scores.systems)
    values = np.full((measures, len(names), systems, most), np.nan)
    for place, name in enumerate(names):
        values[:, place, :, : len(members[name])] = scores.values[..., 0][:, members[name]].swapaxes(1, 2)
    labels = {frozenset(needs.wording[scores.topics[t]] for t in own) for own in members.values()}
    wordings = Wordings(
        needs.column, values, scores.measures, tuple(names), scores.systems, is_shared=len(labels) == 1 < len(names)
    )
    missing = None if scores.missing is None else MissingTopics()
    return Scores(
        _means(values)[..., None],
        scores.measures,
        tuple(names),
        scores.systems,
        scores.replicates,
        scores.files,
        missing,
        scores.paths,
        _about(scores.about, needs),
        wordings,
    )


def _means(values: Floats) -> Floats:
    """Over the last axis, of what is defined there; undefined where nothing is."""
    there = ~np.isnan(values)
    count = there.sum(axis=-1)
    return np.where(count > 0, np.where(there, values, 0.0).sum(axis=-1) / np.maximum(count, 1), np.nan)


def _about(table: TopicTable, needs: NeedOfTopics) -> TopicTable:
    """What is known of needs: columns that are of them, and those that say one thing of all wordings of a need."""
    others = {name: column for name, column in table.columns.items() if name != needs.column}
    kept = {name: values for name, column in others.items() if (values := _of_needs(column, needs)) is not None}
    return TopicTable(kept, (*table.unused, *(name for name in others if name not in kept)))


def _of_needs(column: Mapping[str, str], needs: NeedOfTopics) -> dict[str, str] | None:
    own = {need: column[need] for need in needs.need.values() if need in column}
    if own:
        return own
    values: dict[str, set[str]] = {}
    for topic, value in column.items():
        if topic in needs.need:
            values.setdefault(needs.need[topic], set()).add(value)
    is_same = all(len(each) == 1 for each in values.values())
    return {need: next(iter(each)) for need, each in values.items()} if is_same and values else None
