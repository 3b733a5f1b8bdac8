"""Tables in LaTeX: what is written, that it compiles, and that nothing sticks out of the page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irgauge.show.escapes import LATEX, latex_text
from irgauge.show.fitting import COLUMN, LONG_SIDE, PAGE, breakable, levelled, pieces, setting_of, width_of
from irgauge.show.marks import Marked
from irgauge.show.table import Cell, Column, Table
from latex.document import typeset

HOSTILE = "a_b%c&d#{}~^\\$--\"'`<>|[x]–−§ä你\x07☃😀😀"
SPLADE = "SPLADE_P_P_ENSEMBLE_DISTIL"
TABLE = Table(
    "means",
    title="A & B",
    columns=(Column("system", role="system"), Column("mean", explained="over topics"), Column("n")),
    rows=(("x_1", 0.123456789, 3), ("y|z", -1.0, None), ("y|z", 1.0, 4)),
    notes=("95 % of α.",),
    group_by="system",
)


def of(*rows: tuple[Cell, ...], names: tuple[str, ...] | None = None) -> Table:
    return Table("t", "T", tuple(map(Column, names or [f"c{i}" for i in range(len(rows[0]))])), rows)


# signs


def test_signs_of_other_alphabets_have_commands() -> None:
    assert latex_text("ω² ≤ τ × 2") == r"$\omega$$^2$ $\leq$ $\tau$ $\times$ 2"
    assert latex_text("<b>|") == r"\textless{}b\textgreater{}\textbar{}"
    assert latex_text("\\{}$&#^_~%") == r"\textbackslash{}\{\}\$\&\#\textasciicircum{}\_\textasciitilde{}\%"
    assert latex_text("é ñ Ş ß Ω Α") == r"\'{e} \~{n} \c{S} \ss{} $\Omega$ A"
    assert latex_text("e\u0301") == latex_text("é")


def test_hyphens_are_no_dash_and_unknown_signs_are_told_by_their_numbers() -> None:
    assert latex_text("a---b – c") == r"a-{}-{}-b \textendash{} c"
    assert latex_text("☃ \x07") == "U+2603 U+0007"
    assert latex_text("你好") == "你好"


def test_all_signs_compile(tmp_path: Path) -> None:
    signs = "\n\n".join(latex_text(f"{sign} x{sign}y") for sign in LATEX)
    keyboard = latex_text("".join(map(chr, range(32, 127))))
    hostile = latex_text(HOSTILE.replace("你", ""))
    typeset(f"{signs}\n\n{keyboard}\n\n{hostile}", tmp_path, passes=1)


# the text of a table


def test_a_table_is_centred_booktabs_with_a_caption_and_a_label() -> None:
    lines = TABLE.to_latex().splitlines()
    assert lines[:6] == [
        r"\begin{table} % needs \usepackage{booktabs}",
        r"\centering",
        r"\caption{A \& B. 95 \% of $\alpha$. Mean: over topics.}",
        r"\label{tab:means}",
        r"\smallskip",
        r"\begin{tabular}{@{}lrr@{}}",
    ]
    assert lines[6:9] == [r"\toprule", r"system & mean & n \\", r"\midrule"]
    assert lines[9:12] == [
        r"x\_1 & 0.1235 & 3 \\ \midrule",
        r"y\textbar{}z & $-$1.0000 & \textendash{} \\",
        r"y\textbar{}z & 1.0000 & 4 \\",
    ]
    assert lines[12:] == [r"\bottomrule", r"\end{tabular}", r"\end{table}"]


def test_numbers_that_stand_out_are_bold_and_marked_and_start_in_line() -> None:
    table = of(("a", Marked(12.5, "†", is_bold=True)), ("b", Marked(1.25)), ("c", 0.5))
    assert table.to_latex().splitlines()[9:12] == [
        r"a & \textbf{12.5000}\textsuperscript{$\dagger$} \\",
        r"b & \phantom{1}1.2500 \\",
        r"c & \phantom{1}0.5000 \\",
    ]
    assert r"{@{}ll@{}}" in table.to_latex()


def test_a_table_of_more_rows_than_a_page_has_is_a_longtable_with_its_head_on_every_page() -> None:
    table = of(*((f"s{i}", i / 7) for i in range(41)), names=("system", "mean"))
    text = table.to_latex()
    assert r"needs \usepackage{booktabs,longtable}, and a page with one column" in text
    assert text.count(r"system & mean \\") == 2
    assert text.index(r"\endfirsthead") < text.index(r"\endhead") < text.index(r"\endfoot") < text.index("s40")
    assert re.search(r"\\caption\{T\.\}\n\\label\{tab:t\} \\\\\n", text)
    assert r"\begin{table}" in replace(table, rows=table.rows[:40]).to_latex()


def test_wide_tables_take_both_columns_and_very_wide_ones_the_long_side() -> None:
    wide = of(("a" * 15, *[0.5] * 5))
    assert (r"\begin{table*}" in wide.to_latex(), setting_of(wide).room) == (True, PAGE)
    very = of(("a" * 15, *[-123.5] * 12))
    assert r"\begin{landscape} % needs \usepackage{booktabs,longtable,lscape}" in very.to_latex()
    assert setting_of(very).room == LONG_SIDE


def test_minor_columns_are_left_out_before_the_page_is_turned() -> None:
    names = [Column(f"c{i}", is_minor=i > 6) for i in range(13)]
    table = Table("t", "T", tuple(names), ((-123.5,) * 13,))
    setting = setting_of(table)
    assert (setting.room, len(setting.columns)) == (PAGE, 7)
    assert " & ".join([f"c{i}" for i in range(7)]) + r" \\" in table.to_latex()


def test_long_heads_are_on_several_lines_before_the_type_gets_small() -> None:
    heads = ("system", *(f"longer head{i}" for i in range(6)))
    lines = of(("s", *[0.5] * 6), names=heads).to_latex().splitlines()
    start = lines.index(r"\toprule")
    assert lines[start + 1 : start + 3] == [
        r" & longer & longer & longer & longer & longer & longer \\",
        r"system & head0 & head1 & head2 & head3 & head4 & head5 \\",
    ]
    assert r"\small" not in lines


def test_long_names_are_wrapped_at_signs_in_a_column() -> None:
    table = replace(of((SPLADE, *[0.25] * 4), ("BM25", *[0.5] * 4)), in_column=True)
    text = table.to_latex()
    assert text.startswith(r"\begin{table} % needs \usepackage{array,booktabs}")
    assert r"SPLADE\_\allowbreak{}P\_\allowbreak{}P\_\allowbreak{}ENSEMBLE\_\allowbreak{}DISTIL" in text
    assert r"p{\dimexpr\linewidth-" in text
    assert setting_of(table).room == COLUMN


# where words are broken, and how room is shared


def test_short_words_stay_whole_and_very_long_ones_are_broken_anywhere() -> None:
    assert pieces("x_1") == ["x_1"]
    assert pieces("2.1000000000") == ["2.1000000000"]
    assert pieces("org.apache.lucene") == ["org.", "apache.", "lucene"]
    assert pieces("x" * 17) == ["x"] * 17
    assert breakable("a paired-difference test_of_a_name") == (
        r"a paired-difference test\_\allowbreak{}of\_\allowbreak{}a\_\allowbreak{}name"
    )


def test_room_is_shared_between_the_bounds() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        least = rng.uniform(1, 5, 4)
        most = least + rng.uniform(0, 9, 4)
        room = rng.uniform(least.sum(), most.sum())
        widths = np.array(levelled(least.tolist(), most.tolist(), room))
        assert widths.sum() == pytest.approx(room)
        assert ((widths >= least) & (widths <= most)).all()
        between = widths[(widths > least) & (widths < most)]
        assert np.ptp(between) < 1e-6 if len(between) else True


# what is compiled


def test_estimated_widths_are_no_narrower_than_set_ones(tmp_path: Path) -> None:
    texts = ["0.1234", "−0.5", SPLADE, "the quick brown fox", "Recall@1000", "HAMBURGEFONS", "AP", "x+y=z/2 (a-b)"]
    boxes = [rf"\setbox0\hbox{{{latex_text(text)}}}\typeout{{told: \the\wd0}}" for text in texts]
    sizes = {"": 10.0, r"\small": 9.25, r"\footnotesize": 8.5, r"\scriptsize": 8.0}
    body = "\n".join(f"{{{size}\n" + "\n".join(boxes) + "}" for size in sizes)
    found = [float(told.removesuffix("pt")) for told in typeset(body + "Text.", tmp_path, passes=1).told]
    assert len(found) == len(texts) * len(sizes)
    for i, (em, text) in enumerate((em, text) for em in sizes.values() for text in texts):
        assert 0.8 * em * width_of(text) <= found[i] <= em * width_of(text) + 0.1, text


def awkward() -> list[Table]:
    """Tables that are long, wide, of long names and of hostile ones."""
    names = (SPLADE, HOSTILE.replace("你", ""), "x" * 40, "a sentence that says what a row of some table is about")
    numbers = [-0.12345, 1.5, 1e-7, 12345.0]
    each: list[tuple[tuple[Cell, ...], ...]] = [
        tuple((name, *numbers) for name in names),
        tuple((name, other, name, *numbers) for name in names for other in names),
        tuple((f"{name}{i}", *numbers[:2]) for name in names for i in range(30)),
        tuple((name, *numbers * 3) for name in names),
        tuple((i, *numbers * 3) for i in range(3)),
    ]
    return [
        Table(f"t{i}", "T_x " * 20, tuple(Column(f"head {j}", explained="e_f") for j in range(len(rows[0]))), rows)
        for i, rows in enumerate(each)
    ]


@pytest.mark.parametrize("options", ["a4paper", "letterpaper,11pt", "a4paper,12pt"])
def test_tables_of_all_kinds_fit_the_page(tmp_path: Path, options: str) -> None:
    document = typeset("\n".join(table.to_latex() for table in awkward()), tmp_path, options=options)
    assert max(document.overfull, default=0) <= 1


def test_wide_tables_fit_a_page_of_two_columns(tmp_path: Path) -> None:
    tables = [table.to_latex() for table in awkward() if not setting_of(table).is_long]
    assert len(tables) >= 1
    document = typeset("Text.\n" + "\n".join(tables), tmp_path, options="a4paper,twocolumn")
    assert max(document.overfull, default=0) <= 1
