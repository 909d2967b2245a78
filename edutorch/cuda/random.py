"""The generators of GPUs: one for each, separate from the CPU's.

A real GPU of PyTorch has a generator of another kind, so its numbers differ; here
every device has PyTorch's CPU generator, which a simulated and a real GPU share.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..devices import device as Device
from ..devices import to_device
from ..random.generator import Generator, generator_for
from .setup import device_count

__all__ = [
    "get_rng_state", "get_rng_state_all", "initial_seed",
    "manual_seed", "manual_seed_all", "seed", "seed_all", "set_rng_state",
    "set_rng_state_all",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The generators of all GPUs, as many as there are now."""
    if name == "default_generators":
        return tuple(_generators())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _generators() -> list[Generator]:
    return [generator_for(Device("cuda", i)) for i in range(device_count())]


def _generator(device: Any) -> Generator:
    return generator_for(to_device(device))


def manual_seed(seed: int) -> None:
    """Start the stream of the current GPU; without GPUs nothing happens.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.manual_seed(7)
    """
    if device_count():
        _generator("cuda").manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Start the streams of all GPUs; without GPUs nothing happens.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.manual_seed_all(7)
    """
    for generator in _generators():
        generator.manual_seed(int(seed))


def seed() -> None:
    """Start the current GPU on an unpredictable stream.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.seed()
    """
    if device_count():
        _generator("cuda").seed()


def seed_all() -> None:
    """Start every GPU on the same unpredictable stream.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.seed_all()
        ...     a, b = (g.initial_seed() for g in torch.cuda.default_generators)
        ...     a == b
        True
    """
    generators = _generators()
    if generators:
        seed = generators[0].seed()
        for generator in generators[1:]:
            generator.manual_seed(seed)


def initial_seed() -> int:
    """The seed that started the current GPU's stream.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.manual_seed(7)
        ...     torch.cuda.initial_seed()
        7
    """
    return _generator("cuda").initial_seed()


def get_rng_state(device: Any = "cuda") -> Any:
    """The state of a GPU's generator, as a tensor of bytes.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     state = torch.cuda.get_rng_state()
        ...     a = torch.rand(1, device="cuda")
        ...     torch.cuda.set_rng_state(state)
        ...     (torch.rand(1, device="cuda") == a).item()  # again the same number
        True
    """
    return _generator(device).get_state()


def set_rng_state(new_state: Any, device: Any = "cuda") -> None:
    """Let a GPU's generator continue from a state of `get_rng_state`.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.set_rng_state(torch.cuda.get_rng_state())
    """
    _generator(device).set_state(new_state)


def get_rng_state_all() -> list[Any]:
    """The states of all GPUs' generators.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=3):
        ...     len(torch.cuda.get_rng_state_all())
        3
    """
    return [generator.get_state() for generator in _generators()]


def set_rng_state_all(new_states: Iterable[Any]) -> None:
    """Let all GPUs' generators continue from states of `get_rng_state_all`.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.set_rng_state_all(torch.cuda.get_rng_state_all())
    """
    for index, state in enumerate(new_states):
        set_rng_state(state, index)
