"""What a program lets checkpoints name."""

from __future__ import annotations

import io
import os
from pickle import UnpicklingError

import numpy as np
import pytest

import edutorch as torch
from edutorch.serialization import (
    allowed_globals,
    get_unsafe_globals_in_checkpoint,
    safe_globals,
)
from tests.serialization.forge import archive, name, program

serialization = torch.serialization


def rewound(file):
    file.seek(0)
    return file


class Point:
    """An object with attributes."""

    def __init__(self, x):
        self.x = x


class Counter:
    """An object that makes its own state."""

    def __init__(self, n):
        self.n = n

    def __getstate__(self):
        return {"stored": self.n}

    def __setstate__(self, state):
        self.n = state["stored"] + 1


class Slots:
    """An object without a dictionary."""

    __slots__ = ("x",)


def made(n):
    return Counter(n)


class Reduced:
    """An object that a function makes."""

    def __reduce__(self):
        return made, (4,)


@pytest.fixture(autouse=True)
def _nothing_is_allowed():
    serialization.clear_safe_globals()
    yield
    serialization.clear_safe_globals()


def saved(thing):
    file = io.BytesIO()
    torch.save(thing, file)
    file.seek(0)
    return file


def test_objects_are_refused_until_they_are_allowed():
    file = saved(Point(torch.ones(2)))
    with pytest.raises(UnpicklingError, match=r"safe_globals\(\[.*Point\]\)"):
        torch.load(file)
    with serialization.safe_globals([Point]):
        file.seek(0)
        assert torch.load(file).x.tolist() == [1.0, 1.0]
    assert serialization.get_safe_globals() == []


def test_states_are_set_as_pickle_does():
    slots = Slots()
    slots.x = 7
    serialization.add_safe_globals([Counter, Slots, made])
    assert torch.load(saved(Counter(3))).n == 4
    assert torch.load(saved(slots)).x == 7
    assert torch.load(saved(Reduced())).n == 4


def test_functions_that_are_not_allowed_are_not_called():
    serialization.add_safe_globals([Reduced])
    with pytest.raises(UnpicklingError, match="Unsupported global"):
        torch.load(saved(Reduced()))


def test_modules_are_loaded_whole():
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
    serialization.add_safe_globals(
        [torch.nn.Sequential, torch.nn.Linear, torch.nn.ReLU]
    )
    again = torch.load(saved(net))
    x = torch.ones(2)
    assert again(x).tolist() == net(x).tolist()


def test_pytorchs_names_mean_edutorchs_things():
    serialization.add_safe_globals([torch.nn.Linear])
    assert allowed_globals.find("torch.nn.modules.linear", "Linear") is torch.nn.Linear
    with pytest.raises(KeyError):
        allowed_globals.find("torch.nn.modules.linear", "Bilinear")
    with pytest.raises(KeyError):
        allowed_globals.find("torch", "load")


def test_things_may_be_allowed_under_another_name():
    serialization.add_safe_globals([(Point, "elsewhere.Old")])
    assert allowed_globals.find("elsewhere", "Old") is Point


def test_unsafe_names_in_a_file_are_told(tmp_path):
    path = tmp_path / "points.pt"
    torch.save([Point(1), Counter(2), Point(3)], path)
    told = serialization.get_unsafe_globals_in_checkpoint
    assert [name.rpartition(".")[2] for name in told(path)] == ["Point", "Counter"]
    serialization.add_safe_globals([Point])
    assert [name.rpartition(".")[2] for name in told(path)] == ["Counter"]
    assert told(saved(torch.ones(2))) == []


def test_names_of_python_2_are_told_and_allowed_by_their_present_names():
    file = io.BytesIO()
    torch.save([range(2, 9), frozenset([1])], file)
    unsafe = get_unsafe_globals_in_checkpoint(rewound(file))
    assert unsafe == ["builtins.range", "builtins.frozenset"]
    with pytest.raises(UnpicklingError, match=r"GLOBAL range was not an allowed"):
        torch.load(rewound(file))
    with safe_globals([range, frozenset]):
        assert torch.load(rewound(file)) == [range(2, 9), frozenset([1])]


def test_modules_that_are_blocked_stay_so():
    file = archive(program(name("os", "system")))
    with (
        safe_globals([os.system, (print, "os.system")]),
        pytest.raises(UnpicklingError, match="whose module os is blocked"),
    ):
        torch.load(file)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ((print,), ValueError, "Expected tuple of length 2"),
        ((print, "a", "b"), ValueError, "Expected tuple of length 2"),
        ((print, 5), TypeError, "Expected second item in tuple to be str"),
    ],
)
def test_pairs_that_are_none_are_refused(wrong, error, message):
    file = archive(program(name("a", "b")))
    with safe_globals([wrong]), pytest.raises(error, match=message):
        torch.load(file)


def test_numpy_scalars_are_loaded_where_a_program_allows_them():
    scalar = np.float32(1.5)
    file = io.BytesIO()
    torch.save({"best": scalar}, file)
    with pytest.raises(UnpicklingError, match=r"multiarray\.scalar was not an allowed"):
        torch.load(rewound(file))
    needed = [scalar.__reduce__()[0], np.dtype, type(np.dtype("f4"))]
    with safe_globals(needed):
        assert torch.load(rewound(file)) == {"best": 1.5}


def test_block_that_ends_allows_no_more_and_class_is_a_value():
    file = io.BytesIO()
    torch.save([torch.Tensor, torch.float32], file)
    assert torch.load(rewound(file)) == [torch.Tensor, torch.float32]
    with safe_globals([range]):
        pass
    assert torch.serialization.get_safe_globals() == []
