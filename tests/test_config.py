"""Switches of the process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from edutorch import config


def test_kernels_is_a_block_that_restores():
    before = config.kernel_mode()
    with config.kernels("plain"):
        assert config.kernel_mode() == "plain"
    assert config.kernel_mode() == before


def test_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="expects one of"), config.kernels("warp"):
        pass


def test_kernels_of_overlapping_threads_are_their_own():
    inside, leave, seen = threading.Event(), threading.Event(), []

    def other():
        with config.kernels("plain"):
            inside.set()
            leave.wait(10)
        seen.append(config.kernel_mode())

    before = config.kernel_mode()
    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(10)
    with config.kernels("fast"):
        leave.set()
        thread.join()
        assert config.kernel_mode() == "fast"
    assert [config.kernel_mode()] == seen == [before]


@pytest.mark.parametrize(("mode", "expected"), [("auto", True), ("fast", False)])
def test_kernels_are_plain_under_a_debugger_unless_fast_is_chosen(mode, expected):
    before = sys.gettrace()
    with config.kernels(mode):
        try:
            sys.settrace(lambda *_: None)
            found = config.plain()
        finally:
            sys.settrace(before)
    assert found is expected


def test_plain_is_what_the_mode_says():
    with config.kernels("plain"):
        assert config.plain()
    with config.kernels("fast"):
        assert not config.plain()


def said(capsys):
    config.show()
    return capsys.readouterr().out


def test_show_says_which_kernels_serve_and_why(capsys, monkeypatch):
    monkeypatch.setattr(config._Auto, "compiled", False)
    monkeypatch.setattr(config._Auto, "numba", True)
    with config.kernels("plain"):
        assert "plain Python and NumPy (chosen)" in said(capsys)
    with config.kernels("fast"):
        assert "compiled by Numba, and NumPy (chosen)" in said(capsys)
    with config.kernels("auto"):
        assert "python -m edutorch warmup" in said(capsys)
        monkeypatch.setattr(config._Auto, "compiled", True)
        assert "compiled before this process began" in said(capsys)
        monkeypatch.setattr(config, "under_debugger", lambda: True)
        assert "a debugger is attached" in said(capsys)


@pytest.mark.parametrize("mode", ["auto", "fast"])
def test_show_names_onednn_unless_kernels_are_plain(capsys, monkeypatch, mode):
    monkeypatch.setattr(config._Auto, "onednn", True)
    with config.kernels(mode):
        assert "convolutions: oneDNN" in said(capsys)
    with config.kernels("plain"):
        assert "oneDNN" not in said(capsys)
    monkeypatch.setattr(config._Auto, "onednn", False)
    with config.kernels(mode):
        assert "oneDNN" not in said(capsys)


def test_show_without_numba_says_so(capsys, monkeypatch):
    monkeypatch.setattr(config._Auto, "compiled", False)
    monkeypatch.setattr(config._Auto, "numba", False)
    for mode in ("auto", "fast"):
        with config.kernels(mode):
            assert "Numba is not installed" in said(capsys)


def test_environment_that_names_no_mode_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", "import edutorch"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "EDUTORCH_KERNELS": "warp"},
    )  # fmt: skip
    assert "EDUTORCH_KERNELS expects one of" in done.stderr


def test_own_process_sets_aside_what_importing_made():
    program = (
        "import gc, edutorch\n"
        "before = gc.get_freeze_count()\n"
        "edutorch.config.own_process()\n"
        "print(before, gc.get_freeze_count() > 1000)"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert out.split() == ["0", "True"]
