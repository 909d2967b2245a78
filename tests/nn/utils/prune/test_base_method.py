"""What ways of pruning share."""

from __future__ import annotations

from tests.nn.utils.prune.nets import layer, pruning, seen
from tests.programs import Programs, attempt

programs = Programs(__file__)


def own(torch, kind="unstructured"):
    """A way of one's own: every second entry."""

    class Second(pruning(torch).BasePruningMethod):
        PRUNING_TYPE = kind

        def compute_mask(self, t, default_mask):
            mask = default_mask.clone()
            mask.view(-1)[::2] = 0
            return mask

    return Second


@programs.add
def a_way_of_ones_own_needs_compute_mask_alone(torch):
    m, way = layer(torch), own(torch)
    way.apply(m, "weight")
    found = [seen(torch, m), way().prune(torch.ones(2, 3))]
    found.append(way().prune(torch.ones(4), torch.tensor([1.0, 1, 0, 1])))
    found.append(attempt(lambda: way().prune(torch.ones(4), None, torch.ones(2))))
    return [*found, attempt(lambda: pruning(torch).BasePruningMethod())[:2]]


@programs.add
def ways_are_contained_in_one(torch):
    prune, m = pruning(torch), layer(torch)
    prune.l1_unstructured(m, "weight", 2)
    own(torch).apply(m, "weight")
    (hook,) = m._forward_pre_hooks.values()
    names = [type(way).__name__ for way in hook]
    return [
        type(hook).__name__,
        len(hook),
        names,
        type(hook[0]).__name__,
        seen(torch, m),
    ]


@programs.add
def what_does_not_fit_is_refused(torch):
    prune, found = pruning(torch), []
    for kind in ("structured", "other"):
        m = layer(torch)
        prune.l1_unstructured(m, "weight", 2)
        found.append(attempt(lambda k=kind, m=m: own(torch, k).apply(m, "weight")))
    first, other = prune.L1Unstructured(1), prune.Identity()
    first._tensor_name, other._tensor_name = "weight", "bias"
    container = prune.PruningContainer(first)
    found.append(attempt(lambda: container.add_pruning_method(3)))
    return [*found, attempt(lambda: container.add_pruning_method(other))[:2]]


test_method = programs.test()
