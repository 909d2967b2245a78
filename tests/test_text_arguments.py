"""Bytes are accepted for text, as in PyTorch."""

import pytest

import edutorch as torch
from edutorch.nn import functional as F

X = torch.arange(6.0).reshape(2, 3)
CALLS = {
    "device": lambda text: torch.device(text("cpu")),
    "to": lambda text: X.to(text("cpu")).device,
    "type": lambda text: X.type(text("torch.DoubleTensor")).dtype,
    "gelu": lambda text: F.gelu(X, approximate=text("tanh")).tolist(),
    "pad": lambda text: F.pad(X, (1, 1), text("reflect")).tolist(),
    "pad of a constant": lambda text: F.pad(X, (1, 1), text("constant")).tolist(),
    "einsum": lambda text: torch.einsum(text("ij->ji"), X).tolist(),
    "einsum of a list": lambda text: torch.einsum(text("ij->ji"), [X]).tolist(),
}


@pytest.mark.parametrize("name", CALLS)
def test_bytes_stand_for_text(name):
    assert CALLS[name](str.encode) == CALLS[name](str)


def test_gelu_writes_to_out_for_bytes():
    y = torch.empty(0)
    assert F.gelu(X, approximate=b"tanh", out=y) is y
    assert y.tolist() == F.gelu(X, approximate="tanh").tolist()
