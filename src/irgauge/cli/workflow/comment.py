"""The step that puts the page of a gate below the pull request: one comment, which later runs write anew."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

_LONGEST = 60_000  # characters of a page: GitHub takes comments of 65,536
_PAGES = 10  # of 100 comments, that are looked through for ours
_SECONDS = 30


def number_of(event: Mapping[str, Any]) -> int | None:
    """The pull request that an event is of; None where it is of none."""
    number = event.get("pull_request", {}).get("number")
    return number if isinstance(number, int) else None


def marked(page: str, name: str) -> str:
    """The page behind a mark that is not seen, by which the comment is found again; a long page is cut."""
    mark = f"<!-- irgauge gate {quote(name, safe='')} -->"
    if len(page) <= _LONGEST:
        return f"{mark}\n{page}"
    cut = page[:_LONGEST].rpartition("\n")[0]
    opened = cut.count("\n<details>") - cut.count("\n</details>")
    return f"{mark}\n{cut}\n{'</details>' * opened}\n\nThe page was cut here; all of it is in the summary of the job.\n"


class PullRequest:
    """The comments of a pull request."""

    def __init__(self, api: str, repository: str, number: int, token: str) -> None:
        self._comments = f"{api}/repos/{repository}/issues/{number}/comments"
        self._one = f"{api}/repos/{repository}/issues/comments"
        self._token = token

    def put(self, body: str) -> None:
        """Write our comment anew, or for the first time."""
        own = next(self._ours(body.partition("\n")[0]), None)
        if own is None:
            self._ask("POST", self._comments, {"body": body})
        else:
            self._ask("PATCH", f"{self._one}/{own}", {"body": body})

    def _ours(self, mark: str) -> Iterator[int]:
        """Our comment; one of somebody else with our mark is not ours."""
        for page in range(1, _PAGES + 1):
            comments = self._ask("GET", f"{self._comments}?per_page=100&page={page}")
            for comment in comments:
                is_bot = (comment["user"] or {}).get("type") == "Bot"  # nobody, of an account that is no more
                if is_bot and str(comment["body"]).startswith(f"{mark}\n"):
                    yield comment["id"]
            if len(comments) < 100:
                return

    def _ask(self, method: str, url: str, content: object = None) -> Any:  # noqa: ANN401  # JSON
        data = None if content is None else json.dumps(content).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/vnd.github+json"}
        if not url.startswith(("https://", "http://127.0.0.1:")):  # which the runner names; a token goes nowhere else
            raise URLError(f"'{url}' is no address of GitHub's API")
        with urlopen(Request(url, data, headers, method=method), timeout=_SECONDS) as answer:  # noqa: S310  # checked above
            return json.load(answer)


def main() -> int:
    """Comment where that is possible and permitted; where not, say so and go on."""
    environment = os.environ
    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = number_of(event)
    if number is None:
        return 0
    page = Path(environment["SUMMARY"]).read_text(encoding="utf-8")
    place = environment["GITHUB_API_URL"], environment["GITHUB_REPOSITORY"], number, environment["TOKEN"]
    try:
        PullRequest(*place).put(marked(page, environment.get("NAME", "")))
    except (HTTPError, URLError, TimeoutError) as error:
        print(f"::notice::no comment was made ({error}); the workflow needs `pull-requests: write`, which forks lack")  # noqa: T201  # the log
    return 0


if __name__ == "__main__":
    sys.exit(main())
