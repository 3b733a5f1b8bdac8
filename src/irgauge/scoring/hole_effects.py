"""How scores change where one unjudged document has the grade that gains most, and all others stay as they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.reading.collection import Collection
from irgauge.scoring.catalogue.unjudged import Counted, Weighed
from irgauge.scoring.hole_kernels import Lists, Stops, average_worth, stopping_worth
from irgauge.scoring.hole_lists import Holes
from irgauge.scoring.holes import JudgedTopic, empty_worth, gain_of_ideal
from irgauge.scoring.measures import Measure


class HoleEffects(NamedTuple):
    """The holes of a topic, and what each does to the lists of systems by a measure."""

    holes: Holes
    elsewhere: Floats  # list: change of its score where a document that it lacks is relevant
    added: Floats  # entry of the holes' lists down to the cut-off: what the document adds beyond that
    lists: Lists  # down to the cut-off

    def of_pair(self, first: int, second: int) -> Floats:
        """The change of the difference of two systems, first minus second; hole."""
        change = np.full(self.holes.count, self.elsewhere[first] - self.elsewhere[second])
        for system, sign in ((first, 1.0), (second, -1.0)):
            entries = slice(self.lists.starts[system], self.lists.stops[system])
            change[self.lists.ids[entries]] += sign * self.added[entries]
        return change

    def is_listed(self, first: int, second: int) -> Bools:
        """Whether one of two systems has it down to the cut-off; hole."""
        listed = np.zeros(self.holes.count, np.bool_)
        for system in (first, second):
            listed[self.lists.ids[self.lists.starts[system] : self.lists.stops[system]]] = True
        return listed


def effects_on(collection: Collection, measure: Measure, topic: int, holes: Holes, scores: Floats) -> HoleEffects:
    """Of a measure that has bounds, given the scores of the systems on the topic."""
    judged, own = JudgedTopic.of(collection, measure, topic, holes), np.append(scores, 0.0)
    lists, rule = judged.lists, measure.record.unjudged
    if judged.is_fixed or not holes.count:
        return HoleEffects(holes, np.zeros(len(own)), np.zeros(len(lists.ranks)), lists)
    if isinstance(rule, Counted):
        elsewhere, added = _of_counts(judged, rule)
    elif isinstance(rule, Weighed):
        elsewhere, added = _of_weights(judged, rule, own)
    else:
        raise NotImplementedError  # is refused before
    return HoleEffects(holes, elsewhere, added, lists)


def _of_counts(judged: JudgedTopic, rule: Counted) -> tuple[Floats, Floats]:
    counts, known = judged.by_number(rule), judged.known(judged.is_relevant)
    hits = [_hits(known, int(rank)) for rank in counts.ranks[:2]]
    now, then = (counts.weights[counts.kinds, number] for number in (0, 1))  # list
    is_counted = judged.lists.ranks <= counts.ranks[1]
    return then * hits[1] - now * hits[0], then[_list_of(judged.lists)] * is_counted


def _hits(known: Lists, rank: int) -> Ints:
    """How many documents each list has down to a rank."""
    above = np.concatenate([[0], np.cumsum(known.ranks <= rank)])
    return np.asarray(above[known.stops] - above[known.starts])


def _list_of(lists: Lists) -> Ints:
    """entry: the list that it is of; those below the cut-off are of the last, which is empty."""
    of_entry = np.full(len(lists.ranks), len(lists.starts) - 1)
    for number, (start, stop) in enumerate(zip(lists.starts, lists.stops, strict=True)):
        of_entry[start:stop] = number
    return of_entry


def _of_weights(judged: JudgedTopic, rule: Weighed, scores: Floats) -> tuple[Floats, Floats]:
    lists, unchanged = judged.lists, np.zeros(len(scores))
    if rule.kind == "average":
        worth, relevant = empty_worth(lists), judged.relevant
        average_worth(lists, judged.known(judged.is_relevant), worth)
        elsewhere = worth.known / (relevant + 1) - worth.known / max(relevant, 1)
        return elsewhere, worth.down / (relevant + 1)
    if rule.kind == "stopping":
        worth, known = empty_worth(lists), judged.known(judged.gains > 0)
        stopping_worth(lists, Stops(known, judged.gains[known.ids]), judged.highest, worth, np.empty(len(scores)))
        return unchanged, worth.up
    weights = judged.weights(rule)
    own = weights[lists.ranks]
    if rule.kind == "ideal":
        ideal = judged.ideal(weights)
        now, then = gain_of_ideal(ideal), gain_of_ideal(ideal, more=1)
        if then == 0:  # no grade gains anything
            return unchanged, np.zeros(len(own))
        return scores * (now / then - 1), judged.highest * own / then
    if rule.kind == "gains":
        return unchanged, judged.highest * own
    return unchanged, np.maximum(own - scores[_list_of(lists)], 0.0)
