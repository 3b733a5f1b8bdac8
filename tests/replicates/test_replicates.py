"""Every way to split a corpus or to draw images of it: sizes and chances, what a seed fixes, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from irgauge import Collection, DesignError, InputError, load
from irgauge.reading.trec import read_map, write_map
from irgauge.replicates.images import draw_images, draw_topics
from irgauge.replicates.shards import SCHEMES, Sharding, sharding, split_documents, syntaxes
from irgauge.scoring.drawn import Images, Shards, whole
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate

Labels = NDArray[np.int32]
Write = Callable[[str], Path]

SEEN, CORPUS = 12, 24  # documents of the small collection, and of the corpus it is a part of
LARGE = 300  # documents of the large collection, which is the whole corpus
DRAWS = 4000
UNLIKELY = 1e-4  # a test of chance fails below this probability; seeds are fixed, so that it passes for good
SOURCES = ("AP10", "AP9", "FR7", "FT2", "FT1", "FT3")


@cache
def collection_of(documents: int, corpus_size: int | None = None) -> Collection:
    """One system and one topic; documents d000, d001, ..., all retrieved, the last one relevant."""
    docnos = [f"d{i:03}" for i in range(documents)]
    scores = {docno: 1.0 + i for i, docno in enumerate(docnos)}
    return load({"q": {docnos[-1]: 1}}, {"mine": {"q": scores}}, corpus_size=corpus_size)


@cache
def sources() -> Collection:
    """Documents whose docnos tell their source."""
    return load({"q": dict.fromkeys(SOURCES[:3], 1)}, {"mine": {"q": dict.fromkeys(SOURCES[2:], 1.0)}})


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(content: str) -> Path:
        path = tmp_path / "shards.txt"
        path.write_bytes(content.encode())
        return path

    return write_file


def labels_of(scheme: Sharding, draws: int, seed: int = 0) -> Labels:
    """labels[draw, document]"""
    return np.array([shards.labels for shards in islice(scheme.splits(seed), draws)])


def by_name(shards: Shards, collection: Collection) -> dict[str, str]:
    """The shard of each document, by names."""
    return dict(zip(collection.docnos, shards.names_of_documents(), strict=True))


def drawn(scheme: Sharding) -> Shards:
    return scheme.draw(np.random.default_rng(0))


def map_of_sizes(sizes: Sequence[int]) -> str:
    """A map of documents x0, x1, ... with shards of these sizes, named a, b, ..."""
    return "".join(f"x{shard}-{i} {chr(97 + shard)}\n" for shard, size in enumerate(sizes) for i in range(size))


def chi_square(observed: NDArray[np.int64], expected: NDArray[np.float64]) -> float:
    """The p-value of counts; those of which few are expected are put together."""
    rare = expected < 5
    seen, hoped = ([*counts[~rare], *([counts[rare].sum()] if rare.any() else [])] for counts in (observed, expected))
    return float(stats.chisquare(seen, hoped).pvalue)


def same_shard_share(labels: Labels) -> NDArray[np.float64]:
    """How often each pair of documents shares a shard."""
    first, second = np.triu_indices(labels.shape[1], 1)
    return np.asarray((labels[:, first] == labels[:, second]).mean(axis=0))


# random shards


@pytest.mark.parametrize("sizes", [(8, 8, 8), (2, 9, 13)], ids=["even", "sizes"])
def test_documents_fall_into_shards_of_the_whole_corpus_as_drawn_without_replacement(
    sizes: tuple[int, ...], write: Write
) -> None:
    spec = f"even:{len(sizes)}" if len(set(sizes)) == 1 else f"sizes:{write(map_of_sizes(sizes))}"
    labels = labels_of(sharding(collection_of(SEEN, CORPUS), spec), DRAWS)
    for shard, size in enumerate(sizes):
        counts = (labels == shard).sum(axis=1)
        law = stats.hypergeom(CORPUS, size, SEEN)
        assert abs(counts.mean() - law.mean()) < 4 * law.std() / np.sqrt(DRAWS)
        assert counts.var() == pytest.approx(law.var(), rel=0.1)  # with replacement it would be about twice that
        expected = DRAWS * law.pmf(np.arange(SEEN + 1))
        possible = expected > 0
        observed = np.bincount(counts, minlength=SEEN + 1)
        assert not observed[~possible].any()
        assert chi_square(observed[possible], expected[possible]) > UNLIKELY


@pytest.mark.parametrize("sizes", [(8, 8, 8), (2, 9, 13)], ids=["even", "sizes"])
def test_every_document_and_every_pair_of_documents_has_the_same_chances(sizes: tuple[int, ...], write: Write) -> None:
    spec = f"even:{len(sizes)}" if len(set(sizes)) == 1 else f"sizes:{write(map_of_sizes(sizes))}"
    labels = labels_of(sharding(collection_of(SEEN, CORPUS), spec), DRAWS, seed=1)
    for document in range(SEEN):
        expected = DRAWS * np.array(sizes) / CORPUS
        assert chi_square(np.bincount(labels[:, document], minlength=len(sizes)), expected) > UNLIKELY
    together = sum(size * (size - 1) for size in sizes) / (CORPUS * (CORPUS - 1))
    assert np.abs(same_shard_share(labels) - together).max() < 4.5 * np.sqrt(together * (1 - together) / DRAWS)


@given(count=st.integers(1, LARGE), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=60)
def test_even_shards_of_seen_documents_differ_by_at_most_one_in_size(count: int, seed: int) -> None:
    scheme = sharding(collection_of(LARGE), f"even:{count}")
    sizes = np.bincount(next(scheme.splits(seed)).labels, minlength=count)
    assert len(sizes) == len(scheme.names) == count
    assert sizes.sum() == LARGE
    assert sizes.max() - sizes.min() <= 1


@given(count=st.integers(1, LARGE), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=60)
def test_a_die_has_as_many_sides_as_asked_for(count: int, seed: int) -> None:
    shards = next(sharding(collection_of(LARGE), f"die:{count}").splits(seed))
    assert shards.names == tuple(str(side) for side in range(1, count + 1))
    assert len(shards.labels) == LARGE
    assert set(shards.labels.tolist()) <= set(range(count))


def test_a_die_is_fair_and_rolls_for_each_document_alone() -> None:
    sides = 4
    labels = labels_of(sharding(collection_of(SEEN, CORPUS), f"die:{sides}"), DRAWS)
    assert chi_square(np.bincount(labels.ravel()), np.full(sides, labels.size / sides)) > UNLIKELY
    ones = np.bincount((labels == 0).sum(axis=1), minlength=SEEN + 1)
    assert chi_square(ones, DRAWS * stats.binom.pmf(np.arange(SEEN + 1), SEEN, 1 / sides)) > UNLIKELY
    error = np.sqrt(1 / sides * (1 - 1 / sides) / DRAWS)
    assert np.abs(same_shard_share(labels) - 1 / sides).max() < 4.5 * error


@pytest.mark.parametrize("spec", ["even:1", "die:1"])
def test_one_shard_is_the_whole_corpus(spec: str) -> None:
    collection = collection_of(SEEN, CORPUS)
    shards = next(sharding(collection, spec).splits(3))
    np.testing.assert_array_equal(shards.labels, whole(SEEN).labels)
    np.testing.assert_array_equal(score(collection, ["AP"], shards).values, score(collection, ["AP"]).values)


def test_hundreds_of_shards_are_scored() -> None:
    collection = collection_of(LARGE)
    shards = next(sharding(collection, f"even:{LARGE}").splits(0))
    values = score(collection, ["AP"], shards).values[0, 0, 0]  # shard
    assert values[shards.labels[-1]] == 1  # of the one relevant document, alone in its shard
    assert np.isnan(values).sum() == LARGE - 1


def test_more_shards_than_seen_documents_are_possible_where_the_corpus_has_as_many() -> None:
    shards = next(sharding(collection_of(SEEN, CORPUS), f"even:{CORPUS}").splits(0))
    assert len(shards.names) == CORPUS
    assert len(set(shards.labels.tolist())) == SEEN  # every shard has one document of the corpus


def test_the_largest_corpora_are_split() -> None:
    labels = next(sharding(collection_of(SEEN, 1_040_809_705), "even:5").splits(0)).labels
    assert set(labels.tolist()) <= set(range(5))


def test_random_shards_have_the_names_of_the_map_that_gives_their_sizes(write: Write) -> None:
    lines = "x1 web\nx2 news\nx3 web\n"
    scheme = sharding(collection_of(3), f"sizes:{write(lines)}")
    assert scheme.names == ("news", "web")
    assert all((labels == 1).sum() == 2 for labels in labels_of(scheme, 20))
    assert len({tuple(labels) for labels in labels_of(scheme, 50).tolist()}) == 3  # each document is the one of news


# seeds


@pytest.mark.parametrize("spec", ["even:3", "die:3", "sizes"])
def test_a_seed_gives_the_same_splits_and_another_seed_others(spec: str, write: Write) -> None:
    scheme = sharding(collection_of(LARGE), f"sizes:{write(map_of_sizes((100, 150, 50)))}" if spec == "sizes" else spec)
    assert scheme.is_random
    splits = labels_of(scheme, 6, seed=7)
    np.testing.assert_array_equal(splits, labels_of(scheme, 6, seed=7))
    others = labels_of(scheme, 6, seed=8)
    assert len({labels.tobytes() for labels in (*splits, *others)}) == 12


@pytest.mark.parametrize("spec", ["even:3", "die:3"])
def test_a_split_does_not_depend_on_how_many_were_drawn_before(spec: str) -> None:
    scheme = sharding(collection_of(LARGE), spec)
    one, other = scheme.splits(7), scheme.splits(7)
    first = next(one)
    next(scheme.splits(9))
    np.testing.assert_array_equal(first.labels, next(other).labels)
    np.testing.assert_array_equal(list(islice(one, 3))[-1].labels, list(islice(other, 3))[-1].labels)
    own = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(4,)))
    np.testing.assert_array_equal(scheme.draw(own).labels, next(islice(scheme.splits(7), 4, None)).labels)


def test_shards_that_a_map_or_pattern_fixes_are_the_same_in_every_split(write: Write) -> None:
    path = write("".join(f"{docno} {i % 2}\n" for i, docno in enumerate(SOURCES)))
    for spec in (f"map:{path}", f"ordered:{path}:3", "match:^.."):
        scheme = sharding(sources(), spec)
        assert not scheme.is_random
        one, other = next(scheme.splits(1)), next(islice(scheme.splits(2), 5, None))
        np.testing.assert_array_equal(one.labels, other.labels)
        assert one.names == other.names == scheme.names


@pytest.mark.parametrize("spec", ["even:4", "die:4", "match:^([A-Z]+)"])
def test_the_shard_of_a_document_does_not_depend_on_the_order_of_files_or_on_workers(spec: str, tmp_path: Path) -> None:
    simulate(Design(systems=5, families=2, topics=4, depth=40, corpus_size=400)).write(tmp_path)
    runs = sorted((tmp_path / "runs").iterdir())
    loaded = [
        load(tmp_path / "qrels.txt", order, workers=workers) for order in (runs, runs[::-1]) for workers in (1, 4)
    ]
    shards = [by_name(next(sharding(collection, spec).splits(5)), collection) for collection in loaded]
    assert len(set(shards[0].values())) == 4
    assert all(other == shards[0] for other in shards[1:])


# maps


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Z", "Cs")), min_size=1, max_size=6)


@given(places=st.dictionaries(NAMES, st.sampled_from(["1", "10", "2", "web", "wéb", "WEB"]), min_size=1))
@settings(deadline=None)
def test_a_map_that_was_written_splits_as_it_says(
    places: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("map") / "map.txt"
    write_map(path, pl.Series(list(places)), pl.Series(list(places.values())))
    collection = load({"q": dict.fromkeys(places, 1)}, {"mine": {"q": dict.fromkeys(places, 1.0)}})
    scheme = sharding(collection, f"map:{path}")
    assert scheme.names == tuple(sorted(set(places.values()), key=str.encode))
    assert by_name(drawn(scheme), collection) == places


@pytest.mark.parametrize(("name", "line"), [("map.tsv", "d\tweb\n"), ("map.txt", "d web\n"), ("a.tsv.map", "d web\n")])
def test_a_map_named_tsv_is_separated_by_tabs(name: str, line: str, tmp_path: Path) -> None:
    write_map(tmp_path / name, pl.Series(["d"]), pl.Series(["web"]))
    assert (tmp_path / name).read_text() == line
    assert read_map(tmp_path / name).shards == ("web",)


def test_random_shards_go_through_a_map_unchanged(tmp_path: Path) -> None:
    collection = collection_of(LARGE)
    shards = next(sharding(collection, "even:20").splits(0))
    write_map(tmp_path / "map.txt", collection.docnos, shards.names_of_documents())
    again = drawn(sharding(collection, f"map:{tmp_path / 'map.txt'}"))
    assert by_name(again, collection) == by_name(shards, collection)


def test_a_map_may_hold_documents_that_no_run_and_no_judgment_names(write: Write) -> None:
    lines = "".join(f"{docno} {docno[:2]}\n" for docno in ("AP1", *SOURCES, "FT999"))
    collection = sources()
    shards = drawn(sharding(collection, f"map:{write(lines)}"))
    assert by_name(shards, collection) == {docno: docno[:2] for docno in SOURCES}


@pytest.mark.parametrize("content", ["a 1\nb 2\nc 1\n", "a\t1\r\nb\t2\r\nc\t1", "\n a  1 \n\nb 2\n  c 1\n\n"])
def test_a_map_is_read_whatever_its_layout(content: str, write: Write) -> None:
    given = read_map(write(content))
    assert given.docnos.to_list() == ["a", "b", "c"]
    assert given.labels.tolist() == [0, 1, 0]
    assert given.shards == ("1", "2")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("a\n", 1, "1 column where a shard map has 2"),
        ("a 1 x\nb 1 x\n", 1, "3 columns where a shard map has 2"),
        ("\na 1\nb\n", 3, "1 column where the lines above have 2"),
        ("a 1\nb 2\nc 2 3\n", 3, "3 columns where the lines above have 2"),
        ("a 1\n\nb 2\na 1\n", 4, "appears twice"),
        ("a 1\nb 2\nb 3\na 1\n", 3, "appears twice"),
        ("", None, "empty"),
        ("\n \n", None, "empty"),
    ],
    ids=["one column", "three columns", "too few", "too many", "twice", "twice in two shards", "empty", "blank"],
)
def test_what_is_wrong_with_a_map_is_located(content: str, line: int | None, message: str, write: Write) -> None:
    path = write(content)
    for spec in (f"map:{path}", f"sizes:{path}", f"ordered:{path}:2"):
        with pytest.raises(InputError, match=message) as caught:
            sharding(sources(), spec)
        assert str(caught.value).startswith(f"{path}: " if line is None else f"{path}:{line}: ")


@pytest.mark.parametrize("spec", ["map:{}", "sizes:{}", "ordered:{}:2"])
def test_a_missing_map_is_an_input_error(spec: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        sharding(sources(), spec.format(tmp_path / "none.txt"))


# documents in the order of their label


@pytest.mark.parametrize("count", [1, 2, 7, LARGE])
def test_ordered_documents_are_cut_into_equal_parts_in_the_order_of_label_then_docno(count: int, write: Write) -> None:
    collection = collection_of(LARGE)
    rng = np.random.default_rng(2)
    label = {docno: str(rng.integers(1, 30)) for docno in collection.docnos}
    path = write("".join(f"{docno} {label[docno]}\n" for docno in rng.permutation(list(label))))
    scheme = sharding(collection, f"ordered:{path}:{count}")
    assert scheme.names == tuple(str(part) for part in range(1, count + 1))
    shards = drawn(scheme)
    sizes = np.bincount(shards.labels, minlength=count)
    assert sizes.max() - sizes.min() <= 1
    part = dict(zip(collection.docnos, shards.labels.tolist(), strict=True))
    in_order = [part[docno] for docno in sorted(label, key=lambda docno: (label[docno], docno))]
    assert all(one <= other for one, other in pairwise(in_order))


def test_ordered_parts_are_equal_over_the_map_not_over_the_seen_documents(write: Write) -> None:
    path = write("".join(f"{docno} 1\n" for docno in SOURCES) + "".join(f"z{i} 2\n" for i in range(3)))
    shards = drawn(sharding(sources(), f"ordered:{path}:2"))
    assert by_name(shards, sources()) == {"AP10": "1", "AP9": "1", "FR7": "1", "FT1": "1", "FT2": "1", "FT3": "2"}


# docnos that match a pattern


@pytest.mark.parametrize(
    ("pattern", "shards"),
    [
        ("^(AP|FR|FT)", ["AP", "AP", "FR", "FT", "FT", "FT"]),
        ("^.", ["A", "A", "F", "F", "F", "F"]),
        ("^(?:AP|F)", ["AP", "AP", "F", "F", "F", "F"]),
        ("([0-9])$", ["0", "9", "7", "1", "2", "3"]),
        ("(P|F)(.)", ["P", "P", "F", "F", "F", "F"]),
        ("[0-9]+", ["10", "9", "7", "1", "2", "3"]),
        ("^(?P<source>[A-Z]+)([0-9]+)$", ["AP", "AP", "FR", "FT", "FT", "FT"]),
    ],
)
def test_the_shard_is_the_first_group_or_the_whole_match(pattern: str, shards: list[str]) -> None:
    scheme = sharding(sources(), f"match:{pattern}")
    assert by_name(drawn(scheme), sources()) == dict(zip(sorted(SOURCES), shards, strict=True))
    assert scheme.names == tuple(sorted(set(shards)))


@pytest.mark.parametrize("pattern", ["^(AP)|^F", "^(AP)?"])
def test_a_group_that_takes_no_part_in_the_match_is_no_shard(pattern: str) -> None:
    with pytest.raises(DesignError, match="FR7"):
        sharding(sources(), f"match:{pattern}")


# what is refused


@pytest.mark.parametrize(
    "spec", ["odd:3", "even", "even:", "die:", "map:", "sizes", "ordered:", "match:", ":3", "", "EVEN:3", " even:3"]
)
def test_an_unknown_way_to_split_or_a_missing_argument_is_refused_and_all_ways_are_named(spec: str) -> None:
    every = "even:S, die:S, map:FILE, sizes:FILE, ordered:FILE:S or match:REGEX"
    with pytest.raises(DesignError, match=every) as caught:
        sharding(sources(), spec)
    assert f"'{spec}'" in str(caught.value)


def test_every_scheme_says_what_it_is_and_reads_its_own_syntax(write: Write) -> None:
    path = write("".join(f"{docno} {i % 2}\n" for i, docno in enumerate(SOURCES)))
    for name, scheme in SCHEMES.items():
        assert scheme.name == name
        assert scheme.syntax.startswith(f"{name}:")
        assert scheme.explanation
        spec = scheme.syntax.replace("FILE", str(path)).replace(":S", ":2").replace("REGEX", "^.")
        assert len(sharding(sources(), spec).names) == 2
        assert scheme.syntax in syntaxes()


@pytest.mark.parametrize("spec", ["even:3", "die:3", "match:^.."])
def test_documents_are_split_as_the_seed_and_the_number_say(spec: str) -> None:
    collection = sources()
    for number, expected in enumerate(islice(sharding(collection, spec).splits(7), 3)):
        shards = split_documents(collection, spec, seed=7, number=number)
        np.testing.assert_array_equal(shards.labels, expected.labels)
        assert dict(shards.frame(collection).iter_rows()) == by_name(expected, collection)


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "two", " 2", "2 ", "1e3", "²"])
@pytest.mark.parametrize("kind", ["even", "die", "ordered"])
def test_what_is_no_number_of_shards_is_refused(kind: str, number: str, write: Write) -> None:
    argument = f"{write(map_of_sizes((8,)))}:{number}" if kind == "ordered" else number
    with pytest.raises(DesignError, match=f"'{number}' is not a number of shards; it must be a whole number from 1"):
        sharding(sources(), f"{kind}:{argument}")


def test_a_number_of_shards_beyond_all_bounds_is_refused() -> None:
    with pytest.raises(DesignError, match="9999"):
        sharding(sources(), "even:" + 5000 * "9")


@pytest.mark.parametrize("kind", ["even", "die"])
def test_more_shards_than_documents_of_the_corpus_are_refused(kind: str) -> None:
    assert len(sharding(collection_of(SEEN, CORPUS), f"{kind}:{CORPUS}").names) == CORPUS
    with pytest.raises(DesignError, match=f"{CORPUS + 1} shards are more than the {CORPUS} documents"):
        sharding(collection_of(SEEN, CORPUS), f"{kind}:{CORPUS + 1}")


def test_more_parts_than_documents_of_the_map_are_refused(write: Write) -> None:
    with pytest.raises(DesignError, match="9 shards are more than the 8 documents"):
        sharding(sources(), f"ordered:{write(map_of_sizes((8,)))}:9")


def test_a_map_without_number_of_parts_is_refused(write: Write) -> None:
    with pytest.raises(DesignError, match="ordered:FILE:S"):
        sharding(sources(), f"ordered:{write(map_of_sizes((8,)))}")


@pytest.mark.parametrize("kind", ["map", "ordered"])
def test_a_map_that_lacks_documents_names_some_and_counts_all(kind: str, write: Write) -> None:
    path = write("AP9 1\nz 2\n")
    spec = f"map:{path}" if kind == "map" else f"ordered:{path}:2"
    with pytest.raises(DesignError, match=r"5 documents .* such as AP10, FR7, FT1$") as caught:
        sharding(sources(), spec)
    assert str(path) in str(caught.value)


def test_sizes_of_fewer_documents_than_were_seen_are_refused(write: Write) -> None:
    path = write(map_of_sizes((2, 3)))
    with pytest.raises(DesignError, match="the map has 5 documents, fewer than the 6"):
        sharding(sources(), f"sizes:{path}")


def test_a_shard_without_seen_documents_is_refused(write: Write) -> None:
    path = write("".join(f"{docno} news\n" for docno in SOURCES) + "z web\n")
    with pytest.raises(DesignError, match="no document of runs and qrels is in shard 'web'"):
        sharding(sources(), f"map:{path}")
    path = write("".join(f"{docno} news\n" for docno in SOURCES) + "".join(f"z{i} web\n" for i in range(6)))
    with pytest.raises(DesignError, match="no document of runs and qrels is in shard '2'"):
        sharding(sources(), f"ordered:{path}:2")


@pytest.mark.parametrize("pattern", ["(", "[", "*", "^(AP"])
def test_a_bad_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(DesignError, match="not a regular expression"):
        sharding(sources(), f"match:{pattern}")


def test_docnos_that_do_not_match_are_counted_and_some_are_named() -> None:
    with pytest.raises(DesignError, match=r"4 documents do not match the pattern, such as FR7, FT1, FT2$"):
        sharding(sources(), "match:^AP")


@pytest.mark.parametrize("spec", ["even:2", "die:2", "match:^."])
def test_a_collection_of_judged_documents_alone_is_refused(spec: str) -> None:
    judged = load({"q": {"a": 1, "b": 0}}, {"mine": {"q": {"a": 1.0, "c": 2.0}}}, documents="judged")
    with pytest.raises(DesignError, match="documents='all'"):
        sharding(judged, spec)


# images


Counts = NDArray[np.uint8] | NDArray[np.int64]


def deviations(drawn: Counts, mean: float, variance: float, covariance: float) -> tuple[float, float, float]:
    """By how many standard errors means, variances and covariances over images (row, image) are off, at most.

    The standard error of a variance goes by the fourth moment, that of a covariance takes the two as independent.
    """
    images = drawn.shape[1]
    off = drawn.astype(np.float64) - mean
    first, second = np.triu_indices(len(drawn), 1)
    products = off[first] * off[second]
    return (
        float(np.abs(off.mean(axis=1)).max() / np.sqrt(variance / images)),
        float(np.abs((off**2).mean(axis=1) - variance).max() / np.sqrt((off**2).var() / images)),
        float(np.abs(products.mean() - covariance) / (products.mean(axis=0).std() / np.sqrt(images))),
    )


@pytest.mark.parametrize("documents", [1, 2, 255, 256, LARGE])
def test_an_image_of_a_corpus_that_was_seen_whole_has_as_many_documents(documents: int) -> None:
    weights = draw_images(collection_of(documents), 40, seed=3).weights
    assert weights.shape == (documents, 40)
    assert weights.dtype == np.uint8
    assert weights.flags.c_contiguous
    assert (weights.sum(axis=0, dtype=np.int64) == documents).all()


def test_every_image_of_a_corpus_of_one_document_is_that_document() -> None:
    assert (draw_images(collection_of(1), 20, seed=1).weights == 1).all()


def test_images_of_two_documents_are_drawn_with_replacement() -> None:
    weights = draw_images(collection_of(2), DRAWS, seed=1).weights
    shares = np.bincount(weights[0], minlength=3)
    assert chi_square(shares, DRAWS * np.array([0.25, 0.5, 0.25])) > UNLIKELY


@pytest.mark.parametrize("corpus", [SEEN, CORPUS, 1000])
def test_weights_have_the_moments_of_draws_with_replacement_from_the_whole_corpus(corpus: int) -> None:
    weights = draw_images(collection_of(SEEN, corpus), 5 * DRAWS, seed=11).weights
    assert max(deviations(weights, 1, 1 - 1 / corpus, -1 / corpus)) < 4.5


@pytest.mark.parametrize("corpus", [SEEN, CORPUS, 1000])
def test_how_often_a_document_stands_is_binomial(corpus: int) -> None:
    weights = draw_images(collection_of(SEEN, corpus), DRAWS, seed=12).weights
    expected = DRAWS * stats.binom.pmf(np.arange(SEEN + 1), corpus, 1 / corpus)
    for counts in (np.bincount(row, minlength=SEEN + 1) for row in weights):
        assert chi_square(counts, expected) > UNLIKELY / SEEN


@pytest.mark.parametrize("corpus", [SEEN + 1, CORPUS, 1000])
def test_documents_that_were_not_seen_take_part_in_the_draw(corpus: int) -> None:
    stored = draw_images(collection_of(SEEN, corpus), DRAWS, seed=13).weights.sum(axis=0, dtype=np.int64)
    expected = DRAWS * stats.binom.pmf(np.arange(corpus + 1), corpus, SEEN / corpus)
    assert chi_square(np.bincount(stored, minlength=corpus + 1), expected) > UNLIKELY


def test_images_of_the_largest_corpora_hold_each_document_about_once() -> None:
    weights = draw_images(collection_of(SEEN, 1_040_809_705), DRAWS, seed=14).weights
    assert max(deviations(weights, 1, 1, 0)) < 4.5


@pytest.mark.parametrize("corpus", [None, 2 * LARGE])
@pytest.mark.parametrize("workers", [None, 1, 2, 5])
def test_an_image_depends_on_the_seed_and_its_number_alone(workers: int | None, corpus: int | None) -> None:
    collection = collection_of(LARGE, corpus)
    every = draw_images(collection, 20, seed=5, workers=1)
    for first, count in ((0, 20), (0, 7), (7, 13), (19, 1)):
        part = draw_images(collection, count, seed=5, first=first, workers=workers)
        np.testing.assert_array_equal(part.weights, every.weights[:, first : first + count])
        assert part.names == every.names[first : first + count]


def test_images_differ_from_each_other_and_between_seeds() -> None:
    drawn = [draw_images(collection_of(LARGE), 30, seed=seed).weights for seed in (5, 6, 2**40)]
    assert len({image.tobytes() for weights in drawn for image in weights.T}) == 90


def test_neighbouring_images_are_independent() -> None:
    weights = draw_images(collection_of(LARGE), 1000, seed=15).weights - 1.0
    products = (weights[:, 1:] * weights[:, :-1]).ravel()
    assert abs(products.mean()) < 4.5 * products.std() / np.sqrt(products.size)


def test_images_are_named_by_their_numbers_from_1() -> None:
    assert Images(np.ones((2, 3), np.uint8)).names == ("1", "2", "3")
    assert draw_images(collection_of(2), 2, seed=0, first=9).names == ("10", "11")
    assert draw_images(collection_of(2), 0, seed=0).names == ()


def test_images_of_a_collection_of_judged_documents_alone_are_refused() -> None:
    judged = load({"q": {"a": 1, "b": 0}}, {"mine": {"q": {"a": 1.0, "c": 2.0}}}, documents="judged")
    with pytest.raises(DesignError, match="images need all documents; load the collection with documents='all'"):
        draw_images(judged, 2, seed=0)


# resamples of topics


@pytest.mark.parametrize("topics", [1, 2, SEEN, LARGE])
def test_a_resample_has_as_many_topics(topics: int) -> None:
    times = draw_topics(topics, 50, seed=3)
    assert times.shape == (topics, 50)
    assert times.min() >= 0
    assert (times.sum(axis=0) == topics).all()


def test_topics_are_drawn_with_replacement() -> None:
    times = draw_topics(SEEN, 2 * DRAWS, seed=16)
    assert max(deviations(times, 1, 1 - 1 / SEEN, -1 / SEEN)) < 4.5
    expected = 2 * DRAWS * stats.binom.pmf(np.arange(SEEN + 1), SEEN, 1 / SEEN)
    for counts in (np.bincount(row, minlength=SEEN + 1) for row in times):
        assert chi_square(counts, expected) > UNLIKELY / SEEN


def test_a_resample_of_topics_depends_on_the_seed_and_its_number_alone() -> None:
    every = draw_topics(SEEN, 20, seed=5)
    for first, count in ((0, 7), (7, 13), (19, 1)):
        np.testing.assert_array_equal(draw_topics(SEEN, count, seed=5, first=first), every[:, first : first + count])
    assert len({one.tobytes() for seed in (5, 6) for one in draw_topics(LARGE, 20, seed=seed).T}) == 40


def test_topics_and_documents_are_drawn_apart() -> None:
    documents = draw_images(collection_of(LARGE), 200, seed=5).weights - 1.0
    products = (documents * (draw_topics(LARGE, 200, seed=5) - 1.0)).ravel()
    assert abs(products.mean()) < 4.5 * products.std() / np.sqrt(products.size)
