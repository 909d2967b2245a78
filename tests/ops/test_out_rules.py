"""Which rule of `out=` is whose."""

import importlib.util
import inspect

import pytest

import edutorch as torch
from edutorch.ops import out_rules
from edutorch.ops.out_rules import (
    dtype_rule,
    gradient_refused_by,
    keeps_history,
    refuses_overlap_first,
    writes_over_itself,
)


def test_dtype_rule_goes_by_output_first():
    assert dtype_rule("kthvalue", "indices").message.startswith("output indices")
    assert dtype_rule("max").exact is False and dtype_rule("max", "values").exact


@pytest.mark.parametrize("name", ["fft2", "rfft2", "ihfft2"])
def test_transforms_of_two_dimensions_have_the_messages_of_n_dimensions(name):
    words = dtype_rule(f"fft_{name}").message.format(Got="Float")
    assert words == f"{name[:-1]}n expects a complex output tensor, but got Float"


def test_gradient_is_refused_by_the_step_or_the_dispatcher():
    assert gradient_refused_by("exp", False) == "exp"
    assert gradient_refused_by("softmax", False) == ""
    assert gradient_refused_by("softmax", True) == "aten::softmax"


def test_functions_have_kinds():
    assert refuses_overlap_first("scatter") and not refuses_overlap_first("gather")
    assert keeps_history("quantile") and not keeps_history("exp")
    assert writes_over_itself("zeros") and not writes_over_itself("exp")


def test_rules_are_about_functions_that_take_out():
    spaces = {"linalg": torch.linalg, "fft": torch.fft, "special": torch.special}
    for name in out_rules._DTYPES:
        function = name.partition(".")[0]
        space, _, short = function.partition("_")
        home = getattr(spaces.get(space), short, None) or getattr(torch, function, None)
        home = home or getattr(torch.nn.functional, function, None)
        if home is None or function.endswith(("_copy", "_batch_norm")):
            continue
        names = inspect.signature(home).parameters
        assert "out" in names or "kwargs" in names, name


@pytest.mark.parametrize("name", out_rules._WITH_OPERANDS)
def test_modules_that_refuse_parts_of_operands_exist(name):
    assert importlib.util.find_spec(f"edutorch.ops.{name}") is not None
