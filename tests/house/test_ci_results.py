"""Tests that ran again in continuous integration are counted once, and named."""

from __future__ import annotations

import pytest

from tests.house.source_tree import ROOT, script

BAD = '<failure message="assert 1 == 2"/>'


@pytest.fixture(scope="module")
def results():
    return script(".ci/results.py")


def write(path, **tests):
    cases = "".join(
        f'<testcase classname="tests.house.test_{name.split("__")[0]}" '
        f'name="test_{name}">{inside}</testcase>'
        for name, inside in tests.items()
    )
    path.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    return str(path)


def test_count_is_that_of_all_reports(results, tmp_path, capsys):
    paths = [
        write(tmp_path / "one.xml", docs="", maps="<skipped/>"),
        write(tmp_path / "two.xml", docs=""),  # run by another step
    ]
    assert results.count(paths) == 0
    assert capsys.readouterr().out == "tests: 2 passed, 0 failed, 1 skipped\n"


def test_second_result_counts_and_is_told(results, tmp_path, capsys):
    paths = [
        write(tmp_path / "one.xml", docs=BAD, docs__other="", maps=""),
        write(tmp_path / "one-again.xml", docs="", docs__other=""),
    ]
    assert results.count(paths) == 0
    assert capsys.readouterr().out.splitlines() == [
        "passed when it ran again: tests.house.test_docs::test_docs (one)",
        "tests: 3 passed, 0 failed, 0 skipped",
    ]


@pytest.mark.parametrize("again", [{}, {"docs": BAD}, {"docs__other": ""}])
def test_failure_that_did_not_pass_again_is_one(results, tmp_path, capsys, again):
    paths = [
        write(tmp_path / "one.xml", docs=BAD, docs__other=""),
        write(tmp_path / "one-again.xml", **again),
    ]
    assert results.count(paths) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "tests: 1 passed, 1 failed, 0 skipped"
    assert lines[0] == "failed: tests.house.test_docs::test_docs (one): assert 1 == 2"


def test_no_test_at_all_is_a_failure(results, tmp_path):
    assert results.count([str(tmp_path / "missing.xml")]) == 1


def test_failed_files_are_printed_if_they_are_few(
    results, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(ROOT)
    path = write(tmp_path / "one.xml", docs=BAD, docs__other=BAD, maps=BAD, public="")
    assert results.print_failed(path) == 0
    files = "tests/house/test_docs.py tests/house/test_maps.py\n"
    assert capsys.readouterr().out == files


@pytest.mark.parametrize(
    "names", [(), ("docs", "maps", "public", "stubs")], ids=["none", "many"]
)
def test_no_or_many_failed_files_do_not_run_again(
    results, tmp_path, capsys, monkeypatch, names
):
    monkeypatch.chdir(ROOT)
    path = write(tmp_path / "one.xml", imports="", **dict.fromkeys(names, BAD))
    assert results.print_failed(path) == 1
    assert capsys.readouterr().out == ""
