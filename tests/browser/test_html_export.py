"""A notebook as `jupyter nbconvert --to html` writes it, read without a network."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of
from tests.browser.test_reopened import MODEL, VIEWS
from tests.notebooks.chapters import execute

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = "train(5)\nfor view in views:\n    display(view)"
HEIGHTS = "images => images.map(i => i.complete ? i.naturalHeight : 0)"


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    exporters = pytest.importorskip("nbconvert.exporters")
    folder = tmp_path_factory.mktemp("export")
    with pytest.MonkeyPatch.context() as patch:
        notebook, _ = execute(notebook_of(MODEL, SHOW), folder, patch)
    html, _ = exporters.HTMLExporter().from_notebook_node(notebook)
    (folder / "notebook.html").write_text(html)
    page = browser.new_page(viewport={"width": 1000, "height": 1400})
    page.route("http*://**", lambda route: route.abort())
    page.goto((folder / "notebook.html").as_uri())
    yield page
    page.close()


def test_page_without_a_network_shows_a_picture_of_each_view(page, pictures):
    images = page.locator(".jp-OutputArea-output img")
    heights = images.evaluate_all(HEIGHTS)
    assert len(heights) == len(VIEWS)
    assert min(heights) > 100
    for image in images.all():
        assert image.is_visible()
    page.screenshot(path=pictures / "nbconvert.png", full_page=True)
