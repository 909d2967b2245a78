"""Activations, with the signatures of `nn.functional`.

- `rectifiers.py`: relu, leaky_relu, hardtanh ... `smooth.py`: elu, gelu, softplus ...
- `hard_and_shrink.py`: hardswish, hardsigmoid, softshrink ...
- `parametric_and_gated.py`: prelu, rrelu, glu.
- `softmax.py`: softmax, log_softmax, softmin, gumbel_softmax with an optional `dim`;
  the ops and their gradients are in `ops/softmax.py`.
- `floating_only.py`: rejects integers.
"""

from . import hard_and_shrink, parametric_and_gated, rectifiers, smooth
from .hard_and_shrink import *
from .parametric_and_gated import *
from .rectifiers import *
from .smooth import *

__all__ = (
    parametric_and_gated.__all__
    + rectifiers.__all__
    + hard_and_shrink.__all__
    + smooth.__all__
)
