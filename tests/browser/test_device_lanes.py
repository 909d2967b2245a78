"""DeviceLanes in JupyterLab: two simulated GPUs at work, read by keys, and one full."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = """
import threading
import edutorch as torch
from edutorch import nn
from edutorch.events import mark
from edutorch.widgets import DeviceLanes
torch.cuda.simulate(devices=2, memory="32MB")
lanes = DeviceLanes()
lanes
"""
TRAIN = """
models = [nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 8)).to(f"cuda:{i}")
          for i in (0, 1)]
optimizer = torch.optim.SGD(models[0].parameters(), lr=0.01)
x, y = torch.randn(128, 64), torch.randn(128, 8)

def work(i):
    nn.functional.mse_loss(models[i](halves[i][0]), halves[i][1]).backward()

for step in range(3):
    mark("scatter", "begin")
    pairs = zip(x.chunk(2), y.chunk(2))
    halves = [(a.to(f"cuda:{i}"), b.to(f"cuda:{i}")) for i, (a, b) in enumerate(pairs)]
    mark("scatter", "end")
    mark("parallel_apply", "begin")
    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for t in threads: t.start()
    for t in threads: t.join()
    mark("parallel_apply", "end")
    mark("reduce", "begin")
    for p, q in zip(models[0].parameters(), models[1].parameters()):
        p.grad = (p.grad + q.grad.to("cuda:0")) / 2
        q.grad = None
    mark("reduce", "end")
    optimizer.step()
    optimizer.zero_grad()
"""
FULL = """
try:
    torch.ones(3 * 2**22, device="cuda:1")
except torch.cuda.OutOfMemoryError:
    print("full")
"""


@pytest.fixture(scope="module")
def view(lab):
    lab.write_and_open("lanes.ipynb", notebook_of(SHOW, TRAIN, FULL))
    lab.run(0)
    found = lab.page.locator(".edutorch-lanes").first
    found.locator(".edt-empty", has_text="Nothing recorded yet").wait_for()
    lab.run(1)
    found.locator(".edt-info", has_text="3 devices").wait_for()
    return found


def lane_text(view, device):
    return view.locator(".edt-quiet li", has_text=device).inner_text()


def test_view_shows_what_the_kernel_counts(lab, view, pictures):
    lab.page.wait_for_timeout(500)
    for i in (0, 1):
        held = lab.ask(f"torch.cuda.memory_allocated({i})")
        shown = lab.ask(
            f"[x for x in lanes.data['lanes'] if x['device'] == 'cuda:{i}'][0]"
            "['memory']['now']"
        )
        assert shown == held
    model = 4 * (64 * 256 + 256 + 256 * 8 + 8)
    nbytes = model + 3 * 4 * 64 * (64 + 8)  # half of a batch in each of three steps
    assert lab.ask("[(m['count'], m['bytes']) for m in lanes.data['moved']][0]") == (
        f"(10, {nbytes})"
    )
    assert "cuda:1 (simulated GPU): busy" in lane_text(view, "cuda:1")
    assert view.locator(".edt-phase").count() == 9
    lab.picture(view, pictures / "lanes.png")


def test_keys_read_bars_and_zoom(lab, view, pictures):
    stage = view.locator(".edt-lanes")
    stage.focus()
    stage.press("ArrowDown")
    stage.press("End")
    read = view.locator(".edt-readout")
    assert read.inner_text().startswith("cuda:0 · ")
    stage.press("ArrowDown")
    stage.press("Home")
    assert read.inner_text().startswith("cuda:1 · ")
    for _ in range(5):
        stage.press("+")
    view.locator("text", has_text="in view").first.wait_for()
    stage.press("ArrowRight")
    lab.picture(view, pictures / "lanes-zoomed.png")
    stage.press("0")
    view.locator("text", has_text="in view").first.wait_for(state="detached")
    assert (
        "Times are measured on this computer" in view.locator(".edt-marks").inner_text()
    )


def test_drag_and_wheel_move_the_axis(lab, view):
    stage = view.locator(".edt-lanes")
    view.get_by_role("button", name="Zoom in (+)").click()
    view.locator("text", has_text="in view").first.wait_for()
    before = stage.locator("[data-axis] text").first.text_content()
    box = stage.bounding_box()
    x, y = box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.6
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(x - 150, y, steps=5)
    lab.page.mouse.up()
    lab.page.wait_for_timeout(200)
    assert stage.locator("[data-axis] text").first.text_content() != before
    view.get_by_role("button", name="Show all time (0)").click()
    view.locator("text", has_text="in view").first.wait_for(state="detached")


def test_device_that_is_full_is_named_with_what_it_held(lab, view, pictures):
    lab.run(2)
    held = view.locator(".edt-marks li", has_text="cuda:1 out of memory")
    held.wait_for()
    assert "48.0 MB requested" in held.inner_text()
    assert "of 32.0 MB held" in held.inner_text()
    lab.picture(view, pictures / "lanes-full.png")


@pytest.mark.parametrize("width", [1200, 800, 400, 280])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_lanes_in_every_theme_and_width_stay_in_their_place(
    lab, view, pictures, theme, width
):
    lab.fit(view, theme, width, pictures / f"lanes-{theme}-{width}.png")


def test_saved_notebook_keeps_the_picture(lab, view):
    lab.save()
    (output,) = [o for o in lab.outputs(0) if "image/svg+xml" in o.get("data", {})]
    assert "cuda:1 out of memory" in "".join(output["data"]["text/plain"])


def test_page_reports_no_error(lab, view):
    assert lab.problems == [] and lab.outside == []
