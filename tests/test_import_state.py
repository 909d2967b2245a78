"""Importing edutorch changes nothing that a host program could feel, but for two things.

README names them: a warnings filter for edutorch's own files, and how the C library
keeps freed memory (`tests/test_process_memory.py`).
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import atexit, builtins, copyreg, faulthandler, gc, json, locale, logging
import multiprocessing.util, os, random, signal, sys, threading, warnings
import numpy as np
import scipy

def hooks():
    names = "excepthook displayhook unraisablehook breakpointhook".split()
    return [*(getattr(sys, name) for name in names), threading.excepthook]

def state():
    return {
        "environment": dict(os.environ),
        "working folder": os.getcwd(),
        "signal handlers": [str(signal.getsignal(s)) for s in signal.valid_signals()],
        "locale": locale.setlocale(locale.LC_ALL),
        "exit handlers": atexit._ncallbacks(),
        "threads": [t.name for t in threading.enumerate()],
        "warnings": [str(f) for f in warnings.filters],
        "warnings shown": [repr(warnings.showwarning), repr(warnings.formatwarning)],
        "floating-point errors": [str(np.geterr()), str(np.geterrcall())],
        "NumPy's printing": str(np.get_printoptions()),
        "garbage collection": [
            gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), len(gc.callbacks)
        ],
        "interpreter": [sys.getrecursionlimit(), sys.getswitchinterval(), sys.flags],
        "hooks": [repr(hook) for hook in hooks()],
        "tracing": [repr(sys.gettrace()), repr(sys.getprofile())],
        "imports": [repr(sys.path), repr(sys.meta_path), repr(sys.path_hooks)],
        "random streams": [hash(random.getstate()), str(np.random.get_state())],
        "start of processes": multiprocessing.get_start_method(allow_none=True),
        "builtins": sorted(vars(builtins)),
        "logging": [logging.root.level, repr(logging.root.handlers)],
        "fault handler": faulthandler.is_enabled(),
        "pickling": [
            str(kind) for kind in copyreg.dispatch_table
            if kind.__module__.partition(".")[0] != "edutorch"
        ],
    }

before = state()
import edutorch, edutorch.nn, edutorch.optim, edutorch.utils.data, edutorch.inspect
import edutorch.distributions
after = state()
print(json.dumps([before, after], default=str))
"""


@pytest.fixture(scope="module")
def states():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_import_leaves_the_state_of_the_process_as_it_was(states):
    before, after = states
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"warnings"}


def test_import_adds_one_filter_which_is_for_its_own_files(states):
    before, after = states
    new = [f for f in after["warnings"] if f not in before["warnings"]]
    assert len(new) == 1
    assert "edutorch" in new[0]


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_import_leaves_no_file_open_and_no_thread_running():
    program = (
        "import os, numpy, scipy\n"
        "count = lambda: [len(os.listdir(f'/proc/self/{n}')) for n in ('fd', 'task')]\n"
        "before = count()\n"
        "import edutorch\n"
        "raise SystemExit(count() != before)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_load_ext_shows_error_cards_until_it_is_unloaded():
    pytest.importorskip("anywidget", reason="needs the lab extra")
    program = (
        "import edutorch\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "from edutorch.widgets.notebook import cells\n"
        "shell = InteractiveShell()\n"
        "edutorch.load_ipython_extension(shell)\n"
        "shown = cells.show_error\n"
        "edutorch.unload_ipython_extension(shell)\n"
        "raise SystemExit(shown is None or cells.show_error is not None)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_load_ext_owns_the_process():
    program = (
        "import gc, edutorch\n"
        "edutorch.load_ipython_extension(None)\n"
        "raise SystemExit(gc.get_freeze_count() < 1000)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
