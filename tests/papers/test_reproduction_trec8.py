"""The whole reproduction on TREC-8: no verdict may become worse than it is on record.

The record holds four columns of `irgauge reproduce --data DIR -o all.csv`: table, data, value and verdict.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from irgauge.papers.entry import Dataset, named
from irgauge.papers.presented import label
from irgauge.papers.published import Verdict, papers
from irgauge.papers.reproduce import EntryOutcome, reproduce

RECORD = Path(__file__).parents[1] / "oracles" / "trec8_verdicts.csv"
DOCS = Path(__file__).parents[2] / "docs" / "reproduction.md"
WORSE = list(Verdict)  # from best to worst
Value = tuple[str, str]  # table, value
Reproduced = Callable[[str], Mapping[str, EntryOutcome]]  # paper; table


def recorded() -> dict[Value, Verdict]:
    with RECORD.open() as lines:
        return {(row["table"], row["value"]): Verdict(row["verdict"]) for row in csv.DictReader(lines)}


@pytest.fixture(scope="module")
def reproduced(trec8_dataset: Dataset) -> Reproduced:
    """The tables and figures of a paper on TREC-8, by their names, each computed once."""

    @cache
    def of_paper(paper: str) -> Mapping[str, EntryOutcome]:
        entries = [entry for entry in named([paper]) if "trec8" in entry.needs]
        return {outcome.entry.name: outcome for outcome in reproduce(entries, {"trec8": trec8_dataset})}

    return of_paper


@pytest.mark.parametrize("paper", sorted(papers()))
def test_no_verdict_is_worse_than_recorded(paper: str, reproduced: Reproduced) -> None:
    on_record = {key: verdict for key, verdict in recorded().items() if key[0].startswith(f"{paper}/")}
    found = {
        (name, label(value.printed)): value
        for name, outcome in reproduced(paper).items()
        for value in outcome.values
        if value.printed.collection == "trec8"
    }
    assert set(found) == set(on_record)
    worse = [
        f"{key}: {value.verdict}, on record {on_record[key]} (printed {value.printed.text}, ours {value.ours})"
        for key, value in found.items()
        if WORSE.index(value.verdict) > WORSE.index(on_record[key])
    ]
    assert not worse, "\n".join(worse)
    unexplained = [key for key, value in found.items() if value.reason == "the reason is not known"]
    assert not unexplained


def test_widths_and_counts_over_splits_are_those_of_md3_to_md5(reproduced: Reproduced) -> None:
    outcome = reproduced("ferro-sanderson-2019")["ferro-sanderson-2019/table-2"]
    inside = [sentence for sentence in outcome.beside if "within sampling" in sentence]
    assert [("21 are" in one, one[-3:]) for one in inside] == [
        (False, "MD2"),
        (True, "MD3"),
        (True, "MD4"),
        (True, "MD5"),
        (False, "MD6"),
    ]


def test_other_populations_stand_beside_the_tables(reproduced: Reproduced) -> None:
    outcome = reproduced("ferro-kim-sanderson-2019")["ferro-kim-sanderson-2019/table-5"]
    assert outcome.verdict == Verdict.EXACT
    assert "topics (error topic:system)" in outcome.beside[0]


def test_what_has_to_be_exact_is_so_on_record() -> None:
    """Every value of the effect sizes, MD1, and the counts of the unpaired t-test."""
    for (table, value), verdict in recorded().items():
        of_md1 = table == "ferro-sanderson-2019/table-1" and value.split(" · ")[1:2] == ["MD1"]
        of_t = table == "voorhees-2017/table-4" and "t-test" in value
        if table.startswith("ferro-kim-sanderson-2019/table-") or of_md1 or of_t:
            assert verdict == Verdict.EXACT, (table, value)


def test_what_has_to_be_within_sampling_is_so_on_record() -> None:
    """MD2 to MD6, Kendall's τ, the bootstrap but for INSQ, the partition method by AP, and its disagreements."""
    well = (Verdict.EXACT, Verdict.SAMPLING)
    for (table, value), verdict in recorded().items():
        of_models = table == "ferro-sanderson-2019/table-1" and value.startswith("TIP_")
        of_tau = table == "ferro-sanderson-2019/table-2" and value.endswith(" · tau")
        of_images = table.startswith("zobel-rashidi-2020/table-") and "INSQ" not in value
        of_splits = table == "voorhees-2017/table-5" or (table == "voorhees-2017/table-4" and value.startswith("AP"))
        if of_models or of_tau or of_images or of_splits:
            assert verdict in well, (table, value)


def test_the_docs_tell_the_outcome_on_record() -> None:
    text = DOCS.read_text()
    by_paper: dict[str, Counter[Verdict]] = {}
    for (table, _), verdict in recorded().items():
        by_paper.setdefault(table.partition("/")[0], Counter())[verdict] += 1
    for paper, counts in by_paper.items():
        cells = " | ".join(str(counts[verdict]) for verdict in (Verdict.EXACT, Verdict.SAMPLING, Verdict.DIFFERS))
        assert f"| `{paper}` | {cells} |" in text
