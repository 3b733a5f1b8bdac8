"""Which test for two means over topics? t, Wilcoxon, sign, permutation and bootstrap: make tests-of-means.

After Urbano, Lima and Hanjalic, "Statistical Significance Testing in Information Retrieval: An Empirical Analysis of
Type I, Type II and Type III Errors" (SIGIR 2019). New topics are drawn from distributions that were fitted to the
scores of TREC 5 to 8: a margin for each system, a copula for each pair. So it is known which systems are equal, and by
how much others differ. IRGAUGE_TOPIC_SCORES names the folder of the scores, files such as adhoc5_ap.csv: a row a topic,
a column a system, with a head of names; they are the data of that study.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
