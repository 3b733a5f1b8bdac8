"""Words, stop lists, stemmers, and what they make of a text."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge.errors import InputError
from irgauge.lab.analysis import STEMMERS, STOP_LISTS, Analyser, stems, stop_words, tokens


@given(st.text())
def test_words_are_of_letters_and_digits_and_are_words_again(text: str) -> None:
    found = tokens(text)
    assert [word for word in found if "_" in word or not word or any(sign.isspace() for sign in word)] == []
    assert tokens(" ".join(found)) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wave-Guides", ["wave", "guides"]),
        ("it's 3.5 GHz", ["it", "s", "3", "5", "ghz"]),
        ("Ångström, naïve; 漢字", ["ångström", "naïve", "漢字"]),
        ("a_b\tc\n", ["a", "b", "c"]),
        ("...", []),
    ],
)
def test_a_text_in_words(text: str, words: list[str]) -> None:
    assert tokens(text) == words


def test_stop_lists_are_of_words_and_each_holds_the_most_usual_of_the_one_before() -> None:
    assert stop_words("none") == frozenset()
    for name in ("short", "long"):
        assert {"the", "of", "and", "in", "a"} <= stop_words(name)
        assert all(tokens(word) == [word] for word in stop_words(name))
    assert len(stop_words("short")) < 80 < 250 < len(stop_words("long"))


@pytest.mark.parametrize("word", ["wave", "measurement", "radio", "transistor"])
def test_no_stop_list_holds_what_is_searched_for(word: str) -> None:
    assert [name for name in STOP_LISTS if word in stop_words(name)] == []


def test_stemmers_are_those_of_their_papers() -> None:
    words = ["caresses", "ponies", "relational", "hopping", "generously", "dying"]
    assert stems(words, "none") == words
    assert stems(words, "porter") == ["caress", "poni", "relat", "hop", "gener", "dy"]  # Porter 1980 and its output
    assert stems(words, "english") == ["caress", "poni", "relat", "hop", "generous", "die"]


def test_words_are_stopped_before_they_are_stemmed() -> None:
    assert Analyser("short", "porter").terms("This wave is ons") == ["wave", "on"]
    assert Analyser("short", "none").terms("This wave is ons") == ["wave", "ons"]


def test_names_that_are_unknown_are_refused() -> None:
    with pytest.raises(InputError, match="the stop list 'shrt' is unknown; did you mean 'short'"):
        Analyser("shrt", "none")
    with pytest.raises(InputError, match="the stemmer 'portr' is unknown; did you mean 'porter'"):
        Analyser("none", "portr")


@pytest.mark.parametrize(
    ("analyser", "module", "package"),
    [
        (("none", "porter"), "Stemmer", "PyStemmer"),
        (("long", "none"), "sklearn.feature_extraction.text", "scikit-learn"),
    ],
)
def test_without_the_extra_one_line_says_what_to_install(
    analyser: tuple[str, str], module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    stop_words.cache_clear()
    with pytest.raises(InputError) as caught:
        Analyser(*analyser).terms("waves of radio")
    assert str(caught.value) == f'this needs {package}; install it with: pip install "irgauge[lab]"'


def test_what_needs_no_extra_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("Stemmer", "sklearn", "sklearn.feature_extraction.text"):
        monkeypatch.setitem(sys.modules, module, None)
    assert Analyser("short", "none").terms("the waves") == ["waves"]
    assert set(STEMMERS) == {"none", "porter", "english"}
