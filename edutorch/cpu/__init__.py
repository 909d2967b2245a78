"""The CPU, with the functions that programs expect of any device.

- `setup.py`: availability, number of devices, current device.
- `stream.py`: streams, which run work immediately. `amp.py`: old names of `torch.amp`.
"""

from . import amp
from .setup import (
    current_device,
    device_count,
    is_available,
    is_initialized,
    set_device,
    synchronize,
)
from .stream import Event, Stream, StreamContext, current_stream, stream

__all__ = [
    "Event", "Stream", "StreamContext", "amp", "current_device", "current_stream",
    "device_count", "is_available", "is_initialized", "set_device", "stream",
    "synchronize",
]  # fmt: skip
