"""Compare random numbers of a real GPU with PyTorch's on the same GPU, bit for bit.

    python tests/gpu/philox_check.py

It prints a line per distribution: the share of equal numbers, the largest relative
difference, and whether both generators have the same state afterwards.
"""

from __future__ import annotations

import sys

import numpy as np

import edutorch

SIZES = (1, 2, 3, 4, 5, 7, 100, 1000, 100_000, 3_000_000)
SEEDS = (0, 12345678901)
FLOATS = ("float32", "float64", "float16", "bfloat16")


def draws(lib):
    """The distributions by name: functions of a size."""

    def new(n, dtype="float32"):
        return lib.empty(n, device="cuda", dtype=getattr(lib, dtype))

    found = {}
    for name in FLOATS:
        dtype = getattr(lib, name)
        found[f"rand {name}"] = lambda n, d=dtype: lib.rand(n, device="cuda", dtype=d)
        found[f"randn {name}"] = lambda n, d=dtype: lib.randn(n, device="cuda", dtype=d)
        found[f"bernoulli_ {name}"] = lambda n, d=name: new(n, d).bernoulli_(0.3)
        found[f"dropout {name}"] = lambda n, d=dtype: lib.nn.functional.dropout(
            lib.ones(n, device="cuda", dtype=d), 0.3
        )
    return found | {
        "uniform_": lambda n: new(n).uniform_(-2, 3),
        "normal_": lambda n: new(n).normal_(1.5, 2.5),
        "exponential_": lambda n: new(n).exponential_(1.5),
        "exponential_ float64": lambda n: new(n, "float64").exponential_(1.5),
        "cauchy_": lambda n: new(n).cauchy_(),
        "log_normal_": lambda n: new(n).log_normal_(),
        "geometric_": lambda n: new(n).geometric_(0.3),
        "bernoulli_ int64": lambda n: new(n, "int64").bernoulli_(0.3),
        "bernoulli of a tensor": lambda n: lib.bernoulli(
            lib.full((n,), 0.3, device="cuda")
        ),
        "randint": lambda n: lib.randint(0, 10, (n,), device="cuda"),
        "randint wide": lambda n: lib.randint(0, 2**40, (n,), device="cuda"),
        "randint int32": lambda n: lib.randint(
            -5, 2**30, (n,), device="cuda", dtype=lib.int32
        ),
        "random_ int64": lambda n: new(n, "int64").random_(),
        "random_ float32": lambda n: new(n).random_(),
        "randperm": lambda n: lib.randperm(n, device="cuda"),
        "multinomial": lambda n: lib.multinomial(
            lib.arange(1.0, min(n, 1000) + 1, device="cuda"), min(n, 3)
        ),
        "dropout2d": lambda n: lib.nn.functional.dropout2d(
            lib.ones(1, n, 2, 2, device="cuda"), 0.3
        ),
        "rand of channels last": lambda n: lib.rand_like(
            lib.empty(2, 3, 4, 5, device="cuda").to(memory_format=lib.channels_last)
        ),
    }


def numbers(tensor):
    """A tensor as float64 on the host."""
    return tensor.detach().double().cpu().numpy()


def compare(ours, theirs, n, seed):
    """Share of equal numbers, largest difference, same place afterwards."""
    results = []
    for lib, draw in ours, theirs:
        lib.cuda.manual_seed(seed)
        results.append((numbers(draw(n)), numbers(lib.rand(3, device="cuda"))))
    (a, after_a), (b, after_b) = results
    scale = np.maximum(np.abs(b), 1e-30)
    gap = np.nan_to_num(np.abs(a - b) / scale)
    return (a == b).mean(), gap.max(initial=0.0), np.array_equal(after_a, after_b)


def main():
    import torch

    theirs = draws(torch)
    for name, draw in draws(edutorch).items():
        try:
            found = [
                compare((edutorch, draw), (torch, theirs[name]), n, seed)
                for n in SIZES
                for seed in SEEDS
                if not (name == "dropout2d" and n > 1000)
            ]
        except Exception as error:
            print(f"{name:24} FAILED {type(error).__name__}: {str(error)[:150]}")
            continue
        equal, gaps, places = zip(*found, strict=True)
        verdict = "equal" if min(equal) == 1 and all(places) else "DIFFERS"
        print(
            f"{name:24} {verdict:8} equal {min(equal):8.4%}, largest difference "
            f"{max(gaps):.1e}, same place {all(places)}"
        )


if __name__ == "__main__":
    sys.exit(main())
