"""A whole result for readers."""

from __future__ import annotations

import altair as alt
import pytest

from irgauge.inference import facts
from irgauge.provenance import Provenance
from irgauge.show import style
from irgauge.show.document import notebook, render, said, summary
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, Findings, sentence
from irgauge.show.table import MORE, Column, Table

FACTS = Provenance.of(facts.test("paired t-test"), facts.alpha(0.05))


@sentence("best")
def best(*, system: str) -> str:
    """Who is best."""
    return f"The best is {system}, by 5 % of the mean and ± 0.1 of it."


@sentence("few", "warning")
def few(*, topics: int) -> str:
    """Few topics."""
    return f"There are only {topics} topics."


def findings(system: str = "x_1") -> Findings:
    return Findings([best(system=system), few(topics=3)])


def long_table() -> Table:
    rows = tuple((f"s{i}", i / 7) for i in range(50))
    return Table("systems", "Systems", (Column("system"), Column("mean")), rows, is_long=True)


SHORT = Table("counts", "Counts & sums", (Column("n"),), ((1,),))


def test_text_has_the_answer_first_and_the_method_once_at_the_end() -> None:
    text = render(findings(), [long_table(), SHORT], FACTS, "text", width=80)
    assert text.startswith(
        "- The best is x_1, by 5 % of the mean and ± 0.1 of it.\n- Warning: There are only 3 topics.\n"
    )
    assert text.index("Systems\n") < text.index("Counts & sums\n")
    assert text.endswith("\nMethod: paired t-test; α = 0.05.\n")
    assert text.count("α = 0.05") == 1


def test_long_tables_are_cut_and_say_how_to_get_all() -> None:
    text = render(findings(), [long_table()], FACTS, "text")
    assert f"s{MORE - 1} " in text
    assert f"s{MORE} " not in text
    assert "… 30 more: table('systems')" in text
    other = render(findings(), [long_table()], FACTS, "text", more=lambda table: f"-o {table.name}.csv")
    assert "… 30 more: -o systems.csv" in other


@pytest.mark.parametrize("width", [30, 40, 80, 200])
def test_sentences_are_wrapped_and_numbers_stay_with_their_signs(width: int) -> None:
    text = render(Findings([best(system="a" * 5) for _ in range(5)]), [SHORT], FACTS, "text", width=width)
    lines = text.splitlines()
    assert max(map(len, lines)) <= min(width, 100)
    assert not any(line.strip().startswith(("%", "0.1")) for line in lines)
    assert "\u00a0" not in text


def test_a_result_without_findings_starts_with_its_tables() -> None:
    assert render(Findings(), [SHORT], FACTS, "text").startswith("Counts & sums\n")
    assert render(Findings(), [SHORT], FACTS, "latex").startswith("\\begin{table}")
    assert render(Findings(), [SHORT], FACTS, "markdown").startswith("**Counts & sums**")


def test_markdown_is_escaped() -> None:
    text = render(findings("<b>*x*"), [SHORT], FACTS, "markdown")
    assert text.startswith("- The best is \\<b\\>\\*x\\*, by 5 %")
    assert "- Warning: There are only 3 topics." in text
    assert text.endswith("*Method:* paired t-test; α = 0.05.\n")


def test_latex_is_escaped() -> None:
    text = render(findings(), [SHORT], FACTS, "latex")
    assert r"\item The best is x\_1, by 5 \% of the mean and $\pm$ 0.1 of it." in text
    assert r"\caption{Counts \& sums.}" in text
    assert text.endswith("{\\sloppy Method: paired t-test; $\\alpha$ = 0.05. \\par}\n")


def test_warnings_are_marked_as_such() -> None:
    note = Finding("n", {}, lambda: "So.", tone="note")
    assert [said(note), said(few(topics=1)), said(best(system="x"))[:8]] == [
        "Note: So.",
        "Warning: There are only 1 topics.",
        "The best",
    ]


def test_a_summary_is_short() -> None:
    many = Findings([best(system="s" * 300), *(few(topics=i) for i in range(9))])
    lines = summary("Compared", many, FACTS.text).splitlines()
    assert lines[0] == "Compared:"
    assert len(lines) == 6
    assert max(map(len, lines)) < 170
    assert lines[-2:] == ["… 7 more findings", "(paired t-test; α = 0.05)"]
    assert "more" not in summary("Compared", findings(), FACTS.text)


def test_a_notebook_gets_findings_a_chart_and_some_rows_and_no_script() -> None:
    chart = alt.Chart(style.data([{"x": 1}])).mark_point().encode(x="x:Q")
    figure = Figure(chart, "<script>", (), 300)
    shown = notebook(findings("<script>"), figure, long_table(), FACTS.text)
    assert "<script" not in shown
    assert shown.count("<li>") == 2
    assert shown.count("<img ") == 1
    assert shown.count("<tr>") == 1 + MORE
    assert "… 30 more rows: frame()" in shown
    assert "Paired t-test; α = 0.05." in shown
