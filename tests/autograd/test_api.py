"""backward, grad and Tensor's methods of autograd."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd import grad
from edutorch.autograd.api import batched_grad


def test_backward_accepts_several_roots_with_gradients():
    x = torch.ones(2, requires_grad=True)
    torch.autograd.backward([x * 2, x * 3], [torch.ones(2), torch.ones(2) * 10])
    assert x.grad.tolist() == [32.0, 32.0]


def test_backward_for_given_inputs_leaves_others_alone():
    x = torch.ones(1, requires_grad=True)
    w = torch.ones(1, requires_grad=True)
    (x * w).backward(inputs=[w])
    assert x.grad is None and w.grad.tolist() == [1.0]


@pytest.mark.parametrize(
    ("outputs", "inputs", "gradients", "words"),
    [
        ("x * x", "[]", "torch.ones(2, 3)", "`inputs` argument to `grad()` cannot be"),
        ("[x * x, x]", "x", "torch.ones(2, 3)", "got 2 tensors and 1 gradients"),
        ("x.sum()", "torch.ones(1)", "torch.ones(2, 3)", "If `is_grads_batched=True`"),
        ("x.data", "x.data", "torch.ones(2, 3)", "element 0 of tensors does not"),
        ("'a'", "x", "torch.ones(2, 3)", "Expected output to be a torch.Tensor"),
    ],
)
def test_batches_of_gradients_are_refused_in_order(outputs, inputs, gradients, words):
    names = {"x": torch.ones(3, requires_grad=True), "torch": torch}
    given = [eval(text, names) for text in (outputs, inputs, gradients)]
    with pytest.raises((RuntimeError, AssertionError)) as caught:
        torch.autograd.grad(*given, is_grads_batched=True)
    assert str(caught.value).startswith(words)


def test_what_is_no_tensor_cannot_be_differentiated():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(AssertionError, match=r"Expected output to be a torch\.Tensor"):
        torch.autograd.grad("a", x)
    with pytest.raises(RuntimeError, match=r"`inputs` argument to `backward\(\)`"):
        torch.autograd.backward("a", inputs=[])
    with pytest.raises(TypeError, match=r"Tensor\.backward\(\) got an unexpected"):
        x.sum().backward(only_inputs=False)


def test_grad_of_unused_inputs_is_materialised_as_zeros():
    x = torch.ones(2, requires_grad=True)
    unused = torch.ones(3, requires_grad=True)
    (g,) = torch.autograd.grad(x.sum(), unused, materialize_grads=True)
    assert g.tolist() == [0.0, 0.0, 0.0]


def test_grad_of_a_batch_of_gradients_is_a_jacobian():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    eye = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    (jacobian,) = torch.autograd.grad(x * x, x, eye, is_grads_batched=True)
    assert jacobian.tolist() == [[2.0, 0.0], [0.0, 4.0]]


def test_a_batch_of_gradients_takes_one_pass_back():
    x, calls = torch.tensor([1.0, 2.0], requires_grad=True), []
    y = x * x
    y.register_hook(lambda g: calls.append(g.shape))
    torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True)
    assert calls == [(2,)]


def test_a_batch_of_gradients_can_be_differentiated():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (jacobian,) = torch.autograd.grad(
        x**3, x, torch.eye(2), create_graph=True, is_grads_batched=True
    )
    (second,) = torch.autograd.grad(jacobian.sum(), x)
    assert second.tolist() == [6.0, 12.0]


class Scaled(torch.autograd.Function):
    """Without setup_context; its backward calls it."""

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return Scaled.apply(g)


@pytest.mark.parametrize("create", [False, True])
def test_batch_of_gradients_passes_functions_without_setup_context(create):
    x = torch.ones(2, requires_grad=True)
    (found,) = torch.autograd.grad(
        Scaled.apply(x), x, torch.eye(2), create_graph=create, is_grads_batched=True
    )
    assert found.tolist() == [[2, 0], [0, 2]]


def test_a_batch_of_gradients_refuses_unused_inputs():
    x, y, u = xs()
    with pytest.raises(RuntimeError, match=f"^{UNUSED}"):
        grad(y, [x, u], torch.eye(2), is_grads_batched=True)


def test_wrong_gradient_shapes_are_refused():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError) as caught:
        (x * 1).backward(torch.ones(3))
    assert str(caught.value).startswith(
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and output[0] "
        "has a shape of torch.Size([2])."
    )


def test_detach_shares_memory_and_version():
    x = torch.ones(2, requires_grad=True) * 1
    d = x.detach()
    d.add_(1)
    assert x.tolist() == [2.0, 2.0]
    assert x._version == 1
    assert not d.requires_grad


def test_detach_in_place_makes_a_leaf():
    y = torch.ones(1, requires_grad=True) * 2
    assert y.detach_() is y
    assert y.is_leaf and not y.requires_grad
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (torch.ones(2, requires_grad=True) * 1)[:1].detach_()


def test_grad_of_a_non_leaf_warns():
    y = torch.ones(1, requires_grad=True) * 2
    with pytest.warns(UserWarning, match="not a leaf Tensor is being accessed"):
        assert y.grad is None


def test_backward_for_an_inner_tensor_gives_it_a_gradient():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    (y * 3).backward(inputs=[y])
    assert (y.grad.item(), x.grad) == (3.0, None)
    with pytest.raises(RuntimeError, match="^can't retain_grad on Tensor"):
        (x * 2).backward(inputs=torch.ones(1))


def test_grad_with_respect_to_the_output_itself_leaves_the_graph():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    assert torch.autograd.grad(y, y)[0].item() == 1.0
    y.backward()
    assert x.grad.item() == 2.0


def xs():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return x, x * torch.tensor([3.0, 4.0]), torch.ones(2, requires_grad=True)


UNUSED = "The differentiated Tensor at index 1 appears to not have been used"
REFUSED = [
    (lambda x, y, u: grad(y.sum(), [x, u]), RuntimeError, UNUSED),
    (lambda x, y, u: grad(y.sum(), []), RuntimeError, "`inputs` argument to `grad"),
    (lambda x, y, u: grad([y, y], x, [None]), RuntimeError, "got 2 tensors and 1 gra"),
    (lambda x, y, u: grad(y.sum(), 3), TypeError, "'int' object is not iterable"),
    (lambda x, y, u: grad(y, x, 3), TypeError, "'int' object is not iterable"),
    (lambda x, y, u: y.sum().backward(3), TypeError, "'int' object is not iterable"),
    (lambda x, y, u: torch.autograd.backward([y.sum(), torch.ones(1)]), RuntimeError,
     "element 1 of tensors does not require grad"),
    (lambda x, y, u: grad(y, x, torch.ones(2) * 1j), RuntimeError, "For complex Tens"),
    (lambda x, y, u: grad(y, x, torch.ones(2, 3), is_grads_batched=True), RuntimeError,
     "If `is_grads_batched=True`, we interpret the first dimension"),
    (lambda x, y, u: grad([y, y], x, [torch.eye(2), torch.ones(3, 2)],
                          is_grads_batched=True), ValueError, "vmap: Expected all ten"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "words"), REFUSED)
def test_questions_pytorch_refuses_are_refused_alike(call, kind, words):
    with pytest.raises(kind, match=f"^{words}"):
        call(*xs())


def test_grad_of_a_batch_gives_zeros_for_unused_inputs():
    x, y, u = xs()
    found = grad(y, [x, u], torch.eye(2), is_grads_batched=True, materialize_grads=True)
    assert [g.tolist() for g in found] == [[[3.0, 0.0], [0.0, 4.0]], [0.0, 0.0]]


def test_gradient_with_a_history_is_added_to_in_place():
    x = torch.tensor(2.0, requires_grad=True)
    (x**3).backward(create_graph=True)
    g = x.grad
    (x**2).backward()
    assert x.grad is g
    assert g.requires_grad
    assert g.item() == 16.0


def test_only_inputs_is_accepted_and_does_nothing():
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    (g,) = torch.autograd.grad(y, x, None, True, False, True)
    assert g.tolist() == [2.0, 2.0]
    with pytest.warns(FutureWarning, match="only_inputs argument is deprecated"):
        torch.autograd.grad(y, x, only_inputs=False)


def test_gradients_of_a_dictionary_of_inputs_are_a_dictionary():
    x, w = (torch.ones(2, requires_grad=True) for _ in range(2))
    found = torch.autograd.grad((x * w * 3).sum(), {"x": x, "w": w})
    assert {name: g.tolist() for name, g in found.items()} == {
        "x": [3.0, 3.0],
        "w": [3.0, 3.0],
    }


def test_unrequested_gradients_are_not_computed():
    requested = []

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return x * w

        @staticmethod
        def backward(ctx, g):
            requested.append(ctx.needs_input_grad)
            x, w = ctx.saved_tensors
            return g * w, g * x

    x, w = (torch.ones(2, requires_grad=True) for _ in range(2))
    y = Product.apply(x, w).sum()
    torch.autograd.grad(y, x, retain_graph=True)
    y.backward()
    assert requested[1] == (True, True)


def test_gradients_to_begin_with_get_the_dtype_of_their_roots():
    x = torch.ones(1, requires_grad=True)
    (g,) = torch.autograd.grad(x.bfloat16(), x, torch.tensor([1.1234567]).double())
    assert g.item() == 1.125


def test_gradients_of_a_batch_are_not_recorded():
    x = torch.arange(1.0, 4.0, requires_grad=True)
    y, unused = x**3, torch.ones(1, requires_grad=True)

    def row(g):
        found, missing = batched_grad([y], [x, unused], [g])
        assert missing is None
        assert not found.requires_grad
        (recorded,) = torch.autograd.grad(y, x, g, create_graph=True)
        assert recorded.requires_grad
        return found

    assert torch.vmap(row)(torch.eye(3)).diag().tolist() == [3.0, 12.0, 27.0]
    assert torch.is_grad_enabled()
