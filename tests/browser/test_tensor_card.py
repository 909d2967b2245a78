"""TensorCard in JupyterLab: keyboard, slices, and updates."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MAKE = """
import edutorch as torch
from edutorch.widgets import GraphView, show
torch.manual_seed(0)
graph = GraphView()
weight = torch.randn(6, 8, requires_grad=True)
row, transposed = weight[2], weight.t()
(weight * 2).relu().sum().backward()
"""
SHOW = "show(weight)"
CHANGE = "with torch.no_grad():\n    weight[0, 0] = 123.0"
LARGE = """
batch = torch.arange(40 * 3 * 32 * 32).reshape(40, 3, 32, 32) / (40 * 3 * 32 * 32)
show(batch)
"""
CELLS = ".edt-panel:not([hidden]) .edt-cells:not(.edt-tiles)"


@pytest.fixture(scope="module")
def card(lab):
    lab.write_and_open("card.ipynb", notebook_of(MAKE, SHOW, CHANGE, LARGE))
    for cell in (0, 1):
        lab.run(cell)
    return lab.page.locator(".edutorch-tensor").first


def test_card_shows_value_gradient_origin_and_memory(lab, card, pictures):
    card.locator(".edt-info").wait_for()
    words = card.inner_text()
    assert "weight: 6×8 float32 on cpu, requires grad, 192 B" in words
    assert "used by mul" in words
    assert card.locator(".edt-memory-row").count() == 3
    assert card.locator(CELLS).count() == 2
    lab.picture(card, pictures / "tensor-card.png")


def test_cell_is_read_by_keyboard_as_the_kernel_has_it(lab, card):
    cells = card.locator(CELLS).first
    cells.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        cells.press(key)
    read = card.locator(".edt-readout").first.inner_text()
    index, _, value = read.partition(" = ")
    assert index == "[2, 1]"
    assert float(value) == pytest.approx(
        float(lab.ask("weight[2, 1].item()")), rel=1e-4
    )


def test_card_follows_a_change_in_place(lab, card):
    lab.run(2)
    card.locator("dd", has_text="123").first.wait_for()


def test_slider_brings_slices_that_were_not_sent(lab, pictures, card):
    lab.run(3)
    large = lab.page.locator(".edutorch-tensor").nth(1)
    slider = large.locator("input[type=range]").first
    slider.focus()
    slider.press("End")
    large.locator("output", has_text="39 of 40").wait_for()
    cells = large.locator(CELLS)
    cells.focus()
    cells.press("ArrowRight")
    large.locator(".edt-readout", has_text="[39, :, 0, 1] = 0.97").first.wait_for()
    lab.picture(large, pictures / "tensor-card-image.png")


@pytest.mark.parametrize("width", [800, 400, 280])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_card_in_every_theme_and_width_fits_its_place(
    lab, card, pictures, theme, width
):
    lab.fit(card, theme, width, pictures / f"tensor-card-{theme}-{width}.png")
    cells = "e => [...e.querySelectorAll('canvas')].every(c => c.clientWidth <= 320)"
    assert card.evaluate(cells)


def test_page_reports_no_error(lab, card):
    assert lab.problems == [] and lab.outside == []
