"""The launcher: environments, exit codes, restarts, several machines."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.distributed.launching import (
    environment,
    left_over,
    needs_mpi,
    run,
)
from tests.distributed.network_namespaces import two_hosts
from tests.ports import free_port

MEETING = Path(__file__).with_name("rendezvous_program.py")

SHOW = """
import os, sys
names = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK")
words = [*(os.environ[n] for n in names), *sys.argv[1:]]
sys.stdout.write(" ".join(words) + "\\n")  # in one piece, apart from the other's
"""
RESTART = """
import os, sys
attempt = int(os.environ["TORCHELASTIC_RESTART_COUNT"])
sys.stdout.write(f"attempt {attempt}\\n")  # in one piece
sys.exit(3 if attempt < 2 and os.environ["RANK"] == "1" else 0)
"""


def written(folder, text):
    script = folder / "script.py"
    script.write_text(text)
    return script


def test_run_gives_each_process_its_place(tmp_path):
    script = written(tmp_path, SHOW)
    done = run("--standalone", "--nproc_per_node=2", script, "--lr", "0.1")
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == [
        "0 0 2 2 0 --lr 0.1",
        "1 1 2 2 0 --lr 0.1",
    ]


def test_run_of_several_machines_gives_each_process_its_number(tmp_path):
    script, port = written(tmp_path, SHOW), str(free_port())
    command = [sys.executable, "-m", "edutorch", "run", "--nnodes=2",
               "--master-addr=127.0.0.1", f"--master-port={port}"]  # fmt: skip
    launchers = [
        subprocess.Popen(
            [*command, f"--node-rank={node}", f"--nproc-per-node={count}", str(script)],
            env=environment(), stdout=subprocess.PIPE, text=True,
        )
        for node, count in ((1, 1), (0, 2))
    ]  # fmt: skip
    lines = [
        line for p in launchers for line in p.communicate(timeout=60)[0].splitlines()
    ]
    assert [p.returncode for p in launchers] == [0, 0]
    assert sorted(lines) == ["0 0 3 2 0", "1 1 3 2 0", "2 0 3 1 1"]


def test_run_starts_all_again_when_one_fails(tmp_path):
    script = written(tmp_path, RESTART)
    done = run("--nproc-per-node", 2, "--max-restarts", 2, script)
    assert done.returncode == 0, done.stderr
    for attempt in range(3):
        assert done.stdout.count(f"attempt {attempt}") == 2
    assert "rank 1 (local rank 1, pid" in done.stderr
    assert "failed with exit code 3" in done.stderr
    assert "starting all processes again, 2 of 2" in done.stderr


def test_run_gives_up_after_the_last_restart(tmp_path):
    script = written(tmp_path, "import sys; sys.exit(5)")
    done = run("--nproc-per-node", 2, "--max-restarts", 1, script)
    assert done.returncode == 1
    assert done.stderr.count("failed with exit code 5") == 2


def test_run_ends_the_children_of_its_processes(tmp_path):
    script = written(
        tmp_path,
        "import os, subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])\n"
        "time.sleep(0.3); sys.exit(1 if os.environ['RANK'] == '0' else 0)\n",
    )
    assert run("--nproc-per-node", 2, script).returncode == 1
    assert left_over() == []


def test_run_starts_a_module_and_a_program_that_is_not_python(tmp_path):
    module = run("--nproc-per-node", 1, "-m", "this")
    assert "Beautiful is better than ugly." in module.stdout
    echo = run("--nproc-per-node", 2, "--no-python", "echo", "a")
    assert echo.stdout.split() == ["a", "a"]


@needs_mpi
def test_program_under_run_starts_ranks_of_its_own(tmp_path):
    script = written(
        tmp_path,
        "import os, sys\n"
        f"sys.path.insert(0, {str(MEETING.parent)!r})\n"
        "from edutorch import multiprocessing\n"
        "from rendezvous_program import meet\n"
        "if __name__ == '__main__':\n"
        "    os.environ['MASTER_ADDR'] = 'localhost'\n"
        f"    os.environ['MASTER_PORT'] = '{free_port()}'\n"
        f"    multiprocessing.spawn(meet, ('tcp://localhost:{free_port()}',), 2)\n"
        "    print('met', flush=True)\n",
    )
    done = run("--nproc-per-node", 1, script)
    assert (done.returncode, done.stdout) == (0, "met\n"), done.stderr


@pytest.mark.parametrize("in_background", [False, True])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ended_launcher_leaves_no_process_behind(tmp_path, number, in_background):
    script = written(
        tmp_path,
        "import time\n"
        "from pathlib import Path\n"
        "from edutorch import multiprocessing\n"
        "def wait(rank, folder):\n"
        "    Path(folder, f'child{rank}').touch()\n"
        "    time.sleep(300)\n"
        "if __name__ == '__main__':\n"
        f"    multiprocessing.spawn(wait, ({str(tmp_path)!r},), 2)\n",
    )
    command = [sys.executable, "-m", "edutorch", "run", str(script)]
    # Shells have their background jobs ignore Ctrl-C.
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_IGN if in_background else before)
    try:
        launcher = subprocess.Popen(command, env=environment())
    finally:
        signal.signal(signal.SIGINT, before)
    until = time.monotonic() + 60
    while len(list(tmp_path.glob("child*"))) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    launcher.send_signal(number)
    code = launcher.wait(timeout=60)
    assert code == (128 + number if number == signal.SIGTERM else -number)
    assert left_over() == []


ON_TWO_HOSTS = """
import sys
from datetime import timedelta
import edutorch as torch
from edutorch import distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=5))
x = torch.ones(1 << 18)
for step in range(10):
    dist.all_reduce(x)
print(x[0].item(), flush=True)
while "cut" in sys.argv:
    dist.all_reduce(x.fill_(1.0))
dist.destroy_process_group()
"""


@needs_mpi
def test_ranks_of_two_hosts_send_their_tensors_through_the_cable(tmp_path):
    script = written(tmp_path, ON_TWO_HOSTS)
    with two_hosts() as hosts:
        launchers = hosts.run(script)
        ends = [launcher.communicate(timeout=60) for launcher in launchers]
        assert [launcher.returncode for launcher in launchers] == [0, 0], ends
        assert [end[0].split() for end in ends] == [["1024.0"], ["1024.0"]]
        assert hosts.sent() >= 10 * (1 << 20)
    assert left_over() == []


@needs_mpi
def test_cut_cable_ends_the_ranks_of_both_hosts_with_an_error(tmp_path):
    script = written(tmp_path, ON_TWO_HOSTS.replace('"cut" in sys.argv', "True"))
    with two_hosts() as hosts:
        launchers = hosts.run(script)
        for launcher in launchers:
            assert launcher.stdout.readline() == "1024.0\n"
        hosts.cut()
        ends = [launcher.communicate(timeout=90) for launcher in launchers]
    assert [launcher.returncode for launcher in launchers] == [1, 1]
    for rank, (_, printed) in enumerate(ends):
        assert f"on rank {rank} failed: timed out after 5 s" in printed
        assert f"rank {1 - rank}: does not answer" in printed
    assert left_over(seconds=60.0) == []
