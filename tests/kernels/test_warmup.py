"""Compiling everything once, and knowing that it is done."""

import subprocess
from importlib.util import find_spec

import pytest

from edutorch.kernels import warmup

with_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")


class Machine:
    """Time, the stamp and the other process, as a test wants them."""

    def __init__(self, monkeypatch, path):
        self.now, self.started, self.path = 100.0, 0, path
        for name, value in (("ready", False), ("look_at", 0.0), ("started", False)):
            monkeypatch.setattr(warmup._State, name, value)
        monkeypatch.setattr(warmup.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(warmup, "stamp", lambda: self.path)
        monkeypatch.setattr(warmup, "_start", self.start)

    def start(self):
        self.started += 1

    def after(self, seconds):
        self.now += seconds
        return warmup.ready()


def test_ready_starts_compiling_once_and_sees_the_stamp(monkeypatch, tmp_path):
    machine = Machine(monkeypatch, tmp_path / "stamp")
    assert not machine.after(0)
    assert not machine.after(0.2)
    assert machine.started == 0  # a small job needs no kernels
    assert not machine.after(1)
    assert not machine.after(1)
    assert machine.started == 1
    machine.path.touch()
    assert machine.after(1)
    assert machine.after(0)


def test_ready_with_a_stamp_starts_nothing(monkeypatch, tmp_path):
    machine = Machine(monkeypatch, tmp_path)
    assert machine.after(0)  # at once: numbers must not depend on the time it took
    assert machine.after(2)
    assert machine.started == 0


def test_compile_all_without_numba_says_what_to_install(monkeypatch):
    monkeypatch.setattr(warmup, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"edutorch\[fast\]"):
        warmup.compile_all()


@with_numba
def test_compile_all_leaves_a_stamp(monkeypatch, tmp_path):
    monkeypatch.setattr(warmup, "stamp", lambda: tmp_path / "home" / "stamp")
    assert "softmax" in warmup.compile_all()
    assert (tmp_path / "home" / "stamp").exists()


@with_numba
def test_stamp_depends_on_the_sources(monkeypatch, tmp_path):
    before = warmup.stamp()
    other = tmp_path / "softmax.py"
    other.touch()
    monkeypatch.setattr(warmup, "_sources", lambda: [other])
    assert warmup.stamp.__wrapped__() != before


def test_command_takes_no_module_from_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "numba.py").write_text("open('ran', 'w')")
    (tmp_path / "edutorch.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    first, *rest = warmup.command()
    program = rest[-1].replace("main(['warmup'])", "0")
    # What it imports, and where from: the package's own main, without compiling.
    told = "; from importlib.util import find_spec; print(find_spec('numba'))"
    looked = program.replace("; sys.exit(0)", told)
    done = subprocess.run(
        [first, *rest[:-1], looked], capture_output=True, text=True, check=True
    )
    assert str(tmp_path) not in done.stdout
    assert not (tmp_path / "ran").exists()
