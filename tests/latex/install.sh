#!/bin/sh
# Installs LaTeX from the packages of the system, for the tests that compile tables. Without it they are skipped.
has_all() { command -v pdflatex >/dev/null && kpsewhich booktabs.sty longtable.sty lscape.sty >/dev/null; }
if has_all; then exit 0; fi
give_up() { echo "The tests that compile tables with LaTeX will be skipped: $1." >&2; exit 0; }
command -v apt-get >/dev/null || give_up "there is no pdflatex with booktabs, and no apt-get to install it"
[ "$(id -u)" = 0 ] || give_up "there is no pdflatex with booktabs, and only root may install it (apt-get install texlive-latex-recommended)"
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends texlive-latex-recommended >/dev/null; }
install || { apt-get update >/dev/null && install; } || give_up "apt-get could not install texlive-latex-recommended"
