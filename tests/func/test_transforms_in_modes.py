"""Transforms inside inference mode, forward mode's levels and saved-tensor hooks.

Each program is run under both libraries. Random programs that combine features have
found them (`tests/fuzz/families/mixed.py`).
"""

import pytest

import edutorch
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

MADE = """
fn, AG, FA = torch.func, torch.autograd, torch.autograd.forward_ad
x = torch.tensor([[.5, -1.2, 2.1], [-.3, .8, -1.7]], dtype=torch.float64, requires_grad=True)
w = torch.linspace(-.9, 1.1, 9, dtype=torch.float64).reshape(3, 3).requires_grad_()
y, flat = x * 1, lambda o: [q for p in o for q in flat(p)] if isinstance(o, tuple) else [o]
told = lambda o: [(t, t.is_inference()) for t in flat(o)]
with torch.inference_mode(): q = x * 2
"""
TRANSFORMS = {
    "jvp": "fn.jvp(lambda t: t.sin() @ w, ({y},), (torch.ones_like({y}),))",
    "grad": "fn.grad(lambda t: (t.sin() * x).sum())({y})",
    "grad_and_value": "fn.grad_and_value(lambda t: (t.sin() * x).sum())({y})",
    "grad of grad": "fn.grad(lambda t: fn.grad(lambda s: (s**3).sum())(t).sum())({y})",
    "vjp": "fn.vjp(lambda t: t.tanh() * x, {y})[1](x)[0]",
    "jacrev": "fn.jacrev(lambda t: t.sum(0) ** 2)({y})",
    "jacfwd": "fn.jacfwd(lambda t: t.sum(0) ** 2)({y})",
    "hessian": "fn.hessian(lambda t: (t.sin() ** 2).sum())({y})",
    "vmap of grad": "fn.vmap(fn.grad(lambda r: r.prod()))({y})",
}
CONTEXTS = (
    "torch.inference_mode()", "torch.no_grad()", "FA.dual_level()",
    "torch.no_grad(), FA.dual_level()",
    "AG.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t)",
    "AG.graph.disable_saved_tensors_hooks('none')",
    "AG.graph.allow_mutation_on_saved_tensors()",
)  # fmt: skip


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_are_those_of_pytorch_in_any_mode(name, context):
    for value in ("y", "q", "(y * 2)"):
        call = TRANSFORMS[name].replace("{y}", value)
        same(f"with {context}: r = {call}\nresult = told(r)")


@pytest.mark.parametrize(
    "program",
    [
        # Levels and modes, which end where they should.
        "with torch.no_grad(), FA.dual_level(): y = F.linear(y, w)\nresult = told(y)",
        "with FA.dual_level():\n    with torch.no_grad(): w.add_(1)\nresult = told(w)",
        "with FA.dual_level(), torch.no_grad(): g = torch.is_grad_enabled()\nresult = g",
        "with AG.graph.disable_saved_tensors_hooks('none'), FA.dual_level(): y = y * 2\n"
        "with FA.dual_level(): result = told(y)",
        "with torch.no_grad(), FA.dual_level():\n    d = FA.make_dual(x.detach(), q)\n"
        "    z = d * w[0]\nresult = told((z, FA.unpack_dual(z)[0]))",
        "with FA.dual_level():\n    d = FA.make_dual(x, torch.ones_like(x))\n"
        "    with torch.no_grad(): z = FA.unpack_dual(d * w[0])[1]\nresult = told(z)",
        # Hooks on saved tensors.
        "with AG.graph.allow_mutation_on_saved_tensors(): z = y.sin()\n"
        "result = AG.grad(z.sum(), x)",
        "with AG.graph.allow_mutation_on_saved_tensors(), FA.dual_level(): z = y.sin()\n"
        "result = AG.grad(z.sum(), x)",
        "a = AG.graph.allow_mutation_on_saved_tensors\nwith a(), a(): result = 1",
        "with AG.graph.save_on_cpu(), AG.graph.disable_saved_tensors_hooks('none'): "
        "result = 1",
        "f = lambda t: t.sin() @ w; c = torch.utils.checkpoint.checkpoint\n"
        "with torch.no_grad(), AG.graph.disable_saved_tensors_hooks('none'): "
        "result = c(f, y, use_reentrant=False)",
        "fn.grad(lambda t: AG.graph.save_on_cpu().__enter__())(y)",
        # Modules inside `vmap`.
        "m = nn.Linear(3, 3).double(); m.register_full_backward_hook(lambda *a: None)\n"
        "fn.vmap(m)(y).sum().backward(); result = m.weight.grad",
        "m = nn.Linear(3, 3)\n"
        "with torch.autocast('cpu', torch.bfloat16): result = fn.vmap(m)(x.float())",
        # What is saved, and what counts as changed.
        "z = torch.sparse.mm(x.detach().to_sparse(), w)\n"
        "with torch.no_grad(): w.add_(1)\nresult = AG.grad(z.sum(), w)",
        "s = x.detach().to_sparse().requires_grad_(); z = torch.sparse.mm(s, w)\n"
        "with torch.no_grad(): w.add_(1)\nresult = AG.grad(z.sum(), s)",
        "s = x.detach().to_sparse().requires_grad_(); b = x * 1\n"
        "z = torch.sparse.addmm(b, s, w); b.add_(1)\n"
        "result = [g.to_dense() for g in AG.grad(z.sum(), [s, w, x])]",
        "result = [t._version for t in (y.put(torch.tensor([0]), y[0, :1]), "
        "y.index_put((torch.tensor([0]),), y), torch.fill(y, 1.), "
        "y.select_scatter(y[0], 0, 0), y.slice_scatter(y, 0))]",
        "q.t_()",
        "q.data = y.detach() * 2\nresult = told(q)",
        "with torch.inference_mode(): y.data = y.detach() * 2\nresult = told(y)",
        "m = nn.Linear(3, 3); c = __import__('copy').deepcopy\n"
        "with torch.inference_mode(): m = c(m)\n"
        "result = [p.is_inference() for p in m.parameters()]",
        "with torch.inference_mode(): z = nn.Linear(3, 3).weight, nn.Parameter(y)\n"
        "result = told(z)",
        "with torch.inference_mode(): z = nn.Parameter(y)\nresult = told((z, z * 2))",
        "s = y.as_subclass(type('S', (torch.Tensor,), {}))\n"
        "torch.addmm(s, s, torch.ones(3, 3))",
        "exec('S = type(\"S\", (torch.Tensor,), {})'); s = q.as_subclass(S)\n"
        "with torch.inference_mode(): z = s * 2\nresult = told(z)",
        "D = torch._C._disabled_torch_function_impl\n"
        "S = type('S', (torch.Tensor,), {'__torch_function__': D})\n"
        "result = type(y.as_subclass(S) * 2).__name__",
    ],
)  # fmt: skip
def test_features_meet_as_in_pytorch(program):
    same(program)


def same(program):
    expected = outcome(MADE + program, torch, {})
    got = outcome(MADE + program, edutorch, {})
    assert difference(expected, got) == ("", ""), f"{program}\n{expected} | {got}"
