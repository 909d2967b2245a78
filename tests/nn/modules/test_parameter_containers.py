"""Containers of parameters."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def lists_of_parameters(torch):
    nn = torch.nn
    m = nn.ParameterList([torch.ones(2), nn.Parameter(torch.ones(1, 3))])
    m.append(torch.zeros(1)).extend([torch.ones(4)])
    m += [torch.tensor(2.0)]
    m.append("text")
    m[0] = torch.zeros(2)
    text = repr(m)
    return [text, len(m), list(m.state_dict()), m[1], m[-2], type(m[0]).__name__,
            [list(p.shape) for p in m.parameters()], repr(m[1:3]),
            attempt(lambda: m[9]), m.pop() if hasattr(m, "pop") else None, len(m),
            attempt(lambda: m.extend(torch.ones(1)))[:2],
            attempt(lambda: m.extend(3))]  # fmt: skip


@programs.add
def dictionaries_of_parameters(torch):
    nn = torch.nn
    m = nn.ParameterDict({"b": torch.ones(2), "a": nn.Parameter(torch.ones(1))})
    m["c"] = torch.zeros(3)
    m.update([("d", torch.ones(1, 1))])
    m["n"] = 3
    text = repr(m)
    del m["a"]
    found = [text, list(m), len(m), "c" in m, list(m.state_dict()), m["b"],
             list(m.values())[0], [k for k, _ in m.items()]]  # fmt: skip
    more = [m.get("x"), m.get("x", 5), m.setdefault("e", torch.ones(2)), m.pop("e"),
            m.popitem()[0], list(m.copy()), list(m.fromkeys(["u"], 1.0)),
            list(m | nn.ParameterDict({"z": torch.ones(1)})), list(reversed(m))]  # fmt: skip
    m.clear()
    return [found, more, len(m), attempt(lambda: m["q"])[:2],
            attempt(lambda: m.update(3)), attempt(lambda: m.update([1]))]  # fmt: skip


test_parameters = programs.test()
