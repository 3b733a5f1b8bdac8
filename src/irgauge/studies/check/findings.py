"""What a check says: whether the data can be used, then what is wrong, what is odd and what is good to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.replicates.undefined import MANY_UNDEFINED
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, ended, listed, some
from irgauge.studies.check.facts import LITTLE_JUDGED, MEASURE, TOP, RunFacts, Uneven
from irgauge.studies.check.study import FEW_RELEVANT, Checked, Prospect, Prospects
from irgauge.studies.check.table_facts import TableFacts
from irgauge.studies.check.table_findings import findings_of_table
from irgauge.studies.grades_told import graded
from irgauge.studies.run_lists import MANY_TIES, SHALLOW

FEW_TOPICS = 25
_TONES = ("finding", "error", "warning", "note")  # in the order in which they are read


def findings(result: Checked) -> Iterator[Finding]:
    """The verdict, then errors, warnings and notes."""
    sentences = list(_of_runs_and_judgments(result) if result.read_as is None else _of_scores(result, result.read_as))
    yield from sorted(sentences, key=lambda finding: _TONES.index(finding.tone))


def _of_scores(result: Checked, table: TableFacts) -> Iterator[Finding]:
    yield from findings_of_table(result, table)
    if result.topics < FEW_TOPICS:
        yield few_topics(topics=result.topics)


def _of_runs_and_judgments(result: Checked) -> Iterator[Finding]:
    yield from (
        verdict(usable=result.is_usable, runs=len(result.failures) + _lacking(result)),
        *(unusable(path=failure.path, line=failure.line, reason=failure.reason) for failure in result.failures),
        *findings_of_ranks(result),
        *_of_topics(result),
        *(joined(system=note.system, text=note.text) for note in result.notes),
        *_of_runs(result.runs),
        *(() if result.has_files else [unread()]),
        *_of_judged(result.uneven),
        *findings_of_prospects(result.prospects),
        *(twin(first=first, second=second) for first, second in result.twins),
    )


def _lacking(result: Checked) -> int:
    """Runs that cannot be used for the topics that they do not answer."""
    return len(result.missing.topics_of) if result.missing.is_refused else 0


@sentence("verdict", claims=())
def verdict(*, usable: bool, runs: int) -> str:
    """Whether the data can be used."""
    if usable:
        return "The data can be used."
    return f"The data cannot be used until {counted(runs, 'run')} {'is' if runs == 1 else 'are'} fixed or removed."


@sentence("unusable", "error")
def unusable(*, path: str | None, line: int | None, reason: str) -> str:
    """A run that cannot be used."""
    place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
    return f"{place}{reason}."


def _of_topics(result: Checked) -> Iterator[Finding]:
    if result.topics < FEW_TOPICS:
        yield few_topics(topics=result.topics)
    if result.few_relevant:
        yield few_relevant(topics=result.few_relevant)
    if result.grades[-1] > 1:
        tasks, rel = result.convention or (None, 2)
        yield graded(highest=result.grades[-1], tasks=tasks, rel=rel)
    if result.grades[0] < 0:
        yield unsampled(lowest=result.grades[0])


@sentence("few-topics", "warning")
def few_topics(*, topics: int) -> str:
    """Fewer topics than differences need."""
    return f"There {'is' if topics == 1 else 'are'} only {counted(topics, 'topic')}; on fewer than {FEW_TOPICS}, " + (
        "only large differences show."
    )


@sentence("few-relevant", "note")
def few_relevant(*, topics: Sequence[str]) -> str:
    """Topics with few relevant documents."""
    few = f"fewer than {FEW_RELEVANT} relevant documents"
    if len(topics) == 1:
        return f"Topic {topics[0]} has {few}; its scores are coarse."
    return f"Topics {some(topics)} have {few}; their scores are coarse."


@sentence("unsampled", "note")
def unsampled(*, lowest: int) -> str:
    """Grades below 0."""
    return f"Grades go down to {lowest}: below 0 are documents of the pool that were not judged, for infAP and xinfAP."


@sentence("join", "warning")
def joined(*, system: str | None, text: str) -> str:
    """What was noted when runs and judgments were joined."""
    return ended(text if system is None else f"{system}: {text}")


def _of_runs(runs: Sequence[RunFacts]) -> Iterator[Finding]:
    """One finding for each kind of oddity, with the runs that show it."""
    deepest = max(run.depth for run in runs)
    if counts := {run.system: run.all_tied for run in runs if run.all_tied}:
        yield all_tied(topics=counts)
    if shares := {run.system: run.tied for run in runs if run.tied is not None and run.tied > MANY_TIES}:
        yield tied(shares=shares)
    if shares := {run.system: run.judged_10 for run in runs if run.judged_10 < LITTLE_JUDGED}:
        yield little_judged(shares=shares)
    if counts := {run.system: run.depth for run in runs if run.depth < SHALLOW * deepest}:
        yield shallow(depths=counts, deepest=deepest)


@sentence("unread", "note")
def unread() -> str:
    """That facts of files are not there."""
    return "Tied scores and rank columns were not looked at, since the runs were loaded before; give their files."


@sentence("all-tied", "warning")
def all_tied(*, topics: Mapping[str, int]) -> str:
    """Topics on which scores order nothing."""
    runs = named({system: counted(count, "topic") for system, count in topics.items()})
    return f"On some topics all scores are tied, so that docnos decide the order: {runs}."


@sentence("tied", "note")
def tied(*, shares: Mapping[str, float]) -> str:
    """Runs with many ties."""
    runs = named({system: whole_percent(share) for system, share in shares.items()})
    return (
        f"More than {whole_percent(MANY_TIES)} of the documents have tied scores in {runs}; docnos decide their order."
    )


@sentence("little-judged", "warning")
def little_judged(*, shares: Mapping[str, float]) -> str:
    """Runs whose top ranks are little judged."""
    runs = named({system: whole_percent(share) for system, share in shares.items()})
    whose = "its" if len(shares) == 1 else "their"
    return (
        f"Less than {whole_percent(LITTLE_JUDGED)} of the top 10 is judged in {runs}; {whose} scores are lower bounds."
    )


def _of_judged(uneven: Uneven | None) -> Iterator[Finding]:
    if uneven is not None:
        shares = {uneven.most: uneven.most_judged, uneven.least: uneven.least_judged}
        yield unevenly_judged(shares=shares)


@sentence("unevenly-judged", "warning")
def unevenly_judged(*, shares: Mapping[str, float]) -> str:
    """Runs of which more is judged than of others."""
    (most, most_judged), (least, least_judged) = shares.items()
    return (
        f"Of the top 10, {whole_percent(most_judged)} is judged in {most}, but {whole_percent(least_judged)} in "
        f"{least}: comparisons favour runs that are judged more. Look at Judged@10, or score judged documents only, as "
        "nDCG(judged_only=True)@10 does."
    )


@sentence("shallow", "note")
def shallow(*, depths: Mapping[str, int], deepest: int) -> str:
    """Runs that are much shorter than others."""
    runs = named({system: f"depth {depth}" for system, depth in depths.items()})
    deep = f"{whole_percent(SHALLOW)} as deep as the deepest run ({deepest:,})"
    return f"Runs that are less than {deep} lose in measures that count recall: {runs}."


@sentence("twins", "warning")
def twin(*, first: str, second: str) -> str:
    """Runs that rank alike."""
    return f"{second} ranks the same documents in the same order as {first}."


Help = Mapping[str, Mapping[str, float]]  # system -> topics, and its scores by score and by rank


def findings_of_ranks(result: Checked) -> Iterator[Finding]:
    """Runs that are upside down by their ranks, others that contradict them, and such as have none and rise."""
    upside_down = [run for run in result.runs if run.is_contradicting and run.is_inverted]
    if upside_down:
        yield inverted(runs=_told(result, upside_down))
    if others := [run for run in result.runs if run.is_contradicting and not run.is_inverted]:
        yield contradicting(runs=_told(result, others))
    if topics := {run.system: run.rising or 0 for run in result.runs if run.is_rising}:
        yield rising(topics=topics)


def _told(result: Checked, runs: Sequence[RunFacts]) -> Help:
    either = {run.system: {"by_score": run.by_score, "by_rank": run.by_rank} for run in result.reordered}
    return {run.system: {"topics": run.contradicting or 0, "of": run.lists or 0} | either[run.system] for run in runs}


@sentence("inverted", "warning")
def inverted(*, runs: Help) -> str:
    """Scores that rise with the rank."""
    return (
        f"Scores rise with the rank column in {_named(runs)}. Are they distances? The highest score comes first here, "
        "as in trec_eval; if the ranks are right, change the sign of the scores."
    )


@sentence("contradicting", "warning")
def contradicting(*, runs: Help) -> str:
    """Scores that order documents otherwise than ranks do."""
    return (
        f"The rank column contradicts the scores in {_named(runs)}. Scores decide here, as in trec_eval; if the ranks "
        "are right, write scores that fall with the rank."
    )


@sentence("rising", "warning")
def rising(*, topics: Mapping[str, int]) -> str:
    """Scores that may be distances, where no ranks say so."""
    systems = named({system: counted(count, "topic") for system, count in topics.items()})
    return f"Scores rise down the file; are they distances? Higher is better here: {systems}."


def _named(runs: Help) -> str:
    return named(
        {
            system: f"{run['topics']} of {counted(int(run['of']), 'topic')}; {MEASURE} {run['by_score']:.3f}, "
            f"by rank {run['by_rank']:.3f}"
            for system, run in runs.items()
        }
    )


def findings_of_prospects(ahead: Prospects) -> Iterator[Finding]:
    """Too many undefined cells, and cut-offs that reach below the judged depth."""
    if prospects := ahead.sparse:
        yield sparse(
            shares={replicates(prospect): prospect.undefined for prospect in prospects}, most_shards=ahead.most_defined
        )
    if below := ahead.unjudged:
        yield below_judged(
            shards=below.shards or 1, reach=below.reach, judged=below.judged, most_shards=ahead.most_judged
        )


def replicates(prospect: Prospect) -> str:
    """Shards or images, by their name."""
    return "images" if prospect.shards is None else f"{prospect.shards} shards"


@sentence("sparse", "warning")
def sparse(*, shares: Mapping[str, float], most_shards: int) -> str:
    """Shards or images that would leave many cells undefined."""
    cases = listed([f"{whole_percent(share)} in {what}" for what, share in shares.items()])
    most = whole_percent(MANY_UNDEFINED)
    if most_shards == 1:
        fine = f"Any split leaves more than {most}; use the whole corpus"
    else:
        fine = f"Up to {most_shards} shards leave at most {most}"
    return f"Topics would be left without a relevant document: {cases}. {fine}."


@sentence("below-judged", "warning")
def below_judged(*, shards: int, reach: int, judged: float, most_shards: int) -> str:
    """Shards whose cut-off reaches below the judged depth."""
    fine = "only the whole corpus stays" if most_shards == 1 else f"up to {counted(most_shards, 'shard')} stay"
    return (
        f"In {shards} shards a top {TOP} reaches to rank {reach} of the list, down to which {whole_percent(judged)} is "
        f"judged in the median run; {fine} above {whole_percent(LITTLE_JUDGED)}."
    )


def named(values: Mapping[str, str]) -> str:
    """Runs with what is said of each.

    >>> named({"a": "50 %", "b": "10 %"})
    'a (50 %) and b (10 %)'
    """
    return some([f"{system} ({value})" for system, value in values.items()])


def whole_percent(share: float) -> str:
    """A share in whole per cents.

    >>> whole_percent(0.123)
    '12 %'
    """
    return f"{100 * share:.0f} %"
