"""Checks of texts, with PyTorch's answers and messages."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def checks(torch):
    new = torch.testing.FileCheck
    text = "one two\nthree\nfour four\n"
    runs = [
        new().check("one").check("three"), new().check("three").check("one"),
        new().check("one").check_not("two").check("three"),
        new().check("two").check_next("three"), new().check("one").check_next("four"),
        new().check("one").check_same("two"), new().check("one").check_same("three"),
        new().check_count("four", 2), new().check_count("four", 3),
        new().check_count("four", 1, exactly=True), new().check_not("five"),
        new().check_dag("three").check_dag("one"), new().check_regex("f.ur"),
        new().check_regex("x+"), new().check_not("one"), new().check_dag("nothing"),
    ]  # fmt: skip
    return [attempt(lambda run=run: run.run(text)) for run in runs]


@programs.add
def comments(torch):
    new = torch.testing.FileCheck
    return [
        attempt(lambda: new().run("# CHECK: foo\n# CHECK-NEXT: bar\n", "foo\nbar")),
        attempt(lambda: new().run("# CHECK: foo\n# CHECK-NOT: bar\n", "foo\nbar")),
        attempt(lambda: new().run("# CHECK-COUNT-2: foo\n", "foo")),
    ]


programs.test()
