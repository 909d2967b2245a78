"""An LSTM reads a word: the page, this half and `nn.LSTMCell` compute the same."""

from __future__ import annotations

import json

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course.interactions import LetterGates
from edutorch.course.interactions.letter_gates import (
    LONGEST,
    PARTS,
    answer,
    formula,
    read,
)
from tests.widgets.shared_fixtures import FIXTURES

FIXTURE = json.loads((FIXTURES / "letter_gates" / "steps.json").read_text())
NET, CASES = FIXTURE["net"], FIXTURE["cases"]
ALPHABET, CLASSES = "abcdef ", ("one", "two", "three")


def network(hidden=5):
    torch.manual_seed(11)
    lstm = nn.LSTM(len(ALPHABET), hidden)
    return lstm, nn.Linear(hidden, len(CLASSES))


def view(word="fade", **more):
    return LetterGates(*network(), ALPHABET, CLASSES, word=word, **more)


@pytest.mark.parametrize("case", CASES, ids=[repr(case["word"]) for case in CASES])
def test_steps_are_those_of_the_page(case):
    steps = read(NET, case["word"])
    assert [step.letter for step in steps] == [s["letter"] for s in case["steps"]]
    for step, theirs in zip(steps, case["steps"], strict=True):
        for name in PARTS:
            assert step.parts[name] == pytest.approx(theirs["parts"][name], abs=1e-12)
        assert step.before == pytest.approx(theirs["before"], abs=1e-12)
        assert step.shares == pytest.approx(theirs["shares"], abs=1e-12)
    ends = [answer(steps, at, NET["classes"]) for at in range(len(steps))]
    assert ends == case["ends"]
    assert [formula(step, 2) for step in steps] == case["formulas"]


def test_steps_are_those_of_the_librarys_cell():
    lstm, scores = network()
    cell = nn.LSTMCell(len(ALPHABET), 5)
    for p, value in zip(cell.parameters(), lstm.parameters(), strict=True):
        p.data.copy_(value)
    h = c = torch.zeros(1, 5)
    for step in read(view().data, "fade"):
        x = torch.eye(len(ALPHABET))[[ALPHABET.index(step.letter)]]
        h, c = cell(x, (h, c))
        assert step.parts["h"] == pytest.approx(h[0].tolist(), abs=1e-5)
        assert step.parts["c"] == pytest.approx(c[0].tolist(), abs=1e-5)
        assert step.shares == pytest.approx(scores(h).softmax(1)[0].tolist(), abs=1e-5)


def test_read_of_a_long_word_ends_at_the_longest():
    assert len(read(view().data, "ab" * 40)) == LONGEST


def test_text_has_a_line_for_each_letter_and_the_rule():
    lines = view(unit=3).text().splitlines()
    assert lines[0].startswith("unit 3:")
    assert [line[0] for line in lines[1:5]] == list("fade")
    assert "after “fade”: " in lines[4]
    assert lines[5].startswith("c = f · c + i · g = ")


@pytest.mark.parametrize("word", ["", "a", "fade", "ab" * 40])
def test_picture_stays_within_its_frame(word):
    picture = view(word).picture("a note")
    boxes = [shape for kind, shape in picture.shapes if kind == "rect"]
    assert max(box["x"] + box["w"] for box in boxes) <= picture.width
    assert max(box["y"] + box["h"] for box in boxes) <= picture.height
    assert "a note" in picture.svg()


def test_network_that_does_not_fit_is_refused():
    lstm, scores = network()
    with pytest.raises(ValueError, match="7 inputs and 3 letters"):
        LetterGates(lstm, scores, "abc", CLASSES, word="a")
    two = nn.LSTM(len(ALPHABET), 5, num_layers=2)
    with pytest.raises(ValueError, match="one layer"):
        LetterGates(two, scores, ALPHABET, CLASSES, word="a")
