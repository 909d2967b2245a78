"""States of modules as PyTorch's classes want them."""

from __future__ import annotations

from edutorch import nn
from edutorch.serialization.modules import state_for_pytorch


def test_modules_without_hooks_get_empty_tables():
    module = nn.Linear(1, 1)
    state = state_for_pytorch(module, dict(vars(module)))
    assert state["_forward_hooks"] == {}
    assert state["_is_full_backward_hook"] is None
    assert "_module_hooks" not in state
    again = nn.Linear(1, 1)
    again.__setstate__(state)
    assert vars(again).keys() == vars(module).keys() | {"_is_full_backward_hook"}


def test_recurrent_layers_get_a_list_of_their_weights():
    module = nn.LSTM(2, 3)
    state = state_for_pytorch(module, dict(vars(module)))
    assert state["_flat_weights"][0] is module.weight_ih_l0
    again = nn.LSTM(2, 3)
    again.__setstate__(state)
    assert "_flat_weights" not in vars(again)


def test_other_objects_and_modules_with_hooks_are_left_alone():
    assert state_for_pytorch(5, {"a": 1}) == {"a": 1}
    module = nn.ReLU()
    module.register_forward_hook(print)
    state = dict(vars(module))
    assert state_for_pytorch(module, state) is state


def test_hooks_in_pytorchs_tables_become_hooks():
    seen = []
    module = nn.ReLU()
    state = state_for_pytorch(module, dict(vars(module)))
    state["_forward_hooks"] = {0: lambda *_: seen.append(1)}
    again = nn.ReLU()
    again.__setstate__(state)
    again(nn.Parameter())
    assert seen == [1]
