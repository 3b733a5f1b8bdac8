"""What happened per topic, against plain loops over the scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irgauge import Scores, load
from irgauge.compute.arrays import Floats
from irgauge.inference import outcomes as blocked
from irgauge.inference.by_topic import Loss, effective_topics, on_topics, pairs_told, wins, wins_of
from irgauge.inference.tests.paired_t import paired_t
from irgauge.scoring.measures import parse_measures
from irgauge.studies.compare.findings import on_topics_told, topics_told
from irgauge.studies.compare.study import Compared, MeasureCompared, compare
from irgauge.studies.compare.tables import topic_tables
from oracles.compared_systems import of_a_kind, on_shards, with_baseline

Tenths = list[list[int]]  # topic, system


def varies(tenths: Tenths) -> bool:
    """Whether systems do not differ by the same amount on all topics, which leaves nothing to test."""
    return any(len({row[i] - row[0] for row in tenths}) > 1 for i in range(1, len(tenths[0])))


TENTHS = st.integers(2, 6).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 10), min_size=systems, max_size=systems), min_size=3, max_size=12
    ).filter(varies)
)
FIXED: Tenths = [[2, 3, 3], [5, 5, 9], [4, 1, 8], [0, 7, 6], [6, 6, 7], [3, 10, 3], [8, 7, 8]]  # s2, s1, s0 by means
COLUMNS = ["measure", "system", "against", "topic", "score", "other", "difference", "missing", "query"]


def table(values: Floats, measures: Sequence[str] = ("AP",)) -> Scores:
    """values[measure, topic, system] as a table of scores."""
    topics, systems = values.shape[1:]
    names = tuple(f"q{i}" for i in range(topics)), tuple(f"s{i}" for i in range(systems))
    return Scores(values[..., None], parse_measures(list(measures)), *names, ("whole",))


def compared(tenths: Tenths, baseline: str | None = "s0", worst: int = 5) -> Compared:
    values = np.array([[score / 10 for score in row] for row in tenths])
    return compare(table(values[None]), baseline=baseline, worst=worst)


def slow(tenths: Tenths, first: int, second: int) -> tuple[int, int, int]:
    """Wins, ties and losses of a system against another, in whole numbers."""
    wins = ties = losses = 0
    for row in tenths:
        if row[first] > row[second]:
            wins += 1
        elif row[first] < row[second]:
            losses += 1
        else:
            ties += 1
    return wins, ties, losses


def number(system: str) -> int:
    return int(system[1:])


def counts_of(found: MeasureCompared) -> dict[tuple[str, str], tuple[int, int, int]]:
    wins, ties, losses = (each.tolist() for each in wins_of(found.basis, found.comparison))
    return dict(zip(found.comparison.names, zip(wins, ties, losses, strict=True), strict=True))


@settings(max_examples=40, deadline=None)
@given(TENTHS, st.sampled_from(["s0", None]))
def test_outcomes_are_those_of_a_plain_loop(tenths: Tenths, baseline: str | None) -> None:
    found = compared(tenths, baseline).first
    n = len(tenths[0])
    assert len(counts_of(found)) == (n - 1 if baseline else n * (n - 1) // 2)
    for (first, second), counts in counts_of(found).items():
        assert counts == slow(tenths, number(first), number(second))
        assert sum(counts) == len(tenths)


@settings(max_examples=25, deadline=None)
@given(TENTHS)
def test_the_wins_of_one_system_are_the_losses_of_the_other(tenths: Tenths) -> None:
    two = [row[:2] for row in tenths]
    assume(varies(two))
    ((_, counts),), ((_, turned),) = (counts_of(compared(two, name).first).items() for name in ("s0", "s1"))
    assert counts == turned[::-1]
    pair, other = (
        pairs_told(one.basis, one.comparison)[0] for one in (compared(two, "s0").first, compared(two, "s1").first)
    )
    assert (pair.difference == -other.difference).all()
    assert (pair.score == other.other).all()


@settings(max_examples=25, deadline=None)
@given(TENTHS, st.randoms(use_true_random=False))
def test_the_order_of_topics_changes_no_count(tenths: Tenths, random: object) -> None:
    shuffled = list(tenths)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert counts_of(compared(tenths).first) == counts_of(compared(shuffled).first)


@settings(max_examples=30, deadline=None)
@given(TENTHS, st.integers(0, 4), st.sampled_from(["s0", None]))
def test_the_largest_gains_and_losses_are_those_of_a_plain_sort(
    tenths: Tenths, count: int, baseline: str | None
) -> None:
    one = compared(tenths, baseline).first
    for pair in on_topics(one.basis, one.comparison):
        first, second = number(pair.system), number(pair.against)
        tenth = [row[first] - row[second] for row in tenths]
        gains = sorted((topic for topic, d in enumerate(tenth) if d > 0), key=lambda topic: (-tenth[topic], topic))
        losses = sorted((topic for topic, d in enumerate(tenth) if d < 0), key=lambda topic: (tenth[topic], topic))
        assert pair.largest_gains(count).tolist() == gains[:count]
        assert pair.largest_losses(count).tolist() == losses[:count]
        assert (pair.wins, pair.ties, pair.losses) == slow(tenths, first, second)
        assert [tenth[topic] for topic in pair.order] == sorted(tenth, reverse=True)


def test_differences_that_are_equal_but_for_rounding_are_ties_where_tests_say_so() -> None:
    values = np.array([[0.1 + 0.2, 0.3], [0.5, 0.4], [0.2, 0.1]])
    one = paired_t(values, ["a", "b"])
    assert [each.tolist() for each in wins(values, one)] == [[2], [1], [0]]
    found = compare(table(values[None]), baseline="s1").first
    assert next(on_topics(found.basis, found.comparison)).difference[0] == 0


def test_outcomes_are_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).integers(0, 5, (9, 12)) / 5
    one = paired_t(values, [f"s{i}" for i in range(12)])
    ranked = values[:, [number(system) for system in one.systems]]
    whole = wins(ranked, one)
    monkeypatch.setattr(blocked, "BLOCK", 40)
    assert all((a == b).all() for a, b in zip(whole, wins(ranked, one), strict=True))


def test_with_a_baseline_every_system_is_against_it_best_first() -> None:
    found = compared(FIXED).first
    pairs = list(on_topics(found.basis, found.comparison))
    assert [(pair.system, pair.against) for pair in pairs] == [("s2", "s0"), ("s1", "s0")]
    assert [found.comparison.names[pair.pair] for pair in pairs] == [("s2", "s0"), ("s1", "s0")]
    assert len(pairs_told(found.basis, found.comparison)) == 2


def test_without_one_the_best_is_against_every_other_and_words_tell_of_the_runner_up() -> None:
    found = compared(FIXED, baseline=None).first
    pairs = list(on_topics(found.basis, found.comparison))
    assert [(pair.system, pair.against) for pair in pairs] == [("s2", "s1"), ("s2", "s0")]
    assert [pair.against for pair in pairs_told(found.basis, found.comparison)] == ["s1"]


@pytest.mark.parametrize("make", [on_shards, of_a_kind, with_baseline])
def test_the_mean_of_the_differences_is_that_of_the_comparison(make: object) -> None:
    found = make().first  # type: ignore[operator]
    for one in found.comparisons:
        for pair in on_topics(found.scored.of(one.population), one):
            assert pair.difference.mean() == pytest.approx(one.difference[pair.pair], abs=1e-9)


def test_the_frame_has_every_measure_system_and_topic() -> None:
    values = np.random.default_rng(5).random((2, 6, 3))
    frame = compare(table(values, ["AP", "P@10"]), baseline="s1").frame("topics")
    assert frame.columns == COLUMNS
    assert len(frame) == 2 * 2 * 6
    for row in frame.iter_rows(named=True):
        measure, topic = ["AP", "P@10"].index(row["measure"]), number(row["topic"])
        assert row["against"] == "s1"
        assert row["score"] == values[measure, topic, number(row["system"])]
        assert row["other"] == values[measure, topic, 1]
        assert row["difference"] == pytest.approx(row["score"] - row["other"], abs=1e-10)
    assert not frame["missing"].any()


# tables


def test_the_table_has_the_largest_gains_then_losses_of_each_system() -> None:
    (shown,) = topic_tables(compared(FIXED, worst=1))
    assert shown.title == "Largest gains and losses by topic, against s0"
    expected = [("s2", "q3", 0.6, 0.0), ("s1", "q3", 0.7, 0.0), ("s1", "q2", 0.1, 0.4)]  # s2 loses nowhere
    assert [row[:4] for row in shown.rows] == expected
    assert shown.column("difference") == pytest.approx([0.6, 0.7, -0.3])
    assert shown.names == ("system", "topic", "score", "other", "difference")


def test_without_a_baseline_the_table_is_of_the_best_and_the_next() -> None:
    (shown,) = topic_tables(compared(FIXED, baseline=None, worst=1))
    assert [row[:3] for row in shown.rows] == [("s2", "s1", "q2"), ("s2", "s1", "q5")]
    assert "against" in shown.names


def test_several_measures_have_a_column() -> None:
    values = np.random.default_rng(5).random((2, 6, 3))
    (shown,) = topic_tables(compare(table(values, ["AP", "P@10"]), baseline="s1", worst=2))
    assert list(dict.fromkeys(shown.column("measure"))) == ["AP", "P@10"]


def test_json_holds_what_the_table_shows() -> None:
    result = compared(FIXED, worst=2)
    (found,) = result.to_dict()["measures"]
    (shown,) = topic_tables(result)
    assert [{name: record[name] for name in shown.names} for record in found["topics"]] == shown.records()
    wins = {(pair["system"], pair["against"]): (pair["wins"], pair["ties"], pair["losses"]) for pair in found["pairs"]}
    assert wins == counts_of(result.first)


def test_none_are_asked_for() -> None:
    result = compared(FIXED, worst=0)
    assert topic_tables(result) == []
    assert result.to_dict()["measures"][0]["topics"] == []


# missing topics


def with_gaps() -> Compared:
    """A run that does not answer the last of 4 topics."""
    topics = "abcd"
    good = {topic: {"x": 2.0, "y": 1.0} for topic in topics}
    gaps = {topic: {"x": 1.0, "y": 2.0, "z": float(topic == "c") * 3} for topic in topics[:3]}
    with pytest.warns(match="scored 0"):
        runs = load({topic: {"x": 1} for topic in topics}, {"good": good, "gaps": gaps})
    return compare(runs, "RR", baseline="good")


def test_a_topic_that_is_not_answered_is_marked() -> None:
    result = with_gaps()
    frame = result.frame("topics")
    assert dict(frame.select("topic", "missing").iter_rows()) == {"a": False, "b": False, "c": False, "d": True}
    (shown,) = topic_tables(result)
    assert shown.records()[0]["topic"] == "d"
    assert shown.column("missing") == [True, False, False, False]
    (told,) = topics_told(result)
    assert told.text == (
        "By RR, gaps scores higher than good on 0 of 4 topics and lower on 4; its largest loss is on topic d (−1.000), "
        "which it does not answer."
    )


# sentences


def test_sentences_of_topics() -> None:
    told = on_topics_told(
        measure="AP", system="x", against="y", wins=36, ties=1, losses=6, worst=Loss("9", -0.41, is_missing=False)
    )
    assert told.text == (
        "By AP, x scores higher than y on 36 of 43 topics, the same on 1 and lower on 6; its largest loss is on topic "
        "9 (−0.410)."
    )
    every = on_topics_told(measure="AP", system="x", against="y", wins=3, ties=0, losses=0, worst=None)
    assert every.text == "By AP, x scores higher than y on 3 of 3 topics."
    ties = on_topics_told(measure="AP", system="x", against="y", wins=2, ties=1, losses=0, worst=None)
    assert ties.text == "By AP, x scores higher than y on 2 of 3 topics, the same on 1."


def test_of_systems_that_score_the_same_nothing_is_told_of_topics() -> None:
    same = [[*row, row[0]] for row in FIXED]
    assert [one.fields["system"] for one in topics_told(compared(same))] == ["s2", "s1"]


def test_each_of_few_systems_is_told_of_and_of_many_the_best() -> None:
    assert [one.fields["system"] for one in topics_told(compared(FIXED))] == ["s2", "s1"]
    values = np.random.default_rng(2).random((2, 5, 9))
    result = compare(table(values, ["AP", "P@10"]), baseline="s3")
    told = list(topics_told(result))
    assert [one.measure for one in told] == ["AP", "P@10"]
    assert [one.fields["system"] for one in told] == [found.comparison.names[0][0] for found in result.each]
    assert all(isinstance(one.fields["worst"], Loss | None) for one in told)


def test_on_how_many_topics_a_difference_rests() -> None:
    """k equal differences rest on k topics, whatever their size; of none nothing is said."""
    values = np.zeros((10, 4))
    values[:4, 1], values[:, 2] = 0.3, 0.2
    comparison = paired_t(values, ["a", "b", "c", "d"])
    ranked = values[:, ["abcd".index(system) for system in comparison.systems]]
    effective = dict(zip(map(frozenset, comparison.names), effective_topics(ranked, comparison).tolist(), strict=True))
    assert effective[frozenset("ab")] == pytest.approx(4)
    assert effective[frozenset("ac")] == pytest.approx(10)
    assert effective[frozenset("ad")] == 0
    d = values[:, 1] - values[:, 2]
    assert effective[frozenset("bc")] == pytest.approx(sum(d**2) ** 2 / sum(d**4))
