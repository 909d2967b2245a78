"""Functions of several signatures tell the types of what they were given."""

import sys

import pytest

import edutorch as torch
from edutorch.ops.overloads import overload_message
from edutorch.ops.signatures import Call

x = torch.ones(2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: torch.eq(1, 2), "eq() received * - got (int, int)"),
        (lambda: torch.pow(1.5, "a"), "pow() received * - got (float, str)"),
        (lambda: torch.xlogy(1, None), "xlogy() received * - got (int, NoneType)"),
        (
            lambda: torch.special.zeta(1, 2),
            "special_zeta() received * - got (int, int)",
        ),
        (
            lambda: torch.eq(x, x, out=3),
            "eq() received * - got (Tensor, Tensor, out=int)",
        ),
        (lambda: torch.hsplit(x, "a"), "hsplit() received * - got (Tensor, str)"),
        (lambda: torch.float_power(2, 3), "float_power() received * - got (int, int)"),
        # One signature takes so many arguments, so that it is to be blamed.
        (lambda: torch.mm(1, x), "mm(): argument 'input' (position 1) must be Tensor"),
    ],
)
def test_refusal_tells_all_types_where_several_signatures_take_as_many(call, words):
    with pytest.raises(TypeError) as caught:
        call()
    words = words.replace("*", "an invalid combination of arguments")
    assert str(caught.value).startswith(words)


def test_overload_message_of_a_function_with_one_signature_is_empty():
    assert overload_message(Call("relu")) == ""


def test_given_arguments_are_those_that_differ_from_their_defaults():
    def f(a, b=2, c=3, *, d=None, e=1):
        return Call("f", function=f, frame=sys._getframe()).given()

    assert f(1, c=4, e=2) == ([1], {"c": 4, "e": 2})
    some = [1]
    assert f(*some, c=4, e=2) == ([1], {"c": 4, "e": 2})  # not read in the source
