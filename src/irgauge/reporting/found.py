"""Found: what a part of a report gives that is of no single study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from irgauge.provenance import Provenance
from irgauge.show.finding import Finding


class Found:
    """The base of the frozen results of parts."""

    @property
    def provenance(self) -> Provenance:
        """How it came about."""
        raise NotImplementedError

    def provenance_for(self, population: str | None) -> Provenance:  # noqa: ARG002  # most have one for all
        """How what is said of a population came about."""
        return self.provenance

    def findings(self) -> Iterable[Finding]:
        """What it says, the answer first."""
        raise NotImplementedError

    def content(self) -> dict[str, Any]:
        """What JSON holds besides findings and provenance: the fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # a dataclass

    def to_dict(self) -> dict[str, Any]:
        """The whole as an object: provenance, findings, then all numbers in full precision."""
        from irgauge.show.json import plain

        told = [finding.to_dict() for finding in self.findings()]
        return plain({"provenance": dict(self.provenance), "findings": told} | self.content())
