"""Predefined parametrizations: orthogonal, weight_norm, spectral_norm."""

from __future__ import annotations

from typing import Any

from ... import dtypes, linalg
from ...autograd.modes import no_grad
from ...ops import (
    allclose,
    cat,
    eye,
    geqrf,
    matrix_exp,
    mv,
    randn,
    vdot,
    zeros_like,
)
from ...ops.norm.weight import norm_except_dim
from ...ops.norm.weight import weight_norm as scaled
from ...tensor.tensor import Tensor
from .. import functional as F
from ..modules.module import Module
from .parametrize import register_parametrization
from .spectral_norm import output_channel_dim

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

MAPS = ("matrix_exp", "cayley", "householder")


def _tensor_of(module: Module, name: str) -> Tensor:
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(
            f"Module '{module}' has no parameter or buffer with name '{name}'"
        )
    return weight


# ---- orthogonal matrices


def _is_orthogonal(q: Tensor) -> bool:
    n, k = q.shape[-2:]
    one = eye(k, dtype=q.dtype, device=q.device)
    return allclose(q.mH @ q, one, atol=10.0 * n * dtypes.finfo(q.dtype).eps)


def _orthogonalized(a: Tensor) -> Tensor:
    """The Q of A = Q R, with signs that make it unique for a square matrix."""
    x, tau = geqrf(a)
    q = linalg.householder_product(x, tau)
    return q * x.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


class _Orthogonal(Module):
    """Maps any matrix to an orthogonal (unitary) one, or one with orthonormal columns.

    Math: A = tril(X) − tril(X)ᴴ
          Q = exp(A), or (1 − A/2)⁻¹ (1 + A/2), or a product of reflections of X
          weight = base · Q, if there is a base
    """

    base: Tensor

    def __init__(self, weight: Tensor, kind: str, use_trivialization: bool) -> None:
        super().__init__()
        if weight.is_complex() and kind == "householder":
            raise ValueError(
                "The householder parametrization does not support complex tensors."
            )
        self.shape = weight.shape
        self.orthogonal_map = kind
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        """Orthonormal columns, or rows if there are fewer of them."""
        wide = x.size(-2) < x.size(-1)
        x = x.mT if wide else x  # (n, k), n >= k
        q = self._reflections(x) if self.orthogonal_map == "householder" else (
            self._rotation(x)
        )  # fmt: skip
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    def _rotation(self, x: Tensor) -> Tensor:
        """The exponential or Cayley map of a skew-symmetric matrix."""
        n, k = x.shape[-2:]
        x = x.tril()
        if n != k:
            zeros = x.new_zeros(n, n - k).expand(*x.shape[:-2], -1, -1)
            x = cat([x, zeros], dim=-1)  # (n, n)
        a = x - x.mH
        if self.orthogonal_map == "matrix_exp":
            q = matrix_exp(a)
        else:
            one = eye(n, dtype=a.dtype, device=a.device)
            q = linalg.solve(one - a * 0.5, one + a * 0.5)
        return q[..., :k]

    def _reflections(self, x: Tensor) -> Tensor:
        """The product of Householder reflections, stored as a matrix, and signs."""
        a = x.tril(diagonal=-1)
        tau = 2.0 / (1.0 + (a * a).sum(dim=-2))
        q = linalg.householder_product(a, tau)
        signs = x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        return q * signs

    @no_grad()
    def right_inverse(self, q: Tensor) -> Tensor:
        """A matrix that is mapped to `q`; with a base, the base becomes q.

        Raises:
            ValueError: for another shape.
            NotImplementedError: for maps without an inverse here.
        """
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a "
                f"tensor of shape {q.shape}."
            )
        wide = q.size(-2) < q.size(-1)
        tall = q.mT if wide else q
        if hasattr(self, "base"):
            self.base = self._complete_columns(tall)
            start = zeros_like(q)
            start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)  # mapped to 1 by all maps
            return start
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley "
                "parametrizations when use_trivialization=False."
            )
        a, tau = geqrf(tall)
        signs = a.diagonal(dim1=-2, dim2=-1)
        signs.sign_()
        signs[tau == 0.0] *= -1
        return a.mT if wide else a

    def _complete_columns(self, q: Tensor) -> Tensor:
        """Orthonormalise the columns and add others to make the matrix square."""
        n, k = q.shape[-2:]
        if n == k:
            return q.clone() if _is_orthogonal(q) else _orthogonalized(q)
        shape = (*q.shape[:-2], n, n - k)
        more = randn(shape, dtype=q.dtype, device=q.device)
        return _orthogonalized(cat([q, more], dim=-1))


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Keep a weight orthogonal (unitary if complex), or its columns orthonormal.

    Math: Qᴴ Q = 1 with at least as many rows as columns, else Q Qᴴ = 1
    Shape: (*, n, m) -> (*, n, m)
    Reference: Lezcano-Casado, 2019, "Trivializations for gradient-based optimization
    on manifolds".

    Args:
        orthogonal_map: "matrix_exp", "cayley" or "householder"; by default the first
            for square and complex matrices, else the last.
        use_trivialization: whether the matrix that is assigned becomes a base.

    Raises:
        ValueError: if `name` is a vector, or not a tensor; for an unknown map.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(20, 40))
        >>> torch.allclose(m.weight.T @ m.weight, torch.eye(20), atol=1e-5)
        True
    """
    weight = _tensor_of(module, name)
    if weight.ndim < 2:
        raise ValueError(
            "Expected a matrix or batch of matrices. Got a tensor of "
            f"{weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = MAPS[0] if square or weight.is_complex() else MAPS[2]
    if orthogonal_map not in MAPS:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


# ---- lengths


class _WeightNorm(Module):
    """Computes a weight from its norms and directions."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        """G · v / ‖v‖."""
        return scaled(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The norms of a weight, and the weight as its direction."""
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Module:
    """Parametrize a weight by its norm and direction.

    Math: w = g · v / ‖v‖
    Shape: (O, *) as g (O, 1, ..) and v (O, *)
    Reference: Salimans and Kingma, 2016.

    Args:
        dim: the dimension of the lengths, None for one length of the whole.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(20, 40))
        >>> [p.shape for p in m.parametrizations.weight.parameters()]
        [torch.Size([40, 1]), torch.Size([40, 20])]
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename(_: Module, state_dict: Any, prefix: str, *rest: Any) -> None:
        """Rename the entries of states saved by the older form."""
        old = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(key in state_dict for key in old):
            for i, key in enumerate(old):
                new = f"{prefix}parametrizations.{name}.original{i}"
                state_dict[new] = state_dict.pop(key)

    module.register_load_state_dict_pre_hook(rename)
    return module


# ---- the largest singular value


class _SpectralNorm(Module):
    """Divides a weight by its largest singular value, tracked by power iteration."""

    def __init__(
        self, weight: Tensor, n_power_iterations: int, dim: int, eps: float
    ) -> None:
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{ndim}, "
                f"{ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim < 2:
            return
        self.n_power_iterations = n_power_iterations
        matrix = self._matrix(weight)
        for buffer, size in zip(("_u", "_v"), matrix.shape, strict=True):
            start = matrix.detach().new_empty(size).normal_(0, 1)
            self.register_buffer(buffer, F.normalize(start, dim=0, eps=eps))
        self._power_iterate(matrix, 15)

    def _matrix(self, weight: Tensor) -> Tensor:
        """The weight as a matrix with a row per output."""
        if self.dim != 0:
            others = (d for d in range(weight.dim()) if d != self.dim)
            weight = weight.permute(self.dim, *others)
        return weight.flatten(1)

    @no_grad()
    def _power_iterate(self, matrix: Tensor, times: int) -> None:
        """Run power iteration on the buffers."""
        for _ in range(times):
            F.normalize(mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
            F.normalize(mv(matrix.mH, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Tensor) -> Tensor:
        """The weight over uᴴ W v; in training, u and v are improved first."""
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._power_iterate(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()  # the buffers change in the next step
        return weight / vdot(u, mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value itself, which is assumed to be normalised."""
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value.

    Math: weight = W / σ(W), σ(W) ≈ uᴴ W v by power iteration
    Shape: (O, *) -> (O, *)
    Reference: Miyato, Kataoka, Koyama and Yoshida, 2018.

    Args:
        n_power_iterations: how often u and v are improved in each step of training.
        eps: a lower bound of norms.
        dim: the dimension of the outputs: 0, but 1 for transposed convolutions.

    Raises:
        ValueError, IndexError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(20, 40))
        >>> abs(torch.linalg.matrix_norm(m.weight, 2).item() - 1) < 0.1
        True
    """
    weight = _tensor_of(module, name)
    made = _SpectralNorm(
        weight, n_power_iterations, output_channel_dim(module, dim), eps
    )
    return register_parametrization(module, name, made)
