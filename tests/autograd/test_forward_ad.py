"""Tensors with tangents, against PyTorch."""

from __future__ import annotations

import edutorch
import edutorch.autograd.forward_ad as fwAD
from tests.programs import Programs, attempt

programs = Programs(__file__)


def pair(torch):
    return torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])


def parts(unpacked):
    return [unpacked.primal.detach(), unpacked.tangent]


@programs.add
def tangents_of_results(torch):
    fw, (x, t) = torch.autograd.forward_ad, pair(torch)
    with fw.dual_level():
        d = fw.make_dual(x, t)
        e = fw.make_dual(x * 2, t)
        found = [d * d, d * e, (d.exp() @ e).sin(), torch.stack([d, x]), d[0], d + 1]
        answers = [parts(fw.unpack_dual(y)) for y in found]
        own = parts(fw.unpack_dual(d))
    return answers, own, fw.unpack_dual(d).tangent


@programs.add
def in_place_changes_and_views(torch):
    fw, (x, t) = torch.autograd.forward_ad, pair(torch)
    with fw.dual_level():
        d = fw.make_dual(x, t)
        y = d * 2
        y.mul_(d)
        z = torch.zeros(2)
        z.copy_(d)
        z[1:].mul_(z[:1])
        d.mul_(3)
        tripled = parts(fw.unpack_dual(d))
        return tripled, parts(fw.unpack_dual(y)), parts(fw.unpack_dual(z))


@programs.add
def what_has_no_tangent(torch):
    fw, (x, t) = torch.autograd.forward_ad, pair(torch)
    outside = fw.unpack_dual(x)
    with fw.dual_level():
        d = fw.make_dual(x, t)
        inside = fw.unpack_dual(x), fw.unpack_dual(d.detach())
        other = fw.unpack_dual(torch.ones(2, requires_grad=True) * 2).tangent
    return outside.tangent, [u.tangent for u in inside], other


@programs.add
def tangents_without_recording(torch):
    fw, (x, t) = torch.autograd.forward_ad, pair(torch)
    with fw.dual_level():
        d = fw.make_dual(x, t)
        with torch.no_grad():
            inner = parts(fw.unpack_dual(d.sin()))
    with torch.no_grad(), fw.dual_level():
        outer = parts(fw.unpack_dual(fw.make_dual(x, t).sin()))
    return inner, outer, torch.is_grad_enabled()


@programs.add
def backward_through_tangents(torch):
    fw, (x, t) = torch.autograd.forward_ad, pair(torch)
    x.requires_grad_()
    t.requires_grad_()
    with fw.dual_level():
        moved = fw.unpack_dual(fw.make_dual(x, t) ** 3).tangent
        return moved.detach(), torch.autograd.grad(moved.sum(), (x, t))


@programs.add
def a_module(torch):
    torch.manual_seed(0)
    fw, (x, t) = torch.autograd.forward_ad, pair(torch)
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh())
    with fw.dual_level():
        return parts(fw.unpack_dual(net(fw.make_dual(x, t))))


@programs.add
def misuse_is_refused(torch):
    fw, (x, t) = torch.autograd.forward_ad, pair(torch)
    whole = torch.tensor([1])
    found = [attempt(lambda: fw.make_dual(x, t)), attempt(fw.exit_dual_level)]
    with fw.dual_level():
        d = fw.make_dual(x, t)
        found += [
            attempt(lambda: fw.make_dual(x, torch.ones(3))),
            attempt(lambda: fw.make_dual(whole, whole)),
            attempt(lambda: fw.make_dual(d, t)),
            attempt(fw.enter_dual_level),
            attempt(lambda: fw.exit_dual_level(level=5)),
        ]
    return found


test_forward_ad = programs.test()


def test_the_tangent_of_a_dual_is_the_one_that_was_given():
    primal, tangent = edutorch.randn(2, 2), edutorch.randn(2, 2)
    with fwAD.dual_level():
        dual = fwAD.make_dual(primal, tangent)
        assert fwAD.unpack_dual(dual).tangent is tangent
        transposed = fwAD.make_dual(primal, tangent.T)
        assert fwAD.unpack_dual(transposed).tangent.equal(tangent.T)
        assert fwAD.unpack_dual(dual * 1).tangent is not tangent
        dual.mul_(2)
        assert fwAD.unpack_dual(dual).tangent.tolist() == (2 * tangent).tolist()


def test_what_depends_on_no_tangent_has_no_history():
    x = edutorch.ones(2)
    with fwAD.dual_level():
        a = fwAD.make_dual(x, x)
        g = edutorch.func.grad(lambda a: a.sum())(a)
        primal, tangent = fwAD.unpack_dual(g)
        assert tangent is None
        assert not primal.requires_grad
        steps = fwAD.unpack_dual(a.floor())
        assert steps.tangent.tolist() == [0.0, 0.0]


def test_what_has_been_overwritten_has_a_tangent_of_zeros():
    x = edutorch.ones(2)
    with fwAD.dual_level():
        a = fwAD.make_dual(x, x)
        for y in (a.clone().copy_(2 * x), a.clone().zero_(), a.clone().fill_(3)):
            assert fwAD.unpack_dual(y).tangent.tolist() == [0.0, 0.0]
