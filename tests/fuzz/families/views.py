"""Views of views, changes in place through them, and gradients of both."""

from __future__ import annotations

import random

__all__ = ["program"]

SHAPES = ["6", "2, 3", "3, 4", "2, 3, 2", "1, 4", "2, 1, 3", "4, 0", "1", ""]
VIEWS = """[0] [-1] [1:] [::2] [:,1:] [...,0] [None] [1:,None] [...] .t() .transpose(0,-1)
.unsqueeze(1) .squeeze() .squeeze(0) .diagonal() .diagonal(1,0,-1) .unfold(0,2,1)
.unfold(-1,1,2) .expand(2,*{v}.shape) .expand(2,3) .reshape(-1) .view(-1)
.reshape(2,-1) .view(3,-1) .flatten() .flatten(0,1) .as_strided((2,2),(1,2),1)
.as_strided((3,),(2,)) .as_strided((2,3),(3,1),0) .as_strided((2,),(0,))
.as_strided((3,2),(1,1)) .as_strided((9,9),(9,1)) .narrow(0,1,1) .select(-1,0)
.chunk(2)[0] .split(1,-1)[0] .unbind()[0] .unbind(-1)[-1] .tensor_split(2)[1]
.movedim(0,-1) .view_as({v}) .detach() .permute(*range({v}.ndim)[::-1]) .swapaxes(0,1)
.unflatten(0,(1,-1)) .data .contiguous() .mT .hsplit(1)[0] .expand_as(b) .clone()
.broadcast_to(2,*{v}.shape) .ravel() .squeeze(-1) .resolve_conj()""".split()
COMPLEX = """.conj() .real .imag .mH .conj().t() .H .adjoint() .conj().imag
.conj()[0] .resolve_conj() .resolve_neg()""".split()
READ_AS = [
    ".view(torch.int32)", ".view(torch.float32)", ".view(torch.uint8)",
    ".view(torch.complex64)", ".view(torch.int16)",
]  # fmt: skip
WRITES = """.mul_(2) .add_(1) .zero_() .fill_(3) [0]=5 [...,1:]=2 .index_fill_(0,i,7)
.masked_fill_({v}.abs()>1,2) .index_put_((i,),{v}[i]*2) .scatter_(0,{v}.long()*0,4)
.exp_() .t_() .transpose_(0,-1) .unsqueeze_(0) .squeeze_() .resize_(2,2).fill_(1) .resize_(3).zero_()
.as_strided_((2,),(1,)) .as_strided_((2,2),(2,1),1) .index_add_(0,i,{v}[i])
.index_copy_(0,i,{v}[i]*3) .add_({u}) .sub_(b) .copy_({u}) .mul_(b[0].clone()) .neg_() .detach_()
.mul_(w) .add_(w) .copy_(w) .fill_(w) [0]=w [i]=w .masked_fill_({v}!=0,w) .square_()
.set_({u}) .set_({u}.untyped_storage(),0,(1,),(1,)).fill_(2) .fill_diagonal_(1)
.requires_grad_() .masked_scatter_({v}!=0,{u}.clone()) .put_(i,i.to(b.dtype)) .tril_()
.squeeze_(0) .swapaxes_(0,1) [0]+={u}[-1].clone() *=2 +=b .clamp_(max=2) .sin_() .swapdims_(0,1)
.resize_as_({u}).fill_(3) .untyped_storage().resize_(200) .add_({u}.detach().clone()) .addcmul_({v},{v})
.copy_({v}.mT.clone()) .conj_physical_() .requires_grad_(False) .retain_grad()
[:]={v}[0] [...]={u}[-1] [{v}!=0]={v}.reshape(-1)[0] .fill_({u}.reshape(-1)[0])
.masked_fill_({v}!=0,{v}.reshape(-1)[-1]) .index_fill_(0,i,{v}.reshape(-1)[-1])
.index_add_(0,i,{u}[:2]) .index_put_((i,),{u}[:2]) [0]+=1""".split()
TELL = """t, [s for s, n in zip(t.stride(), t.shape) if n > 1 < 1 + t.numel()], t.numel() and t.storage_offset(), t._version, t.is_contiguous(), t._is_view(),
t._base is b, t.is_conj(), t.is_neg(), t.is_leaf, t.grad_fn and t.grad_fn.name(),
t.untyped_storage().nbytes(), t.untyped_storage().nbytes() and t.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()"""


def program(rng: random.Random) -> str:
    """A base, views of it, changes, and a description of them afterwards."""
    dtype = rng.choice(["float32", "float32", "complex64", "int64"])
    grad = dtype != "int64" and rng.random() < 0.6
    two = "2+1j" if dtype == "complex64" else "2."
    shape = rng.choice(SHAPES)
    values = (
        f"np.arange(np.prod(({shape}{',' * bool(shape)}))).reshape({shape or '()'})"
    )
    number = "+1j*np.arange(2)[-1]" if dtype == "complex64" else ""
    lines = [
        f"x = torch.tensor({values}{number}, dtype=torch.{dtype}, requires_grad={grad}); "
        f"w = torch.tensor({two}, requires_grad={grad}); i = torch.tensor([0, 1])"
    ]
    base = rng.choice(["x * 1", "x * 1", "(x * 1).t()", "x.clone()", "x"])
    if dtype != "int64" and rng.random() < 0.1:
        base = "torch.from_numpy(x.detach().numpy()[::1])"
    steps, names = [f"b = {base}"], ["b"]
    count = rng.randint(2, 6)
    steps.extend(step(rng, names, dtype == "complex64") for _ in range(count))
    lines.append("; ".join(steps))
    shown = ", ".join(names) + ","
    tell = TELL.replace("\n", " ")
    lines.append(f"told = [[{tell}] for t in ({shown})]")
    lines.append(
        f"loss = sum((t * (1 + torch.arange(t.numel()).reshape(t.shape))).abs().sum()"
        f" for t in ({shown}))"
    )
    grads = "torch.autograd.grad(loss, [x, w], allow_unused=True)"
    lines.append(f"result = [told, {grads} if loss.requires_grad else 0]")
    return "\n".join(lines)


def step(rng: random.Random, names: list[str], is_complex: bool) -> str:
    """Another view, or a change through one of those that are there."""
    source = rng.choice(names[-2:])
    if rng.random() < 0.55:
        kinds = VIEWS + (COMPLEX * 4 if is_complex else COMPLEX[:1])
        view = rng.choice(READ_AS if rng.random() < 0.06 else kinds)
        names.append(f"v{len(names)}")
        return f"{names[-1]} = {source}{view.format(v=source)}"
    write = rng.choice(WRITES).format(v=source, u=rng.choice(names))
    if rng.random() < 0.15:
        return f"exec('with torch.no_grad(): {source}{write}')"
    return f"{source}{write}"
