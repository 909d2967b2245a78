"""ErrorCard in JupyterLab: below tracebacks, in colour and words, until it is unloaded."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOAD = "%load_ext edutorch\nimport edutorch as torch\nfrom edutorch import nn"
PRODUCT = """
model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(100, 10))
images = torch.rand(2, 1, 28, 28)
model(images)
"""
BROADCAST = """
scores = torch.zeros(2, 3, 4, requires_grad=True) * 2
offset = torch.ones(3, 5)
scores + offset
"""
IN_PLACE = """
w = torch.ones(3, requires_grad=True)
y = (w * 2).exp()
y.add_(1)
y.sum().backward()
"""
UNLOAD = "%unload_ext edutorch"
CARD = ".edutorch-error"


@pytest.fixture(scope="module")
def cards(lab):
    cells = LOAD, PRODUCT, BROADCAST, IN_PLACE, "1 / 0", UNLOAD, "offset @ offset"
    lab.write_and_open("errors.ipynb", notebook_of(*cells))
    lab.run(0)
    for cell in (1, 2, 3):
        fail(lab, cell)
        lab.page.locator(CARD).nth(cell - 1).wait_for()
    return lab.page.locator(CARD)


def fail(lab, cell):
    """Run a cell that ends with an error."""
    lab.start(cell)
    lab.wait_for_end()


def lit(card):
    return card.locator(".edt-size[data-wrong]").all_inner_texts()


def test_cards_stand_below_the_traceback_and_light_what_disagrees(lab, cards, pictures):
    assert lit(cards.nth(0)) == ["5408", "100"]
    assert lit(cards.nth(1)) == ["4", "5"]
    assert lit(cards.nth(2)) == []
    for cell in (1, 2, 3):
        kinds = [output["output_type"] for output in lab.outputs(cell)]
        assert kinds == ["error", "display_data", "display_data"]
        lab.picture(cards.nth(cell - 1), pictures / f"error-card-{cell}.png")


def test_operands_have_the_names_of_the_cell(cards):
    names = cards.nth(0).locator("th").all_inner_texts()
    assert names == ["input", "model[3].weight", "model[3].bias"]
    assert cards.nth(1).locator("th").all_inner_texts() == ["scores", "offset"]


def test_card_of_an_in_place_change_names_its_line(cards):
    assert "y.add_(1)" in cards.nth(2).locator(".edt-why").inner_text()


def test_graph_so_far_opens_by_keyboard(lab, cards, pictures):
    toggle = cards.nth(0).locator("[data-testid=graph]")
    toggle.focus()
    toggle.press("Enter")
    graph = cards.nth(0).locator(".edutorch-graph")
    graph.locator(".edt-info", has_text="8 nodes").wait_for()
    lab.picture(cards.nth(0), pictures / "error-card-graph.png")
    toggle.press("Enter")
    assert not graph.is_visible()


def test_error_without_tensors_has_no_card(lab, cards):
    fail(lab, 4)
    assert [output["output_type"] for output in lab.outputs(4)] == ["error"]


def test_unloading_leaves_the_text_alone(lab, cards):
    lab.run(5)
    fail(lab, 6)
    assert [output["output_type"] for output in lab.outputs(6)] == ["error"]


@pytest.mark.parametrize("width", [800, 400])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_card_in_every_theme_and_width_fits_its_place(
    lab, cards, pictures, theme, width
):
    for i in range(3):
        file = pictures / f"error-card-{i}-{theme}-{width}.png"
        lab.fit(cards.nth(i), theme, width, file)


def test_page_reports_no_error(lab, cards):
    assert lab.problems == [] and lab.outside == []
