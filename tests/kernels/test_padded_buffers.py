"""How compiled convolutions see images."""

import numpy as np

from edutorch.kernels import padded_buffers


def test_room_holds_padding_and_sorts_columns_by_their_rest():
    params = padded_buffers.conv_geometry((2, 3), (1, 2), (1, 1))
    space = padded_buffers.padded_buffer(params, (4, 1, 7), 6, np.float64)
    assert space.shape == (2, 1, 3, 3, 1, 4)
    assert not space.any()


def test_arrays_of_other_libraries_and_empty_ones_are_not_served():
    x = np.zeros((1, 2, 3))
    assert padded_buffers.is_supported(x, (1, 2, 2), (2,))
    assert not padded_buffers.is_supported(x[:0], (1, 2, 2), (2,))
    assert not padded_buffers.is_supported(x, (0, 2, 2), (2,))
    assert not padded_buffers.is_supported(x.tolist(), (1, 2, 2), (2,))
