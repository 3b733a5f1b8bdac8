"""Results that Hugging Face's `evaluate.save` writes: scores of examples where a metric gives them, as BERTScore does.

Its schema is that of evaluate 0.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irgauge.reading.tools.tool import Content, Row, Tool, ToolScores

_NAME = "a result of Hugging Face evaluate"
_BERTSCORE = "hashcode"  # what BERTScore alone gives beside precision, recall and f1
_OF_ORDERS = ("precisions", "counts", "totals")  # lists of BLEU, by the order of n-grams


def _looks(content: Content) -> bool:
    return content.is_object and "_evaluate_version" in content.first


def _scores(content: Content) -> ToolScores:
    lists = {name: values for name, values in content.first.items() if name not in _OF_ORDERS and _is_scores(values)}
    if len({len(values) for values in lists.values()}) != 1:
        raise content.error(
            f"{_NAME} without scores of examples: it has one number for all; save those of each example, as "
            "`metric.compute` gives them for one at a time (of ROUGE with use_aggregator=False)"
        )
    model = content.first.get("model")
    of = "bertscore_" if _BERTSCORE in content.first else ""
    return ToolScores(_rows(lists, of), model if isinstance(model, str) else None)


def _is_scores(values: object) -> bool:
    return isinstance(values, list) and len(values) > 1 and all(isinstance(value, int | float) for value in values)


def _rows(lists: Mapping[str, list[float]], of: str) -> Iterator[Row]:
    for name, values in lists.items():
        for number, score in enumerate(values):
            yield Row(number + 1, f"{of}{name}", score, f"{name}[{number}]")


TOOL = Tool(_NAME, "a file is a system, an example a topic, a list of scores a measure", _looks, _scores)
