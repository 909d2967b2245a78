"""The version: `torch.version`."""

from __future__ import annotations

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "xpu"]

__version__ = "0.1.0"
debug = False  # nothing is compiled with checks for developers
git_version = ""  # left empty: a checkout knows its commit
cuda: str | None = None  # nothing was built for GPUs: CuPy brings what it needs
hip: str | None = None
rocm: str | None = None
xpu: str | None = None
