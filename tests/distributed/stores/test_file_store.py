"""A store in a file, which other processes can open."""

from __future__ import annotations

import subprocess
import sys

from edutorch.distributed import FileStore
from tests.distributed.launching import environment


def test_file_store_is_shared_with_another_process(tmp_path):
    path = str(tmp_path / "store")
    store = FileStore(path, 2)
    program = (
        "import sys; from edutorch.distributed import FileStore\n"
        "store = FileStore(sys.argv[1], 2)\n"
        "store.add('n', 2); store.set('b', bytes([0, 255]))"
    )
    store.add("n", 1)
    command = [sys.executable, "-c", program, path]
    subprocess.run(command, env=environment(), check=True)
    assert store.add("n", 0) == 3
    assert store.get("b") == bytes([0, 255])
    assert store.path == path
