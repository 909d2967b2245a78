"""Options of the launcher: torchrun's, in both spellings."""

from __future__ import annotations

from signal import SIGHUP, SIGQUIT, SIGTERM, SIGUSR1

import pytest

from edutorch.distributed.launcher.options import parse_options, processes_per_node


@pytest.mark.parametrize("spelling", ["--nproc-per-node", "--nproc_per_node"])
def test_options_are_read_with_dashes_and_underscores(spelling):
    options = parse_options([spelling, "4", "--max-restarts=3", "train.py", "-r", "x"])
    assert (options.nproc_per_node, options.max_restarts) == ("4", 3)
    assert (options.script, options.script_args) == ("train.py", ["-r", "x"])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--nnodes=1:4", "a.py"], "the number of machines is fixed"),
        (["--nnodes=2", "a.py"], "several machines need --master-addr"),
        (
            ["--nnodes=2", "--node-rank=2", "--master-port=1", "a.py"],
            "--node-rank 2 of 2",
        ),
        (["--rdzv-backend=etcd", "a.py"], "known are static and c10d"),
        (["--tee=4", "a.py"], "--tee 4: expected a number from 0 to 3"),
        (["--redirects=x", "a.py"], "--redirects invalid literal"),
        (["--local-ranks-filter=a", "a.py"], "expected numbers, such as 0,2"),
        (["--signals-to-handle=SIGFOO", "a.py"], "expected names of signals"),
        (["--signals-to-handle=SIGKILL", "a.py"], "signals that can be handled"),
        (["--shutdown-timeout=-1", "a.py"], "--shutdown-timeout -1 is negative"),
        (["--run-path", "-m", "a.py"], "--run-path and --module: choose one"),
        ([], "script"),
    ],
)
def test_options_that_make_no_sense_are_refused(capsys, arguments, text):
    with pytest.raises(SystemExit):
        parse_options(arguments)
    assert text in capsys.readouterr().err


def test_signals_and_shutdown_have_defaults(monkeypatch):
    options = parse_options(["a.py"])
    assert options.signals_to_handle == [SIGTERM, SIGHUP, SIGQUIT]
    assert options.shutdown_timeout == 3
    monkeypatch.setenv("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "7")
    options = parse_options(["--signals-to-handle", "SIGTERM, SIGUSR1", "a.py"])
    assert options.signals_to_handle == [SIGTERM, SIGUSR1]
    assert options.shutdown_timeout == 7


def test_processes_are_counted_by_gpus_or_cores(capsys):
    assert processes_per_node("3", gpus=0) == 3
    assert processes_per_node("auto", gpus=2) == processes_per_node("gpu", gpus=2) == 2
    assert processes_per_node("cpu", gpus=2) == processes_per_node("auto", gpus=0)
    with pytest.raises(SystemExit):
        processes_per_node("gpu", gpus=0)
    assert "no process to start" in capsys.readouterr().err
