"""Output of the processes of one machine."""

from __future__ import annotations

import pytest

from edutorch.distributed.launcher.options import parse_options
from edutorch.distributed.launcher.worker_output import WorkerOutput, parse_streams
from edutorch.distributed.launcher.workers import Workers
from tests.distributed.launching import environment, run

PRINT = 'echo "out $RANK"; echo "err $RANK" >&2'


def ended(folder, *arguments):
    """Two processes that have printed, and their files."""
    options = parse_options(
        ["--log-dir", str(folder), *arguments, "--no-python", "sh", "-c", PRINT]
    )
    workers = Workers([environment(RANK=str(i)) for i in range(2)], options, 0)
    while workers.running():
        workers.output.copy_lines()
    workers.terminate()
    files = sorted(folder.glob("none_*/attempt_0/*/*.log"))
    return {f"{f.parent.name}/{f.name}": f.read_text() for f in files}


@pytest.mark.parametrize(
    ("text", "streams"),
    [("0", {None: 0}), ("3", {None: 3}), ("0:1,2:3", {0: 1, 2: 3})],
)
def test_streams_are_given_for_all_or_for_each_process(text, streams):
    assert parse_streams(text) == streams


@pytest.mark.parametrize("text", ["4", "x", "0:1,2", ""])
def test_streams_that_do_not_exist_are_refused(text):
    with pytest.raises(ValueError, match=r"expected a number|invalid literal"):
        parse_streams(text)


def test_redirected_streams_are_in_files_alone(tmp_path, capfd):
    files = ended(tmp_path, "--redirects", "3")
    assert files == {
        "0/stdout.log": "out 0\n", "0/stderr.log": "err 0\n",
        "1/stdout.log": "out 1\n", "1/stderr.log": "err 1\n",
    }  # fmt: skip
    assert "out" not in capfd.readouterr().out


def test_streams_of_tee_are_also_on_the_console(tmp_path, capfd):
    files = ended(tmp_path, "--tee", "1:3", "--role", "trainer")
    assert files == {"1/stdout.log": "out 1\n", "1/stderr.log": "err 1\n"}
    printed = capfd.readouterr()
    assert sorted(printed.out.splitlines()) == ["[trainer1]:out 1", "out 0"]
    assert "[trainer1]:err 1" in printed.err.splitlines()


def test_console_shows_only_the_chosen_processes(tmp_path, capfd):
    ended(tmp_path, "--local-ranks-filter", "1")
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("out 1\n", "err 1\n")


def test_unfinished_line_is_printed_at_the_end(tmp_path, capsys):
    options = parse_options(["--tee", "1", "--log-dir", str(tmp_path), "a.py"])
    output = WorkerOutput(options, 0)
    file = output.streams(0)["stdout"]
    file.write(b"one\ntw")
    file.flush()
    output.copy_lines()
    assert capsys.readouterr().out == "[default0]:one\n"
    file.write(b"o")
    file.flush()
    output.close()
    assert capsys.readouterr().out == "[default0]:two\n"


def test_launcher_keeps_the_files_of_every_attempt(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\n"
        "attempt = os.environ['TORCHELASTIC_RESTART_COUNT']\n"
        "print('attempt', attempt)\n"
        "sys.exit(attempt == '0')\n"
    )
    done = run(
        "--tee", "3", "--log-dir", tmp_path / "logs", "--max-restarts", "1", script
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[default0]:attempt 0\n[default0]:attempt 1\n"
    files = sorted((tmp_path / "logs").glob("none_*/attempt_*/0/stdout.log"))
    assert [file.read_text() for file in files] == ["attempt 0\n", "attempt 1\n"]
