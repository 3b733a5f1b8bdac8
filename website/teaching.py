"""The page that explains irgauge in pictures, of the data of `make demo`; python -m website.teaching writes it.

Documents, shards, images, populations and verdicts each have a drawing; `docs/assets/steps.js` shows one at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import irgauge
from irgauge.compute.arrays import Floats
from irgauge.reading.collection import Collection
from irgauge.replicates.images import draw_images
from irgauge.replicates.shards import split_documents
from irgauge.scoring.drawn import Replicates
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.reasons import Against, reasons
from irgauge.studies.compare.study import Compared
from website.pictures import COLOURS, COLUMNS, DOCS, DOCUMENTS, REACH, ROWS, TOPICS

TOPIC, BEST, OTHER = "22", "F5-2", "F5-1"
SHOWN = 14  # documents of a list
SHARDS, IMAGES = "even:5", 4
BOX, STEP, LINE = 23, 26, 56  # pixels of a document, from one to the next, and of a row
LEFT, WIDTH = 44, 376  # pixels of the names of systems, and of a picture: a phone shows all of it
RELEVANT, OTHERS, INK = "#2f5d8a", "#d9dde2", "#333333"
TOP, OUTSIDE = "#d55e00", "#6b6f76"
TINTS = ("#4477aa", "#ee6677", "#228833", "#b8860b", "#aa3377")  # of shards


@dataclass(frozen=True)
class Demo:
    """The data of `make demo`, and what is computed of them."""

    collection: Collection

    @cached_property
    def compared(self) -> Compared:
        """All pairs by AP, for other topics, other documents and both."""
        return irgauge.compare(self.collection, "AP", shards=SHARDS)

    @property
    def topic(self) -> int:
        """The place of the topic that is drawn."""
        return self.collection.topics.index(TOPIC)

    def ranked(self, system: str) -> tuple[Sequence[int], Sequence[bool]]:
        """The first documents of a list, and whether each is relevant."""
        data, place = self.collection, (self.topic, self.collection.systems.index(system))
        part = slice(data.firsts[place], data.firsts[place] + SHOWN)
        is_relevant = [level >= 0 and data.grades[level] > 0 for level in data.levels[part].tolist()]
        return data.docs[part].tolist(), is_relevant

    def ap(self, system: str, replicates: Replicates | None = None) -> Floats:
        """AP of the list on the whole corpus, or on each replicate."""
        scores = score(self.collection, ["AP"], replicates)
        own: Floats = scores.values[0, self.topic, self.collection.systems.index(system)]
        return own


def demo() -> Demo:
    """The collection that `irgauge simulate -o demo --equal 2` writes."""
    return Demo(simulate(Design(equal=2)).collection())


def text(x: float, y: float, words: str, look: str = "") -> str:
    """Words in a drawing."""
    return f'<text x="{x:g}" y="{y:g}" {look}>{words}</text>'


def boxes(y: float, documents: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A row of documents: what is written in each, and its colour."""
    for place, (words, colour) in enumerate(documents):
        x, ink = place * STEP, INK if colour == OTHERS else "#ffffff"
        yield f'<rect x="{x}" y="{y:g}" width="{BOX}" height="{BOX}" rx="3" fill="{colour}"/>'
        yield text(x + BOX / 2, y + 16, words, f'text-anchor="middle" fill="{ink}"')


def row(number: int, name: str, documents: Sequence[tuple[str, str]], value: str) -> Iterator[str]:
    """A ranked list below its name and its score."""
    y = 26 + number * LINE
    yield text(0, y - 7, name)
    yield from boxes(y, documents)
    yield text(STEP * 4, y - 7, value, 'font-weight="bold"')


def drawing(title: str, parts: Iterator[str] | Sequence[str], height: float, width: float = WIDTH + 12) -> str:
    """A picture on white, so that it reads in dark colours too."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="sans-serif" font-size="13" fill="{INK}" role="img"><title>{title}</title>'
        f'<rect x="-12" width="{width:g}" height="{height:g}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def ticks(at: Callable[[float], float], least: float, most: float, y: float) -> Iterator[str]:
    """The numbers of an axis."""
    step = next(each for each in (0.2, 0.1, 0.05) if most - least > 2 * each or each == 0.05)
    for number in range(math.ceil(least / step), math.floor(most / step) + 1):
        words = f"{number * step:.2f}".replace("-", "−")
        yield text(at(number * step), y, words, 'text-anchor="middle" font-size="12"')


def _graded(number: int, *, is_relevant: bool) -> tuple[str, str]:
    return str(number), RELEVANT if is_relevant else OTHERS


def documents_drawn(data: Demo) -> str:
    """Two ranked lists on a topic."""
    parts: list[str] = []
    for number, system in enumerate((BEST, OTHER)):
        _, grades = data.ranked(system)
        listed = [_graded(rank, is_relevant=grade) for rank, grade in enumerate(grades, 1)]
        parts += row(number, system, listed, f"AP {data.ap(system)[0]:.3f}")
    return drawing("Ranked lists", parts, 2 * LINE + 8)


def shards_drawn(data: Demo) -> str:
    """A list, and what of it is in each shard."""
    split = split_documents(data.collection, SHARDS)
    documents, grades = data.ranked(BEST)
    labels = split.labels[documents].tolist()
    marks = [f"{rank}{'•' if grade else ''}" for rank, grade in enumerate(grades, 1)]
    parts = list(row(0, "all", [(mark, TINTS[label]) for mark, label in zip(marks, labels, strict=True)], ""))
    for shard, value in enumerate(data.ap(BEST, split).tolist()):
        own = [(mark, TINTS[shard]) for mark, label in zip(marks, labels, strict=True) if label == shard]
        parts += row(shard + 1, f"shard {shard + 1}", own, f"AP {value:.3f}" if np.isfinite(value) else "undefined")
    return drawing("Shards", parts, 6 * LINE + 8)


def images_drawn(data: Demo) -> str:
    """A list in some images of the corpus."""
    images = draw_images(data.collection, IMAGES, seed=0)
    documents, grades = data.ranked(BEST)
    parts: list[str] = []
    for image, value in enumerate(data.ap(BEST, images).tolist()):
        drawn = [
            _graded(rank, is_relevant=grade)
            for rank, (document, grade) in enumerate(zip(documents, grades, strict=True), 1)
            for _ in range(images.weights[document, image])
        ]
        parts += row(image, f"image {image + 1}", drawn[:SHOWN], f"AP {value:.3f}")
    return drawing("Images", parts, IMAGES * LINE + 8)


def populations_drawn(data: Demo) -> str:
    """What each claim covers, and how many pairs differ for it."""
    names = {"topics": "other topics", "documents": "other documents", "both": "both"}
    parts: list[str] = []
    for place, comparison in enumerate(data.compared.first.comparisons):
        x, reach = place * 126, REACH[comparison.population]
        parts += [text(x, 18, names[comparison.population], 'font-weight="bold" font-size="12"'), *_covered(x, *reach)]
        parts.append(text(x, 112, f"{comparison.significant_count} of {len(comparison.first)} pairs"))
    return drawing("Populations", parts, 122)


def _covered(x: float, other_topics: bool, other_documents: bool) -> Iterator[str]:  # noqa: FBT001  # a row of REACH
    """Topics across, documents down: dark what was measured, light what a claim also covers."""
    side = 7
    for line in range(ROWS):
        for column in range(COLUMNS):
            here = column < TOPICS, line < DOCUMENTS
            is_covered = (here[0] or other_topics) and (here[1] or other_documents)
            colour = COLOURS["measured" if all(here) else "covered" if is_covered else "outside"]
            at = f'x="{x + column * side:g}" y="{28 + line * side}"'
            yield f'<rect {at} width="{side - 2}" height="{side - 2}" fill="{colour}"/>'


def verdicts_drawn(data: Demo) -> str:
    """The differences from the best system, with their intervals."""
    compared, comparison = data.compared.first, data.compared.comparison
    rows, top = list(Against.best(compared, comparison)), set(comparison.top_group)
    least = min(each.low for each in rows)
    span, line = max(each.high for each in rows) - least, 19

    def at(value: float) -> float:
        return LEFT + (WIDTH - LEFT - 16) * (value - least) / span

    parts = [f'<path d="M{at(0):.1f} 4V{8 + line * len(rows)}" stroke="{INK}" stroke-dasharray="4 3"/>']
    for number, each in enumerate(rows):
        y, colour = 14 + number * line, TOP if each.system in top else OUTSIDE
        parts.append(text(0, y + 4, each.system))
        parts.append(f'<path d="M{at(each.low):.1f} {y}H{at(each.high):.1f}" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<circle cx="{at(each.difference):.1f}" cy="{y}" r="4" fill="{colour}"/>')
    parts += ticks(at, least, least + span, 26 + line * len(rows))
    return drawing("Verdicts", parts, 36 + line * len(rows))


def pictures(data: Demo) -> Mapping[str, str]:
    """The drawings, by the names of their files."""
    drawn = {
        "documents": documents_drawn(data),
        "shards": shards_drawn(data),
        "images": images_drawn(data),
        "populations": populations_drawn(data),
        "verdicts": verdicts_drawn(data),
    }
    return {f"teaching-{name}.svg": content for name, content in drawn.items()}


def page(data: Demo) -> str:
    """The page in Markdown; without its script all steps stand below each other."""
    steps = "\n".join(f'<section class="step" markdown>\n\n{step}\n\n</section>\n' for step in _steps(data))
    return f'{_HEAD}\n<div class="steps" markdown>\n\n{steps}\n</div>\n<script src="assets/steps.js"></script>\n'


_HEAD = """\
# In five pictures

What irgauge does, drawn from the simulated data of `make demo`: 20 systems, 50 topics, 50,000 documents. Use the
buttons or the arrow keys.
"""


def _steps(data: Demo) -> Iterator[str]:
    """Each step: its heading, what is to be seen, and the picture."""
    first, second = (data.ap(system)[0] for system in (BEST, OTHER))
    means = dict(zip(data.compared.comparison.systems, data.compared.comparison.means, strict=True))
    yield (
        "## 1. Documents\n\n"
        "A system ranks documents for a topic, people judged which are relevant, and a measure makes one score of a "
        f"list. On topic {TOPIC} {BEST} has AP {first:.3f} and {OTHER} {second:.3f}, although over all 50 topics the "
        f"means are {means[BEST]:.3f} and {means[OTHER]:.3f}. (Drawn are the first {SHOWN} documents, relevant ones in "
        "blue; AP counts those further down, too.) How much of a difference is the systems, how much the topics, and "
        "how much the documents that happen to be there?\n\n"
        "![Two ranked lists of documents, relevant ones in blue, and the AP of each](teaching-documents.svg)"
    )
    yield (
        "## 2. Shards\n\n"
        "Deal the documents at random to five shards, cut list and judgments to each, and score again: "
        "nothing is run anew. The same system on the same topic now has five scores, and how much they vary says how "
        f"much depends on the documents. (Drawn is the list of {BEST} on topic {TOPIC}: each colour is a shard, a dot "
        "marks relevant documents; a shard without a box has its documents further down.)\n\n"
        "![The list of one system, coloured by shard, and below it the documents of each shard with their AP]"
        "(teaching-shards.svg)"
    )
    yield (
        "## 3. Images\n\n"
        "Or draw as many documents as there are, with replacement: an image of the collection. Some "
        "documents come twice, and count twice, some not at all, so that rows are of unequal length; AP may change, or "
        "not. Hundreds of images show how a mean, or a rank, would move with other documents.\n\n"
        "![The list of one system in four images: documents are missing or repeated]"
        "(teaching-images.svg)"
    )
    counts = {each.population: each.significant_count for each in data.compared.first.comparisons}
    yield (
        "## 4. Populations\n\n"
        "A claim covers more than what was measured (dark): other topics (across), other documents "
        "(down), or both (light). What is claimed changes how many pairs are shown to differ: "
        f"{counts['topics']} for other topics, {counts['documents']} for other documents on these topics, "
        f"{counts['both']} for both "
        f"(`irgauge compare demo/qrels.txt demo/runs -m AP --shards {SHARDS} --corpus-size 50000`).\n\n"
        "![Three grids of topics by documents, with what was measured and what a claim covers]"
        "(teaching-populations.svg)"
    )
    why = dict(reasons(data.compared.first, data.compared.comparison))
    yield (
        "## 5. Verdicts\n\n"
        f"The difference in AP of every system from {BEST}, the best, for other topics. A 95 % interval says which "
        f"differences the data do not rule out; p-values are corrected for 190 pairs. {OTHER} {why[OTHER]}. The "
        "systems that are not significantly worse are the *top group* (orange): the data do not say which of them is "
        "best. The verdict on a pair is *better* or *worse* where its corrected p is at most 0.05, else "
        "*inconclusive*; with a margin also *equivalent* or *not worse* ([glossary](glossary.md)).\n\n"
        "![The difference of each system from the best with its interval; the top group in orange]"
        "(teaching-verdicts.svg)\n\n"
        "Next: [is my system better?](tutorials/better.md), [what a claim covers](populations.md), "
        "[all answers on one page](report.md)."
    )


def made() -> Mapping[str, str]:
    """The page and its pictures, by their names in docs/."""
    data = demo()
    return {"teaching.md": page(data), **pictures(data)}


if __name__ == "__main__":
    for name, content in made().items():
        (DOCS / name).write_text(content, encoding="utf-8")
