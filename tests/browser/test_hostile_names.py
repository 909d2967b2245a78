"""Names that look like HTML or script are shown as text everywhere."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IMAGE = "<img src=x onerror=hacked()>"
SCRIPT = "</script><script>hacked()</script>"
LINK = "javascript:hacked()"
BREAKS_OUT = "\"'><svg onload=hacked()>"
NAMES = [IMAGE, SCRIPT, LINK, BREAKS_OUT, "</style><b>", "&lt;i&gt;"]

MODEL = f"""
import edutorch as torch
from edutorch import nn, optim
from edutorch.widgets import GradientView, GraphView, MemoryView

NAMES = {NAMES!r}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for name in NAMES:
            self.add_module(name, type(name, (nn.Linear,), {{}})(2, 2))

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x

model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.1)
globals()[NAMES[0]] = torch.ones(1, 2)
"""
STEP = """
loss = model(globals()[NAMES[0]]).sum() # <img src=y onerror=hacked()>
loss.backward()
optimizer.step()
"""
VIEWS = [
    "graph = GraphView(model)\ngraph",
    "gradients = GradientView(model)\ngradients",
]
FREEZE = "graph.freeze(NAMES[1])\ngradients.freeze(NAMES[0])"
FILES = "graph.export('graph.svg')\ngradients.export('gradients.svg')"
HACKED = "window.calls = []; window.hacked = () => window.calls.push(1)"
MADE = "img, script, iframe, i, a[href], [onload], [onerror]"


@pytest.fixture(scope="module")
def page(lab):
    """The notebook, run; whatever gets executed calls `hacked`."""
    lab.page.add_init_script(HACKED)
    requested = []
    lab.page.on("request", lambda request: requested.append(request.url))
    notebook = notebook_of(MODEL, *VIEWS, STEP, FREEZE, FILES)
    lab.write_and_open("hostile.ipynb", notebook)
    for i in range(len(notebook["cells"])):
        lab.run(i)
    for view in ("graph", "gradient"):  # the end has been drawn
        lab.page.locator(f".edutorch-{view} .edt-frozen").wait_for()
    lab.wait_for_pngs(2)
    yield lab.page
    assert not [url for url in requested if url.endswith(("/x", "/y"))]


def harmless(page):
    """Nothing was executed, and no element was made of a name."""
    made = page.locator(f".edutorch :is({MADE})").count()
    return page.evaluate("window.calls") == [] and made == 0


def test_name_in_the_graph_is_text(page):
    graph = page.locator(".edutorch-graph")
    for name in NAMES:
        header = graph.locator("g.frame, g.node").filter(has_text=name[:12])
        assert header.count() >= 1
    assert harmless(page)


def test_name_in_the_details_is_text(page):
    graph = page.locator(".edutorch-graph")
    for name in NAMES:
        graph.get_by_role("searchbox").fill(name)
        graph.get_by_role("searchbox").press("Enter")
        graph.get_by_test_id("detail").get_by_text(name).first.wait_for()
    assert harmless(page)


def test_source_line_in_the_details_is_text(page):
    graph = page.locator(".edutorch-graph")
    graph.get_by_role("searchbox").fill("sum")
    graph.get_by_role("searchbox").press("Enter")
    graph.get_by_test_id("source").get_by_text("onerror=hacked()").wait_for()
    assert harmless(page)


def test_name_in_the_table_is_text(page):
    graph = page.locator(".edutorch-graph")
    graph.get_by_role("button", name="Table").click()
    table = graph.locator("table").inner_text()
    for name in NAMES:
        assert name in table
    graph.get_by_role("button", name="Table").click()
    assert harmless(page)


def test_name_of_a_layer_in_the_gradients_is_text(page):
    gradients = page.locator(".edutorch-gradient")
    gradients.get_by_role("button", name="Lines").click()
    for name in NAMES:
        assert gradients.get_by_text(f"{name}.weight").count() >= 1
    assert harmless(page)


def test_name_in_the_status_is_text(page):
    assert page.locator(".edutorch-graph").get_by_text(SCRIPT).count() >= 1
    assert page.locator(".edutorch-gradient").get_by_text(IMAGE).count() >= 1
    assert harmless(page)


@pytest.mark.parametrize("name", ["graph.svg", "gradients.svg"])
def test_name_in_a_still_picture_is_text(lab, page, name):
    drawing = lab.folder / name
    inline = drawing.with_suffix(".html")
    inline.write_text(f"<!doctype html><body>{drawing.read_text()}")
    other = page.context.new_page()
    other.add_init_script(HACKED)
    for file in (drawing, inline):
        other.goto(file.as_uri())
        assert other.get_by_text("<img src").count() >= 1
        assert other.locator(f"{MADE}, svg svg").count() == 0
        assert other.evaluate("window.calls") == []
    other.close()


@pytest.mark.parametrize("trusted", [True, False])
def test_name_when_the_notebook_is_opened_again_is_text(lab, page, trusted):
    lab.save()
    saved = json.loads((lab.folder / "hostile.ipynb").read_text())
    name = "hostile.ipynb"
    if not trusted:  # anything that was not saved here has no signature
        name = "strange.ipynb"
        saved["cells"][0]["source"] += "\n# changed elsewhere"
        (lab.folder / name).write_text(json.dumps(saved))
    lab.close()
    lab.open(name)
    assert lab.trusted == trusted
    if trusted:
        page.locator(".edutorch-graph g.node").first.wait_for()
    else:
        page.locator(".jp-OutputArea-output img").first.wait_for()
        assert page.locator(".edutorch").count() == 0
    assert harmless(page)


def test_page_asks_no_other_machine_and_reports_no_error(lab, page):
    assert lab.outside == []
    assert lab.problems == []
