"""Graphs of composed products, norms, solutions and transforms: PyTorch's nodes."""

import pytest

from tests.ops.cases import same_graph

PRODUCTS = [
    "torch.chain_matmul(square)",
    "torch.chain_matmul(a, square, a.t())",
    "torch.inner(row, row)",
    "torch.inner(a, b)",
    "torch.inner(row[:1], row[:1])",
    "torch.inner(a, row)",
    "torch.linalg.multi_dot([a, square])",
    "torch.linalg.multi_dot([row, square])",
    "torch.linalg.multi_dot([square, square, square])",
    "torch.linalg.multi_dot([row, square, row])",
    "torch.linalg.multi_dot([a, square, posdef[0], a.t()])",
    "torch.linalg.vecdot(row, row)",
    "torch.linalg.vecdot(a, b)",
    "torch.linalg.vander(row, N=4)",
    "torch.linalg.vander(scalar, N=2)",
    "torch.linalg.matrix_power(square, 0)",
    "torch.linalg.matrix_power(square, 3)",
    "torch.linalg.matrix_power(square, -7)",
    "torch.bilinear(a, b, squares, row[:2])",
    "torch.block_diag(row, a, scalar)",
    "torch.tensordot(squares, square, 2)",
    "torch.tensordot(a[:, :1], b[:1], 1)",
    "torch.cov(a)",
    "torch.cov(row)",
    "torch.cov(a, fweights=torch.tensor([1, 2, 3]))",
    "torch.corrcoef(a)",
    "torch.corrcoef(complexes)",
]

SUBSCRIPTS = [
    "torch.einsum('i,j->ij', row, a[0])",
    "torch.einsum('ij->ji', a)",
    "torch.einsum('ij->', a)",
    "torch.einsum('ii->i', square)",
    "torch.einsum('ii', square)",
    "torch.einsum('ij,jk->ik', a, square)",
    "torch.einsum('ij,ij->', a, b)",
    "torch.einsum('...ij,...jk->...ik', squares, square)",
    "torch.einsum('ij,jk,kl->il', a, square, square)",
]

NORMS = [
    "torch.linalg.matrix_norm(a, 1)",
    "torch.linalg.matrix_norm(squares, float('-inf'), (2, 0), True)",
    "torch.cdist(a, b, 1.0)",
    "torch.cdist(squares, square, 0.0)",
    "torch.cdist(a, b, 2.0, 'use_mm_for_euclid_dist')",
    "torch.cdist(squares, square, 2.0, 'use_mm_for_euclid_dist')",
    "torch.dist(a, row, 1)",
    "torch.dist(a[:0], row)",
    "torch.renorm(a, 2, 0, 0.5)",
]

SOLUTIONS = [
    "torch.linalg.solve(square, row)",
    "torch.linalg.solve(squares, a)",
    "torch.linalg.solve(square, a, left=False)",
    "torch.linalg.solve_ex(square, a, left=False)[:1]",
    "torch.linalg.tensorsolve(posdef[0], row)",
    "torch.linalg.solve_triangular(square, a, upper=True, left=False)",
    "torch.triangular_solve(a.t(), square, transpose=True)",
    "torch.linalg.householder_product(square, row)",
    "torch.ormqr(square, row, a, left=False)",
]

TRANSFORMS = [
    "torch.fft.ifft(row, 5)",
    "torch.fft.hfft(row, 3)",
    "torch.fft.fftn(a, s=(1, 5))",
    "torch.fft.rfftn(squares, s=(4, 5))",
    "torch.fft.ihfft2(a, s=(4, 5))",
    "torch.fft.fftshift(a[:0])",
    "torch.roll(a[:0], 1, 0)",
    "torch.stft(torch.cat([row, row]), 4, return_complex=True)",
    "torch.stft(squares.flatten(1), 3, 1, window=row, return_complex=True)",
    "torch.istft(torch.complex(square, square).t(), 4)",
]


@pytest.mark.parametrize("case", PRODUCTS + SUBSCRIPTS + NORMS + SOLUTIONS + TRANSFORMS)
def test_graphs_have_the_nodes_of_pytorch(case):
    same_graph(__file__, case)
