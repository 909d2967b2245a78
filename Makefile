# edutorch: every command that people and continuous integration run.
# On a fresh machine with Python 3.11+, git and make: `make lab` or `make test`.

PYTHON ?= python3
VENV ?= .venv
EXTRAS ?= test,lab
TESTS ?=
LAB_FLAGS ?=
SECONDS ?= 300
SEED ?=
FUZZ_FLAGS ?=
BENCH_FLAGS ?=
WORK ?= my-notebooks
PAGE ?= 00-start.ipynb
NAME ?= my-class
CHAPTER ?=
TITLE ?=
EXERCISES ?=
INTRODUCES ?=

BIN := $(abspath $(VENV))/bin
RUN := $(BIN)/python
# Tools start other tools by name (nbgrader starts alembic), so PATH holds them.
export PATH := $(BIN):$(PATH)
export PYDEVD_DISABLE_FILE_VALIDATION := 1

comma := ,
stamp = $(VENV)/.installed-$(subst $(comma),-,$(1))

.PHONY: help install lab class chapter test test-gpu fuzz bench lint types format sizes \
	front notebooks book pictures stubs lock dist clean

help:
	@echo "make lab        open JupyterLab on the course's start page (WORK=$(WORK))"
	@echo "make class      make a folder for teaching a class (NAME=$(NAME))"
	@echo "make install    create the environment and nothing else (EXTRAS=$(EXTRAS))"
	@echo "make test       run the tests (TESTS=tests/nn for a part)"
	@echo "make test-gpu   run the GPU tests with the installed Python and CuPy"
	@echo "make fuzz       compare random programs with PyTorch (SECONDS=300 SEED=today)"
	@echo "make bench      time workloads beside PyTorch (BENCH_FLAGS='--only conv')"
	@echo "make lint       check rules and format with ruff (make format applies both)"
	@echo "make types      check types with mypy, strictly"
	@echo "make sizes      print the lengths of files and functions"
	@echo "make front      test and build the widgets' TypeScript (needs Node)"
	@echo "make notebooks  execute the solved chapters"
	@echo "make book       build the chapters as a book in book/_build/html"
	@echo "make pictures   redraw docs/pictures"
	@echo "make chapter    begin a chapter (CHAPTER=12-attention TITLE=Attention)"
	@echo "make stubs      rewrite the type stub of the methods attached to Tensor"
	@echo "make lock       rewrite binder/requirements.txt from a fresh environment"
	@echo "make dist       build a wheel and an sdist in dist/"
	@echo "make clean      remove the environment and everything that was built"
	@echo "Variables: PYTHON=$(PYTHON) VENV=$(VENV)"

# --- environment -----------------------------------------------------------

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "edutorch needs Python 3.11 or newer; name one with" \
	       "'make PYTHON=python3.12 ...'"; exit 1; }
	@echo "1. An environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# One stamp for each set of extras: a second call installs nothing.
$(VENV)/.installed-%: pyproject.toml $(VENV)/pyvenv.cfg
	@echo "2. Installing edutorch with $(subst -,$(comma) ,$*): a minute or two, once"
	@$(RUN) -m pip install --quiet --editable ".[$(subst -,$(comma),$*)]"
	@touch $@

install: $(call stamp,$(EXTRAS))

# --- for learners ----------------------------------------------------------

# Compiled kernels are extras: without Numba and oneDNN, NumPy does everything.
$(VENV)/.warm: $(call stamp,lab) $(wildcard edutorch/kernels/fast/*.py)
	@echo "3. Installing Numba and oneDNN, compiling kernels, once: up to a minute"
	@if $(RUN) -m pip install --quiet --editable ".[fast,onednn]" \
	    && $(RUN) -m edutorch warmup > $@.log; then mv $@.log $@; \
	  else rm -f $@.log; echo "That failed: NumPy does without, only slower"; fi

# A learner works on a copy that git does not see: `git pull` never conflicts.
lab: $(call stamp,lab) $(VENV)/.warm
	@$(RUN) binder/jupyter_settings.py
	@$(RUN) -m edutorch.course notebooks $(WORK)
	@echo "JupyterLab opens in the browser; end it with Ctrl-C here"
	@$(RUN) -m jupyterlab $(if $(filter 0,$(shell id -u)),--allow-root) \
	  --LabApp.default_url=/lab/tree/$(WORK)/$(PAGE) $(LAB_FLAGS)

# A class's folder: assignments of nbgrader, which this installs.
class: $(call stamp,lab) $(call stamp,course)
	@$(RUN) -m edutorch.course new $(NAME)

# --- for developers --------------------------------------------------------

test: $(call stamp,$(EXTRAS))
	$(RUN) -m pytest $(PYTEST_FLAGS) $(TESTS)

# No environment of its own and no network: CuPy and pytest as installed.
test-gpu:
	$(PYTHON) -m pytest tests/gpu

# PyTorch is no part of any set of extras: install it into the environment first.
fuzz: $(call stamp,$(EXTRAS))
	$(RUN) -m tests.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(FUZZ_FLAGS)

# With PyTorch if it is installed, else with its times as they were stored.
bench: $(call stamp,$(EXTRAS))
	$(RUN) -m benchmarks.speed $(BENCH_FLAGS)

lint: $(call stamp,dev)
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

format: $(call stamp,dev)
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

types: $(call stamp,dev)
	$(RUN) -m mypy

sizes: $(call stamp,$(EXTRAS))
	$(RUN) -m tests.house.sizes

front:
	cd widgets && npm ci && npm run lint && npm run typecheck && npm test \
	  && npm run build
	git diff --exit-code -- edutorch/widgets/static

notebooks: $(call stamp,$(EXTRAS))
	$(RUN) -m pytest $(PYTEST_FLAGS) -m notebook tests

book: $(call stamp,lab) $(call stamp,book) $(call stamp,distributed)
	$(RUN) book/build.py

pictures: $(call stamp,$(EXTRAS))
	EDUTORCH_PICTURES=docs/pictures $(RUN) -m pytest -q tests/widgets -k picture_of

# The files of a new chapter, which the tests accept: docs/adding-a-chapter.md.
chapter: $(call stamp,$(EXTRAS))
	@$(RUN) -m tests.course.new_chapter "$(CHAPTER)" "$(TITLE)" \
	  --exercises $(EXERCISES) --introduces "$(INTRODUCES)"

stubs: $(call stamp,$(EXTRAS))
	$(RUN) -m tests.house.stubs

# The versions Binder installs: what pip chose here today.
lock:
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet ".[lab,fast,onednn]"
	.venv-lock/bin/python -m pip freeze --exclude edutorch > binder/requirements.txt
	rm -rf .venv-lock

dist: $(call stamp,$(EXTRAS))
	$(RUN) -m build

clean:
	rm -rf $(VENV) dist book/_build .ci/logs .pytest_cache .mypy_cache .ruff_cache
