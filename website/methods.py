"""The page of methods, from their records: docs/methods.md, which `python -m website.methods` writes.

Formulas are those of docstrings, what is assumed and cited those of the records, and error rates those of calibration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from irgauge.inference.corrections import CORRECTIONS, Correction
from irgauge.inference.tests.record import Test
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.tests.sequence import SEQUENCE
from irgauge.show.bibtex import entry
from irgauge.show.references import REFERENCES
from irgauge.show.verdicts import COVERS
from irgauge.show.words import capital
from website.markup import anchor, block, code, prose, table, text
from website.method_records import INTERVALS, OF_POPULATIONS, Method
from website.rates import corrected, named, rates
from website.reference import explanation

PAGE = Path(__file__).parents[1] / "docs" / "methods.md"
LABELS: Mapping[str, str] = {  # of tests, in the table of calibration; those that are not here were not tried there
    "skewed-t": "skewed-t",
    "t": "paired t",
    "max-t": "max-t",
    "bootstrap-t": "bootstrap-t",
    "dunnett": "Dunnett",
    "tukey": "Tukey",
    "randomised-tukey": "randomised Tukey",
    "randomization": "randomization",
    "wilcoxon": "Wilcoxon",
    "bounded": "bounded",
    "unpaired-t": "unpaired t",
    "crossed-t": "crossed t",
}
INTRO = """# Methods

Every test, interval, correction and population of irgauge: its formula, what it assumes, how often it errs, and its
paper. [Which test when](which-test.md) says which to take; here is what each one computes. The page is made from the
code (`python -m website.methods`): formulas are the docstrings of the functions that compute them.

## How to read it

- Scores are y[topic, system], on shards y[topic, system, shard]; T topics, R systems, S shards. A pair of systems u, v
  has the differences d over topics (d_i on topic i, d_ik on its shard k), with mean d̄ and standard deviation s; μ_u is
  the mean of system u. MS is a mean square of the analysis of variance, df its degrees of freedom, α the level (0.05 if
  nothing is said), t(q; df) a quantile of Student's t, and Q that of the studentized range.
- How often it errs is counted where the truth is known: [calibration](calibration.md) has the worlds and all numbers.
  *any pair*: the share of experiments with any false difference; *each pair*: of pairs, each by itself; *false
  discoveries*: of what was found; *coverage*: how often intervals hold the truth. Of each, the table has the lowest and
  the highest cell, with its world and design (topics × systems, × shards), and how many cells are *liberal*: they break
  the promise by more than three Monte Carlo errors.
- The worst cell (the highest error, the lowest coverage) is that of many worlds, some of them made to break tests: 10
  topics that do not show a rare gain mislead every t-test. [Many looks](many-looks.md) has confidence sequences.
"""


def page() -> str:
    """Tests, intervals, corrections, populations, then all that is cited."""
    parts = [INTRO, "## Tests\n", *map(_test, _tests())]
    parts += ["## Intervals and margins\n", _BESIDE, *map(_method, INTERVALS)]
    parts += ["## Corrections\n", *map(_correction, CORRECTIONS.own.values())]
    parts += ["## Populations\n", _populations(), *map(_method, OF_POPULATIONS)]
    bibliography = block("bibtex", "\n\n".join(entry(key, REFERENCES[key]) for key in sorted(cited())))
    return "\n".join([*parts, "## BibTeX\n", bibliography])


_BESIDE = "Each test has its interval of a difference, above. These are the others.\n"


def _tests() -> tuple[Test, ...]:
    return (*TESTS.own.values(), SEQUENCE)


def cited() -> set[str]:
    """The keys of all papers on the page."""
    corrections: Iterable[Correction] = CORRECTIONS.own.values()
    records: Sequence[Test | Correction | Method] = [*_tests(), *INTERVALS, *corrections, *OF_POPULATIONS]
    return {key for record in records for key in record.references}


def _test(test: Test) -> str:
    title = text(test.corrected_by.title)
    how = f"Correction: {title}" if test.is_of_pairs else capital(title)
    covers = f"Covers: {', '.join(map(code, test.covers))}. {how}.\n"
    heading = f"### {code(test.name)}: {text(test.title)} {{ #test-{test.name} }}\n"
    measured = rates(named(LABELS[test.name])) if test.name in LABELS else ""
    return _section(heading, [test.function], [covers, _assumed(test.assumes)], measured, test.references)


def _method(method: Method) -> str:
    measured = rates(method.is_tried) if method.is_tried else ""
    heading = f"### {text(method.title)} {{ #{anchor(method.title)} }}\n"
    return _section(heading, method.formulas, [_assumed(method.assumes)], measured, method.references)


def _correction(record: Correction) -> str:
    heading = f"### {code(record.name)}: {text(record.title)} {{ #correction-{record.name} }}\n"
    said = [f"Limits: {record.promise}. {text(record.intervals_told)}\n", _assumed(record.assumes)]
    measured = rates(corrected(record.short))
    return _section(heading, [record.adjust], said, measured, record.references)


def _assumed(assumes: str) -> str:
    return f"Assumes: {prose(assumes)}.\n"


def _section(
    heading: str, formulas: Sequence[object], said: Sequence[str], measured: str, references: Sequence[str]
) -> str:
    """A method: its formulas, what is said of it, how often it errs, its papers."""
    papers = "".join(f"- {text(REFERENCES[key])}\n" for key in references)
    errs = f"How often it errs:\n\n{measured}" if measured else "It has no row of its own in calibration.\n"
    return "\n".join([heading, *map(explanation, formulas), *said, errs, *([papers] if papers else [])])


def _populations() -> str:
    rows = [[code(name), text(covers), ", ".join(_links(name))] for name, covers in COVERS.items()]
    return table(["population", "what claims cover", "how"], rows)


def _links(population: str) -> Iterator[str]:
    """To the tests and the formulas of a population."""
    for test in TESTS.own.values():
        if population in test.covers:
            yield f"[{code(test.name)}](#test-{test.name})"
    for method in OF_POPULATIONS:
        if population in method.populations:
            yield f"[{text(method.title)}](#{anchor(method.title)})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
