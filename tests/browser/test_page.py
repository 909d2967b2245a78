"""An exported page, opened from the disk by a browser without any server."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import nn, optim, widgets

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with torch.inspect.record(level=2) as recording:
        for _ in range(5):
            model(torch.randn(5, 4)).sum().backward()
            optimizer.step()
    run = widgets.open(recording.save(folder / "run.edu"))
    page = browser.new_page(viewport={"width": 1000, "height": 1400})
    page.problems, page.requested = [], []
    page.on("console", lambda message: page.problems.append(message.text))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: page.requested.append(request.url))
    page.goto(run.export(folder / "run.html").as_uri())
    page.locator(".edutorch-memory").wait_for()
    yield page
    page.close()


def test_page_draws_every_view(page, pictures):
    names = page.locator(".edt-name").all_inner_texts()
    assert names[:3] == ["Graph", "Gradients", "Memory"]
    assert page.locator(".node").count() >= 9
    page.screenshot(path=pictures / "page.png", full_page=True)


def test_node_when_chosen_by_keyboard_shows_its_details(page):
    page.locator(".edt-stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator(".edt-detail").inner_text()


def test_page_asks_nobody_and_reports_no_error(page):
    own = ("file:", "blob:", "data:")
    assert [url for url in page.requested if not url.startswith(own)] == []
    assert page.problems == []
