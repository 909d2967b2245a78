"""`grad_fn` names and `next_functions` are PyTorch's, all the way down the graph."""

from __future__ import annotations

import edutorch
from tests.programs import Programs

programs = Programs(__file__)

EXPRESSIONS = {
    "pointwise": """
        x+y x-y x*y x/y x+1 2-x x*2 2*x 1+x x/2 x**2 x**y 2**x -x abs(x) x.exp() x.log()
        x.sqrt() x.rsqrt() x.sin() x.cos() x.tan() x.tanh() x.sigmoid() x.relu()
        x.erf() x.reciprocal() x.square() x.floor() x.round() x.sign() x.clamp(0,1)
        x.clamp(min=0) x.clamp(max=1) x.log1p() x.expm1() x.log2() x.log10()
        x.atan() x.asin() x.acos() x.sinh() x.cosh() x.lgamma() x.digamma() x.frac()
        x.trunc() x.ceil() x.atan2(y) torch.maximum(x,y) torch.minimum(x,y)
        torch.lerp(x,y,0.5) x.addcmul(x,y) x.addcdiv(x,y) torch.where(x>0,x,y)
        x.masked_fill(x>1,0.) x.fmod(2) x.remainder(2) torch.hypot(x,y)
        x.logaddexp(y) x.nan_to_num() x.float() x.double() x.clone()
        x.add(y,alpha=2) x.sub(y,alpha=2) torch.logit(x*0.1+0.2)
        torch.special.expit(x)
    """,
    "reduce": """
        x.sum() x.sum(0) x.sum((0,1)) x.mean() x.mean(1) x.prod() x.prod(0) x.max()
        x.min() x.max(0)[0] x.min(1)[0] x.amax(0) x.amin() x.var() x.var(0) x.std()
        x.std(1) x.norm() x.norm(dim=0) x.logsumexp(0) x.cumsum(0) x.cumprod(1)
        x.median() x.median(0)[0] x.sort()[0] x.topk(1)[0] x.kthvalue(1)[0]
        x.logcumsumexp(0) x.trace() x.cummax(0)[0] x.mode()[0]
    """,
    "shape": """
        x.view(9) x.reshape(9) x.t() x.T x.transpose(0,1) x.permute(1,0)
        x.unsqueeze(0) x[None].squeeze(0) x[None].squeeze() x[0] x[:,1] x[1:]
        x[:,:2] x[...,0] x[[0,1]] x[x>0] x.expand(2,3,3) x.repeat(2,1)
        torch.cat([x,y]) torch.stack([x,y]) x.chunk(3)[0] x.split(2)[0]
        x.split([1,2])[1] x.unbind()[1] x.flip(0) x.roll(1,0) x.diagonal() x.diag()
        x.tril() x.triu() x.gather(0,i) x.index_select(0,j) x.narrow(0,0,2)
        x.select(1,0) x.flatten() x.contiguous() x.t().contiguous() x.movedim(0,1)
        x.unfold(0,2,1) x.masked_select(x>0) x.scatter(0,i,y) x.scatter_add(0,i,y)
        x.index_add(0,j,y[:2]) x.index_fill(0,j,0.) x.take(j) x.detach()*x
        x.broadcast_to(2,3,3) x.as_strided((2,),(1,))
        torch.nn.functional.pad(x,(1,1)) x.rot90() x.swapaxes(0,1)
    """,
    "matmul": """
        x@y torch.mm(x,y) x@y[0] torch.mv(x,y[0]) torch.dot(x[0],y[0])
        torch.bmm(x[None],y[None]) torch.addmm(x,x,y)
        torch.baddbmm(x[None],x[None],y[None]) torch.linalg.inv(p) torch.det(p)
        torch.linalg.solve(p,x) torch.linalg.cholesky(p) torch.linalg.eigvalsh(p)
        torch.linalg.norm(x) torch.trace(x) torch.tensordot(x,y,1)
        torch.linalg.matrix_power(x,2) torch.cross(x,y,dim=0)
    """,
    "nn": """
        F.softmax(x,1) F.log_softmax(x,1) F.relu(x) F.gelu(x) F.silu(x) F.elu(x)
        F.leaky_relu(x) F.softplus(x) F.hardtanh(x) F.mish(x) F.glu(c)
        F.layer_norm(x,(3,)) F.mse_loss(x,y) F.l1_loss(x,y) F.smooth_l1_loss(x,y)
        F.huber_loss(x,y) F.nll_loss(x,j3)
        F.binary_cross_entropy(x.sigmoid(),y.detach()*0) F.kl_div(x,y.detach())
        F.conv2d(m,k) F.conv_transpose2d(m,k) F.max_pool2d(m,2) F.avg_pool2d(m,2)
        F.adaptive_avg_pool2d(m,2) F.adaptive_max_pool2d(m,1)
        F.batch_norm(x,None,None,training=True) F.group_norm(m,1) F.instance_norm(m)
        F.embedding(j,x) F.interpolate(m,scale_factor=2)
        F.pixel_shuffle(m.expand(1,4,4,4),2) F.selu(x) F.celu(x) F.hardswish(x)
        F.hardsigmoid(x) F.softsign(x) F.tanhshrink(x) F.softshrink(x)
        F.hardshrink(x) F.logsigmoid(x) F.relu6(x) F.threshold(x,0,0)
        F.prelu(x,y[0]) F.unfold(m,2) F.fold(F.unfold(m,2),(4,4),2)
    """,
}

# Run as one op here, and by PyTorch as several: the last of them has the same name.
FUSED = """
    torch.outer(x[0],y[0]) torch.einsum('ij,jk->ik',x,y) F.linear(x,y)
    F.linear(x,y,x[0]) F.linear(x[None],y,x[0]) F.linear(x[None],y)
    F.cross_entropy(x,j3) F.conv1d(m[0,:,:1],k[0,:,:1]) F.normalize(x)
    F.cosine_similarity(x,y) F.dropout(x,0.5,True)
    F.margin_ranking_loss(x,y,x.detach().sign()) F.max_pool1d(m[0],2)
    F.avg_pool1d(m[0],2) F.one_hot(j)*x[:2,:2] F.pairwise_distance(x,y)
    F.adaptive_avg_pool2d(m,1) F.adaptive_avg_pool3d(m,1) torch.fft.fft(x)
    torch.fft.ifft(x) torch.fft.fft2(x) torch.fft.fft(x+0j) torch.kron(x,y)
    torch.nn.GRUCell(3,2)(x) F.soft_margin_loss(x,y.detach().sign())
    torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3,2)).weight
"""


def tensors(torch):
    """The names that expressions use."""
    x = torch.linspace(0.1, 0.9, 9).reshape(3, 3).requires_grad_()
    y = torch.linspace(0.2, 0.8, 9).reshape(3, 3).requires_grad_()
    m = torch.linspace(0, 1, 16).reshape(1, 1, 4, 4).requires_grad_()
    return {
        "torch": torch, "F": torch.nn.functional, "x": x, "y": y, "m": m,
        "k": torch.ones(1, 1, 2, 2, requires_grad=True), "j": torch.tensor([0, 1]),
        "i": torch.zeros(3, 3, dtype=torch.int64), "j3": torch.tensor([0, 1, 2]),
        "p": (x.detach() @ x.detach().T + torch.eye(3)).requires_grad_(),
        "c": torch.ones(3, 4, requires_grad=True),
    }  # fmt: skip


def walk(node):
    """A graph as nested lists of names and output numbers."""
    if node is None:
        return None
    return [node.name(), [[walk(n), nr] for n, nr in node.next_functions]]


def family(name):
    def graphs(torch):
        found = {}
        for text in EXPRESSIONS[name].split():
            value = eval(text, tensors(torch))
            found[text] = walk(value.grad_fn)
        return found

    graphs.__name__ = f"graphs_of_{name}"
    return graphs


for _name in EXPRESSIONS:
    programs.add(family(_name))


@programs.add
def names_of_fused_operations(torch):
    found = {}
    for text in FUSED.split():
        found[text] = eval(text, tensors(torch)).grad_fn.name()
    return found


test_names = programs.test()


def test_a_layer_lists_its_bias_first_as_addmm_does():
    x, w = edutorch.ones(2, 3), edutorch.ones(4, 3, requires_grad=True)
    b = edutorch.ones(4, requires_grad=True)
    y = edutorch.nn.functional.linear(x.requires_grad_() * 1, w, b)
    first, second, third = (node for node, _ in y.grad_fn.next_functions)
    assert first.variable is b
    assert second.name() == "MulBackward0"
    assert third.variable is w
