"""How many judgments settle which of two systems is ahead: those that `holes --next` names, by depth, or at random.

Pools of TREC-8 are cut, and its judgments given back on request, a batch at a time, until no grades of the documents
that are left could turn the pair. `python -m benchmarks.judging` writes docs/judging.csv and docs/judging.svg, in a few
minutes.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl
import vl_convert

from irgauge import Measure, load, score
from irgauge.compute.arrays import Floats, Ints
from irgauge.inference.hidden_judgments import likely_grades
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.rejudging import JudgedPairs, own_pairs, rejudged
from irgauge.scoring.drawn import whole
from irgauge.scoring.holes import HoleBounds
from irgauge.scoring.retrieved import Retrieved
from irgauge.scoring.scorer import Scorer
from irgauge.studies.holes.next_documents import Chances, next_documents

MEASURES = ("P@20", "nDCG@20", "RBP")
POOLS = (5, 10)
WAYS = ("named next", "named next, equal chances", "by depth", "at random")
PAIRS, BATCH, LISTED = 12, 10, 100  # pairs, judgments at a time, documents of a list
BEST = 60  # systems, of which pairs are drawn
DOCS = Path(__file__).parents[1] / "docs"
_ROUNDING = 1e-12
Judged = dict[str, dict[str, int]]  # topic -> document -> grade


@dataclass(frozen=True)
class Settled:
    """A pair by a measure, settled in one way."""

    pool: int
    measure: str
    way: str
    system: str
    against: str
    judgments: int  # that it took
    holes: int  # unjudged documents of both lists at the start
    is_right: bool  # whether all judgments say the same


@dataclass(frozen=True, eq=False)
class Case:
    """Two runs with few judgments, and what the others would say."""

    retrieved: Retrieved
    truth: Ints  # pair of a topic and a document: its level
    chances: Chances
    pool: int

    @property
    def systems(self) -> tuple[str, ...]:
        """Both."""
        return self.retrieved.collection.systems

    def settled(self, measure: Measure, way: str, rng: np.random.Generator) -> tuple[int, float] | None:
        """How many judgments settle the pair, and which way; None where all of them do not."""
        levels, order = self.retrieved.levels.copy(), self._order(way, measure, rng)
        while True:
            collection = self.retrieved.judged_as(levels)
            scores = scored(collection, measure)
            ends = HoleBounds(collection, (measure,), np.array([[0, 1]])).all(scores[None], workers=1)[0].pairs
            least, most = float(ends.least.mean()), float(ends.most.mean())
            if least > _ROUNDING or most < -_ROUNDING:
                return int((levels != self.retrieved.levels).sum()), least + most
            named = order(collection, scores, levels)
            if not len(named):
                return None
            levels[named] = self.truth[named]

    def _order(
        self, way: str, measure: Measure, rng: np.random.Generator
    ) -> Callable[[Collection, Floats, Ints], Ints]:
        """What is judged next, given what is."""
        pairs = self.retrieved
        if way in WAYS[2:]:
            cutoff = measure.cutoff or LISTED
            by = pairs.best if way == "by depth" else rng.random(len(pairs)) + (pairs.best > cutoff)
            line = np.argsort(by, kind="stable")
            return lambda _collection, _scores, levels: line[levels[line] == UNJUDGED][:BATCH]
        equal = Chances(np.empty(0, np.int64), np.empty(0), float(self.chances.shares.mean()), self.chances.documents)
        chances = self.chances if way == WAYS[0] else equal
        return lambda collection, scores, _levels: self._named(collection, measure, scores, chances)

    def _named(self, collection: Collection, measure: Measure, scores: Floats, chances: Chances) -> Ints:
        rows = next_documents(collection, measure, np.array([[0, 1]]), scores, chances, BATCH)
        return np.array([self._places[row.topic, row.docno] for row in rows], np.int64)

    @cached_property
    def _places(self) -> Mapping[tuple[str, str], int]:
        return {name: place for place, name in enumerate(named_pairs(self.retrieved))}


def named_pairs(retrieved: Retrieved) -> Iterator[tuple[str, str]]:
    """The names of topics and documents."""
    topics, docnos = retrieved.collection.topics, retrieved.collection.docnos.to_list()
    return ((topics[t], docnos[d]) for t, d in zip(retrieved.topics.tolist(), retrieved.docs.tolist(), strict=True))


def scored(collection: Collection, measure: Measure) -> Floats:
    """topic, system."""
    values = Scorer(collection, (measure,)).score(whole(collection.document_count), workers=1)
    return np.nan_to_num(values[0, ..., 0])


def run(qrels: str | Judged, runs: Mapping[str, object], pairs: int = PAIRS, seed: int = 0) -> list[Settled]:
    """All pairs by all measures, with each pool."""
    every = load(qrels, dict(runs), depth=LISTED, warn=False)
    rng, rows = np.random.default_rng(seed), []
    best = np.argsort(-score(every, ["AP"]).values[0, ..., 0].mean(axis=0))[:BEST]
    drawn = [rng.choice(best, 2, replace=False) for _ in range(pairs)]
    truth = grades_of(every)
    for pool in POOLS:
        shown, chances = cut(every, pool)
        for first, second in drawn:
            names = every.systems[first], every.systems[second]
            case = case_of(shown, truth, {name: runs[name] for name in names}, chances, pool)
            rows += list(each(case, truth, {name: runs[name] for name in names}, seed))
    return rows


def each(case: Case, truth: Judged, runs: Mapping[str, object], seed: int) -> Iterator[Settled]:
    """A pair by each measure in each way."""
    complete = load(truth, dict(runs), depth=LISTED, warn=False)
    first, second = case.systems
    for name in MEASURES:
        measure = Measure.parse(name)
        values = scored(complete.without(set(complete.topics) - set(case.retrieved.collection.topics)), measure)
        difference = float((values[:, 0] - values[:, 1]).mean())
        for way in WAYS:
            settled = case.settled(measure, way, np.random.default_rng(seed))
            if settled is not None:
                judgments, side = settled
                holes = int((case.retrieved.levels == UNJUDGED).sum())
                yield Settled(case.pool, name, way, first, second, judgments, holes, side * difference > 0)


def grades_of(collection: Collection) -> Judged:
    """The judgments by name, relevant or not."""
    docnos, judged = collection.docnos.to_list(), own_pairs(collection)
    grades: Judged = {topic: {} for topic in collection.topics}
    for topic, doc, grade in zip(judged.topics.tolist(), judged.docs.tolist(), judged.grades.tolist(), strict=True):
        grades[collection.topics[topic]][docnos[doc]] = int(grade > 0)
    return grades


def cut(collection: Collection, depth: int) -> tuple[Judged, Mapping[tuple[str, str], float]]:
    """The judgments of a shallower pool, and how likely all other documents are then to be relevant."""
    retrieved = Retrieved.of(collection)
    top, judged = retrieved.best <= depth, own_pairs(collection)
    numbers = np.arange(top.sum())
    pool = JudgedPairs.ordered(retrieved.topics[top], retrieved.docs[top], np.zeros_like(numbers), numbers)
    shallow = rejudged(collection, judged.only(judged.among(pool)))
    likely, _ = likely_grades(Retrieved.of(shallow))
    names, shares = list(named_pairs(likely.learned.retrieved)), likely.probabilities[:, 1:].sum(axis=1)
    holes = zip(likely.holes.tolist(), shares.tolist(), strict=True)
    return grades_of(shallow), {names[hole]: share for hole, share in holes}


def case_of(
    shown: Judged, truth: Judged, runs: Mapping[str, object], chances: Mapping[tuple[str, str], float], pool: int
) -> Case:
    """Two runs with the judgments shown; a document that was never judged is not relevant."""
    collection = load(shown, dict(runs), depth=LISTED, warn=False)
    retrieved = Retrieved.of(collection)
    names = list(named_pairs(retrieved))
    level = {int(grade): place for place, grade in enumerate(collection.grades)}
    levels = np.array([level[truth[topic].get(docno, 0)] for topic, docno in names])
    keys = retrieved.topics * collection.document_count + retrieved.docs
    order, shares = np.argsort(keys), np.array([chances.get(name, 0.0) for name in names])
    return Case(retrieved, levels, Chances(keys[order], shares[order], 0.0, collection.document_count), pool)


def means(rows: Sequence[Settled]) -> pl.DataFrame:
    """The mean number of judgments of pairs that every way settles, by pool, measure and way."""
    frame = pl.DataFrame([asdict(row) for row in rows])
    by = ["pool", "measure", "way"]
    ways = pl.len().over("pool", "measure", "system", "against") == len(WAYS)
    mean = pl.col("judgments").mean().round(1)
    grouped = frame.filter(ways).group_by(by, maintain_order=True)
    return grouped.agg(mean, pl.len().alias("pairs"), pl.col("is_right").all().alias("right"))


def drawn(frame: pl.DataFrame) -> alt.FacetChart:
    """A bar for each way, against reading by depth, by measure and pool; with the number of judgments."""
    by_depth = pl.col("judgments").filter(pl.col("way") == "by depth").first().over("pool", "measure")
    rows = frame.with_columns((100 * pl.col("judgments") / by_depth).alias("share"))
    y = alt.Y("way:N", sort=list(WAYS), title=None)
    x = alt.X("share:Q", title="% of judgments by depth", scale=alt.Scale(domain=[0, 140], clamp=True))
    bars = alt.Chart(width=170, height=90).mark_bar().encode(y=y, x=x, color=alt.Color("way:N", legend=None))
    labels = alt.Chart().mark_text(align="left", dx=-38, color="white").encode(y=y, x=x, text="judgments:Q")
    data = alt.Data(values=rows.to_dicts())
    return alt.layer(bars, labels, data=data).facet(
        column=alt.Column("measure:N", sort=list(MEASURES), title=None),
        row=alt.Row("pool:O", title="depth of the pool that was judged"),
    )


def main() -> None:
    """Write the figures and the chart, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=PAIRS)
    folder = Path(os.environ["IRGAUGE_TREC8"])
    runs = {path.name.removesuffix(".gz"): str(path) for path in sorted((folder / "runs").iterdir())}
    rows = run(str(folder / "qrels.txt.gz"), runs, parser.parse_args().pairs)
    with (DOCS / "judging.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(asdict(rows[0])))
        writer.writeheader()
        writer.writerows(map(asdict, rows))
    frame = means(rows)
    (DOCS / "judging.svg").write_text(vl_convert.vegalite_to_svg(drawn(frame).to_json()) + "\n")
    with pl.Config(tbl_rows=-1, tbl_formatting="ASCII_MARKDOWN"):
        print(frame)


if __name__ == "__main__":
    main()
