"""What functions do to masked tensors."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)
ASKED = """t | t.sum() | t.sum(1) | t.mean(1) | t.amax(0) | t.argmax(1) | t.prod(0)
t.std(1) | t + 1 | 1 + t | 2 / t | t * t | t == t | t < 3 | t @ x.T | t.permute(1, 0)
t.flatten() | t.reshape(3, 2) | t[0] | t[:, 1] | torch.exp(t) | t.softmax(1) | t.double()
torch.nn.functional.relu(t) | t.unsqueeze(0) | torch.cat([t, t]) | torch.stack([t, t])
t.cumsum(0) | t.all() | t.any() | t**2 | t.clamp(0, 2) | -t | abs(t) | t.chunk(2) | ~(t > 2)
torch.where(k, t, t) | t.item() | t.numpy() | t.tolist() | t.is_contiguous() | t.shape
t.sum(dim=1, keepdim=True) | torch.ones_like(t) | t.expand(2, 2, 3) | t.transpose(0, 1)
torch.add(t, m.masked_tensor(x, ~k)) | t.long() | t.float() + x | torch.maximum(t, x)
t.round(decimals=1) | torch.add(t, 1, alpha=2) | t.sum().item() | t[1].sum().item()
1 - t | t - 1 | 2**t | t.mT | t.narrow(1, 0, 2) | t[..., None] | t.sum((0, 1)) | t.all(1)
m.sum(t, 1) | m.softmax(t, 1) | m.mean(t) | m.var(t, 1) | m.cumsum(t, 1) | t.clamp(x, x)
t.add_(1) | t.detach().add_(1) | t.detach().exp_() | t.detach().add_(1).sum() | len(t)
t == 'a' | t != 'a' | t < m.masked_tensor(2 * x, ~k) | torch.where(k, t, 2) | t.data
torch.where(k, 2, t) | t.detach().copy_(x + 1) | t.detach().copy_(2) | t.ravel() | t.real
t.conj() | torch.isfinite(t) | x - t | x // t | x % t | t.type() | m.sum(x, 'a')"""


@programs.add
def asked_of_a_masked_tensor(torch):
    m, x = torch.masked, torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    k = torch.tensor([[True, False, True], [False, False, False]])
    t = m.masked_tensor(x, k, requires_grad=True)
    names, found = {"torch": torch, "m": m, "x": x, "k": k, "t": t}, {}
    for text in ASKED.replace("\n", " | ").split(" | "):
        answer = attempt(lambda e=text: str(eval(e, names)))
        if isinstance(answer, list):
            answer[2] = answer[2].partition(".default")[0].partition(" - got")[0]
        found[text] = answer
    return found


@programs.add
def gradients_have_the_mask(torch):
    m, x = torch.masked, torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    k, found = torch.tensor([[True, False, True], [False, True, False]]), []
    for f in (
        lambda t: t.sum(), lambda t: (t * t).sum(), lambda t: t.exp().sum(1).sum(),
        lambda t: t.mean(), lambda t: t.amax(), lambda t: t.prod(), lambda t: t.std(),
        lambda t: m.sum(t), lambda t: t.to_tensor(0).sum(),
        lambda t: t.get_data().sum(), lambda t: t.transpose(0, 1).sum(),
    ):  # fmt: skip
        t = m.masked_tensor(x, k, requires_grad=True)
        f(t).backward()
        found.append(repr(t.grad))
    return found


test_functions = programs.test()
