"""Methods, promises, worlds and verdicts in words and colours: one place for all of them."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.calibrating.methods import (
    AS_ASKED,
    EACH_KIND_ALONE,
    KINDS_TOGETHER,
    ONE_BY_ONE,
    Method,
    Way,
)
from irgauge.calibrating.trials import MEAN, TUKEY_INTERVAL, Rate, Verdict
from irgauge.inference.corrections import Promise
from irgauge.inference.tests.registry import TESTS

PROMISED: Mapping[Promise, str] = {  # from the strictest on: of what at most so much is to be wrong
    "any pair": "any pair",
    "each pair": "each pair",
    "false discoveries": "pairs found",
}
PROMISES_TOLD = (
    "any pair: the share of experiments with at least one false claim; each pair: the share of pairs with a false "
    "claim, each by itself; pairs found: the share of false ones among those found"
)
WAYS: Mapping[Way, tuple[str, str]] = {  # of making claims, after a method in a table and in a sentence
    AS_ASKED: ("", ""),
    ONE_BY_ONE: (", topics one by one", " on topics taken one by one"),
    KINDS_TOGETHER: (", all kinds", " over all kinds together"),
    EACH_KIND_ALONE: (", each kind alone", " on each kind by itself"),
}
ON_KINDS = (KINDS_TOGETHER, EACH_KIND_ALONE)
COLOURS: Mapping[Verdict, str] = {  # from the best on
    "keeps its promise": "#009e73",
    "conservative": "#0072b2",
    "unclear": "#8a8a8a",
    "cannot be judged": "#c9a227",
    "liberal": "#d55e00",
}
ORDER: Mapping[str, int] = {name: i for i, name in enumerate(COLOURS)}
INTERVALS: Mapping[str, str] = {
    MEAN: "interval of a mean",
    TUKEY_INTERVAL: "Tukey's interval, for comparing systems",
    "sem": "SEM interval, for comparing systems",
    "anova": "ANOVA interval, for comparing systems",
}
_UNITS: Mapping[str, Mapping[str, str]] = {  # what is drawn, one and several
    "topics": {"unit": "topic", "drawn": "topics"},
    "clusters": {"unit": "cluster", "drawn": "clusters"},
    "shards": {"unit": "shard of a topic", "drawn": "topics or shards"},
}
_WORLDS: Mapping[str, str] = {
    "permuted": "on each {unit} systems change places at random, so that all are equally good and vary alike",
    "flipped": "systems are moved to equal means, and on each {unit} a coin decides on the sign of all differences, so "
    "that each keeps its spread",
    "resampled": "systems are moved to equal means, and {drawn} are drawn with replacement, so that differences stay "
    "as skewed as they are",
    "half better": "as flipped, but half of the systems, drawn each time, are better by δ",
    "better and worse by the margin": "as flipped, but a third of the systems, drawn each time, is better by the "
    "margin, and a third worse",
}


def named(method: Method) -> str:
    """A method in a table.

    >>> named(Method("t", "holm", "topics")), named(Method("tukey", "built in", "topics"))
    ("paired t-test, Holm's correction", "Tukey's HSD test")
    """
    title, correction = TESTS[method.test].title, method.corrected_by
    return (title if correction.is_of_test else f"{title}, {correction.title}") + WAYS[method.way][0]


def short(method: Method) -> str:
    """A method beside a point of a chart, by the name that options have for its test.

    >>> short(Method("t", "holm", "topics")), short(Method("tukey", "built in", "topics"))
    ('t, Holm', 'tukey')
    """
    is_plain = method.corrected_by.is_of_test or method.promise == "each pair"
    return (method.test if is_plain else f"{method.test}, {method.corrected_by.short}") + WAYS[method.way][0]


def promised(method: Method) -> str:
    """Of what at most α is to be wrong.

    >>> promised(Method("t", "holm", "topics")), promised(Method("t", "holm", "topics", KINDS_TOGETHER))
    ('any pair', 'any pair, any kind')
    """
    return PROMISED[method.promise] + (", any kind" if method.way in ON_KINDS else "")


def the_test(test: str) -> str:
    """A test in a sentence.

    >>> the_test("t"), the_test("wilcoxon")
    ('the paired t-test', "Wilcoxon's signed-rank test")
    """
    return TESTS[test].the


def the(method: Method) -> str:
    """A method in a sentence.

    >>> the(Method("t", "holm", "topics")), the(Method("t", "none", "topics"))
    ("the paired t-test with Holm's correction", 'the paired t-test with no correction')
    """
    title, correction = the_test(method.test), method.corrected_by
    joined = "and" if " with " in title else "with"
    return (title if correction.is_of_test else f"{title} {joined} {correction.title}") + WAYS[method.way][1]


def world_told(world: str, units: str) -> str:
    """What a world is, in which topics, clusters or shards are drawn.

    >>> world_told("permuted", "topics")
    'on each topic systems change places at random, so that all are equally good and vary alike'
    """
    return _WORLDS[world].format(**_UNITS[units])


def share(rate: Rate) -> str:
    """A share of experiments with its Monte Carlo error.

    >>> share(Rate(0.0523, 0.0041, 0.04, 0.06, 400)), share(Rate(0.00523, 0.00041, 0.004, 0.006, 400))
    ('5.2 ± 0.4 %', '0.52 ± 0.04 %')
    """
    digits = 1 if rate.error >= 0.0005 else 2
    return f"{100 * rate.observed:.{digits}f} ± {100 * rate.error:.{digits}f} %"
