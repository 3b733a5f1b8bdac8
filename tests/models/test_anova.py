"""The analysis of variance against statsmodels, least squares, scipy and the tables that the papers print."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import cast

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.models.anova import CELL, FACTORS, TERMS, Fit, Model, Population, decompose, fit, populations_of
from irgauge.models.checks import f_tail
from irgauge.models.f_tests import compare
from irgauge.reading.collection import Collection
from irgauge.scoring.drawn import Shards
from irgauge.scoring.scores import Fill, Scores, score

Values = NDArray[np.float64]
Filled = tuple[NDArray[np.bool_], list[Values]]
Scored = tuple[Scores, Scores]
SHARDED = ("MD2", "MD3", "MD4", "MD5", "MD6")
FORMULAS = ("topic + system + shard", "topic + system + shard + system:shard", "topic + shard + topic:shard", "system")
WHOLE = np.array([[[0.2], [0.5]], [[0.3], [0.4]], [[0.1], [0.6]]])


def random_values(shape: tuple[int, int, int] = (6, 5, 4), seed: int = 0) -> Values:
    """Values with effects of every term, so that no sum of squares is small."""
    rng = np.random.default_rng(seed)
    sizes = [np.where(kept, shape, 1) for kept in np.ndindex(2, 2, 2)]  # of every combination of axes
    return np.asarray(sum(rng.normal(size=size) for size in sizes), np.float64)


def design(terms: tuple[str, ...], shape: tuple[int, ...]) -> Values:
    """The design matrix with a column for each cell of each term."""
    index = np.indices(shape).reshape(3, -1)
    columns = [np.ones((1, index.shape[1]))]
    for term in terms:
        axes = [FACTORS.index(factor) for factor in term.split(":")]
        cells = np.ravel_multi_index(tuple(index[axes]), [shape[axis] for axis in axes])
        columns.append(np.equal.outer(np.unique(cells), cells).astype(float))
    return np.concatenate(columns).T


@pytest.mark.parametrize("text", ["MD1", *SHARDED, *FORMULAS])
def test_a_model_prints_what_it_parses(text: str) -> None:
    assert str(Model.parse(text)) == text
    assert Model.parse(str(Model.parse(text))) == Model.parse(text)


def test_a_formula_is_put_in_order_and_gets_its_name() -> None:
    assert str(Model.parse(" shard + System:shard+ system +topic")) == FORMULAS[1]
    assert Model.parse(" + ".join(reversed(TERMS))) == Model.parse("md6")
    assert Model.parse("MD2").formula == "topic + system"
    assert Model.parse("topic + system").name is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic + sistem", "did you mean 'system'"),
        ("topic + system + topic*system", "did you mean 'topic:system'"),
        ("MD7", "did you mean 'MD"),
        ("", "the term '' is unknown"),
        ("topic + topic", "twice"),
        ("topic + system + system:shard", "system:shard without its main effect; add 'shard'"),
        (" + ".join((*TERMS, CELL)), "saturated"),
    ],
)
def test_a_wrong_formula_says_what_to_do(text: str, message: str) -> None:
    with pytest.raises(DesignError, match=message.replace("*", r"\*")):
        Model.parse(text)


@pytest.mark.parametrize(
    ("values", "model", "message"),
    [
        (WHOLE, "MD2", "more than one shard"),
        (WHOLE, "MD4", "more than one shard"),
        (WHOLE, "topic + shard", "more than one shard"),
        (WHOLE, "MD3", "saturated on one shard"),
        (random_values(), "MD1", "use MD2"),
        (random_values()[:1], "MD6", "at least 2 topics"),
        (random_values()[:, :1], "MD6", "at least 2 systems"),
        (random_values()[..., :0], "MD6", "at least 1 shards"),
        (random_values()[0], "MD6", "2 axes"),
        (np.full((3, 4, 2), 0.1), "MD6", "all values are the same"),
        (np.where(np.arange(3) == 1, np.nan, random_values((4, 5, 3))), "MD6", "undefined"),
        (np.add.outer(np.arange(3.0), np.arange(4.0) / 7)[..., None], "MD1", "explains the values completely"),
    ],
)
def test_a_question_that_the_values_cannot_answer(values: Values, model: str, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        fit(values, model)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of statsmodels itself
@pytest.mark.parametrize("model", [*SHARDED, *FORMULAS, "MD1"])
def test_tables_are_those_of_statsmodels(model: str) -> None:
    api, anova = pytest.importorskip("statsmodels.formula.api"), pytest.importorskip("statsmodels.stats.anova")
    values = random_values((6, 5, 1 if model == "MD1" else 4))
    levels = np.indices(values.shape).reshape(3, -1).astype(str)
    data = {"y": values.ravel(), **dict(zip(FACTORS, levels, strict=True))}
    table = anova.anova_lm(api.ols("y ~ " + Model.parse(model).formula, data).fit())
    ours = fit(values, model)
    for row in ours.rows:
        assert [row.df, row.ss, row.ms, row.f, row.p] == pytest.approx(list(table.loc[row.source]), rel=1e-9)
    assert [ours.error.df, ours.error.ss, ours.error.ms] == pytest.approx(list(table.loc["Residual"])[:3], rel=1e-9)


@pytest.mark.parametrize("model", [*SHARDED, *FORMULAS])
def test_residuals_and_sums_of_squares_are_those_of_least_squares(model: str) -> None:
    values = random_values()
    ours = fit(values, model)
    x = design(ours.model.terms, values.shape)
    estimate, _, rank, _ = np.linalg.lstsq(x, values.ravel(), rcond=None)
    np.testing.assert_allclose(ours.residuals().ravel(), values.ravel() - x @ estimate, atol=1e-12)
    assert ours.error.df == values.size - rank
    assert ours.error.ss == pytest.approx(np.square(ours.residuals()).sum())
    assert ours.total.ss == pytest.approx(values.var() * values.size)
    assert ours.total.df == values.size - 1
    assert ours.total.ss == pytest.approx(ours.error.ss + sum(row.ss for row in ours.rows))


def test_means_and_effects() -> None:
    values = random_values()
    full = fit(values, "MD6")
    assert full.mean == pytest.approx(values.mean())
    np.testing.assert_allclose(full.means("system"), values.mean(axis=(0, 2)))
    np.testing.assert_allclose(full.effects("shard"), values.mean(axis=(0, 1)) - values.mean())
    np.testing.assert_allclose(full.means("topic:shard"), values.mean(axis=1))
    interaction = full.means("system:shard") - full.means("system")[:, None] - full.means("shard") + full.mean
    np.testing.assert_allclose(full.effects("system:shard"), interaction)
    with pytest.raises(DesignError, match="MD2 has no term 'shard'; its terms are topic, system"):
        fit(values, "MD2").means("shard")


def test_effect_size_by_hand() -> None:
    # differences 0.3, 0.1, 0.5: F = t² = (0.3 / (0.2/√3))² = 6.75, ω² = 5.75 / (5.75 + 6)
    system = fit(WHOLE, "MD1").row("system")
    assert (system.df, system.size) == (1, "large")
    assert [system.f, system.omega2] == pytest.approx([6.75, 5.75 / 11.75])
    assert system.p == pytest.approx(scipy.stats.ttest_rel(WHOLE[:, 0, 0], WHOLE[:, 1, 0]).pvalue)


def test_effect_sizes_have_the_papers_bounds() -> None:
    sizes = {row.omega2: row.size for seed in range(40) for row in fit(random_values(seed=seed), "MD6").rows}
    for omega2, size in sizes.items():
        bounds = {"large": (0.14, 1), "medium": (0.06, 0.14), "small": (0.01, 0.06), "negligible": (-1, 0.01)}[size]
        assert bounds[0] <= omega2 < bounds[1]
    assert set(sizes.values()) == {"large", "medium", "small", "negligible"}


@pytest.mark.parametrize(
    ("df", "df_error", "f", "p"),  # p with 40 digits, by the series
    [
        (4, 20, 2.5, 0.07514662964),
        (95, 13965, 16.875050817377414, 6.530324551e-256),
        (49, 300_000, 30.6, 4.402082828e-281),
        (3, 13965, 516.7207195150338, 1.849014577e-318),
        (49, 300_000, 1000.0, 0.0),
    ],
)
def test_far_tails_keep_their_digits(df: int, df_error: int, f: float, p: float) -> None:
    assert f_tail(df, df_error, f) == pytest.approx(p, rel=1e-6, abs=0)


def test_a_large_offset_or_scale_does_no_harm() -> None:
    values = random_values()
    for other in (values + 1e6, values * 1e-80, values.astype(np.float32).astype(np.float64) * 1e9):
        assert fit(other, "MD6").row("system").f == pytest.approx(fit(values, "MD6").row("system").f, rel=1e-5)
        assert fit(other, "MD6").jarque_bera().p == pytest.approx(fit(values, "MD6").jarque_bera().p, rel=1e-4)


@st.composite
def filled(draw: st.DrawFn) -> Filled:
    """Which topics are undefined in which shards, and values with these filled by three constants, one after another.

    Ferro and Sanderson (SIGIR 2019), propositions 7.2 to 7.4.
    """
    topics, systems, shards = (draw(st.integers(2, 5)) for _ in FACTORS)
    cells = st.lists(st.booleans(), min_size=topics * shards, max_size=topics * shards)
    undefined = np.array(draw(cells.filter(lambda rows: any(rows) and not all(rows)))).reshape(topics, shards)
    values = np.random.default_rng(draw(st.integers(0, 2**32))).random((topics, systems, shards))
    constants = draw(st.lists(st.integers(-8, 8), min_size=3, max_size=3, unique=True))
    return undefined, [np.where(undefined[:, None, :], c / 4, values) for c in constants]


@pytest.mark.parametrize("model", SHARDED)
@given(case=filled())
@settings(deadline=None)
def test_systems_do_not_depend_on_what_fills_undefined_rows(model: str, case: Filled) -> None:
    one, *others = (fit(values, model) for values in case[1])
    for other in others:
        np.testing.assert_allclose(other.effects("system"), one.effects("system"), atol=1e-12)
        assert other.row("system").ss == pytest.approx(one.row("system").ss, rel=1e-9, abs=1e-12)
        if model == "MD6":
            assert other.error.ss == pytest.approx(one.error.ss, rel=1e-9)
            assert other.row("system").f == pytest.approx(one.row("system").f, rel=1e-9)
            assert other.row("system").omega2 == pytest.approx(one.row("system").omega2, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("model", SHARDED[:-1])
@given(case=filled())
@settings(deadline=None)
def test_without_topic_by_shard_the_error_depends_on_what_fills_undefined_rows(model: str, case: Filled) -> None:
    undefined, fills = case
    pattern = np.repeat(undefined[:, None, :].astype(float), 2, axis=1)
    assume(decompose(pattern).ss["topic:shard"] > 1e-9)  # else topic and shard effects absorb the constant
    # the error is a quadratic of the constant, and takes no value three times
    assert np.ptp([fit(values, model).error.ss for values in fills]) > 1e-6


def test_the_error_term_of_each_population() -> None:
    values = random_values()
    sums = decompose(values)
    for model in SHARDED:
        ours = sums.fit(model)
        topics, documents, both = (ours.error_term(one) for one in populations_of(4, is_random=True))
        assert (documents.ms, documents.df, documents.n) == (ours.error.ms, ours.error.df, 24)
        assert (documents.f, documents.p) == (ours.row("system").f, ours.row("system").p)
        assert [topics.ms, topics.df, topics.n] == pytest.approx([sums.fit("MD6").row("topic:system").ms, 20, 24])
        assert topics.f == pytest.approx(ours.row("system").ms / topics.ms)
        assert both.p == pytest.approx(scipy.stats.f.sf(both.f, 4, both.df))
        _, shards, shards_too, sources = (ours.error_term(one) for one in populations_of(4, is_random=False))
        assert [shards.ms, shards.df, shards.n] == pytest.approx([sums.fit("MD6").row("system:shard").ms, 12, 24])
        assert shards.source == "system:shard"
        assert shards.f == pytest.approx(ours.row("system").ms / shards.ms)
        assert replace(shards_too, population="both") == both
        assert replace(sources, population="documents") == documents


def test_what_claims_may_cover_is_known_from_the_shards() -> None:
    assert populations_of(1, is_random=True) == populations_of(1, is_random=False) == ("topics",)
    assert populations_of(2, is_random=True) == ("topics", "documents", "both")
    assert populations_of(2, is_random=False) == ("topics", "shards", "topics+shards", "sources")


def test_topics_as_population_are_the_whole_corpus_test_of_shard_means() -> None:
    values = random_values()
    shards, means = fit(values, "MD4").error_term("topics"), fit(values.mean(axis=2, keepdims=True), "MD1")
    assert [shards.f, shards.p] == pytest.approx([means.row("system").f, means.row("system").p])
    assert math.sqrt(shards.ms / shards.n) == pytest.approx(math.sqrt(means.error.ms / values.shape[0]))


def test_both_combines_mean_squares_and_satterthwaite_weighs_them() -> None:
    ours = fit(random_values(), "MD6")
    topic, shard, error, both = ours.row("topic:system"), ours.row("system:shard"), ours.error, ours.error_term("both")
    ms = topic.ms + shard.ms - error.ms
    assert both.source == "topic:system + system:shard - topic:system:shard"
    assert [both.ms, ms**2 / both.df] == pytest.approx([ms, sum(one.ms**2 / one.df for one in (topic, shard, error))])


def test_both_never_falls_below_the_larger_of_its_mean_squares() -> None:
    parts = decompose(random_values()).parts
    values = sum(part * (1e-3 if term in ("topic:system", "system:shard") else 1) for term, part in parts.items())
    ours = fit(np.asarray(values), "MD6")
    larger = max(ours.row("topic:system"), ours.row("system:shard"), key=lambda row: row.ms)
    both = ours.error_term("both")
    assert (both.source, both.ms, both.df) == (larger.source, larger.ms, larger.df)


def test_the_whole_corpus_says_nothing_of_other_documents() -> None:
    ours = fit(WHOLE, "MD1")
    assert ours.error_term("topics").ms == pytest.approx(ours.error.ms)
    with pytest.raises(DesignError, match="one shard says nothing about other documents"):
        ours.error_term("documents")
    with pytest.raises(DesignError, match=r"population 'queries' is unknown.*from topics, documents, both"):
        ours.error_term(cast("Population", "queries"))


def test_systems_that_differ_alike_on_every_topic_leave_nothing_to_test_against() -> None:
    parts = decompose(random_values()).parts
    ours = fit(np.asarray(sum(parts[term] for term in (*TERMS[:3], CELL))), "MD6")
    with pytest.raises(DesignError, match="differ by the same amount on every topic"):
        ours.error_term("topics")


@pytest.mark.parametrize(("small", "large"), list(combinations((*SHARDED, *FORMULAS[:2]), 2)))
@pytest.mark.parametrize("alpha", [0.05, 1e-12])
def test_nested_models(small: str, large: str, alpha: float) -> None:
    sums = decompose(random_values())
    one, two = sums.fit(small), sums.fit(large)
    if not set(one.model.terms) < set(two.model.terms):
        with pytest.raises(DesignError, match="is not nested in"):
            compare(one, two)
        return
    test = compare(one, two, alpha=alpha)
    assert (test.df, test.df_error) == (one.error.df - two.error.df, two.error.df)
    assert test.f == pytest.approx((one.error.ss - two.error.ss) / test.df / two.error.ms)
    assert test.p == pytest.approx(scipy.stats.f.sf(test.f, test.df, test.df_error))
    assert scipy.stats.f.sf(test.critical, test.df, test.df_error) == pytest.approx(alpha, rel=1e-9)
    assert test.critical == pytest.approx(scipy.stats.f.isf(alpha, test.df, test.df_error), rel=1e-4)  # its accuracy


def test_only_models_of_the_same_values_compare() -> None:
    with pytest.raises(DesignError, match="different values"):
        compare(fit(random_values(), "MD2"), fit(random_values(seed=1), "MD3"))
    with pytest.raises(DesignError, match="alpha is 5"):
        compare(fit(random_values(), "MD2"), fit(random_values(), "MD3"), alpha=5)


@pytest.mark.parametrize("model", [*SHARDED, *FORMULAS])
def test_checks_are_those_of_scipy(model: str) -> None:
    ours = fit(random_values(), model)
    residuals = ours.residuals()
    theirs = scipy.stats.jarque_bera(residuals.ravel())
    assert [ours.jarque_bera().statistic, ours.jarque_bera().p] == pytest.approx([theirs.statistic, theirs.pvalue])
    assert list(ours.levene()) == list(FACTORS)
    for axis, check in enumerate(ours.levene().values()):
        other = scipy.stats.levene(*np.moveaxis(residuals, axis, 0).reshape(residuals.shape[axis], -1), center="mean")
        assert [check.statistic, check.p] == pytest.approx([other.statistic, other.pvalue])


def test_levene_has_no_answer_for_groups_of_two() -> None:
    levene = fit(WHOLE, "MD1").levene()
    assert list(levene) == ["topic", "system"]
    assert math.isnan(levene["topic"].p)
    assert not math.isnan(levene["system"].p)


# TREC-8: Ferro, Kim and Sanderson (TOIS 2019), Tables 1 to 15, and Ferro and Sanderson (SIGIR 2019), Table 1

# model, systems kept, fill, Levene's p of topic, system and shard where legible, and the rows
# source, SS, DF, MS, F, p, ω²; Tables 5 and 8 to 12 have the rows OF_SYSTEMS in common
# fmt: off
OF_SYSTEMS = """
        system 20.6407 95 0.2173 16.8751 6.53e-256 0.0728 | system:shard 8.9032 285 0.0312 2.4263 1.594e-34 0.0207
        topic:system 115.7480 4655 0.0249 1.9313 1.377e-183 0.1842 | error 179.8027 13965 0.0129
"""
PUBLISHED = [
    ("topic + system", 96, "zero", "0 2.449e-27", """
        topic 556.8975 49 11.3653 228.6854 0 0.3675 | system 20.6407 95 0.2173 4.3718 4.883e-41 0.0164
        error 946.9991 19055 0.0497 | total 1524.5373 19199"""),
    (FORMULAS[0], 96, "zero", "0 8.572e-12 3.469e-12", """
        topic 556.8975 49 11.3653 272.9818 0 0.4097 | system 20.6407 95 0.2173 5.2186 1.26e-54 0.0204
        shard 153.7930 3 51.2643 1231.3168 0 0.1612 | error 793.2062 19052 0.0416 | total 1524.5373 19199"""),
    (FORMULAS[1], 96, "zero", "0 7.143e-08 1.325e-13", """
        topic 556.8975 49 11.3653 271.9507 0 0.4088 | system 20.6407 95 0.2173 5.1989 2.73e-54 0.0204
        shard 153.7930 3 51.2643 1226.6660 0 0.1607 | system:shard 8.9032 285 0.0312 0.7475 0.9995 -
        error 784.3029 18767 0.0418 | total 1524.5373 19199"""),
    ("MD5", 96, "zero", "0 4.582e-05", """
        topic 556.8975 49 11.3653 239.9002 0 0.3788 | system 20.6407 95 0.2173 4.5862 3.375e-44 0.0174
        shard 153.7930 3 51.2643 1082.0985 0 0.1445 | system:shard 8.9032 285 0.0312 0.6594 1 -
        topic:system 115.7480 4655 0.0249 0.5249 1 - | error 668.5549 14112 0.0474 | total 1524.5373 19199"""),
    ("MD6", 96, "zero", "0 1.315e-143 7.544e-06", OF_SYSTEMS + """
        topic 556.8975 49 11.3653 882.7220 0 0.6923 | shard 153.7930 3 51.2643 3981.6227 0 0.3835
        topic:shard 488.7522 147 3.3248 258.2357 0 0.6632 | total 1524.5373 19199"""),
    (FORMULAS[1], 96, "drop", "0 0.9812 8.69e-30", """
        topic 192.8895 14 13.7778 363.5912 0 0.4685 | system 8.8407 95 0.0931 2.4558 3.017e-13 0.0234
        shard 25.3043 3 8.4348 222.5905 4.247e-136 0.1035 | system:shard 6.0021 285 0.0211 0.5558 1 -
        error 203.1861 5362 0.0379 | total 436.2228 5759"""),
    ("MD6", 96, "drop", "1.46e-144 2.871e-59 4.523e-20", """
        topic 192.8895 14 13.7778 865.9267 0 0.6777 | system 8.8407 95 0.0931 5.8488 6.083e-61 0.0740
        shard 25.3043 3 8.4348 530.1203 6.024e-290 0.2160 | system:shard 6.0021 285 0.0211 1.3236 0.0003466 0.0158
        topic:system 33.6924 1330 0.0253 1.5921 2.359e-27 0.1203 | topic:shard 106.0086 42 2.5240 158.6325 0 0.5348
        error 63.4852 3990 0.0159 | total 436.2228 5759"""),
    ("MD6", 96, "lq", "0 1.315e-143 7.544e-06", OF_SYSTEMS + """
        topic 548.3131 49 11.1901 869.1152 0 0.6890 | shard 130.1532 3 43.3844 3369.6008 0 0.3448
        topic:shard 456.2990 147 3.1041 241.0888 0 0.6477 | total 1459.8599 19199"""),
    ("MD6", 96, "med", "0 1.315e-143 7.544e-06", OF_SYSTEMS + """
        topic 524.0837 49 10.6956 830.7098 0 0.6792 | shard 50.7038 3 16.9013 1312.6962 0 0.1701
        topic:shard 353.1083 147 2.4021 186.5672 0 0.5869 | total 1252.9904 19199"""),
    ("MD6", 96, "mean", "0 1.315e-143 7.544e-06", OF_SYSTEMS + """
        topic 521.2183 49 10.6371 826.1680 0 0.6780 | shard 25.4066 3 8.4689 657.7632 0 0.0931
        topic:shard 326.4212 147 2.2206 172.4669 0 0.5676 | total 1198.1406 19199"""),
    ("MD6", 96, "uq", "0 1.315e-143 7.544e-06", OF_SYSTEMS + """
        topic 536.4064 49 10.9471 850.2422 0 0.6843 | shard 19.9587 3 6.6529 516.7207 1.849e-318 0.0746
        topic:shard 340.7818 147 2.3182 180.0545 0 0.5782 | total 1222.2415 19199"""),
    ("MD6", 96, "one", "0 1.315e-143 7.544e-06", OF_SYSTEMS + """
        topic 832.7732 49 16.9954 1320.0046 0 0.7710 | shard 450.2567 3 150.0856 11656.9168 0 0.6455
        topic:shard 1109.7591 147 7.5494 586.3490 0 0.8176 | total 2717.8835 19199"""),
    ("MD6", 129, "zero", "0 7.379e-140 0.001717", """
        topic 543.1558 49 11.0848 731.1896 0 0.5810 | system 158.3804 128 1.2373 81.6193 0 0.2857
        shard 140.9738 3 46.9913 3099.6945 0 0.2649 | system:shard 35.8976 384 0.0935 6.1665 3.235e-261 0.0714
        topic:system 215.9815 6272 0.0344 2.2715 0 0.2361 | topic:shard 477.8748 147 3.2508 214.4364 0 0.5488
        error 285.2500 18816 0.0152 | total 1857.5140 25799"""),
    ("MD6", 64, "zero", "0 1.601e-139 0.000197", """
        topic 387.0483 49 7.8989 609.8103 0 0.6998 | system 7.9881 63 0.1268 9.7887 2.196e-88 0.0415
        shard 121.5241 3 40.5080 3127.2797 0 0.4229 | system:shard 4.7255 189 0.0250 1.9302 6.454e-13 0.0135
        topic:system 73.7020 3087 0.0239 1.8432 1.78e-105 0.1690 | topic:shard 348.6851 147 2.3720 183.1225 0 0.6765
        error 119.9588 9261 0.0130 | total 1063.6318 12799"""),
    ("MD6", 32, "zero", "3.204e-205 6.589e-99 0.009965", """
        topic 190.1945 49 3.8815 264.6120 0 0.6687 | system 3.0925 31 0.0998 6.8008 7.158e-28 0.0273
        shard 72.6746 3 24.2249 1651.4653 0 0.4362 | system:shard 2.4459 93 0.0263 1.7930 5.717e-06 0.0114
        topic:system 41.2468 1519 0.0272 1.8511 9.11e-54 0.1681 | topic:shard 179.0731 147 1.2182 83.0464 0 0.6533
        error 66.8454 4557 0.0147 | total 555.5728 6399"""),
]
# fmt: on
F_MODEL = [  # smaller and larger model, F_model and its critical value, both cut after two digits, and p
    ("topic + system", FORMULAS[0], "1231.31", "2.60", "0"),
    (FORMULAS[0], FORMULAS[1], "0.74", "1.14", "0.99"),
    (FORMULAS[1], "MD5", "0.52", "1.03", "1"),
    ("MD5", "MD6", "258.23", "1.20", "0"),
    (FORMULAS[0], "MD6", "9.36", "1.03", "0"),
]


@pytest.fixture(scope="module")
def scored(trec8_runs: Collection, trec8_ap: Scores) -> Scored:
    """AP of all systems on the whole corpus and on its four sources."""
    sources = ("FBIS", "FR", "FT", "LA")
    of_source = [trec8_runs.docnos.str.starts_with(source).to_numpy() for source in sources]
    shards = Shards(np.argmax(of_source, axis=0).astype(np.int32), sources)
    return trec8_ap, score(trec8_runs, ["AP"], shards)


def best(scored: Scored, systems: int, fill: str) -> Values:
    """AP on the sources, of the systems that are best on the whole corpus."""
    whole, shards = scored
    kept = np.sort(np.argsort(-whole.values[0].mean(axis=(0, 2)), kind="stable")[:systems])
    balanced = shards.dropped() if fill == "drop" else shards.filled(cast("Fill", fill))
    return np.take(balanced.values[0], kept, axis=1)


def printed(ours: Fit) -> set[str]:
    lines = {
        f"error {ours.error.ss:.4f} {ours.error.df} {ours.error.ms:.4f}",
        f"total {ours.total.ss:.4f} {ours.total.df}",
    }
    for row in ours.rows:
        omega2 = f"{row.omega2:.4f}" if row.omega2 > 0 else "-"
        lines.add(f"{row.source} {row.ss:.4f} {row.df} {row.ms:.4f} {row.f:.4f} {row.p:.4g} {omega2}")
    return lines


@pytest.mark.parametrize(
    ("model", "systems", "fill", "levene", "rows"), PUBLISHED, ids=[f"Table {n}" for n in range(1, 16)]
)
def test_published_tables(scored: Scored, model: str, systems: int, fill: str, levene: str, rows: str) -> None:
    ours = fit(best(scored, systems, fill), model)
    assert printed(ours) == {row.strip() for line in rows.splitlines() if line for row in line.split("|")}
    assert ours.jarque_bera().p <= 0.001  # the least that the papers print
    assert [f"{check.p:.4g}" for check in ours.levene().values()][: len(levene.split())] == levene.split()


@pytest.mark.parametrize(("small", "large", "f", "critical", "p"), F_MODEL)
def test_published_comparisons_of_models(scored: Scored, small: str, large: str, f: str, critical: str, p: str) -> None:
    sums = decompose(best(scored, 96, "zero"))
    test = compare(sums.fit(small), sums.fit(large))
    assert [f"{math.floor(100 * one) / 100:.2f}" for one in (test.f, test.critical)] == [f, critical]
    assert test.p == pytest.approx(float(p), abs=0.01)


def test_published_effect_of_systems_on_the_whole_corpus(scored: Scored) -> None:
    assert f"{fit(scored[0].values[0], 'MD1').row('system').omega2:.4f}" == "0.3991"
