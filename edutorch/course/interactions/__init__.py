"""Interactive parts of the chapters, which run in the page without a kernel.

Each consists of a Python file here, which draws a still picture and describes it in
words, and a TypeScript file of the same name in `widgets/src/course/`.

- `interaction.py`: the base class.
- `noise.py`: random numbers that are the same in Python and in the page.
- `allocator_board.py`: a caching allocator, step by step (chapter 17).
- `gradcheck_maps.py`: gradients by backward and by differences, as maps (chapter 3).
- `conv_stepper.py`: a kernel on an image, window by window (chapter 9).
- `deep_gradients.py`: a deep network with skips and without (chapter 10).
- `graph_player.py`: a graph of numbers, forward and backward by clicks (chapter 2).
- `init_scale.py`: activations and gradients by layer, by initial scale (chapter 5).
- `letter_gates.py`: an LSTM reads a word, letter by letter (chapter 11).
- `logit_sliders.py`: softmax, loss and gradient of one row of logits (chapter 6).
- `optimizer_race.py`: optimizers side by side on a loss of two weights (chapter 7).
- `replica_board.py`: four replicas, and a ring all-reduce (chapter 18).
- `stack_ribbon.py`: forward lines, backward nodes, and the call stack (chapter 4).
- `stride_inspector.py`: views of one buffer, and where their elements lie (chapter 1).
- `worker_lanes.py`: a loader's workers and the trainer over time (chapter 8).
"""

from __future__ import annotations

from .allocator_board import AllocatorBoard
from .conv_stepper import ConvStepper
from .deep_gradients import DeepGradients
from .gradcheck_maps import GradcheckMaps
from .graph_player import GraphPlayer
from .init_scale import InitScale
from .interaction import Interaction
from .letter_gates import LetterGates
from .logit_sliders import LogitSliders
from .optimizer_race import OptimizerRace
from .replica_board import ReplicaBoard
from .stack_ribbon import StackRibbon
from .stride_inspector import StrideInspector
from .worker_lanes import WorkerLanes

__all__ = [
    "AllocatorBoard",
    "ConvStepper",
    "DeepGradients",
    "GradcheckMaps",
    "GraphPlayer",
    "InitScale",
    "Interaction",
    "LetterGates",
    "LogitSliders",
    "OptimizerRace",
    "ReplicaBoard",
    "StackRibbon",
    "StrideInspector",
    "WorkerLanes",
]
