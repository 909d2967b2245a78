"""Stores in one process: what each command does, alone and from several threads."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from edutorch.distributed import (
    DistStoreError,
    FileStore,
    HashStore,
    PrefixStore,
    TCPStore,
)
from tests.oracle import torch


@pytest.fixture(params=["hash", "file", "tcp", "tcp client", "prefix"])
def stores(request, tmp_path):
    """One of our stores, and PyTorch's store of that kind."""
    theirs = torch.distributed
    if request.param == "file":
        ours = FileStore(str(tmp_path / "ours"), 1)
        yield ours, theirs.FileStore(str(tmp_path / "theirs"), 1)
    elif request.param == "prefix":
        ours = PrefixStore("p", HashStore())
        yield ours, theirs.PrefixStore("p", theirs.HashStore())
    elif request.param == "hash":
        yield HashStore(), theirs.HashStore()
    else:
        ours = TCPStore("127.0.0.1", 0, is_master=True)
        reference = theirs.TCPStore("127.0.0.1", 0, is_master=True)
        yield (ours if request.param == "tcp" else ours.clone()), reference


COMMANDS = (
    lambda s: s.set("a", "1"),
    lambda s: s.get("a"),
    lambda s: s.set("bytes", bytes(range(256)).decode("latin-1")),
    lambda s: s.get("bytes"),
    lambda s: s.add("n", 5),
    lambda s: s.add("n", -2),
    lambda s: s.get("n"),
    lambda s: s.check(["a", "n"]),
    lambda s: s.check(["a", "none"]),
    lambda s: s.compare_set("a", "2", "3"),
    lambda s: s.compare_set("a", "1", "3"),
    lambda s: s.compare_set("new", "", "first"),
    lambda s: s.delete_key("a"),
    lambda s: s.delete_key("a"),
    lambda s: s.wait(["n"], timedelta(seconds=1)),
)
SECOND_DELETION = 13


def test_commands_of_a_store_answer_as_those_of_pytorch(stores):
    ours, theirs = stores
    for number, command in enumerate(COMMANDS):
        if number == SECOND_DELETION and isinstance(ours, FileStore):
            continue  # PyTorch's says that it has removed what was not there
        assert command(ours) == command(theirs), number


def test_waiting_in_vain_ends_with_the_names_of_the_keys(stores):
    ours, theirs = stores
    with pytest.raises(DistStoreError) as error:
        ours.wait(["a", "b"], timedelta(milliseconds=30))
    with pytest.raises(RuntimeError) as reference:
        theirs.wait(["a", "b"], timedelta(milliseconds=30))
    assert "wait timeout after 30ms" in str(error.value)
    assert "timeout" in str(reference.value).lower()


def test_get_waits_until_another_thread_sets_the_key(stores):
    store = stores[0]
    setter = threading.Timer(0.05, store.set, ["late", "here"])
    setter.start()
    assert store.get("late") == b"here"
    setter.join()


def test_sums_of_several_threads_lose_nothing(stores):
    store = stores[0]

    def count():
        for _ in range(25):
            store.add("sum", 1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.add("sum", 0) == 100


def test_several_values_are_set_and_got_at_once(stores):
    store = stores[0]
    store.multi_set(["x", "y"], ["1", "2"])
    store.append("y", "3")
    assert store.multi_get(["x", "y"]) == [b"1", b"23"]
    assert [key[-1] for key in store.list_keys()] == ["x", "y"]
    assert store.has_extended_api()
