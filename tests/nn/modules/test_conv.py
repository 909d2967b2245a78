"""Convolution layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs, attempt

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
        torch.nn.Conv2d(2, 4, (3,))._reversed_padding_repeated_twice,
        torch.nn.ConvTranspose1d(
            2, 4, 3, padding="abc"
        )._reversed_padding_repeated_twice,
    ]


@programs.add
def sizes_of_transposed_results_are_checked(torch):
    nn = torch.nn
    plane = nn.ConvTranspose2d(2, 3, 3, stride=2, padding=(1, 0), dilation=2)
    x = torch.ones(1, 2, 4, 4)
    sizes = (10, 12), [9, 11], (1, 3, 10, 12), (20, 10), (10,), (10, 10, 10)
    found = [attempt(lambda s=s: list(plane(x, output_size=s).shape)) for s in sizes]
    single = attempt(lambda: list(plane(x[0], output_size=(3, 10, 12)).shape))
    line = nn.ConvTranspose1d(2, 3, 3, stride=2)
    return [found, single, attempt(lambda: line(torch.ones(2, 2, 4), (20,)))]


@programs.add
def other_layers_ask_for_the_padding_of_results(torch):
    layer = torch.nn.ConvTranspose2d(2, 3, 3, stride=2)
    settings = layer.stride, layer.padding, layer.kernel_size, 2
    return list(layer._output_padding(torch.ones(1, 2, 4, 4), [9, 10], *settings))


@programs.add
def layers_have_their_common_class(torch):
    modules = torch.nn.modules
    kinds = {
        "conv": ("_ConvNd", "Conv2d", "ConvTranspose1d"),
        "dropout": ("_DropoutNd", "Dropout", "AlphaDropout"),
        "batchnorm": ("_BatchNorm", "BatchNorm1d", "SyncBatchNorm"),
        "instancenorm": ("_InstanceNorm", "InstanceNorm2d"),
        "pooling": ("_AvgPoolNd", "AvgPool1d", "AvgPool3d"),
        "padding": ("_ReflectionPadNd", "ReflectionPad1d", "ReflectionPad3d"),
        "loss": ("_Loss", "MSELoss", "TripletMarginLoss"),
    }
    found = []
    for file, (base, *names) in kinds.items():
        module = getattr(modules, file)
        found += [issubclass(getattr(module, n), getattr(module, base)) for n in names]
    return found


test_conv = programs.test()
