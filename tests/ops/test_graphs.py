"""Whole graphs of composed functions: the nodes' names, edges and output numbers."""

from pathlib import Path

import pytest

import edutorch
from tests.answers import expected
from tests.ops.cases import _names, derivatives

GRAPHS = [
    # numbers in functions that PyTorch composes in C++
    "torch.trapezoid(a, b)",
    "torch.trapezoid(a, dx=2.0)",
    "torch.cumulative_trapezoid(a)",
    "torch.special.ndtr(a)",
    "torch.gradient(a, dim=1, edge_order=2)",
    "torch.gradient(a, spacing=2.0)",
    "torch.rms_norm(a, (3,))",
    "F.pairwise_distance(a, b)",
    "F.cross_entropy(a, prob)",
    "F.cross_entropy(a, cls, label_smoothing=0.1)",
    "F.cosine_embedding_loss(a, b, torch.tensor([1, -1]), 0.1)",
    "F.hinge_embedding_loss(a, mask2 * 2.0 - 1)",
    "F.margin_ranking_loss(a, b, mask2 * 2.0 - 1, 0.5)",
    "F.triplet_margin_loss(a, b, unit)",
    "F.triplet_margin_with_distance_loss(a, b, unit)",
    "F.poisson_nll_loss(a, positive, full=True)",
    "F.poisson_nll_loss(positive, a.detach(), log_input=False)",
    "F.kl_div(a, positive, reduction='sum')",
    # products and sums of einsum
    "torch.einsum('ij,jk->ki', a, b.T)",
    "torch.einsum('ij,kj->ik', a, b)",
    "torch.einsum('ij,ik->kj', a, b)",
    "torch.einsum('i,jk->i', row, a)",
    "torch.einsum('i,jk->', row[:1], a)",
    "torch.einsum('bij,bjk->bki', squares, squares)",
    # PyTorch's other function of a name
    "torch.sum(a, None)",
    "torch.sum(a, None, True)",
    "torch.mean(a, None)",
    "torch.div(a, 2, rounding_mode='floor')",
    # ops in PyTorch's order
    "torch.rms_norm(a.detach().half().T.requires_grad_(), (2,))",
    "F.normalize(a)",
    "F.local_response_norm(seq, 3)",
    "F.local_response_norm(img, 2)",
    "torch.quantile(a, 0.3)",
    "torch.quantile(a, torch.tensor([0.3, 0.4]).to(a), 0, True)",
    "torch.nanquantile(a, 0.3, 1, interpolation='midpoint')",
    "torch.repeat_interleave(a, 2)",
    "torch.combinations(row)",
    "torch.cartesian_prod(row, row)",
    "torch.diff(a, 0)",
    "torch.diagflat(row)",
    "a.t().reshape(-1)",
    "F.prelu(row, row[:1])",
    "torch.manual_seed(0); F.dropout1d(a)",
    # lines pooled as images
    "F.max_pool1d(seq, 2)",
    "F.max_pool1d(seq, 2, return_indices=True)",
    "F.avg_pool1d(seq, 2)",
    "F.adaptive_avg_pool1d(seq, 1)",
    "F.adaptive_max_pool1d(seq, 2)",
    "F.lp_pool1d(seq, 2, 2)",
    "F.max_unpool1d(*F.max_pool1d(seq, 2, return_indices=True), 2)",
    # one node for a whole function
    "torch.mvlgamma(positive + 2, 3)",
    "F.multi_margin_loss(a, cls)",
    "F.multilabel_margin_loss(a, torch.tensor([[0, 2, -1], [1, -1, 2]]))",
    "torch.squeeze_copy(a[:1], 0)",
    "torch.split_copy(a, 1)",
    "torch.unbind_copy(a)",
    "torch.permute_copy(a, (1, 0))",
    "torch.detach_copy(a)",
    "torch.select_scatter(a, row, 0, 1)",
    "torch.slice_scatter(a, b[:1], 0, 1)",
    "torch.diagonal_scatter(square, row)",
    "torch.fill(a, scalar)",
    "torch.put(a, torch.tensor([0, 1]), row[:2])",
    "torch.index_put(a, (torch.tensor([0]),), row)",
    # no derivative, and no edges but those needed
    "torch.floor_divide(a, b)",
    "torch.heaviside(a, 0 * a.detach())",
    "torch.histogram(row, 2)",
    "torch.scatter(a, 0, cls[None] % 2, b[:1], reduce='add')",
    # arguments without an edge
    "torch.clamp_max(a, b)",
    "torch.copysign(a, 2.0)",
    "torch.float_power(singles.requires_grad_(), 2)",
    "torch.normal(a, 1.0)",
    "F.dropout(a)",
    # in place
    "F.leaky_relu(a * 1, 0.1, True)",
    "F.selu(a * 1, True)",
    "F.threshold(a * 1, 0.1, 2.0, True)",
]


def graph(lib, expression):
    """Each node with the numbers of those after it and of their outputs."""
    *statements, last = expression.split("; ")
    names = _names(lib, expression)
    exec("\n".join(statements), names)
    result = eval(last, names)
    results = result if isinstance(result, (tuple, list)) else [result]
    nodes, rows = [], []

    def visit(node):
        if node is None:
            return -1
        if node in nodes:
            return nodes.index(node)
        nodes.append(node)
        number = len(rows)
        rows.append([])
        following = [[visit(n), k] for n, k in node.next_functions]
        rows[number] = [node.name(), [[n, k if n >= 0 else 0] for n, k in following]]
        return number

    roots = [[visit(t.grad_fn), t.output_nr] for t in results if t.grad_fn is not None]
    return [roots, rows]


@pytest.mark.parametrize("expression", GRAPHS)
@pytest.mark.filterwarnings("ignore")
def test_graphs_are_those_of_pytorch(expression):
    place = Path(__file__).with_name("stored.json")
    key = f"graph of {expression}"
    answer = expected(place, key, lambda lib: graph(lib, expression))
    assert graph(edutorch, expression) == answer


def test_a_leaf_has_one_node():
    x = edutorch.ones(2, requires_grad=True)
    y, z = x.exp(), x.log()
    node = y.grad_fn.next_functions[0][0]
    assert node is z.grad_fn.next_functions[0][0]
    assert node is not edutorch.ones(2, requires_grad=True).exp().grad_fn


ONE_NODE = [
    "torch.mvlgamma(positive + 2, 3)",
    "F.multi_margin_loss(a, cls, 2)",
    "F.multi_margin_loss(a, cls, 1, 0.5, reduction='none')",
    "F.multilabel_margin_loss(a, torch.tensor([[0, 2, -1], [1, -1, 2]]))",
    "torch.split_copy(a * a, 1)",
    "torch.select_scatter(a * a, row * row, 0, 1)",
    "torch.diagonal_scatter(square * square, row * row)",
]


@pytest.mark.parametrize("expression", ONE_NODE)
def test_functions_with_one_node_have_second_derivatives(expression):
    derivatives(expression)
