"""What functions do to nested tensors."""

from __future__ import annotations

from tests.nested.shown import answers, nested, shown
from tests.programs import Programs

programs = Programs(__file__)
BOTH = """
v + 1
v * v
v - 1
-v
abs(v)
v.sin()
v.relu()
f.silu(v)
f.gelu(v)
v > 0
v.masked_fill(v > 0.5, 0)
v.add_(1)
v.mul_(2)
v.zero_()
v.sum(-1)
v.sum(0)
v.sum((1, 2))
v.sum(-1, keepdim=True)
v.cumsum(1)
f.linear(v, torch.ones(2, 3).double(), torch.ones(2).double())
torch.nn.Linear(3, 2).double()(v).detach()
torch.nn.LayerNorm(3).double()(v + v * v).detach()
f.softmax(v, -1)
f.softmax(v, 1)
f.softmax(v, 0)
f.layer_norm(v * v, (3,), torch.ones(3).double(), torch.zeros(3).double())
f.dropout(v, 0.5)
v.transpose(1, 2)
v.transpose(0, 1)
v.mT
v.unsqueeze(1)
v.unsqueeze(-1)
v.unsqueeze(0)
v.squeeze(0)
v.view(2, -1, 3, 1)
v.reshape(-1, 3)
v.chunk(3, -1)
v.narrow(-1, 0, 2)
v.split(1, -1)
torch.cat([v, v], -1)
v.double()
v.to(torch.float32)
v.clone()
v.contiguous()
torch.zeros_like(v)
torch.ones_like(v)
v.select(0, 1)
v.select(2, 0)
f.scaled_dot_product_attention(v.unsqueeze(1), v.unsqueeze(1), v.unsqueeze(1))
v == 'a'
v != 'a'
v.copy_(w)
v.copy_(torch.ones(2, 3, 3))
v.copy_(v.transpose(1, 2))
v.subtract(1)
v.multiply(w.mul(2)) if v.layout is torch.strided else v.multiply(v)
v.greater(0.5)
v.less(0.5)
v.negative()
v.sin_()
v.abs_()
v.tanh_()
v.eq_(v)
v.masked_fill_(v > 0.5, 0)
v.data
v.type()
v.new_tensor([1.0])
v.is_same_size(w)
v.stride()
v[..., 0]
v.permute(0, 2, 1)
v.T
v.expand(2, -1, 3)
v.deg2rad()
f.softsign(v)
torch.full_like(v, 2.0)
torch.addcmul(v, v, v)
v + torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
torch.bmm(v, torch.ones(2, 3, 2).double())
torch.bmm(v, torch.ones(3).double())
v @ torch.ones(3).double()
v.unsqueeze(2) @ v.unsqueeze(2).transpose(-1, -2)
torch.nested.as_nested_tensor(v)
torch.nested.as_nested_tensor(v, layout=v.layout)
"""
STRIDED = """
torch.tensor(2.0) - v
torch.tensor(2.0) / v
v == torch.tensor(0.5)
v > torch.tensor(0.5)
v <= 0.5
v.div_(2)
v[...]
torch.div(v, 2, rounding_mode='floor')
v.exp()
v + torch.ones(3)
v + v.transpose(1, 2)
v == w
v**2
1 - v
2 / v
torch.where(v > 0, v, v)
v.sum()
v.matmul(v.transpose(1, 2))
torch.bmm(v, v.transpose(1, 2))
v @ torch.ones(3, 2).double()
f.log_softmax(v, -1)
f.layer_norm(v, (3,))
v.chunk(2, -1)
v.chunk(2)
torch.cat([v, w])
torch.rand_like(v)
v.unflatten(-1, (3, 1))
v.flatten(1)
v.narrow(0, 0, 1)
"""
JAGGED = """
v.long().mean(1)
f.log_softmax(v, 1)
v.stride(0)
v.exp()
f.elu(v)
v + torch.ones(3)
v + w
v**2
1 - v
2 / v
v.clamp(0, 0.5)
torch.where(v > 0.5, v, -v)
v.sum()
v.sum(1)
v.sum((0, 1))
v.mean(1)
v.mean(-1)
v.amax(-1)
v.prod(1)
v.max()
v.min(1)
v.any()
v.argmax(-1)
v @ torch.ones(3, 2).double()
v @ torch.ones(2, 3, 2).double()
v.matmul(v.transpose(1, 2))
v.transpose(1, 2) @ v
f.log_softmax(v, -1)
f.layer_norm(v * v, (3,))
v.unflatten(-1, (3, 1))
v.flatten(1)
v.transpose(-1, -2).contiguous()
torch.rand_like(v)
f.hardswish(v)
"""


@programs.add
def strided(torch):
    return answers(torch, "strided", BOTH + STRIDED)


@programs.add
def jagged(torch):
    return answers(torch, "jagged", BOTH + JAGGED)


@programs.add
def words_embedded(torch):
    words = [torch.tensor([0, 1]), torch.tensor([1, 1, 0])]
    table, found = torch.arange(6.0).reshape(2, 3), []
    for layout in (torch.strided, torch.jagged):
        x = torch.nested.nested_tensor(words, layout=layout)
        found.append(shown(torch.nn.functional.embedding(x, table)))
    return found


@programs.add
def heads_attend(torch):
    f = torch.nn.functional
    x = nested(torch, "jagged").view(2, -1, 3, 1).transpose(1, 2)
    y = f.scaled_dot_product_attention(x, x * 2, x + 1)
    return shown(y.transpose(1, 2))


@programs.add
def gradients(torch):
    f, found = torch.nn.functional, []
    weight = torch.arange(6.0).reshape(2, 3).double()
    for layout in ("strided", "jagged"):
        for function in (
            lambda z: (z * z).to_padded_tensor(0.0),
            lambda z: f.softmax(z, -1).sin().to_padded_tensor(1.0),
            lambda z: f.linear(z, weight).to_padded_tensor(0.0) ** 2,
            lambda z: z.unbind()[1] ** 2,
        ):
            leaf = nested(torch, layout, requires_grad=True)
            function(leaf).sum().backward()
            parts = [p.clone().requires_grad_() for p in nested(torch, layout).unbind()]
            y = torch.nested.as_nested_tensor(parts, layout=getattr(torch, layout))
            function(y).sum().backward()
            found.append([shown(leaf.grad), [p.grad for p in parts]])
    return found


test_functions = programs.test()
