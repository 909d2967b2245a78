"""Convolution layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.Conv1d(2, 3, 3)", (2, 2, 6)),
    (
        "nn.Conv1d(2, 4, 2, stride=2, padding=1, dilation=2, groups=2, bias=False)",
        (2, 2, 6),
    ),
    ("nn.Conv2d(2, 3, 3, padding=1)", (2, 2, 4, 5)),
    ('nn.Conv2d(2, 3, (3, 1), padding="same", padding_mode="circular")', (1, 2, 4, 4)),
    ('nn.Conv2d(2, 2, 3, padding=(1, 2), padding_mode="reflect")', (1, 2, 4, 4)),
    ('nn.Conv2d(2, 2, 3, padding=1, padding_mode="replicate")', (2, 4, 4)),
    ('nn.Conv2d(1, 2, 2, padding="valid")', (1, 1, 3, 3)),
    ('nn.Conv2d(1, 2, 2, padding="same")', (1, 1, 3, 3)),
    ("nn.Conv3d(1, 2, 2)", (1, 1, 3, 3, 3)),
    ("nn.ConvTranspose1d(2, 3, 3, stride=2, output_padding=1)", (2, 2, 4)),
    (
        "nn.ConvTranspose2d(2, 4, 3, stride=2, padding=1, groups=2, dilation=2)",
        (1, 2, 3, 3),
    ),
    ("nn.ConvTranspose3d(1, 2, 2, bias=False)", (1, 1, 2, 2, 2)),
)
REFUSED = (
    ("nn.Conv2d(3, 2, 3, groups=2)",),
    ("nn.Conv2d(2, 3, 3, groups=2)",),
    ("nn.Conv2d(2, 3, 3, groups=0)",),
    ('nn.Conv2d(1, 1, 3, padding="same", stride=2)',),
    ('nn.ConvTranspose2d(1, 1, 3, padding_mode="reflect")',),
    ("nn.Conv2d(1, 1, 3)", (1, 2, 4, 4)),
    ("nn.Conv2d(1, 1, 3)", (4, 4)),
    ("nn.Conv2d(1, 1, 5)", (1, 1, 4, 4)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def programs_convolve_with_a_weight_of_their_own(torch):
    class Doubled(torch.nn.Conv2d):
        def forward(self, input):
            return self._conv_forward(input, 2 * self.weight, self.bias)

    torch.manual_seed(1)
    m = Doubled(1, 2, 2, padding=1, padding_mode="circular")
    plain = torch.nn.Conv1d(1, 1, 4, padding="same")
    return [
        m(torch.ones(1, 1, 3, 3)),
        m._reversed_padding_repeated_twice,
        plain._reversed_padding_repeated_twice,
        torch.nn.Conv2d(1, 1, 3, padding=(1, 2))._reversed_padding_repeated_twice,
    ]


test_conv = programs.test()
