"""Ops that CuPy lacks run on the host, with one warning and the same result."""

from __future__ import annotations

import importlib

import pytest

import edutorch as torch
from edutorch.autograd import host_fallback

pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")


@pytest.fixture(autouse=True)
def _gpu():
    with importlib.import_module("tests.gpu_double.install").stand_in():
        host_fallback.computed_on_host.clear()
        yield


def running_maximum(device):
    x = torch.tensor([[2.0, 1.0], [0.5, 3.0]], device=device, requires_grad=True)
    y, _ = torch.cummax(x, 0)
    y.sum().backward()
    return y.detach().cpu().tolist(), x.grad.cpu().tolist()


def test_result_and_gradient_are_the_cpus_and_the_op_is_named_once():
    with pytest.warns(UserWarning, match="cummax: CuPy lacks a function") as heard:
        found = [running_maximum("cuda"), running_maximum("cuda")]
    assert found == [running_maximum("cpu")] * 2
    assert len([w for w in heard if "cummax" in str(w.message)]) == 1
    assert "cummax" in host_fallback.computed_on_host


def test_results_come_back_to_the_gpu_in_the_order_of_the_host():
    x = torch.eye(3, device="cuda") * 2
    with pytest.warns(UserWarning, match="CuPy lacks a function"):
        y = torch.linalg.inv_ex(x).inverse
    assert y.device.type == "cuda"
    assert y.stride() == torch.linalg.inv_ex(x.cpu()).inverse.stride()


def test_refusals_keep_their_words():
    x = torch.ones(2, device="cuda")
    with pytest.raises(RuntimeError, match="^The size of tensor a"):
        x + torch.ones(3, device="cuda")
    assert not host_fallback.computed_on_host


@pytest.mark.parametrize("error", [RuntimeError(), torch.OutOfMemoryError()])
def test_errors_of_our_own_are_no_gaps_of_cupy(error):
    x = torch.ones(2, device="cuda")._data
    assert not host_fallback.may_run_on_host(error, x)
    assert host_fallback.may_run_on_host(TypeError(), [x])
    assert host_fallback.may_run_on_host(NotImplementedError(), x)
