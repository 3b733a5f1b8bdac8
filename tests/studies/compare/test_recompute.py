"""Scripts that compute a comparison again without irgauge: run, and compared with what was said of every pair."""

from __future__ import annotations

import csv
import io
import math
import re
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import Irgauge
from irgauge.errors import DesignError, InputError
from irgauge.inference.corrections import CORRECTIONS
from irgauge.inference.scripts import has_script
from irgauge.inference.tests.registry import TESTS
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores
from irgauge.studies.compare.study import Compared, compare
from oracles.compared_systems import simulated

Rows = list[dict[str, str]]
NUMBERS = ("difference", "low", "high", "p", "p_adjusted", "margin_low", "margin_high")
SAME = 1e-9
PYTHON = [test for test in TESTS.own.values() if has_script(test, test.corrected_by, "python")]
R = [test for test in TESTS.own.values() if has_script(test, test.corrected_by, "r")]


def scores(names: Mapping[str, str] | None = None, measures: tuple[str, ...] = ("latency",)) -> Scores:
    """Five systems, of which two are the same, and one is better than another by the same amount on every topic."""
    rng, topics = np.random.default_rng(4), 20
    values = rng.beta(2, 3, (len(measures), topics, 1, 1)) + rng.gamma(1, 0.05, (len(measures), topics, 5, 1))
    values[:, :, 3], values[:, :, 4] = values[:, :, 2], values[:, :, 0] + 0.125
    systems = [(names or {}).get(name, name) for name in "abcde"]
    named = tuple(map(Measure.read, measures))
    return Scores(values, named, tuple(f"t{i}" for i in range(topics)), tuple(systems), ("",))


def by_python(script: str) -> Rows:
    """What a script prints."""
    assert "import irgauge" not in script
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(script, "recompute.py", "exec"), {"__name__": "__main__"})  # noqa: S102  # our own script
    return list(csv.DictReader(io.StringIO(printed.getvalue())))


def by_r(script: str, folder: Path) -> Rows:
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip("there is no Rscript, so that scripts in R are not run")
    (folder / "recompute.R").write_text(script)
    done = subprocess.run([rscript, "recompute.R"], cwd=folder, capture_output=True, text=True, check=True)  # noqa: S603
    return list(csv.DictReader(io.StringIO(done.stdout)))


def number(text: str) -> float:
    return float(text or "nan")


def check(rows: Rows, result: Compared, **tolerances: float) -> None:
    """Every pair has the numbers and the verdict of the result; where that has no number, nothing is compared."""
    claims = [row for row in result.frame_rows("pairs") if row["population"] == "topics"]
    by_pair = {(row["measure"], row["system"], row["against"]): row for row in claims}
    assert len(rows) == len(by_pair)
    for row in rows:
        claim: Mapping[str, Any] = by_pair[row["measure"], row["system"], row["against"]]
        for name in NUMBERS:
            if claim[name] is not None and not math.isnan(claim[name]):
                within = tolerances.get(name, tolerances.get("others", SAME))
                assert number(row[name]) == pytest.approx(claim[name], abs=within, rel=within), name
        assert "others" in tolerances or row["verdict"] == claim["verdict"]


@pytest.mark.parametrize("test", PYTHON, ids=lambda test: test.name)
def test_python_gives_the_same_by_each_test_with_each_correction(test: Any) -> None:  # noqa: ANN401
    for correction in CORRECTIONS.own.values() if test.is_of_pairs else [None]:
        named: dict[str, Any] = {} if correction is None else {"correction": correction.name}
        result = compare(scores(), test=test.name, draws=2_000, **named)
        check(by_python(result.recompute()), result)


@pytest.mark.parametrize("test", ["skewed-t", "max-t", "randomization", "wilcoxon"])
@pytest.mark.parametrize("margin", [0.05, "5%"])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_margins_baselines_and_directions_are_followed(test: Any, margin: Any, direction: str) -> None:  # noqa: ANN401
    result = compare(scores(), f"latency:{direction}", baseline="b", margin=margin, test=test, draws=999)
    check(by_python(result.recompute()), result)
    assert len({row["verdict"] for row in result.frame_rows("pairs")}) > 1


@pytest.mark.parametrize("family", ["order", "together", "each"])
@pytest.mark.parametrize("test", ["skewed-t", "max-t"])
def test_measures_are_corrected_together_as_the_family_says(family: Any, test: Any) -> None:  # noqa: ANN401
    result = compare(scores(measures=("x", "y", "z")), family=family, test=test, draws=999, alpha=0.1)
    check(by_python(result.recompute()), result)


def test_names_are_only_names_in_a_script(tmp_path: Path) -> None:
    hostile = {"a": 'quit()"""', "b": "'\\', exit(3)", "c": "# a\nb \U0001f600 ü", "e": "e, f" * 60}
    result = compare(scores(hostile))
    check(by_python(result.recompute()), result)
    script = result.recompute("r")
    assert script.isascii()
    if shutil.which("Rscript"):
        rows = by_r(script, tmp_path)
        assert rows[0]["p_adjusted"]


@pytest.mark.parametrize("test", R, ids=lambda test: test.name)
def test_r_gives_the_same(test: Any, tmp_path: Path) -> None:  # noqa: ANN401
    result = compare(scores(), baseline="b", test=test.name, margin="5%")
    script = result.recompute("r")
    assert script.count("(") == script.count(")")
    assert script.count("{") == script.count("}")
    assert script.count("tests <- function(") == 1
    check(by_r(script, tmp_path), result, **({"others": 0.05} if "draws" in test.takes else {"others": 1e-8}))


def test_the_page_names_the_tests_that_have_scripts() -> None:
    page = (Path(__file__).parents[3] / "docs" / "questions" / "compare.md").read_text()
    named = re.search(r"tests (`skewed-t`.*?) with any correction; those in R have\s+neither (.*?),", page, re.DOTALL)
    assert named
    in_python, not_in_r = (set(re.findall("`(.*?)`", text)) for text in named.groups())
    assert in_python == {test.name for test in PYTHON}
    assert in_python - not_in_r == {test.name for test in R}


def test_what_is_not_computed_again_is_said() -> None:
    with pytest.raises(DesignError, match=r"no script computes this again: .* has no short script in R"):
        compare(scores(), test="max-t").recompute("r")
    result = compare(simulated(), "AP", shards="even:3", population="both", family="each")
    assert "# Not computed again: AP for both, AP for documents (" in result.recompute()
    check(by_python(result.recompute()), result)
    with pytest.raises(DesignError, match="two-sided"):
        compare(scores(), baseline="b", test="randomization", sides=1).recompute()


def test_the_command_writes_the_script(run: Irgauge, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    scores().save(table)
    assert run("compare", table, "--recompute", tmp_path / "again.py", "-o", tmp_path / "pairs.csv")[0] == 0
    rows = by_python((tmp_path / "again.py").read_text())
    with (tmp_path / "pairs.csv").open() as pairs:
        expected = [float(row["p_adjusted"]) for row in csv.DictReader(pairs)]
    assert [float(row["p_adjusted"]) for row in rows] == pytest.approx(expected, abs=SAME)
    code, _, told = run("compare", table, "--recompute", tmp_path / "again.txt")
    assert (code, ".py or .R" in told) == (2, True)


def test_numbers_of_numpy_are_written_plainly() -> None:
    settings: dict[str, Any] = {"alpha": np.float64(0.1), "seed": np.int64(3), "draws": np.int64(999)}
    result = compare(scores(), test="randomization", **settings)
    check(by_python(result.recompute()), result)
    for language in ("python", "r"):
        assert not re.search(r"np\.(float|int)64\(", result.recompute(language))


def test_nothing_is_written_where_there_is_no_script(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="no script"):
        compare(scores(), test="max-t", recompute=tmp_path / "x.R", for_paper=tmp_path / "paper")
    with pytest.raises(InputError, match=r"\.py or \.R"):
        compare(scores(), recompute=tmp_path / "x")
    assert not list(tmp_path.iterdir())
