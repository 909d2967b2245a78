"""Commands of `python -m edutorch`."""

from edutorch import __main__ as program


def test_main_of_an_unknown_command_lists_those_there_are(capsys):
    assert program.main(["fly"]) == 2
    assert "warmup" in capsys.readouterr().err


def test_warmup_names_what_it_compiled(monkeypatch, capsys):
    monkeypatch.setattr(program, "compile_all", lambda: ["softmax", "norm"])
    assert program.main(["warmup"]) == 0
    assert "softmax, norm" in capsys.readouterr().out


def test_warmup_without_numba_says_what_to_install(monkeypatch, capsys):
    def refuse():
        raise RuntimeError("pip install this")

    monkeypatch.setattr(program, "has_numba", lambda: False)
    monkeypatch.setattr(program, "compile_all", refuse)
    assert program.main(["warmup"]) == 1
    printed = capsys.readouterr()
    assert "pip install this" in printed.err
    assert printed.out == ""  # no promise that compiling has begun
