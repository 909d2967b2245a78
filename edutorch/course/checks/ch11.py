"""Chapter 11: recurrent networks and sequences of any length."""

from __future__ import annotations

from edutorch.course.exercise import Exercise

from .ch11_cells import gradient_of_w, rnn
from .ch11_lengths import pack, reduce_valid
from .ch11_lstm import lstm_step
from .ch11_sampling import pick

__all__ = ["EXERCISES"]

EXERCISES = (
    Exercise(
        "11.1",
        "a recurrent cell over a sequence",
        1,
        (
            "`for step in x` gives the batch of each step in turn, (N, I).",
            "Compute h from itself: h = torch.tanh(... + h @ w_h.T ...), and keep it.",
            "states.append(h) after each step; torch.stack(states) at the end.",
        ),
        rnn,
    ),
    Exercise(
        "11.2",
        "back-propagation through time",
        2,
        (
            (
                "Begin at the end. A state matters for its own output, and for the "
                "next step."
            ),
            (
                "inside = (g[t] + back) * (1 - states[t + 1] ** 2) is the "
                "gradient of the argument of tanh. `back` comes from step t + 1; "
                "it is 0 at first."
            ),
            "Add inside.T @ states[t] to the sum; then back = inside @ w_h.",
        ),
        gradient_of_w,
    ),
    Exercise(
        "11.3",
        "a step of an LSTM",
        2,
        (
            "All four sums are one matrix product, (N, 4H), cut into quarters.",
            "i, f, g, o = (x @ w_x.T + h @ w_h.T + b).chunk(4, dim=1).",
            (
                "c = f.sigmoid() * c + i.sigmoid() * g.tanh(), and then "
                "h = o.sigmoid() * c.tanh()."
            ),
        ),
        lstm_step,
    ),
    Exercise(
        "11.4",
        "pack by hand",
        2,
        (
            "With lengths 5, 2 and 1: which sequences are still there at step 1?",
            (
                "A sequence has a step t if it is longer than t. Longest first: these "
                "are the first ones of the batch."
            ),
            "sum(n > t for n in lengths), for each t; then torch.cat of padded[t, :n].",
        ),
        pack,
    ),
    Exercise(
        "11.5",
        "reduce without the padding",
        2,
        (
            "If sequence i has length n, its last output is outputs[n - 1, i].",
            (
                "F.cross_entropy(..., reduction='none') gives a loss for every step. "
                "Step t is valid where t < length."
            ),
            (
                "valid = torch.arange(T).unsqueeze(1) < torch.tensor(lengths) is "
                "(T, N); losses.reshape(T, N)[valid].mean()."
            ),
        ),
        reduce_valid,
    ),
    Exercise(
        "11.6",
        "sample with a temperature",
        1,
        (
            "Lay the shares side by side from 0 to 1: which of them contains u?",
            (
                "(scores / temperature).softmax(dim=0).cumsum(dim=0) gives their "
                "right ends."
            ),
            (
                "(ends <= u).sum().item() is how many end before u; for temperature 0 "
                "it is scores.argmax().item()."
            ),
        ),
        pick,
    ),
)
