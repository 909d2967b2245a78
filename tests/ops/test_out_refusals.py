"""Refusals of `out=` before those of an op without a kernel."""

import pytest

import edutorch as torch

IMAGINARY = torch.tensor([1j, 2])
B = torch.tensor([True, False])


def refused(words, call, error=RuntimeError):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda out: torch.erf(IMAGINARY, out=out),
            "result type ComplexFloat can't be cast to the desired output type Float",
        ),
        (lambda out: torch.abs(B, out=out), "Found dtype Float but expected Bool"),
        (
            lambda out: torch.hypot(IMAGINARY, IMAGINARY, out=out),
            "result type ComplexFloat can't be cast to the desired output type Float",
        ),
        (
            lambda out: torch.fmod(B, B, out=out.requires_grad_()),
            "fmod(): functions with out=... arguments don't support automatic",
        ),
        (
            lambda out: torch.pow(B, B, out=out[:1].expand(2)),
            "unsupported operation: more than one element of the written-to tensor",
        ),
        (
            lambda out: torch.lt(IMAGINARY, IMAGINARY, out=out.to("meta")),
            "Attempting to copy from device cpu to device meta",
        ),
    ],
)
def test_out_is_refused_before_the_kernel_is_missed(call, words):
    refused(words, lambda: call(torch.zeros(2)))


def test_kernel_is_missed_where_out_is_taken():
    out = torch.zeros(2, dtype=torch.complex64)
    words = "\"erf_vml_cpu\" not implemented for 'ComplexFloat'"
    refused(words, lambda: torch.erf(IMAGINARY, out=out), NotImplementedError)
    refused(words, lambda: torch.erf(IMAGINARY), NotImplementedError)
    assert out.tolist() == [0, 0]


def test_shapes_that_do_not_fit_come_before_out():
    refused(
        "The size of tensor a (2) must match the size of tensor b (3)",
        lambda: torch.fmod(B, torch.tensor([True] * 3), out=torch.zeros(1)),
    )
