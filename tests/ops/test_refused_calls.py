"""Wrong calls found by random programs are refused as in PyTorch.

Each line of CALLS is run under both libraries: the exception's class and the first
line of its message must be the same, or the result.
"""

import pytest

import edutorch
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

MADE = (
    "X = torch.arange(12.).reshape(3, 4)\n"
    "IM = torch.arange(48.).reshape(1, 3, 4, 4)\n"
    "I, ones = torch.arange(3), torch.ones\n"
)
TESTED = """
F.relu((), X)
F.relu(X, X)
F.hardtanh(X, -1., X)
F.hardtanh('none', X, -1., 1.)
F.dropout(X, ones(3, 4), True)
F.dropout2d(X, X)
F.group_norm(IM, torch.tensor([5, -7, 1]))
F.smooth_l1_loss(X, X, beta=X)
F.smooth_l1_loss(X, X, X, beta=.5)
F.batch_norm(X, X[0], X[0], training=X.int())
F.max_pool1d(X, kernel_size=3, return_indices=X)
F.triplet_margin_loss(X, X, X, margin=X)
F.softplus(X, X)
torch.einsum(X, X)
torch.lu(IM, True, X)
torch.unique_consecutive(X, X)
torch.tril(X, X)
nn.MultiheadAttention(4, 2, torch.zeros(0))(X, X, X)
"""
NOTHING = """
F.batch_norm(ones(0, 2), ones(2), ones(2), ones(2), ones(2), training=True)
F.batch_norm(ones(3, 0), ones(0), ones(0), ones(0), ones(0))
F.conv1d(ones(2, 0, 5), ones(4, 0, 3), ones(4))
F.adaptive_avg_pool2d(ones(2, 0, 3), 1)
torch.cdist(ones(5, 2).half(), ones(0, 2).half())
torch.index_fill(ones(0, 2), 1, torch.tensor([5]), 1.)
torch.index_fill(ones(2, 0), 1, torch.tensor([0]), 1.)
torch.index_add(ones(2, 0), 0, torch.tensor([5]), ones(1, 0))
torch.index_copy(ones(0), 0, torch.tensor([0]), ones(1))
torch.index_reduce(ones(0, 0), 1, torch.tensor([0]), ones(0, 1), 'amax')
torch.linalg.cholesky(ones(0, 0).half().requires_grad_()).sum().backward()
torch.histogram(X.requires_grad_(), 3)[0].sum().backward()
torch.as_strided_scatter(ones(0), ones(0), (1,), (1,))
torch.diff(X, 0, out=ones(3, 4).int())
torch.randn(2, out=ones(2, requires_grad=True))
torch.unbind_copy(X, out=[ones(4, requires_grad=True), ones(4), ones(4)])
torch.heaviside(X, X, out=X.expand(2, 3, 4))
torch.softmax(X, 0, out=ones(3, 4, requires_grad=True) * 2)
torch.scatter(X.requires_grad_(), 0, I[None], 2.5, out=X.detach()[:1].expand(3, 4))
torch.angle(X + 0j, out=ones(1).byte().expand(3, 4))
torch.logsumexp(X + 0j, 0, out=ones(4).double())
torch.logsumexp(X, 1, out=ones(3).bfloat16())
torch.logsumexp(X.bfloat16(), 1, out=ones(3).half())
torch.dot(X[0].requires_grad_(), X[1], out=X[1])
torch.cumprod(X.requires_grad_(), 0, out=ones(3, 4).bool())
torch.ldexp(X + 0j, X, out=ones(3, 4).double())
torch.ldexp(X + 0j, X, out=ones(3, 4).int())
torch.special.ndtr(X.requires_grad_(), out=ones(1).int().expand(3, 4))
torch.matmul(X, X[0], out=ones(1, 3).int())
torch.fft.ifft(X, out=torch.zeros(3, 4, dtype=torch.complex128))
torch.std(X.bfloat16(), out=torch.tensor(1).char())
torch.std(X[:0].bfloat16(), out=torch.tensor(1.))
torch.linalg.eigh(torch.eye(2) + 0j, out=(ones(2).int(), ones(2, 2).int()))
torch.linalg.matrix_power(ones(2, 2, requires_grad=True), 4, out=torch.zeros(2, 2)).requires_grad
torch.linalg.ldl_factor(torch.eye(2, requires_grad=True), out=(torch.zeros(2, 2), I[:2].int()))[0].requires_grad
torch.ormqr(ones(2, 0, requires_grad=True), ones(0), ones(2, 2)).requires_grad
torch.histogram(X[0].requires_grad_(), 2, out=(ones(2), ones(2, 3)[1]))
F.normalize(X, out=(X,))
torch.ldexp(X + 0j, ones(0).half())
(X + 1j).abs_()
(X[0, :1] + 1j).expand(3).abs_()
torch.angle(X + 1j, out=(X + 1j).expand(2, 3, 4))
torch.inner(X[0].requires_grad_(), X[0], out=torch.tensor(1., device='meta'))
torch.diag(X[0], out=(X,))
torch.var(X / 7, 0, out=ones(4).bfloat16())
torch.var(X / 7, out=torch.tensor(1., dtype=torch.float64))
torch.kthvalue(X[0].long(), 2, out=(X[0].long(),))
torch.native_batch_norm(X, None, None, ones(4), ones(4), False, .1, 1e-5, out=(ones(3, 4), ones(4), ones(4)))
torch.native_batch_norm(X, None, None, ones(4), ones(4), False, .1, 1e-5, out=(ones(3, 4), ones(4, 1), ones(4)))
torch.prod(X + 1j, 0, out=ones(4).half())
X.masked_scatter_(ones(2, 3, 4) > 0, X)
X.masked_scatter_(ones(2, 3, 4) > 0, X.double())
X.masked_fill_(ones(5) > 0, 1)
torch.max(X, out=X.view(-1)[:4])
torch.unbind_copy(X, out=[ones(4, requires_grad=True) * 1, ones(4), ones(4)])
torch.split_copy(X + 0j, 2, 1, out=[(ones(3, 2) + 0j).conj(), ones(3, 2) + 0j])
"""
READ = """
X['step']
X['a']
X['']
IM['step']
torch.tensor(1)['a']
X[b'x']
X[[1, 'a']]
X[:, 'a']
torch.linalg.qr(X, mode=X > 0)
torch.linalg.qr(X, mode={})
torch.histc(X, 4, float('inf'), 9)
torch.histc(X, 4, float('nan'), 9)
torch.linspace(ones(2, 3), 1, 5)
torch.linspace(0, ones(2, 3), 5)
torch.linspace(ones(3), ones(2, 3), 5)
torch.logspace(0, ones(2), 2, 3.0)
torch.linspace(0, 1j, 5, dtype=torch.float32)
torch.logspace(1j, 1, 5, dtype=torch.int64)
torch.bincount(X[0], minlength=-1)
torch.topk(torch.tensor([True]), 3)
torch.topk(X[0] + 0j, 7)
torch.aminmax(torch.tensor(1j), dim=0)
torch.mvlgamma(X + 0j, 2)
torch.bernoulli(X + 0j)
torch.einsum('i->', ())
torch.einsum('ij->ji', [1.5])
torch.einsum(b'x', X)
F.unfold(ones(2, 3), 2, padding=1)
F.unfold(IM, {}, padding=1)
F.unfold(IM, 2, padding=torch.tensor([5, -7, 1]))
F.unfold(IM, torch.tensor(1), padding=1)
torch.unique(torch.tensor(1.), dim=-1)
torch.unique_consecutive(torch.tensor(1.), dim=3)
torch.fft.fftshift(torch.tensor(1.), dim=3)
torch.fft.irfft2(ones(2, 0))
torch.cummax(torch.tensor(1.), 7)
torch.cummin(torch.tensor(1j), 0)
torch.addbmm(ones(1), ones(5, 5, 5), ones(2, 0))
torch.baddbmm(ones(5, 5, 10), ones(1), ones(5, 5, 10))
torch.index_reduce(ones(5, 5), 1, torch.tensor([0, 5]), ones(5, 2), 'prod')
torch.index_reduce(ones(5, 5), 1, torch.arange(5), ones(3), 'prod')
torch.index_reduce(ones(5, 5), 1, torch.arange(5), ones(5, 5).double(), 'prod')
torch.index_reduce(ones(5, 5), 1, torch.arange(5), ones(2, 5), 'prod')
torch.index_copy(ones(1), 0, torch.tensor([0.]), ones(1))
torch.index_add(ones(1), 0, torch.tensor([0.]), ones(1))
torch.index_fill(ones(1), 0, torch.tensor([0.]), 1)
X.index_fill_(0, X.long(), 1.)
X.index_add_(0, X, I)
X.index_reduce_(0, X.long(), X, 'prod')
torch.index_select(X, -1, torch.tensor([2, 4]))
torch.index_select(X, 0, torch.tensor([2, 4]))
torch.embedding(ones(0, 3), torch.tensor([0, 2]))
X.masked_fill_(torch.zeros(0), 0)
torch.take_along_dim(X, ones(1), 0)
torch.linalg.cross(ones(3), ones(5, 3, 5), dim=1)
torch.linalg.solve(X > 0, X)
torch.linalg.solve(ones(2, 2).half(), ones(2, 1))
torch.linalg.lstsq(X[None], X[None], driver=1)
torch.linalg.vander(torch.tensor(1.).half(), N=1j)
torch.linalg.matrix_power(ones(1, 1), True)
X.diagonal(True)
X.diagonal(1.5, 1)
torch.diag_embed(X, offset=True)
nn.Embedding(0, 2, padding_idx=0)(I)
nn.Embedding(ones(2, 3), 2, padding_idx=0)
F.linear(X, ones(2, 4), ones(1, 1, 1, 1))
F.linear(X, ones(2, 4), ones(3, 4))
F.linear(X, ones(2, 3).double(), ones(2))
torch.addmm(ones(3, 3), I, X.t())
torch.addmm(ones(3, 3).double(), X, X)
F.conv2d(ones(3, 4).double(), ones(2, 3, 2, 2), ones(2))
F.conv2d(IM, ones(2, 3, 2, 2), ones(3, 4).double())
F.conv2d(IM, ones(2, 3, 0, 0))
F.conv1d(X[None], ones(2, 3, 0))
F.conv3d(IM[None], ones(2, 1, 0, 0, 0))
F.scaled_dot_product_attention(X[None], I, X[None])
F.scaled_dot_product_attention(X[None], X[None].to('meta'), X[None])
F.layer_norm(X.double(), [1, 2], ones(1, 2), ones(1, 2))
F.layer_norm(X, [4], ones(4), ones(4).byte())
F.layer_norm(X, (4,), eps=1j)
F.group_norm(IM, 3, ones(3), ones(3).byte())
F.batch_norm(X, ones(4), ones(4), ones(4), ones(4).bool())
F.batch_norm(X.int(), ones(3), ones(4))
F.batch_norm(X, None, None, None, None, True, .1, -1)
X.backward('sum')
X.backward([ones(2), 1])
torch.autograd.backward([X.sum().requires_grad_()], [None, None])
nn.ZeroPad2d({})(IM)
nn.ZeroPad2d(b'x')(IM)
nn.Conv1d(3, 2, torch.tensor(1))(X)
nn.Linear(4, 2).cuda(1.5)
F.nll_loss(X, I, ignore_index=torch.tensor(1))
torch.rms_norm(ones(7, 1).byte(), (3,))
nn.BatchNorm1d([1, 2])(X)
nn.PReLU(1, X.int())
nn.PReLU((1,), .25).double()(X)
X.as_strided((2, 2), 1)
X.as_strided((2, 2), (1, 2), storage_offset=-.5)
torch.zeros(2, True)
torch.zeros((2, True))
X.view(4, True)
X.repeat(2, True)
X.sum((0, True))
X.expand(3, True)
nn.Linear(4, 2).to(-3)
nn.Linear(4, 2).get_submodule(0)
nn.Linear(4, 2).set_submodule('c', b'x', nn.ReLU())
X.sum(1, keepdim=None)
torch.sum(X, 1, keepdim=None)
torch.mean(X, 1, keepdim=None)
torch.prod(X, 1, keepdim=None)
torch.max(X, 1, keepdim=None)
torch.min(X, 1, keepdim=None)
torch.median(X, 1, keepdim=None)
torch.nanmedian(X, 1, keepdim=None)
torch.reshape(X, -1)
torch.reshape(X, torch.tensor(12))
torch.tile(X, 2)
torch.broadcast_to(X[0], 4)
torch.randint(True, (2,))
torch.randint(0, True, (2,))
torch.randint_like(X, True)
X.movedim(torch.tensor([0]), 1)
X.movedim(True, 1)
F.max_pool2d(IM, 2, 2, 1, 0)
F.max_pool2d(IM, 0, 1, 2)
F.adaptive_avg_pool1d(X, (None,))
F.adaptive_max_pool1d(X, None)
F.cross_entropy(I, X)
F.cross_entropy(torch.tensor(1), I)
torch.tensor(1).softmax(-1)
"""
ARRAYS = """
torch.real(np.ones(2))
torch.conj(np.ones(2))
torch.flatten(np.ones(2))
torch.ravel(np.ones(2))
torch.reshape(np.ones(2), (2,))
torch.tile(np.ones(2), (2,))
torch.aminmax(np.ones(2))
X.masked_fill(np.array([True]), 1)
X.masked_fill_(np.array([True]), 1)
torch.scatter_add(X, 0, I[:0].reshape(0, 0), np.ones((3, 3)))
torch.scatter_reduce(X, 0, I[:0].reshape(0, 0), np.ones((3, 3)), 'sum')
torch.bucketize(np.ones(3), X[0])
torch.searchsorted(X[0], np.ones(3))
torch.quantile(X, np.array(.5))
torch.linalg.pinv(X, np.array(1.))
torch.linalg.pinv(X, rtol=np.array([1.]))
"""
SEVERAL = """
torch.squeeze(X, torch.tensor([0]))
torch.squeeze(X, torch.tensor(0))
X.max(other=0)
X.max(dim=X)
X.max(keepdim=True)
X.masked_fill(mask=X > 1, value=None)
X.masked_fill(torch.tensor([1, 0]), 1)
X.masked_fill(torch.tensor([1, 0]), 1j)
X.masked_fill(I[:, None], ones(2))
X.masked_fill(I[:, None], 1j)
X.masked_fill(torch.tensor([True, False]), ones(2))
X.masked_fill_(I[:, None], ones(2))
X.masked_fill_(torch.tensor([1, 0]), 1j)
"""
DEVICES = """
torch.index_add(X.to('meta'), 0, I[:1], X[:1].to('meta'))
torch.index_add(X, 0, I[:1].to('meta'), X[:1])
torch.index_copy(X.to('meta'), 0, I[:1], X[:1])
torch.index_fill(X.to('meta'), 0, I[:1], 1.)
torch.index_fill(X, 0, I[:1].to('meta'), 1.)
X.to('meta')[X > 3].shape
X.to('meta')[X > 3, None].shape
X.to('meta')[(X > 3).to('meta')].shape
X.index_add_(0, I[:1], X[:1].to('meta'))
X.index_copy_(0, I[:1], X[:1].to('meta'))
X.index_fill_(0, I[:1].to('meta'), 1.)
"""


def lines(text):
    return text.strip().splitlines()


@pytest.mark.parametrize("call", lines(TESTED))
def test_python_functions_test_a_tensor_where_pytorch_does(call):
    assert_agrees(call)


@pytest.mark.parametrize("call", lines(NOTHING))
def test_calls_with_nothing_to_compute_or_write_are_checked_alike(call):
    assert_agrees(call)


@pytest.mark.parametrize("call", lines(READ))
def test_arguments_are_read_in_the_order_of_pytorch(call):
    assert_agrees(call)


@pytest.mark.parametrize("call", lines(ARRAYS))
def test_arrays_are_refused_for_tensors_where_pytorch_refuses_them(call):
    assert_agrees(call)


@pytest.mark.parametrize("call", lines(DEVICES))
def test_indices_and_sources_on_other_devices_are_refused_alike(call):
    assert_agrees(call)


@pytest.mark.parametrize("call", lines(SEVERAL))
def test_the_first_of_several_errors_is_the_one_of_pytorch(call):
    assert_agrees(call)


def assert_agrees(call):
    """Compare what a call gives, or with which first line it is refused."""
    program = MADE + (call if "result = " in call else f"result = {call}")
    expected = outcome(program, torch, {})
    got = outcome(program, edutorch, {})
    assert difference(expected, got) == ("", ""), f"{expected} | {got}"
