from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import altair as alt
import pytest

from irgauge.errors import InputError
from irgauge.papers import page, presented
from irgauge.papers.entry import SOURCES, Dataset, Entry, Reason, Recomputed, entries, named
from irgauge.papers.published import Computed, Exhibit, Key, Printed, Verdict, judge, papers
from irgauge.papers.reproduce import EntryOutcome, Reproduction, open_data, reproduce
from irgauge.provenance import Provenance
from irgauge.replicates.facts import seed
from irgauge.show.figure import Figure
from irgauge.show.html import render

NAME = "zobel-rashidi-2020/table-1"


class Made(Entry):
    """An entry with printed numbers of its own."""

    @property
    def exhibit(self) -> Exhibit:
        values = (
            Printed("trec8", ("A", "x"), "0.50"),
            Printed("trec8", ("A", "y"), "0.70"),
            Printed("trec8", ("A", "z"), "0.70"),
            Printed("trec8", ("it holds",), "yes"),
            Printed("trec9", ("A", "x"), "0.10"),
            Printed("trec10", ("A", "x"), "0.10"),
        )
        return Exhibit(NAME, "what is shown", values, illegible=2)


def recompute(data: Dataset) -> Recomputed:
    chart = alt.Chart({"values": [{"a": 1}]}).mark_point().encode(x="a:Q")
    figure = Figure(chart, "A figure", (), width=200, provenance=Provenance.of(seed(data.seed)))
    values: dict[Key, Computed | bool] = {
        ("A", "x"): Computed(0.501),
        ("A", "y"): Computed.over([0.6, 0.7, 0.8]),
        ("A", "z"): Computed(0.9),
        ("it holds",): True,
    }
    return Recomputed(values, (figure,), (f"With seed {data.seed} nothing changes",))


ENTRY = Made(
    NAME,
    "the method, population documents",
    {"trec8": (), "trec9": (), "trec10": ("shards/tld",)},
    recompute,
    files={"shards/tld": "docno and domain, one document a line"},
    reasons=(Reason(("trec8", "z"), "z was misprinted"),),
)


def make(folder: Path, *keys: str) -> Path:
    for key in keys:
        (folder / key / "runs").mkdir(parents=True)
        (folder / key / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
        (folder / key / "runs" / "one").write_text("1 Q0 a 1 2.0 one\n")
    return folder


@pytest.fixture
def found(tmp_path: Path) -> Reproduction:
    return reproduce(ENTRY, make(tmp_path, "trec8", "trec10"), seed=3)


@pytest.fixture
def outcome(found: Reproduction) -> EntryOutcome:
    [outcome] = found
    return outcome


def test_every_printed_value_has_its_verdict(outcome: EntryOutcome) -> None:
    found = {(one.printed.collection, *one.printed.key): one.verdict for one in outcome.values}
    assert found == {
        ("trec8", "A", "x"): Verdict.EXACT,
        ("trec8", "A", "y"): Verdict.SAMPLING,
        ("trec8", "A", "z"): Verdict.DIFFERS,
        ("trec8", "it holds"): Verdict.EXACT,
        ("trec9", "A", "x"): Verdict.NEEDS,
        ("trec10", "A", "x"): Verdict.NEEDS,
    }
    assert outcome.verdict == Verdict.DIFFERS
    assert outcome.counts[Verdict.EXACT] == 2


def test_reasons_say_why_and_what_is_needed(outcome: EntryOutcome) -> None:
    reasons = {one.printed.collection: one.reason for one in outcome.values if one.reason}
    assert reasons["trec8"] == "z was misprinted"
    assert "TREC-9 web" in reasons["trec9"]
    assert "trec9/qrels" in reasons["trec9"]
    assert reasons["trec10"] == "trec10/shards/tld: docno and domain, one document a line"


def test_a_difference_without_a_known_reason_says_so(tmp_path: Path) -> None:
    plain = replace(ENTRY, reasons=())
    [found] = reproduce([plain], open_data(make(tmp_path, "trec8")))
    assert [one.reason for one in found.values if one.verdict == Verdict.DIFFERS] == ["the reason is not known"]


def test_what_is_computed_again_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    reproduce([ENTRY], open_data(make(tmp_path, "trec8")), told=told.append)
    assert told == [NAME]


def test_tables_show_printed_and_ours(outcome: EntryOutcome) -> None:
    table = presented.value_table(outcome)
    assert [row[1:4] for row in table.rows] == [
        ("A · x", "0.50", "0.50"),
        ("A · y", "0.70", "0.700"),  # a mean over draws has one digit more
        ("A · z", "0.70", "0.90"),
        ("it holds", "yes", "yes"),
        ("A · x", "0.10", "–"),
        ("A · x", "0.10", "–"),
    ]
    told = presented.remarks(outcome)
    assert told == [
        "1 value differs: z was misprinted.",
        "Not computed: 1 value needs trec9 and 1 value needs trec10.",
        "2 printed values cannot be read in our copy.",
        "With seed 3 nothing changes.",
    ]
    assert "differs" in table.title
    assert table.notes == ("what is shown.", "Method: the method, population documents; seed 3.")
    summary = presented.summary_table([outcome])
    assert summary.title == "Of 6 printed values: 2 exact, 1 within sampling, 1 differs, 2 needs data"
    assert summary.rows[0][:5] == (NAME, 2, 1, 1, 2)
    assert str(summary.rows[0][6]) == "differs"
    assert summary.rows[0][5] == 0
    assert len(presented.flat_table([outcome]).rows) == 6
    needed = presented.needs_table([outcome])
    assert needed is not None
    assert [row[:2] for row in needed.rows] == [("trec9", 1), ("trec10", 1)]
    assert "trec10/shards/tld: docno and domain" in str(needed.rows[1][-1])


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_all_is_rendered(form: str, found: Reproduction) -> None:
    text = found.to_text(form)
    for phrase in ("it holds", "z was misprinted", "Data that are not there", "Of 6 printed values"):
        assert phrase in text


@pytest.mark.parametrize(
    ("text", "ours", "shown"),
    [
        ("2.449e-27", Computed(2.4491e-27), "2.449e-27"),
        ("0.0497", Computed(1e-9), "1.0000e-09"),
        ("+18.81%", Computed(18.812), "+18.81%"),
        ("-1.00%", Computed(1.0), "+1.00%"),
        ("<1e-2", Computed(0.001), "1.0e-03"),
        ("4067", Computed.over([4060, 4071]), "4065.5"),
        ("yes", False, "no"),
    ],
)
def test_our_value_is_shown_as_the_printed_one_is(
    text: str,
    ours: Computed | bool,  # noqa: FBT001  # a result
    shown: str,
) -> None:
    assert presented.shown(judge(Printed("trec8", ("x",), text), ours, 1, "")) == shown


def test_json_holds_every_value(outcome: EntryOutcome) -> None:
    found = presented.reproduction_json([outcome], {"seed": 3})["tables"][0]
    assert found["counts"] == {"exact": 2, "within sampling": 1, "differs": 1, "needs data": 2}
    assert [value["ours"] for value in found["values"]][:2] == [0.501, pytest.approx(0.7)]


def test_the_page_has_a_section_for_each_table(outcome: EntryOutcome) -> None:
    found = page.page_of([outcome], {"seed": 3})
    assert [section.key for section in found.sections] == ["verdicts", "zobel-rashidi-2020-table-1", "data"]
    assert [len(section.panels) for section in found.sections] == [1, 2, 1]
    assert [claim.text for claim in found.claims] == [
        "Zobel and Rashidi 2020: of 6 printed values in Zobel and Rashidi 2020, Table 1, 2 are reproduced exactly, 1 "
        "within sampling, 1 differ and 2 need data that were not given."
    ]
    assert found.claims[0].population == "as in the paper; 1 table with another population beside"
    html = render(found)
    assert "z was misprinted" in html
    assert papers()["zobel-rashidi-2020"].reference.split(".")[0] in html


def test_a_table_without_data_is_explained_in_its_place() -> None:
    found = reproduce([ENTRY], {}).page
    assert found.sections[1].reason is not None
    assert "1 value needs trec9" in found.sections[1].reason
    assert found.sections[-1].key == "data"


def test_markdown_shows_the_figures(outcome: EntryOutcome, tmp_path: Path) -> None:
    page.save_markdown([outcome], tmp_path / "all of it.md")
    text = (tmp_path / "all of it.md").read_text()
    assert "![A figure](all%20of%20it_figures/zobel-rashidi-2020-table-1-trec8-1.svg)" in text
    assert (tmp_path / "all of it_figures" / "zobel-rashidi-2020-table-1-trec8-1.svg").read_text().startswith("<svg")


def test_a_reproduction_shows_itself(found: Reproduction) -> None:
    assert repr(found).splitlines()[0] == "Reproduction:"
    assert "2 are reproduced exactly" in repr(found)
    assert found._repr_html_().startswith("<ul><li>Zobel and Rashidi 2020")
    frame = found.frame()
    assert frame["ours"].to_list()[:3] == [0.501, pytest.approx(0.7), 0.9]
    assert frame.columns == ["table", "data", "value", "printed", "ours", "difference", "z", "verdict", "reason"]
    assert found.settings["seed"] == 3
    assert [table.name for table in found.tables()] == ["zobel-rashidi-2020-table-1", "needs", "summary"]


@pytest.mark.parametrize("name", ["all.html", "all.md", "all.tex", "all.txt", "all.csv", "all.json"])
def test_a_reproduction_is_saved(name: str, found: Reproduction, tmp_path: Path) -> None:
    found.save(tmp_path / name)
    assert "z was misprinted" in (tmp_path / name).read_text()


def test_an_unknown_format_is_refused(found: Reproduction, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no format is known for the extension '\.docx'"):
        found.save(tmp_path / "all.docx")


def test_a_statement_is_named_by_its_words() -> None:
    assert (
        presented.label(Printed("trec8", ("all measures", "τ is high", "stated"), "yes")) == "all measures · τ is high"
    )
    assert presented.label(Printed("trec8", ("AP", "mean"), "0.1")) == "AP · mean"


def test_the_list_tells_of_files() -> None:
    assert "File shards/tld: docno and domain, one document a line." in presented.list_text([ENTRY], 100)
    assert presented.list_table([ENTRY]).rows[0][-1] == "trec8, trec9, trec10 (shards/tld)"


def test_markdown_has_as_many_cells_in_every_row(outcome: EntryOutcome) -> None:
    lines = [line for line in page.markdown([outcome], []).splitlines() if line.startswith("|")]
    header = lines[0].count("|")
    assert all(line.count("|") == header for line in lines[:3])


@pytest.mark.parametrize("ending", ["", ".gz", ".txt", ".txt.xz", ".zst", ".txt.bz2"])
def test_files_are_found_plain_or_compressed(ending: str, tmp_path: Path) -> None:
    place = tmp_path / f"qrels{ending}"
    place.touch()
    assert Dataset(SOURCES["trec8"], tmp_path).path("qrels") == place


def test_the_folder_of_one_collection_will_do(tmp_path: Path) -> None:
    make(tmp_path, "trec8", "trec9")
    assert list(open_data(tmp_path / "trec8")) == ["trec8"]
    assert list(open_data(tmp_path)) == ["trec8", "trec9"]


def test_data_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        open_data(tmp_path / "none")
    with pytest.raises(InputError, match="no test collection in this folder"):
        open_data(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file"):
        open_data(tmp_path / "file")
    (tmp_path / "trec8").mkdir()
    for folder in (tmp_path, tmp_path / "trec8"):
        with pytest.raises(InputError, match="qrels: this file is needed"):
            open_data(folder)


def test_other_data_than_the_papers_are_noticed(tmp_path: Path) -> None:
    data = open_data(make(tmp_path, "trec8"))["trec8"]
    assert not data.is_read
    assert data.unexpected() == (
        "trec8 has 1 systems on 1 topics, the papers' has 129 on 50: values may differ for that reason alone"
    )
    assert data.is_read


def test_what_tables_share_is_made_once(tmp_path: Path) -> None:
    data = Dataset(SOURCES["trec8"], tmp_path)
    made = [data.once("it", lambda: object()) for _ in range(2)]
    assert made[0] is made[1]


def test_every_printed_table_and_figure_has_an_entry() -> None:
    printed = {f"{key}/{name}" for key, paper in papers().items() for name in paper.exhibits}
    assert set(entries()) == printed


def test_entries_need_collections_and_explain_their_files() -> None:
    for entry in entries().values():
        assert set(entry.needs) <= set(SOURCES)
        assert {value.collection for value in entry.exhibit.values} <= set(entry.needs)
        assert {file for files in entry.needs.values() for file in files} <= set(entry.files)


def test_entries_are_named_one_by_one_or_by_paper() -> None:
    assert [entry.name for entry in named([NAME, NAME])] == [NAME]
    assert {entry.name.partition("/")[0] for entry in named(["voorhees-2017"])} == {"voorhees-2017"}
    assert len(named([])) == len(entries())
    with pytest.raises(InputError, match="'table-99' is no table or figure"):
        named(["table-99"])
