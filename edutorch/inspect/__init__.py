"""Recorders of what a program computes, usable with or without Jupyter.

`record()` stores every event of a block; each recorder behind a view stores what the
view needs. No recorder keeps a tensor alive, and each is bounded in time and memory.
They listen to `edutorch/events.py`, and their `series()` is JSON-ready data, which
`edutorch/widgets` draws.

All recorders:

- `recorder.py`: the base class. `event_fields.py`: positions of the fields of a record.
- `recording.py`: `record()`.
- `rotating_table.py`: a table of the latest steps. `pausable_clock.py`: time without
  pauses.
- `step_throttle.py`: lets live views skip training steps, to limit the cost of
  watching. `watch_budget.py`: what all views together may cost.
  `missed_allocations.py`: tensors created and freed in skipped steps.
- `source_lines.py`: the source lines of the user and of the op. `assigned_names.py`:
  the variable that a line assigns an op's result to. `frame_tensors.py`: tensors held
  by variables. `flagged_tensors.py`: tensors that a check has flagged.
  `model_names.py`: the names of several models.

Graphs and gradients:

- `graph.py`: the recorder for GraphView. `step_log.py`: the records that belong to the
  current graph. `graph_snapshot.py`: the graph as JSON. `model_filter.py`: the ops of
  one model. `value_stats.py`: summaries of values. `value_sampling.py`: selects the
  steps whose values are summarised.
- `gradients.py`: gradient norms and their alerts, for GradientView.

Memory:

- `memory.py`: bytes over time and their peak on each device, for MemoryView.
  `memory_timeline.py`: its samples, each the bytes at one moment.
  `memory_step.py`: one step in full.
- `memory_tree.py`: owners of memory, for MemoryTree. `allocation_history.py`: the
  allocations alive at a few moments. `memory_rows.py`: these as rows, with the smallest
  summed.
- `leaks.py`: objects that outlive training steps, for LeakFinder. `survivors.py`: the
  same by line. `reference_search.py`: the shortest path to an object from a named root.
  `reference_roots.py`: these roots. `reference_names.py`: names of references.
  `leak_causes.py`: known causes. `retaining_lines.py`: source lines that store tensors,
  and their fixes. `leak_report.py`: the report as JSON.

Time:

- `timeline.py`: operations over time, for Timeline. `timeline_bars.py`: records as
  nested bars.
- `device_lanes.py`: activity of each device, for DeviceLanes. `lane_times.py`: busy and
  waiting time. `lane_memory.py`: memory. `lane_data.py`: all as JSON.
  `simulated_lanes.py`: times by the clocks of simulated GPUs.

One training step with all values:

- `step_values.py`: the recorder for Stepper, which copies all values.
  `value_store.py`: the copies, within a limit. `step_trace.py`: the step as JSON.
  `value_encoder.py`: its values as JSON.
- `op_formulas.py`: formulas from docstrings. `local_derivatives.py`: the factors of
  backward as numbers. `element_formulas.py`: formulas of the elements of a result.
  `einsum_notation.py`: letters for the dimensions of an op's operands, for both.

Errors, nan and infinity:

- `error_report.py`: why an operation failed, for ErrorCard. `source_operands.py`: the
  operands' names in the program. `shape_rules.py`, `message_rules.py`: which sizes,
  dtypes and devices disagree; `mismatch.py`: the result of such a rule.
  `autograd_graph.py`: the graph recorded by autograd.
- `nan_trail.py`: the op that first made a nan or infinity, for NaNTrail.
  `nonfinite_graph.py`: the graph of non-finite values, and paths in it.
  `nan_report.py`: the finding as JSON and text.
- `nonfinite.py`: `first_nonfinite`, the same for a recording.

Tensors, runs, files:

- `tensor_summary.py`: one tensor, its memory and its values, for TensorCard, and
  whether they are shown as an image.
- `run_recorder.py`: loss, learning rate and time left of a training run, for
  RunMonitor. `run_series.py`: its samples, speed and alerts. `run_start.py`: its
  beginning. `run_ends.py`: how an exception ends it. `run_store.py`: runs in a local
  file.
- `view_file.py`: `.edu` files, with the data of views. Forged or damaged ones are
  rejected by `view_schemas.py`, `view_number_checks.py` and `view_step_checks.py`.
"""

from .device_lanes import LanesRecorder
from .error_report import report_error
from .gradients import GradientRecorder, Rules
from .graph import GraphRecorder
from .leaks import LeakRecorder
from .memory import MemoryRecorder
from .memory_tree import MemoryTreeRecorder
from .nan_trail import NanTrailRecorder, NonFiniteError
from .nonfinite import first_nonfinite
from .recorder import Recorder
from .recording import Counts, Recording, Tally, record
from .run_recorder import RunRecorder
from .run_series import RunRules
from .run_store import RunStore
from .step_values import StepRecorder
from .tensor_summary import summarize
from .timeline import TimelineRecorder
from .view_file import pack_views, read_views, write_views

__all__ = [
    "Counts",
    "GradientRecorder",
    "GraphRecorder",
    "LanesRecorder",
    "LeakRecorder",
    "MemoryRecorder",
    "MemoryTreeRecorder",
    "NanTrailRecorder",
    "NonFiniteError",
    "Recorder",
    "Recording",
    "Rules",
    "RunRecorder",
    "RunRules",
    "RunStore",
    "StepRecorder",
    "Tally",
    "TimelineRecorder",
    "first_nonfinite",
    "pack_views",
    "read_views",
    "record",
    "report_error",
    "summarize",
    "write_views",
]
