"""Anomaly detection names the line that failed and the op that caused it."""

from __future__ import annotations

import linecache

import pytest

import edutorch as torch


def test_message_of_a_changed_value_refers_to_what_anomaly_mode_tells():
    with torch.autograd.detect_anomaly():
        y = torch.ones(3, requires_grad=True) * 1
        z = (y * y).sum()
        y.add_(1)
        with pytest.raises(RuntimeError, match="Hint: the backtrace further above"):
            z.backward()


def notes_of(loss):
    with pytest.raises(RuntimeError) as caught:
        loss.backward()
    return str(caught.value), "\n".join(caught.value.__notes__)


def test_the_failing_node_and_its_line_are_named():
    x = torch.tensor(-1.0, requires_grad=True)
    with torch.autograd.detect_anomaly():
        y = x.sqrt()  # this line
        text, notes = notes_of(y)
    assert text == "Function 'SqrtBackward0' returned nan values in its 0th output."
    assert "y = x.sqrt()  # this line" in notes
    assert "test_anomaly.py" in notes


def test_the_first_value_that_is_not_finite_is_named():
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    with torch.autograd.detect_anomaly():
        logs = x.log()  # minus infinity
        y = (logs * 0.0 + logs.exp()).sum()
        text, notes = notes_of(y * x.sum())
    assert "returned nan values" in text
    assert "the result of Log()" in notes
    assert "logs = x.log()  # minus infinity" in notes


def test_the_first_gradient_that_is_not_finite_is_named():
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    with torch.autograd.detect_anomaly():
        y = x * 0.0
        root = y.sqrt()  # its slope at 0 is infinite
        text, notes = notes_of(root.sum())
    assert text.startswith("Function 'MulBackward0' returned nan")
    assert "first gradient that is not finite: from the backward of Sqrt()" in notes
    assert "root = y.sqrt()  # its slope at 0 is infinite" in notes


def test_without_looking_for_nan_only_lines_are_remembered():
    x = torch.tensor(-1.0, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        y = x.sqrt()
        y.backward()
    assert x.grad.isnan()
    assert y.grad_fn.trace is not None
    assert not y.grad_fn.nonfinite


def test_a_cell_of_a_notebook_is_named_by_its_number(monkeypatch):
    import sys
    import types

    file = "ipykernel_7/123.py"
    source = "y = x.sqrt()\n"
    linecache.cache[file] = (len(source), None, [source], file)
    shell = types.SimpleNamespace(
        compile=types.SimpleNamespace(_filename_map={file: 3})
    )
    ipython = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    names = {"x": torch.tensor(-1.0, requires_grad=True)}
    with torch.autograd.detect_anomaly():
        exec(compile(source, file, "exec"), names)
        _, notes = notes_of(names["y"])
    assert "In [3]:1" in notes
    assert "ipykernel" not in notes


def test_switches_are_on_the_namespace():
    torch.set_anomaly_enabled(True, check_nan=False)
    try:
        assert torch.is_anomaly_enabled()
        assert not torch.is_anomaly_check_nan_enabled()
    finally:
        torch.set_anomaly_enabled(False)
    assert not torch.is_anomaly_enabled()
    assert torch.is_anomaly_check_nan_enabled()
