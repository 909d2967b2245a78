"""What assigning to a module registers, and what it refuses."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def tables(m):
    names = sorted(m._non_persistent_buffers_set)
    return [list(m._parameters), list(m._buffers), list(m._modules), names]


def empty(torch):
    return torch.nn.Module()


@programs.add
def attributes_are_sorted_by_kind(torch):
    m = empty(torch)
    m.w = torch.nn.Parameter(torch.ones(2))
    m.child = torch.nn.ReLU()
    m.register_buffer("mean", torch.zeros(1))
    m.temp = torch.nn.Buffer(torch.zeros(1), persistent=False)
    m.plain = torch.ones(3)
    return [tables(m), m.w, m.mean, "plain" in m.__dict__, list(m.state_dict())]


@programs.add
def a_name_changes_its_kind(torch):
    m = empty(torch)
    m.x = 3
    m.x = torch.nn.Parameter(torch.ones(1))
    first = tables(m), "x" in m.__dict__
    m.y = torch.nn.ReLU()
    m.y = torch.nn.Parameter(torch.ones(1))
    second = tables(m)
    m.register_buffer("z", torch.ones(1))
    m.z = torch.nn.Parameter(torch.ones(1))
    third = tables(m)
    m.x = torch.nn.ReLU()
    return [first, second, third, tables(m)]


@programs.add
def none_keeps_the_name(torch):
    m = empty(torch)
    m.w = torch.nn.Parameter(torch.ones(1))
    m.w = None
    m.child = torch.nn.ReLU()
    m.child = None
    m.register_buffer("b", None)
    m.b = torch.ones(1)
    m.b = None
    m.register_parameter("p", None)
    return [tables(m), m.w, m.child, m.b, m.p, list(m.state_dict())]


@programs.add
def wrong_kinds_are_refused(torch):
    m = empty(torch)
    m.w = torch.nn.Parameter(torch.ones(1))
    m.child = torch.nn.ReLU()
    m.register_buffer("b", torch.ones(1))
    return [
        attempt(lambda: setattr(m, "w", torch.ones(1))),
        attempt(lambda: setattr(m, "w", 3)),
        attempt(lambda: setattr(m, "child", 3)),
        attempt(lambda: setattr(m, "child", torch.ones(1))),
        attempt(lambda: setattr(m, "b", 3)),
        attempt(lambda: m.register_buffer("c", 3)),
        attempt(lambda: m.register_parameter("c", torch.ones(1))),
        attempt(lambda: m.add_module("c", 3)),
        attempt(lambda: m.register_module("c", "text")),
        tables(m),
    ]


@programs.add
def wrong_names_are_refused(torch):
    m = empty(torch)
    m.taken = 1
    p = torch.nn.Parameter(torch.ones(1))
    child = torch.nn.ReLU()
    found = []
    for name in ("a.b", "", "taken", "forward", 3):
        found.append(attempt(lambda n=name: m.register_parameter(n, p)))
        found.append(attempt(lambda n=name: m.register_buffer(n, torch.ones(1))))
        found.append(attempt(lambda n=name: m.add_module(n, child)))
    return found


@programs.add
def computed_parameters_are_refused(torch):
    p = torch.nn.Parameter(torch.ones(1))
    m = empty(torch)

    class Sub(torch.nn.Parameter):
        pass

    q = Sub(torch.ones(1))
    doubled = (p * 2).as_subclass(Sub) if hasattr(p, "as_subclass") else p
    del doubled
    m.register_parameter("q", q)
    return [type(m.q).__name__, tables(m)]


@programs.add
def calls_before_init_are_refused(torch):
    class Early(torch.nn.Module):
        def __init__(self):
            pass

    return attempt(lambda: Early()(1))


@programs.add
def before_init_assignment_is_refused(torch):
    class Early(torch.nn.Module):
        def __init__(self, what):
            if what == "parameter":
                self.w = torch.nn.Parameter(torch.ones(1))
            elif what == "module":
                self.m = torch.nn.ReLU()
            elif what == "register":
                self.register_parameter("w", None)
            elif what == "buffer":
                self.register_buffer("w", None)
            super().__init__()

    whats = ("parameter", "module", "register", "buffer")
    return [attempt(lambda w=what: Early(w)) for what in whats]


@programs.add
def missing_attributes_are_named(torch):
    m = torch.nn.Linear(1, 1)
    return [attempt(lambda: m.nothing), hasattr(m, "weight"), hasattr(m, "nothing")]


@programs.add
def deleting_takes_off_the_tables(torch):
    m = torch.nn.BatchNorm1d(2)
    m.child = torch.nn.ReLU()
    m.plain = 1
    for name in ("weight", "running_mean", "child", "plain"):
        delattr(m, name)
    return [tables(m), attempt(lambda: delattr(m, "weight")), hasattr(m, "plain")]


@programs.add
def persistence_survives_assignment(torch):
    m = empty(torch)
    m.register_buffer("a", torch.ones(1), persistent=False)
    m.a = torch.zeros(1)
    first = tables(m)
    m.register_buffer("a", torch.ones(1))
    return [first, tables(m)]


@programs.add
def dir_lists_what_is_registered(torch):
    m = torch.nn.Sequential(torch.nn.Linear(1, 1))
    m.extra = torch.nn.ReLU()
    names = dir(m)
    return ["extra" in names, "0" in names, "forward" in names, "weight" in dir(m[0])]


@programs.add
def registration_hooks_see_and_replace(torch):
    module = torch.nn.modules.module
    seen = []

    def note(m, name, value):
        seen.append([type(m).__name__, name, type(value).__name__])

    def other(m, name, value):
        return torch.nn.Tanh()

    with (
        module.register_module_parameter_registration_hook(note),
        module.register_module_buffer_registration_hook(note),
        module.register_module_module_registration_hook(note),
    ):
        m = torch.nn.Sequential(torch.nn.BatchNorm1d(2), torch.nn.Linear(1, 1))
    with module.register_module_module_registration_hook(other):
        m.add_module("last", torch.nn.ReLU())
    return [seen, repr(m[-1])]


@programs.add
def a_buffer_before_init_is_refused(torch):
    class Forgetful(torch.nn.Module):
        def __init__(self):
            pass

    m = Forgetful()
    return attempt(lambda: setattr(m, "b", torch.nn.Buffer(torch.ones(1))))


test_registry = programs.test()
