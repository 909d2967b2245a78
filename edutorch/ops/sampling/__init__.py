"""Random tensors, with PyTorch's numbers for the same seed.

- `creation.py`: rand, randn, randint, randperm. `inplace.py`: normal_, uniform_ ...
- `samples.py`: bernoulli, multinomial, normal, poisson. `binomial.py`, `gamma.py`.
- `draw.py`, `distributions.py`: the ops behind them. `state.py`: states as tensors.

`edutorch/random` generates the numbers; `edutorch/random/generator.py` has
`manual_seed`.
"""

from .binomial import binomial
from .creation import (
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
)
from .inplace import *  # attaches the methods that fill a tensor
from .samples import bernoulli, multinomial, normal, poisson
from .state import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__all__ = [
    "Generator", "bernoulli", "binomial", "default_generator", "get_rng_state",
    "initial_seed", "manual_seed", "multinomial", "normal", "poisson", "rand",
    "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm", "seed",
    "set_rng_state",
]  # fmt: skip
