"""Which scores of a measure are better, higher or lower ones: how it is written, and what names of columns tell."""

from __future__ import annotations

import re
from typing import Literal, get_args

from irgauge.errors import DesignError

Direction = Literal["higher", "lower"]
HIGHER: Direction = "higher"
LOWER: Direction = "lower"
_SIGNS: dict[Direction, int] = {HIGHER: 1, LOWER: -1}
# fmt: off
_LOWER_WORDS = frozenset((
    "latency", "latencies", "time", "times", "duration", "elapsed", "runtime", "delay", "seconds", "secs", "msec",
    "millis", "milliseconds", "took", "lag", "wait", "ttfb", "ttft", "cost", "costs", "price", "usd", "memory", "cpu",
    "error", "errors", "err", "rmse", "mse", "mae", "wer", "cer", "fpr", "fnr", "eer", "loss", "losses", "nll",
    "brier", "perplexity", "ppl", "tokens", "hallucination", "hallucinations", "toxicity", "bias", "regret", "penalty",
    "distance", "timeout", "timeouts", "failure", "failures", "fail", "failed", "exception", "exceptions", "crash",
    "crashes", "retry", "retries", "bounce", "bounces", "abandon", "abandoned", "abandonment", "reformulation",
    "reformulations", "refusal", "refusals", "violation", "violations", "complaint", "complaints", "duplicates",
    "unjudged", "maliciousness", "harmfulness", "harmful", "harm", "toxic", "unsafe", "incorrect", "wrong", "mistakes",
))  # what columns of which less is better are called
_HIGHER_WORDS = frozenset((
    "score", "scores", "value", "accuracy", "acc", "precision", "prec", "recall", "f", "fscore", "ndcg", "dcg", "map",
    "ap", "gmap", "mrr", "rr", "rbp", "bpref", "rprec", "hit", "hits", "success", "auc", "auroc", "kappa", "tau",
    "rho", "correlation", "pearson", "spearman", "mcc", "tpr", "sensitivity", "specificity", "faithfulness",
    "faithful", "factuality", "factual", "truthfulness", "relevancy", "relevance", "relevant", "correctness",
    "correct", "groundedness", "grounded", "grounding", "similarity", "quality", "rating", "ratings", "stars", "grade",
    "satisfaction", "helpfulness", "helpful", "usefulness", "useful", "utility", "usability", "utilization",
    "coherence", "fluency", "completeness", "conciseness", "consistency", "alignment", "adherence", "support",
    "supported", "coverage", "diversity", "novelty", "robustness", "click", "clicks", "clicked", "ctr", "cvr",
    "conversion", "conversions", "revenue", "purchases", "sales", "engagement", "gain", "gains", "reward", "win",
    "wins", "pass", "passed", "exact", "match", "includes", "em", "rouge", "bleu", "meteor", "bertscore", "bleurt",
    "comet", "chrf", "throughput", "qps", "answered", "solved", "resolved",
))  # and of which more is
_DOUBTFUL_WORDS = frozenset((
    "zero", "no", "non", "not", "without", "false", "missed", "low", "bad", "negative", "rank", "position", "to",
    "until", "gap", "drop", "std", "stddev", "sd", "var", "variance", "deviation",
))  # which turn what is higher elsewhere, as in zero_clicks and score_std
# fmt: on
_LATENCIES = re.compile(r"(?:^|[^a-z])(?:response|p(?:50|75|90|95|99|999))(?![a-z0-9])", re.IGNORECASE)
_LOWER_PHRASES = re.compile(
    r"(?<!non)(?<!non[_ -])(?:zero|empty|null|\bno|[_ -]no)[_ -]?(?:results?|hits?|answers?)|noise[_ -]?sensitivity",
    re.IGNORECASE,
)
_UNITS = ("ms", "sec", "s")  # behind a number's name, such as p95_ms
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def sign_of(direction: Direction) -> int:
    """1 where more is better, −1 where less is."""
    return _SIGNS[direction]


def opposite(direction: Direction) -> Direction:
    """The other one."""
    return LOWER if direction == HIGHER else HIGHER


def parted(text: str) -> tuple[str, Direction | None]:
    """A measure and its direction, as they are written in options; None where none is.

    >>> parted("latency_ms:lower"), parted("nDCG(gains={1: 2})@10")
    (('latency_ms', 'lower'), ('nDCG(gains={1: 2})@10', None))
    """
    name, _, last = text.rpartition(":")
    for direction in get_args(Direction):
        if name and last.strip() == direction:
            return name.strip(), direction
    return text, None


def is_usually_lower(name: str) -> bool:
    """Whether columns of such a name usually hold what is better when there is less of it.

    >>> is_usually_lower("latency_ms"), is_usually_lower("responseTime"), is_usually_lower("timely")
    (True, True, False)
    >>> is_usually_lower("zero_result_rate"), is_usually_lower("p95_response"), is_usually_lower("response_relevancy")
    (True, True, False)
    >>> is_usually_lower("noise_sensitivity(mode=relevant)"), is_usually_lower("sensitivity")
    (True, False)
    """
    words = _words(name)
    if not _LOWER_WORDS.isdisjoint(words) or _LOWER_PHRASES.search(name) or (len(words) > 1 and words[-1] in _UNITS):
        return True
    return _LATENCIES.search(name) is not None and _HIGHER_WORDS.isdisjoint(words)


def is_usually_higher(name: str) -> bool:
    """Whether columns of such a name usually hold what is better when there is more of it.

    >>> is_usually_higher("answer_relevancy"), is_usually_higher("latency_ms"), is_usually_higher("depth")
    (True, False, False)
    """
    words = _words(name)
    is_plain = _DOUBTFUL_WORDS.isdisjoint(words) and not is_usually_lower(name)
    return is_plain and not _HIGHER_WORDS.isdisjoint(words)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


def checked(direction: str, name: str) -> Direction:
    """A direction by its name; another is refused."""
    if direction not in _SIGNS:
        raise DesignError(f"the direction of {name} is '{direction}'; it is 'higher' or 'lower'")
    return direction
