"""Walking a tree of modules."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def shared(torch):
    """A tree in which one layer and one parameter appear twice."""
    nn = torch.nn
    layer = nn.Linear(2, 2)
    m = nn.Sequential(layer, nn.Sequential(layer, nn.BatchNorm1d(2)), nn.Linear(2, 2))
    m[2].bias = layer.bias
    m.register_module("gap", None)
    return m


@programs.add
def modules_come_once_or_as_often_as_they_are_there(torch):
    m = shared(torch)
    return [
        [n for n, _ in m.named_modules()],
        [n for n, _ in m.named_modules(prefix="net", remove_duplicate=False)],
        [n for n, _ in m.named_children()],
        [type(x).__name__ for x in m.modules()],
        [type(x).__name__ for x in m.children()],
    ]


@programs.add
def parameters_come_once_or_as_often_as_they_are_there(torch):
    m = shared(torch)
    return [
        [n for n, _ in m.named_parameters()],
        [n for n, _ in m.named_parameters("net", remove_duplicate=False)],
        [n for n, _ in m.named_parameters(recurse=False)],
        [n for n, _ in m[2].named_parameters("p", recurse=False)],
        [list(p.shape) for p in m.parameters()],
        len(list(m.parameters(recurse=False))),
    ]


@programs.add
def buffers_come_with_their_names(torch):
    m = shared(torch)
    return [
        [n for n, _ in m.named_buffers()],
        [n for n, _ in m.named_buffers("x", recurse=False)],
        [list(b.shape) for b in m.buffers()],
    ]


@programs.add
def a_path_leads_to_a_part(torch):
    m = shared(torch)
    return [
        m.get_submodule("") is m,
        m.get_submodule("1.0") is m[0],
        m.get_parameter("1.0.weight") is m[0].weight,
        m.get_buffer("1.1.running_var"),
    ]


@programs.add
def a_path_that_leads_nowhere_is_refused(torch):
    m = shared(torch)
    return [
        attempt(lambda: m.get_submodule("1.7")),
        attempt(lambda: m.get_submodule("0.weight")),
        attempt(lambda: m.get_parameter("0.nothing")),
        attempt(lambda: m.get_parameter("1.1.running_var")),
        attempt(lambda: m.get_buffer("0.weight")),
        attempt(lambda: m.get_buffer("0.nothing")),
    ]


@programs.add
def a_part_is_replaced_by_its_path(torch):
    m = shared(torch)
    m.set_submodule("1.0", torch.nn.Tanh())
    m.set_submodule("1.new", torch.nn.ReLU())
    return [
        repr(m),
        attempt(lambda: m.set_submodule("", torch.nn.ReLU())),
        attempt(lambda: m.set_submodule("1.2", torch.nn.ReLU(), strict=True)),
    ]


@programs.add
def apply_visits_children_first(torch):
    m = shared(torch)
    seen = []
    returned = m.apply(lambda x: seen.append(type(x).__name__))
    return [seen, returned is m]


@programs.add
def modules_may_come_once_for_each_name(torch):
    relu = torch.nn.ReLU()
    m = torch.nn.Sequential(relu, relu)
    return [len(list(m.modules())), len(list(m.modules(remove_duplicate=False)))]


@programs.add
def a_module_cannot_be_set_where_something_else_is(torch):
    m = torch.nn.Sequential(torch.nn.Linear(1, 1))
    return attempt(lambda: m.set_submodule("0.weight", torch.nn.ReLU()))


@programs.add
def buffers_with_a_history_keep_it_when_they_are_cast(torch):
    m = torch.nn.Linear(2, 2)
    p = torch.nn.Parameter(torch.ones(2))
    m.register_buffer("b", p * 2)
    b = m.to(torch.float64).b
    b.sum().backward()
    return [b.dtype == torch.float64, b.requires_grad, p.grad.tolist()]


test_tree = programs.test()
