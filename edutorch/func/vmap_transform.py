"""`vmap`: applies a function of one sample to all samples of a batch at once."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..autograd.active_transforms import running
from ..autograd.batched_tensor import (
    Batched,
    active_vmaps,
    batched,
    forbid_fallback,
)
from ..autograd.modes import count_special_mode
from ..ops.shape import cat, movedim, stack
from ..random import generator as random
from ..tensor.pytree import broadcast, flatten, format_spec, unflatten
from ..tensor.tensor import Tensor
from . import (  # noqa: F401 (they register themselves)
    batching_rules,
    conv_rules,
    gradient_rules,
    index_rules,
    vmap_in_place,
)
from .batched_dispatch import expand_to_levels

__all__ = ["randomness_mode", "current_randomness", "vmap"]

RANDOM = "error", "different", "same"


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """A function that applies `func`, written for one sample, to a whole batch.

    Math: result[i] = func(x[i], ...) for each i
    Shape: the batch's dimension of each input is `in_dims`, of each output `out_dims`

    Common ops run on the batch at once, others sample by sample; what needs the values
    of a sample (a mask as index, random numbers that differ) runs the whole function
    sample by sample.

    Args:
        in_dims: for each input (containers as `func` has them) a dimension, or None
            for what all samples share.
        out_dims: for each output, where the batch goes.
        randomness: "error" refuses random numbers, "different" draws for each sample,
            "same" once for all.
        chunk_size: the number of samples computed at a time; None for all.

    Raises:
        ValueError: for dimensions that do not fit the inputs, or different batches.
        RuntimeError: for `.item()` and branches on values, and refused randomness.

    Example:
        >>> import edutorch as torch
        >>> torch.vmap(torch.dot)(torch.ones(2, 3), torch.ones(2, 3))
        tensor([3., 3.])
    """
    if randomness not in RANDOM:
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. "
            f"Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(
            f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})"
        )

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        batch = _Batch(func, in_dims, out_dims, randomness, args, kwargs)
        if chunk_size is None or chunk_size >= batch.size:
            return batch.run()
        return batch.run_in_chunks(chunk_size)

    return mapped


class _Batch:
    """One call of a mapped function: its inputs, with their batch dimensions."""

    def __init__(
        self,
        func: Any,
        in_dims: Any,
        out_dims: Any,
        randomness: str,
        args: Any,
        kwargs: Any,
    ) -> None:
        self.func, self.out_dims, self.randomness = func, out_dims, randomness
        self.name = getattr(func, "__name__", repr(func))
        if not isinstance(in_dims, (int, tuple, list)):
            raise ValueError(
                f"vmap({self.name}, in_dims={in_dims}, ...)(<inputs>): expected "
                "`in_dims` to be int or a (potentially nested) tuple matching the "
                f"structure of inputs, got: {type(in_dims)}."
            )
        if not args:
            raise ValueError(
                f"vmap({self.name})(<inputs>): got no inputs. Maybe you forgot to add "
                "inputs, or you are trying to vmap over a function with no inputs. The "
                "latter is unsupported."
            )
        self.leaves, self.structure = flatten((args, kwargs))
        prefix = tuple(in_dims) if isinstance(in_dims, list) else in_dims
        of_args = broadcast(prefix, args)
        if of_args is None:
            raise ValueError(
                f"vmap({self.name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not "
                "compatible with the structure of `inputs`. in_dims has structure "
                f"{_spec_of(in_dims)} but inputs has structure {_spec_of(args)}."
            )
        dims = of_args + [None] * len(flatten(kwargs)[0])  # these are shared
        self.dims = [
            self._dim(d, v, in_dims) for d, v in zip(dims, self.leaves, strict=False)
        ]
        self.size = self._size()

    def _dim(self, dim: Any, value: Any, in_dims: Any) -> int | None:
        where = f"vmap({self.name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim}"
        if dim is None:
            return None
        if not isinstance(dim, int):
            raise ValueError(
                f"{where} for an input but in_dim must be either an integer dimension "
                "or None."
            )
        if not isinstance(value, Tensor):
            raise ValueError(
                f"{where} for an input but the input is of type {type(value)}. We "
                "cannot vmap over non-Tensor arguments, please use None as the "
                "respective in_dim"
            )
        n = value._data.ndim
        if not -n <= dim < n:
            raise ValueError(
                f"{where} for some input, but that input is a Tensor of dimensionality "
                f"{n} so expected in_dim to satisfy -{n} <= in_dim < {n}."
            )
        found: int | None = dim % n
        return found

    def _size(self) -> int:
        sizes = [
            v._data.shape[d]
            for v, d in zip(self.leaves, self.dims, strict=True)
            if d is not None
        ]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped "
                f"dimension, got sizes {sizes} for the mapped dimension"
            )
        return int(sizes[0])

    # ---- running

    def run(self) -> Any:
        """Run the function on the batch, or sample by sample where that fails."""
        state = random.get_rng_state() if self.randomness != "error" else None
        try:
            return self._run_batched()
        except Exception as error:
            if getattr(error, "in_vmap", False) or not self.size:
                raise
            if state is not None:
                random.set_rng_state(state)
            return self._run_sample_by_sample(state)

    def run_in_chunks(self, chunk: int) -> Any:
        """Run the function on `chunk` samples at a time."""
        pieces = []
        for start in range(0, self.size, chunk):
            part = self._chunk(start, min(start + chunk, self.size))
            pieces.append(flatten(part.run()))
        structure = pieces[0][1]
        dims = broadcast(self.out_dims, unflatten(pieces[0][0], structure)) or []
        columns = zip(*[leaves for leaves, _ in pieces], strict=True)
        return unflatten(
            [
                column[0] if d is None else cat(column, d)
                for column, d in zip(columns, dims, strict=True)
            ],
            structure,
        )

    def _chunk(self, start: int, stop: int) -> _Batch:
        part = object.__new__(_Batch)
        part.__dict__.update(self.__dict__)
        part.size = stop - start
        part.leaves = [
            v if d is None else v.narrow(d, start, stop - start)
            for v, d in zip(self.leaves, self.dims, strict=True)
        ]
        return part

    def _run_batched(self) -> Any:
        with _vmap_level(self.size, self.randomness) as level:
            given = [
                v if d is None else _add_batch_dim(v, d, level)
                for v, d in zip(self.leaves, self.dims, strict=True)
            ]
            args, kwargs = unflatten(given, self.structure)
            leaves, structure, dims = self._outputs(self.func(*args, **kwargs))
            out = [
                _remove_batch_dim(self.name, t, d, level)
                for t, d in zip(leaves, dims, strict=True)
            ]
        return unflatten(out, structure)

    def _outputs(self, result: Any) -> tuple[list[Any], Any, list[Any]]:
        leaves, structure = flatten(result)
        for leaf in leaves:
            if not isinstance(leaf, Tensor):
                raise forbid_fallback(
                    ValueError(
                        f"vmap({self.name}, ...): `{self.name}` must only return "
                        f"Tensors, got type {type(leaf)}. Did you mean to set "
                        "out_dims= to None for output?"
                    )
                )
        prefix = self.out_dims
        if isinstance(prefix, (tuple, list)) and isinstance(result, Tensor):
            prefix = prefix[0] if len(prefix) == 1 else prefix
        if isinstance(prefix, (tuple, list)) and isinstance(result, (tuple, list)):
            prefix = type(result)(prefix) if type(result) in (tuple, list) else prefix
        dims = broadcast(prefix, result)
        if dims is None:
            raise forbid_fallback(
                ValueError(
                    f"vmap({self.name}, ..., out_dims={self.out_dims})(<inputs>): "
                    "out_dims is not compatible with the structure of `outputs`. "
                    f"out_dims has structure {_spec_of(self.out_dims)} but outputs has "
                    f"structure {_spec_of(result)}."
                )
            )
        return leaves, structure, dims

    def _run_sample_by_sample(self, state: Any) -> Any:
        """The function on each sample in turn, and the results stacked."""
        rows = []
        for i in range(self.size):
            if self.randomness == "same" and state is not None:
                random.set_rng_state(state)
            given = [
                v if d is None else v.select(d, i)
                for v, d in zip(self.leaves, self.dims, strict=True)
            ]
            args, kwargs = unflatten(given, self.structure)
            with randomness_mode(self.randomness, single=True):
                result = self.func(*args, **kwargs)
            rows.append(self._outputs(result))
        _, structure, dims = rows[0]
        columns = zip(*[leaves for leaves, _, _ in rows], strict=True)
        out = [
            column[0] if d is None else stack(column, d)
            for column, d in zip(columns, dims, strict=True)
        ]
        return unflatten(out, structure)


def _add_batch_dim(t: Tensor, dim: int, level: int) -> Tensor:
    """One sample of a tensor: its dimension `dim` is hidden at a new level."""
    if type(t) is not Batched:
        return batched(movedim(t, dim, 0) if dim else t, (level,))
    own = len(t._levels)
    value = movedim(t._value, own + dim, own)
    return batched(value, (*t._levels, level))


def _remove_batch_dim(name: str, t: Tensor, dim: int | None, level: int) -> Tensor:
    """Make the batch dimension visible; values shared by all samples are expanded."""
    differs = type(t) is Batched and level in t._levels  # from sample to sample
    if dim is None:
        if differs:
            raise forbid_fallback(
                ValueError(
                    f"vmap({name}, ...): `{name}` can not return a BatchedTensor when "
                    "out_dim is None"
                )
            )
        return t
    outer = tuple(x for x in getattr(t, "_levels", ()) if x != level)
    value = expand_to_levels(t, (*outer, level))
    n = value._data.ndim - len(outer)
    if not -n <= dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but "
            f"got {dim})"
        )
    own = len(outer)
    return batched(movedim(value, own, own + dim % n) if dim % n else value, outer)


def _spec_of(tree: Any) -> str:
    return format_spec(flatten(tree)[1])


# ---- levels, random numbers


@contextmanager
def _vmap_level(size: int, randomness: str) -> Iterator[int]:
    level = max(active_vmaps.sizes, default=0) + 1
    active_vmaps.sizes[level] = size
    count_special_mode(1)
    try:
        with randomness_mode(randomness), running(level):
            yield level
    finally:
        count_special_mode(-1)
        del active_vmaps.sizes[level]


class _Randomness(threading.local):
    modes: tuple[str, ...] = ()


_randomness = _Randomness()


@contextmanager
def randomness_mode(randomness: str, single: bool = False) -> Iterator[None]:
    """Set the randomness mode within a block."""
    before = _randomness.modes
    single = single and randomness != "error"
    _randomness.modes = (*before, "single" if single else randomness)
    random.before_draw = _check_randomness
    try:
        yield
    finally:
        _randomness.modes = before


def current_randomness() -> str:
    """The randomness mode of the innermost vmap."""
    return _randomness.modes[-1]


def _check_randomness() -> None:
    """Called before random numbers are drawn: refuse, or run sample by sample.

    Raises:
        RuntimeError: in "error" mode.
    """
    if "error" in _randomness.modes:
        raise forbid_fallback(
            RuntimeError(
                "vmap: called random operation while in randomness error mode. Please "
                "either use the 'same' or 'different' randomness flags on vmap or "
                "perform the randomness operation out of vmap"
            )
        )
    if "different" in _randomness.modes:
        raise RuntimeError("vmap: each sample draws its own numbers")
