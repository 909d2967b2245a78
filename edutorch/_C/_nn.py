"""Functions of `nn.functional` under the names that PyTorch's pickles use."""

from ..ops.activations import (
    elu_,
    gelu,
    hardtanh_,
    leaky_relu_,
    softplus,
    softshrink,
)
from ..ops.attention import scaled_dot_product_attention
from ..ops.matmul.linear import linear
from ..ops.one_hot import one_hot
from ..ops.pool import avg_pool2d, avg_pool3d

__all__ = [
    "avg_pool2d", "avg_pool3d", "elu_", "gelu", "hardtanh_", "leaky_relu_", "linear",
    "one_hot", "scaled_dot_product_attention", "softplus", "softshrink",
]  # fmt: skip
