"""Recomputation for `use_reentrant=False`; the random numbers of both kinds."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .. import devices
from ..amp.state import AutocastState
from ..autograd.graph import saved_tensors_hooks
from ..autograd.modes import enable_grad, is_grad_enabled, modes
from ..autograd.op_errors import refuse_inference
from ..autograd.saved_tensor_hooks import PackedTensor, pack
from ..random.generator import fork_rng, generator_for, get_rng_state, set_rng_state
from ..tensor.tensor import Tensor

__all__ = [
    "CheckpointError",
    "RngStates",
    "CheckpointFrame",
    "GraphExecGroup",
    "get_device_states",
    "set_device_states",
]


class CheckpointError(RuntimeError):
    """The error if recomputation does not reproduce the forward pass."""


class _AllRecomputed(Exception):  # noqa: N818 (it is not an error)
    """Raised when everything that backward needs has been recomputed."""


class _Placeholder:
    """Stands for a saved tensor until it is recomputed."""


class _CurrentGroup(threading.local):
    current: Any = None


_group = _CurrentGroup()


class GraphExecGroup:
    """A block in which backward passes recompute a checkpointed function only once.

    No saved value may be needed twice.

    Raises:
        RuntimeError: inside another one.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.utils.checkpoint import GraphExecGroup, checkpoint
        >>> x = torch.ones(2, requires_grad=True)
        >>> run = lambda x: (x.exp(), x.sin())
        >>> a, b = checkpoint(run, x, use_reentrant=False)
        >>> with GraphExecGroup():  # `run` runs once more, not twice
        ...     a.sum().backward()
        ...     b.sum().backward()
    """

    def __enter__(self) -> GraphExecGroup:
        if _group.current is not None:
            raise RuntimeError(
                "GraphExecGroup contexts cannot be nested. Already inside group "
                f"{_group.current}"
            )
        _group.current = self
        return self

    def __exit__(self, *exception: object) -> None:
        _group.current = None


class CheckpointFrame:
    """One call of a checkpointed function, with what is needed to repeat it."""

    check = True
    debug = False

    def __init__(
        self, function: Any, args: Any, kwargs: Any, preserve: bool, stop: bool
    ) -> None:
        self.function, self.stop = function, stop
        # Inside another checkpoint, inputs are saved as that one wants it.
        self.args = [_pack_input(a) for a in args]
        self.kwargs = {k: _pack_input(a) for k, a in kwargs.items()}
        self.first_inputs: Any = args, kwargs  # until the forward has used them
        self.rng_states = RngStates(args) if preserve else None
        self.autocast = AutocastState()
        self.placeholders: list[weakref.ref[_Placeholder]] = []
        self.metadata: list[dict[str, Any]] = []
        self.recomputed: weakref.WeakKeyDictionary[Any, dict[int, Any]] = (
            weakref.WeakKeyDictionary()
        )

    def run(self, context_fn: Callable[[], tuple[Any, Any]]) -> Any:
        """The forward: the function runs with placeholders for what it saves."""
        forward_context, self.recompute_context = context_fn()
        (args, kwargs), self.first_inputs = self.first_inputs, None
        hooks: Any = contextlib.nullcontext()  # nothing is saved
        if is_grad_enabled():
            refuse_inference((*args, *kwargs.values()))  # they are kept for backward
            hooks = saved_tensors_hooks(self._pack, self._unpack)
        with hooks, forward_context:
            return self.function(*args, **kwargs)

    def _pack(self, t: Tensor) -> tuple[int, _Placeholder]:
        placeholder = _Placeholder()
        self.metadata.append(_metadata(t))
        self.placeholders.append(weakref.ref(placeholder))
        return len(self.placeholders) - 1, placeholder

    def _unpack(self, packed: tuple[int, _Placeholder]) -> Tensor:
        """The tensor behind a placeholder, recomputed once in each backward.

        Outside of backward, each access recomputes.
        """
        task = _group.current or modes.task or self
        if task not in self.recomputed:
            self.recomputed[task] = self._compute()
            if len(self.recomputed[task]) < len(self.placeholders):
                raise CheckpointError(
                    "torch.utils.checkpoint: A different number of tensors was saved "
                    "during the original forward and recomputation.\nNumber of tensors "
                    f"saved during forward: {len(self.placeholders)}\n"
                    "Number of tensors saved during recomputation: "
                    f"{len(self.recomputed[task])}." + self._details(task)
                )
            self._compare(task)
        found: Tensor | None = self.recomputed[task][packed[0]]
        if found is None:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that "
                "was either never recomputed, or already unpacked once. If you are "
                "calling ctx.saved_tensors in backward, make sure to do so only once. "
                "Otherwise please open an issue with details on your use case."
            )
        if task is self:
            del self.recomputed[task]
        elif modes.task is not None and not modes.task.retain:
            self.recomputed[task][packed[0]] = None
        return found

    def _compute(self) -> dict[int, Any]:
        """Run the function again; returns the values it saves, in order."""
        values: dict[int, Any] = {}

        def keep(t: Tensor) -> Tensor:
            i = len(values)
            if i >= len(self.placeholders):
                raise CheckpointError(
                    "torch.utils.checkpoint: trying to save more tensors during "
                    "recomputation than during the original forward pass."
                )
            values[i] = t.detach()
            if self.stop and len(values) == len(self.placeholders):
                raise _AllRecomputed
            return values[i]

        args = [_unpack_input(a) for a in self.args]
        kwargs = {k: _unpack_input(a) for k, a in self.kwargs.items()}
        hooks = saved_tensors_hooks(keep, lambda t: t)
        rng = self.rng_states.replay() if self.rng_states else contextlib.nullcontext()
        all_recomputed = contextlib.suppress(_AllRecomputed)
        with (
            all_recomputed, enable_grad(), rng, hooks, self.autocast,
            self.recompute_context,
        ):  # fmt: skip
            self.function(*args, **kwargs)
        return values

    def _compare(self, task: Any) -> None:
        if not self.check:
            return
        different = "".join(
            f"tensor at position {i}:\nsaved metadata: {before}\n"
            f"recomputed metadata: {_metadata(self.recomputed[task][i])}\n"
            for i, before in enumerate(self.metadata)
            if _metadata(self.recomputed[task][i]) != before
        )
        if different:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors "
                "have different metadata than during the forward pass.\n"
                f"{different}." + self._details(task)
            )

    def _details(self, task: Any) -> str:
        if not self.debug:
            return "\n\nTip: pass `debug=True` to checkpoint(...) for more."
        recomputed = [_metadata(t) for t in self.recomputed[task].values()]
        return f"\n\nsaved in forward: {self.metadata}\nsaved this time: {recomputed}"


def _pack_input(value: Any) -> Any:
    """An input, as the hooks of a checkpoint around this one keep it."""
    if not (modes.saved_hooks and isinstance(value, Tensor)):
        return value
    return pack(value, (value.grad_fn or value) if value._requires_grad else None)


def _unpack_input(value: Any) -> Any:
    """Restore an input, unpacking one that another checkpoint had packed."""
    if type(value) is not PackedTensor:
        return value
    t = value.unpacked().detach()
    return t.requires_grad_() if value.edge is not None else t


def _metadata(t: Tensor) -> dict[str, Any]:
    return {"shape": t.shape, "dtype": t.dtype, "device": t.device}


# ---- random numbers


class RngStates:
    """The states of the random streams when a function first ran."""

    def __init__(self, args: Iterable[Any]) -> None:
        self.cpu = get_rng_state()
        self.numbers, self.states = get_device_states(*args)

    @contextlib.contextmanager
    def replay(self) -> Iterator[None]:
        """Draw the same numbers again; afterwards the streams continue as before."""
        with fork_rng(self.numbers):
            set_rng_state(self.cpu)
            set_device_states(self.numbers, self.states)
            yield


def _cuda_devices(numbers: list[int]) -> list[devices.device]:
    return [devices.to_device(f"cuda:{i}") for i in numbers]


def get_device_states(*args: Any) -> tuple[list[int], list[Any]]:
    """The GPUs of the tensors among the arguments, and their random states.

    Example:
        >>> get_device_states(1)
        ([], [])
    """
    found = {a if isinstance(a, devices.device) else getattr(a, "_device", None)
             for a in args}  # fmt: skip
    numbers = sorted({d.index or 0 for d in found if d is not None and d.type != "cpu"})
    return numbers, [generator_for(d).get_state() for d in _cuda_devices(numbers)]


def set_device_states(
    devices: list[int], states: list[Any], *, device_type: str | None = None
) -> None:
    """Let the generators of these GPUs continue from their states.

    Example:
        >>> set_device_states([], [])
    """
    for device, state in zip(_cuda_devices(devices), states, strict=True):
        generator_for(device).set_state(state)
