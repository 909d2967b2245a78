"""The stub of Tensor's attached methods is up to date."""

from __future__ import annotations

from tests.house.stubs import STUB, attached, rendered


def test_stub_is_not_stale():
    assert STUB.read_text(encoding="utf-8") == rendered(), "run: make stubs"


def test_stub_knows_what_ops_and_autograd_attach():
    names = {name for name, _ in attached()}
    assert {"add", "backward", "__add__", "sum", "grad_fn"} <= names
    assert "numpy" not in names, "numpy() is defined in tensor.py itself"
