"""What Urbano, Lima and Hanjalic conclude, each as a rule that numbers keep or break: theirs, and ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from benchmarks.tests_of_means.published import Rates
from benchmarks.tests_of_means.scores import MEASURES
from benchmarks.tests_of_means.table import POWER, SAME_MARGIN, TYPE_III

NOMINAL = 5.0  # percent
_NEAR = 0.5  # of the nominal rate
_CLEAR = 1.0  # too often, by so much
_TESTS = ("t", "wilcoxon", "sign", "permutation", "bootstrap")  # theirs
_FEW = ("P@10", "RR")  # measures of few values
TOPICS = (25, 50, 100)
Found = dict[str, Rates]  # by what was counted


Rule = Callable[[Found, str, int], bool]  # of a measure and a number of topics


@dataclass(frozen=True)
class Conclusion:
    """A sentence, the rule that it makes for each measure and number of topics, and the numbers to show."""

    text: str
    rule: Rule
    what: str
    test: str
    measures: tuple[str, ...] = tuple(MEASURES)
    topics: tuple[int, ...] = TOPICS

    def exceptions(self, found: Found) -> list[tuple[str, int]]:
        """The measures and numbers of topics that break the rule."""
        cells = product(self.measures, self.topics)
        return [(measure, topics) for measure, topics in cells if not self.rule(found, measure, topics)]

    def rates(self, found: Found) -> list[float]:
        """The numbers to show."""
        return [found[self.what][measure, topics, self.test] for measure, topics in product(self.measures, self.topics)]


def _is_near(test: str) -> Rule:
    return lambda found, measure, topics: abs(found[SAME_MARGIN][measure, topics, test] - NOMINAL) <= _NEAR


def _errs_more_with_topics(test: str) -> Rule:
    def rule(found: Found, measure: str, _: int) -> bool:
        few, some, many = (found[SAME_MARGIN][measure, topics, test] for topics in TOPICS)
        return few < some < many and many > NOMINAL + _CLEAR

    return rule


def _is_liberal_with_few_topics(found: Found, measure: str, _: int) -> bool:
    few, some, many = (found[SAME_MARGIN][measure, topics, "bootstrap"] for topics in TOPICS)
    return few > NOMINAL + _CLEAR and few > some > many > NOMINAL


def _is_too_seldom(found: Found, measure: str, topics: int) -> bool:
    return found[SAME_MARGIN][measure, topics, "sign"] < NOMINAL - _CLEAR


def _has_most(what: str, test: str) -> Rule:
    others = [one for one in _TESTS if one != test]
    return lambda found, measure, topics: (
        found[what][measure, topics, test] > max(found[what][measure, topics, other] for other in others)
    )


def _has_least(found: Found, measure: str, topics: int) -> bool:
    rates = [found[POWER][measure, topics, test] for test in _TESTS]
    return found[POWER][measure, topics, "sign"] == min(rates)


def _are_alike(found: Found, measure: str, topics: int) -> bool:
    return abs(found[POWER][measure, topics, "t"] - found[POWER][measure, topics, "permutation"]) <= _CLEAR


def _is_stronger(found: Found, measure: str, topics: int) -> bool:
    return found[POWER][measure, topics, "wilcoxon"] > found[POWER][measure, topics, "t"]


def _is_rare(found: Found, measure: str, topics: int) -> bool:
    return max(found[TYPE_III][measure, topics, test] for test in _TESTS) < 3


CONCLUSIONS = (
    Conclusion("The t-test errs as often as it should, within half a point.", _is_near("t"), SAME_MARGIN, "t"),
    Conclusion("So does the permutation test.", _is_near("permutation"), SAME_MARGIN, "permutation"),
    Conclusion(
        "The bootstrap errs too often with 25 topics, by a point or more, and less with more topics.",
        _is_liberal_with_few_topics,
        SAME_MARGIN,
        "bootstrap",
    ),
    Conclusion(
        "With AP, Wilcoxon's test errs too often, and the more topics the more: it is not about means.",
        _errs_more_with_topics("wilcoxon"),
        SAME_MARGIN,
        "wilcoxon",
        ("AP",),
    ),
    Conclusion("So does the sign test.", _errs_more_with_topics("sign"), SAME_MARGIN, "sign", ("AP",)),
    Conclusion("With 25 topics and P@10 or RR, it errs too seldom.", _is_too_seldom, SAME_MARGIN, "sign", _FEW, (25,)),
    Conclusion(
        "The bootstrap has the most power, as it is liberal.", _has_most(POWER, "bootstrap"), POWER, "bootstrap"
    ),
    Conclusion("With AP and P@10, the sign test has the least power.", _has_least, POWER, "sign", ("AP", "P@10")),
    Conclusion("t and permutation have the same power, within a point.", _are_alike, POWER, "permutation"),
    Conclusion("With AP, Wilcoxon's test finds more than the t-test.", _is_stronger, POWER, "wilcoxon", ("AP",)),
    Conclusion("Errors in the wrong direction are rare: below 3 % at δ = 0.01.", _is_rare, TYPE_III, "bootstrap"),
    Conclusion(
        "With 100 topics, the sign test makes most of them.",
        _has_most(TYPE_III, "sign"),
        TYPE_III,
        "sign",
        topics=(100,),
    ),
)
