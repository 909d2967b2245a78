"""Which way attention goes."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.nn.attention import SDPBackend, sdpa_kernel
from edutorch.ops.attention.scaled_dot_product import Attention
from tests.programs import Programs, attempt

programs = Programs(__file__)


def attend(torch, q):
    return torch.nn.functional.scaled_dot_product_attention(q, q, q).sum()


@programs.add
def only_what_is_allowed_is_computed(torch):
    module, q = torch.nn.attention, torch.ones(1, 1, 2, 2)

    def act(backends, q):
        with module.sdpa_kernel(backends):
            return attend(torch, q)

    kinds = list(module.SDPBackend.__members__.values())
    lists = [[], [kinds[1], kinds[2]], 3, [3]]
    plane = [attempt(lambda k=k: act(k, q[0])) for k in kinds[:3]]
    return [[attempt(lambda k=k: act(k, q)) for k in (*kinds, *lists)], plane]


@programs.add
def names_and_numbers_of_ways(torch):
    kinds = torch.nn.attention.SDPBackend.__members__
    return [[name, repr(k), str(k), int(k), k.value] for name, k in kinds.items()]


test_choice = programs.test()


@pytest.mark.parametrize("backend", [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION])
def test_sdpa_kernel_when_left_allows_all_again(backend):
    q = torch.ones(1, 1, 2, 2, requires_grad=True)
    with sdpa_kernel(backend):
        (node, _), *_ = attend(torch, q).grad_fn.next_functions
    assert isinstance(node, Attention) is (backend is SDPBackend.FLASH_ATTENTION)
    with pytest.raises(RuntimeError, match="No viable"), sdpa_kernel([]):
        attend(torch, q)
    attend(torch, q)
