"""What update rules are written with."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.optim import rule_helpers


def test_checks_when_out_of_range_raise():
    rule_helpers.check_lr(0.0)
    rule_helpers.check_betas((0.0, 0.999))
    with pytest.raises(ValueError, match="Invalid learning rate: -1"):
        rule_helpers.check_lr(-1)
    with pytest.raises(ValueError, match="Tensor lr must be 1-element"):
        rule_helpers.check_lr(torch.ones(2))
    with pytest.raises(ValueError, match="Invalid beta parameter at index 1: 1.0"):
        rule_helpers.check_betas((0.5, 1.0))
    with pytest.raises(ValueError, match="Invalid epsilon value: nan"):
        rule_helpers.check_nonnegative(float("nan"), "epsilon value")


def test_counter_takes_float64_where_that_is_the_default():
    assert rule_helpers.state_scalar().dtype is torch.float32
    torch.set_default_dtype(torch.float64)
    try:
        assert rule_helpers.state_scalar(2.0).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_count_step_counts_from_one():
    state = {"step": rule_helpers.state_scalar()}
    numbers = [rule_helpers.count_step(state).item() for _ in range(2)]
    assert numbers == [1.0, 2.0]


def test_count_step_when_an_old_state_has_a_number_makes_it_a_tensor():
    state = {"step": 4}
    assert rule_helpers.count_step(state) == 5.0
    assert repr(state) == "{'step': tensor(5.)}"


def test_check_betas_when_one_is_missing_raises():
    with pytest.raises(IndexError, match="tuple index out of range"):
        rule_helpers.check_betas((0.5,))


def test_direction_turns_round_and_decays():
    p, g = torch.tensor([2.0]), torch.tensor([1.0])
    group = {"maximize": True, "weight_decay": 0.5, "lr": 0.1}
    assert rule_helpers.gradient_with_decay(p, g, group).item() == 0.0
    group["decoupled_weight_decay"] = True
    assert rule_helpers.gradient_with_decay(p, g, group).item() == -1.0
    assert p.item() == pytest.approx(1.9)


def test_as_real_shares_memory_of_complex_tensors():
    z, x = torch.zeros(2, dtype=torch.complex64), torch.zeros(2)
    real, same = rule_helpers.as_real(z, x)
    real.add_(1)
    assert z.tolist() == [1 + 1j, 1 + 1j]
    assert same is x
    assert rule_helpers.to_float(torch.tensor(0.5)) == 0.5


@pytest.mark.parametrize("state", [None, {"step": "a"}, 1, {"step": [1]}])
def test_loaded_states_without_a_count_of_steps_are_refused(state):
    p = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.Adam([p])
    packed = {**optimizer.state_dict(), "state": {0: state}}
    with pytest.raises((TypeError, ValueError)):
        optimizer.load_state_dict(packed)


def test_loaded_count_of_steps_becomes_a_tensor():
    p = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.Rprop([p])
    optimizer.load_state_dict({**optimizer.state_dict(), "state": {0: {"step": 3}}})
    assert isinstance(optimizer.state[p]["step"], torch.Tensor)


def test_steps_that_only_count_take_any_tensor_of_counts():
    p = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.Adadelta([p])
    p.sum().backward()
    optimizer.step()
    optimizer.state[p]["step"] = torch.ones(2)
    optimizer.step()
    assert optimizer.state[p]["step"].tolist() == [2, 2]


@pytest.mark.parametrize("name", ["Adam", "Adamax", "NAdam", "RAdam", "Adagrad"])
def test_step_after_a_loaded_count_of_several_elements_raises(name):
    p = torch.ones(3, requires_grad=True)
    p.grad = torch.ones(3)
    optimizer = getattr(torch.optim, name)([p])
    optimizer.step()
    saved = optimizer.state_dict()
    saved["state"][0]["step"] = torch.ones(1)
    optimizer.load_state_dict(saved)
    optimizer.step()
    saved["state"][0]["step"] = torch.ones(3)
    optimizer.load_state_dict(saved)
    with pytest.raises(RuntimeError, match="3 elements cannot be converted to Scalar"):
        optimizer.step()
