"""Texts in other languages: what Markdown and LaTeX would take as commands is written out."""

from __future__ import annotations

import re


def markdown_text(text: str) -> str:
    """Text with what Markdown would take as marks written out."""
    return re.sub(r"([|<>*_`\\\[\]])", r"\\\1", text)


LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "²": r"$^2$",
    "√": r"$\surd$",
    "α": r"$\alpha$",
    "δ": r"$\delta$",
    "ε": r"$\epsilon$",
    "τ": r"$\tau$",
    "ω": r"$\omega$",
    "ρ": r"$\rho$",
    "σ": r"$\sigma$",
}


def latex_text(text: str) -> str:
    """Text with what LaTeX would take as commands written out."""
    return re.sub("|".join(map(re.escape, LATEX)), lambda match: LATEX[match[0]], text)
