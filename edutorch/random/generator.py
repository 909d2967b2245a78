"""The generator: MT19937 with PyTorch's seeding and state, and the default one.

Reference: Matsumoto and Nishimura, 1998.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from .. import devices
from ..backends import gpus

__all__ = [
    "Generator",
    "default_generator",
    "manual_seed",
    "seed",
    "initial_seed",
    "get_rng_state",
    "set_rng_state",
    "fork_rng",
]

FIRST_SEED = 67280421310721  # PyTorch's seed for generators that were given none
WORDS = 624  # of MT19937's state
MANY = 4096  # numbers
STATE_BYTES = 5056

# Memory layout of PyTorch's generator state. `left` counts the words of the block
# that are not used yet, plus one; `next` is the position of the first of them.
_STATE = np.dtype(
    [
        ("seed", "<u8"),
        ("left", "<i4"),
        ("seeded", "<i4"),
        ("next", "<u8"),
        ("words", "<u8", WORDS),
        ("normal_x", "<f8"),
        ("normal", "<f8"),
        ("normal_rho", "<f8"),
        ("has_normal", "<i4"),
        ("padding", "<i4"),
        ("normal_float", "<f4"),
        ("has_normal_float", "<i4"),
    ]
)


class Generator:
    """A source of random numbers with PyTorch's streams.

    Args:
        device: the device whose tensors it fills.

    Example:
        >>> import edutorch as torch
        >>> g = torch.Generator().manual_seed(7)
        >>> torch.rand(2, generator=g)
        tensor([0.5349, 0.1988])
    """

    # How a state is handed out and taken in: as an array, until `ops` makes it a
    # tensor.
    _wrap_state: ClassVar[Any] = staticmethod(np.asarray)
    _unwrap_state: ClassVar[Any] = staticmethod(np.asarray)
    of_real_gpus: ClassVar[type[Generator] | None] = None  # set by its file
    on_gpu: ClassVar[bool] = False  # whether it fills arrays of a GPU by itself

    @property
    def gpu(self) -> Any:
        """This generator, whose class has the distributions that a GPU draws."""
        return self

    def __new__(cls, device: Any = "cpu") -> Generator:
        return object.__new__(_kind(devices.to_device(device)) or cls)

    def __init__(self, device: Any = "cpu") -> None:
        self.device = devices.to_device(device)
        self._bits = np.random.MT19937(0)
        self._seeder = np.random.RandomState(self._bits)  # MT19937's first seeding
        self._words = np.random.Generator(self._bits)
        self.manual_seed(FIRST_SEED)

    def manual_seed(self, seed: int) -> Generator:
        """Restart the stream from `seed`; return the generator.

        Args:
            seed: from -2**63 to 2**64 - 1; 2**64 is added to negative ones.

        Raises:
            RuntimeError: if the seed is not an integer.
            ValueError: if it is out of range.
        """
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise RuntimeError(
                f"manual_seed expected a long, but got {type(seed).__name__}"
            )
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % 2**64
        self._seeder.seed(self._seed % 2**32)
        self._fresh = True  # nothing drawn since seeding: PyTorch's `next` is 0 then
        self._normal: float | None = (
            None  # the second of a pair, saved for the next draw
        )
        return self

    def seed(self) -> int:
        """Seed from the operating system's entropy; return the seed."""
        chosen = int.from_bytes(os.urandom(8), "little")
        self.manual_seed(chosen)
        return chosen

    def initial_seed(self) -> int:
        """The seed that started this stream."""
        return self._seed

    def __reduce__(self) -> Any:
        return type(self), (self.device,), (self._seed, None, self.get_state())

    def __setstate__(self, state: tuple[int, Any, Any]) -> None:
        self.set_state(state[2])

    def get_state(self) -> Any:
        """The state as 5056 bytes, which PyTorch's CPU generator reads too."""
        state = np.zeros((), _STATE)
        inner = self._bits.state["state"]
        position = int(inner["pos"])
        state["seed"] = self._seed
        state["left"] = WORDS + 1 - position
        state["seeded"] = 1
        state["next"] = 0 if self._fresh else position
        state["words"] = inner["key"]
        if self._normal is not None:
            state["normal"], state["has_normal"] = self._normal, 1
        return self._wrap_state(np.frombuffer(state.tobytes(), np.uint8).copy())

    def set_state(self, new_state: Any) -> None:
        """Restore a state returned by `get_state`.

        Raises:
            TypeError: if it is not made of bytes.
            RuntimeError: if it is not the state of such a generator.
        """
        array = self._unwrap_state(new_state)
        if array.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if array.size != STATE_BYTES:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE_BYTES} but found the "
                f"input RNG state size to be {array.size}"
            )
        state = np.frombuffer(array.tobytes(), _STATE)[0]
        left, position = int(state["left"]), int(state["next"])
        if state["seeded"] != 1 or not 0 < left <= WORDS or position > WORDS:
            raise RuntimeError("Invalid mt19937 state")
        self._seed = int(state["seed"])
        self._fresh = left == 1 and position == 0
        key = state["words"].astype(np.uint32)
        inner = {"key": key, "pos": WORDS if left == 1 else position}
        full: Any = {"bit_generator": "MT19937", "state": inner}
        self._bits.state = full
        self._normal = float(state["normal"]) if state["has_normal"] else None

    def clone_state(self) -> Generator:
        """An independent generator with the same state."""
        clone = Generator(self.device)
        clone.set_state(self.get_state())
        return clone

    def words(self, n: int) -> Any:
        """The next n words of 32 bits, in an array of uint64."""
        self._fresh = self._fresh and n == 0
        return self._bits.random_raw(n)

    def long_words(self, n: int) -> Any:
        """The next n words of 64 bits, each made of two."""
        pairs = self.words(2 * n)
        return (pairs[0::2] << np.uint64(32)) | pairs[1::2]

    def doubles(self, n: int) -> Any:
        """The next n float64 in [0, 1), multiples of 2**-53."""
        return (self.long_words(n) & np.uint64(2**53 - 1)) * 2.0**-53

    def singles(self, n: int) -> Any:
        """The next n float32 in [0, 1), multiples of 2**-24."""
        if n < MANY:
            words = self.words(n).astype(np.uint32)
        else:  # of half the bytes, but slow to start
            self._fresh = False
            words = self._words.integers(2**32, size=n, dtype=np.uint32)
        low_bits = words & np.uint32(2**24 - 1)
        u = low_bits.view(np.int32).astype(np.float32)  # faster than from uint32
        u *= np.float32(2.0**-24)
        return u

    def rewind(self, state: Any, n: int) -> None:
        """Go back to a `position`, then skip the n float64 that were used."""
        self._bits.state = state
        self.words(2 * n)

    def position(self) -> Any:
        """The position in the stream of words, for `rewind`."""
        return self._bits.state

    def take_normal(self) -> float | None:
        """Take the second normal of the last pair, if it has not been used."""
        cached, self._normal = self._normal, None
        return cached

    def keep_normal(self, value: float) -> None:
        """Keep the second normal of a pair for the next draw."""
        self._normal = value


def _kind(device: devices.device) -> type[Generator] | None:
    """The generator's class for a real GPU, None for other devices."""
    if device.type != "cuda":
        return None
    found = gpus.gpus()
    return None if found is None or found.simulated else Generator.of_real_gpus


default_generator = Generator()
_gpu_generators: dict[
    devices.device, Generator
] = {}  # those of the GPUs, created on first use
before_draw: Callable[[], None] | None = None  # called before numbers are drawn


def generator_for(device: devices.device, chosen: Generator | None = None) -> Generator:
    """The generator to draw from for a device: the chosen one, or the device's own.

    Raises:
        TypeError: if what was chosen is not a generator.
        RuntimeError: if it belongs to another type of device.
    """
    if before_draw is not None:
        before_draw()
    if chosen is None:
        if device is devices.CPU:
            return default_generator
        found = _gpu_generators.get(device)
        if found is None or type(found) is not (_kind(device) or Generator):
            found = _gpu_generators[device] = Generator(device)
            found.manual_seed(default_generator.initial_seed())
        return found
    if not isinstance(chosen, Generator):
        raise TypeError(
            f"argument 'generator' must be torch.Generator, not {type(chosen).__name__}"
        )
    if chosen.device.type != device.type:
        raise RuntimeError(
            f"Expected a '{device.type}' device type for generator but found "
            f"'{chosen.device.type}'"
        )
    return chosen


def manual_seed(seed: Any) -> Generator:
    """Restart the generators of all devices from `seed`; return the CPU's.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.rand(2)
        tensor([0.4963, 0.7682])
    """
    for generator in _gpu_generators.values():
        generator.manual_seed(int(seed))
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Seed the default generator from the system's entropy; return the seed.

    Example:
        >>> import edutorch as torch
        >>> torch.seed() >= 0
        True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that started the default generator's stream.

    Example:
        >>> import edutorch as torch
        >>> generator = torch.manual_seed(5)
        >>> torch.initial_seed()
        5
    """
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """The default generator's state, as a tensor of bytes.

    Example:
        >>> import edutorch as torch
        >>> state = torch.get_rng_state()
        >>> x = torch.rand(3)
        >>> torch.set_rng_state(state)
        >>> torch.equal(x, torch.rand(3))
        True
    """
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Restore a state of the default generator, from `get_rng_state`.

    Example:
        >>> import edutorch as torch
        >>> state = torch.get_rng_state()
        >>> torch.set_rng_state(state)
    """
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(
    devices: Any = None, enabled: bool = True, device_type: str = "cuda"
) -> Iterator[None]:
    """Restore the default generators of the CPU and of GPUs at the end of the block.

    Args:
        devices: the GPUs; by default all.
        enabled: False restores nothing.
        device_type: "cuda"; there are no generators of other accelerators.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> with torch.random.fork_rng():
        ...     _ = torch.rand(1000)
        >>> torch.rand(2)
        tensor([0.4963, 0.7682])
    """
    forked = [default_generator, *_generators_of_gpus(devices)] if enabled else []
    states = [generator.get_state() for generator in forked]
    try:
        yield
    finally:
        for generator, state in zip(forked, states, strict=True):
            generator.set_state(state)


def _generators_of_gpus(chosen: Any) -> list[Generator]:
    """The generators of GPUs, given as numbers or devices; of all GPUs for None."""
    if chosen is None:
        found = gpus.gpus()
        chosen = range(0 if found is None else len(found.allocators))
    places = [f"cuda:{d}" if isinstance(d, int) else d for d in chosen]
    return [generator_for(devices.to_device(place)) for place in places]


# NumPy's generators lock themselves while they draw. A process that is forked while
# another thread draws would find the lock taken for ever: forks wait for its end.
if hasattr(os, "register_at_fork"):
    _numpy: Any = np.random  # whose types do not name `get_bit_generator`
    for _locked in (default_generator._bits, _numpy.get_bit_generator()):
        _lock: Any = _locked.lock
        os.register_at_fork(
            before=_lock.acquire,
            after_in_parent=_lock.release,
            after_in_child=_lock.release,
        )
