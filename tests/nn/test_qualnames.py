"""Messages about wrong arguments name the class that was called."""

from __future__ import annotations

import inspect

import edutorch
from edutorch.nn.qualnames import RequalifyInit
from tests.programs import Programs, attempt

programs = Programs(__file__)

LAYERS = (
    "Conv2d", "ConvTranspose1d", "LazyConv2d", "LazyConvTranspose3d", "ZeroPad2d",
    "ConstantPad1d", "ReflectionPad3d", "CircularPad1d", "AvgPool2d", "AvgPool3d",
    "MaxPool2d", "MaxUnpool1d", "FractionalMaxPool2d", "BatchNorm1d", "InstanceNorm2d",
    "TransformerDecoderLayer", "Dropout2d",
)  # fmt: skip


@programs.add
def layers_are_named(torch):
    kinds = [getattr(torch.nn, name) for name in LAYERS]
    return [
        [attempt(kind), attempt(lambda k=kind: k(other=1)),
         attempt(lambda k=kind: k(*range(1, 30)))]
        for kind in kinds
    ]  # fmt: skip


@programs.add
def schedules_are_named(torch):
    module = torch.optim.lr_scheduler
    return [attempt(module.LambdaLR), attempt(module.MultiplicativeLR)]


@programs.add
def subclasses_keep_the_name_of_the_layer(torch):
    class Mine(torch.nn.Conv2d):
        pass

    return [attempt(Mine), repr(Mine(1, 2, 3))]


@programs.add
def methods_are_those_of_module(torch):
    m = torch.nn.Linear(1, 1)
    return [
        attempt(lambda: m.register_buffer("mean")),
        attempt(lambda: m.register_forward_hook()),
        attempt(lambda: m.load_state_dict()),
        attempt(lambda: m.to_empty()),
        attempt(lambda: m.named_parameters(1, 2, 3, 4)),
        attempt(lambda: m.add_module("a")),
        attempt(lambda: m.apply()),
        attempt(lambda: m.zero_grad(other=1)),
        attempt(lambda: m.half(1)),
        attempt(lambda: m.get_submodule()),
    ]


test_qualnames = programs.test()


class _Base(RequalifyInit):
    def __init__(self, size: int, *, deep: bool = True) -> None:
        super().__init__()
        self.made = size, deep


class Small(_Base):
    """Inherits everything."""


def test_requalify_init_when_inherited_keeps_signature_and_super():
    assert Small(3).made == (3, True)
    assert inspect.signature(Small) == inspect.signature(_Base)
    assert Small.__init__ is not _Base.__init__
    assert edutorch.nn.Conv1d.__init__.__qualname__ == "Conv1d.__init__"
