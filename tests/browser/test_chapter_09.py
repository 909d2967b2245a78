"""Chapter 9 as a learner runs it: in JupyterLab, cell by cell, watched as it trains.

The chapter is run once; each test looks at one thing that was seen meanwhile.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

import pytest

from tests.browser.lab import SECONDS
from tests.browser.redraw_log import updates, watch
from tests.notebooks.chapters import ROOT, marks, solved

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.alone]

NAME = "09-cnn"
VIEWS = ("graph", "gradient", "memory", "live")
# Each chart is as wide as its place.
FILLED = """() => [...document.querySelectorAll(".edt-chart")].every(
  chart => chart.clientWidth - chart.firstChild.clientWidth < 30)"""
# What the first convolution makes of a batch, and of an epoch's last one.
BATCH, LAST_BATCH = "32×32×8×8", "29×32×8×8"
ENOUGH = 3  # updates of each view, before the training is paused
MODULES = ("features.0.0", "features.0.1", "features.0.2", "features.0.3", "features.0")


@dataclass
class Lesson:
    """What was seen while the chapter ran.

    Attributes:
        paused: what the buttons said, and whether the views came to rest.
        places: where each step stopped, by the size of the step.
        details: what was said of the first convolution, after a whole training
            step and in the midst of the next.
    """

    notebook: dict
    train: int
    seen: list[dict] = field(default_factory=list)
    paused: dict = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    details: dict[str, dict[str, str]] = field(default_factory=dict)
    printed: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0


@pytest.fixture(scope="module")
def lesson(lab, pictures):
    notebook = solved(NAME)
    tags = [cell["metadata"].get("tags", []) for cell in notebook["cells"]]
    seen = Lesson(notebook, next(i for i, t in enumerate(tags) if "train" in t))
    began = time.monotonic()
    lab.write_and_open(f"{NAME}.ipynb", notebook)
    run_cells(lab, seen, range(seen.train))
    train(lab, seen, pictures)
    run_cells(lab, seen, range(seen.train + 1, len(notebook["cells"])))
    seen.seconds = time.monotonic() - began
    return seen


def run_cells(lab, seen, indices):
    for i in indices:
        if seen.notebook["cells"][i]["cell_type"] == "code":
            lab.run(i)
            seen.printed[i] = lab.printed(i)


def train(lab, seen, pictures):
    """Run the training cell: watch, pause, step, look at a node, resume."""
    page = lab.page
    page.locator(".edutorch-live[data-live='1']").wait_for()
    watch(page)
    lab.start(seen.train)
    while len(updates(page, "gradient")) < ENOUGH and not lab.ended:
        time.sleep(0.02)
    page.get_by_test_id("pause").click()
    page.get_by_test_id("at").filter(has_text=re.compile(r"\w")).wait_for()
    seen.paused = {"rested": rests(page)}
    seen.paused["mode"] = page.get_by_test_id("mode").inner_text()
    take_steps(lab, seen, pictures)
    page.get_by_test_id("resume").click()
    lab.wait_for_end(300)
    seen.printed[seen.train] = lab.printed(seen.train)
    seen.seen = updates(page)


def rests(page):
    """Whether the views come to rest: what was under way arrives, then nothing."""
    limit = time.monotonic() + SECONDS
    before, now = None, counters(page)
    while before != now and time.monotonic() < limit:
        page.wait_for_timeout(2000)
        before, now = now, counters(page)
    return before == now


def counters(page):
    views = [page.locator(f".edutorch-{view}") for view in VIEWS[:3]]
    return [view.get_attribute("data-rendered") for view in views]


def take_steps(lab, seen, pictures):
    """A whole training step, then five modules of the next, then two ops."""
    seen.steps.append(gradient_steps(lab))
    seen.places["step"] = [step(lab, "step")]
    seen.steps.append(gradient_steps(lab, after=seen.steps[0]))
    graph = lab.page.locator(".edutorch-graph")
    if LAST_BATCH in details_of(lab, "conv2d", "idle")["all"]:
        step(lab, "module")  # of the evaluation, which the graph does not show
        step(lab, "step")
        graph.locator("g.node", has_text=BATCH).first.wait_for()
    seen.details["step"] = details_of(lab, "conv2d", "idle")
    lab.picture(graph, pictures / "graph-step.png")
    seen.places["module"] = [step(lab, "module") for _ in MODULES]
    seen.places["op"] = [step(lab, "op") for _ in range(2)]
    seen.details["op"] = details_of(lab, "conv2d", "forward")
    lab.picture(lab.page.locator(".edutorch-graph"), pictures / "graph-op.png")


def step(lab, size):
    """Click Step, and read where training is paused a moment later."""
    at = lab.page.get_by_test_id("at")
    lab.page.get_by_test_id("granularity").select_option(size)
    before = at.inner_text()
    lab.page.get_by_test_id("step").click()
    limit = time.monotonic() + SECONDS
    while at.inner_text() in (before, "") and time.monotonic() < limit:
        time.sleep(0.02)
    return at.inner_text()


def gradient_steps(lab, after=None):
    """What GradientView says, once it says something else than `after`."""
    info = lab.page.locator(".edutorch-gradient .edt-info")
    limit = time.monotonic() + SECONDS
    while info.inner_text() == after and time.monotonic() < limit:
        time.sleep(0.02)
    return info.inner_text()


def details_of(lab, name, phase):
    """Click the first node of that name: what the panel says, part by part."""
    graph = lab.page.locator(".edutorch-graph")
    graph.locator(".edt-info").get_by_text(f" · {phase} · ").wait_for()
    fit = graph.get_by_role("button", name="Fit")
    for _ in range(2):  # the second time all of the graph, however small
        fit.click()
    graph.locator("g.node", has_text=name).first.click()
    panel = graph.get_by_test_id("detail")
    panel.get_by_role("heading", name=name).wait_for()
    parts = {part: panel.get_by_test_id(part) for part in ("source", "lib", "grad")}
    texts = {name: part.inner_text() for name, part in parts.items()}
    return texts | {"all": panel.inner_text()}


# ---- what was seen


@pytest.mark.parametrize("view", ["graph", "gradient", "memory"])
def test_view_is_updated_while_the_training_cell_runs(lesson, view):
    before_end = [u for u in lesson.seen if u["view"] == view and not u["ended"]]
    print(f"{view}: {len(before_end)} updates before the cell ended")
    assert len({u["rev"] for u in before_end}) >= 5
    # Spread over the training, not all at its end.
    epochs = {u["epoch"] for u in before_end}
    assert len(epochs) >= 5 and min(epochs) <= 1
    assert len({u["info"] for u in before_end}) >= (1 if view == "memory" else 5)


def test_views_draw_at_most_ten_times_a_second(lesson):
    for view in VIEWS[:3]:
        times = [u["ms"] for u in lesson.seen if u["view"] == view]
        busiest = max(sum(t <= u < t + 2000 for u in times) for t in times)
        assert busiest <= 2 * 10 + 1


def test_pause_stops_training_while_its_cell_runs(lesson):
    assert lesson.paused == {"rested": True, "mode": "paused"}


def test_step_goes_to_the_end_of_the_training_step(lesson):
    assert lesson.places["step"] == ["training step ended"]
    counts = [int(re.search(r"(\d+) steps", text)[1]) for text in lesson.steps]
    thinned = "kept" in lesson.steps[1]  # on a machine that trained far by then
    assert counts[1] - counts[0] in ((0, 1) if thinned else (1,))


def test_step_goes_from_module_to_module(lesson):
    assert lesson.places["module"] == [f"module {path} ended" for path in MODULES]


def test_step_goes_from_op_to_op(lesson):
    first, second = lesson.places["op"]
    assert first.startswith("conv2d · features.1.0 · In [")
    assert first != second


def test_node_when_clicked_tells_the_line_of_the_notebook(lesson):
    code = [c for c in lesson.notebook["cells"] if c["cell_type"] == "code"]
    said = lesson.details["step"]["source"]
    place = re.match(r"In \[(\d+)\]:(\d+) in DigitNet\.forward\n", said)
    cell, line = int(place[1]), int(place[2])
    text = "".join(code[cell - 1]["source"]).splitlines()[line - 1].strip()
    assert text == "return self.classifier(self.features(x).flatten(1))"
    assert said.endswith(text)


def test_node_when_clicked_tells_the_line_inside_the_library(lesson):
    place, text = lesson.details["step"]["lib"].splitlines()
    short, line = re.match(r"(\S+\.py):(\d+) in \w+\.forward", place).groups()
    (file,) = (ROOT / "edutorch").rglob(short)
    assert file.read_text().splitlines()[int(line) - 1].strip() == text


def test_node_when_clicked_tells_line_shape_values_and_gradient(lesson):
    said = lesson.details["step"]
    assert " in DigitNet.forward\n" in said["source"]
    assert BATCH in said["all"]
    assert re.search(r"mean, deviation\s+-?\d", said["all"])
    assert re.search(r"norm\s+\d", said["grad"])


def test_node_when_clicked_before_backward_has_no_gradient_yet(lesson):
    assert lesson.details["op"]["grad"] == "not computed yet"


def test_training_when_resumed_reaches_97_percent(lesson):
    assert "epoch 10" in lesson.printed[lesson.train]
    said = "\n".join(lesson.printed.values())
    print(f"{lesson.seconds:.0f} s in all")
    assert float(re.search(r"seed \d+: ([\d.]+)% of 360 test digits", said)[1]) >= 97


def test_every_check_passes_in_the_page(lesson):
    checks = [
        i for i, c in enumerate(lesson.notebook["cells"]) if marks(c).get("grade")
    ]
    assert checks
    assert all("✓" in lesson.printed[i] for i in checks)


@pytest.fixture
def stepper(lab, lesson):
    view = lab.page.locator(".edutorch-conv_stepper")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("stride").select_option("1")
    view.get_by_test_id("padding").select_option("0")
    view.get_by_test_id("outputs").locator("[data-at='0,0']").click()
    return view


def wait_for(view, name, text):
    view.get_by_test_id(name).filter(has_text=re.compile(text)).wait_for()


def test_stepper_by_mouse_and_keys_goes_from_window_to_window(lab, stepper):
    wait_for(stepper, "product", r"^Output \(0, 0\)")
    stepper.get_by_test_id("outputs").focus()
    lab.page.keyboard.press("ArrowDown")
    lab.page.keyboard.press("End")
    wait_for(stepper, "product", r"^Output \(1, 5\)")
    stepper.get_by_test_id("next").click()
    wait_for(stepper, "product", r"^Output \(2, 0\)")
    stepper.get_by_test_id("outputs").locator("[data-at='3,4']").click()
    wait_for(stepper, "product", r"^Output \(3, 4\)")


def test_stepper_with_stride_2_has_nine_outputs(stepper):
    stepper.get_by_test_id("stride").select_option("2")
    wait_for(stepper, "size", "stride 2, padding 0: 3 × 3 outputs")
    stepper.get_by_test_id("padding").select_option("1")
    wait_for(stepper, "size", "stride 2, padding 1: 4 × 4 outputs")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_stepper_fits_its_place(lab, stepper, pictures, theme, width):
    lab.fit(stepper, theme, width, pictures / f"stepper-{theme}-{width}.png")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_views_are_drawn_in_the_theme(lab, lesson, pictures, theme):
    lab.theme(f"JupyterLab {theme}")
    lab.page.wait_for_function(FILLED)
    for view in VIEWS:
        lab.picture(
            lab.page.locator(f".edutorch-{view}"), pictures / f"{view}-{theme}.png"
        )
    ground = lab.page.locator(".edutorch-graph").evaluate(
        "element => getComputedStyle(element).backgroundColor"
    )
    bright = sum(int(v) for v in re.findall(r"\d+", ground)[:3]) > 3 * 128
    assert bright == (theme == "Light")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
