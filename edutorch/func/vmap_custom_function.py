"""User Functions inside `vmap`: by their own rule, or sample by sample."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..autograd import batched_tensor as vmapped
from ..autograd.batched_tensor import Batched, active_vmaps, batched
from ..ops.shape import movedim, stack
from ..tensor.pytree import broadcast, flatten, format_spec, unflatten
from ..tensor.tensor import Tensor
from .batched_dispatch import select_sample
from .vmap_transform import current_randomness

__all__ = ["VmapInfo"]

MORE = (
    "For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)


class VmapInfo(NamedTuple):
    """Information about the running vmap, passed to a Function's `vmap`.

    Example:
        >>> VmapInfo(3, "error")
        VmapInfo(batch_size=3, randomness='error')
    """

    batch_size: int
    randomness: str


def run_function(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Apply a Function to batched tensors, at the innermost of their levels."""
    own = cls.overrides("vmap")
    if own and cls.generate_vmap_rule:
        raise vmapped.forbid_fallback(
            RuntimeError(
                f"You tried to vmap over {cls.__name__}, but it has both "
                "generate_vmap_rule=True and an overridden vmap staticmethod. Please "
                "set generate_vmap_rule=False or delete the overridden vmap "
                f"staticmethod to avoid ambiguity. {MORE}"
            )
        )
    if not (own or cls.generate_vmap_rule):
        raise vmapped.forbid_fallback(
            RuntimeError(
                f"You tried to vmap over {cls.__name__}, but it does not have vmap "
                "support. Please override and implement the vmap staticmethod or set "
                f"generate_vmap_rule=True. {MORE}"
            )
        )
    level = max(a._levels[-1] for a in args if type(a) is Batched)
    return (_run_rule if own else _run_sample_by_sample)(cls, args, kwargs, level)


def _run_rule(cls: Any, args: Any, kwargs: Any, level: int) -> Any:
    size = active_vmaps.sizes.pop(level)
    dims = tuple(0 if _has_level(a, level) else None for a in args)
    given = [_unhide_level(a, level) if d == 0 else a
             for a, d in zip(args, dims, strict=True)]  # fmt: skip
    try:
        answer = cls.vmap(VmapInfo(size, current_randomness()), dims, *given, **kwargs)
        leaves, structure, out_dims = _outputs(answer)
        results = [t if d is None else _hide_level(t, d, level)
                   for t, d in zip(leaves, out_dims, strict=True)]  # fmt: skip
    except Exception as error:
        if not vmapped.any_batched(given):  # it is the user's
            vmapped.forbid_fallback(error)
        raise
    finally:
        active_vmaps.sizes[level] = size
    return unflatten(results, structure)


def _outputs(answer: Any) -> tuple[list[Any], Any, list[Any]]:
    """The results of a user's rule, their structure, and where the batch is in each.

    Raises:
        RuntimeError: for anything other than results and their dimensions.
    """
    if not (isinstance(answer, tuple) and len(answer) == 2):
        got = (
            f"{len(answer)} returns"
            if isinstance(answer, tuple)
            else f"a {type(answer)}"
        )
        raise RuntimeError(
            "Expected the vmap staticmethod to have two returns, an output and "
            f"out_dims with pytree structure compatible with the output. Got {got} "
            "instead"
        )
    result, out_dims = answer
    leaves, structure = flatten(result)
    found = broadcast(out_dims, result)
    if found is None:
        raise RuntimeError(
            "The autograd.Function's vmap staticmethod returned an incompatible "
            f"(output, out_dims) tuple. Expected out_dims={out_dims} to be compatible "
            "with the structure of `output`. out_dims has structure "
            f"{format_spec(flatten(out_dims)[1])} but output has structure "
            f"{format_spec(structure)}. {MORE}"
        )
    return leaves, structure, found


def _has_level(a: Any, level: int) -> bool:
    return type(a) is Batched and level in a._levels


def _unhide_level(t: Any, level: int) -> Tensor:
    """The samples of one level as the first dimension that can be seen."""
    rest = tuple(x for x in t._levels if x != level)
    return batched(t._value, rest)


def _hide_level(t: Tensor, dim: int, level: int) -> Tensor:
    levels = getattr(t, "_levels", ())
    value = t._value if type(t) is Batched else t
    n = len(levels)
    dim = dim if dim >= 0 else dim + value._data.ndim - n
    return batched(movedim(value, n + dim, n), (*levels, level))


def _run_sample_by_sample(cls: Any, args: Any, kwargs: Any, level: int) -> Any:
    size = active_vmaps.sizes[level]
    rows = []
    for i in range(size):
        given = [
            select_sample(a, level, i) if isinstance(a, Tensor) else a for a in args
        ]
        rows.append(flatten(cls.apply(*given, **kwargs)))
    columns = zip(*[leaves for leaves, _ in rows], strict=True)
    return unflatten([_hide_level(stack(c), 0, level) for c in columns], rows[0][1])


vmapped.run_function = run_function
