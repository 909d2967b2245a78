"""Adam for sparse gradients: only rows that have a gradient change."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ..backends.sparse import Coo
from ..tensor.tensor import Tensor
from .optimizer import Optimizer, params_with_grad
from .rule_helpers import check_betas, sparse_rows, to_float, zeros

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam that updates only entries for which the sparse gradient has values.

    Math: m ← β₁ m + (1 - β₁) g      v ← β₂ v + (1 - β₂) g²
          p ← p - lr √(1 - β₂ᵗ) / (1 - β₁ᵗ) · m / (√v + eps), where g has values
    Reference: Kingma and Ba, 2015.

    Args:
        params: dense parameters, such as the tables of embeddings with `sparse=True`.

    Raises:
        ValueError: for settings out of range, sparse or complex parameters.
        RuntimeError: in `step`, for dense gradients.

    Example:
        >>> import edutorch as torch
        >>> table = torch.nn.Embedding.from_pretrained(
        ...     torch.zeros(3, 1), freeze=False, sparse=True)
        >>> optimizer = torch.optim.SparseAdam(table.parameters(), lr=0.5)
        >>> table(torch.tensor([1])).sum().backward()
        >>> optimizer.step()
        >>> table.weight.data
        tensor([[ 0.0000],
                [-0.5000],
                [ 0.0000]])
    """

    _supports_sparse = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value in (("learning rate", lr), ("epsilon value", eps)):
            if not 0.0 < value <= inf:
                raise ValueError(f"Invalid {name}: {value}")
        check_betas(betas)
        defaults = {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize}
        super().__init__(params, defaults)
        self._refuse("Sparse", "requires dense parameter tensors")
        self._refuse("Complex", "does not support complex parameters")

    def _refuse(self, kind: str, why: str) -> None:
        """Reject sparse or complex parameters; the error lists their indices."""
        found = [
            [i, j]
            for i, group in enumerate(self.param_groups)
            for j, p in enumerate(group["params"])
            if (p.is_sparse if kind == "Sparse" else p.is_complex())
        ]
        if found:
            raise ValueError(f"{kind} params at indices {found}: SparseAdam {why}")

    def _update_group(self, group: dict[str, Any]) -> None:
        """One step of one group, whose gradients are all sparse."""
        for _, g in params_with_grad(group):
            if type(g._data) is not Coo:
                raise RuntimeError(
                    "SparseAdam does not support dense gradients, please consider Adam "
                    "instead"
                )
        super()._update_group(group)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, and averages of zero."""
        return {"step": 0, "exp_avg": zeros(p), "exp_avg_sq": zeros(p)}

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of the rows that have a gradient."""
        state["step"] += 1
        t, (beta1, beta2) = state["step"], group["betas"]
        rows, values = sparse_rows(g)
        values = -values if group["maximize"] else values
        m, v = state["exp_avg"]._data, state["exp_avg_sq"]._data
        m[rows] += (values - m[rows]) * (1 - beta1)
        v[rows] += (values * values - v[rows]) * (1 - beta2)
        size = to_float(group["lr"]) * (1 - beta2**t) ** 0.5 / (1 - beta1**t)
        p._data[rows] -= size * (m[rows] / (np.sqrt(v[rows]) + group["eps"]))
        p.untyped_storage().version += 1
