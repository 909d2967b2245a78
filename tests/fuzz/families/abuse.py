"""Calls with a wrong argument raise the same error and leave tensors intact.

A right call of a function, layer or optimizer loses an argument, gets one too many, or
has one replaced by what does not belong there. Then the right call must still work.
"""

from __future__ import annotations

import random
import re

from tests.fuzz.outcomes import Outcome

__all__ = ["excuses", "program"]

X = "torch.arange(12.).reshape(3, 4)"
IMAGE = "torch.arange(48.).reshape(1, 3, 4, 4)"
INTS = "torch.arange(3)"

# Right calls: each argument may be changed.
FUNCTIONS = f"""torch.add({X}, {X}, alpha=2)|torch.sum({X}, 1, keepdim=True)|torch.mean({X}, dim=0)
torch.cat([{X}, {X}], 0)|torch.stack([{X}, {X}], dim=1)|torch.matmul({X}, {X}.t())
torch.reshape({X}, (4, 3))|torch.transpose({X}, 0, 1)|torch.permute({X}, (1, 0))
torch.softmax({X}, -1)|torch.clamp({X}, 1, 5)|torch.where({X} > 3, {X}, 0.)
torch.gather({X}, 1, torch.zeros(3, 2, dtype=int))|torch.index_select({X}, 0, {INTS})
torch.topk({X}, 2, 1)|torch.sort({X}, 1, True)|torch.argmax({X}, 1)|torch.cumsum({X}, 0)
torch.linspace(0, 1, 5)|torch.arange(0, 6, 2)|torch.full((2, 3), 1.5)|torch.eye(3, 2)
torch.zeros(2, 3)|torch.ones((2,), dtype=torch.float64)|torch.tensor([1., 2.], dtype=torch.float32)
torch.einsum('ij->ji', {X})|torch.addmm(torch.zeros(3, 3), {X}, {X}.t(), beta=0.5)
torch.bmm({X}[None], {X}.t()[None])|torch.norm({X}, 2, 0)|torch.var({X}, 0, correction=0)
torch.split({X}, 2, 1)|torch.chunk({X}, 2, 0)|torch.narrow({X}, 0, 0, 2)|torch.unbind({X}, 0)
torch.roll({X}, 1, 0)|torch.flip({X}, (0,))|torch.tril({X}, 1)|torch.diagonal({X}, 1)
torch.masked_fill({X}, {X} > 2, 1.)|torch.scatter({X}, 0, torch.zeros(1, 4, dtype=int), 2.)
torch.lerp({X}, {X}, 0.5)|torch.addcmul({X}, {X}, {X}, value=2)|torch.pow({X}, 2)
torch.bernoulli({X} / 20, 0.5)|torch.randint(0, 5, (2, 3))|torch.multinomial({X} + 1, 2)
torch.histc({X}, 4, 0, 9)|torch.bincount({INTS}, minlength=5)|torch.unique({X}, sorted=True)
torch.quantile({X}, 0.5, 1)|torch.searchsorted({X}[0], {X}[1])|torch.outer({X}[0], {X}[1])
torch.unsqueeze({X}, 0)|torch.squeeze({X}, 0)|torch.flatten({X}, 0, 1)|torch.repeat_interleave({X}, 2, 0)
F.conv2d({IMAGE}, torch.ones(2, 3, 2, 2), torch.ones(2), stride=1, padding=1, dilation=1, groups=1)
F.max_pool2d({IMAGE}, 2, 2, 0, ceil_mode=False)|F.avg_pool2d({IMAGE}, (2, 2), stride=1, padding=0)
F.linear({X}, torch.ones(2, 4), torch.ones(2))|F.relu({X})|F.gelu({X}, approximate='tanh')
F.cross_entropy({X}, {INTS}, reduction='sum', label_smoothing=0.1)|F.nll_loss({X}, {INTS}, ignore_index=1)
F.mse_loss({X}, {X}, reduction='none')|F.embedding({INTS}, {X}, padding_idx=1, max_norm=2.)
F.layer_norm({X}, (4,), torch.ones(4), torch.ones(4), 1e-5)|F.batch_norm({X}, torch.zeros(4), torch.ones(4), training=True)
F.pad({X}, (1, 1), 'constant', 0.5)|F.dropout({X}, 0.0, True)|F.one_hot({INTS}, 4)
F.interpolate({IMAGE}, size=(2, 2), mode='bilinear', align_corners=False)|F.normalize({X}, 2., 1)
F.scaled_dot_product_attention({X}[None], {X}[None], {X}[None], dropout_p=0.0, is_causal=True)
F.grid_sample({IMAGE}, torch.zeros(1, 2, 2, 2), align_corners=False)|F.unfold({IMAGE}, 2, padding=1)
F.smooth_l1_loss({X}, {X}, beta=0.5)|F.binary_cross_entropy({X} / 20, {X} / 20)|F.group_norm({IMAGE}, 3)
F.softplus({X}, 2, 10)|F.hardtanh({X}, -1., 1.)|F.leaky_relu({X}, 0.1)|F.elu({X}, 0.5)|F.log_softmax({X}, 1)
torch.linalg.norm({X}, 2, (0, 1))|torch.linalg.solve({X}[:, :3] + torch.eye(3), {X})|torch.linalg.svd({X}[:1], False)
torch.linalg.inv({X}[:, :3] + torch.eye(3))|torch.fft.fft({X}, 4, 1)|torch.linalg.qr({X}, mode='reduced')""".replace(
    "\n", "|"
)
METHODS = f"""sum(0)|mean(1, True)|view(4, 3)|reshape(2, 6)|transpose(0, 1)|permute(1, 0)|expand(3, 4)
repeat(2, 1)|add_(1)|mul_(2)|div(2, rounding_mode='floor')|clamp_(0, 3)|fill_(2)|zero_()|copy_({X})
index_add_(0, {INTS}, {X})|index_fill_(0, {INTS}, 1.)|masked_fill_({X} > 2, 0)|scatter_(0, torch.zeros(1, 4, dtype=int), 1.)
to(torch.float64)|type(torch.int32)|size(0)|stride(1)|unsqueeze(0)|squeeze(1)|max(1)|min(0)|argsort(1)|item()
narrow(0, 1, 1)|select(0, 1)|split(2)|chunk(2, 1)|as_strided((2, 2), (1, 2), 1)|unfold(1, 2, 1)|diagonal(0)
new_zeros(2, 3)|requires_grad_(True)|backward()|normal_(0, 1)|uniform_(0, 1)|bernoulli_(0.5)|random_(0, 9)
resize_(2, 2)|set_({X})|lt({X})|pow(2)|softmax(1)|topk(2)|kthvalue(2, 1)|flip(0)|roll(1, 0)|tolist()|numpy()
addmm_({X}, torch.ones(4, 4))|lerp_({X}, 0.5)|put_(torch.tensor([0, 1]), torch.ones(2))|take(torch.tensor([1]))|movedim(0, 1)
register_hook(lambda g: g)|contiguous()|half()|cumsum(1)|prod(0)|std(1)|norm(2)|gather(1, torch.zeros(3, 1, dtype=int))""".replace(
    "\n", "|"
)
LAYERS = f"""Linear(4, 2, bias=True)({X})|Conv2d(3, 2, 2, stride=1, padding=1, groups=1)({IMAGE})|BatchNorm1d(4, eps=1e-5, momentum=0.1)({X})
LSTM(4, 2, num_layers=1, batch_first=True)({X}[None])|GRU(4, 2, bias=True, dropout=0.0)({X}[None])|RNN(4, 2, 1, 'tanh')({X}[None])
Embedding(5, 2, padding_idx=0)({INTS})|LayerNorm(4, eps=1e-5)({X})|Dropout(0.0)({X})|MultiheadAttention(4, 2, 0.0)({X}, {X}, {X})
MaxPool2d(2, 1, 0)({IMAGE})|Softmax(1)({X})|CrossEntropyLoss(reduction='mean')({X}, {INTS})|Sequential(nn.Linear(4, 2), nn.ReLU())({X})
ConvTranspose2d(3, 2, 2, 1, 0, 0)({IMAGE})|GroupNorm(3, 3)({IMAGE})|Upsample(scale_factor=2, mode='nearest')({IMAGE})
TransformerEncoderLayer(4, 2, 8, dropout=0.0)({X}[None])|BCELoss()({X} / 20, {X} / 20)|PReLU(1, 0.25)({X})|Flatten(0, 1)({X})
Bilinear(4, 4, 2)({X}, {X})|AdaptiveAvgPool2d((2, 2))({IMAGE})|LSTMCell(4, 2)({X})|EmbeddingBag(5, 2, mode='sum')({INTS}, torch.tensor([0]))
HuberLoss('mean', 0.5)({X}, {X})|PixelShuffle(1)({IMAGE})|ZeroPad2d(1)({IMAGE})|Unflatten(1, (2, 2))({X})|GLU(1)({X})|Conv1d(3, 2, 2)({X})
CTCLoss(0)({X}[:, None].log_softmax(2), torch.tensor([[1]]), torch.tensor([3]), torch.tensor([1]))|ParameterList([torch.ones(2)])(1)""".replace(
    "\n", "|"
)
OPTIMIZERS = """SGD(ps, lr=0.1, momentum=0.9, dampening=0, weight_decay=0.1, nesterov=True)|SGD(ps, 0.1)|Adam(ps, lr=0.1, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.1, amsgrad=True)
AdamW(ps, lr=0.1, betas=(0.5, 0.9), weight_decay=0.01)|RMSprop(ps, lr=0.01, alpha=0.9, eps=1e-8, momentum=0.1, centered=True)
Adagrad(ps, lr=0.1, lr_decay=0.1, initial_accumulator_value=0.1)|Adadelta(ps, lr=1.0, rho=0.9, eps=1e-6)|Adamax(ps, lr=0.1, betas=(0.9, 0.99))
NAdam(ps, lr=0.1, momentum_decay=4e-3)|RAdam(ps, lr=0.1, betas=(0.9, 0.99))|ASGD(ps, lr=0.1, lambd=1e-4, alpha=0.75, t0=2)|Rprop(ps, lr=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50))
Adafactor(ps, lr=0.1, beta2_decay=-0.8, d=1.0)|LBFGS(ps, lr=0.1)|SparseAdam(ps, lr=0.1)""".replace(
    "\n", "|"
).split("|")
SCHEDULERS = """StepLR(o, 2, gamma=0.5)|ExponentialLR(o, 0.9)|CosineAnnealingLR(o, 3, eta_min=0.1)|MultiStepLR(o, [1, 2], gamma=0.1)
LambdaLR(o, lambda e: 0.5)|LinearLR(o, 0.5, 1.0, total_iters=2)|ConstantLR(o, 0.5, 2)|PolynomialLR(o, 3, power=2.0)|OneCycleLR(o, 0.5, total_steps=5, pct_start=0.3)
CyclicLR(o, 0.1, 0.5, step_size_up=2, cycle_momentum=False)|CosineAnnealingWarmRestarts(o, 2, T_mult=1)|ReduceLROnPlateau(o, 'min', factor=0.5, patience=1)
MultiplicativeLR(o, lambda e: 0.5)""".replace("\n", "|").split("|")
WRONG = """None|'text'|-1|0|1.5|True|float('nan')|[]|[1, 2]|(1,)|()|{}|torch.float16|object()|-3|1j|b'x'|'sum'
torch.tensor(1)|torch.zeros(0)|torch.ones(2, 3)|torch.ones(3, 4).int()|torch.ones(3, 4).double()|torch.ones(3, 4, dtype=torch.complex64)
torch.ones(3, 4) > 0|torch.ones(3, 4).half()|torch.zeros(3, 4, device='meta')|torch.full((3, 4), float('nan'))|[torch.ones(2), 1]|np.ones((3, 4))|torch.device('cpu')
torch.tensor([5, -7, 1])|'none'|float('inf')|[[1, 2], [3]]|slice(0, 1)|torch.ones(1, 1, 1, 1, 1, 1)|np.float32(1.5)|np.int64(2)|lambda: 1|torch.Size([2, 3])""".replace(
    "\n", "|"
).split("|")
NAMES = [
    "dim",
    "input",
    "out",
    "dtype",
    "nonsense",
    "device",
    "other",
    "inplace",
    "keepdim",
    "reduction",
]
FUNCTION_LIST, METHOD_LIST, LAYER_LIST = (
    FUNCTIONS.split("|"),
    METHODS.split("|"),
    LAYERS.split("|"),
)


def excuses(expected: Outcome, *_: object) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    PyTorch's parser of arguments has its own words where Python has others, and
    names what it finds first. Where PyTorch stumbles over an attribute, or a comparison,
    of what is no tensor, any refusal will do.
    """
    if type(expected.error) is TypeError:
        stumbled = "supported between" in expected.message
        return "message|exception" if stumbled else "message"
    stumbled = type(expected.error) in (AttributeError, KeyError)
    return "message|exception" if stumbled else ""


def program(rng: random.Random) -> str:
    """A program with one abused call."""
    kind = rng.choice([function, function, method, layer, optimizer, scheduler, module])
    return kind(rng)


def function(rng: random.Random) -> str:
    """A function with one argument wrong."""
    call = rng.choice(FUNCTION_LIST)
    return f"result = {abused(rng, call)}"


def method(rng: random.Random) -> str:
    """A method with one argument wrong; afterwards the tensor still counts."""
    right = rng.choice(METHOD_LIST)
    return after(
        [f"x = {X}"], f"got = x.{abused(rng, right)}", "y = x + 1",
        "None if callable(got) else got, x, y",
    )  # fmt: skip


def layer(rng: random.Random) -> str:
    """A layer made or called with one argument wrong."""
    made, given = divided(rng.choice(LAYER_LIST))
    if rng.random() < 0.5:
        made = abused(rng, made)
    else:
        given = abused(rng, "m" + given)[1:]
    right = rng.choice(["", "; m.train(False)", "; m.double()"])
    return f"torch.manual_seed(1); m = nn.{made}{right}\nresult = m{given}"


def optimizer(rng: random.Random) -> str:
    """An optimizer with a wrong setting, state, parameter or gradient."""
    made = rng.choice(OPTIMIZERS)
    lines = [
        "ps = [torch.ones(3, 2, requires_grad=True), torch.ones(2, requires_grad=True)]"
    ]
    form = rng.random()
    if form < 0.4:
        made = abused(rng, made)
    lines.append(f"o = torch.optim.{made}")
    lines.append("def step():\n    for p in ps: p.grad = torch.full_like(p, 0.5)")
    lines.append("    return o.step(lambda: ps[0].sum())")
    lines.append("step()")
    if form > 0.4:
        lines.append(rng.choice(SPOILS).replace("W", rng.choice(WRONG)))
    return after(
        lines, "got = o.step(lambda: ps[0].sum())", "told = o.param_groups",
        "[p.detach() for p in ps if isinstance(p, torch.Tensor)]",
    )  # fmt: skip


SPOILS = [
    "ps[0].grad = torch.ones(2, 3)",
    "ps[0].data = torch.ones(5, 2); ps[0].grad = torch.ones(5, 2)",
    "ps[0].data = torch.ones(3, 2).double(); ps[0].grad = torch.ones(3, 2).double()",
    "ps[0].data = torch.ones(6); ps[0].grad = torch.ones(6)",
    "ps[0].data = torch.ones(1, 2); ps[0].grad = torch.ones(1, 2)",
    "ps[0].grad = torch.ones(3, 2).to_sparse()",
    "ps[0].grad = W",
    "ps[0] = torch.ones(2)",
    "o.param_groups[0]['lr'] = W",
    "o.param_groups[0]['weight_decay'] = W",
    "o.param_groups[0]['betas'] = W",
    "o.param_groups[0]['momentum'] = W",
    "o.param_groups[0].clear()",
    "del o.param_groups[0]['lr']",
    "o.load_state_dict(W)",
    "o.load_state_dict({'state': {}, 'param_groups': []})",
    "o.load_state_dict({'state': {0: W}, 'param_groups': o.state_dict()['param_groups']})",
    "s = o.state_dict(); s['state'][0] = {k: torch.ones(7) for k in s['state'].get(0, {})}; o.load_state_dict(s)",
    "s = o.state_dict(); s['state'][0] = {k: W for k in s['state'].get(0, {})}; o.load_state_dict(s)",
    "s = o.state_dict(); s['param_groups'][0]['params'] = [0]; o.load_state_dict(s)",
    "o.add_param_group(W)",
    "o.add_param_group({'params': W})",
    "o.add_param_group({'params': ps[0]})",
    "o.add_param_group({'params': [torch.ones(2)], 'lr': W})",
    "o.state[ps[0]] = W",
    "o.state.clear()",
    "o.zero_grad(W)",
    "o.step(W)",
    "ps[0].requires_grad_(False)",
    "ps[0].grad = torch.full((3, 2), float('nan'))",
    "o.register_step_pre_hook(W)",
    "o.state[ps[0]] = {k: torch.ones(40) for k in o.state[ps[0]]}",
    "o.state[ps[0]] = {k: torch.ones(3, 2).double() for k in o.state[ps[0]]}",
    "o.state[ps[0]] = {k: torch.ones(3, 2).t() for k in o.state[ps[0]]}",
]


def scheduler(rng: random.Random) -> str:
    """A scheduler with a wrong setting or state."""
    made = rng.choice(SCHEDULERS)
    spoil = "pass"
    if rng.random() < 0.6:
        made = abused(rng, made)
    else:
        wrong = rng.choice(WRONG)
        spoil = rng.choice([f"s.load_state_dict({wrong})", f"s.step({wrong})", "o.param_groups.clear()", f"s.last_epoch = {wrong}",
                            f"o.param_groups[0]['lr'] = {wrong}", f"s.base_lrs = {wrong}", "s.get_lr()", "s.get_last_lr(1)"])  # fmt: skip
    return "\n".join(
        ["p = torch.ones(2, requires_grad=True)", "o = torch.optim.SGD([p], lr=0.1, momentum=0.5)",
         f"s = torch.optim.lr_scheduler.{made}", spoil,
         "told = [g['lr'] for g in o.param_groups]",
         "s.step(*[1.0] * ('Plateau' in type(s).__name__))",
         "result = told, [g['lr'] for g in o.param_groups], s.last_epoch"]
    )  # fmt: skip


MODULE_CALLS = """register_buffer('b', torch.ones(2), persistent=False)|register_parameter('p', nn.Parameter(torch.ones(2)))|add_module('c', nn.ReLU())
register_forward_hook(lambda *a: None, prepend=True)|register_forward_pre_hook(lambda *a: None)|register_full_backward_hook(lambda *a: None)
load_state_dict({'weight': torch.ones(2, 4), 'bias': torch.ones(2)}, strict=False, assign=True)|state_dict(prefix='a.', keep_vars=True)
to(torch.float64)|train(True)|eval()|requires_grad_(False)|zero_grad(True)|apply(lambda m: None)|get_submodule('')|get_parameter('weight')|get_buffer('b')
named_parameters('', True)|children()|half()|float()|type(torch.float64)|cuda(0)|cpu()|share_memory()|double()|extra_repr()
__setattr__('weight', nn.Parameter(torch.ones(2, 4)))|__delattr__('bias')|__getattr__('weight')|set_submodule('c', nn.ReLU())|set_extra_state(1)|_apply(lambda t: t)""".replace(
    "\n", "|"
).split("|")


def module(rng: random.Random) -> str:
    """A method of a module with one argument wrong; the module works afterwards."""
    call = abused(rng, rng.choice(MODULE_CALLS))
    return after(
        ["torch.manual_seed(1); m = nn.Linear(4, 2)"], f"got = type(m.{call}).__name__",
        "y = m(torch.ones(1, 4, dtype=m.weight.dtype))",
        "got, y, sorted(m.state_dict()), str(m)",
    )  # fmt: skip


def after(lines: list[str], abuse: str, right: str, result: str) -> str:
    """An abused call; a right one that must still work; then what the first raised."""
    caught = ["error = None", f"try: {abuse}", "except Exception as e: error = e"]
    told = ["if error: raise error", f"result = {result}"]
    return "\n".join([*lines, *caught, right, *told])


def divided(text: str) -> tuple[str, str]:
    """`Name(..)` and `(..)` of `Name(..)(..)`."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == ")" and depth == 0:
            return text[: at + 1], text[at + 1 :]
    return text, "()"


def abused(rng: random.Random, call: str) -> str:
    """The call with an argument dropped, doubled, replaced, moved or one too many."""
    name, _, inside = call.partition("(")
    given = arguments(inside[:-1])
    form = rng.random()
    at = rng.randrange(len(given)) if given else 0
    if given and form < 0.55:
        key = re.match(r"\w+=(?!=)", given[at])
        given[at] = (key.group() if key else "") + rng.choice(WRONG)
    elif given and form < 0.7:
        del given[at]
    elif form < 0.8:
        given.insert(at, rng.choice(WRONG))
    elif form < 0.9:
        given.append(f"{rng.choice(NAMES)}={rng.choice(WRONG)}")
    elif given:
        given[at], given[-1] = given[-1], given[at]
    # Positional arguments first: this is about wrong calls, not wrong programs.
    given.sort(key=lambda g: bool(re.match(r"\w+=(?!=)", g)))
    return f"{name}({', '.join(given)})"


def arguments(inside: str) -> list[str]:
    """The text between two parentheses, divided at its outer commas."""
    parts, depth, now = [], 0, ""
    for letter in inside:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(now.strip())
            now = ""
        else:
            now += letter
    return [*parts, now.strip()] if now.strip() else parts
