"""Replicates made the long way: runs and qrels are rewritten, then scored as any other data.

An image says how often each document stands in the replicate. A document that stands twice becomes two new
documents, side by side in every list and with the same judgment; one that stands zero times goes. A shard is
the image that holds its own documents once and no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pytrec_eval

from oracles.slow_measures import MEASURES, Case, order, value

Qrels = Mapping[str, Mapping[str, int]]  # topic, docno: grade (or stratum)
Run = Mapping[str, Mapping[str, float]]  # topic, docno: score
Image = Mapping[str, int]  # docno: how often it stands in the replicate

# measure as irgauge writes it: trec_eval's name of it, and the lowest relevant grade
TREC_EVAL: dict[str, tuple[str, int]] = {
    "AP": ("map", 1),
    "AP@3": ("map_cut_3", 1),
    "AP(rel=2)": ("map", 2),
    "AP(rel=3)@7": ("map_cut_7", 3),
    "P@1": ("P_1", 1),
    "P@5": ("P_5", 1),
    "P@1000": ("P_1000", 1),
    "P(rel=2)@4": ("P_4", 2),
    "R@2": ("recall_2", 1),
    "R@8": ("recall_8", 1),
    "R(rel=2)@4": ("recall_4", 2),
    "Rprec": ("Rprec", 1),
    "Rprec(rel=2)": ("Rprec", 2),
    "RR": ("recip_rank", 1),
    "RR(rel=2)": ("recip_rank", 2),
    "nDCG": ("ndcg", 1),
    "nDCG@1": ("ndcg_cut_1", 1),
    "nDCG@4": ("ndcg_cut_4", 1),
    "Bpref": ("bpref", 1),
    "Bpref(rel=2)": ("bpref", 2),
    "infAP": ("infAP", 1),
    "infAP(rel=2)": ("infAP", 2),
    "Success@1": ("success_1", 1),
    "Success(rel=2)@5": ("success_5", 2),
    "R_cap@5": ("relative_P_5", 1),
    "R_cap(rel=2)@2": ("relative_P_2", 2),
    "Rprec(multiple=0.2)": ("Rprec_mult_0.20", 1),
    "Rprec(multiple=1.8, rel=2)": ("Rprec_mult_1.80", 2),
    "IPrec@0.0": ("iprec_at_recall_0.00", 1),
    "IPrec@0.3": ("iprec_at_recall_0.30", 1),
    "IPrec(rel=2)@1.0": ("iprec_at_recall_1.00", 2),
    "IAP": ("11pt_avg", 1),
    "IAP(rel=2)": ("11pt_avg", 2),
    "SetP": ("set_P", 1),
    "SetP(rel=2, relative=True)": ("set_relative_P", 2),
    "SetR": ("set_recall", 1),
    "SetR(rel=2)": ("set_recall", 2),
    "SetF": ("set_F", 1),
    "SetAP": ("set_map", 1),
    "SetAP(rel=2)": ("set_map", 2),
    "Utility": ("utility", 1),
    "Rndcg": ("Rndcg", 1),
    "RelNDCG": ("ndcg_rel", 1),
    "G": ("G", 1),
    "BinG": ("binG", 1),
    "BinG(rel=2)": ("binG", 2),
}


def _copies(docno: str, image: Image) -> list[str]:
    return [f"{docno}~{copy}" for copy in range(image[docno])]


def shard_image(labels: Mapping[str, int], shard: int) -> Image:
    """The image that holds the documents of one shard, once each."""
    return {docno: int(label == shard) for docno, label in labels.items()}


def amended_run(run: Run, image: Image) -> dict[str, dict[str, float]]:
    """The run in which every document stands as often as in the image, in the run's order; no scores tie."""
    lists = {topic: [new for docno in order(scores) for new in _copies(docno, image)] for topic, scores in run.items()}
    return {
        topic: {docno: float(len(ranking) - place) for place, docno in enumerate(ranking)}
        for topic, ranking in lists.items()
        if ranking
    }


def amended_qrels(qrels: Qrels, image: Image) -> dict[str, dict[str, int]]:
    """The grades (or strata) of the documents that stand in the image."""
    return {
        topic: {new: grade for docno, grade in judged.items() for new in _copies(docno, image)}
        for topic, judged in qrels.items()
    }


def trec_eval(qrels: Qrels, run: Run, measure: str) -> dict[str, float]:
    """What trec_eval says of each topic of the qrels; 0 for one that is not in the run."""
    name, rel = TREC_EVAL[measure]
    found = pytrec_eval.RelevanceEvaluator(qrels, {name}, relevance_level=rel).evaluate(run)
    return {topic: found.get(topic, {name: 0.0})[name] for topic in qrels}


@dataclass(frozen=True)
class Amended:
    """A run and qrels that were rewritten, to be scored by any measure."""

    qrels: Qrels
    strata: Qrels
    run: Run
    highest: int  # grade, before anything was left out: that of the scale

    @cached_property
    def cases(self) -> dict[str, Case]:
        """By topic, for the slow measures."""
        return {
            topic: Case(order(self.run.get(topic, {})), self.qrels[topic], self.strata[topic], self.highest)
            for topic in self.qrels
        }

    def scores(self, measure: str) -> dict[str, float]:
        """The scores of each topic: trec_eval's where it has the measure, else the slow ones."""
        if measure not in TREC_EVAL:
            return {topic: value(measure, case) for topic, case in self.cases.items()}
        rel, _ = MEASURES[measure]
        found = trec_eval(self.qrels, self.run, measure)
        defined = {topic: any(grade >= rel for grade in grades.values()) for topic, grades in self.qrels.items()}
        return {topic: found[topic] if defined[topic] else value(measure, case) for topic, case in self.cases.items()}


def amended(qrels: Qrels, strata: Qrels, run: Run, image: Image, judged: Image | None = None) -> Amended:
    """The data in which every document stands as often as in the image.

    `judged` says how often each document stands in the judgments, where that is not as often as in the image.
    """
    counted = image if judged is None else judged
    highest = max(grade for grades in qrels.values() for grade in grades.values())
    return Amended(amended_qrels(qrels, counted), amended_qrels(strata, counted), amended_run(run, image), highest)
