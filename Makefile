# Two commands matter: `make demo` and `make test`. Each sets up all it needs in .venv.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
TRAIN := .venv-train
LOCK = $(BIN)/uv pip compile -q --generate-hashes --no-emit-index-url --no-header --python-version 3.11
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test check setup setup-test setup-train train evaluate evaluate-all bench lock clean graphics

demo: setup
	@rm -rf out/demo
	@$(BIN)/pitwatch review sample_videos/demo/shoe_change/video.mp4 --table sample_videos/demo/shoe_change/table.toml \
	  --signals sample_videos/demo/shoe_change/signals.jsonl --out out/demo; \
	  code=$$?; test $$code -eq 1 || { echo "demo: expected exit code 1 (a violation), got $$code"; exit 1; }
	@echo "The report: out/demo/report.html"

test: setup-test graphics
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest

check: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

setup: $(VENV)/run.done
setup-test: $(VENV)/test.done
setup-train: $(TRAIN)/train.done

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.done: requirements/run.txt pyproject.toml | $(BIN)/python
	$(BIN)/pip install -q --require-hashes -r requirements/run.txt
	$(BIN)/pip install -q --no-deps -e .
	@$(BIN)/python -c "import cv2" 2>/dev/null || $(MAKE) --no-print-directory libgl
	@touch $@

$(VENV)/test.done: requirements/test.txt pyproject.toml | $(BIN)/python
	$(BIN)/pip install -q --require-hashes -r requirements/test.txt
	$(BIN)/pip install -q --no-deps -e .
	@$(BIN)/python -c "import cv2" 2>/dev/null || $(MAKE) --no-print-directory libgl
	@touch $@ $(VENV)/run.done

$(TRAIN)/train.done: requirements/train.txt
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/pip install -q --require-hashes -r requirements/train.txt
	@touch $@

# opencv-python needs libGL; the studio needs an EGL driver.
.PHONY: libgl
libgl:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && apt-get install -y -qq libgl1 libglib2.0-0; \
	else echo "OpenCV cannot be loaded. Install the Debian packages libgl1 and libglib2.0-0, then run make again."; exit 1; fi

graphics: setup-test
	@$(BIN)/python -c "import moderngl; moderngl.create_context(standalone=True, backend='egl').release()" 2>/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && apt-get install -y -qq libegl1 libgl1-mesa-dri; \
	else echo "No EGL driver. Install the Debian packages libegl1 and libgl1-mesa-dri, then run make again."; exit 1; fi

# The figures from what the repository holds and a few scenes, in under 20 minutes; the whole sets with evaluate-all.
FEW ?= 9
evaluate: setup-test graphics
	$(BIN)/python -m models.evaluate_corners --data models/evaluation
	$(BIN)/python -m models.evaluate_second --frames sample_videos/second/sample/frames
	$(BIN)/pitwatch evaluate mirror sample_videos/demo/king_six
	$(BIN)/pitwatch evaluate halved sample_videos/demo/king_six
	$(BIN)/pitwatch evaluate scenes --set burns --count $(FEW) --out runs/evaluate-few

# Hours: 300 burns, 300 cuts, 150 second cover cards, 150 ends of a shuffle, loadings, 24 whole changes, measurements.
SCENES ?= 300
evaluate-all: setup-test graphics
	$(BIN)/pitwatch evaluate scenes --set burns --count $(SCENES) --out runs/evaluate
	for set in cuts seconds ends loads changes; do $(BIN)/pitwatch evaluate scenes --set $$set --out runs/evaluate || exit 1; done
	$(BIN)/pitwatch evaluate measures

bench: setup
	$(BIN)/pitwatch bench sample_videos/demo/king_six/video.mp4 --table sample_videos/demo/king_six/table.toml

# DATA: the folder of the photographs; START: COCO weights of yolo11n. About two hours on two cores.
train: setup-test graphics setup-train
	$(BIN)/python -m models.train frames
	$(TRAIN)/bin/python -m models.train all --data $(DATA) --start $(START)

lock:
	$(BIN)/pip install -q uv
	$(LOCK) pyproject.toml -o requirements/run.txt
	$(LOCK) pyproject.toml --extra studio --extra dev -o requirements/test.txt
	$(LOCK) requirements/train.in --python-platform x86_64-manylinux_2_28 -o requirements/train.txt

clean:
	rm -rf out runs .mypy_cache .ruff_cache .pytest_cache
