"""Kernels of real GPUs: CUDA source that NVRTC compiles, through CuPy.

Each file has the source of its kernels, and functions that start them on CuPy arrays.
`sources.py` compiles: nothing here is loaded where there is no GPU.

- `sources.py`: finding and compiling kernels, and the shape of a launch.
- `conv.py`: convolution by columns and cuBLAS; no source of its own.
  `conv_columns.py`: the same where kernels gather the columns.
- `rows.py`: softmax, cross entropy and norms, a block of threads for each row.
- `elementwise.py`: activations and their gradients, an expression each.
- `rnn.py`: steps of an LSTM.
- `optim.py`: steps of optimizers, all parameters in one kernel.
- `philox.py`: random numbers from a counter, as PyTorch's GPUs draw them.
"""

from __future__ import annotations

__all__: list[str] = []
