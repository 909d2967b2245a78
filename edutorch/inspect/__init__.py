"""Watching without Jupyter: what ran, how large gradients are, what fills memory.

`record()` keeps every event of a block; the recorders behind the widgets keep what one
question needs. None of them keeps a tensor alive, and each is bounded in time and
memory. They listen to `edutorch/events.py`.

- `recorder.py`: what recorders share. `event_fields.py`: where each field of a record
  is.
- `recording.py`: `record()`.
- `gradients.py`: the gradient norms behind GradientView, and when they are marked.
- `memory.py`: bytes over time, behind MemoryView. `memory_timeline.py`: samples of
  them, each the bytes of one moment. `memory_step.py`: one step in full.
- `memory_tree.py`: who owns the bytes, behind MemoryTree. `memory_moments.py`: what was
  held at a few moments. `memory_rows.py`: that as rows, the smallest ones summed.
- `assigned_names.py`: what a line calls an op's result.
- `graph.py`: the recorder behind GraphView. `step_log.py`: which records belong to the
  current graph. `step_sampling.py`: which steps have their values summarised, so that
  watching stays cheap. `value_stats.py`: those summaries. `graph_snapshot.py`: the
  graph as JSON. `model_part.py`: which ops one model takes part in.
  `source_lines.py`: the line of the user, and of the op.
- `timeline.py`: what ran when, behind Timeline. `timeline_bars.py`: records as bars,
  nested.
- `tensor_summary.py`: one tensor, its memory and its values, behind TensorCard.
- `error_report.py`: why an operation failed, behind ErrorCard. `source_operands.py`:
  what the program calls its operands. `shape_rules.py`, `message_rules.py`: which of
  their sizes, dtypes and devices disagree; `verdict.py`: the answer of such a rule.
  `history.py`: the graph that autograd remembers.
- `run_recorder.py`: loss, learning rate and speed of a training run, behind
  RunMonitor. `run_series.py`: their samples, and alerts. `run_store.py`: runs in one
  file of this machine.
- `run_file.py`: files that keep what views show. `view_schemas.py` rejects forged ones,
  `view_numbers.py` numbers that cannot be drawn.
- `step_values.py`: a training step with copies of all values, behind Stepper.
  `value_store.py`: the copies, within a limit. `step_trace.py`: the step as JSON;
  `sent_values.py`: its values; `step_check.py` rejects forged ones.
  `op_formulas.py`: formulas of docstrings.
  `local_derivatives.py`: the factors of backward as numbers, `forward_numbers.py`: the
  numbers of a result. `index_letters.py`: letters for dimensions, for both.
- `device_lanes.py`: what each device does, behind DeviceLanes. `lane_times.py`: how
  long it is busy and waits. `lane_memory.py`: what it holds. `lane_data.py`: as JSON.
  `simulated_lanes.py`: by the clocks of simulated GPUs.
- `working_clock.py`: time without pauses. `recent.py`: tables of the latest steps.
- `step_pace.py`: how many steps live views watch. `memory_census.py`: what has come and
  gone in the others.
- `nan_trail.py`: which op first made a nan or infinity, behind NaNTrail.
  `nan_ledger.py`: what is kept of each value, and the way to the loss.
  `nan_report.py`: both as JSON and words.
  `frame_tensors.py`: what variables hold.
- `leaks.py`: what outlives training steps, behind LeakFinder. `survivors.py`: the same
  by line. `reference_search.py`: the shortest path to an object from something that has
  a name. `reference_roots.py`: the objects that have one. `reference_names.py`:
  what references are called. `leak_causes.py`: why it stays. `leak_fillers.py`: the
  line to change. `leak_report.py`: all of it as JSON.
- `nonfinite.py`: `first_nonfinite`, the same question asked of a recording's samples.
- `flagged_tensors.py`: tensors that a check found wrong.
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
