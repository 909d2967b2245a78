"""Histories of `out=` that end with an error."""

import pytest

import edutorch as torch


def refused(words, call):
    with pytest.raises(RuntimeError) as caught:
        call()
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("slice_copy", lambda x, out: torch.slice_copy(x, 0, 0, 2, out=out)),
        ("softmax", lambda x, out: torch.softmax(x, 0, out=out)),
        ("heaviside", lambda x, out: torch.heaviside(x, torch.ones(2), out=out)),
        ("floor_divide", lambda x, out: torch.floor_divide(x, 2, out=out)),
        ("diagonal_copy", lambda x, out: torch.diag(x.outer(x), out=out)),
        ("diagonal_copy", lambda x, out: torch.diagonal_copy(x.outer(x), out=out)),
        ("diag_embed", lambda x, out: torch.diag(x, out=out.new_zeros(2, 2))),
        ("conj_physical", lambda x, out: torch.fft.ifft(x, out=out.cfloat()).abs()),
        ("conj_physical", lambda x, out: torch.fft.ihfft(x, out=out.cfloat()).abs()),
        (
            "scatter",
            lambda x, out: torch.scatter(
                x, 0, torch.tensor([0]), 2, reduce="add", out=out
            ),
        ),
    ],
)
def test_history_without_a_derivative_ends_with_an_error(name, call):
    x = torch.ones(2, requires_grad=True)
    out = call(x, torch.zeros(2))
    assert out.requires_grad
    words = f"derivative for aten::{name} is not implemented"
    refused(words, lambda: out.sum().backward())
    with torch.no_grad():
        assert not call(x, torch.zeros(2)).requires_grad


@pytest.mark.parametrize("view", [False, True])
def test_node_without_a_derivative_is_that_of_out(view):
    x, whole = torch.ones(2, requires_grad=True), torch.zeros(2)
    out = torch.softmax(x, 0, out=whole[:] if view else whole)
    names = [type(t.grad_fn).__name__ for t in (out, whole)]
    # PyTorch's names, of the base and of what is derived from it
    found = ["AsStridedBackward0", "CopySlices"] if view else ["NotImplemented"] * 2
    assert names == found
