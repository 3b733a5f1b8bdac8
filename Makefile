# make demo and make test need only Python >= 3.11, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test lint bench clean

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
	@echo "Open demo/systems.html in a browser: the systems with their intervals. demo/pairs.csv has the pairs."

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2

bench: $(READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo dist .mypy_cache .pytest_cache .ruff_cache
