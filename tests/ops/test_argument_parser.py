"""PyTorch's comparison of arguments with the signatures of functions."""

import sys

import pytest

import edutorch as torch
from edutorch.ops.argument_parser import parse, signatures_of
from edutorch.ops.signatures import Call
from tests.ops.cases import refused

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


ROW = torch.ones(3)
PARSED = [
    (
        "expand",
        ["a"],
        {},
        "argument 'size' (position 1) must be tuple of ints, not str",
    ),
    ("expand", [2.5, 1], {}, "takes 1 positional argument but 2 were given"),
    (
        "expand",
        [2, "a"],
        {},
        "argument 'size' failed to unpack the object at pos 2 with",
    ),
    ("permute", [(0, 1), 3], {}, "takes 1 positional argument but 2 were given"),
    ("tril", [1, 2], {}, "takes from 0 to 1 positional arguments but 2 were given"),
    ("cumsum", [], {"axis": "a"}, "argument 'dim' must be int, not str"),
    ("cumsum", [], {}, 'missing 1 required positional arguments: "dim"'),
    ("cumsum", [0], {"foo": 1}, "got an unexpected keyword argument 'foo'"),
    ("cumsum", [0], {"dim": 1}, "got multiple values for argument 'dim'"),
    ("permute", [["a"]], {}, "must be tuple of ints, but found element of type str at"),
    ("lerp", [ROW, "a"], {}, "received an invalid combination of arguments - got (Ten"),
]


@pytest.mark.parametrize(("name", "args", "named", "words"), PARSED)
def test_parser_compares_from_left_to_right(name, args, named, words):
    assert words in parse(name, signatures_of(name, method=True), args, named)


def test_listed_signatures_are_those_of_pytorch():
    from tests.ops.write_signatures import FILE, table

    assert FILE.read_text() == table()


def test_parser_takes_what_a_signature_takes():
    for args in ([2, 3], [(2, 3)], [[torch.tensor(2), 3]]):
        assert parse("expand", signatures_of("expand", method=True), args, {}) == ""
    assert parse("mul", signatures_of("mul"), [2.5, ROW], {}) == ""
    assert parse("cat", signatures_of("cat"), [[ROW, 1]], {}) == (
        "expected Tensor as element 1 in argument 0, but got int"
    )


# What fails first here is another thing: a shape, an attribute, a value.
CALLS = """
torch.diagonal_scatter(True, a, 2, 0, 1); torch.histogram(a, 'a', density=True)
torch.masked_fill(a, a > 0, None); torch.cumsum(a, None)
torch.div(a, a, rounding_mode=1); torch.quantile(a, (1,)); F.gelu(a, approximate=None)
torch.addcmul(a, a, a, value=[]); torch.atleast_1d(3); torch.unique(a, return_counts=2)
F.softmin(a, 'a'); F.max_pool2d(img, 2, ceil_mode=3); F.group_norm(1, 2)
torch.slice_copy(a, 0, 1, (1,)); F.huber_loss(a, a, delta='a'); a.split(2, 'a')
torch.lu(a[:, :1], 2); torch.diff(a, 1, 0, 1); torch.diff(a, True); torch.fft.fft(a, n=True)
torch.scalar_tensor(1, dtype=0); torch.cov(a, correction=1.5); torch.linalg.vecdot(a, a, dim=())
F.avg_pool2d(img, 2, divisor_override=0.5); torch.searchsorted(a, a, side=1)
torch.triu_indices(3, 0, dtype=1.5); torch.nn.MaxPool2d(2.5)(img); F.relu('a')
"""


@pytest.mark.parametrize(
    "case", [c.strip() for c in CALLS.replace("\n", ";").split(";") if c.strip()]
)
def test_what_the_parser_finds_comes_before_any_other_failure(case):
    refused(__file__, case)


def test_an_argument_that_has_been_written_over_is_not_compared():
    def f(a, b):
        b = bytearray(b)
        return Call("f", function=f, frame=sys._getframe()).first_values()

    assert f(1, b"x")["a"] == 1


def test_given_arguments_are_those_that_differ_from_their_defaults():
    def f(a, b=2, c=3, *, d=None, e=1):
        return Call("f", function=f, frame=sys._getframe()).given()

    assert f(1, c=4, e=2) == ([1], {"c": 4, "e": 2})
    some = [1]
    assert f(*some, c=4, e=2) == ([1], {"c": 4, "e": 2})  # not read in the source
