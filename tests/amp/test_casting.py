"""Which functions cast what, and that nothing is left of it afterwards."""

import inspect
import threading

import pytest

import edutorch as torch
import edutorch.nn.functional as F
from edutorch import nn
from edutorch.amp import casting
from edutorch.amp.lists import LISTS
from edutorch.autograd import modes

# What PyTorch gives on the CPU: an expression and its dtype.
ON_CPU = {
    "x @ w": "bfloat16",
    "x.mm(w)": "bfloat16",
    "x.mv(v)": "float32",
    "torch.einsum('ij,jk', x, w)": "bfloat16",
    "torch.addmm(x, x, w)": "bfloat16",
    "torch.tensordot(x, w, 1)": "bfloat16",
    "F.linear(b, w, v)": "bfloat16",
    "F.bilinear(x, x, torch.ones(3, 4, 4))": "float32",
    "F.conv1d(x[None], torch.ones(3, 4, 2))": "bfloat16",
    "F.scaled_dot_product_attention(x[None], x[None], x[None])": "bfloat16",
    "F.softmax(b, -1)": "bfloat16",
    "F.softplus(b)": "bfloat16",
    "F.layer_norm(b, (4,), v, v)": "bfloat16",
    "F.cross_entropy(b, t)": "float32",
    "F.mse_loss(b, x)": "float32",
    "F.kl_div(b, b, reduction='sum')": "float32",
    "F.binary_cross_entropy(b.sigmoid(), b.sigmoid())": "float32",
    "F.multilabel_soft_margin_loss(b, b)": "bfloat16",
    "torch.cdist(b, b)": "float32",
    "torch.sum(b)": "bfloat16",
    "torch.prod(b, 1)": "float32",
    "torch.exp(b)": "bfloat16",
    "b ** 2": "bfloat16",
    "torch.cat([b, x])": "float32",
    "torch.cat([b, b])": "bfloat16",
    "torch.vstack([b, x])": "float32",
    "torch.cat([b, x.double()])": "float64",
    "torch.fft.rfft(b)": "complex64",
    "torch.linalg.inv(b)": "float32",
    "F.pad(b[None], (1, 1), 'reflect')": "float32",
    "F.pad(b[None], (1, 1))": "bfloat16",
    "nn.LSTM(4, 3)(x)[0]": "bfloat16",
    "nn.GRU(4, 3)(x)[0]": "float32",
    "nn.LSTMCell(4, 3)(x)[0]": "float32",
    "nn.GRUCell(4, 3)(x)": "float32",
    "nn.MultiheadAttention(4, 2)(x, x, x)[0]": "bfloat16",
    "nn.TransformerEncoderLayer(4, 2, 8)(x[None])": "float32",
    "torch.sparse.mm(x.to_sparse(), w)": "bfloat16",
    "b + x": "float32",
}
# What PyTorch's lists say of GPUs.
ON_GPU = {
    "x @ w": "float16",
    "x.mv(v)": "float16",
    "torch.exp(h)": "float32",
    "2 ** h": "float32",
    "h.pow(2)": "float32",
    "F.softmax(h, -1)": "float32",
    "F.softmax(h, -1, dtype=torch.float16)": "float16",
    "h.sum()": "float32",
    "h.sum(0)": "float32",
    "h.mean()": "float16",
    "h.cumsum(0)": "float32",
    "h.norm()": "float32",
    "F.layer_norm(h, (4,))": "float32",
    "F.relu(h)": "float16",
    "F.cross_entropy(h, t)": "float32",
    "torch.addcmul(h, h, x)": "float32",
    "torch.dot(v, v.half())": "float32",
    "x.double() @ w.double()": "float64",
    "k @ k": "int64",
}


def operands(device="cpu"):
    torch.manual_seed(0)
    x, w = torch.randn(4, 4), torch.randn(4, 4) + 4 * torch.eye(4)
    made = {
        "x": x, "w": w, "v": torch.randn(4), "b": w.bfloat16(), "h": w.half(),
        "t": torch.arange(4), "k": torch.ones(4, 4, dtype=torch.int64),
    }  # fmt: skip
    moved = {name: t.to(device) for name, t in made.items()}
    return {"torch": torch, "F": F, "nn": nn, **moved}


@pytest.mark.parametrize("expression", ON_CPU)
def test_autocast_on_the_cpu_gives_pytorch_s_dtypes(expression):
    names = operands()
    with torch.autocast("cpu"):
        result = eval(expression, names)
    assert str(result.dtype) == f"torch.{ON_CPU[expression]}"


@pytest.mark.parametrize("expression", ON_GPU)
def test_autocast_on_a_gpu_gives_pytorch_s_dtypes(expression):
    with torch.cuda.simulate():
        names = operands("cuda")
        with torch.autocast("cuda"):
            result = eval(expression, names)
    assert str(result.dtype) == f"torch.{ON_GPU[expression]}"


def test_autocast_leaves_other_devices_alone():
    x = torch.ones(2, 2)
    with torch.cuda.simulate(), torch.autocast("cuda"):
        assert (x @ x).dtype is torch.float32
        assert (x.cuda() @ x.cuda()).dtype is torch.float16


def test_autocast_refuses_the_unsafe_loss_on_gpus():
    with torch.cuda.simulate(), torch.autocast("cuda"):
        p = torch.ones(2, device="cuda")
        with pytest.raises(RuntimeError, match=r"^torch.nn.functional.binary_cross_en"):
            F.binary_cross_entropy(p, p)


def test_autocast_refuses_two_kinds_of_16_bits_in_one_cat():
    with torch.autocast("cpu"), pytest.raises(RuntimeError, match="prioritize"):
        torch.cat([torch.ones(1).half(), torch.ones(1)])


def test_autocast_leaves_no_mode_behind():
    count = modes._special_count
    with torch.autocast("cpu"):
        assert torch.mm in modes.modes.autocast
        assert modes.special_modes
        with torch.autocast("cpu", enabled=False):
            assert not modes.modes.autocast
    assert not modes.modes.autocast
    assert modes._special_count == count


def test_autocast_in_a_function_without_rules_for_a_device_reaches_its_parts():
    q = torch.ones(1, 2, 2)
    assert torch.layer_norm not in casting.Autocast({"cpu": torch.bfloat16})
    with torch.cuda.simulate(), torch.autocast("cuda"), torch.autocast("cpu"):
        assert torch.einsum in modes.modes.autocast  # on GPUs
        assert torch.einsum("bij,bjk", q, q).dtype is torch.bfloat16


def test_functions_on_the_lists_ask_whether_they_cast():
    listed = {f.__name__: f for f in casting.rules()}
    silent = [
        f"{f.__module__}.{f.__name__}"
        for f in map(inspect.unwrap, casting.rules())
        if "autocast" not in f.__code__.co_names
        and not any(name in listed for name in f.__code__.co_names)  # they call one
    ]
    assert not silent


def test_autocast_reaches_functions_that_were_imported_before():
    criterion = F.mse_loss
    with torch.autocast("cpu"):
        assert criterion(torch.ones(2).half(), torch.ones(2)).dtype is torch.float32


def test_autocast_of_one_thread_leaves_the_others_alone():
    x, found = torch.ones(2, 2), []
    with torch.autocast("cpu"):
        other = threading.Thread(target=lambda: found.append((x @ x).dtype))
        other.start()
        other.join()
        assert (x @ x).dtype is torch.bfloat16
    assert found == [torch.float32]


def test_autocast_casts_a_weight_once_and_forgets_it():
    x, w = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        first, second = (F.linear(x, w) for _ in range(2))
        casts = [y.grad_fn.next_functions[1][0] for y in (first, second)]
        assert casts[0] is casts[1]
        with torch.autocast("cpu", cache_enabled=False):
            third = F.linear(x, w)
        assert third.grad_fn.next_functions[1][0] is not casts[0]
    assert not casting.weights.casts


def test_autocast_under_no_grad_keeps_no_cast_without_history():
    w = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        with torch.no_grad():
            w @ w
        assert (w @ w).requires_grad


def test_autocast_leaves_changes_in_place_alone():
    x, y = torch.full((1, 1), 1.001), torch.zeros(1, 1)
    with torch.autocast("cpu"):
        y.addmm_(x, x)
        torch.mm(x, x, out=x)
        filled = torch.matmul(y, y, out=torch.empty(1, 1))
    assert y.item() == x.item() == pytest.approx(1.002001)
    assert filled.item() == pytest.approx(1.004006)


def test_autocast_lets_gradients_back_through_the_casts():
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    with torch.autocast("cpu"):
        loss = F.mse_loss(w @ w, torch.zeros(2, 2))
    loss.backward()
    # PyTorch 2.13's numbers
    assert w.grad.tolist() == [[39.5, 68.5], [66.5, 120.5]]
    assert w.grad.dtype is torch.float32


def test_autocast_inside_vmap_casts_the_batch():
    x = torch.ones(2, 3, 3)
    with torch.autocast("cpu"):
        assert torch.vmap(torch.mm)(x, x).dtype is torch.bfloat16


def test_lists_name_functions_that_are_there():
    lost = [
        name
        for rules in LISTS.values()
        for names in rules.values()
        for name in names.split()
        if not list(casting.functions_named(name))
    ]
    assert not lost


def test_float32_before_the_other_16_bit_type_is_the_widest():
    single, half = torch.ones(1), torch.ones(1, dtype=torch.float16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.cat([single, half]).dtype is torch.float32
        assert torch.stack([single, half]).dtype is torch.float32
        with pytest.raises(RuntimeError, match="Unexpected floating ScalarType"):
            torch.cat([half, single])
