"""Formulas with the numbers of one element, as in `step_numbers.ts`.

A value is a dict of `ValueEncoder.data`; an index has a number for each dimension.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from .format import number

__all__ = [
    "describe_backward", "describe_forward", "describe_join", "element", "plain",
    "terms", "whole",
]  # fmt: skip

SHOWN = 6  # terms of a sum that are written out
AT_ONCE = 3  # terms of a longer sum before the dots
Value = dict[str, Any]
Index = Sequence[int]


def plain(x: Any) -> str:
    """A number with at most four significant digits, or the name of a non-finite one.

    Example:
        >>> [plain(x) for x in (0.123456, 12, -1e-7, "nan", 100000.0)]
        ['0.1235', '12', '-1.000e-07', 'nan', '1.000e+05']
    """
    return x if isinstance(x, str) else number(x, 4)


def whole(data: dict[str, Any], place: int) -> Value | None:
    """A value of which all elements were sent; None for any other.

    Example:
        >>> whole({"values": [{"shape": [2], "cells": [1]}]}, 0) is None
        True
    """
    if place < 0:
        return None
    value: Value = data["values"][place]
    return value if math.prod(value["shape"]) == len(value["cells"]) else None


def element(value: Value, index: Index) -> Any:
    """One element; a dimension of size 1 is broadcast.

    Example:
        >>> element({"shape": [2, 1], "cells": [5, 6]}, (1, 7))
        6
    """
    at = 0
    for n, i in zip(value["shape"], index, strict=True):
        at = at * n + (0 if n == 1 else i)
    return value["cells"][at]


def terms(
    letters: Sequence[str], values: Sequence[Value], out: str, index: Index
) -> list[list[Any]]:
    """The factors of each term of a sum of products.

    Args:
        letters: of each operand's dimensions.
        values: the operands.
        out: letters of the result, of which an element is requested.
        index: which.

    Example:
        >>> row = {"shape": [2], "cells": [3, 4]}
        >>> terms(["a", "a"], [row, row], "", ())
        [[3, 3], [4, 4]]
    """
    fixed = dict(zip(out, index, strict=True))
    sizes: dict[str, int] = {}
    for names, value in zip(letters, values, strict=True):
        for name, n in zip(names, value["shape"], strict=True):
            if name not in fixed:
                sizes[name] = max(n, sizes.get(name, 0))
    found = []
    for place in itertools.product(*(range(n) for n in sizes.values())):
        at = fixed | dict(zip(sizes, place, strict=True))
        found.append(
            [
                element(value, [at[name] for name in names])
                for names, value in zip(letters, values, strict=True)
            ]
        )
    return found


def describe_forward(data: dict[str, Any], moment: dict[str, Any], index: Index) -> str:
    """How one element of a result was computed; "" if that is unknown.

    Example:
        >>> one = {"shape": [], "cells": [2]}
        >>> recipe = {"plug": "{0} · {1}", "spec": ",->", "plus": -1, "over": 1}
        >>> mul = {"recipe": recipe, "ins": [{"v": 0}, {"v": 0}], "outs": [{"v": 1}]}
        >>> describe_forward({"values": [one, one | {"cells": [4]}]}, mul, ())
        '2 · 2 = 4'
    """
    recipe = moment["recipe"]
    if recipe is None:
        return ""
    left, out = recipe["spec"].split("->")
    letters = left.split(",")
    places = [given["v"] for given in moment["ins"][: len(letters)]]
    values = [v for place in places if (v := whole(data, place)) is not None]
    result = whole(data, moment["outs"][0]["v"])
    if len(values) < len(letters) or result is None:
        return ""
    if recipe["plug"]:
        (numbers,) = terms(letters, values, out, index)
        words = _substitute(recipe["plug"], numbers)
    else:
        words = _sum(letters, values, out, index, recipe)
    return f"{words} = {plain(element(result, index))}"


def _sum(
    letters: list[str], values: Any, out: str, index: Index, recipe: dict[str, Any]
) -> str:
    plus = recipe["plus"]
    factors = [k for k in range(len(letters)) if k != plus]
    products = terms(
        [letters[k] for k in factors], [values[k] for k in factors], out, index
    )
    words = added([_product(p) for p in products])
    if plus >= 0:
        ((bias,),) = terms([letters[plus]], [values[plus]], out, index)
        words += f" + {_within(bias)}"
    return words if recipe["over"] == 1 else f"({words}) / {recipe['over']}"


def describe_backward(
    data: dict[str, Any], moment: dict[str, Any], edge: dict[str, Any], index: Index
) -> str:
    """Incoming · local = outgoing for one element; "" if that is unknown.

    Example:
        >>> values = [{"shape": [], "cells": [n]} for n in (2, 3, 6)]
        >>> edge = {"form": "product", "spec": ",->", "local": 1, "v": 2}
        >>> describe_backward({"values": values}, {"outs": [{"v": 0}]}, edge, ())
        '2 · 3 = 6'
    """
    incoming, sent = whole(data, moment["outs"][0]["v"]), whole(data, edge["v"])
    if incoming is None or sent is None:
        return ""
    result = plain(element(sent, index))
    if edge["form"] == "reshape":
        return f"{result}, in another shape"
    if edge["form"] != "product":
        return ""
    left, out = edge["spec"].split("->")
    letters, values = left.split(","), [incoming]
    local = whole(data, edge["local"])
    if local is not None:
        values.append(local)
    elif edge["local"] >= 0:
        return ""
    products = terms(letters[: len(values)], values, out, index)
    one = " · 1" if local is None and len(products) == 1 else ""
    return f"{added([_product(p) for p in products])}{one} = {result}"


def describe_join(data: dict[str, Any], moment: dict[str, Any], index: Index) -> str:
    """The sum of the gradients that join here, for one element; "" for a single one.

    Example:
        >>> values = [{"shape": [], "cells": [n]} for n in (2, 3, 5)]
        >>> node = {"parts": [{"v": 0}, {"v": 1}], "outs": [{"v": 2}]}
        >>> describe_join({"values": values}, node, ())
        '2 + 3 = 5'
    """
    ways = [whole(data, part["v"]) for part in moment["parts"]]
    parts = [way for way in ways if way is not None]
    result = whole(data, moment["outs"][0]["v"])
    several = len(ways) > 1 and len(moment["outs"]) == 1
    if not several or result is None or len(parts) < len(ways):
        return ""
    words = [plain(element(part, index)) for part in parts]
    return f"{added(words)} = {plain(element(result, index))}"


def added(words: list[str]) -> str:
    """Terms joined by plus signs; the middle of a long sum is abbreviated.

    Example:
        >>> added([str(n) for n in range(9)])
        '0 + 1 + 2 + … + 8 (9 terms)'
    """
    signed = [w if k == 0 else _after_sign(w) for k, w in enumerate(words)]
    if len(words) <= SHOWN:
        return " + ".join(signed) or "0"
    shown = [*signed[:AT_ONCE], "…", signed[-1]]
    return f"{' + '.join(shown)} ({len(words)} terms)"


def _after_sign(words: str) -> str:
    """A term, with parentheses if its first number is negative."""
    number, space, rest = words.partition(" ")
    return f"({number}){space}{rest}" if words.startswith("-") else words


def _product(numbers: list[Any]) -> str:
    return " · ".join(plain(x) if k == 0 else _within(x) for k, x in enumerate(numbers))


def _within(x: Any) -> str:
    """A number after an operator, with parentheses if it is negative."""
    text = plain(x)
    return f"({text})" if text.startswith("-") else text


def _substitute(template: str, numbers: list[Any]) -> str:
    """Substitute numbers into a template; negative ones get parentheses if needed."""
    words = template
    for k, x in enumerate(numbers):
        place = f"{{{k}}}"
        at = template.index(place)
        alone = at == 0 or template[at - 1] in "(|"
        words = words.replace(place, plain(x) if alone else _within(x))
    return words
