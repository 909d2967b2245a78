"""Resizing and sampling of images; pixel shuffle.

- `interpolate.py`: resizing. `output_size.py`: the resulting size.
- `affine_grid.py`, `grid_sample.py`: sampling at given positions: rotation, scaling,
  translation.
- `pixel_shuffle.py`: pixel_shuffle, channel_shuffle.
"""

from .affine_grid import affine_grid, affine_grid_generator
from .grid_sample import grid_sample, grid_sampler, grid_sampler_2d, grid_sampler_3d
from .interpolate import interpolate, upsample, upsample_bilinear, upsample_nearest
from .pixel_shuffle import channel_shuffle, pixel_shuffle, pixel_unshuffle

__all__ = [
    "affine_grid", "affine_grid_generator", "channel_shuffle", "grid_sample",
    "grid_sampler", "grid_sampler_2d", "grid_sampler_3d", "interpolate",
    "pixel_shuffle", "pixel_unshuffle", "upsample", "upsample_bilinear",
    "upsample_nearest",
]  # fmt: skip
