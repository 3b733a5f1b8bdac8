"""Voorhees, Samarov and Soboroff 2017: what is typed, simulated collections of the same shape, and TREC-8."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
import pytrec_eval
from numpy.typing import NDArray
from scipy import stats

from irgauge.papers.entry import SOURCES, Dataset, Entry, Recomputed
from irgauge.papers.published import Computed, exhibit, papers
from irgauge.papers.voorhees_2017 import ENTRIES, studies
from irgauge.reading.groups import read_groups
from irgauge.replicates.shards import sharding
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition.lengths import members_of
from irgauge.studies.partition.splits import many_splits
from oracles.slow_residuals import means_of

PAPER = "voorhees-2017"
BY_NAME = {entry.name.partition("/")[2]: entry for entry in ENTRIES}
PAIRS = {"trec3": 780, "trec8": 8256, "trec15": 3160}
CORPUS, SYSTEMS, TOPICS = 900, 9, 10
DESIGN = Design(
    systems=SYSTEMS,
    families=3,
    topics=TOPICS,
    depth=80,
    corpus_size=CORPUS,
    grades=1,
    relevant_median=35,
    relevant_sd=0.2,
    seed=3,
)
Floats = NDArray[np.float64]
Judged = dict[str, dict[str, int]]  # topic, docno
Lists = dict[str, dict[str, dict[str, float]]]  # system, topic, docno


# what is typed


def test_every_table_and_figure_with_data_has_an_entry() -> None:
    assert set(BY_NAME) == {*(f"table-{i}" for i in range(1, 7)), *(f"figure-{i}" for i in range(2, 7))}
    assert set(papers()[PAPER].exhibits) == set(BY_NAME)
    for entry in ENTRIES:
        assert set(entry.needs) == {value.collection for value in entry.exhibit.values}
        assert entry.exhibit.illegible == 0
        assert all(file in entry.files for files in entry.needs.values() for file in files)
        assert "population" in entry.method


@pytest.mark.parametrize("name", ["table-2", "table-4", "table-5"])
def test_typed_shares_are_those_of_the_typed_counts(name: str) -> None:
    typed = {(value.collection, *value.key): value.text for value in exhibit(f"{PAPER}/{name}").values}
    shares = [key for key in typed if key[-1] == "share"]
    assert len(shares) == len(typed) / 2
    for key in shares:
        share = 100 * int(typed[(*key[:-1], "pairs")]) / PAIRS[key[0]]
        assert abs(float(typed[key].removesuffix("%")) - share) < 0.0501, key


def test_typed_levels_add_up_and_tables_repeat_each_other() -> None:
    typed = {name: {(v.collection, *v.key): v.text for v in BY_NAME[name].exhibit.values} for name in BY_NAME}
    levels = ("1:10", "2:9", "3:8", "4:7", "5:6")
    totals = [key for key in typed["table-5"] if key[2].startswith("total") and key[3] == "pairs"]
    assert len(totals) == 10
    for key in totals:
        parts = [typed["table-5"][*key[:2], key[2].replace("total", level), "pairs"] for level in levels]
        assert sum(map(int, parts)) == int(typed["table-5"][key])
    for part, whole in (("table-1", "table-3"), ("table-2", "table-4")):
        assert typed[part].items() <= typed[whole].items()


def test_every_reason_is_of_some_value() -> None:
    for entry in ENTRIES:
        words = [{value.collection, *value.key} for value in entry.exhibit.values]
        assert all(any(one.issuperset(reason.words) for one in words) for reason in entry.reasons)


# simulated collections


def write_strata(path: Path) -> None:
    """Make judgments a sample: two strata, and of the second one in three documents is not judged."""
    lines = []
    for number, line in enumerate(path.read_text().splitlines()):
        topic, _, docno, grade = line.split()
        stratum = 1 + number % 2
        lines.append(f"{topic} 0 {docno} {stratum} {-1 if stratum == 2 and number % 3 == 0 else grade}\n")
    path.write_text("".join(lines))


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    found = {}
    for key in ("trec3", "trec15"):
        folder = tmp_path_factory.mktemp(key)
        simulate(DESIGN).write(folder)
        found[key] = Dataset(replace(SOURCES[key], corpus_size=CORPUS), folder, seed=2)
    write_strata(found["trec15"].folder / "qrels.txt")
    names = sorted(path.stem for path in (found["trec3"].folder / "runs").iterdir())
    groups = [f"{name} {name.partition('-')[0]}\n" for name in names[:-1]]  # of three, three and two systems
    (found["trec3"].folder / "groups.txt").write_text("".join(groups))
    return found


@pytest.fixture(scope="module")
def computed(datasets: dict[str, Dataset]) -> dict[tuple[str, str], Recomputed]:
    return {
        (name, key): entry.recompute(datasets[key])
        for name, entry in BY_NAME.items()
        for key in entry.needs
        if key in datasets
    }


@pytest.fixture(scope="module")
def judged(datasets: dict[str, Dataset]) -> Judged:
    found: Judged = {}
    for line in (datasets["trec3"].folder / "qrels.txt").read_text().splitlines():
        topic, _, docno, grade = line.split()
        found.setdefault(topic, {})[docno] = int(grade)
    return found


@pytest.fixture(scope="module")
def lists(datasets: dict[str, Dataset]) -> Lists:
    found: Lists = {}
    for path in sorted((datasets["trec3"].folder / "runs").iterdir()):
        by_topic = found.setdefault(path.stem, {})
        for line in path.read_text().splitlines():
            topic, _, docno, _, score, _ = line.split()
            by_topic.setdefault(topic, {})[docno] = float(score)
    return found


def evaluated(judged: Judged, lists: Lists, measure: str) -> Floats:
    """Scores[topic, system] by pytrec_eval."""
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {measure})
    by_system = {system: evaluator.evaluate(run) for system, run in lists.items()}
    name = measure.replace(".", "_")
    return np.array([[by_system[system][topic][name] for system in lists] for topic in judged])


@pytest.mark.parametrize(("name", "entry"), BY_NAME.items(), ids=list(BY_NAME))
def test_every_printed_value_is_computed(name: str, entry: Entry, computed: dict[tuple[str, str], Recomputed]) -> None:
    for key in set(entry.needs) - {"trec8"}:
        found = computed[name, key]
        printed = [value for value in entry.exhibit.values if value.collection == key]
        assert printed
        for value in printed:
            ours = found.values[value.key]
            assert isinstance(ours, bool) == (value.text == "yes")
            if isinstance(ours, Computed):
                assert math.isfinite(ours.value)
                assert math.isfinite(ours.sd)
        assert any("population topics" in text or "population both" in text for text in found.beside)
        assert all(chart.to_dict() for chart in found.charts)
        assert bool(found.charts) == name.startswith("figure")


@pytest.mark.parametrize(("measure", "known"), [("AP", "map"), ("P10", "P_10")])
def test_counts_over_topics_are_those_of_scipy(
    measure: str, known: str, computed: dict[tuple[str, str], Recomputed], judged: Judged, lists: Lists
) -> None:
    scores = evaluated(judged, lists, known.replace("P_10", "P.10"))
    first, second = map(list, zip(*combinations(range(SYSTEMS), 2), strict=True))
    one, other = scores[:, first], scores[:, second]
    found = computed["table-4", "trec3"]
    for alpha in (0.05, 0.01):
        count = int((stats.ttest_ind(one, other).pvalue <= alpha).sum())
        assert found.values[measure, f"t-test, α = {alpha:g}", "pairs"] == Computed(count)
        assert found.values[measure, f"t-test, α = {alpha:g}", "share"] == Computed(100 * count / 36)
    paired = int((stats.ttest_rel(one, other).pvalue <= 0.05).sum())
    text = next(text for text in found.beside if f" {measure}: 11 splits" in text)
    assert f"paired t-test finds {paired}, each pair for itself" in text


def test_counts_have_two_sides_and_those_of_one_stand_beside(
    datasets: dict[str, Dataset], computed: dict[tuple[str, str], Recomputed]
) -> None:
    drawn_so = studies.divider(datasets["trec3"], "AP", parts=3, splits=studies.THIRDS, sides=1)
    shares = many_splits(drawn_so).p  # split, pair
    two, one = (
        [np.count_nonzero(stats.false_discovery_control(p) <= 0.05) for p in np.minimum(1, sides * shares)]
        for sides in (2, 1)
    )
    assert np.mean(two) < np.mean(one)
    found = computed["table-4", "trec3"]
    assert found.values["AP", "3 parts, α = 0.05", "pairs"] == Computed.over(two)
    text = next(text for text in found.beside if "AP, α = 0.05: with one-sided" in text)
    assert f"finds {np.mean(one):,.0f} ± {np.std(one, ddof=1):.0f} (3 parts)" in text


def test_randomization_is_near_that_of_all_signs(datasets: dict[str, Dataset], judged: Judged, lists: Lists) -> None:
    scores, names = evaluated(judged, lists, "map"), list(lists)
    signs = np.array(list(product((1.0, -1.0), repeat=TOPICS)))  # draw, topic
    drawn = studies.randomized(datasets["trec3"], "AP")
    assert [one.seed for one in drawn] == list(range(2, 2 + studies.REPETITIONS))
    for one in drawn:
        for u, v, p in zip(one.first, one.second, one.p_adjusted, strict=True):
            d = scores[:, names.index(one.systems[u])] - scores[:, names.index(one.systems[v])]
            exact = float((signs @ d >= d.sum() - 1e-12).mean())
            assert abs(p - exact) < 5 * math.sqrt(exact * (1 - exact) / studies.DRAWS) + 2 / studies.DRAWS


@pytest.mark.parametrize(("parts", "model"), [(2, "without"), (2, "with"), (3, "without"), (3, "with")])
def test_lengths_are_those_of_normal_effects(
    parts: int,
    model: str,
    datasets: dict[str, Dataset],
    computed: dict[tuple[str, str], Recomputed],
    judged: Judged,
    lists: Lists,
) -> None:
    """Parts restricted by hand, scored by pytrec_eval; effects vary by σ √((1 − 1/R) / n), a normal sum."""
    dataset = datasets["trec3"]
    found = studies.inferred(dataset, "AP", parts, interactions=model == "with")
    expected = []
    for split, _ in found[: studies.SPLITS]:
        assert split.attempts == 1
        labels = sharding(dataset.collection, f"die:{parts}").split(2, split.number).labels
        part_of = dict(zip(dataset.collection.docnos, labels.tolist(), strict=True))
        values = np.stack([evaluated(*restricted(judged, lists, part_of, part), "map") for part in range(parts)], 2)
        residuals = values - means_of(values, interactions=model == "with")[1]
        expected.append(2 * 1.96 * residuals.std() * math.sqrt((1 - 1 / SYSTEMS) / (TOPICS * parts)))
    lengths = [float((one.plain.high - one.plain.low).mean()) for _, one in found]
    np.testing.assert_allclose(lengths[: studies.SPLITS], expected, rtol=0.03)
    ours = computed["table-3", "trec3"].values["AP", f"{parts} partitions, {model}", "mean"]
    printed = [float((one.printed.high - one.printed.low).mean()) for _, one in found if one.printed]
    assert ours == Computed.over(printed)
    left_out = [math.floor(5 * (one.p_adjusted <= 0.05).mean()) for _, one in found]  # of 10,000 draws
    longer = [stats.norm.isf((few + 0.625) / (studies.DRAWS + 0.25)) / 1.96 for few in left_out]  # Blom's approximation
    np.testing.assert_allclose(printed, np.multiply(lengths, longer), rtol=0.06)


def restricted(judged: Judged, lists: Lists, part_of: dict[str, int], part: int) -> tuple[Judged, Lists]:
    """Judgments and runs of the documents of one part."""
    own = {topic: {doc: grade for doc, grade in docs.items() if part_of[doc] == part} for topic, docs in judged.items()}
    runs = {
        system: {topic: {doc: x for doc, x in docs.items() if part_of[doc] == part} for topic, docs in run.items()}
        for system, run in lists.items()
    }
    return own, runs


def test_disagreements_are_counted_from_the_decisions(
    datasets: dict[str, Dataset], computed: dict[tuple[str, str], Recomputed], judged: Judged, lists: Lists
) -> None:
    tables, repeated = computed["table-5", "trec3"], studies.halves(datasets["trec3"], "AP")
    counts = []
    for found in repeated:
        votes = np.array(
            [np.where(p <= 0.05, sign, 0) for p, sign in zip(found.p_adjusted, found.directions, strict=True)]
        )
        counts.append([11 - max((own == one).sum() for one in (-1, 0, 1)) for own in votes.T])
    for few in range(1, 6):
        value = tables.values["AP", f"{few}:{11 - few}, α = 0.05", "pairs"]
        assert value == Computed.over([own.count(few) for own in counts])
    assert tables.values["AP", "total, α = 0.05", "pairs"] == Computed.over([36 - own.count(0) for own in counts])
    multiple = computed["table-4", "trec3"].values["AP", "multiple 2 parts, α = 0.05", "pairs"]
    assert isinstance(multiple, Computed)
    assert multiple.value == fmean(
        int(((found.p_adjusted <= 0.05).all(axis=0) & (np.abs(found.directions.sum(axis=0)) == 11)).sum())
        for found in repeated
    )
    scores, names, told, first = evaluated(judged, lists, "map"), list(lists), 0, repeated[0]
    for few, u, v in zip(counts[0], first.first, first.second, strict=True):
        a, b = (scores[:, names.index(first.systems[system])] for system in (u, v))
        told += few > 0 and stats.ttest_rel(a, b).pvalue <= 0.05
    text = next(text for text in tables.beside if ", AP: of the" in text)
    assert f"of the {36 - counts[0].count(0)} pairs" in text
    assert f"over topics finds {told} significantly different" in text


def test_related_runs_are_those_of_the_file(
    datasets: dict[str, Dataset], computed: dict[tuple[str, str], Recomputed]
) -> None:
    values = computed["table-6", "trec3"].values
    assert values["related", "pairs"] == Computed(3 + 3 + 1)
    alike = values["decided alike", "pairs"]
    assert isinstance(alike, Computed)
    repeated = studies.related(datasets["trec3"])
    assert alike.value == fmean(np.sum(one.across == one.within) for one in repeated)
    assert [one.draws for one in repeated] == [1000] * studies.REPETITIONS


@pytest.mark.parametrize("strata", [True, False])
def test_inferred_ap_follows_the_judgments(strata: bool, datasets: dict[str, Dataset], tmp_path: Path) -> None:  # noqa: FBT001  # a case
    dataset = datasets["trec15"]
    if not strata:
        simulate(DESIGN).write(tmp_path)
        lines = (tmp_path / "qrels.txt").read_text().splitlines()
        sampled = [re.sub(r"\d+$", "-1", line) if number % 3 == 0 else line for number, line in enumerate(lines)]
        (tmp_path / "qrels.txt").write_text("\n".join(sampled) + "\n")
        dataset = Dataset(replace(SOURCES["trec15"], corpus_size=CORPUS), tmp_path)
        for entry in (BY_NAME["table-4"], BY_NAME["figure-5"]):
            printed = {value.key for value in entry.exhibit.values if value.collection == "trec15"}
            assert printed <= set(entry.recompute(dataset).values)
    assert studies.measures(dataset) == {"infAP": "xinfAP" if strata else "infAP"}


# TREC-8


@pytest.mark.parametrize(
    ("measure", "rounded", "counts"),
    [("AP", False, [4164, 3438]), ("AP", True, [4164, 3437]), ("P@10", False, [4317, 3695])],
)
def test_unpaired_counts_on_trec8(trec8_dataset: Dataset, measure: str, rounded: bool, counts: list[int]) -> None:  # noqa: FBT001  # a case
    p = studies.unpaired(trec8_dataset, measure, rounded=rounded).p_adjusted
    assert [studies.rejected([p], alpha)[0] for alpha in studies.LEVELS] == counts


def test_related_pairs_on_trec8(trec8_dataset: Dataset) -> None:
    groups = read_groups(trec8_dataset.path("groups"))
    sizes = [len(own) for own in members_of(groups, trec8_dataset.collection.systems, skip_singles=True).values()]
    assert sum(math.comb(size, 2) for size in sizes) == 184
    groups.pop("8manexT3D1N0")  # printed: 180
    sizes = [len(own) for own in members_of(groups, trec8_dataset.collection.systems, skip_singles=True).values()]
    assert sum(math.comb(size, 2) for size in sizes) == 180
