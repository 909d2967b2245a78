"""Distributions, their derivatives and divergences; transforms and their inverses."""

from __future__ import annotations

import random
from itertools import count

__all__ = ["program"]

# Kinds of parameters: r any number, p positive, u of (0, 1), n a count, s weights along
# the last dimension, v a vector, w a positive vector, m a root of a covariance.
FAMILIES = {
    "Bernoulli": ["u", "logits=r"], "Beta": ["p, p"], "Cauchy": ["r, p"],
    "Binomial": ["n, u", "n, logits=r"], "Categorical": ["s", "logits=v"],
    "Chi2": ["p"], "ContinuousBernoulli": ["u", "logits=r"], "Dirichlet": ["w"],
    "Exponential": ["p"], "FisherSnedecor": ["p, p"], "Gamma": ["p, p"],
    "Geometric": ["u", "logits=r"], "Gumbel": ["r, p"], "HalfCauchy": ["p"],
    "HalfNormal": ["p"], "InverseGamma": ["p, p"], "Kumaraswamy": ["p, p"],
    "Laplace": ["r, p"], "LogNormal": ["r, p"], "LogisticNormal": ["v, w"],
    "LowRankMultivariateNormal": ["v, m, w"], "Multinomial": ["4, s", "3, logits=v"],
    "MultivariateNormal": ["v, scale_tril=m", "v, m @ m.mT", "v, None, m @ m.mT"],
    "NegativeBinomial": ["p, u", "p, logits=r"], "Normal": ["r, p"], "Poisson": ["p"],
    "OneHotCategorical": ["s"], "OneHotCategoricalStraightThrough": ["logits=v"],
    "Pareto": ["p, p"], "RelaxedBernoulli": ["t, u", "t, logits=r"],
    "RelaxedOneHotCategorical": ["t, s", "t, logits=v"], "StudentT": ["p, r, p"],
    "Uniform": ["-p, p"], "VonMises": ["r, p"], "Weibull": ["p, p"],
    "GeneralizedPareto": ["r, p, p", "r, p, -p"],
    "Wishart": [
        "p + 2, scale_tril=m", "p + 2, m @ m.mT", "p + 2, precision_matrix=m @ m.mT",
    ],
}  # fmt: skip
QUERIES = (
    "d.sample((3,)), torch.rand(2)", "d.rsample((3,)), torch.rand(2)", "d.entropy()",
    "d.log_prob(x)", "d.cdf(x)", "d.icdf(d.cdf(x))", "d.mean, d.variance",
    "d.mode, d.stddev", "d.enumerate_support()", "d.expand((2, *d.batch_shape)), d",
    "d.support, d.batch_shape, d.event_shape", "d.log_prob(x - 9)", "d.log_prob(x[..., :2])",
    "torch.autograd.grad(d.log_prob(x).sum(), ps, allow_unused=True)",
    "torch.autograd.grad((d.rsample((2,)) ** 2).sum(), ps, allow_unused=True)",
    "torch.autograd.grad(d.entropy().sum(), ps, allow_unused=True)",
    "torch.autograd.grad((d.mean ** 3).sum(), ps, allow_unused=True)",
    "torch.autograd.grad((d.variance ** 3).sum(), ps, allow_unused=True)",
    "torch.autograd.grad(d.cdf(x).sum(), ps, allow_unused=True)",
    "d.expand((5, 2, *d.batch_shape)).log_prob(x[0])", "d.expand((4,)).sample()",
    "d.sample_n(2)", "d.perplexity()", "repr(d)", "d.has_rsample, d.has_enumerate_support",
    "d.enumerate_support(expand=False)", "d.sample(torch.Size([2, 1])).shape",
    "list(d.arg_constraints), d.arg_constraints", "d.support.check(x), d.support.check(x + 0.5)",
    "D.Independent(d, 1).log_prob(x)", "D.Independent(d, 1).entropy(), D.Independent(d, 1)",
    "D.MixtureSameFamily(D.Categorical(torch.ones(d.batch_shape).double()), d).log_prob(x[0])",
    "D.MixtureSameFamily(D.Categorical(torch.ones(d.batch_shape).double()), d).sample((2,))",
    "D.MixtureSameFamily(D.Categorical(torch.ones(d.batch_shape).double()), d).mean",
    "D.TransformedDistribution(d, D.AffineTransform(1.0, 2.0)).log_prob(x + 1)",
    "d.log_prob(3.0)", "d.log_prob(x.float()).dtype", "d.sample(3)",
    "D.biject_to(d.support)(torch.linspace(-1, 1, 3).double())",
    "D.transform_to(d.support)(torch.linspace(-1, 1, 3).double())",
)  # fmt: skip
STEPS = (
    "Exp()", "Sigmoid()", "Softplus()", "Tanh()", "Abs()", "Power(2.0)", "Power(-1.0)",
    "Affine(0.5, -2.0)", "Affine(1, 3.0, event_dim=1)", "Softmax()", "StickBreaking()",
    "CorrCholesky()", "Reshape((3,), (3, 1))", "LowerCholesky()",
    "CumulativeDistribution(D.Normal(0.0, 1.0))",
)  # fmt: skip
DONE = (
    "t(x)", "t.inv(t(x))", "t.log_abs_det_jacobian(x, t(x)) + 1", "t.domain, t.codomain",
    "repr(t), t.bijective, t.sign", "torch.autograd.grad((t(x) ** 3).sum(), x)",
    "t.forward_shape(x.shape), t.inverse_shape(x.shape)", "t.codomain.check(t(x))",
    "D.TransformedDistribution(D.Normal(x, 1.0), t).log_prob(t(x))",
    "D.TransformedDistribution(D.Normal(x, 1.0), t).rsample((2,))",
    "D.biject_to(t.codomain)(x)", "D.transform_to(t.codomain)(x)",
)  # fmt: skip


def program(rng: random.Random) -> str:
    """A program that asks a distribution, a pair of them, or a transform."""
    if rng.random() < 0.3:
        return transformed(rng)
    names = iter(f"ps[{i}]" for i in count())
    values: list[str] = []
    family = rng.choice(list(FAMILIES))
    lines = [f"d = {made(rng, family, names, values)}"]
    if rng.random() < 0.2:
        other = family if rng.random() < 0.5 else rng.choice(list(FAMILIES))
        lines.append(f"q = {made(rng, other, names, values)}")
        query = "torch.distributions.kl_divergence(d, q)"
    else:
        lines.append("x = d.sample((4,)).detach()")
        query = rng.choice(QUERIES)
    inputs = f"D, ps = torch.distributions, [{', '.join(values)}]"
    return "\n".join([inputs, *lines, f"result = [{query}]"])


def made(rng: random.Random, family: str, names: object, values: list[str]) -> str:
    """A distribution whose parameters are appended to `values`."""
    told = []
    for argument in rng.choice(FAMILIES[family]).split(", "):
        key, _, kind = argument.rpartition("=")
        letters = [c for c in kind if c in "rpunsvwmt" and kind != "None"][:1]
        for letter in {c for c in letters if len(kind) == 1 or not kind.isalpha()}:
            values.append(parameter(rng, letter))
            kind = kind.replace(".mT", ".~").replace(letter, next(names))  # type: ignore[call-overload]  # an iterator
            kind = kind.replace(".~", ".mT")
        told.append(f"{key}={kind}" if key else kind)
    checked = rng.choice(["", ", validate_args=True", ", validate_args=False"])
    return f"torch.distributions.{family}({', '.join(told)}{checked})"


def parameter(rng: random.Random, letter: str) -> str:
    """A tensor of random numbers of a kind."""
    shape = rng.choice(["", "3,", "2, 3,", "2, 1,"])
    seed = f"np.random.default_rng({rng.randrange(1000)})"
    sizes = {
        "s": f"({shape} 4,)",
        "v": f"({shape} 3,)",
        "w": f"({shape} 3,)",
        "t": "()",
    }
    sizes["m"] = "(3, 3)"
    size = sizes.get(letter, f"({shape})")
    ends = {"r": (-2, 2), "v": (-2, 2), "u": (0.1, 0.9), "n": (0, 0)}
    low, high = ends.get(letter, (0.3, 4))
    numbers = f"{seed}.uniform({low}, {high}, {size})"
    if letter == "n":
        numbers = f"{seed}.integers(0, 9, {size}).astype(float)"
    if letter == "m":
        numbers = f"np.tril({numbers}) + np.eye(3)"
    return f"torch.tensor({numbers}, requires_grad=True)"


def transformed(rng: random.Random) -> str:
    """A program that asks a transform."""
    low, high = rng.choice([(-2, 2), (0.05, 0.95)])
    shape = rng.choice(["(3,)", "(2, 3)", "(3, 3)"])
    values = (
        f"np.random.default_rng({rng.randrange(1000)}).uniform({low}, {high}, {shape})"
    )
    return "\n".join(
        [
            "D = torch.distributions",
            f"x = torch.tensor({values}, requires_grad=True)",
            f"t = {step(rng)}",
            f"result = [{rng.choice(DONE)}]",
        ]
    )


def step(rng: random.Random, depth: int = 0) -> str:
    """A transform, perhaps made of others."""
    kind = rng.randrange(9 if depth < 2 else 5)
    if kind < 5:
        name, _, rest = rng.choice(STEPS).partition("(")
        text = f"D.{name}Transform({rest}"
    elif kind == 5:
        text = f"D.IndependentTransform({step(rng, depth + 1)}, 1)"
    else:
        parts = ", ".join(step(rng, depth + 1) for _ in range(3 if kind == 7 else 2))
        text = {
            6: f"D.CatTransform([{parts}], dim=-1, lengths=[1, 2])",
            7: f"D.StackTransform([{parts}], dim=-1)",
            8: f"D.ComposeTransform([{parts}])",
        }[kind]
    return text + rng.choice(["", "", "", ".inv", ".with_cache()"])
