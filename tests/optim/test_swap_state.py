"""An optimizer with temporarily exchanged parameters."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def ready(torch):
    """An optimizer of two groups after a step, and other parameters with gradients."""
    params, others = (
        [torch.nn.Parameter(torch.full((n,), 1.0 + i)) for i, n in enumerate((2, 1))]
        for _ in range(2)
    )
    for p in (*params, *others):
        p.grad = torch.ones(p.shape) * 0.5
    groups = [{"params": params[:1]}, {"params": params[1:], "lr": 0.2}]
    optimizer = torch.optim.Adam(groups, lr=0.1)
    optimizer.step()
    return optimizer, params, {str(i): p for i, p in enumerate(others)}


@programs.add
def steps_change_the_parameters_that_are_given(torch):
    optimizer, params, others = ready(torch)
    other, _, _ = ready(torch)
    state = other.state_dict()
    with torch.optim.swap_in_optimizer_params_and_state(optimizer, others, state):
        optimizer.step()
        inside = [g["params"][0] is others[str(i)]
                  for i, g in enumerate(optimizer.param_groups)]  # fmt: skip
    own = [g["params"][0] is params[i] for i, g in enumerate(optimizer.param_groups)]
    return [inside, own, params, others, optimizer.state_dict(), state]


@programs.add
def forms_that_do_not_fit_are_refused(torch):
    optimizer, params, others = ready(torch)
    fresh = torch.optim.SGD(params, lr=0.1)
    state = optimizer.state_dict()
    groups = state["param_groups"]

    def swap(optimizer, others, state):
        with torch.optim.swap_in_optimizer_params_and_state(optimizer, others, state):
            pass

    wrong = (
        3,
        {"state": [], "param_groups": groups},
        {"state": {params[0]: {}}, "param_groups": groups},
        {"state": {0: 3}, "param_groups": groups},
        {"state": {7: {}}, "param_groups": groups},
        {"state": {}, "param_groups": 3},
        {"state": {}, "param_groups": groups[:1]},
        {"state": {}, "param_groups": [3, 4]},
        {"state": {}, "param_groups": [{"params": ["x"]}, {}]},
        {"state": {}, "param_groups": [{"params": []}, {}]},
        {"state": {}, "param_groups": [{"params": [0]}, {"params": [1]}]},
    )
    found = [attempt(lambda s=s: swap(optimizer, others, s)) for s in wrong]
    found.append(attempt(lambda: swap(fresh, others, state)))
    return [*found, attempt(lambda: swap(optimizer, {"0": params[0]}, state))]


test_swap = programs.test()
