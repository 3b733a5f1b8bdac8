"""How a result was found, in a line or a sentence: its facts say themselves."""

from __future__ import annotations

from irgauge.provenance import Provenance
from irgauge.show.words import sentence


def said(provenance: Provenance) -> str:
    """All facts in one line, ready for a caption; empty for none."""
    return provenance.text


def sentence_of(provenance: Provenance) -> str:
    """The facts under a chart or a table, without those of how runs were read; empty for none."""
    text = provenance.without_reading.text
    return sentence(text) if text else ""
