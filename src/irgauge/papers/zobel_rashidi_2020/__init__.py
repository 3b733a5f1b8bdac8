"""Zobel and Rashidi (CIKM 2020): how precise measures are, by the bootstrap of the corpus."""

from __future__ import annotations

from irgauge.papers.zobel_rashidi_2020.figures import ENTRIES as FIGURES
from irgauge.papers.zobel_rashidi_2020.pools import ENTRIES as POOLS
from irgauge.papers.zobel_rashidi_2020.tables import ENTRIES as TABLES

ENTRIES = (*TABLES, *FIGURES, *POOLS)
