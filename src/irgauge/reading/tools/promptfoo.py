"""Results of promptfoo: `results.json`, and its JSON lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores, records_of

_RESULT = {"provider", "score", "success", "vars"}
_FILE = {"stats", "prompts", "version"}
_ERROR = 2  # why a result failed: the provider did, not an assertion
_LONGEST = 40  # characters of a prompt's label in the name of a system
Placed = tuple[int | str, Record]


def _looks(content: Content) -> bool:
    inner = content.first.get("results")
    if content.is_object and isinstance(inner, Mapping) and not _FILE.isdisjoint(inner):
        return "results" in inner or "evalId" in content.first
    return content.first.keys() >= _RESULT


def _scores(content: Content) -> ToolScores:
    inner = content.first.get("results")
    results: list[Placed] = (
        list(records_of(inner.get("results"), "results.results", content))
        if isinstance(inner, Mapping)
        else list(enumerate(content.records))
    )
    if not results:
        raise content.error("promptfoo results without results: was the evaluation run to its end?")
    return ToolScores(list(_rows(results, content)))


def _rows(results: Sequence[Placed], content: Content) -> Iterator[Row]:
    """A row for each score; a test that a system has again is repeated, as --repeat numbers its tests anew."""
    prompts = list(dict.fromkeys(_prompt(result) for _, result in results))
    columns: dict[str, object] = {}  # of each system: which column of the evaluation it is
    numbers: dict[str, object] = {}  # of each test: where it came first
    times: Counter[tuple[str, str]] = Counter()
    for place, result in results:
        system, test = _system(result, prompts), _test(result)
        if columns.setdefault(system, result.get("promptIdx")) != result.get("promptIdx"):
            raise content.error(f"two providers or prompts are called '{system}'; give each its own label", place)
        topic = numbers.setdefault(test, result.get("testIdx", len(numbers)))
        times[system, test] += 1
        for measure, score in _measured(result, place, content).items():
            yield Row(topic, measure, score, place, system, times[system, test], _about(result), _variables(result))


def _measured(result: Record, place: int | str, content: Content) -> dict[str, Any]:
    """The score of all assertions, and those that have names; none where the provider failed."""
    if "score" not in result:
        raise content.error("a result of promptfoo without 'score'; fix the file", place)
    named = result.get("namedScores")
    scores = {"score": result["score"], **(named if isinstance(named, Mapping) else {})}
    return dict.fromkeys(scores) if result.get("failureReason") == _ERROR else scores


def _system(result: Record, prompts: Sequence[str]) -> str:
    """The provider, and which prompt it was given, where there are several."""
    provider = result.get("provider")
    name = (provider.get("label") or provider.get("id")) if isinstance(provider, Mapping) else provider
    if len(prompts) == 1:
        return str(name)
    prompt = _prompt(result)
    is_short = 0 < len(prompt) <= _LONGEST and "\n" not in prompt
    return f"{name} / {prompt if is_short else f'prompt {prompts.index(prompt) + 1}'}"


def _prompt(result: Record) -> str:
    prompt = result.get("prompt")
    return str(prompt.get("label") or prompt.get("raw") or "") if isinstance(prompt, Mapping) else str(prompt or "")


def _test(result: Record) -> str:
    """What tells tests apart: their variables, descriptions and assertions."""
    case = result.get("testCase")
    parts = [case.get("description"), case.get("assert")] if isinstance(case, Mapping) else []
    return json.dumps([result.get("vars"), *parts], sort_keys=True)


def _variables(result: Record) -> str:
    return json.dumps(result.get("vars"), sort_keys=True)


def _about(result: Record) -> dict[str, Any]:
    case = result.get("testCase")
    parts = case if isinstance(case, Mapping) else {}
    described = {"description": parts.get("description")}
    given = [own for own in (result.get("vars"), parts.get("metadata")) if isinstance(own, Mapping)]
    return described | {name: value for own in given for name, value in own.items()}


TOOL = Tool(
    "promptfoo results",
    "providers (with prompts) are systems, tests topics, score and named scores measures, repetitions replicates",
    _looks,
    _scores,
    replicate="repetition",
)
