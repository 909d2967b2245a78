"""SparseAdam, and other optimizers with sparse gradients, like PyTorch's."""

from __future__ import annotations

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)

SETTINGS = (
    "SparseAdam([w])",
    "SparseAdam([w], lr=0.1, maximize=True)",
    "SparseAdam([w], lr=torch.tensor(0.1), betas=(0.5, 0.6), eps=0.1)",
    "SGD([w], lr=0.1)",
    "SGD([w], lr=0.1, momentum=0.9)",
    "SGD([w], lr=0.1, momentum=0.9, dampening=0.1)",
    "SGD([w], lr=0.1, momentum=0.9, nesterov=True)",
    "SGD([w], lr=0.1, maximize=True)",
    "SGD([w], lr=0.1, differentiable=True)",
    "Adagrad([w], lr=0.1)",
    "Adagrad([w], lr=0.1, lr_decay=0.1)",
    "Adagrad([w], maximize=True, eps=0.1, initial_accumulator_value=0.5)",
)
REFUSED = (
    "SparseAdam([w], lr=0)",
    "SparseAdam([w], lr=-1)",
    "SparseAdam([w], eps=0)",
    "SparseAdam([w], betas=(1, 0))",
    "SparseAdam([w], betas=(0, 1))",
    "SparseAdam([])",
    "SparseAdam(w)",
    "SparseAdam([s])",
    "SparseAdam([{'params': [w]}, {'params': [s]}])",
    "SparseAdam([z])",
    "SGD([w], weight_decay=0.1)",
    "SGD([w], fused=True)",
    "Adagrad([w], weight_decay=0.1)",
    "Adam([w])",
    "AdamW([w])",
    "RMSprop([w])",
    "Rprop([w])",
    "Adadelta([w])",
    "Adamax([w])",
    "NAdam([w])",
    "RAdam([w])",
    "ASGD([w])",
)


def table(torch):
    """A table of 5 rows, and a function that gives it a sparse gradient."""
    w = (torch.arange(10.0).reshape(5, 2) / 3).requires_grad_()
    index, factor = torch.tensor([[1, 4], [1, 0]]), torch.arange(1.0, 9.0)

    def compute(step):
        rows = torch.nn.functional.embedding((index + step) % 5, w, sparse=True)
        (rows * factor.reshape(2, 2, 2)).pow(2).mul(0.01).sum().backward()

    return w, compute


def make(torch, w, settings):
    s = torch.eye(2).to_sparse().requires_grad_()
    z = torch.zeros(2, dtype=torch.complex64, requires_grad=True)
    names = {"torch": torch, "w": w, "s": s, "z": z}
    return eval(f"torch.optim.{settings}", names)


def walk(torch, settings, steps=5):
    w, compute = table(torch)
    optimizer = make(torch, w, settings)
    for step in range(steps):
        if step == 2:
            saved = optimizer.state_dict()
            optimizer = make(torch, w, settings)
            optimizer.load_state_dict(saved)
        optimizer.zero_grad()
        compute(step)
        optimizer.step()
    state = {k: v.to_dense() if isinstance(v, torch.Tensor) else v
             for k, v in optimizer.state[w].items()}  # fmt: skip
    return [w.detach(), state, repr(optimizer)]


@programs.add
def steps_by_sparse_gradients(torch):
    return {s: walk(torch, s) for s in SETTINGS}


@programs.add
def settings_and_gradients_that_are_refused(torch):
    return {s: attempt(lambda s=s: walk(torch, s, 1)) for s in REFUSED}


@programs.add
def dense_gradients_are_refused(torch):
    w, _ = table(torch)
    w.sum().backward()
    return attempt(torch.optim.SparseAdam([w]).step)


@programs.add
def gradients_filled_with_zeros_store_nothing(torch):
    w, compute = table(torch)
    compute(0)
    torch.optim.SGD([w]).zero_grad(set_to_none=False)
    return [w.grad._nnz(), w.grad.to_dense()]


@programs.add
def gradients_add_up(torch):
    w, compute = table(torch)
    compute(0)
    compute(1)
    both = w.grad.coalesce()
    w.sum().backward()
    return [both.indices(), both.values(), w.grad]


@programs.add
def a_dense_gradient_takes_a_sparse_one(torch):
    w, compute = table(torch)
    w.sum().backward()
    compute(0)
    return w.grad


@programs.add
def bags_have_sparse_gradients(torch):
    found = []
    for mode, more in (("mean", {}), ("sum", {"padding_idx": 0}), ("max", {})):
        bag = torch.nn.EmbeddingBag(5, 2, mode=mode, sparse=True, **more)
        torch.nn.init.ones_(bag.weight)

        def run(bag=bag):
            (
                bag(torch.tensor([[1, 4], [1, 0]])) * torch.tensor([1.0, 3.0])
            ).sum().backward()
            g = bag.weight.grad
            return [g.is_sparse, g._indices(), g._values()]

        found.append(attempt(run))
    return found


@programs.add
def gradients_of_embeddings_list_rows_in_order_of_use(torch):
    found = []
    for more in ({}, {"padding_idx": 1}, {"scale_grad_by_freq": True}):
        layer = torch.nn.Embedding(5, 2, sparse=True, **more)

        def run(layer=layer):
            y = layer(torch.tensor([[1, 4], [1, 0]]))
            (y * torch.arange(1.0, 9.0).reshape(2, 2, 2)).sum().backward()
            g = layer.weight.grad
            return [
                g.layout == torch.sparse_coo,
                g._indices(),
                g._values(),
                repr(layer),
            ]

        found.append(attempt(run))
    return found


test_sparse_adam = programs.test()


def test_steps_of_sgd_keep_the_list_of_momentum_short():
    w, compute = table(edutorch)
    optimizer = edutorch.optim.SGD([w], lr=0.1, momentum=0.9)
    for step in range(20):
        optimizer.zero_grad()
        compute(step)
        optimizer.step()
    assert optimizer.state[w]["momentum_buffer"]._nnz() == 5


def test_sparse_gradients_of_embeddings_can_be_differentiated():
    w = edutorch.ones(3, 2, requires_grad=True)
    y = edutorch.nn.functional.embedding(edutorch.tensor([0, 0]), w, sparse=True)
    (g,) = edutorch.autograd.grad((y**3).sum(), w, create_graph=True)
    g.to_dense().sum().backward()
    assert w.grad.to_dense().tolist() == [[12, 12], [0, 0], [0, 0]]
