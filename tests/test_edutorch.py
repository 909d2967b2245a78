"""Public names, lazy modules, and the cost of importing."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

import edutorch as torch


def test_common_names_of_pytorch_are_there():
    for name in (
        "tensor", "Tensor", "float32", "long", "device", "Size", "no_grad", "nn", "optim",
        "cuda", "save", "load", "manual_seed", "autograd", "utils", "inspect", "breakpoint",
    ):  # fmt: skip
        assert hasattr(torch, name), name


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        torch.nonsense


@pytest.mark.parametrize("name", ["compile", "jit", "export"])
def test_what_pytorch_compiles_with_is_refused_with_a_hint(name):
    with pytest.raises(AttributeError) as refused:
        getattr(torch, name)
    assert "hint: edutorch does not compile" in refused.value.__notes__[0]
    assert not hasattr(torch, name)


def test_every_lazy_module_that_is_listed_exists():
    found = [n for n in dir(torch) if n in torch.LAZY_MODULES]
    assert sorted(torch.LAZY_MODULES) == sorted(found)
    assert not [n for n in found if find_spec(f"edutorch.{n}") is None]


def test_import_leaves_heavy_packages_alone():
    heavy = "scipy numba cupy torch IPython ipywidgets matplotlib multiprocessing"
    code = f"import sys, edutorch; print([m for m in '{heavy}'.split() if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_types_have_the_names_that_programs_know():
    assert repr(type(torch.ones(1))) == "<class 'edutorch.Tensor'>"
    assert repr(type(torch.float32)) == "<class 'edutorch.dtype'>"
    assert repr(torch.Size) == "<class 'edutorch.Size'>"
