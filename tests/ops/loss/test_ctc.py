"""Labels without known times."""

import pytest

from tests.ops.cases import alike, derivatives, refused

X = "squares.repeat(2, 2, 1).log_softmax(2)"  # 4 steps, 6 samples, 3 classes
T = "torch.tensor([[1, 2], [1, 1], [2, 0], [2, 1], [1, 0], [2, 2]])"

CASES = [
    f"F.ctc_loss({X}, {T}, (4, 4, 3, 4, 4, 2), (2, 2, 1, 2, 1, 1))",
    f"F.ctc_loss({X}, {T}, (4,) * 6, (2, 2, 1, 2, 1, 2), reduction='sum')",
    f"F.ctc_loss({X}, {T}, torch.tensor([4] * 6), torch.tensor([1] * 6), "
    "reduction='none')",
    f"F.ctc_loss({X}, torch.tensor([1, 2, 1, 2, 1, 2]), (4,) * 6, (1,) * 6)",
    f"F.ctc_loss({X}[:, 0], torch.tensor([1]), torch.tensor(4), torch.tensor(1))",
    f"F.ctc_loss({X}, {T}, (1,) * 6, (2, 2, 1, 2, 1, 2), zero_infinity=True)",
    f"F.ctc_loss({X}, {T}, (1,) * 6, (2, 2, 1, 2, 1, 2), reduction='sum')",
    f"F.ctc_loss({X}, {T} - 1, (4,) * 6, (1,) * 6, blank=2)",
]

REFUSED = [
    "F.ctc_loss(cls, cls, cls, torch.ones(6))",
    f"F.ctc_loss({X}, {T}, torch.ones(6), torch.ones(6).long())",
    f"F.ctc_loss({X}, {T}, torch.ones(6).long(), torch.ones(6))",
    f"F.ctc_loss({X}, {T}, (5,) * 6, (1,) * 6)",
    f"F.ctc_loss({X}, {T}, (4,) * 6, (3,) * 6)",
    f"F.ctc_loss({X}, {T}, (4,) * 6, (1,) * 6, blank=3)",
    f"F.ctc_loss({X}, {T}, (4,) * 5, (1,) * 6)",
    f"F.ctc_loss({X}, {T}, (4,) * 6, (1,) * 5)",
    f"F.ctc_loss({X}, {T}, (4,) * 6, (1,) * 6, reduction='max')",
    "F.ctc_loss(squares, torch.ones(3, 2).long(), (-1, 2, 2), (1, 1, 1))",
    "F.ctc_loss(squares, torch.ones(3, 2).long(), (3, 2, 2), (1, 1, -1))",
    "F.ctc_loss(squares, torch.ones(4).long(), (9, 2, 2), (1, 1, 1))",
]


def test_ctc_loss_through_log_softmax_has_the_derivatives_of_differences():
    loss = "F.ctc_loss(squares.log_softmax(2), torch.tensor([[1], [2], [1]]), (2,) * 3, (1,) * 3)"
    derivatives(loss, second=False)


@pytest.mark.parametrize("case", CASES)
def test_ctc_loss_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_ctc_loss_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
