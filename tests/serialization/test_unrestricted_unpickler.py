"""Whole objects in trusted files: PyTorch's classes become edutorch's, and back."""

from __future__ import annotations

import io
import pickle
import warnings

import pytest

import edutorch as torch


@pytest.fixture
def oracle():
    from tests.oracle import torch as oracle

    return oracle


def model(t):
    """The same small network made with either library."""
    nn = t.nn
    made = nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(8, 4), nn.GELU(), nn.LayerNorm(4), nn.Dropout(0.5),
    )  # fmt: skip
    with t.no_grad():
        for p in made.parameters():
            p.fill_(0.25)
    return made.eval()


def exchanged(value, one, other, stream=False):
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sources of classes that changed
        one.save(value, file, _use_new_zipfile_serialization=not stream)
        file.seek(0)
        return other.load(file, weights_only=False)


@pytest.mark.parametrize("stream", [False, True])
def test_modules_are_exchanged(oracle, stream):
    for one, other in ((oracle, torch), (torch, oracle), (torch, torch)):
        found = exchanged(model(one), one, other, stream)
        assert isinstance(found, other.nn.Sequential)
        x = other.arange(16.0).reshape(1, 1, 4, 4)
        assert found(x)[0].tolist() == pytest.approx(model(other)(x)[0].tolist())
        assert str(found) == str(model(one))
        found.train()(x).sum().backward()
        found.register_forward_hook(lambda *_: "hooked")
        assert found(x) == "hooked"


def test_recurrent_layers_are_exchanged(oracle):
    for make in (
        lambda t: t.nn.LSTM(2, 3, 2, bidirectional=True),
        lambda t: t.nn.GRU(2, 3),
    ):
        theirs = make(oracle)
        mine = exchanged(theirs, oracle, torch)
        back = exchanged(mine, torch, oracle)
        expected = theirs(oracle.ones(4, 1, 2))[0].reshape(-1).tolist()
        for t, found in ((torch, mine), (oracle, back)):
            got = found(t.ones(4, 1, 2))[0].reshape(-1).tolist()
            assert got == pytest.approx(expected, 1e-5, 1e-6)


@pytest.mark.parametrize(
    "make",
    [
        lambda t: t.nn.MultiheadAttention(4, 2),
        lambda t: t.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True),
        lambda t: t.nn.Embedding(5, 2, padding_idx=0),
        lambda t: t.nn.ModuleDict({"a": t.nn.Tanh(), "b": t.nn.Softmax(-1)}),
        lambda t: t.nn.ParameterList([t.ones(2)]),
        lambda t: t.nn.CrossEntropyLoss(weight=t.ones(2)),
    ],
)
def test_layers_are_exchanged(oracle, make):
    for one, other in ((oracle, torch), (torch, oracle), (torch, torch)):
        found = exchanged(make(one), one, other)
        assert type(found).__name__ == type(make(other)).__name__
        assert str(found) == str(make(one))
        names = [name for name, _ in found.state_dict().items()]
        assert names == [name for name, _ in make(other).state_dict().items()]


def test_optimizers_are_exchanged(oracle):
    for one, other in ((oracle, torch), (torch, oracle)):
        p = one.nn.Parameter(one.ones(2))
        optimizer = one.optim.SGD([p], lr=0.5, momentum=0.9)
        (p * p).sum().backward()
        optimizer.step()
        found = exchanged(optimizer, one, other)
        assert isinstance(found, other.optim.SGD)
        (q,) = found.param_groups[0]["params"]
        (q * 1).sum().backward()
        found.step()
        assert q.tolist() == pytest.approx([-1.4, -1.4])


def test_results_with_names_are_exchanged(oracle):
    for one, other in ((oracle, torch), (torch, oracle), (torch, torch)):
        found = exchanged(one.ones(2, 2).max(0), one, other)
        assert type(found).__name__ == "max"
        assert found.indices.tolist() == [0, 0]


def test_pickle_module_and_encoding_are_used():
    used = []

    class Loud(pickle.Unpickler):
        def load(self):
            used.append(self)
            return super().load()

    class Module:
        Unpickler = Loud

    file = io.BytesIO()
    torch.save({"w": torch.ones(1)}, file)
    file.seek(0)
    assert torch.load(file, pickle_module=Module)["w"].tolist() == [1]
    assert used
    file.seek(0)
    with pytest.raises(RuntimeError, match="Can not safely load weights when explicit"):
        torch.load(file, pickle_module=Module, weights_only=True)
    with pytest.warns(UserWarning, match="pickle_load_args only works"):
        torch.load(file, encoding="latin1")
