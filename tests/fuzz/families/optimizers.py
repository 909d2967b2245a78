"""Optimizers with random settings, parameters, groups and closures, saved half way.

Every optimizer takes some steps with gradients that do not depend on the parameters, or
with a closure; its state is saved, loaded by a second one, and both continue.
"""

from __future__ import annotations

import random

from tests.fuzz.outcomes import Outcome

__all__ = ["SCALE", "excuses", "program"]

SCALE = 20  # steps divide by roots of small numbers

RATES = ("0.1", "0.01", "0.5", "torch.tensor(0.1)", "torch.tensor([0.05])", "1")
# Of a parabola, after 0.1 of the way to its minimum, 0.9 of the slope remain: what a line
# search asks for, so that rounding decides whether it goes on.
WOLFE = tuple(rate for rate in RATES if "0.1" not in rate)
COMMON = {"lr": RATES, "weight_decay": ("0.1", "0", "0.01"), "maximize": ("True",)}
FLAGS = {"foreach": ("True", "False"), "differentiable": ("True",)}
CAPTURABLE = {"capturable": ("True",)}
FUSED = {"fused": ("True", "False")}
BETAS = {"betas": ("(0.5, 0.9)", "(0.0, 0.99)", "(0.9, 0.9)"), "eps": ("1e-3", "1e-6")}
DECOUPLED = {"decoupled_weight_decay": ("True",)}
ADAM = {**COMMON, **FLAGS, **CAPTURABLE, **FUSED, **BETAS, "amsgrad": ("True",)}
SETTINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "SGD": {
        **COMMON, **FLAGS, **FUSED, "momentum": ("0.9", "0.5"), "nesterov": ("True",),
        "dampening": ("0.3",),
    },
    "Adam": {**ADAM, **DECOUPLED},
    "AdamW": ADAM,
    "Adadelta": {**COMMON, **FLAGS, **CAPTURABLE, "rho": ("0.5", "1"), "eps": ("0.1",)},
    "Adagrad": {
        **COMMON, **FLAGS, **FUSED, "lr_decay": ("0.1",),
        "initial_accumulator_value": ("0.5",),
    },
    "Adamax": {**COMMON, **FLAGS, **CAPTURABLE, **BETAS},
    "ASGD": {
        **COMMON, **FLAGS, **CAPTURABLE, "lambd": ("0.1", "0"), "alpha": ("0.5",),
        "t0": ("1", "2.0"),
    },
    "NAdam": {**COMMON, **FLAGS, **CAPTURABLE, **BETAS, **DECOUPLED,
              "momentum_decay": ("0.1", "0")},
    "RAdam": {**COMMON, **FLAGS, **CAPTURABLE, **BETAS, **DECOUPLED},
    "RMSprop": {
        **COMMON, **FLAGS, **CAPTURABLE, "alpha": ("0.5", "0"), "momentum": ("0.9",),
        "centered": ("True",), "eps": ("0.1",),
    },
    "Rprop": {"lr": RATES, "maximize": ("True",), **FLAGS, **CAPTURABLE,
              "etas": ("(0.3, 1.5)",), "step_sizes": ("(0.01, 0.2)",)},
    "Adafactor": {**COMMON, "foreach": ("True",), "beta2_decay": ("-0.5", "0"),
                  "d": ("2.0",), "eps": ("(None, 0.1)", "(1e-3, 1e-2)")},
    "Muon": {"lr": RATES, "weight_decay": ("0.0", "0.2"), "momentum": ("0.5",),
             "nesterov": ("False",), "ns_steps": ("2",),
             "adjust_lr_fn": ("'match_rms_adamw'", "'original'")},
    "LBFGS": {"lr": WOLFE, "max_iter": ("3", "1"), "history_size": ("2",),
              "line_search_fn": ("'strong_wolfe'",), "tolerance_grad": ("0.1",)},
    "SparseAdam": {"lr": RATES, "betas": ("(0.5, 0.9)",), "maximize": ("True",)},
}  # fmt: skip
DTYPES = ["float64"] * 4 + ["float32"] * 2 + ["complex128", "complex64"]
SHAPES = ("(3, 2)", "(4,)", "()", "(2, 1, 3)", "(0,)", "(1,)")
LAYOUTS = (
    "x",
    "x",
    "x",
    "x.t() if x.ndim == 2 else x",
    "x.repeat(2, *[1] * x.ndim)[0]",
)


def excuses(expected: Outcome, *_: object) -> str:
    """The kinds of difference that count for nothing: how Python compares."""
    return "message" if "supported between" in expected.message else ""


def program(rng: random.Random) -> str:
    """A program that trains, saves, loads and continues."""
    name = rng.choice(list(SETTINGS))
    dtype = rng.choice(DTYPES)
    dtypes = [rng.choice([dtype] * 4 + DTYPES) for _ in range(rng.randrange(1, 4))]
    shapes = [
        "(3, 2)" if name == "Muon" and rng.random() < 0.9 else rng.choice(SHAPES)
        for _ in dtypes
    ]
    made = [f"made({s}, torch.{d})" for s, d in zip(shapes, dtypes, strict=True)]
    sparse = name == "SparseAdam" or (
        name in ("SGD", "Adagrad", "Adam") and rng.random() < 0.1
    )
    given = rng.choice(
        ["(x * 0.7 + n)", "(x.detach() * 0.3 - 0.5)", "torch.ones_like(x)"]
    )
    given += ".to_sparse()" * sparse
    if name == "LBFGS":  # where gradients are not those of the loss, rounding decides
        given = "(x * 0.7)"
    closure = name == "LBFGS" or rng.random() < 0.3
    lines = [
        f"rng = np.random.default_rng({rng.randrange(1000)})",
        "def made(shape, dtype):",
        "    x = torch.tensor(rng.standard_normal(shape)).to(dtype)",
        f"    return ({rng.choice(LAYOUTS)}).detach().requires_grad_()",
f"ps = [{', '.join(made)}]",
        f"o = torch.optim.{name}({parameters(rng, name, len(dtypes))}{options(rng, name)})",
        "def grads(n):",
        f"    for x in ps: x.grad = {given}.detach()",
        "def loss(n):",
        "    grads(n); return sum(0.35 * (x * x.conj()).real.sum().double() for x in ps)",
        "def steps(o, n):",
        f"    for i in range(n): {'o.step(lambda: loss(i))' if closure else 'grads(i); o.step()'}",
        f"steps(o, {rng.randrange(1, 4)})",
    ]  # fmt: skip
    if rng.random() < 0.2:
        lines.append(
            rng.choice(
                [
                    "o.param_groups[-1]['lr'] = 0.2",
                    "o.zero_grad()",
                    "ps[0].grad = None",
                    "o.add_param_group({'params': [made((2, 2), torch.float64)], 'lr': 0.3})",
                ]
            )
        )
    if rng.random() < 0.6:
        lines += [
            "saved = o.state_dict()",
            f"o = torch.optim.{name}({parameters(rng, name, len(dtypes))})",
            "o.load_state_dict(saved)",
        ]
    lines.append(f"steps(o, {rng.randrange(3)})")
    told = "x + 1 for x in ps" if name == "LBFGS" else "*ps, o.state_dict()"
    lines.append(f"result = [{told}]")
    return "\n".join(lines)


def parameters(rng: random.Random, name: str, count: int) -> str:
    """What the optimizer is given: tensors, groups with settings, or pairs with names."""
    form = rng.random()
    if form < 0.7 or name == "LBFGS":
        return "ps"
    if form < 0.8:
        return "[(str(i), x) for i, x in enumerate(ps)]"
    groups = ["{'params': ps[:1]" + f", 'lr': {rng.choice(RATES)}" + "}"]
    if count > 1:
        groups.append("{'params': ps[1:]}")
    return f"[{', '.join(groups)}]"


def options(rng: random.Random, name: str) -> str:
    """Some of the settings that an optimizer has; rarely one that is out of range."""
    chosen = {
        key: rng.choice(values)
        for key, values in SETTINGS[name].items()
        if rng.random() < (0.06 if key in ("capturable", "differentiable") else 0.3)
    }
    if rng.random() < 0.05:
        key = rng.choice(list(SETTINGS[name]))
        chosen[key] = rng.choice(["-1", "float('nan')", "None", "2", "(1.0, 0.5)"])
    return "".join(f", {key}={value}" for key, value in chosen.items())
