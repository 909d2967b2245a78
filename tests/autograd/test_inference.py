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


def test_detached_inference_tensors_count_changes_outside_of_the_mode():
    with torch.inference_mode():
        x = torch.ones(2)
        inside = x.detach()
    d = x.detach()
    e = d.detach().zero_()
    assert x.tolist() == [0.0, 0.0]
    assert d.is_inference() and e.is_inference()
    assert (d._version, e._version) == (0, 1)
    x.data.fill_(2)
    assert e.tolist() == [2.0, 2.0] and x.data.is_inference()
    for made in (x, inside, d[0]):
        with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
            made.zero_()


def test_a_view_of_a_view_made_in_inference_mode_is_refused_by_its_name():
    y = torch.ones(2, 3, requires_grad=True) * 1
    with torch.inference_mode():
        v = y.view_as(y)
    u = v[:, 1:]
    with pytest.raises(RuntimeError, match="^A view was created in inference mode"):
        v.exp_()
    with pytest.raises(RuntimeError, match="^Output 0 of Slice is a view of a view wh"):
        u.exp_()


def test_repeated_memory_is_refused_before_inference_tensors_are():
    with torch.inference_mode():
        x = torch.ones(3).expand(2, 3)
    with pytest.raises(RuntimeError, match="refers to a single memory location"):
        x.mul_(2)


def test_inference_tensors_that_are_views_are_refused_as_inference_tensors():
    x = torch.ones(2, 3, requires_grad=True)
    with torch.inference_mode():
        y = torch.cat([x, x])[1:3]
    for change in (lambda: y.copy_(x), lambda: y.add_(x), lambda: y.mul_(x)):
        with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
            change()
