"""What many functions refuse alike."""

import re

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd.foreign_operands import accept_arrays
from edutorch.ops.argument_checks import (
    need_floats,
    need_tensors,
    number_of,
    numpy_dtype,
    refuse_numbers,
)
from tests.ops.cases import refused


def test_tensors_are_taken_and_in_formulas_arrays():
    need_tensors("f", input=torch.ones(1), other=torch.ones(2))
    with accept_arrays():
        need_tensors("f", input=torch.ones(1), other=np.float64(1.0))
    with pytest.raises(TypeError, match=r"'other' \(position 2\) .* not numpy.ndarray"):
        need_tensors("f", input=torch.ones(1), other=np.ones(2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("mm(x, t)", "mm(): argument 'input' (position 1)"),
        ("mm(t, x)", "mm(): argument 'mat2' (position 2)"),
        ("bmm(t, x)", "bmm(): argument 'mat2' (position 2)"),
        ("matmul(t, x)", "matmul(): argument 'other' (position 2)"),
        ("linalg.solve(t, x)", "linalg_solve(): argument 'B' (position 2)"),
        ("fft.fft(x)", "fft_fft(): argument 'input' (position 1)"),
        ("prelu(t, x)", "prelu(): argument 'weight' (position 2)"),
        ("kl_div(t, x)", "kl_div(): argument 'target' (position 2)"),
        ("nn.functional.cross_entropy(t, x)",
         "cross_entropy_loss(): argument 'target' (position 2)"),
        ("nn.functional.embedding(x, t)",
         "embedding(): argument 'indices' (position 2)"),
        ("nn.functional.one_hot(x)", "one_hot(): argument 'input' (position 1)"),
        ("nn.functional.scaled_dot_product_attention(t, x, t)",
         "scaled_dot_product_attention(): argument 'key' (position 2)"),
    ],
)  # fmt: skip
def test_array_in_place_of_a_tensor_is_refused_in_the_name_of_the_function(
    call, message
):
    names = {"torch": torch, "t": torch.ones(2, 2), "x": np.ones((2, 2))}
    message += " must be Tensor, not numpy.ndarray"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        eval(f"torch.{call}", names)


@pytest.mark.parametrize("wrong", [None, 1.5, True, "a", [1]])
def test_non_tensor_is_refused_with_its_position(wrong):
    name = type(wrong).__name__
    with pytest.raises(TypeError, match=rf"'other' \(position 2\) .* not {name}"):
        need_tensors("f", input=torch.ones(1), other=wrong)


def test_fractions_of_every_width_are_taken():
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        need_floats("k", torch.ones(1, dtype=dtype))
    need_floats("k", torch.ones(1, dtype=torch.complex64), also="c")


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_other_kinds_are_refused(dtype):
    with pytest.raises(NotImplementedError, match='"k" not implemented for'):
        need_floats("k", torch.ones(1, dtype=dtype))


def test_numpy_dtype_takes_pythons_types_and_nothing_else():
    assert numpy_dtype(None) is None
    assert numpy_dtype(torch.int8) == np.int8 and numpy_dtype(float) == np.float64
    with pytest.raises(TypeError, match="argument 'dtype' must be torch.dtype, not st"):
        torch.cumsum(torch.ones(1), 0, dtype="a")
    assert torch.sum(torch.ones(2), dtype=int).dtype is torch.int64


NO_TENSORS = """
adjoint(None); atleast_1d(3); atleast_2d([1.0]); atleast_3d(a, "a"); bernoulli(0.5)
bincount("a"); block_diag(a, 3); broadcast_tensors(a, None)
broadcast_to(None, (2,)); cartesian_prod(3); chunk([1], 2); column_stack("a")
combinations([1]); detach(None); detach_(3); diag([1]); diag_embed(None)
diagflat("a"); diagonal({}); diagonal_copy([1]); diagonal_scatter(a, 3); dstack(3)
flatten(None); flip([1], (0,)); fliplr([1]); flipud([1]); gather(None, 0, ints)
get_device(None); hstack([1.0]); index_select([1], 0, ints); is_complex(3)
is_floating_point(None); is_same_size(a, 3); is_signed("a")
meshgrid(3); movedim(None, 0, 1); multinomial([1.0], 1); numel([1]); permute(None, (0,))
poisson(1.0); polar(a, 3); put(a, 0, a); rand_like(None); randn_like([1])
randint_like(3, 5); ravel([1]); repeat_interleave("a"); reshape([1], (1,))
resize_as_(a, 3); rot90([1]); select(None, 0, 0); sort([1]);
split_with_sizes(None, [1]); squeeze("a"); stack([a, 3]); t([1])
tile("a", (2,)); transpose(None, 0, 1); unbind(None); unflatten([1], 0, (1,))
unique_consecutive([1]); unsqueeze(None, 0); vstack([a, "a"]); zero_(3)
"""
NO_TENSORS_OF_METHODS = """
a.view_as("a"); a.reshape_as(3); a.expand_as(None); a.type_as(3); a.is_set_to("a")
torch.as_strided_scatter(a, 3, (1,), (1,))
"""
NO_INTEGERS = """
torch.broadcast_to(a, "a"); torch.chunk(a, 1.5); torch.flip(a, [1.0])
torch.multinomial(a, "a"); torch.permute(a, (0, "a")); torch.reshape(a, "a")
torch.repeat_interleave(a, 1.5, 0); torch.roll(a, 0, "a"); torch.rot90(a, b)
torch.split(a, [1.0]); torch.tile(a, None); torch.tril_indices(a, 2)
torch.unflatten(a, 0, [1.0]); a.reshape("a"); a.permute([1.0, 0]); a.expand(None)
a.flip({}); a.tile("ab"); a.repeat(1.5); a.expand("ab"); a.reshape(2, "a")
torch.linspace(0, 1, 2.5); torch.logspace(0, 1, True); torch.eye("a"); torch.eye(True)
torch.zeros(True); torch.zeros(); torch.ones("a"); torch.empty((2, "a"))
"""
NO_NUMBERS = """
torch.full((2,), "a"); torch.full((2,), torch.ones(1)); torch.full_like(a, None)
torch.arange("a"); torch.arange(a); torch.arange(1, 5, "a"); torch.arange(5, step=2)
torch.arange(1j); torch.arange(2, dtype=torch.bool); torch.range(1, "a")
torch.linspace("a", 1, 3); torch.scalar_tensor([3]); torch.tensor({}); torch.tensor(b"a")
torch.tensor([1], dtype="float32"); torch.zeros(2, dtype=3)
singles.uniform_("a"); singles.uniform_(singles); singles.exponential_([1]); singles.geometric_(None)
torch.full((2,), 300, dtype=torch.uint8); torch.full((2,), 1j, dtype=torch.float32)
"""


def _listed(cases):
    return [
        case.strip() for case in cases.replace("\n", ";").split(";") if case.strip()
    ]


@pytest.mark.parametrize("case", _listed(NO_TENSORS))
def test_functions_refuse_non_tensors_with_pytorchs_message(case):
    refused(__file__, f"torch.{case}")


@pytest.mark.parametrize("case", _listed(NO_TENSORS_OF_METHODS))
def test_methods_refuse_non_tensors_with_pytorchs_message(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", _listed(NO_NUMBERS))
def test_functions_refuse_non_numbers_with_pytorchs_message(case):
    refused(__file__, case)


NO_BOOLS = """
torch.topk(singles, ()); torch.kthvalue(singles, "a"); torch.nonzero_static(singles, size=())
torch.svd(singles[None], some=-9)
torch.sort(singles, stable=7); torch.logsumexp(singles, 0, 2); torch.mode(singles, 0, None)
torch.nanmedian(singles, dim=0, keepdim=-1); singles.cummax(0).values.amax(0, 1)
torch.linalg.vector_norm(singles, 1, keepdim=2); torch.put(singles, torch.tensor([0]), singles[:1], 1)
torch.searchsorted(singles, singles, right=np.True_); F.avg_pool1d(singles[None], 1, ceil_mode=1j)
torch.topk(singles, 1, 0, 0.5); torch.isclose(singles, singles, equal_nan=1); torch.all(singles, 0, 1)
"""


@pytest.mark.parametrize("case", _listed(NO_BOOLS))
def test_functions_refuse_non_bools_with_pytorchs_message(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", _listed(NO_INTEGERS))
def test_functions_refuse_non_integers_with_pytorchs_message(case):
    refused(__file__, case)


def test_number_of_makes_numbers_of_any_kind_python_numbers():
    for number in (1, 2.5, True, 1j, np.float32(1), torch.tensor(1)):
        assert type(number_of(number, "alpha", "celu")) in (int, float, bool, complex)
    with pytest.raises(TypeError, match="argument 'value' must be Number, not list"):
        torch.addcmul(torch.ones(1), torch.ones(1), torch.ones(1), value=[])


F = torch.nn.functional
PAIRS = {
    "gather": lambda x, i: torch.gather(x, 1, i),
    "scatter": lambda x, i: torch.scatter(x, 1, i, 1.0),
    "scatter_add": lambda x, i: x.scatter_add(1, i, torch.ones_like(x)),
    "index_select": lambda x, i: torch.index_select(x, 0, i[0]),
    "index_add": lambda x, i: torch.index_add(x, 0, i[0], torch.ones_like(x)),
    "index_copy": lambda x, i: torch.index_copy(x, 0, i[0], torch.ones_like(x)),
    "index_fill": lambda x, i: torch.index_fill(x, 0, i[0], 1.0),
    "take": torch.take,
    "take_along_dim": lambda x, i: torch.take_along_dim(x, i, 1),
    "put": lambda x, i: torch.put(x, i, torch.ones_like(x)),
    "repeat_interleave": lambda x, i: torch.repeat_interleave(x, i[0], 0),
    "embedding": lambda x, i: F.embedding(i, x),
    "embedding_bag": lambda x, i: F.embedding_bag(i, x),
    "cross_entropy": lambda x, i: F.cross_entropy(x, i[0]),
    "class weights": lambda x, i: F.cross_entropy(x, i[0].to(x.device), i[1].float()),
    "nll_loss": lambda x, i: F.nll_loss(x, i[0]),
    "ctc_loss": lambda x, i: F.ctc_loss(x[:, None], i[:1] + 1, (2,), (1,), blank=0),
    "multilabel_margin_loss": F.multilabel_margin_loss,
    "batch_norm": lambda x, i: F.batch_norm(x, i[0].float(), i[1].float()),
    "instance_norm": lambda x, i: F.instance_norm(
        x[None], i[0].float(), i[1].float(), use_input_stats=False
    ),
    "max_unpool2d": lambda x, i: F.max_unpool2d(x[None], i[None], 2),
    "equal": lambda x, i: torch.equal(x, i.float()),
    "lu_unpack": lambda x, i: torch.lu_unpack(x, i[0].int() + 1),
    "ormqr": lambda x, i: torch.ormqr(x, i[0].float(), x),
    "add": torch.add,
}


@pytest.mark.parametrize("case", PAIRS)
def test_operands_on_two_devices_are_refused(case):
    x, index = torch.rand(2, 2), torch.tensor([[0, 1], [0, 1]])
    with torch.cuda.simulate(devices=2, memory="8MB"):
        for a, b in [("cuda:0", "cuda:1"), ("cuda:0", "cpu"), ("cpu", "cuda:0")]:
            with pytest.raises(RuntimeError) as caught:
                PAIRS[case](x.to(a), index.to(b))
            words = "Expected all tensors to be on the same device, but "
            assert str(caught.value).startswith(words)


def test_indices_in_brackets_and_single_numbers_may_be_in_the_computer_s_memory():
    index = torch.tensor([1, 0])
    with torch.cuda.simulate(devices=1, memory="8MB"):
        x = torch.tensor([1.0, 2.0], device="cuda")
        assert x[index].tolist() == [2, 1]
        assert (x + torch.tensor(1.0)).tolist() == [2, 3]
        x[index] = torch.tensor(5.0)
        assert x.tolist() == [5, 5]
        with pytest.raises(RuntimeError, match="on the same device"):
            x[index] = torch.ones(2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda x, p: F.batch_norm(x, p[0], p[0].detach()),
            "'native_batch_norm' .*mean'",
        ),
        (
            lambda x, p: F.batch_norm(x, p[0].detach(), p[0]),
            "'native_batch_norm' .*var'",
        ),
        (lambda x, p: F.binary_cross_entropy(x, x, weight=p), "'binary_cross_entropy'"),
        (lambda x, p: torch.linalg.pinv(x, rtol=p[0, 0]), "'linalg_pinv' .*'rtol'"),
    ],
)
def test_gradients_that_nobody_can_give_are_refused(call, words):
    x, p = torch.rand(2, 3), torch.rand(2, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match=f"The function {words}"):
        call(x, p)
    with torch.no_grad():
        call(x, p)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda x: x.scatter(0, torch.tensor([0]), x, reduce="add"),
            RuntimeError,
            "derivative for aten::scatter is not implemented",
        ),
        (
            lambda x: torch.heaviside(x, x),
            RuntimeError,
            "derivative for aten::heaviside is not implemented",
        ),
        (
            lambda x: x.unique(),
            NotImplementedError,
            "the derivative for '_unique2' is not implemented",
        ),
        (
            lambda x: x.unique_consecutive(dim=0),
            NotImplementedError,
            "the derivative for 'unique_consecutive' is not implemented",
        ),
    ],
)
def test_what_has_no_derivative_says_so_in_the_pass(call, error, words):
    y = call(torch.ones(2, requires_grad=True))
    assert y.requires_grad
    with pytest.raises(error, match=words):
        y.sum().backward()


@pytest.mark.parametrize(
    "call",
    [
        "F.dropout(x, 0.5, 1)",
        "F.batch_norm(x, None, None, training=1)",
        "torch.unique(x, sorted=0)",
        "torch.linalg.svd(x, None)",
        "F.grid_sample(x[None, None], x.new_zeros(1, 1, 1, 2), align_corners=0)",
    ],
)
def test_flag_that_is_no_bool_is_refused(call):
    space = {"torch": torch, "F": torch.nn.functional, "x": torch.ones(2, 2)}
    with pytest.raises(TypeError, match=r"argument '\w+' .*must be bool, not"):
        eval(call, space)


@pytest.mark.parametrize("call", ["torch.tril(x, x)", "torch.var(x, 0, correction=x)"])
def test_tensor_in_place_of_a_number_is_refused_as_an_argument(call):
    with pytest.raises(TypeError, match="invalid combination of arguments|must be"):
        eval(call, {"torch": torch, "x": torch.ones(2, 2)})
    with pytest.raises(RuntimeError, match="Boolean value of Tensor"):
        bool(torch.ones(2))


def test_refuse_numbers_takes_numpys_for_arrays():
    refuse_numbers("f", input=np.float64(1.0))
    with pytest.raises(TypeError, match="argument 'input' .* must be Tensor, not bool"):
        refuse_numbers("f", input=True)
