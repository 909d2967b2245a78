"""The list of names: nothing on it runs code or touches what it should not."""

from __future__ import annotations

from pickle import UnpicklingError

import pytest

import edutorch as torch
from edutorch.serialization.default_globals import NAMES
from edutorch.serialization.storages import StorageType
from edutorch.serialization.weights_only_unpickler import Builder
from tests.serialization.forge import (
    ORDERED,
    archive,
    call,
    name,
    persistent,
    program,
    tensor,
)


def load(value, **options):
    return torch.load(archive(program(value), {"0": bytes(24)}), **options)


def test_list_holds_builders_types_and_dtypes_only():
    kinds = (Builder, StorageType, torch.dtype)
    for value in NAMES.values():
        assert isinstance(value, kinds) or value in (torch.Tensor, torch.nn.Parameter)
    for module, _ in NAMES:
        assert module.partition(".")[0] in ("torch", "collections", "_codecs") or (
            module in ("builtins", "__builtin__")
        )


def test_parameter_and_its_flag_are_rebuilt():
    rebuild = name("torch._utils", "_rebuild_parameter")
    made = load(call(rebuild, tensor(), True, ORDERED))
    assert isinstance(made, torch.nn.Parameter)
    assert made.requires_grad


@pytest.mark.parametrize(
    ("module", "function", "args"),
    [
        ("torch._utils", "_rebuild_parameter", (5, True, ORDERED)),
        ("torch._utils", "_rebuild_parameter", (tensor(), 1, ORDERED)),
        ("torch._utils", "_rebuild_parameter", (tensor(), True, {})),
        ("torch", "Size", (("a",),)),
        ("torch", "Size", (5,)),
        ("torch", "device", (5,)),
        ("torch", "device", ("mars",)),
        ("torch.serialization", "_get_layout", ("torch.sparse_dia",)),
        ("_codecs", "encode", ("x", "rot13")),
        ("_codecs", "encode", ("\u20ac", "latin1")),
        ("builtins", "bytearray", (5,)),
        ("builtins", "complex", ("1+j", 0.0)),
        ("builtins", "set", ("abc",)),
        ("builtins", "range", (1, 2, 0)),
        ("builtins", "eval", ("1",)),
        ("builtins", "getattr", ("1", "2")),
        ("collections", "Counter", ({"a": "b"},)),
        ("collections", "OrderedDict", (5,)),
    ],
)
def test_builder_with_wrong_arguments_refuses(module, function, args):
    with pytest.raises((UnpicklingError, RuntimeError)):
        load(call(name(module, function), *args))


def test_payload_does_not_run_in_a_hook(tmp_path):
    mark = tmp_path / "mark"
    run = call(name("os", "system"), f"touch {mark}")
    with pytest.raises(UnpicklingError):
        load(tensor(hooks=call(name("collections", "OrderedDict"), run)))
    assert not mark.exists()


def test_conjugated_tensor_is_resolved():
    kind = name("torch", "ComplexFloatStorage")
    storage = persistent("storage", kind, "0", "cpu", 3)
    rebuild = name("torch._utils", "_rebuild_tensor_v2")
    rest = (0, (3,), (1,), False, ORDERED, {"conj": True})
    assert load(call(rebuild, storage, *rest)).tolist() == [0j, 0j, 0j]


def part(indices, shape, stride):
    """A tensor of whole numbers from the archive's record, for forging."""
    rebuild = name("torch._utils", "_rebuild_tensor_v2")
    place = persistent("storage", name("torch", "LongStorage"), "0", "cpu", 3)
    return call(rebuild, place, 0, shape, stride, False, ORDERED)


def test_sparse_tensors_are_rebuilt_and_read():
    import io

    eye = torch.eye(3)
    kept = {
        "coo": eye.to_sparse(), "csr": eye.to_sparse_csr(), "csc": eye.to_sparse_csc(),
        "twice": torch.sparse_coo_tensor([[1, 1]], [1.0, 2.0], (2,)),
        "rows": eye.to_sparse(1), "layout": torch.sparse_csr,
        "blocks": eye.to_sparse_bsr((3, 1)),
    }  # fmt: skip
    file = io.BytesIO()
    torch.save(kept, file)
    file.seek(0)
    found = torch.load(file)
    assert repr(found) == repr(kept)
    assert found["coo"].is_coalesced()
    assert not found["twice"].is_coalesced()


@pytest.mark.parametrize("size", [(1, 1), (3,), "no size", ()])
def test_sparse_tensors_whose_positions_lie_outside_are_refused(size):
    rebuild = name("torch._utils", "_rebuild_sparse_tensor")
    layout = call(name("torch.serialization", "_get_layout"), "torch.sparse_coo")
    indices = part(None, (1, 3), (3, 1))
    data = archive(
        program(call(rebuild, layout, (indices, part(None, (3,), (1,)), size, False))),
        {"0": (7).to_bytes(8, "little") * 3},
    )
    with pytest.raises(UnpicklingError):
        torch.load(data)
