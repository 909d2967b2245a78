"""Tensors with missing elements: a mask marks the valid ones.

Functions here take a dense tensor and a `mask`; a `MaskedTensor` carries its own.

- `mask_arguments.py`: masks, dimensions, neutral elements.
- `reductions.py`: sums, means ... of the elements whose mask is true.
- `scan_softmax.py`: scans and softmax of them.
- `maskedtensor.py`: `MaskedTensor`. `function_rules.py`: its rule for each function.
"""

from .mask_arguments import (  # noqa: F401 (programs that test masks use them)
    _canonical_dim,
    _combine_input_and_mask,
    _input_mask,
    _output_mask,
    _reduction_identity,
    _where,
)
from .maskedtensor import (
    MaskedTensor,
    as_masked_tensor,
    is_masked_tensor,
    masked_tensor,
)
from .reductions import (
    amax,
    amin,
    argmax,
    argmin,
    logsumexp,
    mean,
    median,
    norm,
    prod,
    std,
    sum,
    var,
)
from .scan_softmax import (
    cumprod,
    cumsum,
    log_softmax,
    logaddexp,
    normalize,
    softmax,
    softmin,
)

__all__ = [
    "MaskedTensor", "amax", "amin", "argmax", "argmin", "as_masked_tensor", "cumprod",
    "cumsum", "is_masked_tensor", "log_softmax", "logaddexp", "logsumexp",
    "masked_tensor", "mean", "median", "norm", "normalize", "prod", "softmax",
    "softmin", "std", "sum", "var",
]  # fmt: skip
