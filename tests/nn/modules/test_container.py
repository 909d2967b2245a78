"""Containers of modules."""

from __future__ import annotations

from collections import OrderedDict

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def names(m):
    return [n for n, _ in m.named_children()]


def layers(torch):
    nn = torch.nn
    return [nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1)]


@programs.add
def sequences_run_and_are_indexed(torch):
    nn = torch.nn
    m = nn.Sequential(*layers(torch))
    named = nn.Sequential(OrderedDict(first=nn.Linear(2, 2), act=nn.Tanh()))
    return [
        m(torch.ones(1, 2)), named(torch.ones(1, 2)), repr(named), named.act is named[1],
        repr(m[0:2]), repr(named[1:]), m[-1] is m[2], len(m), [type(x).__name__ for x in m],
        attempt(lambda: m[3]), attempt(lambda: m["0"])[:2], repr(nn.Sequential()),
    ]  # fmt: skip


@programs.add
def sequences_are_changed(torch):
    nn = torch.nn
    m = nn.Sequential(*layers(torch))
    m[1] = nn.Tanh()
    m.append(nn.Sigmoid()).extend([nn.ReLU()]).insert(0, nn.Identity())
    grown = repr(m)
    del m[0]
    del m[1:3]
    popped = repr(m.pop(0))
    return [grown, repr(m), names(m), popped,
            attempt(lambda: m.insert(9, nn.ReLU())),
            attempt(lambda: m.insert(0, 3)), attempt(lambda: m.append(3)),
            attempt(lambda: setattr(m, "0", 3))]  # fmt: skip


@programs.add
def sequences_are_added_and_multiplied(torch):
    nn = torch.nn
    a, b = nn.Sequential(nn.ReLU()), nn.Sequential(nn.Tanh(), nn.Identity())
    found = [repr(a + b), repr(a * 2), repr(2 * b)]
    a += b
    b *= 2
    return [*found, repr(a), repr(b), attempt(lambda: a + [1]), attempt(lambda: a * "x"),
            attempt(lambda: a * 0)]  # fmt: skip


@programs.add
def lists_of_modules(torch):
    nn = torch.nn
    m = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
    m.append(nn.ReLU())
    m += [nn.Tanh()]
    m.insert(0, nn.Identity())
    m[1] = nn.Sigmoid()
    both = m + [nn.ReLU()]
    text = repr(m)
    del m[0], m[1:3]
    last = m.pop(-1)
    return [text, repr(m), names(m), len(both), type(both).__name__, repr(last),
            repr(m[0:1]), m[0] in m, attempt(lambda: m[7]),
            attempt(lambda: m.extend(3)), attempt(lambda: m + 3)[:2],
            attempt(lambda: m(1)), len(nn.ModuleList())]  # fmt: skip


@programs.add
def lists_repeat_themselves_in_short(torch):
    nn = torch.nn
    block = [nn.Sequential(nn.Linear(2, 2), nn.ReLU()) for _ in range(3)]
    return [repr(nn.ModuleList([*block, nn.Linear(2, 2), nn.Linear(2, 2)])),
            repr(nn.ModuleList()), repr(nn.ModuleList([nn.ReLU()]))]  # fmt: skip


@programs.add
def dictionaries_of_modules(torch):
    nn = torch.nn
    m = nn.ModuleDict({"b": nn.ReLU(), "a": nn.Tanh()})
    m["c"] = nn.Linear(1, 1)
    m.update([("d", nn.Identity())])
    m.update(nn.ModuleDict({"e": nn.ReLU()}))
    text = repr(m)
    popped = repr(m.pop("b"))
    del m["a"]
    return [text, popped, list(m), list(m.keys()), [repr(v) for v in m.values()],
            [k for k, _ in m.items()], len(m), "c" in m, attempt(lambda: m["zz"]),
            attempt(lambda: m.update(3)), attempt(lambda: m.update([1])),
            attempt(lambda: m.update([(1, 2, 3)])), repr(m.clear()), len(m),
            attempt(lambda: m.__setitem__("keys", nn.ReLU()))]  # fmt: skip


@programs.add
def the_old_container_warns_and_holds_modules(torch):
    return warned(lambda: repr(torch.nn.Container(a=torch.nn.ReLU())))


@programs.add
def functions_are_no_layers(torch):
    nn = torch.nn
    kinds = len, nn.ReLU, [nn.ReLU()], 3
    return [attempt(lambda k=k: nn.Sequential(k)) for k in kinds]


test_container = programs.test()
