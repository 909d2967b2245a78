"""The order of a data set that several processes share."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def ranks_share_an_order(torch):
    made = torch.utils.data.DistributedSampler
    samplers = {
        "even": [made(range(6), 3, r, shuffle=False) for r in range(3)],
        "padded": [made(range(7), 3, r, seed=5) for r in range(3)],
        "dropped": [made(range(8), 3, r, drop_last=True) for r in range(3)],
        "few": [made(range(2), 5, r) for r in range(5)],
        "none": [made(range(2), 3, 0, drop_last=True)],
    }
    return {k: [[list(s), len(s)] for s in v] for k, v in samplers.items()}


@programs.add
def epochs_have_orders_of_their_own(torch):
    sampler = torch.utils.data.DistributedSampler(range(9), num_replicas=2, rank=1)
    found = []
    for epoch in range(3):
        sampler.set_epoch(epoch)
        found.append(list(sampler))
    return found


@programs.add
def ranks_that_are_none_are_refused(torch):
    made = torch.utils.data.distributed.DistributedSampler
    return [attempt(lambda r=rank: made(range(3), 2, r)) for rank in (-1, 2)]


test_distributed = programs.test()
