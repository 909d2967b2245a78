"""PyTorch's names and edutorch's things."""

from __future__ import annotations

import importlib
import io

import pytest

import edutorch as torch
from edutorch.serialization.torch_names import HOMES, find_by_torch_name, torch_name

THINGS = (
    torch.nn.Linear, torch.nn.GELU, torch.optim.AdamW, torch.Tensor, torch.Generator,
    torch.nn.functional.relu, torch.optim.lr_scheduler.StepLR, torch.no_grad,
    torch.sum, torch.utils.data.TensorDataset,
)  # fmt: skip


@pytest.mark.parametrize("thing", THINGS, ids=lambda t: t.__name__)
def test_names_lead_back_to_the_same_thing(thing):
    found = find_by_torch_name(
        *torch_name(thing)
    )  # perhaps with another body, but of this name
    assert (found.__module__, found.__qualname__) == (
        thing.__module__,
        thing.__qualname__,
    )


def test_names_are_pytorchs():
    assert torch_name(torch.nn.Tanh) == ("torch.nn.modules.activation", "Tanh")
    assert torch_name(torch.nn.functional.gelu) == ("torch.nn.functional", "gelu")
    assert torch_name(torch.Tensor) == ("torch", "Tensor")
    assert torch_name(io.BytesIO) is None


def test_function_with_another_body_for_a_while_keeps_its_name():
    relu = torch.nn.functional.relu
    with torch.autocast("cpu"):
        assert torch_name(relu) == ("torch.nn.functional", "relu")
        assert torch_name(torch.nn.functional.relu) == ("torch.nn.functional", "relu")


def test_builtin_functions_of_pytorch_are_found():
    place = find_by_torch_name("torch._C", "_VariableFunctionsClass")
    assert place.relu.__qualname__ == "relu"
    assert find_by_torch_name("torch._C._nn", "gelu").__qualname__ == "gelu"
    assert find_by_torch_name("torch._C", "TensorBase") is torch.Tensor


def test_name_that_is_nowhere_is_refused():
    with pytest.raises(AttributeError, match=r"edutorch has no torch\.nn\.Nothing"):
        find_by_torch_name("torch.nn", "Nothing")


def test_homes_are_those_of_pytorch():
    from tests.oracle import torch as oracle

    for home, names in HOMES.items():
        for name in names.split():
            place = importlib.import_module(f"{oracle.__name__}.{home}".rstrip("."))
            assert hasattr(place, name), (home, name)
