"""Weight normalisation by a hook: separates a weight's norm from its direction."""

from __future__ import annotations

import warnings
from typing import Any

from ...ops.norm.weight import norm_except_dim
from ...ops.norm.weight import weight_norm as scaled
from ...tensor.tensor import Tensor
from ..modules.module import Module
from ..parameter import Parameter, is_lazy

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


class WeightNorm:
    """The hook that computes a module's weight before each `forward`.

    Args:
        name: the weight's name; its parts are called name_g and name_v.
        dim: the dimension of the lengths, −1 for one length of the whole.
    """

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Tensor:
        """Compute the weight from its norm and direction."""
        g, v = getattr(module, self.name + "_g"), getattr(module, self.name + "_v")
        return scaled(v, g, self.dim)

    @staticmethod
    def apply(module: Module, name: str, dim: int | None) -> WeightNorm:
        """Replace a weight by its norm and direction, and register the hook.

        Raises:
            RuntimeError: for a weight that has such a hook.
            ValueError: for a weight of a lazy module that has no shape yet.
        """
        if any(
            _is_norm_hook(hook, name) for hook in module._forward_pre_hooks.values()
        ):
            raise RuntimeError(
                "Cannot register two weight_norm hooks on the same parameter " + name
            )
        hook = WeightNorm(name, dim)
        weight = getattr(module, name)
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters."
                " Make sure to run the dummy forward before applying weight "
                "normalization"
            )
        del module._parameters[name]
        lengths = norm_except_dim(weight, 2, hook.dim).data
        module.register_parameter(name + "_g", Parameter(lengths))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, hook.compute_weight(module))
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module: Module) -> None:
        """Replace norm and direction by a single parameter."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"]
        del module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def _is_norm_hook(hook: Any, name: str) -> bool:
    return isinstance(hook, WeightNorm) and hook.name == name


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Module:
    """Parametrize a weight by its norm and direction; the older form.

    `parametrizations.weight_norm` is the newer one.

    Math: w = g · v / ‖v‖
    Shape: (O, *) as g (O, 1, ..) and v (O, *)
    Reference: Salimans and Kingma, 2016.

    Args:
        dim: the dimension of the lengths, None for one length of the whole.

    Raises:
        RuntimeError: for a weight that is normalised so already.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     m = torch.nn.utils.weight_norm(torch.nn.Linear(20, 40))
        >>> m.weight_g.shape, m.weight_v.shape
        (torch.Size([40, 1]), torch.Size([40, 20]))
    """
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of "
        "`torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make a normalised weight a single parameter again.

    Raises:
        ValueError: for a weight that is not normalised.

    Example:
        >>> import edutorch as torch
        >>> import warnings
        >>> warnings.simplefilter("ignore")
        >>> m = torch.nn.utils.weight_norm(torch.nn.Linear(2, 2))
        >>> sorted(name for name, _ in m.named_parameters())
        ['bias', 'weight_g', 'weight_v']
        >>> m = torch.nn.utils.remove_weight_norm(m)
        >>> sorted(name for name, _ in m.named_parameters())
        ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if _is_norm_hook(hook, name):
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
