"""Optimizer: groups, state, hooks, and what a step announces."""

from __future__ import annotations

import copy
import importlib
import pickle

import edutorch
from tests.optim.trajectories import problem
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


REPLACED = [
    ((40, 50), (20, 100)), ((2000,), (3,)), ((3,), (2000,)), ((2000,), (1,)),
    ((40, 50), (50,)), ((40, 50), (2000,)), ((1,), (2000,)),
]  # fmt: skip
RULES = [
    ("Adam", {}), ("Adam", {"amsgrad": True}), ("Adam", {"weight_decay": 0.1}),
    ("AdamW", {}), ("SGD", {}), ("SGD", {"momentum": 0.9}),
    ("SGD", {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
]  # fmt: skip


def stepped(torch, shape, rule, options):
    p = torch.nn.Parameter(torch.ones(shape))
    optimizer = getattr(torch.optim, rule)([p], **options)
    p.grad = torch.ones(shape)
    optimizer.step()
    return p, optimizer


@programs.add
def a_state_of_another_shape_is_refused_by_the_step(torch):
    def step(old, new, rule):
        _, optimizer = stepped(torch, old, *rule)
        p, other = stepped(torch, new, *rule)
        other.load_state_dict(optimizer.state_dict())
        other.step()
        return p.sum()

    return [
        attempt(lambda: step(*shapes, rule))  # noqa: B023 (called at once)
        for shapes in REPLACED
        for rule in RULES
    ]


@programs.add
def a_gradient_of_another_shape_is_refused_by_the_step(torch):
    def step(old, new, rule):
        p, optimizer = stepped(torch, old, *rule)
        p.data = torch.zeros(new)
        optimizer.step()
        return p.sum()

    return [
        attempt(lambda: step(*shapes, rule))  # noqa: B023 (called at once)
        for shapes in REPLACED
        for rule in RULES
    ]


@programs.add
def groups_have_settings_of_their_own(torch):
    (a, b, c), compute = problem(torch)
    optimizer = torch.optim.SGD(
        [{"params": [a]}, {"params": b, "lr": 0.5, "momentum": 0.9}], lr=0.01
    )
    optimizer.add_param_group({"params": [c], "lr": 0.2})
    for _ in range(3):
        compute()
        optimizer.step()
    return [[a, b, c], repr(optimizer), optimizer.state_dict()["param_groups"],
            optimizer.param_groups[1]["params"][0] is b]  # fmt: skip


@programs.add
def wrong_parameters_are_refused(torch):
    (a, b, _), _ = problem(torch)
    sgd = torch.optim.SGD
    return [
        attempt(lambda: sgd(a)),
        attempt(lambda: sgd([])),
        attempt(lambda: sgd([3])),
        attempt(lambda: sgd([a * 2])),
        attempt(lambda: sgd([{"params": {a}}])),
        attempt(lambda: sgd([{"params": a}, {"params": [b, a]}])),
        attempt(lambda: sgd([a]).add_param_group([b])),
        attempt(lambda: sgd([("w", a), b])),
        attempt(lambda: sgd([("w", a)]).add_param_group({"params": [b]})),
        warned(lambda: len(sgd([a, a]).param_groups[0]["params"])),
    ]


@programs.add
def named_parameters_keep_their_names(torch):
    m = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(m.named_parameters(), lr=0.1)
    return [optimizer.param_groups[0]["param_names"], optimizer.state_dict()]


@programs.add
def parameters_without_gradients_stay(torch):
    (a, b, _), compute = problem(torch)
    optimizer = torch.optim.Adam([a, b])
    compute()
    b.grad = None
    optimizer.step()
    return [a, b, list(optimizer.state_dict()["state"])]


@programs.add
def a_closure_is_called_with_gradients_on(torch):
    (a, b, c), compute = problem(torch)
    optimizer = torch.optim.SGD([a, b, c], lr=0.1)
    with torch.no_grad():
        loss = optimizer.step(lambda: [torch.is_grad_enabled(), compute()])
    return [loss[0], loss[1], a, optimizer.step()]


@programs.add
def gradients_are_forgotten_or_zeroed(torch):
    (a, b, c), compute = problem(torch)
    optimizer = torch.optim.SGD([a, b, c], lr=0.1)
    compute()
    grad = a.grad
    optimizer.zero_grad(set_to_none=False)
    zeros = [a.grad, a.grad is grad]
    optimizer.zero_grad()
    return [zeros, a.grad]


@programs.add
def states_that_do_not_fit_are_refused(torch):
    (a, b, c), _ = problem(torch)
    optimizer = torch.optim.SGD([a, b], lr=0.1)
    other = torch.optim.SGD([{"params": [a]}, {"params": [b]}], lr=0.1).state_dict()
    more = torch.optim.SGD([a, b, c], lr=0.1).state_dict()
    return [attempt(lambda: optimizer.load_state_dict(other)),
            attempt(lambda: optimizer.load_state_dict(more))]  # fmt: skip


@programs.add
def states_are_cast_to_the_parameters(torch):
    (a, b, c), compute = problem(torch)
    first = torch.optim.Adam([a, b, c])
    compute()
    first.step()
    doubles = [torch.nn.Parameter(p.detach().double()) for p in (a, b, c)]
    second = torch.optim.Adam(doubles, lr=0.5)
    second.load_state_dict(first.state_dict())
    return second.state_dict()


@programs.add
def states_with_numbers_of_steps_are_taken(torch):
    params, compute = problem(torch)
    optimizer = torch.optim.Adam(params)
    compute()
    optimizer.step()
    state = optimizer.state_dict()
    for values in state["state"].values():
        values["step"] = int(values["step"])
    optimizer.load_state_dict(state)
    optimizer.step()
    return [list(params), optimizer.state_dict()["state"][0]]


@programs.add
def hooks_around_steps(torch):
    (a, b, c), compute = problem(torch)
    optimizer = torch.optim.SGD([a, b, c], lr=0.1)
    seen = []
    optimizer.register_step_pre_hook(
        lambda o, args, kw: seen.append(["pre", len(args)])
    )
    optimizer.register_step_post_hook(lambda o, args, kw: seen.append("post"))
    module = importlib.import_module(f"{torch.__name__}.optim.optimizer")
    with (
        module.register_optimizer_step_pre_hook(lambda *x: seen.append("all pre")),
        module.register_optimizer_step_post_hook(lambda *x: seen.append("all post")),
    ):
        compute()
        optimizer.step()
    optimizer.register_step_pre_hook(lambda *x: 3)
    return [seen, attempt(optimizer.step)[:2]]


@programs.add
def hooks_around_states(torch):
    (a, _, _), _ = problem(torch)
    optimizer = torch.optim.SGD([a], lr=0.1)
    seen = []
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("save"))
    optimizer.register_state_dict_post_hook(lambda o, s: {**s, "more": 1})
    optimizer.register_load_state_dict_pre_hook(lambda o, s: seen.append(list(s)))
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
    state = optimizer.state_dict()
    optimizer.load_state_dict(state)
    return [state, seen]


@programs.add
def own_optimizers_define_step(torch):
    class Descent(torch.optim.Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    p.add_(p.grad, alpha=-group["lr"])

    (a, b, c), compute = problem(torch)
    optimizer, seen = Descent([a, b, c], 0.1), []
    optimizer.register_step_post_hook(lambda *x: seen.append("post"))
    compute()
    optimizer.step()
    return [[a, b, c], seen, repr(optimizer)]


@programs.add
def optimizers_that_wrap_another_step(torch):
    class Lookahead(torch.optim.Optimizer):
        def __init__(self, inner):  # as many have it, without super().__init__()
            self.inner, self.param_groups = inner, inner.param_groups
            self.state, self.defaults = {"count": 0}, inner.defaults

        def step(self, closure=None):
            self.state["count"] += 1
            return self.inner.step(closure)

    params, compute = problem(torch)
    optimizer = Lookahead(torch.optim.SGD(params, lr=0.1))
    compute()
    optimizer.step()
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    optimizer.step(compute)
    schedule.step()
    return [list(params), optimizer.state, schedule.get_last_lr(), repr(optimizer)]


@programs.add
def required_settings(torch):
    module = importlib.import_module(f"{torch.__name__}.optim.optimizer")

    class Needs(torch.optim.Optimizer):
        def __init__(self, params):
            super().__init__(params, {"lr": module.required})

    (a, _, _), _ = problem(torch)
    return [attempt(lambda: Needs([a])), repr(Needs([{"params": a, "lr": 1}]))]


@programs.add
def steps_bump_versions(torch):
    found = []
    for name in ("SGD", "Adam", "RMSprop"):
        (a, b, c), compute = problem(torch)
        optimizer = getattr(torch.optim, name)([a, b, c], lr=0.1)
        y = a * a
        compute()
        optimizer.step()
        found.append(attempt(lambda y=y: y.sum().backward())[:2])
    return found


@programs.add
def copies_and_pickles_keep_the_state(torch):
    (a, b, c), compute = problem(torch)
    optimizer = torch.optim.Adam([a, b, c])
    compute()
    optimizer.step()
    again = copy.deepcopy(optimizer)
    back = pickle.loads(pickle.dumps(optimizer))
    return [repr(again), again.state_dict(), back.state_dict()]


test_optimizer = programs.test()


def test_step_ends_a_training_step_and_names_its_memory():
    params, compute = problem(edutorch)
    optimizer = edutorch.optim.Adam(params)
    seen = []
    listening = edutorch.events.listen("test", seen.append)
    try:
        before = edutorch.events.step
        compute()
        optimizer.step()
        assert edutorch.events.step == before + 1
    finally:
        listening.close()
    state = optimizer.state[params[0]]["exp_avg"]
    assert state.untyped_storage().category == "optimizer"
    marks = [r[6:] for r in seen if r[0] == "mark"]
    assert marks == [("step", "end", "step")]


def test_step_when_a_state_is_no_dictionary_is_announced():
    params, compute = problem(edutorch)
    optimizer = edutorch.optim.SGD(params, lr=0.1, momentum=0.9)
    optimizer.state["steps"] = 3
    listening = edutorch.events.listen("test", lambda record: None)
    try:
        compute()
        optimizer.step()
    finally:
        listening.close()
    velocity = optimizer.state[params[0]]["momentum_buffer"]
    assert velocity.untyped_storage().category == "optimizer"


def test_step_that_calls_its_base_class_ends_one_training_step():
    class Twice(edutorch.optim.SGD):
        def step(self, closure=None):
            super().step(closure)
            return super().step(closure)

    params, compute = problem(edutorch)
    optimizer, seen = Twice(params, lr=0.1), []
    optimizer.register_step_post_hook(lambda *x: seen.append(1))
    compute()
    before = edutorch.events.step
    optimizer.step()
    assert edutorch.events.step == before + 1
    assert seen == [1]


def test_step_that_fails_leaves_the_optimizer_usable():
    params, compute = problem(edutorch)
    optimizer = edutorch.optim.SGD(params, lr=0.1)

    def fail():
        raise ValueError("no loss")

    for _ in range(2):
        try:
            optimizer.step(fail)
        except ValueError:
            pass
    compute()
    optimizer.step()
    assert not optimizer._stepping
