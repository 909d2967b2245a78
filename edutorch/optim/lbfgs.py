"""L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.modes import enable_grad, no_grad
from ..ops import cat, view_as_real
from ..tensor.tensor import Tensor
from .line_search import Point, strong_wolfe
from .optimizer import Optimizer
from .rule_helpers import check_lr, learning_rate

__all__ = ["LBFGS"]


class LBFGS(Optimizer):
    """A quasi-Newton method that estimates curvature from its last steps.

    Math: p ← p - t H g, H g computed from the last pairs s = Δp, y = Δg by the
          two-loop recursion, H₀ = (yᵀs / yᵀy) I
    Reference: Liu and Nocedal, 1989.

    Args:
        lr: the step length t, if there is no line search.
        max_iter: iterations in one `step`.
        max_eval: evaluations of the closure in one `step`; default 1.25 · max_iter.
        tolerance_grad: stop once no element of the gradient is larger.
        tolerance_change: stop once parameters or loss change by less.
        history_size: the number of pairs (y, s) to store.
        line_search_fn: None or "strong_wolfe".

    Raises:
        ValueError: for a negative learning rate, or several groups.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([4.0, -2.0]))
        >>> optimizer = torch.optim.LBFGS([p], line_search_fn="strong_wolfe")
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = ((p - 1) ** 2).sum()
        ...     loss.backward()
        ...     return loss
        >>> _ = optimizer.step(closure)
        >>> torch.allclose(p, torch.ones(2))
        True
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_lr(lr)
        defaults = {
            "lr": lr, "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change,
            "history_size": history_size, "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError(
                "LBFGS doesn't support per-parameter options (parameter groups)"
            )
        self._params: list[Tensor] = self.param_groups[0]["params"]

    # ---- all parameters as one vector

    def _gradient(self) -> Tensor:
        """The gradients of all parameters, one after the other."""
        parts = []
        for p in self._params:
            g = p.new_zeros(p.numel()) if p._grad is None else p._grad
            g = (g.to_dense() if g.is_sparse else g).view(-1)
            parts.append(view_as_real(g).view(-1) if g.is_complex() else g)
        return cat(parts)

    def _move(self, t: Any, d: Tensor) -> None:
        """Take a step of length t along d."""
        start = 0
        for p in self._params:
            target = view_as_real(p) if p.is_complex() else p
            n = target.numel()
            target.add_(d[start : start + n].view_as(target), alpha=t)
            start += n

    def _evaluation(self, closure: Callable[[], float], d: Tensor) -> Any:
        """A function from step lengths to points; parameters stay as they are."""
        before = [p.clone() for p in self._params]

        def evaluate(t: Any) -> Point:
            self._move(t, d)
            loss = closure()
            g = self._gradient()
            for p, value in zip(self._params, before, strict=True):
                p.copy_(value)
            return Point(t, loss, g, g.dot(d))

        return evaluate

    # ---- a step

    @no_grad()
    def step(self, closure: Callable[[], Any]) -> Any:
        """Several iterations towards the minimum.

        Args:
            closure: computes the loss and the gradients again, and returns the loss.
        """
        if len(self.param_groups) != 1:
            raise AssertionError(
                f"Expected exactly one param_group, but got {len(self.param_groups)}"
            )
        closure = enable_grad()(closure)
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss, evaluations = float(first_loss), 1
        state["func_evals"] += 1
        g = self._gradient()
        if g.abs().max() <= group["tolerance_grad"]:
            return first_loss
        iteration = 0
        while iteration < group["max_iter"]:
            iteration += 1
            state["n_iter"] += 1
            d = self._direction(g, state, group["history_size"])
            t = learning_rate(group)
            if state["n_iter"] == 1:
                t = min(1.0, 1.0 / g.abs().sum()) * t
            state.update(d=d, t=t, prev_flat_grad=g.clone(), prev_loss=loss)
            slope = g.dot(d)
            if slope > -group["tolerance_change"]:
                break
            before, here = loss, Point(0, loss, g, slope)
            if group["line_search_fn"] is not None:
                point, used = self._search(closure, here, t, d, evaluations)
                loss, g, t = point.loss, point.gradient, point.t
                state["t"] = t
                self._move(t, d)
            else:
                self._move(t, d)
                used = 0
                if iteration != group["max_iter"]:
                    loss, used = float(closure()), 1
                    g = self._gradient()
            evaluations += used
            state["func_evals"] += used
            if self._finished(iteration, evaluations, g, d * t, loss - before):
                break
        return first_loss

    def _search(
        self, closure: Any, here: Point, t: Any, d: Tensor, evaluations: int
    ) -> tuple[Point, int]:
        group = self.param_groups[0]
        if group["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        evaluate = self._evaluation(lambda: float(closure()), d)
        left = group["max_eval"] - evaluations
        return strong_wolfe(evaluate, here, t, d, max_iterations=left)

    def _finished(
        self, iteration: int, evaluations: int, g: Tensor, move: Tensor, change: float
    ) -> bool:
        group = self.param_groups[0]
        return bool(
            iteration == group["max_iter"]
            or evaluations >= group["max_eval"]
            or g.abs().max() <= group["tolerance_grad"]
            or move.abs().max() <= group["tolerance_change"]
            or abs(change) < group["tolerance_change"]
        )

    def _direction(self, g: Tensor, state: dict[str, Any], size: int) -> Tensor:
        """-H g by the two-loop recursion, after storing the pair of the last step."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -g
        _store_curvature_pair(g, state, size)
        ys, steps, inverse = state["old_dirs"], state["old_stps"], state["ro"]
        shares = state.setdefault("al", [None] * size)
        q = -g
        triples = list(enumerate(zip(ys, steps, inverse, strict=True)))
        for i, (y, s, r) in reversed(triples):
            shares[i] = s.dot(q) * r
            q = q - shares[i] * y
        d = q * state["H_diag"]
        for i, (y, s, r) in triples:
            d = d + s * (shares[i] - y.dot(d) * r)
        return d


def _store_curvature_pair(g: Tensor, state: dict[str, Any], size: int) -> None:
    """Store the changes of gradient and parameters where curvature is positive."""
    y = g - state["prev_flat_grad"]
    s = state["d"] * state["t"]
    curvature = y.dot(s)
    if not curvature > 1e-10:  # nan, too
        return
    tables = state["old_dirs"], state["old_stps"], state["ro"]
    if len(tables[0]) == size:
        for table in tables:
            table.pop(0)
    for table, value in zip(tables, (y, s, 1.0 / curvature), strict=True):
        table.append(value)
    state["H_diag"] = curvature / y.dot(y)
