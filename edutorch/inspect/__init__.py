"""Watching without Jupyter: operations, gradient norms, memory.

`record()` stores every event of a block; each recorder behind a widget stores what its
view needs. No recorder keeps a tensor alive, and each is bounded in time and memory.
They listen to `edutorch/events.py`.

- `recorder.py`: the base class. `event_fields.py`: positions of the fields of a record.
- `recording.py`: `record()`.
- `gradients.py`: the gradient norms for GradientView, and their alerts.
- `memory.py`: bytes over time, for MemoryView. `memory_timeline.py`: its samples, each
  the bytes at one moment. `memory_step.py`: one step in full.
- `memory_tree.py`: owners of memory, for MemoryTree. `memory_moments.py`: the tensors
  held at a few moments. `memory_rows.py`: these as rows, with the smallest summed.
- `assigned_names.py`: the variable that a line assigns an op's result to.
- `graph.py`: the recorder for GraphView. `step_log.py`: the records that belong to the
  current graph. `step_sampling.py`: selects the steps whose values are summarised, to
  limit the cost of watching. `value_stats.py`: these summaries. `graph_snapshot.py`:
  the graph as JSON. `model_part.py`: the ops that one model takes part in.
  `source_lines.py`: the source lines of the user and of the op.
- `timeline.py`: operations over time, for Timeline. `timeline_bars.py`: records as
  nested bars.
- `tensor_summary.py`: one tensor, its memory and its values, for TensorCard.
- `error_report.py`: why an operation failed, for ErrorCard. `source_operands.py`: the
  operands' names in the program. `shape_rules.py`, `message_rules.py`: which sizes,
  dtypes and devices disagree; `verdict.py`: the result of such a rule.
  `history.py`: the graph recorded by autograd.
- `run_recorder.py`: loss, learning rate and speed of a training run, for RunMonitor.
  `run_series.py`: its samples, and alerts. `run_store.py`: runs in a local file.
- `run_file.py`: files with the data of views. `view_schemas.py` rejects forged ones,
  `view_numbers.py` numbers that cannot be drawn.
- `step_values.py`: a training step with copies of all values, for Stepper.
  `value_store.py`: the copies, within a limit. `step_trace.py`: the step as JSON;
  `sent_values.py`: its values; `step_check.py` rejects forged ones.
  `op_formulas.py`: formulas from docstrings.
  `local_derivatives.py`: the factors of backward as numbers, `forward_numbers.py`: the
  numbers of a result. `index_letters.py`: letters for dimensions, for both.
- `device_lanes.py`: activity of each device, for DeviceLanes. `lane_times.py`: busy and
  waiting time. `lane_memory.py`: memory. `lane_data.py`: all as JSON.
  `simulated_lanes.py`: times by the clocks of simulated GPUs.
- `working_clock.py`: time without pauses. `recent.py`: tables of the latest steps.
- `step_pace.py`: how many steps live views watch. `memory_census.py`: tensors created
  and freed in the other steps.
- `nan_trail.py`: the op that first made a nan or infinity, for NaNTrail.
  `nan_ledger.py`: the entry for each value, and the path to the loss.
  `nan_report.py`: both as JSON and text.
  `frame_tensors.py`: tensors held by variables.
- `leaks.py`: objects that outlive training steps, for LeakFinder. `survivors.py`: the
  same by line. `reference_search.py`: the shortest path to an object from a named root.
  `reference_roots.py`: these roots. `reference_names.py`: names of references.
  `leak_causes.py`: known causes. `leak_fillers.py`: the line to change.
  `leak_report.py`: the report as JSON.
- `nonfinite.py`: `first_nonfinite`, the same for a recording.
- `flagged_tensors.py`: tensors that a check has flagged.
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
from .run_file import pack_run, read_run, write_run
from .run_recorder import RunRecorder
from .run_series import RunRules
from .run_store import RunStore
from .step_values import StepRecorder
from .tensor_summary import summarize
from .timeline import TimelineRecorder

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
    "pack_run",
    "read_run",
    "record",
    "report_error",
    "summarize",
    "write_run",
]
