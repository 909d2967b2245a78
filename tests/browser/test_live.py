"""The live buttons: what they do, and what they say where they have no effect."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOOP = """
import time
import edutorch as torch

n = 0

def loop():
    global n
    while True:
        torch.ones(2) + 1
        n += 1
        time.sleep(0.01)
"""
SHOWN_EARLY = notebook_of(
    LOOP, "from edutorch.widgets import live\nlive", "loop()", "'the kernel lives'"
)
SHOWN_LATE = notebook_of(
    LOOP, "from edutorch.widgets import live\ndisplay(live)\nloop()", "print(n)"
)
UNTIL_HELD = """
import threading
held = threading.Event()

def wait():
    while not live.state["at"]:
        time.sleep(0.01)
    held.set()

threading.Thread(target=wait).start()
while not held.is_set() or live.state["mode"] == "paused":
    torch.ones(2) + 1
    time.sleep(0.01)
"""
WATCHED = notebook_of(
    LOOP,
    "from edutorch.widgets import GraphView, live\nlive",
    "graph = GraphView()\ngraph",
    UNTIL_HELD,
    "'the kernel lives'",
)


@pytest.fixture
def buttons(lab):
    yield lab.page.locator(".edutorch-live")
    lab.close()


def test_interrupt_when_paused_ends_the_cell(lab, buttons):
    lab.write_and_open("early.ipynb", SHOWN_EARLY)
    lab.run(0)
    lab.run(1)
    buttons.and_(lab.page.locator("[data-live='1']")).wait_for()
    lab.start(2)
    lab.page.get_by_test_id("pause").click()
    lab.page.get_by_test_id("at").filter(has_text="In [1]:").wait_for()
    lab.interrupt()
    assert lab.outputs(2)[0]["ename"] == "KeyboardInterrupt"
    lab.run(3)
    buttons.get_by_text("waiting for training").wait_for()


def test_buttons_when_shown_in_the_loops_own_cell_say_inactive(lab, buttons):
    lab.write_and_open("late.ipynb", SHOWN_LATE)
    lab.run(0)
    lab.start(1)
    buttons.get_by_text("inactive: clicks do not reach the kernel").wait_for()
    assert not lab.ended
    assert lab.page.get_by_test_id("pause").is_disabled()
    lab.interrupt()
    lab.run(2)
    assert int(lab.printed(2)) > 0  # the loop went on
    buttons.and_(lab.page.locator("[data-live='1']")).wait_for()
    assert lab.page.get_by_test_id("pause").is_enabled()


def test_pause_when_the_page_is_loaded_again_is_still_there(lab, buttons):
    lab.write_and_open("loaded.ipynb", WATCHED)
    for i in range(3):
        lab.run(i)
    buttons.and_(lab.page.locator("[data-live='1']")).wait_for()
    lab.start(3)
    lab.page.get_by_test_id("pause").click()
    lab.page.get_by_test_id("at").filter(has_text="In [4]:").wait_for()
    lab.save()
    lab.open("loaded.ipynb")
    buttons.and_(lab.page.locator("[data-live='1'][data-mode='paused']")).wait_for()
    lab.page.get_by_test_id("at").filter(has_text="In [4]:").wait_for()
    lab.page.locator(".edutorch-graph g.node").first.wait_for()
    lab.page.get_by_test_id("step").click()
    lab.page.get_by_test_id("resume").click()
    buttons.get_by_text("waiting for training").wait_for()  # the cell has ended
    lab.run(4)


def test_views_and_buttons_when_the_kernel_is_started_anew_say_so(lab, buttons):
    lab.write_and_open("anew.ipynb", WATCHED)
    for i in range(3):
        lab.run(i)
    buttons.and_(lab.page.locator("[data-live='1']")).wait_for()
    lab.page.evaluate("() => window.book.sessionContext.session.kernel.restart()")
    buttons.get_by_text("the kernel does not respond").wait_for()
    graph = lab.page.locator(".edutorch-graph")
    graph.get_by_text("No longer connected to the kernel").wait_for()
    for i in range(3):
        lab.run(i)
    buttons.and_(lab.page.locator("[data-live='1']")).wait_for()
    graph.get_by_text("No longer connected to the kernel").wait_for(state="hidden")
