"""The order in memory of convolutions' weights."""

from __future__ import annotations

from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def weights_of_convolutions_are_reordered(torch):
    nn, found = torch.nn, []
    net = nn.Sequential(nn.Conv2d(2, 3, 2), nn.Sequential(nn.ConvTranspose2d(3, 2, 2)),
                        nn.Conv3d(2, 3, 2), nn.Linear(2, 2))  # fmt: skip
    for change, order in (
        (nn.utils.convert_conv2d_weight_memory_format, torch.channels_last),
        (nn.utils.convert_conv3d_weight_memory_format, torch.channels_last_3d),
    ):
        before = [p.detach().clone() for p in net.parameters()]
        found.append(change(net, order) is net)
        for p, q in zip(net.parameters(), before, strict=True):
            found.append([list(p.stride()), torch.equal(p, q), p.requires_grad])
    return found


test_memory_format = programs.test()
