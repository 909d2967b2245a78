"""Kernels of real GPUs: CUDA source that NVRTC compiles, through CuPy.

Each file has the source of its kernels, and functions that start them on CuPy arrays.
`sources.py` compiles: nothing here is loaded where there is no GPU.

- `sources.py`: finding and compiling kernels, and the shape of a launch.
- `philox.py`: random numbers from a counter, as PyTorch's GPUs draw them.
"""

__all__: list[str] = []
