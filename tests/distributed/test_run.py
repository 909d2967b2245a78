"""The launcher: environments, exit codes, restarts, several machines."""

from __future__ import annotations

import subprocess
import sys

from tests.distributed.launching import environment, free_port, left_over, run

SHOW = """
import os, sys
names = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK")
print(" ".join(os.environ[n] for n in names), *sys.argv[1:], flush=True)
"""
RESTART = """
import os, sys
attempt = int(os.environ["TORCHELASTIC_RESTART_COUNT"])
print("attempt", attempt, flush=True)
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
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "time.sleep(0.3); sys.exit(1 if os.environ['RANK'] == '0' else 0)\n",
    )
    assert run("--nproc-per-node", 2, script).returncode == 1
    assert left_over() == []


def test_run_starts_a_module_and_a_program_that_is_not_python(tmp_path):
    module = run("--nproc-per-node", 1, "-m", "this")
    assert "Beautiful is better than ugly." in module.stdout
    echo = run("--nproc-per-node", 2, "--no-python", "echo", "a")
    assert echo.stdout.split() == ["a", "a"]
