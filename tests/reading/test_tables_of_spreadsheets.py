"""Tables as search teams and spreadsheets write them: decimal commas, units, flags, usual names, a file a system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import irgauge as ig

Irgauge = Callable[..., tuple[int, str, str]]
ROWS = [(f"q{place:02}", system) for place in range(40) for system in ("old", "new")]


def relevance(topic: str, system: str) -> float:
    return round(0.3 + int(topic[1:]) % 7 / 20 + (system == "new") * (0.02 + int(topic[1:]) % 3 / 100), 4)


def is_empty(topic: str, system: str) -> bool:
    return int(topic[1:]) % (5 if system == "old" else 9) == 0


def comma(value: float | str) -> str:
    return str(value).replace(".", ",")


def written(path: str, header: str, cell: Callable[[str, str], str], system: str | None = None) -> str:
    """A table in which each row has the topic, and what is said of it; of one system, or of both."""
    lines = [f"{topic}{header[8]}{cell(topic, own)}\n" for topic, own in ROWS if system in (None, own)]
    Path(path).write_text(f"{header}\n" + "".join(lines))
    return path


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_decimal_commas_between_semicolons_are_points() -> None:
    points = written("a.csv", "query_id,system,useful", lambda topic, own: f"{own},{relevance(topic, own)}")
    commas = written("b.csv", "query_id;system;useful", lambda topic, own: f"{own};{comma(relevance(topic, own))}")
    assert ig.load_scores(commas).values.tolist() == ig.load_scores(points).values.tolist()


@pytest.mark.parametrize(("cell", "said"), [("{:.1f} €", "with its unit"), ('"{}"', "with a comma"), ("{} ms", "unit")])
def test_numbers_that_are_written_otherwise_are_refused(cell: str, said: str, run: Irgauge) -> None:
    """Else they would be taken for text about topics, and the gate would pass on the clicks alone."""

    def row(topic: str, own: str) -> str:
        value = relevance(topic, own)
        return f"{own},{cell.format(comma(value) if said == 'with a comma' else value)},3{topic[1:]}"

    path = written("t.csv", "query_id,system,useful,clicks", row)
    code, out, error = run("gate", path, "old", "new", "--margin", "2%")
    assert (code, out) == (2, "")
    assert f"{path}:2: the column 'useful' holds" in error
    assert said in error
    assert run("check", path, "--columns", "slice=useful")[0] == 0


def test_thousands_or_decimals_between_semicolons_are_not_guessed() -> None:
    path = written("t.csv", "query_id;system;clicks", lambda topic, own: f"{own};1,2{topic[1:]}")
    with pytest.raises(ig.InputError, match="holds '1,200' with a comma"):
        ig.load_scores(path)


def test_of_two_tables_each_is_a_system_and_columns_are_measures() -> None:
    for system in ("old", "new"):
        written(
            f"{system}.csv",
            "query_id,nDCG,useful,is_empty,type",
            lambda topic, own: (
                f"{relevance(topic, own)},{relevance(topic, own)},{is_empty(topic, own)},{topic > 'q19'}x"
            ),
            system,
        )
    gated = ig.gate("old.csv", "new.csv", measures=["nDCG:2%", "useful:2%", "is_empty:lower:5%"])
    assert [str(each.measure) for each in gated.each] == ["nDCG", "useful", "is_empty"]
    scores = ig.load_scores("old.csv", "new.csv")
    assert (scores.systems, list(map(str, scores.measures))) == (("new", "old"), ["nDCG", "useful"])
    assert (list(scores.about.columns), scores.about.unused) == (["type"], ("is_empty",))
    worse = ig.gate("new.csv", "old.csv", measures="nDCG:2%")
    assert worse.reason is not None
    assert {kind.column for kind in worse.reason.measures[0].kinds} == {"type"}


@pytest.mark.parametrize(("name", "flags"), [("variant", ("True", "False")), ("AB-Group", ("yes", "No"))])
def test_usual_names_of_systems_and_flags_as_measures(name: str, flags: tuple[str, str]) -> None:
    path = written(
        "t.csv",
        f"query_id,{name},useful,empty",
        lambda topic, own: f"{own},{relevance(topic, own)},{flags[not is_empty(topic, own)]}",
    )
    gated = ig.gate(path, "old", "new", "empty:lower:5%")
    means = [sum(is_empty(topic, own) for topic, own in ROWS if own == side) / 40 for side in ("old", "new")]
    assert gated.each[0].difference == pytest.approx(means[1] - means[0])
    checked = ig.check(path).read_as
    assert checked is not None
    assert (checked.parts[0].source, checked.unused) == (f"the column '{name}'", ("empty",))


@pytest.mark.parametrize("words", [("pass", "fail"), ("Correct", "incorrect")])
def test_verdicts_of_judges_are_scores_where_they_are_said_to_be(words: tuple[str, str]) -> None:
    path = written("t.csv", "query_id,system,score,verdict", lambda topic, own: f"{own},,{words[is_empty(topic, own)]}")
    with pytest.raises(ig.InputError, match="all scores are empty; say which column holds them"):
        ig.compare(path)
    compared = ig.compare(path, columns="score=verdict", baseline="old")
    means = [1 - sum(is_empty(topic, own) for topic, own in ROWS if own == side) / 40 for side in ("old", "new")]
    assert compared.frame()["difference"].to_list() == pytest.approx([means[1] - means[0]])


def test_a_column_that_is_said_is_called_as_it_is_in_the_file() -> None:
    path = written("t.csv", "query_id,who,useful", lambda topic, own: f"{own},{relevance(topic, own)}")
    checked = ig.check(path, columns="system=who").read_as
    assert checked is not None
    assert checked.parts[0].source == "the column 'who'"


def test_a_row_of_averages_and_a_column_of_differences_are_no_data() -> None:
    lines = [f"q{i},{i / 50},{i * i / 2500},{round(i / 50 - i * i / 2500, 3)}" for i in range(1, 41)]
    columns = [[float(line.split(",")[place]) for line in lines] for place in (1, 2, 3)]
    last = ",".join(f"{sum(column) / 40:.3f}" for column in columns)
    Path("t.csv").write_text("\n".join(["query,new,old,delta", *lines, f"Average,{last}\n"]))
    scores = ig.load_scores("t.csv")
    assert (scores.systems, len(scores.topics), list(scores.about.columns)) == (("new", "old"), 40, ["delta"])
    Path("t.csv").write_text(
        "\n".join(["query,new,old,delta", *(f"{line}1" for line in lines), "average,0.1,0.9,0.1\n"])
    )
    with pytest.raises(ig.InputError, match=r"t.csv:42: the last row 'average' may hold totals"):
        ig.load_scores("t.csv")
    lines.insert(7, "average,0.1,0.9,0.1")
    Path("t.csv").write_text("\n".join(["query,new,old,delta", *lines]))
    assert len(ig.load_scores("t.csv").topics) == 41


@pytest.mark.parametrize(("mark", "between"), [(" %", ","), ("%", ";")])
def test_per_cents_are_shares(mark: str, between: str) -> None:
    def row(topic: str, own: str) -> str:
        cell = f"{relevance(topic, own) * 100:.1f}{mark}"
        return f"{own}{between}{comma(cell) if between == ';' else cell}{between}3"

    path = written("t.csv", between.join(["query_id", "system", "useful", "clicks"]), row)
    scores = ig.load_scores(path)["useful"]
    means = [sum(relevance(topic, own) for topic, own in ROWS if own == side) / 40 for side in scores.systems]
    assert scores.values.mean(axis=(0, 1, 3)).tolist() == pytest.approx(means, abs=5e-4)
    whole = written("w.csv", "query_id,system,useful", lambda topic, own: f'{own},"{"1,234" if topic else own}%"')
    with pytest.raises(ig.InputError, match="holds '1,234%' with its unit"):
        ig.load_scores(whole)


def exported(path: str, columns: str, cells: Callable[[int], tuple[object, ...]]) -> str:
    lines = [",".join(map(str, (f"q{i:02}", *cells(i)))) for i in range(40)]
    Path(path).write_text("\n".join([f"query,{columns}", *lines]))
    return path


OLD, NEW = ([relevance(f"q{i:02}", own) for i in range(40)] for own in ("old", "new"))
EXPORTS: dict[str, tuple[str, Callable[[int], tuple[object, ...]]]] = {
    "how often asked": ("searches,old,new", lambda i: (37 * i % 91 + 1, OLD[i], NEW[i])),
    "how often shown": ("old,n_old,new,n_new", lambda i: (OLD[i], 5 + i, NEW[i], 90 - i)),
    "relative differences": ("old,new,pct_change", lambda i: (OLD[i], NEW[i], round(100 * (NEW[i] / OLD[i] - 1), 1))),
    "tests": ("old,new,p_value", lambda i: (OLD[i], NEW[i], i / 50)),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_what_exports_hold_beside_systems_is_no_system(name: str) -> None:
    columns, cells = EXPORTS[name]
    scores = ig.load_scores(exported("t.csv", columns, cells))
    assert scores.systems == ("new", "old")
    assert sorted(scores.about.columns) == sorted(set(columns.split(",")) - {"old", "new"})
    np.testing.assert_array_equal(scores.values[0, :, :, 0], np.array([NEW, OLD]).T)


@pytest.mark.parametrize("form", ["{measure}_{system}", "{system} {measure}"])
def test_columns_of_measures_of_systems_are_both(form: str) -> None:
    """As a table that was turned, such as by pandas' pivot, has them."""
    names = [form.format(measure=m, system=s) for m in ("ndcg@10", "took_ms") for s in ("old", "new")]
    path = exported("t.csv", ",".join(["kind", *names, "searches"]), lambda i: ("x", OLD[i], NEW[i], 90 + i, 80, i + 2))
    checked = ig.check(path).read_as
    assert checked is not None
    assert checked.forms == ("a wide table, with a row for each topic and a column for each measure of each system",)
    scores = ig.load_scores(path)
    assert (scores.systems, list(map(str, scores.measures))) == (("new", "old"), ["nDCG@10", "took_ms"])
    assert list(scores.about.columns) == ["kind", "searches"]
    took = [[80.0, 90.0 + i] for i in range(40)]
    np.testing.assert_array_equal(scores.values[..., 0], [np.array([NEW, OLD]).T, took])
    gated = ig.gate(path, "old", "new", "took_ms:lower:5%")
    assert gated.each[0].difference == pytest.approx(80 - np.mean([row[1] for row in took]))


def test_columns_that_may_be_measures_of_systems_are_refused_until_said() -> None:
    columns = "ctr_old,ctr_new,revenue_old,revenue_new"
    path = exported("t.csv", columns, lambda i: (OLD[i], NEW[i], OLD[i] / 2, NEW[i] / 2))
    with pytest.raises(ig.InputError, match=r"'ctr_new' may be a system, .* \(-m ctr -m revenue\)"):
        ig.compare(path)
    assert ig.gate(path, "old", "new", ["ctr:2%", "revenue:2%"]).each[1].difference == pytest.approx(
        (np.mean(NEW) - np.mean(OLD)) / 2
    )
    path = exported("t.csv", "old,new,latency", lambda i: (OLD[i], NEW[i], i + 0.5))
    with pytest.raises(ig.InputError, match="'new' as a system, and 'latency' as one or as a measure"):
        ig.compare(path)
    checked = ig.check(path, columns="slice=latency").read_as
    assert checked is not None
    assert (checked.count("systems"), checked.count("columns of topics")) == (2, 1)
    grid = exported("t.csv", "bm25_old,bm25_new,dph_old,dph_new", lambda i: (OLD[i], NEW[i], OLD[i] / 2, NEW[i] / 2))
    assert len(ig.load_scores(grid).systems) == 4


def test_two_tables_of_one_system_are_named_after_their_files() -> None:
    for own in ("old", "new"):
        written(f"{own}.csv", "query_id,system,useful", lambda topic, own: f"prod,{relevance(topic, own)}", own)
    assert ig.load_scores("old.csv", "new.csv").systems == ("new", "old")
    with pytest.raises(ig.InputError, match="appears twice"):
        ig.load_scores("old.csv", "old.csv")


@pytest.mark.parametrize(("name", "cell"), [("delta %", "{:.1f}"), ("rel. change", "{:.3f}"), ("relevant", "{:.0f}")])
def test_shares_of_differences_and_counts_of_topics_are_no_systems(name: str, cell: str) -> None:
    cells = [(relevance(topic, "old"), relevance(topic, "new")) for topic, own in ROWS if own == "old"]
    scale = {"delta %": 100.0}.get(name, 1.0)
    beside = [place + 1 if name == "relevant" else scale * (b - a) / a for place, (a, b) in enumerate(cells)]
    lines = [f"q{place},{a},{b},{cell.format(beside[place])}\n" for place, (a, b) in enumerate(cells)]
    Path("t.csv").write_text(f"query,old,new,{name}\n" + "".join(lines))
    scores = ig.load_scores("t.csv")
    assert (scores.systems, list(scores.about.columns)) == (("new", "old"), [name])
