"""Views for JupyterLab, and their still pictures for everywhere else.

- `GraphView`: what did my code just compute, and which module did it?
- `GradientView`: where does the gradient vanish or explode, and since when?
- `MemoryView`: what fills the memory, and when was it fullest?
- `live`: pause, step and resume a training cell while it runs.

Needs the `lab` extra (`pip install 'edutorch[lab]'`).
"""

from .gradient_view import GradientView
from .graph_view import GraphView
from .live import live
from .memory_view import MemoryView

__all__ = ["GradientView", "GraphView", "MemoryView", "live"]
