"""Likelihoods of counts, normal variables, distributions."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.kl_div(a.detach().half(), positive.detach().half(), reduction='none')",
    "torch.xlogy(positive.detach().bfloat16(), positive.detach().bfloat16())",
    "F.poisson_nll_loss(a, positive)",
    "F.poisson_nll_loss(positive, positive * 2, False, True, reduction='sum')",
    "F.poisson_nll_loss(a, positive, full=True, reduction='none')",
    "F.gaussian_nll_loss(a, b, positive)",
    "F.gaussian_nll_loss(a, b, positive[:, :1], True)",
    "F.gaussian_nll_loss(a, b, positive[:, 0], eps=1.0)",
    "F.gaussian_nll_loss(a, b, 0.5, reduction='sum')",
    "F.kl_div(a, prob)",
    "F.kl_div(a, prob, reduction='batchmean')",
    "F.kl_div(a, b, reduction='sum', log_target=True)",
    "F.kl_div(a, zeroed.detach().abs(), reduction='none')",
]

SMOOTH = [
    "F.poisson_nll_loss(a, positive, full=True)",
    "F.gaussian_nll_loss(a, b, positive)",
    "F.kl_div(a, prob, reduction='batchmean')",
]

REFUSED = [
    "F.kl_div(ints, a, reduction='sum')",
    "F.kl_div(complexes, complexes, reduction='sum')",
    "F.poisson_nll_loss(a, positive, reduction='max')",
    "F.poisson_nll_loss(a, ch)",
    "F.gaussian_nll_loss(a, b, -positive)",
    "F.gaussian_nll_loss(a, b, -1.0)",
    "F.gaussian_nll_loss(a, b, ch)",
    "F.gaussian_nll_loss(a, b, positive, reduction='max')",
    "F.kl_div(a, prob, reduction='max')",
    "F.kl_div(a, ch)",
]


@pytest.mark.parametrize("case", CASES)
def test_likelihood_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_likelihood_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_likelihood_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
