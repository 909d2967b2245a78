"""Views for one cell, and for a script; tests/browser/test_watch.py opens the page."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import types

import pytest
from IPython.core.interactiveshell import InteractiveShell

import edutorch as torch
from edutorch import widgets
from edutorch.inspect.step_throttle import throttle
from edutorch.widgets.notebook import cells
from edutorch.widgets.watch import VIEWS, open_views, watch_cell
from tests.inspect.models import TRAININGS

TRAIN = """
import sys
import edutorch as torch
from edutorch.widgets import track
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in track(range(int(sys.argv[1]))):
    optimizer.zero_grad()
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
"""
STEPS = """
import edutorch as torch
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(13):
    optimizer.zero_grad()
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
"""
FAILS = "import edutorch as torch\ndef f(x):\n    return x @ torch.ones(3, 3)\n\nf(torch.ones(4, 4))\n"


def run(tmp_path, script, *arguments, before=()):
    path = tmp_path / "script.py"
    path.write_text(script)
    command = [sys.executable, "-m", "edutorch", "watch", "--no-browser", "--no-wait"]
    return subprocess.run(
        [*command, *before, str(path), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )


def test_script_is_run_with_its_arguments_and_its_views_are_saved(tmp_path):
    done = run(tmp_path, TRAIN, "7", before=["--save", "run.edu"])
    assert done.returncode == 0, done.stderr
    assert "views at http://127.0.0.1:" in done.stderr
    saved = {view.kind: view for view in widgets.open(tmp_path / "run.edu")}
    assert set(saved) == {"run", "graph", "gradient", "memory"}
    assert (saved["run"].data["done"], saved["run"].data["state"]) == (7, "done")
    assert saved["gradient"].data["layers"] == ["weight", "bias"]
    assert len(saved["gradient"].data["steps"]) == 7
    # its variables are still there at the end: parameters, gradients
    held = saved["memory"].text()
    assert "parameter" in held
    assert "0 B now" not in held


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("import sys; sys.exit(3)", 3),
        ("raise SystemExit", 0),
        ("raise SystemExit('reason')", 1),
        (FAILS, 1),
        ("raise KeyboardInterrupt", 130),
        ("print(", 1),
    ],
)
def test_exit_status_is_that_of_the_script(tmp_path, script, status):
    done = run(tmp_path, script, before=["--views", "graph"])
    assert done.returncode == status, done.stderr
    assert "widgets/watch.py" not in done.stderr  # nor is there a trace of how it ran


def test_script_that_is_missing_is_named(tmp_path):
    command = [sys.executable, "-m", "edutorch", "watch", "--no-browser", "--no-wait"]
    done = subprocess.run(
        [*command, "nowhere.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 1
    assert "No such file or directory" in done.stderr
    assert "nowhere.py" in done.stderr


def test_view_that_does_not_exist_is_refused(tmp_path):
    done = run(tmp_path, "print('ran')", before=["--views", "grph"])
    assert done.returncode == 2
    assert "no view is called 'grph'; choose from graph," in done.stderr
    assert "ran" not in done.stdout


def test_every_view_can_be_opened_by_name():
    views = open_views(VIEWS)
    assert [view.kind for view in views] == list(VIEWS)
    for view in views:
        view.close()


@pytest.fixture
def shell():
    """IPython's shell, as a notebook has one."""
    made = InteractiveShell.instance()
    yield made
    InteractiveShell.clear_instance()
    cells.running, cells._shell = False, None


def test_cell_is_run_as_a_cell_with_views_that_stay(shell, monkeypatch, capsys):
    torch.load_ipython_extension(shell)
    shown = []
    monkeypatch.setattr(
        widgets.GraphView, "_ipython_display_", lambda view: shown.append(view)
    )
    cell = "%%watch graph\nimport edutorch as torch\nx = torch.ones(2) * 3\nx.sum()"
    result = shell.run_cell(cell)
    assert result.success
    assert shell.user_ns["x"].tolist() == [3.0, 3.0]
    assert "tensor(6.)" in capsys.readouterr().out
    (view,) = shown
    assert view.frozen
    assert "mul" in view.text()
    torch.unload_ipython_extension(shell)
    assert not shell.run_cell(cell).success


def test_loop_that_a_watched_cell_tracks_is_the_run_of_its_monitor(
    shell, monkeypatch, tmp_path
):
    monkeypatch.setenv("EDUTORCH_RUNS", str(tmp_path / "runs.db"))
    shell.kernel = None  # as in a notebook
    torch.load_ipython_extension(shell)
    shown = []
    monkeypatch.setattr(
        widgets.RunMonitor, "_ipython_display_", lambda view: shown.append(view)
    )
    cell = (
        "%%watch run\nfrom edutorch.widgets import track\n"
        "for i in (batches := track(range(3), 'mine')):\n    batches.log(square=i * i)"
    )
    assert shell.run_cell(cell).success
    (view,) = shown
    data = view.refresh()
    assert (data["run"]["name"], data["state"], data["done"]) == ("mine", "done", 3)
    assert [(s["name"], s["last"]) for s in data["series"]][:1] == [("square", 4.0)]
    assert data["others"] == []  # the run before it was empty
    del shell.kernel
    torch.unload_ipython_extension(shell)


def test_unknown_name_in_a_notebook_is_told_in_one_line(shell, capsys):
    torch.load_ipython_extension(shell)
    assert not shell.run_cell("%%watch grph\n1").success
    told = "".join(capsys.readouterr())
    assert "UsageError: no view is called 'grph'; choose from graph," in told
    assert "Traceback" not in told
    torch.unload_ipython_extension(shell)


def test_cell_that_fails_raises_its_error_and_closes_its_views(shell, monkeypatch):
    shown = []
    monkeypatch.setattr(
        widgets.GraphView, "_ipython_display_", lambda view: shown.append(view)
    )
    with pytest.raises(ZeroDivisionError):
        watch_cell("graph", "1 / 0")
    assert [view.frozen for view in shown] == [True]


@pytest.mark.parametrize("line", ["--every-step graph", "graph"])
def test_cell_is_watched_in_every_step_where_that_is_asked(line, shell, monkeypatch):
    torch.load_ipython_extension(shell)
    monkeypatch.setattr("edutorch.inspect.step_throttle.FIRST", 3)
    monkeypatch.setattr("edutorch.inspect.step_throttle.FREE", 0)
    monkeypatch.setattr(throttle, "_steps_to_skip", lambda cost: 3)
    shown = []
    monkeypatch.setattr(
        widgets.GraphView, "_ipython_display_", lambda view: shown.append(view)
    )
    cell = f"%%watch {line}\n{STEPS}"
    assert shell.run_cell(cell).success
    words = (
        ""
        if line.startswith("--")
        else "5 of 13 steps were watched, the latest is step 10"
    )
    assert shown[0].data.get("pace", "") == words


NOT_HELD = (type, types.ModuleType, types.FunctionType, types.MethodType)


def held(*roots):
    """How many bytes of Python's own are reached, without modules and functions."""
    left, seen, total = list(roots), set(), 0
    while left:
        one = left.pop()
        if id(one) not in seen and not isinstance(one, NOT_HELD):
            seen.add(id(one))
            total += sys.getsizeof(one)
            left += gc.get_referents(one)
    return total


def test_views_hold_no_more_after_many_steps_than_after_some(monkeypatch):
    monkeypatch.setattr("edutorch.inspect.run_series.MOST", 100)
    monkeypatch.setattr("edutorch.inspect.gradients.ROWS", 100)
    monkeypatch.setattr("edutorch.inspect.leaks.SAMPLES", 100)
    # Updates are looked at in every step, so that each series is full early.
    monkeypatch.setattr("edutorch.inspect.run_recorder.SHARE", math.inf)
    training = TRAININGS["mlp"]()
    views = open_views(VIEWS, every_step=True)
    early = dict.fromkeys(VIEWS, 0)
    late = dict.fromkeys(VIEWS, 0)
    for step in range(600):
        training.step()
        most = early if 200 <= step < 300 else late
        if step % 20 == 0 and (200 <= step < 300 or step >= 500):
            gc.collect()
            for name, view in zip(VIEWS, views, strict=True):
                view.refresh()  # what is shown is that of this step
                recorder = view._recorder
                now = held(vars(recorder), vars(recorder._collector), view.data)
                most[name] = max(most[name], now)
    for view in views:
        view.close()
    grew = {name: late[name] / early[name] for name in VIEWS}
    assert max(grew.values()) < 1.6, grew
