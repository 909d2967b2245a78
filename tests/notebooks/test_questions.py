"""Every question in a chapter is answered by a cell's output or in a folded text."""

from __future__ import annotations

import re

import pytest

from tests.notebooks.chapters import NAMES, marks, released

FOLDED = "<details><summary>"
PREDICT = re.compile(r"\*Predict")
# A paragraph that asks the reader to try something, without an answer.
TRY = re.compile(r"^\*(?:Break it|Try):\*.*\?$", re.MULTILINE)


def source(cell):
    return "".join(cell["source"])


def chapter(name):
    """The cells of a chapter, each with the one that follows."""
    cells = released(name)["cells"]
    return list(zip(cells, [*cells[1:], None], strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_question_of_an_exercise_has_a_folded_answer_below(name):
    for cell, _ in chapter(name):
        if marks(cell).get("grade_id", "").startswith("exercise-"):
            text = source(cell)
            assert text.count(FOLDED) == text.count("</details>") == 1, text
            assert text.index("*Break it:*") < text.index(FOLDED)
            assert text.endswith("\n\n</details>")


@pytest.mark.parametrize("name", NAMES)
def test_prediction_is_followed_by_code_that_shows_the_answer(name):
    for cell, after in chapter(name):
        text = source(cell)
        if cell["cell_type"] == "markdown" and PREDICT.search(text):
            found = PREDICT.search(text)
            answered = FOLDED in text[found.start() :]
            assert answered or after["cell_type"] == "code", text


@pytest.mark.parametrize("name", NAMES)
def test_question_to_try_has_a_folded_answer_before_the_next_section(name):
    cells = released(name)["cells"]
    for i, cell in enumerate(cells):
        for found in TRY.finditer(source(cell)):
            rest = source(cell)[found.end() :]
            for after in cells[i + 1 : i + 3]:
                rest += source(after)
            assert FOLDED in rest, found.group()
