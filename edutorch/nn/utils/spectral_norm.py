"""Spectral normalisation by a hook: divides weights by their largest singular value."""

from __future__ import annotations

from typing import Any

from ...autograd.modes import no_grad
from ...ops import dot, mv
from ...tensor.tensor import Tensor
from .. import functional as F
from ..modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ..modules.module import Module
from ..parameter import Parameter, is_lazy

__all__ = [
    "SpectralNorm",
    "output_channel_dim",
    "remove_spectral_norm",
    "spectral_norm",
]


class SpectralNorm:
    """The hook that computes a module's weight before each `forward`.

    Math: v ← Wᵀu / ‖Wᵀu‖      u ← Wv / ‖Wv‖ (in training)      weight = W / (uᵀ W v)

    Args:
        name: the weight's name; it is kept as name_orig, u as name_u, v as name_v.
        n_power_iterations: how often u and v are improved in each step.
        dim: the dimension of the outputs.
        eps: a lower bound of norms.

    Raises:
        ValueError: for fewer than one iteration.
    """

    _version = 1  # of the format in `state_dict`

    def __init__(
        self,
        name: str = "weight",
        n_power_iterations: int = 1,
        dim: int = 0,
        eps: float = 1e-12,
    ) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """The weight as a matrix with a row per output."""
        if self.dim != 0:
            others = (d for d in range(weight.dim()) if d != self.dim)
            weight = weight.permute(self.dim, *others)
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """The weight divided by its largest singular value, estimated from u and v."""
        weight = getattr(module, self.name + "_orig")
        u, v = getattr(module, self.name + "_u"), getattr(module, self.name + "_v")
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    F.normalize(mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    F.normalize(mv(matrix, v), dim=0, eps=self.eps, out=u)
                # The buffers change in the next step; this one keeps its own.
                u, v = u.clone(), v.clone()
        return weight / dot(u, mv(matrix, v))

    def remove(self, module: Module) -> None:
        """Replace the original parameter by the normalised weight."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))

    @staticmethod
    def apply(
        module: Module, name: str, n_power_iterations: int, dim: int, eps: float
    ) -> SpectralNorm:
        """Rename the weight's parameter to `name_orig`, and register the hook.

        Raises:
            RuntimeError: for a weight that has such a hook.
            ValueError: for a weight that is None, or has no shape yet.
        """
        if any(
            _is_norm_hook(hook, name) for hook in module._forward_pre_hooks.values()
        ):
            raise RuntimeError(
                "Cannot register two spectral_norm hooks on the same parameter " + name
            )
        hook = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(
                f"`SpectralNorm` cannot be applied as parameter `{name}` is None"
            )
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized "
                "parameters. Make sure to run the dummy forward before applying "
                "spectral normalization"
            )
        with no_grad():
            rows, columns = hook.reshape_weight_to_matrix(weight).shape
            u = F.normalize(weight.new_empty(rows).normal_(0, 1), dim=0, eps=eps)
            v = F.normalize(weight.new_empty(columns).normal_(0, 1), dim=0, eps=eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)  # for code that reads it before `forward`
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(hook)
        module.register_state_dict_post_hook(hook._note_version)
        return hook

    def _note_version(
        self, module: Module, state_dict: Any, prefix: str, local_metadata: Any
    ) -> None:
        notes = local_metadata.setdefault("spectral_norm", {})
        notes[self.name + ".version"] = self._version


def _is_norm_hook(hook: Any, name: str) -> bool:
    return isinstance(hook, SpectralNorm) and hook.name == name


def output_channel_dim(module: Module, dim: int | None) -> int:
    """The output dimension of a module's weight, unless one is given.

    Example:
        >>> import edutorch as torch
        >>> output_channel_dim(torch.nn.ConvTranspose1d(1, 1, 1), None)
        1
    """
    if dim is not None:
        return dim
    transposed = (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
    return 1 if isinstance(module, transposed) else 0


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value; the older form.

    `parametrizations.spectral_norm` is the newer one.

    Math: weight = W / σ(W), σ(W) ≈ uᵀ W v by power iteration
    Shape: (O, *) -> (O, *)
    Reference: Miyato, Kataoka, Koyama and Yoshida, 2018.

    Args:
        dim: the dimension of the outputs: 0, but 1 for transposed convolutions.

    Raises:
        RuntimeError, ValueError: see `SpectralNorm`.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.spectral_norm(torch.nn.Linear(20, 40))
        >>> m.weight_u.shape
        torch.Size([40])
    """
    SpectralNorm.apply(
        module, name, n_power_iterations, output_channel_dim(module, dim), eps
    )
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make a normalised weight an ordinary parameter again.

    Raises:
        ValueError: for a weight that is not normalised.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 2))
        >>> sorted(name for name, _ in m.named_parameters())
        ['bias', 'weight_orig']
        >>> m = torch.nn.utils.remove_spectral_norm(m)
        >>> sorted(name for name, _ in m.named_parameters())
        ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if not _is_norm_hook(hook, name):
            continue
        hook.remove(module)
        del module._forward_pre_hooks[key]
        notes = module._state_dict_hooks
        for number, note in list(notes.items()):
            if getattr(note, "__self__", None) is hook:
                del notes[number]
        return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")
