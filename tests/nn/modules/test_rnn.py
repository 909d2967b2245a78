"""Recurrent layers: state, values, gradients, forms of inputs and refusals."""

from __future__ import annotations

import copy
import pickle

import edutorch
from tests.nn.modules.layers import numbers, runs
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)

LAYERS = (
    "nn.LSTM(2, 3)",
    "nn.LSTM(2, 3, 2, bidirectional=True, batch_first=True)",
    "nn.LSTM(2, 3, 2, proj_size=2, bias=False)",
    "nn.GRU(2, 3, 2)",
    "nn.GRU(2, 3, bias=False, bidirectional=True)",
    "nn.RNN(2, 3)",
    "nn.RNN(2, 3, 2, 'relu', batch_first=True)",
    "nn.RNN(2, 3, nonlinearity='relu', dropout=0.0)",
)
SETTINGS = (
    "nn.LSTM(2, 3, dropout=2.0)", "nn.LSTM(2, 3, dropout=True)",
    "nn.LSTM(2, 3, bias=1)", "nn.GRU(2, 3, batch_first=1)", "nn.GRU(2.5, 3)",
    "nn.GRU(0, 3)", "nn.RNN(2, 0)", "nn.RNN(2, '3')", "nn.LSTM(2, 3, 0)",
    "nn.LSTM(2, 3, proj_size=-1)", "nn.LSTM(2, 3, proj_size=3)",
    "nn.GRU(2, 3, proj_size=1)", "nn.RNN(2, 3, nonlinearity='sin')",
)  # fmt: skip
INPUTS = (
    ("nn.LSTM(2, 3)", "x(2)"),
    ("nn.RNN(2, 3)", "x(2)"),
    ("nn.GRU(2, 3)", "x(4, 1, 3)"),
    ("nn.GRU(2, 3)", "x(4, 1, 2).double()"),
    ("nn.GRU(2, 3)", "x(4, 1, 2), x(1, 2, 3)"),
    ("nn.GRU(2, 3)", "x(4, 1, 2), x(1, 3)"),
    ("nn.GRU(2, 3)", "x(4, 2), x(1, 1, 3)"),
    ("nn.LSTM(2, 3)", "x(4, 1, 2), (x(1, 1, 3), x(2, 1, 3))"),
    ("nn.LSTM(2, 3)", "x(4, 1, 2), (x(1, 3), x(1, 1, 3))"),
    ("nn.LSTM(2, 3)", "x(4, 2), (x(1, 3), x(1, 1, 3))"),
    ("nn.LSTM(2, 3, proj_size=2)", "x(4, 1, 2), (x(1, 1, 3), x(1, 1, 3))"),
)


def make(torch, layer):
    return eval(layer, {"nn": torch.nn})


@programs.add
def layers_run_forward_and_backward(torch):
    def first(torch, layer):
        m = make(torch, layer)
        m.register_forward_hook(lambda m, args, y: (y[0], *_flat(y[1])))
        return m

    torch.nn.first = first
    cases = [(f"torch.nn.first(torch, {layer!r})", (4, 2, 2)) for layer in LAYERS]
    return runs(torch, cases)


def _flat(hx):
    return hx if isinstance(hx, tuple) else (hx,)


@programs.add
def one_sequence_needs_no_batch(torch):
    found = []
    for layer in LAYERS:
        m = make(torch, layer)
        y, hx = m(numbers(torch, 4, 2))
        found += [y, hx, m(numbers(torch, 4, 2), hx)]
    return found


@programs.add
def batches_may_be_empty(torch):
    found = []
    for layer in ("nn.LSTM(2, 3)", "nn.GRU(2, 3)", "nn.RNN(2, 3, 2)"):
        m = make(torch, layer)
        y, hx = m(torch.ones(4, 0, 2))
        found += [y, hx]
    return found


@programs.add
def states_are_carried_on_and_cut_off(torch):
    found = []
    for cut in (False, True):
        m, hx, total = torch.nn.LSTM(2, 3), None, 0
        for _ in range(3):
            y, hx = m(numbers(torch, 4, 2, 2), hx)
            hx = tuple(h.detach() for h in hx) if cut else hx
            total = total + (y**2).sum()
        total.backward()
        found.append([p.grad for p in m.parameters()])
    return found


@programs.add
def gradients_of_gradients_train(torch):
    m, x = torch.nn.GRU(2, 3), numbers(torch, 4, 2, 2).requires_grad_()
    (gx,) = torch.autograd.grad(m(x)[0].sum(), x, create_graph=True)
    (gx**2).sum().backward()
    return [p.grad for p in m.parameters() if p.grad is not None]


@programs.add
def packed_sequences_keep_their_order(torch):
    rnn, found = torch.nn.utils.rnn, []
    several = [numbers(torch, n, 2, seed=n) for n in (2, 4, 1)]
    packed = rnn.pack_sequence(several, enforce_sorted=False)
    for layer in LAYERS:
        m = make(torch, layer)
        y, hx = m(packed)
        found += [rnn.unpack_sequence(y), hx, m(packed, hx)[1]]
    return found


@programs.add
def settings_out_of_range_are_refused(torch):
    return {s: attempt(lambda s=s: repr(make(torch, s))) for s in SETTINGS}


@programs.add
def inputs_that_do_not_fit_are_refused(torch):
    names = {"x": lambda *shape: numbers(torch, *shape)}
    return [
        attempt(lambda m=m, x=x: make(torch, m)(*eval(f"({x},)", names)))
        for m, x in INPUTS
    ]


@programs.add
def dropout_on_one_layer_warns(torch):
    return warned(lambda: repr(torch.nn.GRU(2, 3, dropout=0.5)))


@programs.add
def one_tensor_is_no_pair_of_states(torch):
    x, h = torch.ones(2, 2, 3), torch.ones(2, 2, 4)
    return [
        attempt(lambda: list(torch.nn.LSTM(3, 4)(x, h[:1])[0].shape)),
        attempt(lambda: list(torch.nn.LSTM(3, 4)(x, [h[:1], h[:1]])[0].shape)),
    ]


test_rnn = programs.test()


def test_copies_and_pickles_have_weights_of_their_own():
    m = edutorch.nn.GRU(2, 3)
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        x = edutorch.ones(2, 1, 2)
        assert edutorch.equal(other(x)[0], m(x)[0])
        edutorch.nn.init.zeros_(other.weight_ih_l0)
        assert m.weight_ih_l0.abs().sum() > 0


def test_training_step_is_watched_module_by_module():
    m = edutorch.nn.Sequential(edutorch.nn.LSTM(2, 3))
    with (
        edutorch.config.kernels("fast"),  # plain kernels run a loop, not a layer
        edutorch.inspect.GraphRecorder() as graph,
        edutorch.inspect.record() as seen,
    ):
        m(edutorch.ones(4, 1, 2))[0].sum().backward()
    nodes = {n["name"]: n for n in graph.snapshot()["nodes"]}
    assert nodes["lstm_layer"]["module"] == "0"
    assert nodes["lstm_layer"]["bwd_us"] is not None
    assert seen.counts.backward["MkldnnRnnLayerBackward0"].count == 1
