"""Without the `lab` extra, messages name the command that installs it."""

from __future__ import annotations

import subprocess
import sys

COMMAND = (
    "pip install anywidget graphviz ipykernel ipywidgets 'jupyterlab<5' matplotlib "
    "scikit-learn"
)


def run(program):
    """What a program prints where anywidget is not installed."""
    hidden = "import sys\nsys.modules['anywidget'] = None\nimport edutorch\n"
    command = [sys.executable, "-c", hidden + program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_import_of_the_views_tells_what_installs_them():
    last = run("import edutorch.widgets").splitlines()[-1]
    assert last == f"ModuleNotFoundError: edutorch.widgets needs anywidget: {COMMAND}"


def test_load_ext_tells_what_it_leaves_out():
    said = run("edutorch.load_ipython_extension(object())")
    assert said == f"No error cards and no %%watch without: {COMMAND}\n"
