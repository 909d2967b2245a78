from __future__ import annotations

import pytest

from edutorch.course.release import (
    STUB,
    cells_of,
    exercise_of,
    main,
    read,
    release,
    solve,
    write,
)

SOLUTION = """def f(x):
    \"\"\"Twice x.\"\"\"
    ### BEGIN SOLUTION
    y = x
    return y + x
    ### END SOLUTION


def g(x):
    ### BEGIN SOLUTION
    return x
    ### END SOLUTION"""

RELEASED = f"""def f(x):
    \"\"\"Twice x.\"\"\"
    {STUB}


def g(x):
    {STUB}"""


def cell(source, **marks):
    return {
        "cell_type": "code",
        "metadata": {"nbgrader": marks} if marks else {"execution": {"t": 1}},
        "source": source.splitlines(keepends=True),
        "outputs": [{"output_type": "stream"}],
        "execution_count": 3,
    }


def notebook(source):
    answer = cell(source, grade_id="answer-01-1", solution=True)
    text = {"cell_type": "markdown", "metadata": {}, "source": ["# T"]}
    return {"cells": [text, cell("x = 1"), answer], "metadata": {"widgets": {}}}


def test_release_puts_the_stub_in_place_of_each_solution():
    assert "".join(release(notebook(SOLUTION))["cells"][2]["source"]) == RELEASED


def test_release_takes_outputs_counts_times_and_widget_states():
    released = release(notebook(SOLUTION))
    assert released["metadata"] == {}
    assert released["cells"][1]["metadata"] == {}
    for code in released["cells"][1:]:
        assert (code["outputs"], code["execution_count"]) == ([], None)


def test_release_leaves_its_argument_and_can_be_repeated():
    before = notebook(SOLUTION)
    released = release(before)
    assert before == notebook(SOLUTION)
    assert release(released) == released


def test_release_of_an_answer_that_would_leak_refuses():
    with pytest.raises(ValueError, match="neither a marked solution nor the stub"):
        release(notebook("def f(x):\n    return 2 * x"))
    with pytest.raises(ValueError, match="no '### END SOLUTION' after"):
        release(notebook("### BEGIN SOLUTION\nx = 1"))


def test_solve_then_release_goes_round():
    empty = release(notebook(RELEASED))
    full = solve(empty, {"01.1": SOLUTION})
    assert "".join(full["cells"][2]["source"]) == SOLUTION
    assert release(full) == empty


def test_solve_without_a_solution_raises():
    with pytest.raises(KeyError, match=r"01\.1"):
        solve(notebook(RELEASED), {})


def test_cells_of_a_file_are_found_by_name():
    text = "# %% imports\nimport x\n\n\n# %% 01.1\ndef f():\n    pass\n"
    assert cells_of(text) == {"imports": "import x", "01.1": "def f():\n    pass"}


def test_exercise_of_other_cells_is_empty():
    assert exercise_of(cell("x")) == ""
    assert exercise_of(cell("x", grade_id="check-01-1", solution=False)) == ""
    assert exercise_of(cell("x", grade_id="answer-04-3", solution=True)) == "04.3"


def test_main_releases_in_place(tmp_path):
    path = tmp_path / "a.ipynb"
    write(path, notebook(SOLUTION))
    main([str(path)])
    assert read(path) == release(notebook(SOLUTION))
    assert path.read_text().endswith("}\n")


def test_main_with_solutions_makes_the_teachers_form(tmp_path):
    path, answers = tmp_path / "a.ipynb", tmp_path / "a.py"
    write(path, notebook(RELEASED))
    answers.write_text("# %% 01.1\n" + SOLUTION + "\n")
    (tmp_path / "source").mkdir()
    main([str(path), "--solutions", str(answers), "--to", str(tmp_path / "source")])
    made = read(tmp_path / "source" / "a.ipynb")
    assert "".join(made["cells"][2]["source"]) == SOLUTION
    assert read(path) == notebook(RELEASED)


def test_release_equals_what_nbgrader_makes():
    preprocessors = pytest.importorskip("nbgrader.preprocessors")
    nbformat = pytest.importorskip("nbformat")
    clear = preprocessors.ClearSolutions()
    clear.code_stub = {"python": STUB}
    node = nbformat.from_dict(notebook(SOLUTION))
    node.metadata["kernelspec"] = {"language": "python", "name": "python3"}
    node.cells[2].source = SOLUTION
    cleared, _ = clear.preprocess_cell(node.cells[2], {"language": "python"}, 2)
    assert cleared.source == RELEASED
