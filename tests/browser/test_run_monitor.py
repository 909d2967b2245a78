"""RunMonitor in JupyterLab: a loop that is tracked, runs laid over, alerts, keys."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MAKE = """
import os, tempfile, time
from pathlib import Path
os.environ["EDUTORCH_RUNS"] = os.path.join(tempfile.mkdtemp(), "runs.db")
import edutorch as torch
from edutorch import nn, optim
from edutorch.inspect import RunStore
from edutorch.utils.data import DataLoader, TensorDataset
from edutorch.widgets import track
torch.manual_seed(0)
x = torch.randn(400, 8)
y = x @ torch.randn(8, 1) + 0.1 * torch.randn(400, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=8)

def fit(lr, watched=False):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = optim.SGD(model.parameters(), lr=lr)
    steps = 0
    for epoch in range(2):
        for a, b in (batches := track(loader, "curve", lr=lr)):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(a), b)
            loss.backward()
            optimizer.step()
            steps += 1
            while watched and steps == 90 and not Path("seen").exists():
                time.sleep(0.03)
        batches.log(error=nn.functional.mse_loss(model(x), y))
    return batches.monitor
"""
TRAIN = "monitor = fit(0.02, watched=True)"  # until the page has shown it
SWEEP = "for lr in (0.005, 0.1, 50.0):\n    monitor = fit(lr)"


@pytest.fixture(scope="module")
def view(lab):
    lab.write_and_open("monitor.ipynb", notebook_of(MAKE, TRAIN, SWEEP))
    lab.run(0)
    lab.start(1)
    found = lab.page.locator(".edutorch-run").first
    found.wait_for()
    return found


def test_view_while_the_loop_runs_tells_the_time_left(lab, view, pictures):
    view.locator('[data-fact="time left"]').wait_for()
    assert view.locator('[data-fact="batches"]').inner_text().endswith(" of 50")
    lab.picture(view, pictures / "run-running.png")
    (lab.folder / "seen").touch()
    lab.wait_for_end()


def test_view_shows_the_last_value_as_the_kernel_has_it(lab, view):
    view.locator(".edt-info", has_text="100 steps").wait_for()
    view.locator('[data-fact="state"]', has_text="done").wait_for()
    chart = view.locator(".edt-chart")
    chart.focus()
    chart.press("End")
    read = view.locator(".edt-readout").inner_text()
    assert read.startswith("step 99 · loss · ")
    kept = lab.ask("RunStore().samples(1)['loss'][-1][1]")
    assert float(read.split()[-1]) == pytest.approx(float(kept), rel=5e-3)


def test_runs_of_a_sweep_are_laid_over_each_other(lab, view, pictures):
    lab.run(2)
    swept = lab.page.locator(".edutorch-run").last
    swept.locator('button[data-run="3"]').wait_for()
    assert swept.locator(".edt-run").count() == 4
    assert "above the axis" in swept.locator(".edt-marks").first.inner_text()
    text = swept.get_by_role("list", name="Alerts").inner_text()
    assert "x its best" in text or "is nan" in text or "is inf" in text
    assert lab.ask("[r['id'] for r in RunStore().runs()]") == "[4, 3, 2, 1]"
    lab.picture(swept, pictures / "run-sweep.png")
    swept.locator('button[data-run="0"]').click()
    lab.picture(swept, pictures / "run-hidden.png")
    swept.locator('button[data-run="0"]').click()


@pytest.mark.parametrize("width", [1200, 800, 400, 280])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_monitor_in_every_theme_and_width_fits_its_place(
    lab, view, pictures, theme, width
):
    swept = lab.page.locator(".edutorch-run").last
    lab.fit(swept, theme, width, pictures / f"run-{theme}-{width}.png")


def test_page_reports_no_error(lab, view):
    assert lab.problems == [] and lab.outside == []
