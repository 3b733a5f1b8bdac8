"""What a candidate's file says never changes what is counted: no trick lets a worse candidate pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import irgauge as ig
from irgauge.studies.gate.study import Gated
from oracles.gate_runs import BASE, QRELS, TOPICS, lower, ranked, write_qrels, write_run

Irgauge = Callable[..., tuple[int, str, str]]
Rows = list[tuple[str, str, str, str, object]]  # measure, topic, system, replicate, score
OLD: Rows = [("AP", topic, "old", "1", 1 / rank) for topic, rank in zip(TOPICS, BASE, strict=True)]
HALF: Rows = [(measure, topic, "new", run, float(str(score)) / 2) for measure, topic, _, run, score in OLD]
INVENTED = [f"z{number}" for number in range(1000)]


def rows(topics: Sequence[str], score: object = 1.0, measure: str = "AP", run: str = "1") -> Rows:
    return [(measure, topic, "new", run, score) for topic in topics]


TRICKS: dict[str, Rows] = {
    "nothing": HALF,
    "topics of its own": [*HALF, *rows(INVENTED)],
    "topics in another case": [*HALF, *rows([topic.upper() for topic in TOPICS])],
    "topics with a space": [*HALF, *rows([f"{topic}\u00a0" for topic in TOPICS])],
    "an average": [*HALF, *rows(["all"])],
    "measures of its own": [*HALF, *(row for m in range(50) for row in rows(TOPICS, measure=f"m{m}"))],
    "some topics": HALF[::2],
    "no score": [*HALF[::2], *rows(TOPICS[1::2], "")],
    "nan": [*HALF[::2], *rows(TOPICS[1::2], "nan")],
    "infinite": [*HALF[:-1], *rows(TOPICS[-1:], "inf")],
    "twice": [*HALF, *rows(TOPICS)],
    "in percent": [(*row[:4], 100 * float(str(row[4]))) for row in HALF],
    "other topics alone": rows(INVENTED),
    "another run on its own topics": [*HALF, *rows(INVENTED, run="2")],
    "a run of one topic": [*HALF, *rows(TOPICS[:1], run="2")],
    "the baseline's rows": [*HALF, *(("AP", topic, "old", "2", 0.0) for topic in TOPICS)],
}
SAID = {
    "topics of its own": "new has scores on 1000 topics (z0, z1, z2, z3, z4, ...) where old has none; these are not",
    "infinite": "the score inf is not finite",
    "twice": "appears twice",
    "in percent": "new has the score 50 by AP, which lies between 0 and 1",
    "other topics alone": "new has no score on any topic of old (q00, q01, q02, ...)",
    "another run on its own topics": "new 2 has no score on any topic of old",
    "the baseline's rows": "the baseline changed",
}


def table(path: str, *sides: Rows) -> str:
    lines = (",".join(map(str, row)) + "\n" for side in sides for row in side)
    Path(path).write_text("measure,topic,system,replicate,score\n" + "".join(lines))
    return path


def told(gate: Callable[[Rows], Gated], trick: Rows) -> list[str]:
    """The verdict, and what is said: findings, or why it is refused."""
    try:
        result = gate(trick)
    except (ig.InputError, ig.DesignError) as error:
        return ["refused", str(error)]
    return [result.verdict, *result.findings().texts()]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def of_two_tables(new: Rows, lock: str | None = "two.lock") -> Gated:
    return ig.gate(table("old.csv", OLD), table("new.csv", new), margin=0.02, lock=lock)


def of_one_table(new: Rows, lock: str | None = "one.lock") -> Gated:
    return ig.gate(table("both.csv", OLD, new), "old", "new", margin=0.02, lock=lock)


def test_no_table_of_a_worse_candidate_passes(subtests: pytest.Subtests) -> None:
    assert (of_two_tables(HALF).verdict, of_one_table(HALF).verdict) == ("fail", "fail")
    for name, trick in TRICKS.items():
        for way in (of_two_tables, of_one_table):
            with subtests.test(name, way=way.__name__):
                verdict, *said = told(way, trick)
                assert verdict in ("fail", "refused") or name == "a run of one topic"
                assert verdict != "pass"
                if way is of_one_table:
                    assert SAID.get(name, "") in " ".join(said)


def test_what_only_the_candidate_has_changes_no_number_and_is_in_the_json() -> None:
    plain, more = (of_two_tables(side, None).content() for side in (HALF, [*HALF, *rows(INVENTED)]))
    assert (plain["measures"], plain["not_counted"]) == (more["measures"], ())
    assert more["not_counted"] == tuple(INVENTED)


def test_a_measure_that_the_baseline_has_on_some_topics_is_counted_there_alone() -> None:
    some = [row for side in (OLD, HALF) for row in (("P@10", *row[1:]) for row in side[::2])]
    plain, more = (
        ig.gate(table("both.csv", OLD, HALF, some, own), "old", "new", margin=0.02)
        for own in ([], rows(TOPICS[1::2], measure="P@10"))
    )
    assert [one.difference for one in plain.each] == [one.difference for one in more.each]
    assert more.not_counted == tuple(TOPICS[1::2])


def test_a_missing_topic_scores_no_more_than_an_answer() -> None:
    write_qrels(Path("qrels.txt"))
    write_run(Path("old.run"), ranked(BASE))
    write_run(Path("new.run"), {topic: of for topic, of in ranked(lower(BASE)).items() if topic > "q10"})
    with pytest.raises(ig.InputError, match="Utility has negative scores, so that 0 is no score to give"):
        ig.gate("qrels.txt", "old.run", "new.run", "utility", margin=1)
    assert ig.gate("qrels.txt", "old.run", "new.run", "GMAP", margin=0.1).verdict == "fail"


@pytest.mark.parametrize("name", ["a\npass: all is well", "b\x1b[2J\rpass: b", "c\u202epass\u2028pass: c"])
def test_a_name_writes_no_second_line_and_commands_no_terminal(name: str, run: Irgauge) -> None:
    write_qrels(Path("qrels.txt"))
    write_run(Path("old.run"), ranked(BASE))
    worse = write_run(Path(f"{name}.run"), ranked(lower(BASE)))
    code, out, err = run("gate", "qrels.txt", "old.run", str(worse), "-m", "RR:1%", "--summary", "gate.md")
    assert (code, len(out.splitlines()), out[:6]) == (1, 1, "fail: ")
    page = Path("gate.md").read_text().partition("```sh")[0]
    for shown in (out, err, page):
        assert not re.search("[\x1b\r\u202e\u2028]", shown)
        assert not re.search("^pass", shown, re.MULTILINE)


def with_column(path: str, side: Rows, column: str, values: Sequence[object]) -> str:
    """A table of a side with one more column."""
    lines = [",".join(map(str, (*row, value))) + "\n" for row, value in zip(side, values, strict=True)]
    Path(path).write_text(f"measure,topic,system,replicate,score,{column}\n" + "".join(lines))
    return path


BETTER_ON_SOME = [(*row[:4], 1.0 if place % 3 == 2 else row[4]) for place, row in enumerate(HALF)]


@pytest.mark.parametrize("column", ["weights", "cluster", "by"])
def test_a_candidate_does_not_say_which_topics_count_or_belong_together(column: str) -> None:
    old = table("old.csv", OLD)
    kinds = [f"{place % 3 + 1e-9}" if column == "weights" else f"kind{place % 5}" for place in range(30)]
    new = with_column("new.csv", BETTER_ON_SOME, "own", kinds)
    with pytest.raises(ig.DesignError, match="nothing is known of topics, and 'own' is asked for"):
        ig.gate(old, new, margin=0.02, **{column: "own"})  # type: ignore[arg-type]  # an option of text


@pytest.mark.parametrize("column", ["direction", "better", "lower_is_better", "measure_direction", "weight", "range"])
def test_a_column_of_a_table_turns_no_direction(column: str) -> None:
    old, new = table("old.csv", OLD), with_column("new.csv", HALF, column, ["lower"] * 30)
    result = ig.gate(old, new, margin=0.02)
    assert (result.verdict, result.each[0].topics.direction) == ("fail", "higher")


@pytest.mark.parametrize("stem", ["g", "latency", "error", "Unjudged@10"])
def test_the_name_of_a_file_turns_no_direction(stem: str) -> None:
    """A wide table that does not say its measure."""
    for path, side in {"AP.csv": OLD, f"{stem}.csv": HALF}.items():
        Path(path).write_text("topic,score\n" + "".join(f"{row[1]},{row[4]}\n" for row in side))
    result = ig.gate("AP.csv", f"{stem}.csv", margin=0.02)
    assert (result.verdict, result.each[0].topics.direction) == ("fail", "higher")


@pytest.mark.parametrize("alias", ["map", "ap", "MAP"])
def test_a_measure_under_two_names_is_refused(alias: str) -> None:
    for sides in ([*HALF, *rows(TOPICS, measure=alias)], [*rows(TOPICS, measure=alias), *HALF]):
        with pytest.raises(ig.InputError, match="appears twice"):
            of_two_tables(sides, None)


def test_scores_on_another_scale_are_a_warning_where_no_range_is_known() -> None:
    own = [("usefulness", *row[1:]) for row in OLD]
    percent: Rows = [("usefulness", *row[1:4], 100 * float(str(row[4]))) for row in HALF]
    result = ig.gate(table("old.csv", own), table("new.csv", percent), margin=0.02)
    (finding,) = result.findings().of("other-scale")
    assert finding.tone == "warning"
    assert finding.text.startswith(
        "In usefulness, the scores of new are about 50 times those of old (medians over topics)"
    )
    same = ig.gate("old.csv", table("new.csv", [("usefulness", *row[1:]) for row in HALF]), margin=0.02)
    assert not same.findings().of("other-scale")


def test_a_header_of_a_run_changes_nothing() -> None:
    write_qrels(Path("qrels.txt"))
    write_run(Path("old.run"), ranked(BASE))
    lines = write_run(Path("new.run"), ranked(lower(BASE))).read_text()
    asked = "# ir_metadata.start\n# evaluation:\n#   measures: [P@1]\n#   better: lower\n# ir_metadata.end\n"
    Path("told.run").write_text(asked + lines)
    plain, told_own = (ig.gate("qrels.txt", "old.run", path, "RR:1%") for path in ("new.run", "told.run"))
    assert (plain.verdict, plain.each[0].difference) == (told_own.verdict, told_own.each[0].difference)


def test_a_candidate_that_leaves_out_what_it_loses_on_is_a_warning_where_such_topics_are_dropped() -> None:
    ranks = [max(1, rank - 1) if place % 3 == 0 else rank + 1 for place, rank in enumerate(BASE)]
    best = {topic: of for place, (topic, of) in enumerate(ranked(ranks).items()) if place % 3 == 0}
    result = ig.gate(QRELS, {"old": ranked(BASE)}, {"new": best}, "RR:10%", missing="drop")
    assert result.verdict == "pass"
    (finding,) = result.findings().of("missing-decides")
    assert finding.tone == "warning"
    assert finding.text.endswith("leaves out topics that a run does not answer; with 0 for these it is 'worse' (fail).")
