"""NaNTrail in JupyterLab: training stops at a nan, and its path is read by keyboard."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = """
import edutorch as torch
from edutorch import nn, optim
from edutorch.widgets import NaNTrail
torch.manual_seed(0)
trail = NaNTrail()
trail
"""
TRAIN = """
class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))

    def forward(self, x):
        probabilities = torch.softmax(self.body(x), -1)
        return -(probabilities * torch.log(probabilities)).sum(-1)

model = Scorer()
optimizer = optim.SGD(model.parameters(), lr=50.0)
batch = torch.randn(16, 4)
for step in range(60):
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
"""
STOP = """
stopping = NaNTrail(stop=True)
display(stopping)
try:
    torch.sqrt(torch.tensor([-1.0, 4.0]))
    stopped = "no"
except FloatingPointError as error:
    stopped = str(error)
"""
BOXES = ".edt-trail li"


@pytest.fixture(scope="module")
def trail(lab):
    lab.write_and_open("nan.ipynb", notebook_of(SHOW, TRAIN, STOP))
    lab.run(0)
    return lab.page.locator(".edutorch-nan").first


def test_view_without_a_nan_says_what_it_waits_for(lab, trail, pictures):
    trail.locator(".edt-empty", has_text="is checked as it is computed").wait_for()
    lab.picture(trail, pictures / "nan-trail-calm.png")


def test_training_that_goes_nan_shows_the_way_to_the_loss(lab, trail, pictures):
    lab.run(1)
    trail.locator(".edt-verdict", has_text="log made").wait_for()
    boxes = trail.locator(BOXES)
    shown = boxes.evaluate_all("all => all.map(e => e.querySelector('b').textContent)")
    names = lab.ask("[b['name'] for b in trail.data['finding']['trail']]")
    assert shown[-1] == "Loss: loss = mean"
    ops = [w.removeprefix("Loss: ").split(" = ")[-1] for w in shown[1:]]
    assert [op.removesuffix(" in Scorer") for op in ops] == [
        name.strip("' ") for name in names.strip("[]").split(",")[1:]
    ]
    assert shown[0].startswith("First: log")
    root = boxes.first.inner_text()
    assert "torch.log(probabilities)" in root
    assert "probabilities 16×4" in root
    lab.picture(trail, pictures / "nan-trail.png")


def test_boxes_are_read_by_keyboard(trail):
    trail.locator(".edt-trail").focus()
    trail.locator(".edt-trail").press("ArrowDown")
    second = trail.locator(BOXES).nth(1)
    assert second.get_attribute("aria-selected") == "true"
    trail.locator(".edt-trail").press("r")
    assert trail.locator(BOXES).first.get_attribute("aria-selected") == "true"


@pytest.mark.parametrize("width", [800, 400, 280])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_view_in_every_theme_and_width_fits_its_place(
    lab, trail, pictures, theme, width
):
    lab.fit(trail, theme, width, pictures / f"nan-trail-{theme}-{width}.png")


def test_view_that_stops_raises_in_the_cell(lab, pictures):
    lab.run(2)
    view = lab.page.locator(".edutorch-nan").nth(1)
    view.locator(".edt-verdict", has_text="sqrt made 1 nan of 2 values").wait_for()
    assert "sqrt made 1 nan" in lab.ask("stopped")
    lab.picture(view, pictures / "nan-trail-stopped.png")


def test_page_reports_no_error(lab, trail):
    assert lab.problems == [] and lab.outside == []
