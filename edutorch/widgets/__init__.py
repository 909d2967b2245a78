"""Views for JupyterLab, with still pictures for use outside it.

- `GraphView`: what did my code just compute, and which module did it?
- `GradientView`: where does the gradient vanish or explode, and since when?
- `Timeline`: where does the time go?
- `MemoryView`: what fills the memory, and when does it peak?
- `MemoryTree`: who owns the bytes, now and at the peak?
- `TensorCard`, `show`: what is this value?
- `Stepper`: what happens next, and why is this gradient this number?
- `NaNTrail`: which op first made a nan or infinity, and how did it reach the loss?
- `LeakFinder`: why is this tensor, or this graph, still alive?
- `ErrorCard`: why did this operation fail? `error_cards` turns them on and off.
- `track`, `RunMonitor`: is training going well?
- `DeviceLanes`: what is each device doing, and which waits for which?
- `live`: pause, step and resume a training cell while it runs.
- `%%watch`, `watch_script`: views for one cell, or for a script on its own page.

Requires the `lab` extra. The browser draws the live views (`widgets/src/README.md`);
`edutorch/inspect` provides the data.

Shared by all views; begin here:

- `view.py`: the base class. `view_throttle.py`: lets a view skip training steps.
  `refresher.py`: the thread that sends updates while a cell runs.
  `update_schedule.py`: how often. `notebook.py`: IPython's hooks at the beginning and
  end of cells, which also show error cards.
- `arguments.py`: checks of what views are given.
- `bundle.py`: the JavaScript bundle that draws the views. `lab_extra.py`: checks that
  the extra is installed.
- `watch.py`: `%%watch` (registered in `edutorch/__init__.py`) and
  `python -m edutorch watch`. `page_server.py`: the local page of a program outside
  notebooks; makes and checks its token. `page_requests.py`: its HTTP requests.
- `panel.py`: views beside the notebook.
- `saved_views.py`: views from files. `html_page.py`: a page that needs no kernel.
- `svg.py`, `png.py`, `png_text.py`, `png_file.py`: still pictures. `text.py`: the view
  as text.
- `format.py`: numbers and names as text. `time_axis.py`: ticks of a time axis.

The views:

- `gradient_view.py`, `draw_gradients.py`
- `memory_view.py`, `draw_memory.py`
- `memory_tree.py`, `draw_memory_tree.py`; `memory_groups.py`: rows as nested groups;
  `treemap.py`: the layout of tiles
- `graph_view.py`, `draw_graph.py`; `boxes.py`: the elements to draw; `fold.py`,
  `loops.py`: which boxes are visible; `direction.py`: downwards or to the right;
  `layout.py`, `scope_layout.py`: positions; `box_style.py`: the text of boxes;
  `columnar.py`: the format in which the graph is sent; `dot.py`: DOT files
- `tensor_card.py`, `draw_tensor.py`, `value_colours.py`; `memory_cells.py`: the cells
  of a storage that a view covers
- `stepper.py`, `draw_stepper.py`; `step_numbers.py`: formulas with numbers in them
- `nan_trail.py`, `draw_nan_trail.py`
- `leak_finder.py`, `draw_leaks.py`, `leak_text.py`
- `error_card.py`, `draw_error.py`
- `timeline.py`, `draw_timeline.py`, `timeline_totals.py`: sums; `timeline_trace.py`: a
  file for Perfetto
- `run_monitor.py`, `draw_run.py`, `run_scale.py`; `track.py`: the loop that it watches,
  and its line of progress in a terminal
- `device_lanes.py`, `draw_lanes.py`, `lane_bars.py`: the visible bars
- `live.py`: the buttons and their actions, and the wait of a paused training.
  `kernel_replies.py`: replies to a page that is reloaded while training waits.
"""

from . import lab_extra  # noqa: F401 (says what to install, before the rest fails)
from .device_lanes import DeviceLanes
from .error_card import ErrorCard, error_cards
from .gradient_view import GradientView
from .graph_view import GraphView
from .leak_finder import LeakFinder
from .live import live
from .memory_tree import MemoryTree
from .memory_view import MemoryView
from .nan_trail import NaNTrail
from .panel import panel
from .run_monitor import RunMonitor
from .saved_views import SavedViews, save
from .saved_views import open as open
from .stepper import Stepper
from .tensor_card import TensorCard, show
from .timeline import Timeline
from .track import Tracked, track
from .watch import watch_cell, watch_script

# `open` is not listed: `from edutorch.widgets import *` leaves Python's own alone.
__all__ = [
    "DeviceLanes",
    "ErrorCard",
    "GradientView",
    "GraphView",
    "LeakFinder",
    "MemoryTree",
    "MemoryView",
    "NaNTrail",
    "RunMonitor",
    "SavedViews",
    "Stepper",
    "TensorCard",
    "Timeline",
    "Tracked",
    "error_cards",
    "live",
    "panel",
    "save",
    "show",
    "track",
    "watch_cell",
    "watch_script",
]
