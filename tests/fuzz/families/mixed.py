"""Several features in one program: kinds of tensors, modes, hooks, transforms, flags.

Each is right on its own as a rule; what one leaves behind, or where it begins and ends,
is what others meet. All values have the shape (2, 3) and are told with their history.
"""

from __future__ import annotations

import random
import re

from tests.fuzz.families.transforms import distance, magnitude
from tests.fuzz.outcomes import Outcome

__all__ = ["excuses", "program"]

START = (
    "fn, AG, FA = torch.func, torch.autograd, torch.autograd.forward_ad; seen = []; "
    "note = lambda t: (seen.append(t.detach().sum()), t)[1]",
    "x = torch.tensor([[.5, -1.2, 2.1], [-.3, .8, -1.7]], dtype=torch.{d}, requires_grad=True); "
    "w = torch.linspace(-.9, 1.1, 9, dtype=torch.{d}).reshape(3, 3).sin().requires_grad_(); "
    "m = nn.Linear(3, 3).{cast}(); o = torch.optim.{o}; y = x * 1",
)  # fmt: skip
OPTIMIZERS = (
    "SGD([x, w, *m.parameters()], 0.1, momentum=0.9)", "Adam(m.parameters(), 0.01)",
    "AdamW([{'params': [x]}, {'params': m.parameters(), 'lr': 0.1}], 0.01)",
    "RMSprop([w], 0.01)", "Adagrad([x, w], 0.1)",
)  # fmt: skip
# What exists before all else, or takes part in it: other kinds of tensors.
MADE = (
    "S = type('S', (torch.Tensor,), {{}}); y = y.as_subclass(S)",
    "S = type('S', (torch.Tensor,), {{}}); y = S(x.detach()).requires_grad_() * 2",
    "S = type('S', (torch.Tensor,), {{'__torch_function__': torch._C._disabled_torch_function_impl}}); y = y.as_subclass(S)",
    "S = type('S', (torch.Tensor,), {{'__torch_function__': classmethod(lambda c, f, t, a=(), k=None: (seen.append(f.__name__), torch.Tensor.__torch_function__.__func__(c, f, t, a, k or {{}}))[1])}}); z = torch.ones(2, 3).as_subclass(S)",
    "z = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged); y = y + z.sin().to_padded_tensor(0.)",
    "z = torch.nested.as_nested_tensor([x[0], x[1]]); y = y * z.unbind()[0]",
    "z = torch.masked.masked_tensor(x.detach(), x > 0); y = y + (z * 2).to_tensor(0.5)",
    "z = x.detach().relu().to_sparse(); y = y + (torch.sparse.mm(z, w) if z.dtype == w.dtype else 0)",
    "P = nn.Parameter(x.detach()[0]); m.register_buffer('b', P * 2); y = y + P + m.b",
    "z = torch.ones(2, 3, device='meta').requires_grad_(); z = (z * 2).sum()",
    "A = type('A', (AG.Function,), {{'forward': staticmethod(lambda c, t: (c.save_for_backward(t), t.sin())[1]), 'backward': staticmethod(lambda c, g: g * c.saved_tensors[0].cos())}}); y = A.apply(y)",
)
EXPRESSIONS = (
    "{y} @ w", "F.linear({y}, w, w[0])", "{y}.sin()", "{y}.softmax(-1)", "F.gelu({y})",
    "{y} + {y}.sum(0, keepdim=True)", "F.layer_norm({y}, (3,))", "{y}.exp().clamp(max=9)",
    "torch.cat([{y}, x])[1:3]", "{y}.t().contiguous().t()", "{y}[:, [2, 0, 1]]", "m({y})",
    "{y}.double()", "torch.where({y} > 0, {y}, w[0])", "F.dropout({y}, 0.)", "{y} * x",
    "torch.einsum('ij,jk->ik', {y}, w)", "{y}.cumsum(1)", "{y}.view(3, 2).t().reshape(2, 3)",
    "{y}.detach() + x", "{y}.to(w.dtype)", "{y}.float()", "{y}.view_as({y})", "{y} / 2",
    "torch.stack({y}.unbind(1), 1)", "{y}.expand(2, 2, 3)[1]", "F.normalize({y})",
    "torch.addmm({y}, {y}, w)", "{y}.index_select(1, torch.tensor([1, 1, 2]))",
    "torch.bmm({y}[None], w[None])[0]", "{y}.clone()", "{y}.sum() * x", "{y}.relu()",
    "fn.functional_call(m, {{'bias': w[0]}}, ({y},))", "{y}.norm() * x", "{y}.bfloat16()",
    "torch.utils.checkpoint.checkpoint(lambda t: t.sin() @ w, {y}, use_reentrant=False)",
    "F.mse_loss({y}, x, reduction='none')", "{y}.mean(0).expand(2, 3)", "F.silu({y})",
    "{y}.gather(1, torch.tensor([[0, 2, 1], [1, 1, 0]]))", "{y}.flip(0)", "{y}.roll(1, 1)",
    "fn.vmap(lambda r: r.sin() * w[0])({y})", "fn.vmap(m)({y})",
    "fn.grad(lambda t: (t.sin() * x).sum())({y})", "fn.jacrev(lambda t: t.sum(0) ** 2)({y})[1].sum(0) + {y}",
    "fn.jvp(lambda t: t.sin() @ w, ({y},), (torch.ones_like({y}),))[1]",
    "fn.vjp(lambda t: t.tanh() * x, {y})[1](x)[0]", "fn.vmap(fn.grad(lambda r: r.prod()))({y})",
    "fn.vmap(lambda r, q: torch.outer(r, q).sum(1), (0, None))({y}, w[1])",
)  # fmt: skip
CONTEXTS = (
    "torch.autocast('cpu', torch.bfloat16)", "torch.autocast('cpu', torch.bfloat16)",
    "torch.autocast('cpu', torch.bfloat16, cache_enabled=False)",
    "torch.autocast('cpu', enabled=False)", "torch.autocast('cpu', torch.float16)",
    "torch.no_grad()", "torch.enable_grad()", "torch.set_grad_enabled(False)",
    "torch.inference_mode()", "torch.inference_mode(False)",
    "AG.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t.clone())",
    "AG.graph.saved_tensors_hooks(lambda t: (t.dtype, t.detach().double().numpy().copy()), lambda p: torch.tensor(p[1]).to(p[0]))",
    "AG.graph.save_on_cpu()", "AG.graph.disable_saved_tensors_hooks('no hooks here')",
    "AG.graph.allow_mutation_on_saved_tensors()", "AG.detect_anomaly(check_nan=False)",
    "AG.set_detect_anomaly(True, check_nan=False)", "torch.device('cpu')",
    "AG.set_multithreading_enabled(False)", "torch.random.fork_rng()", "FA.dual_level()",
    "nn.utils.parametrize.cached()",
    "AG.profiler.record_function('part')",
)  # fmt: skip
FLAGS = (
    "torch.set_default_dtype(torch.float64)", "torch.set_default_device('cpu')",
    "torch.use_deterministic_algorithms(True)", "torch.set_flush_denormal(False)",
    "torch.use_deterministic_algorithms(True, warn_only=True)", "torch.set_grad_enabled(False)",
    "AG.set_detect_anomaly(True)", "torch.set_default_dtype(torch.bfloat16)",
    "torch.set_autocast_enabled('cpu', True)", "torch.set_autocast_cache_enabled(False)",
    "torch.set_autocast_dtype('cpu', torch.float16)", "torch.set_grad_enabled(True)",
    "torch.set_float32_matmul_precision('medium')", "torch.set_deterministic_debug_mode(2)",
)  # fmt: skip
RESET = (
    "torch.set_default_dtype(torch.float32); torch.set_default_device(None); "
    "torch.use_deterministic_algorithms(False); torch.set_grad_enabled(True); "
    "torch.autograd.set_detect_anomaly(False); torch.set_autocast_enabled('cpu', False); "
    "torch.set_autocast_cache_enabled(True); torch.set_autocast_dtype('cpu', torch.bfloat16); "
    "torch.set_float32_matmul_precision('highest')"
)
EFFECTS = (
    "y.mul_(2)", "y[0].add_(1)", "y.t()[1] = .5", "v = y[:, 1:]; v.exp_()", "y += x", "y = y.detach()",
    "x.data.mul_(1.5)", "y.detach().zero_()", "y.copy_(x)", "y.clamp_(-1, 1)", "y.data = y.data * 2",
    "v = y.view(-1); y.sin_(); v.mul_(2); y = v.view(2, 3)", "y.zero_().add_(x)", "y.t_().t_()",
    "exec('with torch.no_grad(): w.add_(.1)')", "exec('with torch.no_grad(): v = y[0]')\n    v.mul_(2)",
    "exec('with torch.inference_mode(): z = torch.ones(2, 3)')\n    y = y * z",
    "exec('with torch.inference_mode(): z = y.view(3, 2)')\n    y = y + z.reshape(2, 3)",
    "y = y + torch.ones(3)", "y = y * torch.tensor(1.5)", "y = y + torch.arange(3.)", "y = y * 1.5",
    "y = y + torch.empty(2, 3).fill_(.5)", "y = y.new_tensor([[1.] * 3] * 2) * y", "y = y + torch.full((3,), 2)",
    "y = y.index_add(0, torch.tensor([0, 0]), y)", "y = y.scatter_add(1, torch.tensor([[0, 0, 1]] * 2), y)",
    "y = y.index_put((torch.tensor([0, 1]),), y, accumulate=True)", "y = y.put(torch.tensor([1, 1]), y[0, :2], True)",
    "y.requires_grad and y.register_hook(lambda g: note(g) * 2)", "y.requires_grad and y.retain_grad()",
    "x.register_hook(lambda g: g.clamp(-.5, .5))", "x.register_post_accumulate_grad_hook(lambda p: note(p.grad))",
    "y.grad_fn and y.grad_fn.register_hook(lambda gi, go: tuple(g if g is None else g * 2 for g in gi))",
    "y.grad_fn and y.grad_fn.register_prehook(lambda go: tuple(g if g is None else g * .5 for g in go))",
    "m.register_forward_hook(lambda m, a, r: note(r) * 2)", "m.register_forward_pre_hook(lambda m, a: (a[0] * 2,))",
    "m.register_full_backward_hook(lambda m, gi, go: note(go[0]) * 0 + (gi[0] if gi[0] is not None else 1) and None)",
    "nn.utils.parametrizations.weight_norm(m)", "m.requires_grad_(False)", "m = __import__('copy').deepcopy(m)",
    "m.load_state_dict({{k: v * 2 for k, v in m.state_dict().items()}})", "m.to(torch.float64)", "m.eval()",
    "y.requires_grad and y.sum().backward(retain_graph=True)", "o.zero_grad()", "o.zero_grad(set_to_none=False)",
    "y.requires_grad and y.float().sum().backward(); o.step(); y = x * 1", "o.step(); y = y + x",
    "y.requires_grad and AG.grad(y.sum(), [x, w], retain_graph=True, allow_unused=True)",
    "y = y + AG.grad((x ** 3).sum(), x, create_graph=True)[0]", "z = __import__('copy').deepcopy(x); y = y * z",
    "exec('with FA.dual_level(): z = FA.unpack_dual(FA.make_dual(x.detach(), torch.ones_like(x)).sin()).tangent')\n    y = y + z",
    "v = torch.ones(2, 3, requires_grad=True); (v * y.detach()).sum().backward(); y = y + v.grad",
    "y = torch.nn.utils.clip_grad_norm_([x, w], 1.) + y", "y = F.dropout(y, .5)", "y = y + torch.rand(3)", "torch.manual_seed(7)",
)  # fmt: skip
END = (
    "told = lambda t: [t, type(t).__name__, t.is_leaf, t.requires_grad, t.grad_fn and t.grad_fn.name(), t.is_inference(), 0 if t.is_inference() else t._version]; "
    "told = lambda t, f=told: f(t) if torch.is_tensor(t) else t",
    "gs = AG.grad((y.double() * torch.arange(1., 7.).reshape(2, 3).to(y.device)).sum(), [x, w, *m.parameters()], allow_unused=True, retain_graph=True) if y.requires_grad else 0",
)  # fmt: skip


def program(rng: random.Random) -> str:
    """A chain of steps on one value, in contexts, between effects and flags."""
    d = rng.choice(["float32", "float64", "float64"])
    cast = rng.choice(["float", "double"]) if rng.random() < 0.3 else CASTS[d]
    first, second = START
    second = second.replace("{d}", d).replace("{cast}", cast)
    lines = [first, second.replace("{o}", rng.choice(OPTIMIZERS)), "try:"]
    if rng.random() < 0.7:
        lines.append(f"    {rng.choice(MADE).replace('{{', '{').replace('}}', '}')}")
    if rng.random() < 0.25:
        lines.append(f"    {rng.choice(FLAGS)}")
    lines += [f"    {_step(rng)}" for _ in range(rng.randint(2, 5))]
    lines += [f"    {line}" for line in END]
    told = "told(y), gs, x.grad, w.grad, [told(p) for p in m.parameters()], seen"
    if re.search(r"fn\.|S = type", "\n".join(lines[2:])):  # their nodes are internal
        lines = [
            line.replace("t.grad_fn and t.grad_fn.name()", "t.grad_fn is None").replace(
                "else t._version", "else 0"
            )
            for line in lines
        ]
    lines += [f"    result = {told}", f"finally: {RESET}"]
    return "\n".join(lines)


CASTS = {"float32": "float", "float64": "double"}


def _step(rng: random.Random) -> str:
    """An expression, maybe inside one or two contexts, or an effect."""
    effect = rng.choice(EFFECTS).replace("{{", "{").replace("}}", "}")
    if rng.random() < 0.4:
        return effect
    body = f"y = {_expression(rng, 'y')}"
    if rng.random() < 0.2 and "\n" not in effect:
        body = effect
    if rng.random() < 0.65:
        contexts = rng.sample(CONTEXTS, rng.choice([1, 1, 2]))
        return f"with {', '.join(contexts)}: {body}"
    return body


def _expression(rng: random.Random, y: str) -> str:
    inner = y if rng.random() < 0.6 else f"({_expression(rng, y)})"
    return rng.choice(EXPRESSIONS).format(y=inner)


# What a message of PyTorch says, in which programs, and the kinds that do not count:
# nodes of dual levels save copies, which changes in place do not spoil; zeros of
# tangents have no memory that hooks could read; a subclass is a view to PyTorch; mixed
# memory orders give another order; only PyTorch tells which output was saved; it lacks
# functions of nested tensors for anomaly detection, and those of vmap for some hooks;
# it has no count of changes of inference tensors to ask for; and of two refusals, that
# of saving an inference tensor comes first there.
REASONS = (
    ("modified by an inplace", "dual", "accepted"),
    ("ZeroTensor|single memory location", r"fn\.|dual", "accepted|exception|message"),
    ("A view was created in", "S = type", "accepted|exception"),
    ("view size is not compatible", r"\.t\(\)", "accepted|exception|message"),
    ("which is output 0 of AsStrided", "", "message"),
    ("do not track version counter", "", "accepted|exception|message"),
    ("Could not run '.*Nested", "set_detect_anomaly", "accepted|exception"),
    ("may have escaped from inside a function", "vmap", "message|exception"),
    (
        "expected m1 and m2 to have the same|expected scalar type",
        r"vmap\(m\)",
        "message",
    ),
    ("Inference tensors cannot be saved", "", "message"),
)


def excuses(expected: Outcome, got: Outcome, text: str) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    Values by no more than roundings of 16 bits, where there are such.
    """
    if "m.to(torch.float64)" in text and expected.error is None:
        return "structure|value"  # PyTorch forgets who waits for a parameter's gradient
    for words, where, kinds in REASONS:
        if re.search(words, expected.message) and re.search(where, text):
            return kinds
    if not any(word in text for word in ("float16", "'cpu', True")):
        return ""
    far = 0.1 * max(1.0, magnitude(expected.value))
    return "value" if distance(expected.value, got.value) <= far else ""
