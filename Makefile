# make demo and make test need only Python >= 3.11, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test lint bench browser clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $(READY)

demo: $(READY)
	rm -rf demo
	$(BIN)/irgauge simulate -o demo --equal 2
	$(BIN)/irgauge check demo/qrels.txt demo/runs
	$(BIN)/irgauge score demo/qrels.txt demo/runs -m AP -m nDCG@10
	$(BIN)/irgauge compare demo/qrels.txt demo/runs -m AP --shards even:5 --chart demo/systems.html -o demo/pairs.csv
	$(BIN)/irgauge bootstrap demo/qrels.txt demo/runs -m AP -m P@10 --images 200 --corpus-size 50000 --chart demo/ranks.html --chart-of ranks
	$(BIN)/irgauge partition demo/qrels.txt demo/runs -m AP --fill drop --chart demo/agreement.html --chart-of agreement
	$(BIN)/irgauge simulate -o demo/instances --instances 10 --depth 100
	$(BIN)/irgauge instances demo/instances/qrels.txt demo/instances/runs -m nDCG@10 --manifest demo/instances/manifest.txt --baseline exhaustive --chart demo/margins.html --chart-of margins
	$(BIN)/irgauge report demo/qrels.txt demo/runs -m AP -m nDCG@10 --corpus-size 50000 --truth demo/truth.json -o demo/report.html
	@echo "Open demo/report.html in a browser: all answers on one page. Beside it, each question by itself:"
	@echo "systems.html (systems with their intervals), ranks.html (how sure each rank is), agreement.html (what random"
	@echo "splits agree on), margins.html (random algorithms against a baseline)."

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

browser:
	tests/browser/install.sh

test: lint browser
	$(BIN)/pytest -n 2

bench: $(READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo dist .mypy_cache .pytest_cache .ruff_cache
