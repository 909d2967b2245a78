"""Dtypes without a kernel in PyTorch are refused, even if NumPy has one."""

import pytest

import edutorch as torch

F = torch.nn.functional
one = torch.tensor([1])
HALF, WHOLE, COMPLEX, BOOL = "float16", "int32", "complex64", "bool"

CASES = {
    '"avg_pool3d_out_frame"': (lambda x: F.avg_pool3d(x(1, 2, 2, 2), 1), HALF),
    '"ctc_loss_cpu"': (
        lambda x: F.ctc_loss(x(3, 1, 3), torch.ones(1, 2).long(), (3,), (2,)),
        HALF,
    ),
    '"multi_margin_loss_cpu_kernel"': (
        lambda x: F.multi_margin_loss(x(1, 3), one),
        HALF,
    ),
    '"ormqr_cpu"': (lambda x: torch.ormqr(x(2, 2), x(2), x(2, 2)), WHOLE),
    '"prelu_cpu"': (lambda x: F.prelu(x(2), x(1)), COMPLEX),
    '"histogram_cpu"': (lambda x: torch.histc(x(3), 3, 0, 2), WHOLE),
    '"linspace_cpu"': (lambda x: torch.histc(x(3), 3, 0, 2), BOOL),
    '"im2col_out_cpu"': (lambda x: F.unfold(x(1, 1, 3, 3), 2), WHOLE),
    '"col2im_out_cpu"': (lambda x: F.fold(x(1, 4, 1), 2, 2), WHOLE),
    '"slow_conv_dilated<>"': (
        lambda x: F.conv2d(x(1, 1, 4, 4), x(1, 1, 2, 2), dilation=2),
        WHOLE,
    ),
    '"slow_conv_transpose2d_out_cpu"': (
        lambda x: F.conv_transpose1d(x(1, 1, 4), x(1, 1, 2)),
        WHOLE,
    ),
    '"compute_columns3d"': (
        lambda x: F.conv3d(x(1, 1, 4, 4, 4), x(1, 1, 2, 2, 2)),
        BOOL,
    ),
    '"index_func_"': (
        lambda x: torch.index_reduce(x(3), 0, one, x(1), "amax"),
        COMPLEX,
    ),
    '"scatter_gather_tensor_cpu_reduce_amin"': (
        lambda x: torch.scatter_reduce(x(3), 0, one, x(1), "amin"),
        COMPLEX,
    ),
    "clamp is not supported for complex types": (
        lambda x: torch.clamp(x(3), x(3)),
        COMPLEX,
    ),
    '"maximum_cpu"': (lambda x: torch.clamp_min(x(3), x(3)), COMPLEX),
    '"clamp_cpu"': (lambda x: torch.clamp(x(3), x(3), x(3)), BOOL),
    '"log_sigmoid_cpu"': (
        lambda x: F.binary_cross_entropy_with_logits(x(3), x(3)),
        COMPLEX,
    ),
    '"bernoulli_scalar_cpu_"': (lambda x: F.alpha_dropout(x(3), 0.5, True), COMPLEX),
    '"searchsorted_out_cpu"': (lambda x: torch.bucketize(x(3), x(3)), BOOL),
    '"unique_dim"': (lambda x: torch.unique(x(3, 2), dim=0), COMPLEX),
    "trapezoid: received a bool input for `y`, but": (
        lambda x: torch.trapezoid(x(3)),
        BOOL,
    ),
    "cumulative_trapezoid: received a bool input for `x` or `y`, but": (
        lambda x: torch.cumulative_trapezoid(x(3), x(3)),
        BOOL,
    ),
    "torch.gradient does not support uint8 input.": (
        lambda x: torch.gradient(x(3)),
        "uint8",
    ),
    "norm(): input dtype should be either floating point or complex. Got Int": (
        lambda x: F.embedding(one, x(3, 2), max_norm=1.0),
        WHOLE,
    ),
    "Expected tensor for argument #1 'weight' to have one of the following scalar types"
    ": Half, BFloat16, Float, Double; but got torch.IntTensor instead": (
        lambda x: F.embedding_bag(one[None], x(3, 2)),
        WHOLE,
    ),
    "normal expects standard deviation to be non-complex": (
        lambda x: torch.normal(1.0, x(3)),
        COMPLEX,
    ),
    "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor "
    "should have the same dtype, but got input(float), and weight(int)": (
        lambda x: torch.histogram(torch.ones(3), 3, weight=x(3)),
        WHOLE,
    ),
    "std_mean only support floating point": (lambda x: torch.std_mean(x(3)), WHOLE),
    "argmax(): does not support complex input": (lambda x: torch.argmax(x(3)), COMPLEX),
    '"max_all"': (lambda x: torch.max(x(3)), COMPLEX),
    '"lshift_cpu"': (lambda x: torch.bitwise_left_shift(x(3), 1), HALF),
    '"lerp_kernel_tensor"': (lambda x: torch.lerp(x(3), x(3), x(3)), WHOLE),
    "expected dtype int for `end` but got dtype float": (
        lambda x: torch.lerp(x(3), torch.ones(3), 0.5),
        WHOLE,
    ),
    "Expected query, key, and value to have the same dtype, but got query.dtype: int": (
        lambda x: F.scaled_dot_product_attention(
            x(1, 2, 2), torch.ones(1, 2, 2), torch.ones(1, 2, 2)
        ),
        WHOLE,
    ),
}


@pytest.mark.parametrize("words", CASES)
def test_dtype_is_refused_with_pytorchs_message(words):
    call, name = CASES[words]
    with pytest.raises(RuntimeError) as caught:
        call(lambda *size: torch.ones(size).to(getattr(torch, name)))
    assert str(caught.value).startswith(words)


def test_polynomials_go_by_the_common_dtype():
    x = torch.ones(3, dtype=torch.float16)
    y = torch.special.chebyshev_polynomial_t(x, torch.ones(3))
    assert y.dtype is torch.float32


def test_dropout_of_everything_takes_integers():
    x = torch.ones(2, dtype=torch.int64)
    assert torch.nn.functional.dropout(x, 1.0).tolist() == [0, 0]
