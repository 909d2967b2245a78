"""Accepted differences in distributions, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"Wishart\((.*\n)*.*x\.float\(\)",
        "exception",
        "whether a sample that is almost singular is positive in single precision is "
        "decided by roundings",
        "Expected b and A to have the same dtype",
    ),
    Known(
        r"Wishart\((.*\n)*.*sample",
        "value",
        "logarithms of determinants of samples that are almost singular",
        cause="rounding",
    ),
    Known(
        r"[dq] = torch.distributions.(Bernoulli|Binomial|Pareto|Uniform|Cont)(.*\n)*.*kl_div",
        "accepted",
        "PyTorch writes with masks that have not the shape of the broadcast result",
    ),
    Known(
        r"LowRankMultivariateNormal(.*\n)*.*kl_divergence",
        "accepted",
        "PyTorch takes the batch of the factor for that of the diagonal beside it",
        r"expand\(torch\.\w+\{.*the number of sizes provided",
    ),
    Known(
        r"GeneralizedPareto",
        "accepted|message",
        "PyTorch compares with a zero in single precision, and refuses double precision",
    ),
    Known(
        r"entropy\(\)\.sum\(\), ps",
        "value",
        "PyTorch's trigamma has nine digits in double precision",
    ),
)
