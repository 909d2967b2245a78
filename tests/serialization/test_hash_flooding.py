"""Keys that are put in: none whose hash, or whose place, takes long to find."""

from __future__ import annotations

from pickle import UnpicklingError

import pytest

import edutorch as torch
from edutorch.serialization.hash_flooding import SAME_HASH, KeyChecker
from tests.serialization.forge import archive, program

PRIME = 2**61 - 1  # the hash of a whole number is its remainder


def check(keys):
    checked, target = KeyChecker(), {}
    for key in keys:
        checked.check(key, target)


@pytest.mark.parametrize(
    "keys",
    [
        [n * PRIME for n in range(SAME_HASH + 1)],
        [(n * PRIME, "x") for n in range(SAME_HASH + 1)],
        [complex(-1000003.0 * n, n) for n in range(SAME_HASH + 1)],
    ],
    ids=["numbers", "tuples", "complex numbers"],
)
def test_keys_of_one_hash_are_refused(keys):
    assert len({hash(key) for key in keys}) == 1
    with pytest.raises(UnpicklingError, match="same hash"):
        check(keys)


def test_many_ordinary_keys_are_put_in():
    check(range(-5000, 5000))
    check(f"layer.{n}" for n in range(5000))


def test_same_key_in_many_containers_is_put_in():
    checked = KeyChecker()
    targets = [{} for _ in range(5 * SAME_HASH)]
    for target in targets:
        checked.check(0, target)


def test_file_of_colliding_keys_is_refused_at_once():
    file = archive(program({n * PRIME: None for n in range(20000)}))
    with pytest.raises(UnpicklingError, match="same hash"):
        torch.load(file)


@pytest.mark.parametrize("key", [[], {}, set(), (1, [2]), object()])
def test_keys_of_other_types_are_refused(key):
    with pytest.raises(UnpicklingError, match="is not allowed"):
        check([key])
