"""Transforms of functions three deep, second derivatives, forward mode."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from tests.fuzz.outcomes import Outcome, TensorValue, outcome
from tests.oracle import torch

__all__ = ["ROUNDINGS", "distance", "excuses", "magnitude", "program"]

# Inputs moved by some roundings: all alike, which what normalises them does not notice,
# and each number in its own way.
MOVED = (
    "; x = x * (1 + 2e-15); w = w * (1 - 2e-15); S =",
    *(
        f"; x = x * (1 + 2e-15 * torch.arange({k}, {k + 3}).cos()); "
        f"w = w * (1 + 2e-15 * torch.arange({k}, {k + 9}).sin().view(3, 3)); S ="
        for k in range(5)
    ),
)
ROUNDINGS = 30

START = (
    "x = torch.linspace(-1.3, 1.7, 3, dtype=torch.float64); fn = torch.func; "
    "w = torch.linspace(-.9, 1.1, 9, dtype=torch.float64).reshape(3, 3).sin(); w[1] += 1; "
    "i = torch.tensor([2, 0, 2]); "
    "S = lambda o: o.sum() if isinstance(o, torch.Tensor) else sum(map(S, o)); "
    "P = lambda o: o + 1 if isinstance(o, torch.Tensor) else o and tuple(map(P, o))"
)  # sums of all; all moved away from 0, where rounding is all there is

# Vectors of three numbers from such vectors {v} and {u}, and the matrix w.
VECTORS = """(w @ {v}) ({v} @ w) w.mv({v}) {v}.tanh() {v}.sin() {v}.exp() {v}*{u} {v}+{u} {v}-{u} {v}/({u}*{u}+1)
{v}.cumsum(0) {v}.softmax(0) {v}.log_softmax(0) F.leaky_relu({v}) {v}.relu() F.hardtanh({v}) {v}.abs() F.gelu({v})
{v}[i] {v}.index_select(0,i) {v}.gather(0,i) {v}.scatter_add(0,i,{u}) {v}.index_add(0,i,{u}) {v}.flip(0) {v}.roll(1)
{v}.sort()[0] {v}.topk(3)[0] {v}.max()*{u} {v}.amax()*{u} {v}.var()*{u} {v}.norm()*{u} {v}.logsumexp(0)*{u}
{v}.prod()*{u} {v}.mean()+{u} {v}.detach()*{u} {v}.cumprod(0) {v}.pow(3) {v}**2 2**{v} {v}.sigmoid() {v}.square()
torch.cat([{v}[1:],{u}[:1]]) torch.stack([{v}[0],{u}[1],{v}.sum()]) torch.where({v}>.2,{v},{u}) {v}.clamp(-.5,.9)
{v}.maximum({u}) torch.outer({v},{u}).sum(0) torch.outer({v},{u}).diagonal() {v}.dot({u})*{v} ({v}.diag()@{u})
{v}.expand(2,3).prod(0) {v}.view(3,1).t()[0] {v}.reshape(1,3)[0] {v}.repeat(2)[2:5] {v}.unfold(0,2,1).sum(1)@w[:2]
{v}.unsqueeze(0).squeeze(0) {v}.clone().mul_({u}) {v}.clone().add_({u}).sin_()
{v}.clone().fill_({u}[0]) {v}.clone().copy_({u}*2) {v}.clone().index_fill_(0,i,2.) {v}.clone().masked_fill_({u}>0,1.)
{v}.clone().clamp_(-.4,.7) {v}.clone().pow_(2) {v}.clone().zero_().add_({u}) {v}.clone().cumsum_(0)
{v}.clone().index_put_((i.argsort(),),{u}) {v}.clone().index_add_(0,i,{u}) {v}.clone().scatter_(0,i.argsort(),{u}) {v}.clone().neg_()
F.conv1d({v}[None,None],w[:1,None],padding=1)[0,0] F.conv1d({v}.expand(3,3)[None],w[:,:,None])[0,:,0]
F.conv_transpose1d({v}[None,None],w[:1,None],padding=1)[0,0] F.max_pool1d({v}[None],2,1,1)[0][:3]
F.avg_pool1d({v}[None],3,1,1)[0] F.layer_norm({v},(3,),{u}) F.pad({v}[None],(1,1),'reflect')[0][1:4]
F.pad({v},(1,1))[:3] F.normalize({v},dim=0) F.softplus({v}) F.elu({v}) F.silu({v}) F.linear({v},w,{u}) F.glu(torch.cat([{v},{u}]))
F.cross_entropy({v}[None],i[:1])*{u} F.mse_loss({v},{u})*{v} F.huber_loss({v},{u})*{v} F.dropout({v},0.)
F.batch_norm({v}[None].expand(2,3)*torch.arange(1.,3.,dtype={v}.dtype)[:,None],None,None,training=True)[0]*{u}
F.group_norm({v}[None],1)[0]*{u} F.interpolate({v}[None,None],3,mode='linear')[0,0] F.embedding(i,w)[0]*{v}
torch.linalg.solve(w+3*torch.eye(3,dtype=w.dtype),{v}) torch.linalg.inv(w+3*torch.eye(3,dtype=w.dtype))@{v}
torch.einsum('ij,j->i',w,{v}) torch.bmm(w.expand(2,3,3),{v}.expand(2,3)[...,None]).sum((0,2)) torch.addmv({u},w,{v})
torch.baddbmm({v}[None,None],{u}[None,None],w[None])[0,0] torch.addmm({v}[None],{u}[None],w)[0] {v}.lerp({u},.3) w.det()*{v}
torch.cdist({v}[None],w)[0] w.tril()@{v} (w*{v}).sum(1) (w+{v}[:,None]).mean(0) w.matrix_power(2)@{v} {v}.unbind()[0]*{u}
{v}.split(2)[0].sum()*{u} {v}.chunk(3)[1]*{u} {v}.sign()*{u} {v}.floor()+{u} {v}.atan2({u}) {v}.hypot({u}) {v}.erf() {v}.trace_like
torch.cartesian_prod({v},{u})[:3].sum(1) {v}.nan_to_num() {v}.logcumsumexp(0) {v}.cummax(0)[0] {v}.median()*{u} torch.addcmul({v},{u},{u})
torch.fft.rfft({v}).abs().sum()*{u} torch.view_as_real(torch.complex({v},{u})).sum(1) torch.complex({v},{u}).abs()""".split()
VECTORS.remove("{v}.trace_like")

# What a transform makes of {g}, a function of x and w: its name and what it needs.
SCALAR = [
    "fn.grad({g})", "fn.grad({g}, argnums=1)", "fn.grad({g}, argnums=(0, 1))",
    "fn.grad({g}, (1, -2))", "fn.grad_and_value({g})", "fn.hessian({g})",
    "fn.hessian({g}, argnums=(0, 1))",
    "fn.grad(lambda x, w: ({g}(x, w), x * 2), has_aux=True)",
]  # fmt: skip
ANY = [
    "fn.jacrev({g})", "fn.jacfwd({g})", "fn.jacrev({g}, argnums=(0, 1))",
    "fn.jacfwd({g}, 1)", "fn.jacrev({g}, chunk_size=2)",
    "(lambda x, w: fn.jvp(lambda x: {g}(x, w), (x,), (x.cos(),)))",
    "(lambda x, w: fn.jvp({g}, (x, w), (x.cos(), w.sin()))[1])",
    "(lambda x, w: (lambda o, p: p(o))(*fn.vjp({g}, x, w)))",
    "fn.functionalize({g})",
]  # fmt: skip
MAPS = [
    "(lambda x, w: fn.vmap({g}, (0, None))(torch.stack([x, x * .7]), w))",
    "(lambda x, w: fn.vmap({g}, (None, 0))(x, torch.stack([w, w * .7])))",
    "(lambda x, w: fn.vmap({g})(torch.stack([x, x * .7]), torch.stack([w, w + .1])))",
    "(lambda x, w: fn.vmap({g}, (1, 2))(torch.stack([x, x * .7], 1), "
    "torch.stack([w, w + .1], 2)))",
    "(lambda x, w: fn.vmap({g}, (-1, None), chunk_size=1)(torch.stack([x, -x], 1), w))",
    "(lambda x, w: fn.vmap({g}, (0, None), out_dims=0)(torch.stack([x, x * .7]), w))",
]  # fmt: skip
FUNCTIONAL = [
    "AF.jacobian(f, (x, w){o})", "AF.hessian(s, (x, w){o})",
    "AF.jacobian(f, (x, w), vectorize=True)", "AF.hessian(s, (x, w), vectorize=True)",
    "AF.jacobian(f, (x, w), vectorize=True, strategy='forward-mode')",
    "AF.hessian(s, (x, w), vectorize=True, outer_jacobian_strategy='forward-mode')",
    "AF.vjp(f, (x, w), x.cos(){o})", "AF.jvp(f, (x, w), (x.cos(), w){o})",
    "AF.hvp(s, (x, w), (x.cos(), w){o})", "AF.vhp(s, (x, w), (x.cos(), w){o})",
]  # fmt: skip


def program(rng: random.Random) -> str:
    """A function of a vector and a matrix, and derivatives of it."""
    f = f"f = lambda x, w: {_vector(rng, rng.randint(1, 3))}; s = lambda x, w: S(f(x, w))"
    kind = rng.choices(["func", "twice", "functional", "dual"], [6, 3, 1, 1])[0]
    ends = {
        "func": _composed,
        "twice": _twice,
        "functional": _functional,
        "dual": _dual,
    }
    return "\n".join([START, f, *ends[kind](rng)])


def _vector(rng: random.Random, depth: int) -> str:
    if not depth:
        return rng.choice(["x", "x", "w[0]", "(x * 2)", "w.sum(1)"])
    v, u = _vector(rng, depth - 1), _vector(rng, rng.randint(0, depth - 1))
    return "(" + rng.choice(VECTORS).replace("{v}", v).replace("{u}", u) + ")"


def _composed(rng: random.Random) -> list[str]:
    """Transforms of transforms, whose results are added up where it must be."""
    scalar, g, lines = rng.random() < 0.5, "f", []
    if scalar:
        g = "s"
    for level in range(rng.randint(1, 3)):
        if not scalar and rng.random() < 0.4:
            lines.append(f"h{level} = lambda x, w, g={g}: S(g(x, w))")
            g, scalar = f"h{level}", True
        forms = [*ANY, *MAPS, *(SCALAR * 2 if scalar else [])]
        lines.append(f"g{level} = {rng.choice(forms).replace('{g}', g)}")
        g, scalar = f"g{level}", False
    # PyTorch traces the function, which takes as long as 100 other programs.
    if rng.random() < 0.03:  # its result is 0 where a derivative is linearized
        lines = ["g = lambda x, w: fn.linearize(f, x, w)[1](x, w.cos())"]
        g = "g"
    return ["; ".join(lines), f"result = P({g}(x, w))"]


def _twice(rng: random.Random) -> list[str]:
    """Gradients of gradients by the engine: what is None, zeros, or requires grad."""
    chosen = rng.choice(["[x, w]", "[x, w]", "[x]", "[w]"])
    more = rng.choice(["", ", create_graph=True", ", materialize_grads=True"])
    leaves = rng.choice(["[x, w]", "[x, w]", "[x]", "[w]"])
    return [
        f"[t.requires_grad_() for t in {leaves}]; a = [t for t in {chosen} if "
        "t.requires_grad] or [x.requires_grad_()]",
        "g = torch.autograd.grad(s(x, w), a, create_graph=True, allow_unused=True); "
        "r = [t for t in g if t is not None and t.requires_grad]",
        f"h = r and torch.autograd.grad([(t * t.cos()).sum() for t in r], a, "
        f"allow_unused=True{more}); result = P((g, h))",
    ]


def _functional(rng: random.Random) -> list[str]:
    given = rng.choice(["", "", ", strict=True", ", create_graph=True"])
    call = rng.choice(FUNCTIONAL).replace("{o}", given)
    return [f"AF = torch.autograd.functional; result = P({call})"]


def _dual(rng: random.Random) -> list[str]:
    of = rng.choice(["f(a, w)", "f(a, b)", "f(x, b)", "fn.grad(s)(a, w)"])
    return [
        "FA = torch.autograd.forward_ad",
        "with FA.dual_level():",
        "    a, b = FA.make_dual(x, x.cos()), FA.make_dual(w, w.sin()); "
        f"result = P(FA.unpack_dual({of}))",
    ]


def excuses(expected: Outcome, got: Outcome, text: str) -> str:
    """Values that differ by no more than PyTorch's own do by roundings of the inputs.

    Cosines and squares of large numbers are roundings and nothing else.
    """
    if got.error is not None or expected.error is not None:
        return ""
    found = distance(expected.value, got.value)
    for move in MOVED:
        moved = outcome(text.replace("; S =", move, 1), torch, {})
        if found <= ROUNDINGS * distance(expected.value, moved.value):
            return "value"
    return ""


def magnitude(x: Any) -> float:
    """The largest finite number of a nest of tensors, regardless of its sign."""
    if isinstance(x, (list, dict)):
        parts = x.values() if isinstance(x, dict) else x
        return max(map(magnitude, parts), default=0.0)
    if not isinstance(x, TensorValue) or x.values.dtype.kind not in "biufc":
        return 0.0
    return float(abs(x.values[np.isfinite(x.values)] * 1.0).max(initial=0.0))


def distance(x: Any, y: Any) -> float:
    """The largest difference of two nests of tensors; infinite if they do not match."""
    if isinstance(x, dict) and isinstance(y, dict) and x.keys() == y.keys():
        x, y = list(x.values()), [y[key] for key in x]
    if isinstance(x, list) and isinstance(y, list) and len(x) == len(y):
        return max(map(distance, x, y), default=0.0)
    if not (isinstance(x, TensorValue) and isinstance(y, TensorValue)):
        nested = any(isinstance(v, (list, dict, TensorValue)) for v in (x, y))
        return 0.0 if not nested and x == y else math.inf
    if x.shape != y.shape or not x.values.size:
        return 0.0 if x.shape == y.shape else math.inf
    finite = np.isfinite(x.values) & np.isfinite(y.values)
    if not np.array_equal(x.values[~finite], y.values[~finite], equal_nan=True):
        return math.inf
    if x.values.dtype == bool:
        return 0.0 if np.array_equal(x.values, y.values) else math.inf
    return float(abs(x.values[finite] - y.values[finite]).max(initial=0.0))
