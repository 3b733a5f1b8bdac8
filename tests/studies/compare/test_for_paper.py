"""The folder for a paper: what is in it, that LaTeX sets it, and that it allows no sentence that is not shown."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

import irgauge as ig
from conftest import Golden
from irgauge import Collection
from irgauge.errors import InputError
from irgauge.inference.corrections import CORRECTIONS
from irgauge.show.bibtex import software
from irgauge.show.escapes import markdown_text
from irgauge.show.hints import without_hints
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.for_paper import cited
from irgauge.studies.compare.github import github
from irgauge.studies.compare.paper_options import ForPaper
from irgauge.studies.compare.paper_sentences import allowed, not_allowed, of_whole_page
from irgauge.studies.compare.paper_text import parts_of
from irgauge.studies.compare.study import Compared
from latex.document import typeset
from oracles.hostile_names import NAMES

FILES = (
    "caption.tex caption.txt figure.pdf figure.svg recompute.R recompute.py references.bib sentences.md sentences.tex"
)
FILES += " table.tex"
ROOT = Path(__file__).parents[3]


@cache
def runs() -> Collection:
    made = simulate(Design(systems=4, families=2, topics=20, depth=30, corpus_size=600, relevant_median=6, seed=2))
    return made.collection()


@cache
def compared(**options: Any) -> Compared:  # noqa: ANN401  # of compare
    return ig.compare(runs(), ["AP", "nDCG@10"], **options)


def test_the_folder_has_all_and_latex_sets_it(tmp_path: Path) -> None:
    compared(baseline="F1-1").for_paper(tmp_path / "paper")
    paper = tmp_path / "paper"
    assert sorted(path.name for path in paper.iterdir()) == sorted(FILES.split())
    texts = {name: (paper / name).read_text() for name in ("table.tex", "caption.tex", "figure.svg", "sentences.tex")}
    figure = rf"\begin{{figure}}{texts['caption.tex']}\end{{figure}}"
    document = typeset(f"{texts['table.tex']}\n{figure}\nSee \\ref{{fig:compare}}.\n{texts['sentences.tex']}", tmp_path)
    assert not document.overfull
    assert "LaTeX Warning: Reference" not in document.log
    assert re.search(r"95 \\% interval \$-\$0\.\d+ to", texts["sentences.tex"])  # no comment, no other minus
    title = compared(baseline="F1-1").chart().title
    assert (paper / "caption.txt").read_text().startswith(title)
    assert title not in texts["figure.svg"]
    assert float(re.findall(r'width="([\d.]+)"', texts["figure.svg"])[0]) <= 12 * 240 / 7  # 7 points in a column
    assert (paper / "figure.pdf").read_bytes().startswith(b"%PDF")


def test_a_folder_that_holds_something_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty; files for a paper need a new or an empty one"):
        compared().for_paper(tmp_path)
    with pytest.raises(InputError, match="there is a file of this name"):
        compared().for_paper(tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_sentences_that_one_may_and_may_not_write(golden: Golden) -> None:
    for options in ({}, {"baseline": "F1-1", "margin": 0.05}, {"correction": "bh"}, {"correction": "none"}):
        result = compared(**options)
        own = next(allowed(result))
        golden([own.title, own.method.text, own.rate.text, own.pairs[-1].text])
        golden(finding.text for finding in [*of_whole_page(result), *not_allowed(result)])


def test_what_is_allowed_is_claimed_and_what_is_not_is_not() -> None:
    result = compared()
    for own, comparison in zip(allowed(result), (each.comparison for each in result.each), strict=True):
        claims = [claim for finding in own.pairs for claim in finding.claims]
        found = {pair for claim in claims for pair in claim.pairs}
        names = [pair for pair, differs in zip(comparison.names, comparison.significant, strict=True) if differs]
        assert found == set(names)
        assert not any(" new topics" in finding.text or "could have" in finding.text for finding in own.pairs)
    refused = [finding.fields for finding in not_allowed(result) if finding.kind == "paper-no-difference"]
    undecided = {(fields["measure"], *pair[:2]) for fields in refused for pair in fields["pairs"]}
    rows = [row for row in result.frame_rows("pairs") if row["verdict"] == "inconclusive"]
    assert undecided == {(row["measure"], row["system"], row["against"]) for row in rows}


def test_notes_that_are_printed_are_told_with_the_sentences_and_in_comments() -> None:
    result = compared()
    notes = [finding for finding in result.findings() if finding.tone == "note"]
    assert "few-topics" in {note.kind for note in notes}
    (told,) = (part for part in parts_of(result) if part.title == "What you must say with it")
    comment = github(result)
    for note in notes:
        assert without_hints(note.text) in told.items
        assert markdown_text(note.text) in comment


def test_sentences_to_write_name_no_command_and_no_option() -> None:
    for options in ({}, {"baseline": "F1-1", "margin": 0.05}):
        for part in parts_of(compared(**options)):
            if part.title == "What you may not write":
                assert "chosen before" in part.items[-1]
            else:
                assert not any(re.search(r"irgauge | --[a-z]", text) for text in (part.paragraph, *part.items))


@pytest.mark.parametrize("shards", [None, "even:2"])
def test_other_documents_are_claimed_only_with_shards(shards: str | None) -> None:
    result = ig.compare(runs(), "AP", shards=shards)
    refused = next(finding for finding in not_allowed(result) if finding.kind == "paper-not-covered")
    assert ("on other documents”" in refused.text) == (shards is None)
    assert "on other collections" in refused.text


def test_references_are_those_of_the_methods_used() -> None:
    assert cited(compared()) == ["hall-1992", "holm-1979"]
    assert cited(compared(test="t", correction="bh")) == ["student-1908", CORRECTIONS["bh"].references[0]]
    assert "schuirmann-1987" in cited(compared(baseline="F1-1", margin=0.05))


def test_irgauge_is_cited_as_its_citation_file_says() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    own = software(citation["version"])
    assert f"author = {{{{{citation['authors'][0]['name']}}}}}" in own
    assert f"title = {{{{{citation['title']}: " in own
    about = re.search("title = {{irgauge: (.*)}}", own)
    assert about
    assert citation["abstract"].startswith(about[1])
    assert own.startswith("@misc{irgauge,")
    year = re.search(r"year = {(\d+)}", own)
    assert year
    assert f"Copyright (c) {year[1]} the irgauge authors" in (ROOT / "LICENSE").read_text()


def test_a_single_pair_has_no_correction(tmp_path: Path) -> None:
    rows = [(str(topic), name, (topic * 7 + i * 3) % 11 / 11) for topic in range(8) for i, name in enumerate("ab")]
    result = ig.compare(_frame({name: [row[i] for row in rows] for i, name in enumerate(("topic", "system", "AP"))}))
    assert cited(result) == ["hall-1992"]
    result.for_paper(tmp_path / "paper")
    for name in ("sentences.md", "caption.txt"):
        assert "Holm" not in (tmp_path / "paper" / name).read_text()


def test_measures_that_share_a_level_say_so(tmp_path: Path) -> None:
    ig.compare(runs(), ["AP", "nDCG@10", "P@5"]).for_paper(tmp_path / "paper")
    caption = (tmp_path / "paper" / "caption.txt").read_text()
    assert "Tested together by AP: all 6 pairs." in caption
    assert "by each of nDCG@10 and P@5: all 6 pairs, together with those of 1 more comparison." in caption
    assert "default test" not in caption
    drawing = (tmp_path / "paper" / "figure.svg").read_text()
    assert not re.search("systems? of 4|best first", drawing)


def test_a_script_of_the_usual_name_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("recompute.py").write_text("mine")
    with pytest.raises(InputError, match="there is a file of this name; move it, or name another file"):
        ForPaper(recompute="python").check_written()


def test_names_are_only_names_in_all_files(tmp_path: Path) -> None:
    names = [name for name in NAMES if "\0" not in name][:6]
    rows = [(str(topic), name, (topic * 7 + i * i * 3) % 11 / 11) for topic in range(8) for i, name in enumerate(names)]
    table = {name: [row[i] for row in rows] for i, name in enumerate(("topic", "system", "AP"))}
    ig.compare(_frame(table)).for_paper(tmp_path / "paper")
    text = (tmp_path / "paper" / "sentences.md").read_text()
    assert not re.search(r"(?<!\\)<(script|img|b)\b", text)
    typeset((tmp_path / "paper" / "table.tex").read_text(), tmp_path, passes=1)


def _frame(table: dict[str, list[Any]]) -> Any:  # noqa: ANN401  # a frame
    import polars as pl

    return pl.DataFrame(table)


def test_a_chart_without_title_has_no_line_around_it() -> None:
    result = compared()
    bare = result.chart(title=False)
    assert "title" not in bare.to_dict()
    assert "title" in result.chart().to_dict()
    assert bare.title == result.chart().title
    heights = [_height(figure.to_svg()) for figure in (bare, result.chart())]
    assert all(smaller < larger for smaller, larger in pairwise(heights))
    assert "title" not in bare.altair().to_dict()


def _height(svg: str) -> float:
    found = re.search(r'height="([\d.]+)"', svg)
    assert found
    return float(found[1])


def test_replicates_are_called_by_their_column_and_are_no_documents(tmp_path: Path) -> None:
    rows = [
        (s, t, seed, (t * 7 + i * 3) % 11 / 11 + i / 9 + seed * t % 5 / 50)
        for i, s in enumerate("abc")
        for t in range(9)
        for seed in range(3)
    ]
    table = _frame({name: [row[i] for row in rows] for i, name in enumerate(("system", "topic", "seed", "acc"))})
    result = ig.compare(table, margin=0.5)
    result.for_paper(tmp_path / "paper")
    for name in ("sentences.md", "sentences.tex", "caption.txt", "caption.tex", "recompute.py"):
        text = (tmp_path / "paper" / name).read_text()
        assert "seed" in text, name
        assert not re.search(r"shards? |shards?[.,]", text), name
    assert "shard" not in github(result)
    told = next(part for part in parts_of(result) if part.title == "What you may not write").items
    assert any("“on other documents”" in text for text in told)
    assert len(set(told)) == len(told)
