"""GPUs that are never there answer as in PyTorch without them."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)
QUERIES = (
    "is_available",
    "is_initialized",
    "is_bf16_supported",
    "device_count",
    "memory_allocated",
    "empty_cache",
)
REFUSED = ("current_device", "get_device_name", "synchronize")
SEEDS = ("manual_seed", "manual_seed_all")


@programs.add
def answers(torch):
    module = torch.xpu
    return [
        [getattr(module, name)() for name in QUERIES],
        [attempt(getattr(module, name)) for name in REFUSED],
        [getattr(module, name)(0) for name in SEEDS],
    ]


test_answers = programs.test()
