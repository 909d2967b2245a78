"""Chapter 11 as a learner runs it: in JupyterLab, with a word read letter by letter."""

from __future__ import annotations

import re

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "11-rnn"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def reader(lab, lesson):
    view = lab.page.locator(".edutorch-letter_gates")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("word").fill("omega")
    wait_for(view.get_by_test_id("said"), "After “omega”")
    return view


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_one_number_decides_what_an_lstm_remembers(lesson):
    shares = re.findall(r"'([\w, ]+)': '(\d+)%'", lesson["task-run"])
    found = {name: int(share) for name, share in shares}
    assert found["LSTM, forget bias 3"] >= 95
    assert 40 <= found["RNN"] <= 60
    assert 40 <= found["LSTM"] <= 60


def test_word_that_is_typed_is_read_to_its_end(reader):
    cells = reader.locator(".elg-cell")
    assert cells.count() == 5 * (16 + 6 + 8)
    reader.get_by_test_id("word").fill("Alef?")
    wait_for(reader.get_by_test_id("said"), "After “alef”: [A-Z][a-z]+ \\d+%")
    assert cells.count() == 4 * (16 + 6 + 8)


def test_arrow_keys_go_from_letter_to_letter_and_from_unit_to_unit(lab, reader):
    said = reader.get_by_test_id("said")
    reader.get_by_test_id("picture").focus()
    lab.page.keyboard.press("Home")
    wait_for(said, "After “o”: ")
    lab.page.keyboard.press("ArrowRight")
    wait_for(said, "After “om”: ")
    before = reader.get_by_test_id("unit").inner_text()
    lab.page.keyboard.press("ArrowDown")
    wait_for(reader.get_by_test_id("unit"), f"^(?!{before}$)")
    lab.page.keyboard.press("End")
    wait_for(said, "After “omega”: ")


def test_click_chooses_a_letter_and_a_unit(reader):
    reader.locator(".elg-cell").nth(16 + 7).click()
    wait_for(reader.get_by_test_id("said"), "After “om”: ")
    wait_for(reader.get_by_test_id("unit"), "^7 of 16$")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_word_fits_its_place(lab, reader, pictures, theme, width):
    lab.fit(reader, theme, width, pictures / f"gates-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
