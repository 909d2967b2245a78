"""Programs on the meta device: shapes, errors, modules, gradients."""

from __future__ import annotations

import copy
import pickle
import resource

import pytest

import edutorch as torch
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def text(torch):
    make = torch.empty
    return [
        repr(make(2, 3, device="meta")),
        repr(make((), device="meta", requires_grad=True)),
        repr(make(0, dtype=torch.int64, device="meta")),
        repr(make(2, device="meta") == 1),
        repr(torch.nn.Linear(2, 3, device="meta").weight),
        make(2, device="meta").type(),
    ]


@programs.add
def refusals(torch):
    m, c = torch.empty(2, 3, device="meta"), torch.ones(2, 3)
    one = torch.empty((), device="meta")
    linear = torch.nn.Linear(2, 3, device="meta")
    calls = [
        one.item, lambda: bool(one), lambda: float(one), lambda: int(one), m.numpy,
        m.tolist, m.cpu, lambda: m + c, lambda: c + m, lambda: c + one, lambda: torch.cat([m, c]),
        lambda: torch.stack([m, c]), lambda: c.copy_(m), lambda: torch.allclose(m, m),
        lambda: linear.to("cpu"), lambda: torch.repeat_interleave(m.long()[0]),
        lambda: m @ m, lambda: m.view(7), lambda: torch.cat([m, m[:, :1]]),
        m.nonzero, m.unique, lambda: torch.equal(m, m), lambda: m.mm(m), lambda: m[m > 0],
    ]  # fmt: skip
    return [attempt(call) for call in calls]


@programs.add
def specs(torch):
    m = torch.empty(2, 3, device="meta")
    full = torch.empty(3, 4, 5, device="meta")
    several = [
        m + torch.tensor(1.0), torch.tensor(1.0) + m, m.t() * 2, m.T.contiguous(),
        m.sum(1), full.permute(2, 0, 1) + 1, full.permute(2, 0, 1).sum(0), m[1:, ::2],
        m[torch.tensor([0, 1, 1])], m[:, None, [0, 2]], torch.where(m > 0, m, 0.0),
        torch.randn(3, device="meta"), torch.arange(5, device="meta"), m.new_zeros(2),
        torch.tensor([1, 2], device="meta"), m.expand(4, 2, 3), m.half() + m,
        torch.nn.functional.conv2d(full[None], torch.empty(6, 3, 3, 3, device="meta")),
        torch.nn.functional.max_pool2d(full, 2, return_indices=True)[1], m.cumsum(0),
        torch.linalg.svd(full)[1], torch.einsum("ij,kj->ik", m, m), m.mean(), m.std(),
        m.to(torch.int8) // 2, m.bool().all(), torch.cat([m, m], 1), m.sort()[1],
        torch.zeros_like(m.t()), m.bernoulli(), torch.multinomial(m, 2), m.argmax(0),
    ]  # fmt: skip
    return [
        (tuple(t.shape), t.stride(), str(t.dtype), str(t.device), t.is_meta)
        for t in several
    ]


@programs.add
def memory(torch):
    m = torch.empty(2, 3, device="meta")
    inner = m[1]
    inner.add_(1)
    return [
        m.data_ptr(), inner.storage_offset(), m.untyped_storage().nbytes(),
        m._version, m.get_device(), m.nbytes, m.is_contiguous(), m.t().is_contiguous(),
    ]  # fmt: skip


programs.test()


def test_values_that_shapes_depend_on_are_refused():
    m = torch.empty(4, device="meta")
    for call in (m.nonzero, m.unique, m.long().bincount, lambda: m[m > 0],
                 lambda: m.masked_select(m > 0), lambda: torch.equal(m, m)):  # fmt: skip
        with pytest.raises(NotImplementedError):
            call()


def test_large_networks_take_no_memory():
    with torch.device("meta"):
        net = torch.nn.Sequential(
            torch.nn.Linear(10**5, 10**5), torch.nn.ReLU(), torch.nn.Dropout(),
            torch.nn.LayerNorm(10**5), torch.nn.Softmax(1),
        )  # fmt: skip
        x = torch.randn(1000, 10**5)
    optimizer = torch.optim.Adam(net.parameters())
    torch.ones(300, 300) @ torch.ones(300, 300)  # BLAS takes its buffers now
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with torch.config.kernels("plain"):  # Numba would take memory, too
        for _ in range(2):
            net(x).square().mean().backward()
            optimizer.step()
    assert net[0].weight.grad.shape == (10**5, 10**5)
    assert net[0].weight.grad.is_meta
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 50_000  # kilobytes; the weight alone would take 40 million


def test_modules_made_on_meta_are_filled_by_a_checkpoint():
    source = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    with torch.device("meta"):
        net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    assert all(p.is_meta for p in net.parameters())
    net.load_state_dict(source.state_dict(), assign=True)
    x = torch.ones(2, 3)
    assert torch.equal(net.eval()(x), source.eval()(x))
    empty = torch.nn.Linear(3, 4, device="meta").to_empty(device="cpu")
    assert empty.weight.is_cpu and empty(x).shape == (2, 4)


def test_random_numbers_of_meta_draw_nothing_of_the_cpus():
    torch.manual_seed(3)
    torch.nn.Linear(4, 4, device="meta")
    torch.randn(5, device="meta").bernoulli_().normal_()
    after = torch.rand(1)
    torch.manual_seed(3)
    assert torch.equal(torch.rand(1), after)


def test_copies_and_pickles_keep_shape_and_strides():
    m = torch.empty(2, 3, device="meta", requires_grad=True)
    for made in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert made.is_meta and made.shape == (2, 3) and made.requires_grad
    transposed = pickle.loads(pickle.dumps(m.detach().t()))
    assert transposed.stride() == (1, 3)


def test_more_bytes_than_addresses_are_refused():
    with pytest.raises(RuntimeError, match="bytes of addresses"):
        torch.empty(2**60, device="meta")


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        (lambda x: torch.linspace(x[0, 0], 3, 4), (4,)),
        (lambda x: torch.logspace(0, x[0, 0], 5, base=x[0, 0]), (5,)),
        (lambda x: torch.nonzero_static(x, size=4), (4, 2)),
        (lambda x: torch.linalg.ldl_solve(x, torch.ones_like(x[0]).int(), x), (3, 3)),
    ],
)
def test_shapes_that_depend_on_no_values_are_told(call, shape):
    y = call(torch.empty(3, 3, device="meta"))
    assert y.is_meta
    assert y.shape == shape


def test_starts_without_values_are_refused():
    with pytest.raises(RuntimeError, match="cannot be called on meta tensors"):
        torch.ones(3).narrow(0, torch.tensor(1, device="meta"), 1)


def test_steps_of_single_elements_are_as_on_the_cpu():
    sizes, strides = (1, 1, 6, 6), (36, 1, 6, 1)
    for device in ("cpu", "meta"):
        x = torch.empty_strided(sizes, strides, dtype=torch.float16, device=device)
        assert x.to("meta").stride() == strides
        y = torch.nn.functional.pixel_unshuffle(x, 3)
        assert y.is_contiguous(memory_format=torch.channels_last)


@pytest.mark.parametrize(
    ("dtype", "name"),
    [(torch.int16, "int"), (torch.bool, "bool"), (torch.bfloat16, "float")],
)
def test_complex_fill_values_are_refused_if_their_parts_are_unknown(dtype, name):
    x = torch.ones(2, dtype=dtype, device="meta")
    value = torch.tensor(1j, device="meta")
    with pytest.raises(RuntimeError, match=f"to type <class '{name}'> without"):
        x.masked_fill(torch.ones(2, dtype=torch.bool, device="meta"), value)
