"""Stepper in JupyterLab: through an MLP's step by keyboard, and live, op by op."""

from __future__ import annotations

import math
import re

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MAKE = """
import time
import edutorch as torch
from edutorch import nn
from edutorch.inspect import record
from edutorch.widgets import Stepper, live
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
def edges_of(node):
    # each node of backward with those that it sends to, as autograd has them
    names = {id(p): name for name, p in model.named_parameters()}
    ends = [n for n, _ in node.next_functions if n is not None]
    own = [names[id(n.variable)] if hasattr(n, "variable") else n.name() for n in ends]
    return [(node.name(), sorted(own))] + [pair for n in ends for pair in edges_of(n)]
live
"""
RECORD = """
with record(values=True) as recording:
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
Stepper(recording)
"""
LIVE = "stepper = Stepper()\nstepper"
TRAIN = """
for step in range(60):
    optimizer.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    time.sleep(0.15)
"""
FORWARD = {
    "AddmmBackward0": "linear",
    "TanhBackward0": "tanh",
    "PowBackward0": "pow",
    "MeanBackward0": "loss = mean",
}
# of the drawn graph: the lit box, and those to which strong lines lead from it
LIT = """graph => {
    const title = box => box.querySelector(".edt-title").textContent;
    const lit = graph.querySelector(".edt-now");
    const boxes = new Map([...graph.querySelectorAll("[data-box]")].map(
        box => [box.getAttribute("data-box"), title(box)]));
    const ends = [...graph.querySelectorAll(".edt-hot")].map(
        line => line.dataset.line.split(">"));
    const here = lit.getAttribute("data-box");
    return [title(lit), ends.filter(([, to]) => to === here)
        .map(([from]) => boxes.get(from)).sort()];
}"""
SUM = re.compile(r"^(?:\[[\d, ]*\]: )?(.*) = (\S+)$")


@pytest.fixture(scope="module")
def view(lab):
    lab.write_and_open("steps.ipynb", notebook_of(MAKE, RECORD, LIVE, TRAIN))
    lab.run(0)
    lab.run(1)
    found = lab.page.locator(".edutorch-stepper").first
    found.wait_for()
    return found


def title(view):
    return view.locator(".edt-step h3").inner_text()


def computed(words):
    """Both sides of "[0, 0]: 2 · 3 + 1 = 7", the left one computed."""
    left, right = SUM.match(words).groups()
    code = left.replace("·", "*").replace("^", "**")
    return eval(code, {"tanh": math.tanh}), float(right)


def test_step_is_gone_through_by_keys_to_the_backward(lab, view, pictures):
    rows = view.locator(".edt-rows")
    rows.focus()
    rows.press("Home")
    assert title(view) == "Sequential"
    rows.press("ArrowRight")
    rows.press("ArrowRight")
    assert title(view) == "linear"
    assert "y = x wᵀ + b" in view.locator(".edt-formula").inner_text()
    left, right = computed(view.locator(".edt-sum").inner_text())
    assert left == pytest.approx(right, abs=2e-3)
    lit = view.locator(".edt-source [aria-current]").inner_text()
    assert "loss = (model(x) ** 2).mean()" in lit
    lab.picture(view, pictures / "stepper-forward.png")
    rows.press("b")
    assert title(view) == "MeanBackward0"
    rows.press("ArrowRight")
    assert title(view) == "PowBackward0"
    lab.picture(view, pictures / "stepper-backward.png")


def test_numbers_of_each_node_multiply_and_add_up(lab, view):
    rows = view.locator(".edt-rows")
    rows.focus()
    rows.press("Home")
    read = 0
    for _ in range(24):
        for words in view.locator(".edt-sum").all_inner_texts():
            left, right = computed(words)
            assert left == pytest.approx(right, rel=2e-3, abs=2e-3), words
            read += 1
        rows.press("ArrowRight")
    assert read >= 11


def test_graph_lights_the_operation_and_the_lines_that_autograd_has(lab, view):
    graph = view.get_by_test_id("step-graph")
    rows = view.locator(".edt-rows")
    rows.focus()
    rows.press("Home")
    found = []
    for _ in range(24):
        name = title(view)
        if name in FORWARD:
            lit, ends = graph.evaluate(LIT)
            assert lit == FORWARD[name]
            found.append((name, ends))
        rows.press("ArrowRight")
    known = [
        (name, sorted(FORWARD.get(end, end) for end in ends))
        for name, ends in eval(lab.ask("edges_of(loss.grad_fn)"))
        if name in FORWARD
    ]
    assert len(found) == 5
    assert sorted(found) == sorted(known)


def test_click_in_the_graph_moves_there(view):
    rows = view.locator(".edt-rows")
    rows.locator("[role=treeitem]", has_text="2 tanh").click()
    graph = view.get_by_test_id("step-graph")
    assert graph.locator(".edt-now .edt-title").text_content() == "tanh"
    graph.locator("[data-box]", has_text="linear").last.click()
    assert title(view) == "linear"
    assert "pow" in view.locator(".edt-near").inner_text()  # the second of them
    graph.focus()
    graph.press("g")
    assert title(view) == "AddmmBackward0"


def test_gradient_of_a_weight_is_the_kernels(lab, view, pictures):
    rows = view.locator(".edt-rows")
    rows.locator("[role=treeitem]", has_text="gradient of 0.weight").click()
    cells = view.locator(".edt-numbers").first.locator("span").all_inner_texts()
    known = eval(lab.ask("model[0].weight.grad.flatten().tolist()"))
    assert list(map(float, cells)) == pytest.approx(known, rel=1e-3, abs=1e-5)
    rows.press("End")
    assert title(view) == "SGD.step"
    lab.picture(view, pictures / "stepper-update.png")


def test_element_is_chosen_with_arrow_keys(lab, view):
    rows = view.locator(".edt-rows")
    rows.press("Home")
    rows.press("ArrowRight")
    rows.press("ArrowRight")
    table = view.locator("[data-pick=out]")
    table.focus()
    table.press("ArrowDown")
    table.press("ArrowRight")
    words = view.locator(".edt-sum").inner_text()
    assert words.startswith("[1, 1]: 0.5 · ")
    assert title(view) == "linear"  # arrow keys have not stepped on
    left, right = computed(words)
    assert left == pytest.approx(right, abs=2e-3)


def test_training_that_is_paused_is_followed_op_by_op(lab, view, pictures):
    page = lab.page
    lab.run(2)
    page.locator(".edutorch-live[data-live='1']").wait_for()
    followed = page.locator(".edutorch-stepper").nth(1)
    followed.wait_for()
    lab.start(3)
    followed.locator(".edt-rows [role=treeitem]").first.wait_for()
    at = page.get_by_test_id("at")
    page.get_by_test_id("pause").click()
    at.filter(has_text="·").wait_for()
    seen = []
    for _ in range(14):
        before = at.text_content()
        page.get_by_test_id("step").click()
        page.wait_for_function(
            "before => document.querySelector('[data-testid=at]').textContent !== before",
            arg=before,
        )
        name = at.text_content().partition(" ·")[0]
        wanted = "gradient of" if name == "AccumulateGrad" else name
        followed.locator(".edt-step h3", has_text=wanted).wait_for()
        seen.append(name)
    assert "paused" in followed.locator(".edt-info").inner_text()
    assert {"linear", "tanh", "AddmmBackward0"} <= set(seen)
    lab.picture(followed, pictures / "stepper-paused.png")
    page.get_by_test_id("resume").click()
    lab.wait_for_end()
    assert lab.ask("torch.events.taps") == "()"


@pytest.mark.parametrize("dark", [False, True])
def test_view_is_drawn_in_both_themes_and_on_narrow_pages(lab, view, pictures, dark):
    theme = "JupyterLab Dark" if dark else "JupyterLab Light"
    lab.page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})",
        theme,
    )
    rows = view.locator(".edt-rows")
    rows.locator("[role=treeitem]", has_text="AddmmBackward0").first.click()
    lab.picture(view, pictures / f"stepper-{'dark' if dark else 'light'}.png")
    lab.page.set_viewport_size({"width": 640, "height": 1000})
    lab.page.wait_for_timeout(500)
    lab.picture(view, pictures / f"stepper-narrow-{'dark' if dark else 'light'}.png")
    ends = [view.locator(part).bounding_box() for part in (".edt-right", ".edt-step")]
    whole, detail = (box["y"] + box["height"] for box in ends)
    assert detail == pytest.approx(whole, abs=2)  # no gap below the numbers
    lab.page.set_viewport_size({"width": 1280, "height": 1000})


def test_full_screen_is_entered_and_left(lab, view, pictures):
    page = lab.page
    view.get_by_test_id("fullscreen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.wait_for_timeout(500)  # until the boxes have moved
    page.screenshot(path=pictures / "stepper-full.png")
    page.evaluate("() => document.exitFullscreen()")
    page.wait_for_function("() => document.fullscreenElement === null")


def test_page_reports_no_error(lab, view):
    assert lab.problems == [] and lab.outside == []
