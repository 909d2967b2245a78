"""The checks of `out=`, with PyTorch's messages."""

import warnings

import pytest

import edutorch as torch
from edutorch.ops.registration import copyto

F = torch.nn.functional


def refused(words, call, error=RuntimeError):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(words)


def test_out_is_returned_written_and_may_be_a_view():
    whole = torch.zeros(3, 2)
    part = whole[:, 0]
    assert torch.exp(torch.zeros(3), out=part) is part
    assert whole.tolist() == [[1, 0], [1, 0], [1, 0]]


def test_dtype_when_cast_is_allowed_is_converted():
    out = torch.zeros(2, dtype=torch.float64)
    assert torch.add(torch.ones(2), 1, out=out) is out and out.tolist() == [2, 2]


def test_dtype_when_of_a_lower_kind_is_refused():
    refused(
        "result type Float can't be cast to the desired output type Long",
        lambda: torch.exp(torch.ones(2), out=torch.zeros(2, dtype=torch.int64)),
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda out: torch.mm(torch.eye(2), torch.eye(2), out=out),
            "Expected out tensor to have dtype float, but got double instead",
        ),
        (
            lambda out: torch.floor(torch.eye(2), out=out),
            "Found dtype Double but expected Float",
        ),
        (
            lambda out: F.gelu(torch.eye(2), out=out),
            "Found dtype Double but expected Float",
        ),
        (
            lambda out: torch.index_select(torch.eye(2), 0, torch.tensor([0]), out=out),
            "index_select(): self and result must have the same scalar type",
        ),
        (
            lambda out: torch.inner(torch.eye(2), torch.eye(2), out=out),
            "tensordot: Expected the output tensor to have dtype Float, but got",
        ),
        (
            lambda out: torch.matmul(torch.ones(2), torch.ones(2), out=out),
            "result dtype Double does not match input dtype Float",
        ),
        (
            lambda out: torch.diag(torch.eye(2, requires_grad=True), out=out),
            "Expected out tensor to have dtype float, but got double instead",
        ),
        (
            lambda out: torch.median(torch.eye(2), 0, out=(out, torch.zeros(2).long())),
            "Expected tensor for 'values' to have the same type as tensor for argument "
            "#2 'self'; but type torch.DoubleTensor does not equal torch.FloatTensor",
        ),
        (
            lambda out: torch.median(torch.eye(2), 0, out=(out, out)),
            "Expected tensor for argument #1 'indices' to have scalar type Long; but "
            "got torch.DoubleTensor instead",
        ),
        (
            lambda out: torch.masked_select(torch.eye(2), torch.eye(2) > 0, out=out),
            "masked_select(): self and result must have the same scalar type",
        ),
        (
            lambda out: torch.isneginf(torch.eye(2), out=out),
            "isneginf does not support non-boolean outputs.",
        ),
        (
            lambda out: torch.nan_to_num(torch.eye(2), out=out),
            "nan_to_num: dtype of out: Double should be same as input: Float",
        ),
    ],
)
def test_dtype_when_another_than_the_result_s_is_refused_with_the_functions_message(
    call, words
):
    refused(words, lambda: call(torch.zeros(2, 2, dtype=torch.float64)))


def test_dtype_when_one_of_several_results_is_wrong_names_it():
    out = torch.zeros(1), torch.zeros(1, dtype=torch.int32)
    refused(
        "output indices must be of scalar type Long",
        lambda: torch.kthvalue(torch.ones(1, 2), 1, out=out),
    )


def test_gradient_is_refused_in_the_name_of_the_step():
    x = torch.ones(2, requires_grad=True)
    words = ": functions with out=... arguments don't support automatic differentiation"
    refused("mul()" + words, lambda: torch.outer(x, x, out=torch.ones(0)))
    grown = torch.zeros(2, requires_grad=True)
    refused("aten::softmax()" + words, lambda: torch.softmax(x, 0, out=grown))


def test_gradient_when_the_function_has_none_is_no_matter():
    x = torch.ones(2, requires_grad=True)
    assert torch.eq(x, x, out=torch.zeros(2, dtype=torch.bool)).all()


def test_fourier_transform_of_real_numbers_refuses_by_its_kernel():
    x = torch.ones(4, requires_grad=True)
    for name, kernel in {"fft": "_fft_r2c", "ifftn": "_fft_c2c"}.items():
        out = torch.zeros(4, dtype=torch.complex64)
        with pytest.raises(RuntimeError, match=rf"{kernel}\(\): functions with out="):
            getattr(torch.fft, name)(x, out=out)


def test_history_when_made_of_differentiable_steps_is_kept():
    x = torch.tensor([1.0, 3.0], requires_grad=True)
    out = torch.quantile(x, 0.5, out=torch.zeros(()))
    out.backward()
    assert x.grad.tolist() == [0.5, 0.5]
    for tolerance in ({"rcond": 0.1}, {"atol": 0.1}):
        assert torch.linalg.pinv(x[None], **tolerance, out=torch.zeros(2, 1)).grad_fn
    words = "linalg_pinv(): functions with out=... arguments don't support"
    refused(words, lambda: torch.linalg.pinv(x[None], out=torch.zeros(2, 1)))


def test_resize_when_not_empty_warns():
    with pytest.warns(UserWarning, match=r"resized since it had shape \[3\]"):
        assert torch.exp(torch.zeros(2), out=torch.zeros(3)).tolist() == [1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.exp(torch.zeros(2), out=torch.zeros(0))
        torch.ones(2, out=torch.zeros(3))


def test_resize_gives_the_result_s_strides():
    x = torch.zeros(3, 2).t()
    assert torch.exp(x, out=torch.zeros(0)).stride() == (1, 2)


def test_resize_of_an_operand_is_refused():
    x = torch.ones(3, 1)
    refused(
        "output with shape [3, 1] doesn't match the broadcast shape [3, 4]",
        lambda: torch.add(x, torch.ones(3, 4), out=x),
    )


def test_memory_shared_by_elements_is_refused_where_it_would_be_read():
    words = "unsupported operation: more than one element of the written-to tensor"
    refused(words, lambda: torch.exp(torch.zeros(2), out=torch.zeros(1).expand(2)))
    assert torch.ones(2, out=torch.zeros(1).expand(2)).tolist() == [1, 1]


def test_device_of_another_kind_is_refused():
    with torch.cuda.simulate(devices=1, memory="8MB"):
        x = torch.ones(2, device="cuda")
        words = "Expected all tensors to be on the same device, but found at least two"
        refused(words, lambda: torch.exp(x, out=torch.zeros(2)))
        refused(
            "Expected out tensor to have device cuda:0, but got cpu instead",
            lambda: torch.tril(x[None], out=torch.zeros(1, 2)),
        )


def test_leaf_is_taken_where_nothing_is_recorded():
    target = torch.zeros(2, requires_grad=True)
    with torch.no_grad():
        assert torch.exp(torch.zeros(2), out=target) is target


def test_non_tensor_is_refused_in_the_name_of_the_function():
    with pytest.raises(TypeError, match=r"add\(\): argument 'out' must be Tensor, not"):
        torch.add(torch.ones(2), 1, out="x")
    with pytest.raises(TypeError, match=r"sort\(\) received .* \(Tensor, out=Tensor\)"):
        torch.sort(torch.ones(2), out=torch.zeros(1))
    with pytest.raises(TypeError, match="expected tuple of 2 elements but got 1"):
        copyto((torch.zeros(1),), (torch.ones(1), torch.ones(1)))
    with pytest.raises(TypeError, match="expected Tensor as element 1 in argument 3"):
        torch.sort(torch.ones(2), out=(torch.zeros(1), 1))


@pytest.mark.parametrize(
    "call",
    [
        lambda x, out: F.linear(x, torch.eye(4), out=out),
        lambda x, out: F.softplus(x, out=out),
        lambda x, out: F.logsigmoid(x, out=out),
        lambda x, out: F.hardshrink(x, out=out),
        lambda x, out: F.softshrink(x, out=out),
        lambda x, out: F.avg_pool2d(x[None], 1, out=out),
        lambda x, out: F.avg_pool3d(x[None, None], 1, out=out),
        lambda x, out: torch.slice_scatter(x, torch.ones(1, 4), end=1, out=out),
        lambda x, out: torch.argsort(x, stable=True, out=out),
    ],
)
def test_layers_take_out(call):
    x = torch.arange(16.0).reshape(4, 4)
    kind = call(x, None).dtype
    out = torch.zeros(0, dtype=kind)
    assert call(x, out) is out and out.equal(call(x, None))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32])
def test_elementwise_op_looks_at_memory_before_dtype_and_shape(dtype):
    # of the wrong dtype and shape, too
    out = torch.zeros(1, dtype=dtype).expand(7)
    refused(
        "unsupported operation: more than one element",
        lambda: torch.exp(torch.ones(3), out=out),
    )


def test_part_of_an_operand_of_another_shape_is_refused():
    x = torch.ones(3, 2)
    refused(
        "unsupported operation: some elements", lambda: torch.exp(x, out=x.view(-1))
    )


def test_operand_that_is_resized_through_another_tensor_is_written():
    x = torch.ones(3)
    out = x.detach()
    with pytest.warns(UserWarning, match="resized"):
        assert torch.add(x, torch.ones(2, 3), out=out).tolist() == [[2] * 3] * 2


def test_product_asks_for_dtype_before_memory():
    out = torch.zeros(1, dtype=torch.int32).expand(3)
    refused(
        "Expected out tensor to have dtype float, but got int instead",
        lambda: torch.addmv(torch.ones(3), torch.ones(3, 2), torch.ones(2), out=out),
    )


def test_out_on_the_meta_device_is_refused_but_by_what_makes_new_numbers():
    out = torch.zeros(3, device="meta")
    refused(
        "Attempting to copy from device cpu to device meta, but cross-device copies "
        "are not allowed!",
        lambda: torch.exp(torch.ones(3), out=out),
    )
    assert torch.ones(3, out=out) is out and out.is_meta


def test_several_copies_into_out_give_nothing_back():
    outs = [torch.zeros(2), torch.zeros(2)]
    assert torch.unbind_copy(torch.tensor([[1.0, 2], [3, 4]]), out=outs) is None
    assert [o.tolist() for o in outs] == [[1, 2], [3, 4]]


@pytest.mark.parametrize("name", ["arange", "range", "linspace"])
@pytest.mark.filterwarnings("ignore:torch.range is deprecated")
def test_range_keeps_the_shape_of_out_with_as_many_elements(name):
    ends = {"arange": (6,), "range": (0, 5), "linspace": (0, 5, 6)}[name]
    out = torch.zeros(2, 3)
    assert getattr(torch, name)(*ends, out=out).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_random_numbers_go_into_out_in_the_order_of_its_memory():
    torch.manual_seed(0)
    straight = torch.rand(3, 2)
    torch.manual_seed(0)
    out = torch.zeros(3, 2).t()
    assert torch.rand(2, 3, out=out).t().tolist() == straight.tolist()


@pytest.mark.parametrize(
    "call",
    [
        lambda out: torch.zeros(2, out=out),
        lambda out: torch.cat([torch.ones(1)], out=out),
        lambda out: torch.fft.irfft(torch.ones(2), out=out),
        lambda out: torch.nonzero(torch.ones(2), as_tuple=True, out=out),
    ],
)
def test_tuple_for_one_tensor_is_refused(call):
    with pytest.raises(TypeError, match="argument 'out' must be Tensor, not tuple"):
        call((torch.zeros(2),))


def test_address_of_nothing_is_zero():
    assert torch.zeros(0).data_ptr() == torch.zeros(3)[:0].data_ptr() == 0


@pytest.mark.parametrize(
    "write",
    [
        lambda x, out: torch.quantile(x, 0.5, out=out),
        lambda x, out: torch.inner(x, torch.ones(1), out=out),
        lambda x, out: torch.linalg.norm(x, out=out),
    ],
)
def test_results_with_a_history_are_written_where_out_is(write):
    base = torch.zeros(4)
    x = torch.ones(1, requires_grad=True)
    part = base[1]
    assert write(x, part) is part and part.grad_fn is not None
    assert base.tolist() == [0, 1, 0, 0]
    assert part.data_ptr() == base[1].data_ptr()
    base.sum().backward()
    assert x.grad.tolist() == [1]


def test_product_of_a_vector_and_a_matrix_makes_out_a_row():
    base = torch.zeros(6)
    with pytest.warns(UserWarning, match=r"had shape \[3\].*required.*\[1, 3\]"):
        y = torch.matmul(torch.ones(2), torch.ones(2, 3), out=base[::2])
    assert (y.shape, y.stride()) == ((3,), (1,))
    assert base.tolist() == [2, 2, 2, 0, 0, 0]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.index_select(x, 0, torch.tensor([2, 1, 0]), out=x),
        lambda x: torch.take(x, torch.tensor([0, 1]), out=x),
        lambda x: torch.masked_select(x, x > 3, out=x),
        lambda x: torch.nonzero(x.view(-1), out=x.view(-1)),
        lambda x: torch.kron(x, x, out=x),
        lambda x: torch.outer(x[0], x[1], out=x[0]),
        lambda x: torch.max(x, 0, out=(x[0], torch.zeros(3, dtype=torch.int64))),
        lambda x: torch.aminmax(x, dim=0, out=(x[0], x[1])),
        lambda x: torch.mode(x, 0, out=(x[0], torch.zeros(3, dtype=torch.int64))),
        lambda x: torch.stack([x[0], x[1], x[2]], out=x),
    ],
)
def test_operand_that_is_read_out_of_order_is_not_written_to(call):
    x = torch.arange(9).reshape(3, 3)
    refused("unsupported operation: some elements of the input", lambda: call(x))
    assert x.flatten().tolist() == list(range(9))


@pytest.mark.parametrize("view", [lambda x: x[:], lambda x: x.view(3), lambda x: x])
def test_leaf_and_its_views_are_no_place_for_a_result_without_derivative(view):
    leaf = torch.ones(3, requires_grad=True)
    refused("aten::softmax()", lambda: torch.softmax(torch.ones(3), 0, out=view(leaf)))
    inner = leaf * 1
    assert torch.softmax(torch.ones(3), 0, out=view(inner)) is not None


def test_line_through_a_matrix_makes_out_a_row():
    base = torch.zeros(8)
    with pytest.warns(UserWarning, match=r"had shape \[4\].*required.*\[1, 4\]"):
        y = F.linear(torch.ones(3), torch.ones(4, 3), torch.ones(4), out=base[::2])
    assert (y.shape, y.stride(), y.tolist()) == ((4,), (1,), [4, 4, 4, 4])


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("Expected out type to be Float but got Int", torch.where),
        ("signbit does not support non-boolean", lambda c, x, y, out: torch.signbit(
            x, out=out)),
    ],
)  # fmt: skip
def test_dtype_is_asked_for_before_memory(words, call):
    out = torch.zeros(1, dtype=torch.int32).expand(3)
    yes = torch.tensor(True)
    refused(words, lambda: call(yes, torch.ones(3), torch.ones(3), out=out))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int16])
def test_differences_look_at_the_memory_of_out_first(dtype):
    out = torch.zeros(1, dtype=dtype).expand(5)
    words = "unsupported operation: more than one element"
    refused(words, lambda: torch.diff(torch.ones(5), n=2, out=out))
    x = torch.ones(5)
    refused("unsupported operation: some elements", lambda: torch.diff(x, out=x))


def test_product_with_a_vector_goes_into_its_operands():
    x, v = torch.ones(5, 10), torch.arange(10.0)
    with pytest.warns(UserWarning, match="resized"):
        assert torch.mv(x, v, out=v[1:]).tolist() == [45.0] * 5
    out = torch.zeros(3, dtype=torch.float64)
    refused("Expected out tensor to have dtype", lambda: torch.mv(x, v, out=out))
    out = torch.zeros(5, dtype=torch.float64)
    refused("addmv input tensors", lambda: torch.mv(x, v, out=out))


def test_vector_of_an_outer_product_is_not_written_to():
    x, v, w = torch.tensor(1.0), torch.ones(5), torch.ones(10)
    words = "unsupported operation: some elements of the input"
    refused(words, lambda: torch.addr(x, v, w, out=v.view(-1)))


def test_least_and_greatest_of_one_number_go_into_it():
    x = torch.tensor(3.0)
    assert torch.aminmax(x, dim=0, out=(x, torch.zeros(())))[1] == 3
    for function in (torch.max, torch.min, torch.mode):
        n = torch.tensor([5])
        assert function(n, 0, True, out=(n, n)).values == 0  # the index is written last
    y = torch.ones(2, 2, dtype=torch.int64)
    words = "unsupported operation: some elements of the input"
    refused(words, lambda: torch.nonzero_static(y, size=2, out=y))


def test_range_of_another_length_warns_in_its_own_words():
    with pytest.warns(UserWarning, match=r"^The number of elements in the out tensor"):
        assert torch.arange(3, out=torch.zeros(2)).tolist() == [0, 1, 2]


def test_parser_names_the_step_that_refuses_out():
    x = torch.ones(2)
    refused("log_sigmoid()", lambda: F.logsigmoid(x, out=[]), TypeError)
    refused("linalg_vector_norm()", lambda: torch.norm(x, out=()), TypeError)


@pytest.mark.parametrize("name", ["ldl_factor", "vecdot"])
def test_the_dtype_is_refused_before_gradients_are(name):
    x = torch.eye(2, requires_grad=True)
    given = (x, x) if name == "vecdot" else (x,)
    out = torch.zeros(2, dtype=torch.int16)
    with pytest.raises(RuntimeError, match="[Ee]xpected out .*dtype"):
        getattr(torch.linalg, name)(*given, out=out if name == "vecdot" else (out, out))


def test_the_step_that_inverts_a_power_refuses_gradients():
    x = torch.eye(2, requires_grad=True)
    for n, step in ((-1, "linalg_inv_ex"), (-2, "matmul"), (2, "matmul")):
        with pytest.raises(RuntimeError, match=rf"^{step}\(\): functions with out="):
            torch.linalg.matrix_power(x, n, out=torch.zeros(2, 2))


def test_conjugates_among_several_outputs_are_refused():
    x = torch.ones(2)
    outs = [torch.zeros(2, dtype=torch.complex64).conj() for _ in range(2)]
    words = "conjugate fallback does not support operators with more than one mutable"
    refused(words, lambda: torch.cummax(x, 0, out=tuple(outs)))
    refused(words, lambda: torch.median(x, 0, out=tuple(outs)))
    one = (torch.zeros(1), outs[0])
    words = " fallback doesn't currently support mutable TensorLists with conjugate"
    refused(words, lambda: torch.split_with_sizes_copy(x, (1, 1), out=one))


def test_normal_numbers_around_tensors_warn_of_resizing():
    x = torch.ones(2)
    with pytest.warns(UserWarning, match="An output with one or more elements"):
        torch.normal(x, x, out=torch.zeros(3))
    torch.normal(0.0, 1.0, (2,), out=torch.zeros(3))


def test_out_that_overlaps_itself_is_resized_where_history_is_kept():
    x, out = torch.ones(2, requires_grad=True), torch.zeros(1).expand(3)
    with pytest.warns(UserWarning, match="was resized"):
        y = torch.inner(x, x, out=out)
    assert y.shape == () and y.requires_grad
    refused(
        "unsupported operation: more than one element of the written-to tensor",
        lambda: torch.inner(x, torch.ones(3, 2), out=torch.zeros(1).expand(3)),
    )


def test_where_looks_at_memory_before_it_resizes():
    x, mask = torch.ones(3), torch.tensor([[True], [False]])
    with pytest.warns(UserWarning, match="was resized"):
        y = torch.where(mask, x, torch.zeros(3), out=x.view(-1))
    assert y.shape == (2, 3)


def test_gathering_nothing_may_empty_the_input():
    x, nothing = torch.ones(5), torch.zeros(2, 0, dtype=torch.int64)
    with pytest.warns(UserWarning, match="was resized"):
        assert torch.gather(x, 0, nothing, out=x[1:]).shape == (2, 0)
    refused("unsupported operation", lambda: torch.gather(x, 0, nothing, out=x))


def test_kthvalue_refuses_its_input_for_values_before_dtypes():
    x = torch.ones(3, 4)
    refused(
        "unsupported operation: some elements of the input tensor",
        lambda: torch.kthvalue(x, 2, out=(x, x)),
    )


def test_determinant_looks_at_dtypes_before_it_resizes_its_input():
    x = torch.eye(3, dtype=torch.complex64)
    refused(
        "Expected out tensor to have dtype float, but got c10::complex<float>",
        lambda: torch.linalg.slogdet(x, out=(x, x)),
    )


def test_number_for_several_outputs_fits_no_signature():
    with pytest.raises(TypeError, match=r"got \(Tensor, int, out=int\)"):
        torch.max(torch.ones(3), 0, out=5)


def test_index_selections_look_at_dtypes_before_memory():
    out, x = torch.zeros(1, dtype=torch.int64).expand(2), torch.ones(2)
    refused("take(): self and out expected", lambda: torch.take(x, out, out=out))
    refused(
        "masked_select(): self and result must",
        lambda: torch.masked_select(x, x > 0, out=out),
    )
    refused(
        "unsupported operation: more than one element",
        lambda: torch.take(x, out, out=torch.zeros(1).expand(2)),
    )


@pytest.mark.parametrize("n", [2, 3, 5, -3])
def test_power_that_ends_with_a_product_asks_for_its_dtype(n):
    refused(
        "Expected out tensor to have dtype float, but got double instead",
        lambda: torch.linalg.matrix_power(torch.eye(2), n, out=torch.eye(2).double()),
    )
    refused(
        "matrix_power: Expected result to be safely castable from Float dtype",
        lambda: torch.linalg.matrix_power(torch.eye(2), n, out=torch.eye(2).long()),
    )


def test_power_of_squares_is_cast_into_out():
    out = torch.zeros(2, 2).double()
    assert torch.linalg.matrix_power(torch.eye(2), 4, out=out).equal(out)


def test_nuclear_norm_has_the_rules_of_matrix_norms():
    x = torch.eye(2, requires_grad=True)
    assert torch.norm(x, "nuc", out=torch.zeros(())).requires_grad
    refused(
        "linalg.matrix_norm expected out tensor dtype Float but got: Double",
        lambda: torch.norm(torch.eye(2), "nuc", out=torch.zeros(()).double()),
    )


@pytest.mark.parametrize("call", [
    "exp(x, out=out)", "eye(2, out=out)", "quantile(x, x[0], out=out)",
    "matmul(x, x, out=out)", "linalg.matrix_power(x, 3, out=out)",
])  # fmt: skip
def test_resizing_changes_no_version(call):
    out, x = torch.zeros(0), torch.eye(2)
    eval(f"torch.{call}", {"torch": torch, "x": x, "out": out})
    assert out._version == 1


def test_number_is_an_output_of_arithmetic():
    x = torch.tensor(1.0)
    y = torch.add(x, x, out=5.0)
    assert y.dtype is torch.float64 and y.item() == 2
    words = "result type Float can't be cast to the desired output type Long"
    refused(words, lambda: torch.true_divide(x, 2, out=5))
    refused("exp(): argument 'out'", lambda: torch.exp(x, out=5.0), TypeError)


def test_sizes_of_complex_numbers_are_complex_for_a_complex_out():
    x = torch.ones(2, dtype=torch.complex128)
    assert torch.abs(x, out=x).dtype is torch.complex128
    words = "Found dtype ComplexFloat but expected ComplexDouble"
    refused(words, lambda: torch.abs(x, out=torch.zeros(2, dtype=torch.complex64)))


def test_powers_that_are_copied_keep_their_history():
    x, leaf = torch.eye(2, requires_grad=True), torch.zeros(2, 2, requires_grad=True)
    out = torch.linalg.matrix_power(x, 1, out=torch.zeros(2, 2))
    assert torch.autograd.grad(out.sum(), x)[0].equal(torch.ones(2, 2))
    assert not torch.linalg.matrix_power(x, 0, out=torch.zeros(2, 2)).requires_grad
    words = "a leaf Variable that requires grad is being used in an in-place"
    refused(words, lambda: torch.linalg.matrix_power(x, 0, out=leaf))
    words = "Expected out tensor to have dtype float, but got double instead"
    wide, x = torch.zeros(2, 2).double(), x.detach()
    refused(words, lambda: torch.linalg.matrix_power(x, -1, out=wide))


@pytest.mark.parametrize("name", ["linspace", "logspace"])
def test_ranges_between_tensors_lose_their_derivative_in_out(name):
    x = torch.tensor(1.0, requires_grad=True)
    y = getattr(torch, name)(x, 3, 2, out=torch.zeros(2))
    assert y.grad_fn.name() == "torch::autograd::NotImplemented"


def test_differences_of_order_zero_warn_of_resizing():
    with pytest.warns(UserWarning, match="An output with one or more elements"):
        torch.diff(torch.ones(5), 0, out=torch.ones(2))


def test_matrix_of_another_shape_is_resized_to_its_sum_with_a_product():
    x = torch.tensor(2.0)
    with pytest.warns(UserWarning, match="An output with one or more elements"):
        assert torch.addr(x, torch.ones(2), torch.ones(3), out=x).shape == (2, 3)
    x = torch.tensor(2.0)
    words = "unsupported operation: some elements of the input"
    refused(words, lambda: torch.addr(x, torch.ones(1), torch.ones(1), out=x))


def test_numbers_out_of_range_become_infinite_without_a_warning():
    x = torch.full((2,), 3e5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.add(x, 0, out=torch.zeros(2).half()).isinf().all()


def test_layer_goes_into_parts_of_its_operands_but_not_of_its_bias():
    x, w, b = torch.ones(3), torch.ones(4, 3), torch.ones(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert F.linear(x, w, b, out=w[1:]).shape == (4,)
        assert F.linear(x[None], w, out=x[1:]).shape == (1, 4)
        words = "unsupported operation: some elements of the input"
        refused(words, lambda: F.linear(x, torch.ones(4, 3), b, out=b[1:]))
