"""States of modules as PyTorch's classes want them."""

from __future__ import annotations

from edutorch import nn
from edutorch.serialization.module_state import state_for_pytorch


def test_recurrent_layers_get_a_list_of_their_weights():
    module = nn.LSTM(2, 3)
    state = state_for_pytorch(module, dict(vars(module)))
    assert state["_flat_weights"][0] is module.weight_ih_l0
    again = nn.LSTM(2, 3)
    again.__setstate__(state)
    assert "_flat_weights" not in vars(again)


def test_other_objects_and_modules_are_left_alone():
    assert state_for_pytorch(5, {"a": 1}) == {"a": 1}
    module = nn.ReLU()
    state = dict(vars(module))
    assert state_for_pytorch(module, state) is state
