"""`%%watch` in JupyterLab, and the page of a script that is watched."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest

from edutorch.widgets.watch import VIEWS
from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOAD = "%load_ext edutorch\nimport edutorch as torch\nfrom edutorch import nn, optim"
WATCH = """%%watch graph memory
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = optim.SGD(model.parameters(), lr=0.1)
for _ in range(5):
    optimizer.zero_grad()
    model(torch.ones(16, 4)).pow(2).mean().backward()
    optimizer.step()
"done"
"""
LONG = """
import time
from pathlib import Path
import edutorch as torch
from edutorch import nn, optim
while not Path(__file__).with_name("go").exists():  # until its page is open
    time.sleep(0.05)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = optim.Adam(model.parameters())
x, y = torch.randn(32, 16), torch.randint(0, 4, (32,))
pages = {}
for step in range(10_001):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    if step % 2000 == 0:
        pages[step] = int(Path("/proc/self/statm").read_text().split()[1])
Path(__file__).with_name("pages").write_text(str(list(pages.values())))
"""
SCRIPT = """
import time
from pathlib import Path
import edutorch as torch
from edutorch import nn
while not Path(__file__).with_name("go").exists():  # until its page is open
    time.sleep(0.05)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(400):
    optimizer.zero_grad()
    model(torch.ones(16, 4)).pow(2).mean().backward()
    optimizer.step()
    time.sleep(0.02)
    while step == 10 and not Path(__file__).with_name("paused").exists():
        model(torch.ones(16, 4))
        time.sleep(0.02)
model(torch.ones(16, 5))
"""


def test_watched_cell_shows_its_views_and_its_result(lab, pictures):
    lab.write_and_open("watched.ipynb", notebook_of(LOAD, WATCH))
    lab.run(0)
    lab.run(1)
    graph = lab.page.locator(".edutorch-graph")
    graph.locator(".edt-frozen").wait_for()
    assert "step 4" in graph.locator(".edt-info").first.inner_text()
    lab.page.locator(".edutorch-memory .edt-frozen").wait_for()
    assert "'done'" in lab.page.locator(".jp-OutputArea-executeResult").inner_text()
    lab.picture(graph, pictures / "watch-cell.png")


@pytest.fixture
def script(tmp_path):
    """A script that is watched, and the address of its page."""
    with watched(tmp_path / "train.py", SCRIPT) as (program, address):
        yield program, address, tmp_path / "go"


@contextmanager
def watched(path, text, *options):
    """The program of a script that is watched, and the address of its page."""
    path.write_text(text)
    watch = [sys.executable, "-m", "edutorch", "watch", "--no-browser", *options]
    program = subprocess.Popen([*watch, str(path)], stderr=subprocess.PIPE, text=True)
    try:
        yield program, re.search(r"http\S+", program.stderr.readline()).group()
    finally:
        program.kill()
        program.stderr.close()
        program.wait()


def test_script_is_watched_paused_and_stepped_on_its_page(lab, script, pictures):
    program, address, go = script
    page = lab.page.context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(address)
    page.locator(".edutorch-live[data-live='1']").wait_for()
    go.touch()
    page.locator(
        ".edutorch-run .edt-info", has_text=re.compile(r"\d steps?")
    ).first.wait_for()
    page.get_by_test_id("pause").click()
    page.locator(".edutorch-live[data-mode=paused]").wait_for()
    where = page.get_by_test_id("at")
    where.get_by_text("train.py").wait_for()
    before = where.inner_text()
    page.get_by_test_id("step").click()
    page.wait_for_function(
        "old => document.querySelector('[data-testid=at]').textContent !== old",
        arg=before,
    )
    go.with_name("paused").touch()
    page.get_by_test_id("resume").click()
    # it fails at its end: the views stay, and a card tells why
    card = page.locator(".edutorch-error")
    card.wait_for(timeout=60_000)
    assert "model(torch.ones(16, 5))" in card.inner_text()
    page.locator(".edutorch-run .edt-frozen").wait_for()
    run = page.locator(".edutorch-run").inner_text()
    assert "400" in run
    assert "failed with RuntimeError" in run
    page.screenshot(path=pictures / "watch-script.png", full_page=True)
    program.kill()
    assert "RuntimeError" in program.stderr.read()
    page.get_by_text("No connection to the program").wait_for()
    assert problems == []
    page.close()


@pytest.mark.skipif(sys.platform != "linux", reason="its memory is read from /proc")
def test_memory_is_flat_over_ten_thousand_steps_with_all_views_open(browser, tmp_path):
    page = browser.new_page()
    heap = page.context.new_cdp_session(page)

    def used():
        heap.send("HeapProfiler.collectGarbage")
        return heap.send("Runtime.getHeapUsage")["usedSize"]

    with watched(tmp_path / "train.py", LONG, "--views", ",".join(VIEWS)) as (_, url):
        page.goto(url)
        page.locator(".edutorch-live[data-live='1']").wait_for()
        (tmp_path / "go").touch()
        page.wait_for_timeout(3000)
        early = used()
        page.locator(".edutorch-run .edt-frozen").wait_for(timeout=120_000)
        late = used()
    kernel = [4096 * n for n in ast.literal_eval((tmp_path / "pages").read_text())]
    print(f"page: {early / 1e6:.1f}, {late / 1e6:.1f} MB; kernel: {kernel}")
    assert late - early < 3e6  # charts of at most 400 steps each
    assert kernel[-1] - kernel[1] < 8e6
    page.close()
