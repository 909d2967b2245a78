"""Chapter 17: GPU and memory."""

from __future__ import annotations

from edutorch.course.exercise import Exercise

from .ch17_accumulation import accumulate
from .ch17_blocks import block_sum
from .ch17_bytes import best_fit, step_peak
from .ch17_leak import mean_and_worst
from .ch17_program import program_bytes
from .ch17_recompute import recompute
from .ch17_transfers import train_on

__all__ = ["EXERCISES"]

EXERCISES = (
    Exercise(
        "17.1",
        "the peak of a training step",
        2,
        (
            "Keep two numbers: the bytes held now, and the most held so far.",
            (
                "Begin after the forward pass: all weights, all outputs, and the "
                "gradient of the last output. Then one layer after the other, "
                "for i in reversed(range(len(weights)))."
            ),
            (
                "In each layer: held += weights[i], and outputs[i - 1] if i > 0; "
                "peak = max(peak, held); held -= 2 * outputs[i]."
            ),
        ),
        step_peak,
    ),
    Exercise(
        "17.2",
        "the best fitting block",
        1,
        (
            "First round: how many times 512 bytes does it take?",
            (
                "(nbytes + 511) // 512 * 512 rounds up. Then go through the blocks, "
                "and keep the index of the smallest that is large enough."
            ),
            (
                "best = -1; for i, block in enumerate(free): if block >= size and "
                "(best < 0 or block < free[best]): best = i."
            ),
        ),
        best_fit,
    ),
    Exercise(
        "17.3",
        "a leak",
        1,
        (
            "What of each loss do you need once the next one has come?",
            "loss.item() is a number: it holds no graph. Compare and add these.",
            (
                "largest = -inf; for i, loss in enumerate(losses): value = "
                "loss.item(); total += value; count += 1; if value > largest: "
                "worst, largest = i, value."
            ),
        ),
        mean_and_worst,
    ),
    Exercise(
        "17.4",
        "recomputing",
        2,
        (
            (
                "A Function (chapter 3) records nothing in its forward. What must ctx "
                "hold, so that backward can run the block again?"
            ),
            (
                "forward(ctx, block, x) saves x and the block, and returns block(x). "
                "backward makes an x of its own, x.detach().requires_grad_(), and "
                "runs the block within torch.enable_grad()."
            ),
            (
                "with torch.enable_grad(): y = ctx.block(x); then y.backward(g), "
                "which also fills the weights' gradients; return None, x.grad."
            ),
        ),
        recompute,
    ),
    Exercise(
        "17.5",
        "training with the fewest copies",
        2,
        (
            "What is the same in all steps? Move that to the device before the loop.",
            (
                "The losses stay on the device: collect loss.detach() in a list. One "
                "copy brings all of them back."
            ),
            (
                "model.to(device); x, y = x.to(device), y.to(device); the loop; "
                "return torch.stack(losses).cpu()."
            ),
        ),
        train_on,
    ),
    Exercise(
        "17.6",
        "sums of blocks",
        2,
        (
            "Each thread loads one number into shared memory. When may others read it?",
            (
                "After a yield. half = thread.size // 2; then thread k < half adds "
                "the number of thread k + half to its own; yield; half //= 2; until "
                "half is 0."
            ),
            (
                "The yield is in the loop, but outside the if: all threads must "
                "reach it. Thread 0 writes out[thread.block] at the end."
            ),
        ),
        block_sum,
    ),
    Exercise(
        "17.7",
        "what a program allocates",
        1,
        (
            "What must you remember about each name, so that you can free it later?",
            (
                "A dictionary from names to rounded sizes, the bytes held now, and the "
                "most held so far. Which comes first: the new tensor or the free?"
            ),
            (
                "old = sizes.pop(name, 0); if nbytes is not None: sizes[name] = "
                "(nbytes + 511) // 512 * 512; held += sizes[name]; peak = max(peak, "
                "held); and last, held -= old."
            ),
        ),
        program_bytes,
    ),
    Exercise(
        "17.8",
        "a batch in pieces",
        2,
        (
            (
                "How many rows fit at once? And what does a second backward do with "
                "the gradients that are there?"
            ),
            (
                "Gradients add up. How much of the mean over all rows is the mean over "
                "one piece? The last piece may be shorter."
            ),
            (
                "size = limit // row_bytes; for each piece: loss = F.cross_entropy("
                "model(part), y[i : i + size]) * len(part) / len(x); loss.backward(); "
                "total += loss.item()."
            ),
        ),
        accumulate,
    ),
)
