"""Initialisers: PyTorch's numbers for PyTorch's seeds."""

from __future__ import annotations

import pytest

import edutorch
from edutorch.nn import init
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


@programs.add
def random_initialisers_draw_pytorchs_numbers(torch):
    init = torch.nn.init
    found = {}
    for name, args in {
        "uniform_": (-1, 2), "normal_": (1, 0.5), "trunc_normal_": (),
        "xavier_uniform_": (2.0,), "xavier_normal_": (), "kaiming_uniform_": (0.1,),
        "kaiming_normal_": (0, "fan_out", "relu"), "orthogonal_": (1.5,),
        "sparse_": (0.4,),
    }.items():  # fmt: skip
        torch.manual_seed(3)
        found[name] = getattr(init, name)(torch.empty(5, 7), *args)
    return found


@programs.add
def more_dimensions_and_more_columns(torch):
    init = torch.nn.init
    w = torch.empty(4, 3, 2)
    return [
        init.xavier_uniform_(w).clone(),
        init.kaiming_normal_(w).clone(),
        init.orthogonal_(w).clone(),
        init.orthogonal_(torch.empty(6, 2)),
        init.trunc_normal_(torch.empty(50), 0.5, 0.2, 0.6, 2.0),
        init.trunc_normal_(torch.empty(50), 0.0, 1.0, 2.5, 4.0),
    ]


@programs.add
def a_generator_of_ones_own(torch):
    g = torch.Generator().manual_seed(5)
    init, w = torch.nn.init, torch.empty(3, 3)
    return [
        init.normal_(w, generator=g).clone(),
        init.kaiming_uniform_(w, generator=g).clone(),
        init.orthogonal_(w, generator=g).clone(),
        torch.rand(2),
    ]


@programs.add
def constants(torch):
    init = torch.nn.init
    return [
        init.constant_(torch.empty(2), 0.3),
        init.ones_(torch.empty(2)),
        init.zeros_(torch.ones(2)),
        init.eye_(torch.ones(2, 3)),
        init.dirac_(torch.ones(4, 2, 3)),
        init.dirac_(torch.ones(4, 2, 3, 3), groups=2),
        init.dirac_(torch.ones(2, 2, 1, 2, 3)),
    ]


@programs.add
def parameters_are_changed_in_place_without_history(torch):
    p = torch.nn.Parameter(torch.zeros(2, 2))
    y = p * p
    returned = torch.nn.init.ones_(p)
    return [returned is p, p.grad_fn is None, p._version, attempt(y.sum().backward)[:2]]


@programs.add
def gains(torch):
    gain = torch.nn.init.calculate_gain
    names = ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu")
    return [
        [gain(name) for name in names],
        gain("leaky_relu", 0.2),
        attempt(lambda: gain("nothing")),
        attempt(lambda: gain("leaky_relu", True)),
        attempt(lambda: gain("leaky_relu", "x")),
    ]


@programs.add
def wrong_shapes_and_modes_are_refused(torch):
    init, line = torch.nn.init, torch.empty(3)
    return [
        attempt(lambda: init.eye_(line)),
        attempt(lambda: init.dirac_(line)),
        attempt(lambda: init.dirac_(torch.empty(3, 2, 2), groups=2)),
        attempt(lambda: init.xavier_uniform_(line)),
        attempt(lambda: init.kaiming_normal_(line)),
        attempt(lambda: init.orthogonal_(line)),
        attempt(lambda: init.orthogonal_(torch.empty(2, 2, dtype=torch.float16))),
        attempt(lambda: init.sparse_(line, 0.1)),
        attempt(lambda: init.kaiming_uniform_(torch.empty(2, 2), mode="fan")),
    ]


@programs.add
def warnings_are_given(torch):
    init = torch.nn.init
    return [
        warned(lambda: init.kaiming_uniform_(torch.empty(0, 2))),
        warned(lambda: init.kaiming_normal_(torch.empty(0, 2))),
        warned(lambda: init.trunc_normal_(torch.empty(2), 9.0, 0.1, 8.9, 9.1).shape[0]),
        warned(lambda: init.trunc_normal_(torch.empty(2), 9.0, 1.0).shape[0])[1],
        warned(lambda: init.uniform(torch.empty(2)).shape[0])[1],
    ]


@programs.add
def fans_that_programs_ask_for(torch):
    w, init = torch.zeros(4, 3, 5), torch.nn.init
    return [
        init._calculate_fan_in_and_fan_out(w),
        init._calculate_correct_fan(w, "fan_in"),
        init._calculate_correct_fan(w, "FAN_OUT"),
        attempt(lambda: init._calculate_correct_fan(w, "x")),
        attempt(lambda: init._calculate_fan_in_and_fan_out(w[0, 0])),
        [str(init.calculate_gain(n)) for n in ("linear", "sigmoid", "conv2d")],
    ]


test_init = programs.test()


@pytest.mark.parametrize("name", ["normal", "orthogonal", "sparse", "constant"])
def test_old_names_lead_to_the_new_ones(name):
    assert getattr(init, name).__name__ == name
    assert getattr(init, name).__doc__ == f"The old name of `{name}_`."


def test_orthogonal_rows_and_columns_are_orthonormal():
    for shape in ((3, 5), (5, 3), (4, 2, 2)):
        w = init.orthogonal_(edutorch.empty(shape)).reshape(shape[0], -1)
        small = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
        eye = edutorch.eye(small.shape[0])
        assert edutorch.allclose(small, eye, atol=1e-5)
