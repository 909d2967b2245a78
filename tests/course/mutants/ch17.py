"""Chapter 17: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

WHOLE = "x - x.mean(dim=1, keepdim=True)"


def answers(name):
    """Answers to the exercise that every new chapter begins with."""
    head = f"def {name}(x):\n"
    return (
        edit(WHOLE, "x - x.mean(dim=0)", told="mean of each column"),
        edit(WHOLE, "x - x.mean(dim=0, keepdim=True)", told="mean of each column"),
        edit(WHOLE, "x - x.mean()", told="one mean of all numbers"),
        edit(WHOLE, "x.mean(dim=1)", told="only the mean"),
        edit(WHOLE, "x.mean(dim=1, keepdim=True)", told="only the mean"),
        edit(WHOLE, "x - x.sum(dim=1, keepdim=True)", told="that is the sum"),
        edit(WHOLE, "x.mean(dim=1, keepdim=True) - x", told="sign is turned"),
        edit(WHOLE, "x + x.mean(dim=1, keepdim=True)", told="mean is added"),
        edit(WHOLE, "x / x.mean(dim=1, keepdim=True)", told="a divisor"),
        edit(WHOLE, "x.clone()", told="nothing is subtracted"),
        edit(WHOLE, "x - x.amax(dim=1, keepdim=True)", told="the largest number"),
        edit(WHOLE, "x - x[:, :1]", told="the first number"),
        edit(WHOLE, "x - x.mean(dim=1)", told="raised RuntimeError"),
        edit(WHOLE, f"({WHOLE}).detach().numpy()", told="they are no tensor"),
        edit(WHOLE, f"({WHOLE}).double()", told="dtype is not"),
        edit("return ", "", told="is a return missing"),
        wrong(
            head + "    x -= x.mean(dim=1, keepdim=True)\n    return x\n",
            told="changed in place",
        ),
        wrong(head + f"    while True:\n        y = {WHOLE}\n", told="did not end"),
        right(head + "    return x - x.mean(1).unsqueeze(1)\n"),
        right(head + "    return (x.T - x.mean(1)).T\n"),
        right(head + "    return x - x.sum(1, keepdim=True) / x.shape[1]\n"),
        right(head + "    y = x.clone()\n    y -= x.mean(1)[:, None]\n    return y\n"),
        right(head + "    return x.sub(x.mean(dim=-1, keepdim=True))\n"),
    )


ANSWERS = {
    "17.1": answers("step_peak"),
    "17.2": answers("best_fit"),
    "17.3": answers("epoch_losses"),
    "17.4": answers("recompute"),
    "17.5": answers("train_on"),
}
