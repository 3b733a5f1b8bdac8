"""What was measured, on which replicates, with which fill, as facts of every result that rests on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from irgauge.nouns import REPLICATES, names_with, noun_of_column, plural
from irgauge.provenance import Fact, fact
from irgauge.scoring.measures import Measure
from irgauge.scoring.transforms import TRANSFORMS
from irgauge.wording import counted, listed, some

_FILLS: Mapping[str, str] = {
    "drop": "topics with undefined scores left out",
    "redraw": "splits drawn again until no score is undefined",
    "unbalanced": "undefined scores left out, and the others fitted by least squares",
}
_DRAWN = {"documents": "documents", "topics": "topics", "both": "documents and topics"}
_UNDEFINED_TOPICS = {"zero": "scores 0", "skip": "is left out of it"}


@fact()
def measures(names: Sequence[str]) -> str:
    """What was scored."""
    return listed(list(names))


def scores_by(names: Sequence[str]) -> Fact:
    """What was scored, where tables show means of scores as they are: by some measures these are logarithms.

    Nothing is said of ln(…): its name says so, and on a log scale tables show no logarithms.
    """
    each = map(Measure.read, names)
    logs = [str(measure) for measure in each if measure.over_topics == "geometric mean" and measure.logged is None]
    note = (
        f"Scores by {listed(logs)} are logarithms; e to the power of their mean is the geometric mean." if logs else ""
    )
    return replace(measures(names), under_table=note)


@fact()
def transform(name: str) -> str:
    """On which scale scores are, by which formula, and what a difference is there."""
    record = TRANSFORMS[name]
    return f"scores transformed by {name}: {record.formula} ({record.source}); {record.difference}"


@fact("size")
def systems(count: int, *, kept: str = "all", by: str | None = None, given: int | None = None) -> str:
    """How many systems; where not all were kept, which."""
    text = counted(count, "system")
    if kept == "all":
        return text
    if given is None:
        return f"{text} (kept: {kept}{'' if by is None else f' by {by}'})"
    return f"{text} (the best of {given} by {by})"


@fact("size")
def topics(count: int | tuple[int, int]) -> str:
    """How many topics; of several splits, from the fewest to the most."""
    return counted(count, "topic") if isinstance(count, int) else f"{count[0]:,} to {count[1]:,} topics"


@fact("size")
def shard_count(count: int) -> str:
    """How many shards."""
    return counted(count, "shard")


@fact()
def dropped(names: Sequence[str]) -> str:
    """Topics that were left out, since they have undefined scores."""
    return f"{counted(len(names), 'topic')} left out ({some(list(names))})"


@fact()
def shards(spec: str | Sequence[str], *, split: int | None = None) -> str:
    """One way to split, or several."""
    named = spec if isinstance(spec, str) else listed(list(spec))
    return f"shards {named}, split {split}" if split else f"shards {named}"


@fact()
def seed(number: int) -> str:
    """What draws depend on."""
    return f"seed {number}"


@fact()
def fill(name: str, *, undefined: int | None = None, shares: Mapping[str, float] | None = None) -> str:
    """What was done about undefined scores, and how many there are, where that is known."""
    if name in _FILLS:
        return _FILLS[name]
    if undefined == 0:
        return "no undefined scores"
    share = "" if not shares or undefined is None else f" ({_shares(shares.values())})"
    return f"{'' if undefined is None else f'{undefined:,} '}undefined scores{share} filled with {name}"


def _shares(shares: Collection[float]) -> str:
    """Of each measure, from the least to the most."""
    least, most = min(shares), max(shares)
    return f"{100 * least:.2g} %" if least == most else f"by measure {100 * least:.2g} to {100 * most:.2g} %"


def replicates(count: int | None, column: str | None, names: Collection[str]) -> Fact:
    """Of a table: how many, and what people read instead of shards; names of systems and topics stay."""
    noun = noun_of_column(column)
    text = "" if count is None else f"{count:,} {plural(noun)}"
    return Fact(REPLICATES, count, text, record={"noun": noun, "names": tuple(sorted(names_with(names)))})


@fact()
def wordings(fewest_and_most: tuple[int, int], *, column: str, is_shared: bool) -> str:
    """That scores are means over so many wordings of a need, and what that covers."""
    each = " to ".join(str(count) for count in dict.fromkeys(fewest_and_most))
    covers = "the same for all needs: claims are for other needs with these" if is_shared else "of each need its own"
    return f"scores are means over {each} wordings of a need (column {column}; {covers})"


@fact()
def images(count: int) -> str:
    """How often the corpus, or the topics, were drawn."""
    return counted(count, "image")


@fact()
def draw(what: str) -> str:
    """What an image draws."""
    return f"each draws as many {_DRAWN[what]} as there are, with replacement"


@fact()
def undefined_topics(choice: str, *, where: str, shares: Mapping[str, float] | None) -> str:
    """What becomes of topics without relevant documents, and how many there are."""
    share = f" ({_shares(shares.values())} of topics and images)" if shares else ""
    parts = ("a topic without relevant documents", where, _UNDEFINED_TOPICS[choice])
    return " ".join(filter(None, parts)) + share


@fact()
def instances(counts: Mapping[str, int]) -> str:
    """How many instances each algorithm has."""
    each = sorted(set(counts.values()))
    ends = f"{each[0]} each" if len(each) == 1 else f"{each[0]} to {each[-1]} each"
    return f"{counted(sum(counts.values()), 'instance')} of {counted(len(counts), 'algorithm')} ({ends})"


@fact()
def grouped(runs: int) -> str:
    """Of which runs the means over groups are the instances."""
    return f"instances are means over groups of runs, of {runs:,} in all"


@fact()
def missing_cells(cells: int) -> str:
    """Instances that lack topics."""
    return counted(cells, "missing cell")
