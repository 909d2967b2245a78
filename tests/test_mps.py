"""GPUs that are never there answer as in PyTorch without them."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)
ASKED = ("is_available", "device_count")
REFUSED = (
    "seed",
    "get_rng_state",
    "synchronize",
    "empty_cache",
    "current_allocated_memory",
    "driver_allocated_memory",
    "recommended_max_memory",
)
SEEDS = ("manual_seed",)


@programs.add
def answers(torch):
    module = torch.mps
    return [
        [getattr(module, name)() for name in ASKED],
        [attempt(getattr(module, name)) for name in REFUSED],
        [getattr(module, name)(0) for name in SEEDS],
    ]


test_answers = programs.test()
