"""Losses as `torch` has them."""

import pytest

import edutorch
from tests.ops.cases import alike

SIGNS = "torch.tensor([1, -1])"
LOGS = "torch.log_softmax(seq.permute(2, 0, 1), 2)"

CASES = [
    *(f"torch.binary_cross_entropy_with_logits(a, prob, None, row.detach().exp(), {n})"
      for n in (0, 1, 2)),
    "torch.binary_cross_entropy_with_logits(a, prob)",
    f"torch.cosine_embedding_loss(a, b, {SIGNS}, 0.1, 2)",
    f"torch.ctc_loss({LOGS}, torch.tensor([[1, 2], [3, 1]]), (5, 4), (2, 1), 0, 2)",
    f"torch.ctc_loss({LOGS}, torch.tensor([[1, 2], [3, 1]]), (5, 4), (2, 1))",
    "torch.hinge_embedding_loss(a, ints.sign() * 2 + 1)",
    "torch.kl_div(a, prob)",
    "torch.kl_div(a, prob, 2, log_target=True)",
    "torch.margin_ranking_loss(a, b, ints.sign(), 0.5, 0)",
    "torch.poisson_nll_loss(a, positive, True, False, 1e-8, 1)",
    "torch.poisson_nll_loss(positive, positive, False, True, 1e-3, 2)",
    "torch.triplet_margin_loss(a, b, positive, 0.5, 3, 1e-6, True, 2)",
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_loss_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


def test_a_reduction_that_is_none_is_refused():
    one = edutorch.ones(1)
    with pytest.raises(ValueError, match="7 is not a valid value for reduction"):
        edutorch.kl_div(one, one, 7)
    with pytest.raises(TypeError, match="argument 'reduction' must be int, not str"):
        edutorch.hinge_embedding_loss(one, one, 1.0, "mean")
