"""Leaks in words; names cannot forge lines."""

from __future__ import annotations

import json

import pytest

from edutorch.widgets.leak_text import (
    answer_lines,
    describe_holder,
    describe_row,
    describe_search,
    leak_text,
    place_of,
)
from tests.widgets.samples import leaks
from tests.widgets.shared_fixtures import FIXTURES


def test_text_tells_lines_paths_and_the_change():
    text = leak_text(leaks())
    assert "programs/train.py:9: loss = criterion(model(x), y)" in text
    assert "losses → [41] → .grad_fn" in text
    assert "change it to: losses.append(loss.item())" in text
    assert "graph nodes grew in 8 of the last 8 steps" in text


def test_name_with_line_breaks_stays_in_its_line():
    data = leaks()
    before = len(leak_text(data).splitlines())
    data["answers"][0]["name"] = "x\ny\x1b[2J"
    assert len(leak_text(data).splitlines()) == before


def test_cut_search_says_so():
    answer = leaks()["answers"][0] | {"cut": True, "cause": None, "paths": []}
    assert describe_search(answer).endswith("stopped at the time limit")
    assert "A container" not in "\n".join(answer_lines(answer))


@pytest.mark.parametrize("lost", [0, 2048])
def test_bytes_in_cycles_are_told(lost):
    lines = answer_lines(leaks()["answers"][0] | {"lost_bytes": lost})
    assert ("gc.collect() frees 2.0 KB of it" in lines) == bool(lost)


def test_words_agree_with_typescript():
    shared = json.loads((FIXTURES / "leaks" / "words.json").read_text("utf-8"))
    for row in shared["rows"]:
        assert describe_row(row["given"]) == row["words"]
        assert place_of(row["given"]) == row["place"]
    for answer in shared["answers"]:
        assert describe_search(answer["given"]) == answer["looked"]
        assert describe_holder(answer["given"]) == answer["held"]
