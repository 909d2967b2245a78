"""Exchange two tensors: every reference to one then refers to the other."""

from __future__ import annotations

import weakref

from .tensor import Tensor

__all__ = ["swap_tensors"]

SLOTS = tuple(n for n in Tensor.__slots__ if n not in ("__dict__", "__weakref__"))


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange class, values, history and attributes of two tensors.

    Raises:
        RuntimeError: if there are weak references to one of them.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.zeros(2), torch.nn.Parameter(torch.ones(3))
        >>> also_a = a
        >>> torch.utils.swap_tensors(a, b)
        >>> also_a.shape, type(b) is torch.Tensor
        (torch.Size([3]), True)
    """
    for name, t in (("t1", t1), ("t2", t2)):
        if weakref.getweakrefs(t):
            raise RuntimeError(
                f"Cannot swap {name} because it has weakref associated with it"
            )
    for slot in SLOTS:
        mine, other = getattr(t1, slot), getattr(t2, slot)
        setattr(t1, slot, other)
        setattr(t2, slot, mine)
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__
