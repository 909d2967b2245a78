"""Optimizers: rules that update parameters using their gradients.

Begin with `optimizer.py`, then `sgd.py`, then `adam.py`.

- `optimizer.py`: groups, `step`, hooks. `state_dict.py`: saving and loading the state.
- `rule_helpers.py`: shared by the rules: checks of settings, step counts, weight decay
  (that of Adam and SGD is in their kernels, see below).
- `implementation_checks.py`: what `foreach`, `fused` and `capturable` refuse.
- one rule per file: `sgd.py`, `adam.py` (and AdamW), `adadelta.py`, `adafactor.py`,
  `adagrad.py`, `adamax.py`, `asgd.py`, `lbfgs.py`, `muon.py`, `nadam.py`, `radam.py`,
  `rmsprop.py`, `rprop.py`, `sparse_adam.py`; `line_search.py` is for L-BFGS
- `lr_scheduler/`: schedules of the learning rate. `swa_utils.py`: averages of weights.
- `zero_redundancy_optimizer.py`: state distributed over processes.
- `post_local_sgd_optimizer.py`: averages the model over processes every few steps.
- `swap_state.py`: runs an optimizer on other parameters temporarily. `step_counter.py`:
  the end of a training step, if several optimizers alternate.

The arithmetic of Adam and SGD is in `edutorch/kernels/plain/optim.py`; faster versions
are in `edutorch/kernels/optim.py` (in blocks) and `edutorch/kernels/fast/optim.py`
(compiled).
"""

from . import lr_scheduler, swa_utils
from .adadelta import Adadelta
from .adafactor import Adafactor
from .adagrad import Adagrad
from .adam import Adam, AdamW
from .adamax import Adamax
from .asgd import ASGD
from .lbfgs import LBFGS
from .muon import Muon
from .nadam import NAdam
from .optimizer import Optimizer
from .radam import RAdam
from .rmsprop import RMSprop
from .rprop import Rprop
from .sgd import SGD
from .sparse_adam import SparseAdam
from .swap_state import swap_in_optimizer_params_and_state

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW",
    "Adamax", "Muon", "NAdam", "Optimizer", "RAdam", "RMSprop", "Rprop", "SparseAdam",
    "lr_scheduler", "swa_utils", "swap_in_optimizer_params_and_state",
]  # fmt: skip
