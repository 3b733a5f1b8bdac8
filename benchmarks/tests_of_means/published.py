"""What Urbano, Lima and Hanjalic found with the same scores: numbers of theirs, in percent, typed in.

From output/ of github.com/julian-urbano/sigir2019-statistical, two-tailed, α = 0.05: type_1, type_2_by_delta at 0.05,
type_3_by_delta at 0.01. A line: measure, topics, then t, Wilcoxon, sign, permutation and bootstrap.
"""

from __future__ import annotations

from benchmarks.tests_of_means.table import POWER, SAME_MARGIN, TYPE_III

Rates = dict[tuple[str, int, str], float]  # measure, topics, test: percent
_TESTS = ("t", "wilcoxon", "sign", "permutation", "bootstrap")
_TYPE_I = """
AP    25   5.09  6.07  4.64  5.34  6.89
AP    50   5.12  7.22  7.79  5.22  5.97
AP    100  5.11  9.65 12.51  5.17  5.53
P@10  25   5.06  4.87  3.80  4.67  6.75
P@10  50   5.03  5.26  5.52  4.81  5.85
P@10  100  5.00  5.63  8.28  4.89  5.39
RR    25   4.95  4.39  2.89  4.82  6.72
RR    50   4.98  4.80  3.60  4.98  5.80
RR    100  5.00  4.98  4.85  5.01  5.39
"""
_POWER = """
AP    25  41.15 43.01 30.51 42.03 46.54
AP    50  66.97 68.43 56.56 67.30 69.18
AP    100 88.86 88.91 79.78 88.93 89.36
P@10  25  16.37 15.55 10.75 15.50 19.93
P@10  50  28.56 27.75 21.14 27.86 30.84
P@10  100 50.23 48.96 39.79 49.87 51.49
RR    25   8.77  8.43  6.53  8.76 11.26
RR    50  12.92 13.25 11.33 12.96 14.42
RR    100 21.56 22.45 21.73 21.63 22.51
"""
_TYPE_III = """
AP    25   0.99  1.20  0.92  1.05  1.41
AP    50   0.69  0.98  1.24  0.70  0.82
AP    100  0.39  0.96  1.83  0.39  0.42
P@10  25   1.63  1.61  1.21  1.49  2.22
P@10  50   1.24  1.36  1.47  1.18  1.46
P@10  100  0.93  1.13  1.83  0.91  1.02
RR    25   1.89  1.76  1.36  1.88  2.59
RR    50   1.65  1.69  1.76  1.65  1.95
RR    100  1.40  1.56  2.54  1.40  1.53
"""


def _rates(text: str) -> Rates:
    lines = [line.split() for line in text.strip().splitlines()]
    return {
        (measure, int(topics), test): float(number)
        for measure, topics, *numbers in lines
        for test, number in zip(_TESTS, numbers, strict=True)
    }


ALPHA = 0.05
AT = {SAME_MARGIN: 0.0, POWER: 0.05, TYPE_III: 0.01}  # the difference of means
PUBLISHED = {SAME_MARGIN: _rates(_TYPE_I), POWER: _rates(_POWER), TYPE_III: _rates(_TYPE_III)}
