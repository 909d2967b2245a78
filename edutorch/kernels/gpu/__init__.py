"""Kernels for real GPUs: CUDA source, compiled by NVRTC through CuPy.

Each file contains the CUDA source of its kernels, and functions that launch them on
CuPy arrays. Kernels are compiled on first use, so nothing is compiled without a GPU.

- `sources.py`: looks up and compiles kernels; launch dimensions.
- `conv.py`: convolution by im2col and cuBLAS. `conv_columns.py`: im2col and col2im.
- `softmax_norm.py`: softmax, cross entropy and norms, with one thread block per row.
- `elementwise.py`: activations and their gradients, one expression each.
- `rnn.py`: steps of an LSTM.
- `optim.py`: steps of optimizers, all parameters in one kernel.
- `philox.py`: counter-based random numbers, the same as PyTorch's on GPUs.
"""

from __future__ import annotations

__all__: list[str] = []
