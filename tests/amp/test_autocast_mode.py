"""Blocks, decorators, and Functions inside them."""

import pytest

import edutorch as torch

X = torch.ones(2, 2)


def test_autocast_blocks_nest_and_end_with_errors():
    with pytest.raises(ZeroDivisionError), torch.autocast("cpu"):
        with torch.autocast("cpu", enabled=False):
            assert (X @ X).dtype is torch.float32
        assert (X @ X).dtype is torch.bfloat16
        with torch.autocast("cpu", dtype=torch.float16):
            assert (X @ X).dtype is torch.float16
        assert torch.get_autocast_dtype("cpu") is torch.bfloat16
        1 / 0
    assert not torch.is_autocast_enabled("cpu")


def test_autocast_decorates_functions_that_call_themselves():
    @torch.autocast("cpu")
    def power(x, n):
        return x if n == 0 else x @ power(x, n - 1)

    assert power(X, 3).dtype is torch.bfloat16
    assert power.__name__ == "power"
    assert (X @ X).dtype is torch.float32


def test_autocast_of_other_dtypes_warns_and_does_nothing():
    with pytest.warns(UserWarning, match="^In CPU autocast, but the target dtype"):
        block = torch.autocast("cpu", dtype=torch.float32)
    with block:
        assert (X @ X).dtype is torch.float32


def test_autocast_without_a_gpu_warns_and_does_nothing():
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.warns(UserWarning, match="^CUDA is not available"):
        block = torch.autocast("cuda")
    with block:
        assert not torch.is_autocast_enabled("cuda")


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (
            lambda: torch.autocast(torch.device("cpu")),
            ValueError,
            "Expected `device_ty",
        ),
        (lambda: torch.autocast("foo"), RuntimeError, "Expected one of cpu, cuda"),
        (lambda: torch.autocast("meta"), RuntimeError, "unsupported scalarType"),
        (lambda: torch.autocast("cpu")(3), TypeError, r"autocast\(\)\(func\) requires"),
        (lambda: torch.amp.custom_fwd(device_type=3), ValueError, "Expected `device_t"),
    ],
)
def test_autocast_refuses_what_pytorch_refuses(make, kind, words):
    with pytest.raises(kind, match=f"^{words}"):
        make()


def recording(cast_inputs):
    """A Function that notes what its forward and backward see."""
    seen = []

    def note(t):
        seen.append((str(t.dtype), torch.is_autocast_enabled("cpu")))

    class Product(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu", cast_inputs=cast_inputs)
        def forward(ctx, a, b):
            note(a)
            ctx.save_for_backward(a, b)
            return a @ b

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, g):
            note(g)
            a, b = ctx.saved_tensors
            return g.to(b.dtype) @ b.t(), a.t() @ g.to(a.dtype)

    return Product, seen


@pytest.mark.parametrize(
    ("cast_inputs", "expected"),
    [
        (torch.float32, [("torch.float32", False), ("torch.float32", False)]),
        (None, [("torch.float16", True), ("torch.bfloat16", True)]),
    ],
)
def test_custom_fwd_and_bwd_decide_for_the_function(cast_inputs, expected):
    a, b = (torch.ones(2, 2).half().requires_grad_() for _ in range(2))
    function, seen = recording(cast_inputs)
    with torch.autocast("cpu"):
        y = function.apply(a, b)
    y.sum().backward()
    assert seen == expected
    assert a.grad.dtype is b.grad.dtype is torch.float16


def test_custom_fwd_outside_of_autocast_changes_nothing():
    function, seen = recording(torch.float32)
    function.apply(X, X)
    assert seen == [("torch.float32", False)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"enabled": 1}, r"^set_autocast_enabled\(\): argument 'enabled' \(position 2"),
        ({"enabled": None}, "must be bool, not NoneType"),
        ({"cache_enabled": 1}, r"enabled must be a bool \(got int\)"),
        ({"dtype": 3, "enabled": False}, "argument 'dtype' .* not int"),
    ],
)
def test_blocks_refuse_other_types_when_they_begin(options, words):
    block = torch.autocast("cpu", **options)
    with pytest.raises(TypeError, match=words), block:
        pass
    assert not torch.is_autocast_enabled("cpu")
    assert torch.is_autocast_cache_enabled()
    assert torch.get_autocast_dtype("cpu") is torch.bfloat16
