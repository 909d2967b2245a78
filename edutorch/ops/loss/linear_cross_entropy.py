"""Cross entropy of a linear layer, without storing all scores at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply
from ...backends import array_module
from ...kernels import softmax as kernels
from ...kernels.sliding_windows import accumulator
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_one_device
from ..argument_errors import parser_errors
from ..matmul.array_products import ctranspose
from ..matmul.linear import linear
from ..matmul.matrix_products import matmul
from ..reduce import sum
from ..registration import composite
from ..shape.joining import Cat
from ..softmax import Softmax
from .block_size import block_size
from .classification import cross_entropy

__all__ = ["linear_cross_entropy"]


class LinearCrossEntropy(Op):
    """Cross entropy of x wᵀ + b, computed in blocks of samples.

    Math: l_i = f_i (log Σ_c exp s_ic − s_i,t_i), s = x wᵀ + b, f the class weights
          d_i = g_i f_i (softmax(s_i) − one_hot(t_i))
          ∂L/∂x = d w      ∂L/∂w = dᵀ x      ∂L/∂b = Σ_i d_i
    Shape: (N, D), (C, D), (C) -> (), or (N) with reduction "none"
    """

    attributes = ("target", "factors", "reduction", "size")
    torch_name = "LinearCrossEntropyBatchChunked"

    def __init__(self, target: Any, factors: Any, reduction: str, size: int) -> None:
        self.target, self.factors = target, factors
        self.reduction, self.size = reduction, size

    def blocks(self, n: int) -> Iterator[slice]:
        """Slices of samples, one per block."""
        for start in range(0, n, self.size):
            stop = min(start + self.size, n)
            if stop > len(self.target):
                raise RuntimeError(
                    f"start ({start}) + length ({stop - start}) exceeds dimension size "
                    f"({len(self.target)})."
                )
            yield slice(start, stop)

    def forward(self, x: Any, w: Any, b: Any) -> Any:
        wide = accumulator(x.dtype)
        losses = array_module(x).zeros(len(x), wide)
        for block in self.blocks(len(x)):
            scores = self._scores(x[block], w, b).astype(wide, copy=False)
            target = self.target[block, None]
            own = np.take_along_axis(scores, target, 1)[:, 0]
            losses[block] = kernels.logsumexp(scores, (1,)) - own
        losses = losses * self.factors
        if self.reduction == "none":
            return losses.astype(x.dtype, copy=False)
        total = losses.sum() / (self._count() if self.reduction == "mean" else 1)
        return array_module(x).asarray(total).astype(x.dtype)

    def _count(self) -> Any:
        """The divisor of the mean: the total weight of targets not ignored."""
        return self.factors.sum()

    def _scores(self, x: Any, w: Any, b: Any) -> Any:
        y = x @ ctranspose(w)
        return y if b is None else y + b

    def backward(self, g: Any) -> Any:
        x, w, b = self.inputs
        factors = self.factors.astype(accumulator(self.out_dtype))
        if self.reduction == "mean":
            factors = factors / self._count()
        g = g * self._constant(factors, g)  # (N)
        gx, gw, gb = [], None, None
        for block in self.blocks(len(x)):
            d = self._scores_gradient(x[block], w, b, block) * g[block][:, None]
            gx.append(matmul(d, w))
            part = matmul(ctranspose(d), x[block])
            gw = part if gw is None else gw + part
            bias = sum(d, (0,))
            gb = bias if gb is None else gb + bias
        return apply(Cat(0), *gx), gw, gb if self.needs[2] else None

    def _scores_gradient(self, x: Any, w: Any, b: Any, block: slice) -> Any:
        """The gradient of a block's losses with respect to its scores: (n, C)."""
        p = apply(Softmax(1), self._scores(x, w, b))
        known = p._data if isinstance(p, Tensor) else p
        hot = array_module(known).zeros(known.shape, known.dtype)
        np.put_along_axis(hot, self.target[block, None], 1, 1)
        return p - self._constant(hot, p)

    def _constant(self, array: Any, like: Any) -> Any:
        known = like._data if isinstance(like, Tensor) else like
        array = array.astype(known.dtype, copy=False)
        return wrap(array, like._device) if isinstance(like, Tensor) else array


@composite
@parser_errors
def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """Cross entropy of the scores of a linear layer.

    Math: L = cross_entropy(x wᵀ + b, t)
          ∂L/∂x = d w      ∂L/∂w = dᵀ x      ∂L/∂b = Σ d, d the gradient of the scores
    Shape: (N, D), (C, *K, D), (N, *K) -> (), or (N, *K) with reduction "none";
        N may be absent where K is
    Reference: Wijmans, Huval, Hertzberg, Koltun and Krähenbühl (2024), "Cut your
          losses in large-vocabulary language models".

    Args:
        input: the operand of the linear map.
        linear_weight, linear_bias: the map, one row for each class.
        target: class indices, or probabilities of the classes.
        weight: of each class.
        reduction: "mean", "sum" or "none".
        ignore_index: a target that does not count; by default -100.
        label_smoothing: how much of each target is spread over all classes.
        options: `nn.LinearCrossEntropyOptions`: work by blocks of samples, so that the
            scores of all never exist at once.

    Raises:
        RuntimeError: for shapes that do not fit.
        IndexError: for a class that does not exist.

    Example:
        >>> import edutorch as torch
        >>> x, w = torch.ones(1, 2), torch.zeros(2, 2)
        >>> torch.nn.functional.linear_cross_entropy(x, w, torch.tensor([1]))
        tensor(0.6931)
    """
    shape = _check(input, linear_weight, linear_bias)
    probabilities = tuple(target.shape) == shape
    need_one_device("nll_loss_forward", input, target=target)
    if probabilities and ignore_index is not None:
        raise RuntimeError(
            "ignore_index cannot be specified when target contains probabilities"
        )
    ignore = -100 if ignore_index is None else ignore_index
    if options is not None and _can_use_blocks(
        reduction, label_smoothing, target, linear_weight, linear_bias
    ):
        return _loss_by_blocks(
            input,
            linear_weight,
            linear_bias,
            target,
            weight,
            reduction,
            ignore,
            options,
        )
    rows = linear_weight.reshape(prod(linear_weight.shape[:-1]), input.shape[-1])
    bias = None if linear_bias is None else linear_bias.reshape(-1)
    scores = linear(input, rows, bias).reshape(shape)
    return cross_entropy(
        scores, target, weight, ignore_index=ignore, reduction=reduction,
        label_smoothing=label_smoothing,
    )  # fmt: skip


def _check(x: Tensor, w: Tensor, b: Tensor | None) -> tuple[int, ...]:
    """Check the operands and return the shape of the scores."""
    if not 1 <= x.dim() <= 2:
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {x.ndim}")
    if w.dim() < 2:
        raise RuntimeError(
            f"expected linear_weight with dimensionality at least 2, got {w.ndim}"
        )
    if x.shape[-1] != w.shape[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{x.shape[-1]} and {w.shape[-1]}, respectively"
        )
    outputs = tuple(w.shape[:-1])
    if b is not None and tuple(b.shape) != outputs:
        raise RuntimeError(
            f"expected linear_bias shape {outputs}, got {tuple(b.shape)}"
        )
    if len(outputs) > 1 and x.ndim == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(w.shape)} "
            f"requires batched input, (N, {x.shape[-1]}), got unbatched input with "
            f"shape {tuple(x.shape)}"
        )
    return (*x.shape[:-1], *outputs)


def _can_use_blocks(
    reduction: str, smoothing: float, target: Tensor, w: Tensor, b: Tensor | None
) -> bool:
    """Whether the loss can be computed in blocks; warns if not."""
    plain = reduction in ("mean", "sum", "none") and smoothing == 0
    if plain and target.dtype is dtypes.int64 and w.ndim == 2:
        return True
    shape = None if b is None else tuple(b.shape)
    warnings.warn(
        "linear_cross_entropy: ``options`` ignored; chunked path needs reduction in "
        "{'mean','sum','none'}, label_smoothing == 0, target.dtype == int64, "
        f"out_features == (). Got reduction={reduction!r}, label_smoothing={smoothing},"
        f" target.dtype={target.dtype}, out_features={tuple(w.shape[1:-1])}, "
        f"tracing=False, linear_bias.shape={shape}.",
        stacklevel=3,
    )
    return False


def _loss_by_blocks(
    x: Tensor, w: Tensor, b: Any, target: Tensor, weight: Any, reduction: str,
    ignore: int, options: Any,
) -> Tensor:  # fmt: skip
    single = x.ndim == 1
    if single:
        x, target = x.unsqueeze(0), target.unsqueeze(0)
    n, d = x.shape
    size = block_size(options, n, d, len(w), x.dtype, x.device)
    labels = target._data
    counts = labels != ignore
    classes = np.where(counts, labels, 0)
    _check_classes(classes, len(w), weight)
    factors = counts.astype(accumulator(x._data.dtype))
    if weight is not None:
        factors = factors * weight._data[classes].astype(factors.dtype)
    loss = apply(LinearCrossEntropy(classes, factors, reduction, size), x, w, b)
    return loss.squeeze(0) if single and reduction == "none" else loss


def _check_classes(classes: Any, n: int, weight: Any) -> None:
    wrong = classes[(classes < 0) | (classes >= n)]
    if wrong.size:
        raise RuntimeError(
            f"index {int(wrong[0])} is out of bounds for dimension 1 with size {n}"
        )
    if weight is not None and classes.size and int(classes.max()) >= len(weight):
        raise IndexError("index out of range in self")
