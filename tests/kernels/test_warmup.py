"""Compiling all kernels once, and detecting that it is done."""

import importlib
import multiprocessing
import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from edutorch.kernels import warmup

FAST = warmup.FAST

with_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")

HELPERS = """
from edutorch.kernels.fast.compiling import helper

@helper
def factor():
    return {}
"""
LOOPS = """
from edutorch.kernels.fast.compiling import kernel
from helpers_of_a_test import factor

@kernel("void(T[::1])")
def scale(x):
    for i in range(x.size):
        x[i] *= factor()
"""


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    warmup.cache_folder.cache_clear()
    yield tmp_path / "cache"
    monkeypatch.undo()
    warmup.cache_folder.cache_clear()


def test_compile_all_without_numba_says_what_to_install(monkeypatch):
    monkeypatch.setattr(warmup, "has_numba", lambda: False)
    with pytest.raises(RuntimeError, match="pip install numba;"):
        warmup.compile_all()


@with_numba
def test_compile_all_leaves_a_stamp_and_says_what_is_there(cache, monkeypatch):
    imported = []
    monkeypatch.setattr(warmup, "import_module", imported.append)
    assert not warmup.is_warm()
    assert "softmax" in warmup.compile_all(processes=1)
    assert "edutorch.kernels.fast.softmax" in imported
    assert warmup.is_warm()


def in_another_process(name):
    assert multiprocessing.parent_process() is not None
    importlib.import_module(f"edutorch.kernels.fast.{name}")


@with_numba
def test_several_processes_fill_one_cache(cache, monkeypatch):
    names = ["scatter", "sum_of_squares"]
    folder = warmup.cache_folder()
    monkeypatch.setattr(warmup, "_sources", lambda: [FAST / f"{n}.py" for n in names])
    monkeypatch.setattr(warmup, "_load", in_another_process)
    assert warmup.compile_all(processes=2) == names
    assert warmup.is_warm()
    compiled = {path.name.split(".")[0] for path in folder.rglob("*.nbi")}
    assert compiled == set(names)


@with_numba
def test_failure_of_another_process_leaves_no_stamp(cache, monkeypatch):
    monkeypatch.setattr(warmup, "_sources", lambda: [FAST / "bounds.py"])
    monkeypatch.setattr(warmup, "_load", int)  # of the name of a file: a ValueError
    with pytest.raises(ValueError, match="bounds"):
        warmup.compile_all(processes=2)
    assert not warmup.is_warm()


@pytest.mark.parametrize(("processors", "expected"), [(1, []), (2, [2]), (64, [4])])
def test_each_processor_compiles_up_to_a_limit(
    processors, expected, cache, monkeypatch
):
    counts = []
    monkeypatch.setattr(warmup, "has_numba", lambda: True)
    monkeypatch.setattr(warmup, "processor_count", lambda: processors)
    monkeypatch.setattr(
        warmup, "_compile_in_processes", lambda n: counts.append(n) or True
    )
    monkeypatch.setattr(warmup, "_load", lambda name: None)
    warmup.compile_all()
    warmup.compile_all()  # all is in the cache now
    assert counts == expected


@pytest.mark.parametrize("error", [OSError, NotImplementedError])
def test_without_semaphores_this_process_compiles(error, cache, monkeypatch):
    def refuse(*args, **kwargs):
        raise error

    loaded = []
    monkeypatch.setattr(warmup, "has_numba", lambda: True)
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", refuse)
    monkeypatch.setattr(warmup, "_load", loaded.append)
    assert warmup.compile_all(processes=2) == loaded


def test_is_warm_without_numba_is_false(monkeypatch, cache):
    monkeypatch.setattr(warmup, "has_numba", lambda: False)
    warmup.cache_folder().mkdir(parents=True)
    (warmup.cache_folder() / warmup.COMPLETE_FILE).touch()
    assert not warmup.is_warm()


def test_cache_folder_is_another_when_any_file_changes(monkeypatch, cache, tmp_path):
    monkeypatch.setattr(warmup, "FAST", tmp_path)
    helpers = tmp_path / "helpers.py"
    helpers.write_text("a = 1")
    before = warmup.cache_folder()
    helpers.write_text("a = 10")
    warmup.cache_folder.cache_clear()
    assert warmup.cache_folder() != before
    assert before.parent == cache


def test_cache_folder_depends_on_contents_and_not_on_times(
    monkeypatch, cache, tmp_path
):
    monkeypatch.setattr(warmup, "FAST", tmp_path)
    helpers = tmp_path / "helpers.py"
    helpers.write_text("a = 1")
    os.utime(helpers, (1, 1))
    before = warmup.cache_folder()
    os.utime(helpers, (2, 2))
    warmup.cache_folder.cache_clear()
    assert warmup.cache_folder() == before
    helpers.write_text("a = 2")  # of the same size
    os.utime(helpers, (1, 1))
    warmup.cache_folder.cache_clear()
    assert warmup.cache_folder() != before


@with_numba
def test_cached_kernel_when_its_helper_changes_is_compiled_anew(
    monkeypatch, cache, tmp_path
):
    monkeypatch.setattr(warmup, "FAST", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "loops_of_a_test.py").write_text(LOOPS)
    found = []
    for factor in (2, 2, 30):
        helpers = tmp_path / "helpers_of_a_test.py"
        if factor != 2 or not found:
            helpers.write_text(HELPERS.format(factor))
        for name in ("loops_of_a_test", "helpers_of_a_test"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        warmup.cache_folder.cache_clear()
        scale = importlib.import_module("loops_of_a_test").scale
        x = np.ones(1)
        scale(x)
        found.append((x[0], sum(scale.stats.cache_hits.values())))
    assert found == [(2, 0), (2, 2), (30, 0)]


def test_import_of_edutorch_starts_nothing():
    """Neither a thread nor another process, which compiled kernels once."""
    program = (
        "import threading, time, edutorch as torch\n"
        "x = torch.ones(100, 100, requires_grad=True)\n"
        "until = time.monotonic() + 0.6\n"
        "while time.monotonic() < until:\n"
        "    torch.softmax(x, 1).sum().backward()\n"
        "print(*[t.name for t in threading.enumerate()])"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert out.split() == ["MainThread"]
