"""Kernels of real GPUs: CUDA source that NVRTC compiles, through CuPy.

Each file holds the CUDA source of its kernels, and functions that launch them on CuPy
arrays. Kernels are compiled on first use, so that nothing is compiled without a GPU.

- `sources.py`: finding and compiling kernels, and the shape of a launch.
- `conv.py`: convolution by columns and cuBLAS. `conv_columns.py`: kernels that gather
  and scatter the columns.
- `rows.py`: softmax, cross entropy and norms, a block of threads for each row.
- `elementwise.py`: activations and their gradients, an expression each.
- `rnn.py`: steps of an LSTM.
- `optim.py`: steps of optimizers, all parameters in one kernel.
- `philox.py`: random numbers from a counter, as PyTorch's GPUs draw them.
"""

from __future__ import annotations

__all__: list[str] = []
