"""State dictionaries and loading them."""

from __future__ import annotations

from collections import OrderedDict

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def net(torch):
    nn = torch.nn
    m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    m[0].register_buffer("temp", torch.ones(1), persistent=False)
    return m


@programs.add
def keys_values_and_versions(torch):
    s = net(torch).state_dict()
    return [s, s._metadata, type(s).__name__, [t.requires_grad for t in s.values()]]


@programs.add
def values_share_memory(torch):
    m = net(torch)
    s = m.state_dict()
    s["0.bias"].fill_(7)
    return [m[0].bias, m.state_dict(keep_vars=True)["0.bias"] is m[0].bias]


@programs.add
def a_prefix_and_a_destination(torch):
    mine = OrderedDict()
    s = net(torch).state_dict(destination=mine, prefix="net.")
    return [list(s), s is mine, hasattr(s, "_metadata")]


@programs.add
def positional_arguments_are_warned_of(torch):
    return warned(lambda: list(net(torch).state_dict(OrderedDict(), "x.")))


@programs.add
def loading_copies(torch):
    a, b = net(torch), net(torch)
    w = b[0].weight
    found = b.load_state_dict(a.state_dict())
    return [repr(found), tuple(found), b[0].weight is w, torch.equal(w, a[0].weight),
            w.data_ptr() == a[0].weight.data_ptr()]  # fmt: skip


@programs.add
def assigning_takes_the_tensors(torch):
    a, b = net(torch).double(), net(torch)
    s = a.state_dict()
    b[0].weight.requires_grad_(False)
    b.load_state_dict(s, assign=True)
    w = b[0].weight
    return [str(w.dtype), type(w).__name__, w.requires_grad, b[0].bias.requires_grad,
            w.data_ptr() == s["0.weight"].data_ptr(),
            type(b[1].running_mean).__name__ == "Parameter"]  # fmt: skip


@programs.add
def loading_casts_to_the_dtype_here(torch):
    a, b = net(torch).double(), net(torch)
    b.load_state_dict(a.state_dict())
    return [str(b[0].weight.dtype), torch.equal(b[0].weight, a[0].weight.float())]


@programs.add
def missing_unexpected_and_misshapen_are_listed(torch):
    m = net(torch)
    s = m.state_dict()
    del s["0.bias"], s["1.running_var"]
    s["0.new"] = s["9.weight"] = s["other"] = s["0.weight.deep"] = torch.ones(1)
    s["0.weight"] = torch.ones(3, 3)
    s["1.weight"] = "text"

    def full():
        try:
            m.load_state_dict(s)
        except RuntimeError as error:
            return str(error).split("\n")

    return [full(), attempt(lambda: m.load_state_dict(s, strict=False))]


@programs.add
def without_strictness_what_fits_is_loaded(torch):
    m = net(torch)
    with torch.no_grad():
        for p in m.parameters():
            p.zero_()
    s = OrderedDict({"0.bias": torch.ones(3), "extra": torch.ones(1)})
    keys = m.load_state_dict(s, strict=False)
    return [keys.missing_keys, keys.unexpected_keys, repr(keys), m[0].bias]


@programs.add
def what_is_no_dictionary_is_refused(torch):
    return attempt(lambda: net(torch).load_state_dict([1]))


@programs.add
def one_element_loads_into_no_dimensions(torch):
    m = torch.nn.Module()
    m.scale = torch.nn.Parameter(torch.tensor(1.0))
    m.load_state_dict({"scale": torch.tensor([5.0])})
    return m.scale


@programs.add
def extra_state_is_saved_and_loaded(torch):
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.n = 0

        def get_extra_state(self):
            return {"n": self.n}

        def set_extra_state(self, state):
            self.n = state["n"]

    m = torch.nn.Sequential(Counter(), torch.nn.ReLU())
    m[0].n = 5
    s = m.state_dict()
    fresh = torch.nn.Sequential(Counter(), torch.nn.ReLU())
    fresh.load_state_dict(s)
    return [list(s), s["0._extra_state"], fresh[0].n,
            attempt(lambda: fresh.load_state_dict({})),
            attempt(lambda: net(torch).load_state_dict(
                {**net(torch).state_dict(), "0._extra_state": 1}))]  # fmt: skip


@programs.add
def hooks_around_saving(torch):
    m = net(torch)
    seen = []
    m.register_state_dict_pre_hook(
        lambda mod, prefix, keep: seen.append([prefix, keep])
    )

    def after(mod, state, prefix, metadata):
        state[prefix + "more"] = metadata["version"]

    m[1].register_state_dict_post_hook(after)
    return [list(m.state_dict()), seen]


@programs.add
def hooks_around_loading(torch):
    m = net(torch)
    seen = []

    def before(mod, state, prefix, metadata, strict, missing, unexpected, errors):
        seen.append([prefix, metadata.get("version"), strict])
        state.pop(prefix + "junk", None)

    def after(mod, keys):
        seen.append(["after", type(mod).__name__, list(keys.missing_keys)])
        keys.missing_keys.clear()

    m[0].register_load_state_dict_pre_hook(before)
    m[0].register_load_state_dict_post_hook(after)
    m.register_load_state_dict_post_hook(after)
    s = m.state_dict()
    s["0.junk"] = 1
    del s["0.bias"]
    s["0.weight"] = torch.ones(3, 2)
    return [attempt(lambda: repr(m.load_state_dict(s))), seen, m[0].weight]


@programs.add
def a_hook_that_returns_is_refused(torch):
    m = net(torch)
    m.register_load_state_dict_post_hook(lambda mod, keys: 1)
    return attempt(lambda: m.load_state_dict(m.state_dict()))[:2]


@programs.add
def own_loading_methods_are_called(torch):
    class Renamed(torch.nn.Linear):
        def _load_from_state_dict(self, state, prefix, *rest):
            if prefix + "kernel" in state:
                state[prefix + "weight"] = state.pop(prefix + "kernel")
            super()._load_from_state_dict(state, prefix, *rest)

        def _save_to_state_dict(self, destination, prefix, keep_vars):
            super()._save_to_state_dict(destination, prefix, keep_vars)
            destination[prefix + "kernel"] = destination.pop(prefix + "weight")

    m = Renamed(2, 1)
    s = m.state_dict()
    s["kernel"] = torch.ones(1, 2)
    m.load_state_dict(s)
    return [list(s), m.weight]


@programs.add
def batch_norm_takes_old_states(torch):
    m = torch.nn.BatchNorm1d(2)
    s = m.state_dict()
    del s["num_batches_tracked"], s._metadata
    return repr(m.load_state_dict(s))


@programs.add
def the_older_load_hook_gets_no_module(torch):
    m, seen = torch.nn.Linear(2, 1), []
    m._register_load_state_dict_pre_hook(
        lambda state, prefix, *rest: seen.append([sorted(state), prefix, len(rest)])
    )
    m._register_load_state_dict_pre_hook(
        lambda module, state, *rest: seen.append([repr(module), len(rest)]),
        with_module=True,
    )
    m.load_state_dict(m.state_dict())
    return seen


@programs.add
def a_hook_after_saving_returns_nothing(torch):
    m = torch.nn.Linear(2, 1)
    m._register_state_dict_hook(lambda module, state, prefix, data: {"all": state})
    n = torch.nn.Linear(2, 1)
    n.register_state_dict_post_hook(lambda *a: 1)
    return [list(m.state_dict()), attempt(n.state_dict)]


@programs.add
def a_hook_after_loading_returns_nothing(torch):
    m = torch.nn.Linear(2, 1)
    m.register_load_state_dict_post_hook(lambda *a: 1)
    found = type(torch.nn.Linear(2, 1).load_state_dict(m.state_dict())).__name__
    return [attempt(lambda: m.load_state_dict(m.state_dict())), found]


@programs.add
def programs_may_load_module_by_module(torch):
    net = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.BatchNorm1d(2))
    state = {"0.weight": torch.ones(2, 1), "1.bias": torch.ones(2), "2.x": 1}
    missing, unexpected, errors = [], [], []
    for name, part in net.named_modules():
        start = f"{name}." if name else ""
        part._load_from_state_dict(state, start, {}, True, missing, unexpected, errors)
    return [missing, unexpected, errors, net[0].weight, net[1].bias]


@programs.add
def several_elements_do_not_load_into_no_dimensions(torch):
    m = torch.nn.Module()
    m.scale = torch.nn.Parameter(torch.tensor(1.0))
    return attempt(lambda: m.load_state_dict({"scale": torch.ones(3)}))


@programs.add
def extra_state_of_a_module_without_one_is_refused(torch):
    m = torch.nn.ReLU()
    return [attempt(m.get_extra_state), attempt(lambda: m.set_extra_state(1))]


test_state = programs.test()


def test_loading_when_a_shape_differs_changes_nothing():
    import edutorch

    m = net(edutorch)
    before = [t.clone() for t in m.state_dict().values()]
    s = OrderedDict((k, v + 1) for k, v in m.state_dict().items())
    s["1.weight"] = edutorch.ones(9)
    try:
        m.load_state_dict(s)
    except RuntimeError:
        pass
    now = m.state_dict().values()
    assert all(edutorch.equal(a, b) for a, b in zip(before, now, strict=True))
