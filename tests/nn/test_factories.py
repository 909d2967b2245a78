"""Making the tensors that modules start with."""

from __future__ import annotations

import pytest

import edutorch
from edutorch.nn.factories import (
    empty_parameter,
    full_parameter,
    full_tensor,
    new_zeros,
)


def test_filled_takes_the_default_dtype():
    edutorch.set_default_dtype(edutorch.float64)
    try:
        assert full_tensor((2,), 1.0).dtype is edutorch.float64
    finally:
        edutorch.set_default_dtype(edutorch.float32)
    assert full_tensor((2, 3), 2.5).tolist() == [[2.5] * 3] * 2
    assert full_tensor((), 0, dtype=edutorch.int64).item() == 0


def test_full_parameter_requires_grad():
    p = full_parameter((2,), 0.25, dtype=edutorch.float16)
    assert p.requires_grad
    assert p.tolist() == [0.25, 0.25]


def test_empty_parameter_has_the_given_shape():
    assert empty_parameter((4, 2)).shape == (4, 2)


def test_filled_on_a_simulated_gpu_is_booked_there():
    with edutorch.cuda.simulate(devices=1, memory="1MB"):
        made = full_tensor((256,), 1.0, "cuda")
        assert str(made.device) == "cuda:0"
        assert edutorch.cuda.memory_allocated() == 1024


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: edutorch.nn.PReLU(0.5), "tuple of ints, but found element of type"),
        (lambda: edutorch.nn.Linear("a", 4), "failed to unpack the object at pos 2"),
        (lambda: edutorch.nn.Linear(3, None), "but found element of type NoneType"),
    ],
)
def test_layers_of_sizes_that_are_no_integers_are_refused(make, message):
    with pytest.raises(TypeError, match=r"empty\(\): argument 'size'.*" + message):
        make()


@pytest.mark.parametrize("device", [1.5, True, [1]])
def test_the_type_of_a_device_is_looked_at_before_sizes(device):
    words = f"empty.*'device' must be torch.device, not {type(device).__name__}"
    with pytest.raises(TypeError, match=words):
        edutorch.nn.PReLU(-3, 1, device)


def test_a_device_that_does_not_exist_is_refused_before_sizes():
    with pytest.raises(RuntimeError, match="Expected one of cpu"):
        edutorch.nn.Linear(-1, 2, device="x")


def test_zeros_beside_take_dtype_and_device_and_have_no_history():
    x = edutorch.ones(3, dtype=edutorch.float64, requires_grad=True)
    made = new_zeros(x, (2, 1))
    assert made.dtype is x.dtype
    assert made.tolist() == [[0.0], [0.0]]
    assert made.is_leaf
    assert not made.requires_grad
    with edutorch.inference_mode():
        assert new_zeros(x, (1,)).is_inference()
    assert new_zeros(edutorch.empty(1, device="meta"), (4,)).is_meta
