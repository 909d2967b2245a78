"""The values behind the tensors that transforms pass to functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..autograd.batched_tensor import Batched
from ..tensor.tensor import Tensor

__all__ = ["debug_unwrap", "functionalize"]


def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor:
    """The whole batch behind a tensor inside `vmap`, to look at; others as they are.

    Args:
        recurse: accepted; the batch of all maps around is one tensor.

    Example:
        >>> import edutorch as torch
        >>> f = lambda x: (print(torch.func.debug_unwrap(x).shape), x)[1]
        >>> x = torch.vmap(f)(torch.ones(2, 3))
        torch.Size([2, 3])
    """
    return tensor._value if type(tensor) is Batched else tensor


def functionalize(
    func: Callable[..., Any], *, remove: str = "mutations"
) -> Callable[..., Any]:
    """A function with the same results and the same effects on its inputs.

    PyTorch's removes in-place operations from what a tracer records of the function.
    Here functions are not recorded that way: they run as they are.

    Args:
        remove: "mutations" or "mutations_and_views".

    Raises:
        RuntimeError: for another `remove`.

    Example:
        >>> import edutorch as torch
        >>> torch.func.functionalize(lambda x: x.clone().mul_(2))(torch.ones(2))
        tensor([2., 2.])
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for "
            f"remove={remove}. Valid options are:\n"
            "     remove='mutations': all inplace and out= operators will be removed "
            "from the program, and replaced with their out-of-place equivalents.\n"
            "     remove='mutations_and_views': In addition to the above, also views."
        )

    @functools.wraps(func)
    def functional(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return functional
