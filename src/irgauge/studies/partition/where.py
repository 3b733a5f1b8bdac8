"""Where systems have the means that order them."""

from __future__ import annotations

from irgauge.studies.partition.split import Drawing


def where(drawing: Drawing) -> str:
    """On the whole corpus; of a table that is not known."""
    return "over the parts" if drawing.is_given else "on the whole corpus"
