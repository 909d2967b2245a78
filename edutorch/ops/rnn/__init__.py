"""Recurrent cells and layers: simple RNN, LSTM and GRU.

- `unrolled.py`: the layers step by step in ops, used in plain mode. Read this first.
- `recurrence.py`: one layer in one direction as one fast op: the loop over time.
  `double_backward.py`: its second derivatives, computed by the unrolled form.
- `gates.py`: the gates of one step as an op, for `unrolled.py` and `cells.py`. The
  equations that both use are in `edutorch/kernels/rnn_gates.py`.
- `layers.py`: `lstm`, `gru`, `rnn_tanh`: layers and directions. `arguments.py`: their
  arguments, grouped by layer. `cells.py`: `lstm_cell` ...
- `packing.py`: padded and packed batches.
"""

from .cells import *
from .cells import __all__ as _cells
from .layers import *
from .layers import __all__ as _layers

__all__ = [*_cells, *_layers]
