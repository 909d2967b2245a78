"""Modules that infer the shapes of their parameters at their first call."""

from __future__ import annotations

import copy

import pytest

import edutorch as torch
from edutorch.nn.modules.lazy import LazyModuleMixin
from edutorch.nn.parameter import UninitializedParameter


class Scale(LazyModuleMixin, torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = UninitializedParameter()

    def initialize_parameters(self, x):
        self.weight.materialize(x.shape[-1:])
        torch.nn.init.ones_(self.weight)

    def forward(self, x):
        return x * self.weight


def test_a_lazy_module_of_ones_own_is_made_by_its_first_input():
    m = Scale()
    assert m.has_uninitialized_params()
    assert m(torch.ones(2, 3)).sum().item() == 6.0
    assert not m.has_uninitialized_params()
    with pytest.raises(RuntimeError):  # its shape stays
        m(torch.ones(2, 4))


def test_a_copy_waits_for_an_input_of_its_own():
    m = Scale()
    other = copy.deepcopy(m)
    m(torch.ones(2, 3))
    other(torch.ones(2, 4))
    assert (m.weight.shape, other.weight.shape) == ((3,), (4,))


def test_a_module_that_leaves_parameters_without_shape_is_refused():
    class Forgetful(Scale):
        def initialize_parameters(self, x):
            pass

    with pytest.raises(RuntimeError, match="module Forgetful has not been fully init"):
        Forgetful()(torch.ones(1))


def test_a_module_must_say_how_it_is_initialized():
    class Silent(LazyModuleMixin, torch.nn.Module):
        pass

    with pytest.raises(NotImplementedError, match="is not implemented for Silent"):
        Silent()(torch.ones(1))
