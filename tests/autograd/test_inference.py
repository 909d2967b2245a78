"""Inference mode: what is made there, and how transforms leave it."""

import pytest

import edutorch as torch
from edutorch.autograd import modes as _m
from edutorch.autograd.inference import outside_inference
from edutorch.autograd.modes import modes


def test_inference_mode_marks_its_tensors():
    with torch.inference_mode():
        x = torch.ones(1)
        assert torch.is_inference_mode_enabled()
    assert x.is_inference()
    assert not torch.is_inference_mode_enabled()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        x.add_(1)


def test_inference_mode_records_nothing():
    x = torch.ones(1, requires_grad=True)
    with torch.inference_mode():
        assert not torch.is_grad_enabled()
        with torch.enable_grad():
            assert torch.is_grad_enabled()
            assert not (x * 2).requires_grad
            with torch.inference_mode(False):
                assert (x * 2).requires_grad
        assert not torch.is_grad_enabled()
        torch.set_grad_enabled(True)
    assert torch.is_grad_enabled()
    assert (x * 2).requires_grad


def test_dispatch_checks_inference_mode_for_ever_once_it_was_used():
    with torch.inference_mode():
        pass
    assert _m.special_modes


def test_what_leaves_inference_mode_records_only_if_it_would():
    x = torch.ones(1, requires_grad=True)
    with torch.inference_mode():
        with outside_inference():
            assert not torch.is_inference_mode_enabled()
            assert not (x * 2).requires_grad
            with torch.enable_grad():
                assert (x * 2).requires_grad
        assert torch.is_inference_mode_enabled()
        assert not modes.grad
    with outside_inference():
        assert (x * 2).requires_grad
