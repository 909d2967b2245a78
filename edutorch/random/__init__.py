"""Random numbers: the generator, and the streams that PyTorch draws from it.

The same seed gives PyTorch's numbers. PyTorch's CPU generator is MT19937, which NumPy
has, too; the streams agree because the generator's 32-bit words are used in the same
way:

- a float32 in [0, 1) is the low 24 bits of one word, a float64 the low 53 bits of
  two words, the first of them being the upper half;
- normals are made by Box-Muller (`edutorch/kernels/box_muller.py`): in pairs, or from
  16 numbers on in blocks; see `continuous.normal`;
- an integer below n is a word modulo n, or two words from n = 2**28 on;
- Bernoulli trials, waiting times and the like start from a float64.

The functions fill NumPy arrays; `edutorch.ops.sampling` makes tensors of them.

- `generator.py`: `Generator`, the default one; `manual_seed`, for all devices.
- `continuous.py`: uniform, normal and others. `discrete.py`: integers, permutations,
  Bernoulli trials, dropout masks.
- `binomial.py`, `gamma.py`: distributions that need rejection sampling.

Real GPUs use a different generator, as in PyTorch:

- `gpu_generator.py`: its seed and counter. `philox.py`: the numbers, in NumPy.
"""

from . import gpu_generator as _gpu_generator  # noqa: F401 (registers its class)
from .generator import (
    Generator,
    default_generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

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
