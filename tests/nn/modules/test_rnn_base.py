"""What recurrent layers share."""

from __future__ import annotations

from tests.nn.modules.layers import numbers
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters_are_named_by_layer_and_direction(torch):
    m = torch.nn.LSTM(2, 4, 2, bidirectional=True, proj_size=3)
    m.flatten_parameters()
    return list(m.state_dict()), [[list(w.shape) for w in ws] for ws in m.all_weights]


@programs.add
def states_have_the_expected_shape(torch):
    m = torch.nn.LSTM(2, 4, proj_size=3, batch_first=True)
    x = numbers(torch, 5, 3, 2)
    sizes = torch.tensor([2, 1])
    return [
        m.get_expected_hidden_size(x, None),
        m.get_expected_cell_size(x[0], sizes),
        attempt(lambda: m.check_input(x, sizes)),
        attempt(lambda: m.check_hidden_size(x, (1, 2, 3))),
    ]


@programs.add
def hidden_states_are_reordered(torch):
    m, h = torch.nn.GRU(2, 3), numbers(torch, 1, 3, 3)
    order = torch.tensor([2, 0, 1])
    return [m.permute_hidden(h, order), m.permute_hidden(h, None) is h]


@programs.add
def modes_are_known_by_name(torch):
    made = [repr(torch.nn.RNNBase("GRU", 2, 3, 2, dropout=0.5, bias=False))]
    return [*made, attempt(lambda: torch.nn.RNNBase("X", 2, 3))]


@programs.add
def states_of_another_dtype_are_refused(torch):
    x, h = numbers(torch, 4, 2, 3), numbers(torch, 1, 2, 5).double()
    gru, rnn = torch.nn.GRU(3, 5), torch.nn.RNN(3, 5)
    return [attempt(lambda: gru(x, h)), attempt(lambda: rnn(x, h))]


@programs.add
def inputs_of_another_dtype_than_the_weights_are_cast_by_autocast(torch):
    found, x = [], numbers(torch, 2, 1, 3).bfloat16()
    for layer in (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN):
        m = layer(3, 2)
        with torch.no_grad():
            for w in m.parameters():
                w.copy_(numbers(torch, *w.shape))
        with torch.autocast("cpu"):
            y = m(x)[0]
            z = m(x.float())[0]
        (y.sum() + z.sum()).backward()
        found += [y.dtype, z, m.weight_ih_l0.grad.dtype, attempt(lambda m=m: m(x))]
    return found


test_rnn_base = programs.test()
