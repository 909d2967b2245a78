"""Training as programs write it: batches, hooks, modes, autocast, groups, saved states.

A model is trained for a few steps on batches of a loader; what hooks saw, the losses,
gradients, parameters, buffers and the optimizer's state are compared.
"""

from __future__ import annotations

import random
import re

from tests.fuzz.families.transforms import ROUNDINGS, distance
from tests.fuzz.outcomes import Outcome, outcome
from tests.oracle import torch

__all__ = ["SCALE", "excuses", "program"]

SCALE = 200  # several steps, each of which multiplies what rounding has done
ROUNDING = {"float64": 4e-16, "float32": 2e-7, "bfloat16": 8e-3}
# Gradients that are zero but for rounding become steps as soon as they are normalised.
NOISE = {"float64": 1e-4, "float32": 2e-3, "bfloat16": 0}
# How data are moved by a rounding `r`, and then gradients, before the steps.
WAVE = "torch.arange({0}, {0} + x.numel()).square().cos().reshape(x.shape).to(x.dtype)"
DATA = (
    "1", "torch.linspace(-1, 1, 4).to(d)", "torch.arange(7).cos()[:, None].to(d)",
    *(WAVE.format(k).replace("x.", "xs.") for k in range(8)),
)  # fmt: skip
NOISY = "[x.grad.add_(r * x.grad.abs().max() * {}) for x in m.parameters() if x.grad is not None]; o.step()"
MOVES = (
    *(("\nm = ", f"\nxs = xs * (1 + r * {move})\nm = ") for move in DATA),
    *(("o.step()", NOISY.format(WAVE.format(k))) for k in range(4)),
)

MODELS = (
    "nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))",
    "nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.SiLU(), nn.Dropout(0.3), nn.Linear(6, 3))",
    "nn.Sequential(nn.Unflatten(1, (1, 4)), nn.Conv1d(1, 3, 2), nn.GELU(), nn.Flatten(), nn.Linear(9, 3))",
    "nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.LeakyReLU(0.1), nn.Linear(4, 3, bias=False))",
    "nn.Sequential(nn.Unflatten(1, (2, 2)), nn.GRU(2, 3, batch_first=True))",
    "nn.Sequential(nn.Unflatten(1, (2, 2)), nn.LSTM(2, 3, batch_first=True))",
    "nn.Sequential(nn.Unflatten(1, (2, 2)), nn.TransformerEncoderLayer(2, 1, 4, 0.1, batch_first=True), nn.Flatten(), nn.Linear(4, 3))",
    "nn.Sequential(nn.Unflatten(1, (1, 2, 2)), nn.ConvTranspose2d(1, 2, 2), nn.InstanceNorm2d(2, affine=True), nn.Flatten(), nn.Linear(18, 3))",
    "nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(4, 5)), nn.Softplus(), nn.Linear(5, 3))",
    "nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3)))",
)  # fmt: skip
# A recurrent layer gives a tuple, of which the loss takes the last step.
OUTPUT = "out = lambda y: y[0][:, -1] if isinstance(y, tuple) else y"
LOSSES = (
    "F.cross_entropy(out(m(a)), b)",
    "F.cross_entropy(out(m(a)), b, label_smoothing=0.1, reduction='sum')",
    "F.mse_loss(out(m(a)), F.one_hot(b, 3).to(d))",
    "F.nll_loss(out(m(a)).log_softmax(1), b, weight=torch.tensor([1., 2., 0.5]).to(d))",
    "(out(m(a)) - a[:, :3]).abs().mean(0).sum()",
    "F.binary_cross_entropy_with_logits(out(m(a)), F.one_hot(b, 3).to(d))",
    "F.smooth_l1_loss(out(m(a)), a[:, 1:], beta=0.5) + 0.01 * sum(p.square().sum() for p in m.parameters())",
)
LOADERS = (
    "batch_size=2",
    "batch_size=4, shuffle=True",
    "batch_size=3, drop_last=True, shuffle=True, generator=torch.Generator().manual_seed(5)",
    "batch_size=3, sampler=T.RandomSampler(data, replacement=True, num_samples=7)",
    "batch_size=2, sampler=T.SubsetRandomSampler([5, 1, 3, 0])",
    "batch_size=2, sampler=T.WeightedRandomSampler([1., 2, 0, 3, 1, 1, 1], 6)",
    "batch_sampler=T.BatchSampler(T.SequentialSampler(data), 3, drop_last=False)",
    "batch_size=2, collate_fn=lambda s: [torch.stack(v) for v in zip(*s)]",
    "batch_size=2, collate_fn=lambda s: (torch.stack([x for x, _ in s]).flip(0), torch.tensor([int(y) for _, y in s]))",
)  # fmt: skip
DATASETS = (
    "T.TensorDataset(xs, ys)",
    "T.ConcatDataset([T.TensorDataset(xs[:3], ys[:3]), T.TensorDataset(xs[3:], ys[3:])])",
    "T.Subset(T.TensorDataset(xs.flip(0), ys), [6, 0, 5, 1, 4, 2, 3])",
    "[(x, y) for x, y in zip(xs, ys)]",
    "T.random_split(T.TensorDataset(xs, ys), [0.99, 0.01])[0]",
)
HOOKS = (
    "m.register_forward_hook(lambda m, a, y: seen.append(out(y).detach().abs().mean()))",
    "m[0].register_forward_pre_hook(lambda m, a: (a[0] * 1.5,))",
    "m[0].register_forward_hook(lambda m, a, k, y: y * 0.5, with_kwargs=True)",
    "m[-1].register_full_backward_hook(lambda m, gx, gy: seen.append([g if g is None else g.abs().sum() for g in (*gx, *gy)]))",
    "m[0].register_full_backward_pre_hook(lambda m, gy: tuple(g * 2 for g in gy))",
    "m[-1].register_full_backward_hook(lambda m, gx, gy: tuple(g if g is None else g * 0.5 for g in gx))",
    "next(m.parameters()).register_hook(lambda g: g.clamp(-0.1, 0.1))",
    "[p.register_post_accumulate_grad_hook(lambda p: setattr(p, 'grad', p.grad * 0.5)) for p in m.parameters()]",
    "m.register_state_dict_post_hook(lambda m, s, p, k: s.update(note=torch.ones(1)) if not p else None)",
    "o.register_step_pre_hook(lambda o, a, k: seen.append(len(o.state)))",
    "o.register_step_post_hook(lambda o, a, k: seen.append(sum(len(s) for s in o.state.values())))",
)  # fmt: skip
OPTIMIZERS = (
    "SGD(G, lr=0.1, momentum=0.9, nesterov=True)", "SGD(G, lr=0.05, weight_decay=0.1)",
    "Adam(G, lr=0.02)", "AdamW(G, lr=0.02, amsgrad=True)", "RMSprop(G, lr=0.01, centered=True)",
    "Adagrad(G, lr=0.1)", "NAdam(G, lr=0.01)", "Adamax(G, lr=0.01)", "RAdam(G, lr=0.02)",
    "Adadelta(G)", "ASGD(G, lr=0.1)", "SGD(G, lr=0.1, momentum=0.5, maximize=True)",
)  # fmt: skip
GROUPS = (
    "m.parameters()",
    "m.named_parameters()",
    "[{'params': [p for p in m.parameters() if p.ndim > 1], 'weight_decay': 0.1}, {'params': [p for p in m.parameters() if p.ndim < 2], 'lr': 0.03}]",
    "[{'params': list(m[-1].parameters())}, {'params': [p for c in m[:-1] for p in c.parameters()], 'lr': 0.003}]",
)  # fmt: skip
SCHEDULERS = (
    "None", "None", "L.StepLR(o, 2, gamma=0.5)", "L.CosineAnnealingLR(o, 3)",
    "L.LinearLR(o, 0.3, total_iters=3)", "L.SequentialLR(o, [L.ConstantLR(o, 0.5, 1), L.ExponentialLR(o, 0.9)], [2])",
    "L.LambdaLR(o, lambda e: 1 / (e + 1))", "L.ChainedScheduler([L.ConstantLR(o, 0.5, 2), L.ExponentialLR(o, 0.9)])",
    "L.OneCycleLR(o, 0.1, total_steps=20)", "L.CyclicLR(o, 0.01, 0.1, step_size_up=2, cycle_momentum=False)",
)  # fmt: skip
REGIONS = (
    "torch.enable_grad()", "torch.enable_grad()", "torch.enable_grad()",
    "torch.autocast('cpu', dtype=torch.bfloat16)", "torch.autocast('cpu', enabled=False)",
    "torch.autograd.set_detect_anomaly(True)",
    "torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t)",
)  # fmt: skip
BEFORE_STEP = (
    "pass", "pass", "seen.append(nn.utils.clip_grad_norm_(m.parameters(), 0.3))",
    "nn.utils.clip_grad_value_(m.parameters(), 0.05)",
    "seen.append(nn.utils.get_total_norm([p.grad for p in m.parameters()], 1.0))",
    "[p.grad.add_(0.01 * p.detach()) for p in m.parameters()]",
    "next(m.parameters()).grad = None",
)  # fmt: skip
BETWEEN = (
    "pass", "m.eval(); seen.append(out(m(xs)).detach()); m.train()",
    "with torch.no_grad(): seen.append(out(m(xs))); [p.mul_(0.9) for p in m.parameters()]",
    "with torch.inference_mode(): m.eval(); seen.append(out(m(xs)).sum().item()); m.train()",
    "m[0].requires_grad_(False)", "[c.eval() for c in m.modules() if 'Norm' in type(c).__name__]",
    "o.add_param_group({'params': [nn.Parameter(torch.ones(2).to(d))], 'lr': 1.0})",
    "m.load_state_dict({k: v * 0.5 for k, v in m.state_dict().items() if v.is_floating_point()}, strict=False)",
    "m2 = copy.deepcopy(m); m2.load_state_dict(m.state_dict()); seen.append(sorted(m2.state_dict()))",
    "o.load_state_dict(pickle.loads(pickle.dumps(o.state_dict())))",
    "nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(m.parameters()).detach() * 0.5, m.parameters())",
    "seen.append(torch.func.functional_call(m, {k: v * 2 for k, v in m.named_parameters()}, (xs,)))",
    "o.zero_grad(set_to_none=False)",
    "m.double(); m.to(d)",
)  # fmt: skip


def program(rng: random.Random) -> str:
    """A program that trains a model."""
    d = rng.choice(["float64", "float64", "float32", "float32", "bfloat16"])
    lines = [
        "import copy, pickle; T, L = torch.utils.data, torch.optim.lr_scheduler",
        f"d = torch.{d}; torch.manual_seed({rng.randrange(100)}); seen = []; {OUTPUT}",
        "xs, ys = torch.randn(7, 4, dtype=torch.float64).to(d), torch.arange(7) % 3",
        f"m = {rng.choice(MODELS)}.to(d)",
        f"o = torch.optim.{rng.choice(OPTIMIZERS).replace('G', rng.choice(GROUPS), 1)}",
        f"s = {rng.choice(SCHEDULERS)}",
        f"data = {rng.choice(DATASETS)}",
        *(rng.choice(HOOKS) for _ in range(rng.choice([0, 1, 1, 2]))),
        f"loader = T.DataLoader(data, {rng.choice(LOADERS)})",
        "def epoch():",
        "    for a, b in loader:",
        *("        " + line for line in step(rng)),
        "    if s: s.step()",
        "epoch()",
        rng.choice(BETWEEN),
        "epoch()",
        "flat = lambda v: [x for k, w in v.items() for x in (k, flat(w))] if isinstance(v, dict) else [*map(flat, v)] if isinstance(v, (list, tuple)) else v",
        "result = [seen, flat(m.state_dict()), [p.grad for p in m.parameters()], "
        "flat([{k: v for k, v in g.items() if k != 'params'} for g in o.param_groups]), "
        "flat(o.state_dict()['state']), torch.rand(2)]",
    ]
    return "\n".join(lines)


def excuses(expected: Outcome, got: Outcome, text: str) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    Values may differ as PyTorch's own do when the data are moved by a rounding: a
    gradient that is nothing but rounding becomes a step of Adam's. Layers that normalise
    do not notice that all data are moved alike, so that each number is moved, too, in
    several ways: the sign of such a gradient seldom changes. Where terms cancel whatever
    the data are, only moving gradients themselves tells what rounding can do.
    """
    if got.error is not None or expected.error is not None:
        return ""
    kind = "bfloat16" if "bfloat16" in text else re.findall(r"float\d\d", text)[0]
    allowed, found = NOISE[kind], distance(expected.value, got.value)
    for place, move in MOVES:
        if found <= allowed:
            return "value"
        moved_text = f"r = {ROUNDING[kind]!r}\n" + text.replace(place, move)
        moved = outcome(moved_text, torch, {})
        allowed = max(ROUNDINGS * distance(expected.value, moved.value), allowed)
    return "value" if found <= allowed else ""


def step(rng: random.Random) -> list[str]:
    """The lines of one step: with a closure, gradients that add up, or neither."""
    loss, region = rng.choice(LOSSES), rng.choice(REGIONS)
    form = rng.random()
    if form < 0.2:
        return ["def closure():", "    o.zero_grad()",
                f"    with {region}: l = {loss}",
                "    l.backward(); return l", "seen.append(o.step(closure).detach())"]  # fmt: skip
    if form < 0.3:
        return [f"with {region}: l = {loss}",
                "gs = torch.autograd.grad(l, list(p for p in m.parameters() if p.requires_grad), create_graph=True, allow_unused=True)",
                "(l + 0.1 * sum(g.square().sum() for g in gs if g is not None)).backward()",
                "o.step(); o.zero_grad()"]  # fmt: skip
    more = "l.backward(retain_graph=True); " if rng.random() < 0.2 else ""
    return [f"with {region}: l = {loss}", f"{more}l.backward(); seen.append(l.detach())",
            rng.choice(BEFORE_STEP), "o.step()", rng.choice(["o.zero_grad()", "o.zero_grad()", "pass"])]  # fmt: skip
