# make demo and make test need only Python >= 3.11, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
TOOLS := $(VENV)/tools
EXTRA := $(VENV)/lab
RELEASE := $(VENV)/release
# the first findings of a command, which come before its tables
ANSWER := awk '/^$$/ { exit } /^- / && ++n > 4 { exit } { print }'

.PHONY: demo docs names lab tools test lint suite quick golden package lock audit sbom programs fuzz bench calibration tests-of-means browser latex clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable .
	touch $(READY)

# exactly what the lock file has, by hashes
$(TOOLS): pyproject.toml requirements/ci.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/ci.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $(READY) $(TOOLS)

$(RELEASE): $(TOOLS) requirements/release.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/release.txt
	touch $(RELEASE)

demo: $(READY)
	@rm -rf demo
	@echo "== A collection whose truth is known: 20 systems, 50 topics; two systems are exactly equal"
	@$(BIN)/irgauge simulate -o demo --equal 2
	@echo "== Can these data be used? (all of the answer: demo/check.txt)"
	@$(BIN)/irgauge check demo/qrels.txt demo/runs -q > demo/check.txt
	@$(ANSWER) demo/check.txt
	@echo "== Which systems differ, for other topics? (demo/compare.txt, all pairs: demo/pairs.csv, chart: demo/systems.html)"
	@$(BIN)/irgauge compare demo/qrels.txt demo/runs -m AP -q --chart demo/systems.html > demo/compare.txt
	@$(BIN)/irgauge compare demo/qrels.txt demo/runs -m AP -q -o demo/pairs.csv
	@$(ANSWER) demo/compare.txt
	@echo "== Which are better than F1-1, worse, or as good within 10 %? (demo/verdicts.txt, chart: demo/verdicts.html)"
	@$(BIN)/irgauge compare demo/qrels.txt demo/runs -m AP --baseline F1-1 --margin 10% -q \
		--chart demo/verdicts.html > demo/verdicts.txt
	@$(ANSWER) demo/verdicts.txt
	@echo "== May F1-2 take the place of F1-1? (one candidate and one question: a gate may pass what is inconclusive among 19)"
	@$(BIN)/irgauge gate demo/qrels.txt demo/runs/F1-1.run demo/runs/F1-2.run -m AP --margin 10% -q
	@echo "== How sure is each rank, if other documents had been collected? (demo/bootstrap.txt, chart: demo/ranks.html)"
	@$(BIN)/irgauge bootstrap demo/qrels.txt demo/runs -m AP --images 200 --corpus-size 50000 -q \
		--chart demo/ranks.html --chart-of ranks > demo/bootstrap.txt
	@$(ANSWER) demo/bootstrap.txt
	@echo "== Which random search is as good as the exhaustive one, within 0.01? (demo/instances.txt, chart: demo/margins.html)"
	@$(BIN)/irgauge simulate -o demo/instances --instances 10 --depth 100 -q
	@$(BIN)/irgauge instances demo/instances/qrels.txt demo/instances/runs -m nDCG@10 -q \
		--manifest demo/instances/manifest.txt --baseline exhaustive \
		--chart demo/margins.html --chart-of margins > demo/instances.txt
	@$(ANSWER) demo/instances.txt
	@echo "== All answers on one page, compared with the truth"
	@$(BIN)/irgauge report demo/qrels.txt demo/runs -m AP -m nDCG@10 --corpus-size 50000 --truth demo/truth.json -o demo/report.html
	@echo "Open demo/report.html in a browser."

# what type checkers know of registries, the Python reference, the page of methods, and the schemas of JSON
names: $(TOOLS)
	$(BIN)/python -m website.names
	$(BIN)/python -m website.reference
	$(BIN)/python -m website.methods
	$(BIN)/python -m website.teaching
	$(BIN)/python -m website.tutorials
	$(BIN)/python -m website.schemas

# the site in site/, which opens from disk; warnings are errors; the theme's advertisement of its successor is left out
docs: export NO_MKDOCS_2_WARNING := 1
docs: $(TOOLS)
	$(BIN)/python -m mkdocs build --strict --quiet
	@echo "Open site/index.html in a browser."

$(EXTRA): $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[lab]"
	touch $(EXTRA)

# selective search on generated text; or on that in the folder IRGAUGE_VASWANI: documents.trec.gz, topics.trec, qrels.txt
ifdef IRGAUGE_VASWANI
lab: TEXT := $(IRGAUGE_VASWANI)
lab: SHARDS := 50
lab: PICKS := 20
else
lab: TEXT := lab/text
lab: SHARDS := 20
lab: PICKS := 5
endif
lab: RATES := 0.02%,0.1%,0.5%,1%,2%,4%,8%,16%,32%
lab: MAPS := $(foreach seed,1 2 3 4 5,--shards lab/map$(seed).tsv)
lab: $(EXTRA)
	@rm -rf lab
	@mkdir lab
ifndef IRGAUGE_VASWANI
	@echo "== Text whose clusters, topics and judgments are known"
	@$(BIN)/irgauge lab generate -o $(TEXT)
endif
	@echo "== Its index, and five times $(SHARDS) topical shards"
	@$(BIN)/irgauge lab index "$(TEXT)"/documents.trec* --stop long --stemmer porter -o lab/index
	@for seed in 1 2 3 4 5; do \
		$(BIN)/irgauge lab shards lab/index --topical $(SHARDS) --seed $$seed -o lab/map$$seed.tsv || exit 1; done
	@echo "== $(PICKS) shards are searched for each topic, as a sample of the documents says, ten times for each rate; and all"
	@$(BIN)/irgauge lab selective lab/index "$(TEXT)/topics.trec" $(MAPS) \
		--csi $(RATES) --instances 2 --picks $(PICKS) --depth 100 -o lab/lab-csi
	@cp "$(TEXT)/qrels.txt" lab/lab-csi/qrels.txt
	@echo "== Which rate is as good as exhaustive search, within 0.01? (lab/instances.txt, chart: lab/margins.html)"
	@$(BIN)/irgauge instances lab/lab-csi/qrels.txt lab/lab-csi/runs -m nDCG@10 -q --manifest lab/lab-csi/manifest.txt \
		--baseline exhaustive --chart lab/margins.html --chart-of margins > lab/instances.txt
	@awk '/^- / { is_it = 0 } /Of the settings/ { is_it = 1 } is_it' lab/instances.txt
	@echo "== Does what the paper says of another corpus hold here? (lab/reproduction.txt)"
	@$(BIN)/irgauge reproduce jayasinghe-2014-lab --data lab -q > lab/reproduction.txt
	@grep "yes " lab/reproduction.txt
	@echo "== All answers on one page"
	@$(BIN)/irgauge report lab/lab-csi/qrels.txt lab/lab-csi/runs -m nDCG@10 --manifest lab/lab-csi/manifest.txt \
		-o lab/report.html
	@echo "Open lab/report.html in a browser."

# pyright looks at tests/api alone: at what users see; it would ask the network for newer versions of itself
lint: export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright

browser:
	tests/browser/install.sh

latex:
	tests/latex/install.sh

# the processes of the suite take all cores: threads of OpenBLAS would wait for each other, at full load; and there are
# some hundred of them, which share the bytecode of our modules, whatever the environment says
suite quick: export OPENBLAS_NUM_THREADS := 1
suite quick: export PYTHONDONTWRITEBYTECODE :=
# the same examples each time, so that a commit passes or does not; make quick and make fuzz draw others
suite: $(TOOLS)
	$(BIN)/pytest -n 2 --dist loadscope --no-loadscope-reorder --hypothesis-profile ci

# tests of every package, in three minutes: without those that tests/conftest.py calls slow
quick: $(TOOLS)
	$(BIN)/pytest -n 2 --dist loadscope --no-loadscope-reorder -m "not slow"

# writes the pages of tests/golden anew: what the commands of the studies print, and what is said of results that tests
# make by hand; read the changes before they are committed
golden: export OPENBLAS_NUM_THREADS := 1
golden: $(TOOLS)
	PYTHONPATH=tests $(BIN)/python -m golden
	IRGAUGE_GOLDEN=1 $(BIN)/pytest -q tests/studies tests/reporting

# the wheel and the source distribution, in dist; the tests, which the suite has too, install such a wheel in an empty
# environment, and with the lowest versions of all that it needs
package: $(TOOLS)
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*
	$(BIN)/pytest tests/package

# the newest versions that pyproject.toml allows, with hashes for every system and Python: of the tests, of the image and
# of what makes a release
lock: LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make lock"
lock:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet "uv>=0.9"
	$(LOCK) pyproject.toml --all-extras --group dev --group docs --output-file requirements/ci.txt
	$(LOCK) pyproject.toml --all-extras --group build --constraint requirements/ci.txt --output-file requirements/image.txt
	$(LOCK) --group release --constraint requirements/ci.txt --output-file requirements/release.txt

# known weaknesses of what the image holds
audit: $(RELEASE)
	$(BIN)/pip-audit --strict --disable-pip --require-hashes --requirement requirements/image.txt

# what a release needs, as a CycloneDX list of an environment that has only that
sbom: $(RELEASE)
	rm -rf $(VENV)/released
	mkdir -p sbom
	$(PYTHON) -m venv --without-pip $(VENV)/released
	$(BIN)/python -m pip --python $(VENV)/released install --quiet --require-hashes --requirement requirements/image.txt
	$(BIN)/python -m pip --python $(VENV)/released install --quiet --no-deps --no-build-isolation .
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --mc-type library --output-reproducible \
		--output-file sbom/irgauge.cdx.json $(VENV)/released

# one after the other: only one may install packages of the system
programs:
	$(MAKE) browser
	$(MAKE) latex

# NO_PROGRAMS=1: nothing is installed on the system
test: PROGRAMS := $(if $(NO_PROGRAMS),,programs)
test:
	@echo "make test installs Python packages in $(VENV) (2 GB), and takes about 15 minutes on two cores, at first a few more."
ifndef NO_PROGRAMS
	@echo "Run by root it also installs Chromium and TeX with apt-get (up to 1 GB), if missing: NO_PROGRAMS=1 leaves that out."
	@echo "Tests that need these are skipped where they are missing."
endif
	$(MAKE) --jobs 2 $(TOOLS) $(PROGRAMS)
	$(MAKE) --jobs 2 lint suite

# random inputs for every reader and command, others each time: a million, and 1,000 signals at any moment over every
# command that writes; half an hour on two idle cores. IRGAUGE_FUZZ: how many times as many as in make test
fuzz: export OPENBLAS_NUM_THREADS := 1
fuzz: $(TOOLS)
	IRGAUGE_FUZZ=$${IRGAUGE_FUZZ:-50} $(BIN)/pytest tests/fuzz tests/faults/test_signals.py -n 2

# files of tools as their packages write them, in an environment for each: pip seeks versions that fit all for too long
tools: ENV := $(VENV)/of-a-tool
tools:
	for packages in "inspect-ai>=0.3.285" "deepeval>=4.3" "lm-eval>=0.4.13" "ragas>=0.4.3 langchain-community<0.4" \
			"mteb>=2.26" "mlflow-skinny>=3 evaluate nuggetizer"; do \
		rm -rf $(ENV) && $(PYTHON) -m venv $(ENV) && \
		$(ENV)/bin/python -m pip install --quiet --editable . pytest hypothesis pandas $$packages && \
		PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(ENV)/bin/python -m pytest tests/reading/tools/test_with*_packages.py || exit 1; \
	done
	rm -rf $(ENV)

# writes docs/speed.csv, docs/speed.md and the table of README.md; ten minutes on two idle cores
bench: $(TOOLS)
	$(BIN)/python -m benchmarks

# writes docs/calibration.md and docs/calibration.csv; half an hour on two cores
calibration: $(TOOLS)
	$(BIN)/python -m benchmarks.calibration

# writes docs/tests-of-means.* and docs/why-tests-disagree.*; fifteen minutes on two cores; IRGAUGE_TOPIC_SCORES names the data
tests-of-means: $(TOOLS)
	$(BIN)/python -m benchmarks.tests_of_means
	$(BIN)/python -m benchmarks.tests_of_means.disagreement

clean:
	rm -rf $(VENV) demo lab dist sbom site .mypy_cache .pytest_cache .ruff_cache
