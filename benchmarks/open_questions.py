"""What the papers left open, asked of TREC-8: docs/open-questions.csv and docs/open-questions.md.

`python -m benchmarks.open_questions` takes two minutes; IRGAUGE_TREC8 names the folder with qrels and runs.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irgauge import Collection, load
from irgauge.compute.arrays import Bools, Floats, Indices, Ints
from irgauge.inference.orders import kendall_tau
from irgauge.inference.tests.paired_t import t_of_differences
from irgauge.inference.tests.tukey import all_pairs_p
from irgauge.models.anova import decompose
from irgauge.reading.rejudging import own_pairs, rejudged
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.studies.bootstrap.study import Bootstrapped, bootstrap

ROOT = Path(__file__).parents[1]
TABLE, PAGE = ROOT / "docs" / "open-questions.csv", ROOT / "docs" / "open-questions.md"
TEXT = Path(__file__).with_name("open_questions.md").read_text(encoding="utf-8")
ALPHA, MEASURE, SEED = 0.05, "AP", 0
SHARDS, SAMPLES, IMAGES = 5, 10, 200
SHARES = (1.0, 0.5, 0.25, 0.1)  # of judgments, or of topics
SOURCES, RANDOM = "match:^(FBIS|FR|FT|LA)", "even:4"
TERMS = ("system", "topic", "shard", "topic:system", "system:shard", "topic:shard")
BOUNDED = ("AP", "P@10", "RBP(p=0.95, rel=1)@1000", "RR")
FEWER, LYING, BOUNDS = "fewer judgments or topics", "where relevant documents lie", "outside each other's bounds"


class Row(NamedTuple):
    """One number of an answer."""

    question: str
    setting: str
    what: str
    value: float


# MD6 with fewer judgments or topics


def fewer(collection: Collection) -> Iterator[Row]:
    """Pairs that MD1 and MD6 find with some of the judgments or topics, and how well systems are ordered then."""
    order = _whole(Bench(collection)).mean(axis=0)  # system: by all judgments and topics
    for share in SHARES:
        for of in ("judgments", "topics"):
            answers = [dict(_answer(collection, of, share, sample, order)) for sample in range(SAMPLES)]
            for what in answers[0]:
                yield Row(FEWER, f"{share:.0%} of {of}", what, float(np.mean([answer[what] for answer in answers])))


def _answer(collection: Collection, of: str, share: float, sample: int, order: Floats) -> Iterator[tuple[str, float]]:
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(sample,)))
    bench = Bench(_with_some_judgments(collection, share, rng) if of == "judgments" else collection)
    whole, shards = _whole(bench), _on_shards(bench, f"even:{SHARDS}", sample)
    if of == "topics":
        kept = rng.permutation(len(whole))[: round(share * len(whole))]
        whole, shards = whole[kept], shards[kept]
    for model, values in (("MD1", whole[:, :, None]), ("MD6", shards)):
        fit = decompose(values).fit(model)
        means = fit.means("system")
        p = all_pairs_p(fit, "topics" if model == "MD1" else "documents")
        is_found = np.triu(p <= ALPHA, 1)
        is_wrong = np.sign(means[:, None] - means) * np.sign(order[:, None] - order) < 0
        yield f"{model}: pairs", float(is_found.sum())
        yield f"{model}: of them in the other order", float((is_found & is_wrong).sum())
        yield f"{model}: τ with all", kendall_tau(means, order)


def _with_some_judgments(collection: Collection, share: float, rng: np.random.Generator) -> Collection:
    """A random share of the judgments of each topic."""
    pairs = own_pairs(collection)
    return rejudged(collection, pairs.only(kept_judgments(pairs.topics, share, rng)))


def kept_judgments(topics: Ints, share: float, rng: np.random.Generator) -> Bools:
    """Which judgments are kept, of the topic of each."""
    kept = np.zeros(len(topics), bool)
    for topic in np.unique(topics):
        own = np.flatnonzero(topics == topic)
        kept[rng.permutation(own)[: round(share * len(own))]] = True
    return kept


def _whole(bench: Bench) -> Floats:
    """Scores on the whole corpus; topic, system."""
    return bench.measured(Measuring(tuple(parse_measures([MEASURE])))).values()[:, :, 0]


def _on_shards(bench: Bench, spec: str, number: int = 0) -> Floats:
    asked = Measuring(tuple(parse_measures([MEASURE])), spec, seed=SEED, number=number, sparse=True)
    return bench.measured(asked).values()


# where relevant documents lie


def lying(collection: Collection) -> Iterator[Row]:
    """ω² of every term, on thirds of the topics by how much of their relevant documents lies in one shard."""
    bench = Bench(collection)
    for name, spec in (("sources", SOURCES), ("random shards", RANDOM)):
        share = largest_shares(collection, bench.sharding(spec).split(SEED, 0).labels.astype(np.int64))
        values = _on_shards(bench, spec)
        for place, topics in enumerate(np.array_split(np.argsort(share, kind="stable"), 3)):
            fit = decompose(values[topics]).fit("MD6")
            setting = f"{name}, {('most even', 'middle', 'most concentrated')[place]} third of topics"
            yield Row(LYING, setting, "share of the largest shard", float(share[topics].mean()))
            for term in TERMS:
                yield Row(LYING, setting, term, float(fit.row(term).omega2 or 0.0))


def largest_shares(collection: Collection, labels: Ints) -> Floats:
    """Of each topic's relevant documents, the share in the shard that has most of them."""
    pairs = own_pairs(collection)
    is_relevant = pairs.grades > 0
    counts = np.zeros((len(collection.topics), int(labels.max()) + 1))
    np.add.at(counts, (pairs.topics[is_relevant], labels[pairs.docs[is_relevant]]), 1)
    return np.asarray(counts.max(axis=1) / counts.sum(axis=1))


# outside each other's bounds


def bounds(collection: Collection) -> Iterator[Row]:
    """Of the pairs whose means lie outside each other's percentiles over images, those that a paired t-test finds."""
    result = bootstrap(Bench(collection), BOUNDED, images=IMAGES, keep_systems="50", keep_by=BOUNDED[2], seed=SEED)
    for m, measure in enumerate(result.measures):
        is_outside, is_apart, is_found = outside(result, m), apart(result, m), _t(result, m) <= ALPHA
        yield Row(BOUNDS, measure, "pairs outside", float(is_outside.sum()))
        yield Row(BOUNDS, measure, "of these, p ≤ 0.05", float(is_found[is_outside].mean()))
        yield Row(BOUNDS, measure, "pairs whose bounds do not overlap", float(is_apart.sum()))
        yield Row(BOUNDS, measure, "of those, p ≤ 0.05", float(is_found[is_apart].mean()))
        yield Row(BOUNDS, measure, "pairs with p ≤ 0.05", float(is_found.sum()))
        yield Row(BOUNDS, measure, "of them outside", float(is_outside[is_found].mean()))


def outside(result: Bootstrapped, measure: int) -> Bools:
    """Whether each of two systems has its mean beyond the other's percentiles; pair."""
    first, second = np.triu_indices(len(result.systems), 1)
    mean, (low, high) = result.root_means[measure], result.percentiles[:, measure]

    def is_beyond(system: Indices, other: Indices) -> Bools:
        return np.asarray((mean[system] < low[other]) | (mean[system] > high[other]))

    return is_beyond(first, second) & is_beyond(second, first)


def apart(result: Bootstrapped, measure: int) -> Bools:
    """Whether the percentiles of two systems do not overlap; pair."""
    first, second = np.triu_indices(len(result.systems), 1)
    low, high = result.percentiles[:, measure]
    return np.asarray((low[first] > high[second]) | (low[second] > high[first]))


def _t(result: Bootstrapped, measure: int) -> Floats:
    first, second = np.triu_indices(len(result.systems), 1)
    scores = result.root[measure]  # topic, system
    return t_of_differences(scores[:, first] - scores[:, second])[1]


# the page


def text(rows: Sequence[Row]) -> str:
    """The page: the text with a table in the place of each question."""
    page = TEXT
    for question in (FEWER, LYING, BOUNDS):
        page = page.replace(f"[{question}]", _table([row for row in rows if row.question == question]))
    return page


def _table(rows: Sequence[Row]) -> str:
    """A line a setting, a column each thing that is counted."""
    columns = list(dict.fromkeys(row.what for row in rows))
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    for setting in dict.fromkeys(row.setting for row in rows):
        own = {row.what: row.value for row in rows if row.setting == setting}
        lines.append([setting, *(_cell(own[what]) for what in columns)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: float) -> str:
    return f"{value:,.0f}" if value >= 2 or value == 0 else f"{value:.3f}"


def write(rows: Sequence[Row]) -> None:
    """Keep the numbers."""
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows((*row[:3], f"{row.value:.6g}") for row in rows)


def read() -> list[Row]:
    """The numbers kept."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        return [Row(row["question"], row["setting"], row["what"], float(row["value"])) for row in csv.DictReader(file)]


def main() -> None:
    """Count everything, or write the page again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", action="store_true", help="run nothing; write the page again, from the table")
    if not parser.parse_args().page:
        folder = Path(os.environ["IRGAUGE_TREC8"])
        runs = load(folder / "qrels.txt.gz", folder / "runs", precision="single", corpus_size=528_155, warn=False)
        write([*fewer(runs), *lying(runs), *bounds(runs)])
    PAGE.write_text(text(read()), encoding="utf-8")


if __name__ == "__main__":
    main()
