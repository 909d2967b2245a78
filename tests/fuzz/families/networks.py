"""Networks and the tools around them: cells, transformers, packed sequences, pruning.

Initialisation, parametrizations, fused and averaged layers, states of several models,
and sets of numbers that distributions accept.
"""

from __future__ import annotations

import importlib
import random
import re

from tests.oracle import torch

__all__ = ["SCALE", "program"]

importlib.import_module(f"{torch.__name__}.nn.utils.prune")  # not done by PyTorch
SCALE = 5  # of the tolerance, as for layers alone

# In texts, {a|b|c} is one of these, and x(2, 3) a tensor of normal numbers.
X = "x = lambda *n: torch.tensor(g.standard_normal(n), dtype=d)"
BOOLS = "{True|False}"
LAYERS = (
    "nn.GRUCell(3, 2{|, bias=False})|m(x({2, 3|3}))",
    "nn.RNNCell(3, 2, nonlinearity='{tanh|relu|sigmoid}')|m(x(2, 3), x(2, 2))",
    "nn.LSTMCell(3, 2{|, bias=False})|m(x(2, 3){|, (x(2, 2), x(2, 2))|, (x(1, 2), x(2, 2))})",
    "nn.GRUCell(3, 2)|m(x({2, 3|3}), x({2, 2|2|3, 2}))",
    "nn.{RNN|GRU|LSTM}(3, 2, {1|2}{|, bidirectional=True}{|, batch_first=True})|"
    "P(m(R.pack_sequence([x(n, 3) for n in ({3, 2, 1|1, 3, 2|2, 2})], enforce_sorted={True|False})))",
    "nn.{RNN|GRU}(3, 2)|P(m(R.pack_padded_sequence(x(3, 2, 3), [{3, 1|2, 2|3, 4|1, 3|2, 0}]), x({1, 2, 2|1, 3, 2})))",
    "nn.TransformerDecoderLayer(4, {1|2|3}, 5, 0.0, batch_first={True|False}{|, norm_first=True})|m(x(2, 3, 4), x(2, 3, 4){|, tgt_is_causal=True})",
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 5, 0.0, activation='{relu|gelu}', batch_first=True), {1|2}{|, nn.LayerNorm(4)})"
    "|m(x(2, 3, 4){|, mask=nn.Transformer.generate_square_subsequent_mask(3).to(d)|, src_key_padding_mask=torch.arange(6).reshape(2, 3) > 4})",
    "nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 5, 0.0), 2)|m(x(3, 2, 4), x({2|5}, 2, 4))",
    "nn.Transformer(4, 2, 1, 1, 5, 0.0{|, batch_first=True})|m(x(3, 2, 4), x({3|1|2}, 2, 4))",
    "nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, {5|4, 7|2}]{|, div_value=2.0}{|, head_bias=True})|*m(x(3, 4), torch.tensor([0, {9|3|10}, 5]))",
    "nn.AdaptiveLogSoftmaxWithLoss(4, 10, [{2, 5|5}])|m.{log_prob|predict}(x(3, 4))",
    "nn.LazyLinear({2|0})|m(x(2, 3)), str(m)",
    "nn.LazyConv{1|2|3}d(2, 2)|m(x(1, 3, 4, 4)), str(m)",
    "nn.LazyConvTranspose{1|2|3}d(2, 2{|, padding=1})|m(x(1, 3, 4, 4)), str(m)",
    "nn.Lazy{Batch|Instance}Norm{1|2|3}d({|affine=True})|m(x(2, 3, 4, 4)), str(m)",
    "nn.MaxUnpool1d(2{|, 2|, 3})|m(*F.max_pool1d(x(1, 2, {4|5}), 2, return_indices=True){|, output_size=(5,)|, output_size=(1, 2, 5)})",
    "nn.MaxUnpool2d(2{|, (2, 2)|, 2, 1})|m(*F.max_pool2d(x(2, {4, 4|5, 4}), 2, return_indices=True){|, output_size=(5, 5)})",
    "nn.MaxUnpool3d(2)|m(*F.max_pool3d(x(1, 4, 4, 4), 2, return_indices=True))",
    "nn.FractionalMaxPool3d(2, output_ratio=({0.5, 0.6, 0.7|0.5, 0.5, 0.5}), _random_samples=torch.full((1, 2, 3), {0.4|0.9}).double())|m(x(1, 2, 6, 5, 6))",
    "nn.Upsampling{Nearest|Bilinear}2d({scale_factor=2|size=(3, 5)|(2, 2)})|m(x(1, 2, {3, 4|2, 2}))",
    "nn.ParameterDict({'a': x(2), 'b': [x(1)]})|str(m), sorted(m.state_dict()), m.pop('a') if {True|False} else m.copy().keys()",
    "nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])|len(m), str(m + nn.ModuleList([m[{0|1|-1|2}]])), m[{:1|1:|::-1}]",
    "nn.ModuleDict({'a': nn.Linear(2, 2)})|m['{a|b}'](x(1, 2)), list(m.{keys|items}())",
    "nn.Sequential(nn.Linear(2, 2), nn.Tanh())|m.{append(nn.ReLU())|extend([nn.ReLU()])|insert(1, nn.ReLU())|pop(0)|insert(9, nn.ReLU())}, m, x(1, 2)",
    "nn.SyncBatchNorm(3)|m{|.eval()}(x(4, 3))",
    "nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.BatchNorm1d(3)))|m.eval()(x(2, 3)), str(m)",
    "nn.CTCLoss(blank={0|1}, reduction='{mean|sum|none}', zero_infinity={True|False})|"
    "m(x(4, 2, 4).log_softmax(2), torch.tensor([[2, {2|3}], [3, 2]]), torch.tensor([{4, 3|4, 1|2, 2}]), torch.tensor([{2, 1|1, 0|2, 2}]))",
)
INITS = (
    "{ones_|zeros_|eye_|dirac_|trunc_normal_|xavier_normal_|xavier_uniform_|kaiming_normal_|kaiming_uniform_|orthogonal_|uniform_|normal_}({w})",
    "constant_({w}, {0.5|-1|True})", "sparse_({w}, {0.5|0.1|1.0})", "dirac_({w}, groups={1|2|3})",
    "orthogonal_({w}, gain={2|0.5})", "trunc_normal_({w}, {0|1|9}, {1|2|0}, {-1|0}, {1|0.5})",
    "kaiming_{normal|uniform}_({w}, a={0|0.5}, mode='fan_{in|out|none}', nonlinearity='{relu|leaky_relu|selu|tanh|none}')",
    "xavier_{normal|uniform}_({w}, gain={1|2})", "calculate_gain('{relu|tanh|selu|leaky_relu|conv2d|sigmoid|linear|swish}'{|, 0.2|, True|, 'a'})",
)  # fmt: skip
WEIGHTS = (
    "torch.empty({3, 4|4, 3|2, 4, 3|4, 2, 3, 3|5|0, 3|3, 3}, dtype={d|torch.float16})"
)
SEQUENCES = (
    "R.pad_sequence([x(n, 2) for n in ({3, 1|2, 2, 4|0, 1})], {True|False}, {0|-1.5}{|, padding_side='left'|, padding_side='middle'})",
    "P(R.pack_sequence([x(n, {2|1}) for n in ({3, 1|1, 3|2, 2, 1|1, 0})], enforce_sorted={True|False}))",
    "P(R.pack_padded_sequence(x({4, 2, 3), |2, 4, 3), batch_first=True, lengths=}{[4, 2]|torch.tensor([3, 3])|[2, 4]|[4]|[4, 0]}, enforce_sorted={True|False}))",
    "R.pad_packed_sequence(R.pack_sequence([x(3, 2), x(1, 2)]), {True|False}, {0.0|7}{|, total_length=5|, total_length=2|, total_length=3})",
    "R.unpad_sequence(x(4, 2, 3), torch.tensor([{4, 2|0, 1|1, 5}]), batch_first={True|False})",
    "R.unpack_sequence(R.pack_sequence([x(1, 2), x(3, 2)], enforce_sorted=False))",
    "R.invert_permutation(torch.tensor([{2, 0, 1|0|1, 0}]))",
    "P(R.pack_sequence([x(3, 2), x(1, 2)]).{double()|half()|cpu()|to(torch.int32)|pin_memory if 0 else long()})",
)
PRUNED = (
    "U.prune.{l1_unstructured|random_unstructured}(m, '{weight|bias}', amount={0.3|2|0|1.0|20|-1|1.5})",
    "U.prune.ln_structured(m, 'weight', {0.5|1}, n={1|2|float('inf')|-1}, dim={0|1|-1|2})",
    "U.prune.random_structured(m, 'weight', {0.5|1}, dim={0|1|-1})",
    "U.prune.identity(m, '{weight|bias|other}')",
    "U.prune.custom_from_mask(m, 'bias', torch.tensor([{1, 0, 1|0, 0, 0}]))",
    "U.prune.global_unstructured([(m, 'weight'), (m, 'bias')], U.prune.{L1|Random}Unstructured, amount={3|0.5})",
    "U.prune.l1_unstructured(m, 'weight', 2); U.prune.{ln_structured(m, 'weight', 1, 2, 0)|remove(m, 'weight')|remove(m, 'bias')|l1_unstructured(m, 'weight', 0.5)}",
)
PARAMETRIZED = (
    "U.parametrizations.orthogonal(m, orthogonal_map='{matrix_exp|cayley|householder|other}'{|, use_trivialization=False})",
    "U.parametrizations.weight_norm(m, dim={0|1|None|-1|2})", "U.weight_norm(m, dim={0|1|None})",
    "U.parametrizations.spectral_norm(m, n_power_iterations={1|3|0}{|, eps=0.1}{|, dim=1})",
    "U.spectral_norm(m, n_power_iterations={1|2})",
    "U.weight_norm(m); U.remove_weight_norm(m)", "U.spectral_norm(m); U.remove_spectral_norm(m)",
    "Q.register_parametrization(m, '{weight|bias|other}', nn.{Tanh|Flatten|Softmax|Identity}(){|, unsafe=True})",
    "Q.register_parametrization(m, 'weight', nn.Tanh()); Q.remove_parametrizations(m, 'weight', leave_parametrized={True|False})",
    "Q.register_parametrization(m, 'weight', nn.Tanh()); Q.register_parametrization(m, 'weight', nn.Sigmoid())",
)  # fmt: skip
OTHERS = (
    "[*map(str, fn.stack_module_state([nn.Linear(2, 1).to(d), nn.Linear(2, {1|2}).to(d)]))]",
    "fn.stack_module_state([nn.BatchNorm1d(2), nn.BatchNorm1d(2){|.eval()}])",
    "(lambda m: (fn.replace_all_batch_norm_modules_(m), m(x(2, 3))))(nn.Sequential(nn.BatchNorm1d(3)).to(d))[1]",
    "U.fuse_linear_bn_eval(nn.Linear(3, 2).to(d).eval(), nn.BatchNorm1d(2).to(d).eval())(x(2, 3))",
    "U.fuse_conv_bn_eval(nn.Conv{1|2}d(2, 3, 2{|, bias=False}).to(d).eval(), nn.BatchNorm{1|2}d({3|2}).to(d).eval())(x(1, 2, 4, 4))",
    "U.skip_init(nn.Linear, 2, {3|0}{|, bias=False}).weight.shape",
    "U.clip_grads_with_norm_([p], 0.5, torch.tensor({2.0|0.1}).to(d)) if p.backward(torch.ones_like(p)) else p.grad",
    "U.convert_conv2d_weight_memory_format(nn.Conv2d(2, 2, 2).to(d), torch.channels_last).weight.stride()",
    "torch.nested.nested_tensor_from_jagged(x(5, 2), torch.tensor([0, {2|5}, 5])).unbind()",
    "torch.nested.nested_tensor([x(2, 3), x({1, 3|2, 3})]{|, layout=torch.jagged}).{sum(-1).unbind()|size(0)|is_nested|offsets()|numel()}",
)
AVERAGED = (
    "A = torch.optim.swa_utils; m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).to(d); "
    "a = A.AveragedModel(m{|, multi_avg_fn=A.get_ema_multi_avg_fn(0.9)|, avg_fn=A.get_ema_avg_fn(0.5)|, multi_avg_fn=A.get_swa_multi_avg_fn()}{|, use_buffers=True})\n"
    "for k in range({1|3}):\n    [p.data.add_(0.1 * k) for p in m.parameters()]; m(x(3, 2)); a.update_parameters(m)\n"
    "{|A.update_bn([x(4, 2), x(2, 2)], a)\n}result = a.state_dict(), a.eval()(x(2, 2))",
    "o = torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=1.0); "
    "s = torch.optim.swa_utils.SWALR(o, swa_lr={0.1|[0.2]|[0.1, 0.2]}, anneal_epochs={2|0|5|-1}, anneal_strategy='{cos|linear|other}')\n"
    "rates = []\nfor _ in range(4): o.step(); s.step(); rates += s.get_last_lr()\nresult = rates",
)
CONSTRAINTS = (
    "C.{boolean|simplex|corr_cholesky|lower_cholesky|lower_triangular|positive_definite|positive_semidefinite|symmetric|"
    "real_vector|unit_interval|nonnegative|nonnegative_integer|positive_integer|real|one_hot|square|positive}",
    "C.{greater_than|greater_than_eq|less_than}({0|-0.5|torch.tensor([0., 1, 2])})",
    "C.{interval|half_open_interval|integer_interval}(-1, {1|0.5|2})", "C.independent(C.{real|positive}, {0|1|2})",
    "C.{cat|stack}([C.positive, C.real, C.real], {-1|0|1})", "C.multinomial({1|2})", "C.dependent",
)  # fmt: skip
# The softmax has a sum just below 1, since rounding would decide whether it is above.
CHECKED = "{v|v.abs()|v.round()|v.softmax(-1) * (1 - 4e-7)|v.tril()|v @ v.mT|(v > 0).to(d)|v - v.mT|v.abs().tril() / 9 + torch.eye(3).to(d)}"
BIJECTIONS = (
    "D.{biject_to|transform_to}(K)(v)", "D.{biject_to|transform_to}(K).inv(D.transform_to(K)(v))",
    "D.LKJCholesky(3, {0.5|1.0|2.0}).{sample()|log_prob(D.transform_to(C.corr_cholesky)(v.double()))|sample((2,)).shape}",
    "D.LKJCholesky({1|2}, torch.tensor([0.5, 1.5])).{sample((2,))|expand((3, 2)).sample()|support|arg_constraints}",
    "D.PositiveDefiniteTransform()(v)", "D.identity_transform(v)", "D.PositiveDefiniteTransform().inv(v @ v.mT + torch.eye(3).to(d))",
)  # fmt: skip
CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")


def program(rng: random.Random) -> str:
    """A program with one network, or one tool."""
    d = rng.choice(["float64", "float32"])
    start = f"g, d, fn = np.random.default_rng({rng.randrange(1000)}), torch.{d}, torch.func"
    names = "U, R, Q = nn.utils, nn.utils.rnn, nn.utils.parametrize; D, C = torch.distributions, torch.distributions.constraints"
    packed = "P = lambda s: [*map(P, s)] if isinstance(s, tuple) else s"
    kind = rng.choice([_layer, _layer, _layer, _initial, _tool, _changed, _set])
    return chosen(rng, "\n".join([start, X, names, packed, *kind(rng)]))


def chosen(rng: random.Random, text: str) -> str:
    """The text with one of the alternatives in each pair of braces, inner ones first.

    Example:
        >>> chosen(random.Random(1), "{a|a}b")
        'ab'
    """
    while CHOICE.search(text):
        text = CHOICE.sub(lambda m: rng.choice(m[1].split("|")), text, count=1)
    return text


def _layer(rng: random.Random) -> list[str]:
    made, _, call = chosen(rng, rng.choice(LAYERS).replace(")|", ")~", 1)).partition(
        "~"
    )
    run = f"y = [{call}]"
    told = "result = y, [*m.state_dict().items()]"
    if rng.random() < 0.5:
        told = (
            "s = sum((t * t.cos()).sum() for t in y if torch.is_tensor(t) and t.requires_grad)\n"
            "result = y, torch.autograd.grad(s, [*m.parameters()], allow_unused=True) if torch.is_tensor(s) else s"
        )
    return [f"m = {made}.to(d)", run, told]


def _initial(rng: random.Random) -> list[str]:
    call = rng.choice(INITS).replace("{w}", "w")
    return [f"w = {WEIGHTS}", f"result = nn.init.{call}, torch.rand(1)"]


def _tool(rng: random.Random) -> list[str]:
    if rng.random() < 0.15:
        return [rng.choice(AVERAGED)]
    call = rng.choice(SEQUENCES + OTHERS)
    return ["p = x(3).requires_grad_()", f"result = [{call}]"]


def _changed(rng: random.Random) -> list[str]:
    layer = rng.choice(["nn.Linear(4, 3)|x(2, 4)", "nn.Conv1d(2, 3, 2)|x(1, 2, 3)"])
    made, _, given = layer.partition("|")
    change = rng.choice(PRUNED + PARAMETRIZED)
    end = rng.choice(
        ["", "", "; m = copy.deepcopy(m)", "; m.load_state_dict(m.state_dict())"]
    )
    return [f"import copy; m = {made}.to(d)", f"{change}{end}", f"y = m({given})",
            "result = y, m.state_dict(), str(m), torch.autograd.grad((y * y.cos()).sum(), [*m.parameters()], allow_unused=True)"]  # fmt: skip


def _set(rng: random.Random) -> list[str]:
    values = f"v = x(3, 3); v = {CHECKED}"
    constraint = rng.choice(CONSTRAINTS)
    if rng.random() < 0.6:
        return [values, f"K = {constraint}",
                "result = K.check(v), str(K), K.is_discrete, K.event_dim"]  # fmt: skip
    return [
        values,
        f"K = {constraint}",
        f"result = [{rng.choice(BIJECTIONS)}], torch.rand(1)",
    ]
