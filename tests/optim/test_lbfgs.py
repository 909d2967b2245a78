"""LBFGS: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import problem
from tests.programs import Programs, attempt

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.1, max_iter=5",
    "max_iter=4, history_size=2",
    'line_search_fn="strong_wolfe"',
    'line_search_fn="strong_wolfe", max_iter=3, max_eval=4',
    "tolerance_grad=10.0",
    "tolerance_change=0.5",
    "max_iter=1",
)


def make(torch, settings):
    return lambda p: eval(f"torch.optim.LBFGS(p, {settings})", {"torch": torch, "p": p})


def curved(torch, dtype):
    """Rosenbrock's valley, whose floor bends."""
    p = torch.nn.Parameter(torch.tensor([-1.2, 1.0], dtype=getattr(torch, dtype)))

    def closure():
        p.grad = None
        loss = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
        loss.backward()
        return loss

    return [p], closure


@programs.add
def steps_down_a_simple_hill(torch):
    found = {}
    for settings in SETTINGS:
        params, compute = problem(torch, "float64")
        optimizer = make(torch, settings)(params)
        losses = [optimizer.step(compute) for _ in range(3)]
        state = optimizer.state[params[0]]
        found[settings] = [losses, params, state["func_evals"], state["n_iter"]]
    return found


@programs.add
def steps_down_a_bent_valley(torch):
    found = []
    for settings in SETTINGS[:5]:
        params, closure = curved(torch, "float64")
        optimizer = make(torch, settings)(params)
        losses = [optimizer.step(closure) for _ in range(4)]
        found.append([losses[:2], optimizer.state[params[0]]["func_evals"]])
    return found


@programs.add
def single_precision_reaches_the_valleys_end(torch):
    params, closure = curved(torch, "float32")
    optimizer = make(torch, 'line_search_fn="strong_wolfe"')(params)
    for _ in range(10):
        optimizer.step(closure)
    return [bool((params[0] - 1).abs().max() < 1e-2)]


@programs.add
def states_are_saved_and_loaded(torch):
    params, closure = curved(torch, "float64")
    optimizer = make(torch, "max_iter=3")(params)
    optimizer.step(closure)
    saved = optimizer.state_dict()
    again = make(torch, "max_iter=3")(params)
    again.load_state_dict(saved)
    return [again.step(closure), params, sorted(saved["state"][0])]


@programs.add
def nan_in_one_gradient_leaves_other_parameters_alone(torch):
    ps = [torch.ones(3, requires_grad=True), torch.ones(2, requires_grad=True)]
    ps[0].grad = torch.full((3,), float("nan"))
    torch.optim.LBFGS(ps, lr=0.1).step(lambda: ps[0].sum())
    return [p.isnan() for p in ps]


@programs.add
def numbers_of_iterations_need_not_be_whole(torch):
    found = []
    for search in (None, "strong_wolfe"):
        for count in (2.5, float("nan")):
            params, closure = curved(torch, "float64")
            optimizer = torch.optim.LBFGS(params, 0.1, count, line_search_fn=search)
            found += [optimizer.step(closure), params]
    return found


@programs.add
def wrong_settings_are_refused(torch):
    params, closure = problem(torch)
    lbfgs = torch.optim.LBFGS
    odd = lbfgs(params, line_search_fn="other")
    return [
        attempt(lambda: lbfgs(params, lr=-1)),
        attempt(lambda: lbfgs([{"params": params[:1]}, {"params": params[1:]}])),
        attempt(lambda: odd.step(closure)),
        attempt(lambda: lbfgs(params).step())[:2],
    ]


test_lbfgs = programs.test()
