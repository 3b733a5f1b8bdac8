"""Ferro and Sanderson 2019: better estimates of system performance by sharding the documents."""

from __future__ import annotations

from irgauge.papers.ferro_sanderson_2019.figures import FIGURES
from irgauge.papers.ferro_sanderson_2019.tables import TABLES

ENTRIES = (*TABLES, *FIGURES)
