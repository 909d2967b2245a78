"""Pruning a module's tensors."""

from __future__ import annotations

from tests.nn.utils.prune.nets import layer, pruning, seen
from tests.programs import Programs, attempt

programs = Programs(__file__)

CALLS = (
    "identity(m, 'weight')",
    "l1_unstructured(m, 'weight', 0.3)",
    "l1_unstructured(m, 'weight', 5, torch.arange(12.0).reshape(3, 4))",
    "random_unstructured(m, 'weight', 0.5)",
    "random_structured(m, 'weight', 2, dim=1)",
    "ln_structured(m, 'weight', 1, n=2, dim=0)",
    "ln_structured(m, 'weight', 0.5, 1, -1, torch.arange(12.0).reshape(3, 4))",
    "ln_structured(m, 'weight', 1, n=float('inf'), dim=1)",
    "custom_from_mask(m, 'weight', torch.eye(3, 4))",
    "l1_unstructured(m, 'weight', 0)",
    "random_structured(m, 'weight', 0.0, 0)",
)
REFUSED = (
    "l1_unstructured(m, 'weight', 'x')", "l1_unstructured(m, 'weight', -1)",
    "l1_unstructured(m, 'weight', 1.5)", "l1_unstructured(m, 'weight', 13)",
    "ln_structured(m, 'bias', 1, 2, 0)", "ln_structured(m, 'weight', 1, 2, 3)",
    "random_structured(m, 'weight', 9, 0)", "remove(m, 'weight')",
    "custom_from_mask(m, 'weight', torch.ones(2))",
    "l1_unstructured(m, 'weight', 1, torch.ones(2))",
    "global_unstructured(3, L1Unstructured, amount=1)",
    "global_unstructured([(m, 'weight')], L1Unstructured, [1], amount=1)",
)  # fmt: skip


def run(torch, call, m):
    return eval(call, {**vars(pruning(torch)), "m": m, "torch": torch})


@programs.add
def tensors_are_pruned_once_twice_and_no_more(torch):
    found = {}
    for call in CALLS:
        m = layer(torch)
        same = run(torch, call, m) is m
        once = seen(torch, m)
        run(torch, "l1_unstructured(m, 'weight', 2)", m)
        twice = seen(torch, m)
        run(torch, "ln_structured(m, 'weight', 1, 2, 0)", m)
        pruned = run(torch, "is_pruned(m)", m)
        thrice = seen(torch, m)
        run(torch, "remove(m, 'weight')", m)
        left = [m.state_dict(), run(torch, "is_pruned(m)", m), m.weight.requires_grad]
        found[call] = [same, once, twice, pruned, thrice, left]
    return found


@programs.add
def several_tensors_are_pruned_as_one(torch):
    prune, found = pruning(torch), []
    for scores in (None, 1):
        net = torch.nn.Sequential(layer(torch), torch.nn.Linear(3, 2))
        pairs = [(net[0], "weight"), (net[1], "weight")]
        given = None if scores is None else {pairs[1]: torch.zeros(2, 3)}
        prune.global_unstructured(pairs, prune.L1Unstructured, given, amount=7)
        found.append(
            [net[0].weight_mask, net[1].weight_mask.sum(), prune.is_pruned(net)]
        )
    return found


@programs.add
def only_single_entries_are_pruned_as_one(torch):
    call = "global_unstructured([(m, 'weight')], LnStructured, amount=1, n=1)"
    return attempt(lambda: run(torch, call, layer(torch)))[:2]


@programs.add
def what_does_not_fit_is_refused(torch):
    return {c: attempt(lambda c=c: repr(run(torch, c, layer(torch)))) for c in REFUSED}


test_functions = programs.test()
