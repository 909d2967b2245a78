"""Converts a model's parameters to one long vector and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...ops.convert import typename
from ...ops.shape import cat
from ...tensor.tensor import Tensor

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Concatenate all elements of all parameters.

    Math: y = the elements of all, in row-major order      ∂L/∂xᵢ = its part of g
    Shape: (*), (+), .. -> (sum of their numbers of elements)

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.Linear(2, 3)
        >>> torch.nn.utils.parameters_to_vector(model.parameters()).shape
        torch.Size([9])
    """
    several = list(parameters)
    _check_devices(several)
    return cat([p.view(-1) for p in several])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Assign the elements of a long vector to parameters.

    Math: xᵢ ← its part of the vector
    Shape: (sum of their numbers of elements) -> (*), (+), ..

    Raises:
        TypeError: if `vec` is not a tensor, or parameters lie on different devices.

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.Linear(1, 1)
        >>> values = torch.tensor([3.0, 4.0])
        >>> torch.nn.utils.vector_to_parameters(values, model.parameters())
        >>> model.bias.item()
        4.0
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    several = list(parameters)
    _check_devices(several)
    start = 0
    for p in several:
        n = p.numel()
        p.data = vec[start : start + n].reshape(p.shape).data
        start += n


def _check_devices(parameters: list[Tensor]) -> None:
    if len({p.device for p in parameters}) > 1:
        raise TypeError(
            "Found two parameters on different devices, this is currently not "
            "supported."
        )
