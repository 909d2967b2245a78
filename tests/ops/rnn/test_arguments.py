"""The arguments of recurrent layers, sorted by layer and direction."""

import pytest

import edutorch as torch
from edutorch.ops.rnn.arguments import parse_arguments

X, H = torch.ones(5, 2, 3), torch.zeros(2, 2, 4)
W = [torch.ones(4, 3), torch.ones(4, 4)] * 2


def test_parse_arguments_of_two_directions_gives_one_layer_of_two():
    call = parse_arguments(False, X, H, W, False, 1, 0.5, True, True, False)
    (layer,) = call.directions
    assert [reverse for _, _, reverse in layer] == [False, True]
    assert [state[0].shape for state, _, _ in layer] == [(2, 4), (2, 4)]
    assert call.rows.sizes == (2, 2, 2, 2, 2) and call.dropout == 0.5


def test_parse_arguments_outside_training_has_no_dropout():
    call = parse_arguments(False, X, H, W, False, 2, 0.5, False, False, True)
    assert call.dropout == 0 and call.batch_first
    assert len(call.directions) == 2 and call.rows.sizes == (5, 5)


def test_parse_arguments_of_packed_rows_takes_their_sizes():
    rows, sizes = torch.ones(3, 3), torch.tensor([2, 1])
    call = parse_arguments(False, rows, sizes, H[:1], W[:2], False, 1, 0.0, True, False)
    assert call.rows.sizes == (2, 1) and not call.batch_first


def test_parse_arguments_that_do_not_fit_are_refused():
    with pytest.raises(RuntimeError, match="two hidden states"):
        parse_arguments(True, X, H, W, False, 1, 0.0, True, False, False)
    with pytest.raises(RuntimeError, match="incorrect number of RNN parameters"):
        parse_arguments(False, X, H, W[:3], False, 1, 0.0, True, False, False)
    with pytest.raises(RuntimeError, match="more weights"):
        parse_arguments(False, X, H, W[:2], False, 2, 0.0, True, False, False)
    with pytest.raises(RuntimeError, match="more hidden states"):
        parse_arguments(False, X, H[:1], W, False, 2, 0.0, True, False, False)


def test_parse_arguments_on_two_devices_names_both():
    with pytest.raises(RuntimeError, match="input tensor at meta and hidden tensor at"):
        parse_arguments(False, X.to("meta"), H, W, False, 1, 0.0, True, True, False)
    with pytest.raises(RuntimeError, match="input tensor at cpu and parameter tensor"):
        weights = [w.to("meta") for w in W]
        parse_arguments(False, X, H, weights, False, 1, 0.0, True, True, False)


def test_bool_is_no_number_of_layers():
    h, w = torch.zeros(1, 2, 4), W[:2]
    with pytest.raises(
        TypeError, match=r"rnn_tanh\(\) received an invalid combination"
    ):
        torch.rnn_tanh(X, h, w, False, True, 0.0, False, False, False)
    assert torch.rnn_tanh(X, h, w, False, 1, 0.0, False, False, False)[0].ndim == 3
