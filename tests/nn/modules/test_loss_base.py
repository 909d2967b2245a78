"""What loss layers share."""

from __future__ import annotations

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


@programs.add
def old_names_of_reductions_are_warned_of(torch):
    nn = torch.nn
    kinds = (
        {"size_average": False}, {"reduce": False}, {"size_average": True},
        {"size_average": "sum"}, {"reduce": 0},
    )  # fmt: skip
    found = [warned(lambda k=k: nn.MSELoss(**k).reduction) for k in kinds]
    return [*found, warned(lambda: repr(nn.L1Loss()))]


@programs.add
def programs_write_losses_of_their_own(torch):
    module = torch.nn.modules.loss

    class Count(module._WeightedLoss):
        def forward(self, x):
            return (x * self.weight).sum() if self.reduction == "sum" else x

    loss = Count(torch.tensor([1.0, 2.0]), reduction="sum")
    return [loss(torch.ones(2)), list(loss.state_dict()), attempt(module._Loss())]


test_loss_base = programs.test()
