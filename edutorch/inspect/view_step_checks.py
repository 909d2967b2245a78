"""Consistency checks of a Stepper's data, which may be forged."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["check_steps"]

MOST_TERMS = 100_000  # of one sum of products


def check_steps(data: dict[str, Any]) -> None:
    """Raise if an index is out of range or a spec does not fit its operands.

    Raises:
        ValueError: names what does not fit.
    """
    for value in data["values"]:
        _check_value(value)
    for k, call in enumerate(data["calls"]):
        _within("calls.parent", call["parent"], k)
    for moment in data["moments"]:
        _check_places(data, moment)
        if moment["kind"] in ("bwd", "leaf") and not moment["outs"]:
            raise ValueError("stepper.moments: a gradient that never arrived")
        if moment["recipe"]:
            _check_recipe(data, moment)
        for edge in moment["edges"]:
            if edge["form"] == "product":
                values = [moment["outs"][0]["v"], edge["local"]]
                _check_spec(data, edge["spec"], values, edge["v"])
        if moment["kind"] == "optim" and len(moment["ins"]) != len(moment["outs"]):
            raise ValueError("stepper.moments: an update of other parameters")


def _check_value(value: dict[str, Any]) -> None:
    rows_and_columns = value["shown"] + value["steps"]
    if len(value["shown"]) != 2 or len(value["steps"]) != 2:
        raise ValueError("stepper.values: not two dimensions")
    if min(rows_and_columns + value["shape"]) < 0 or min(value["steps"]) < 1:
        raise ValueError("stepper.values: a negative size")
    if math.prod(value["shown"]) != len(value["cells"]):
        raise ValueError("stepper.values: cells that are not there")


def _check_places(data: dict[str, Any], moment: dict[str, Any]) -> None:
    """Check all indices of one moment."""
    values, moments = len(data["values"]), len(data["moments"])
    for part in (*moment["ins"], *moment["outs"], *moment["parts"], *moment["edges"]):
        _within("v", part["v"], values)
        _within("moment", part.get("from", part.get("to", -1)), moments)
    for place in (*moment["read"], moment["after"]):
        _within("v", place, values)
    for place in (*moment["back"], *moment["users"], moment["of"]):
        _within("moment", place, moments)
    _within("call", moment["call"], len(data["calls"]))
    if moment["src"] is not None:
        if len(moment["src"]) != 2:
            raise ValueError("stepper.src: no file and line")
        _within("src", moment["src"][0], len(data["files"]))
    for edge in moment["edges"]:
        _within("local", edge["local"], values)
    for part in (moment, *moment["ins"]):  # older files lack it
        if type(part.get("leaf", -1)) is not int:
            raise ValueError("stepper.leaf: no number")


def _within(what: str, place: int, count: int) -> None:
    if not -1 <= place < count:
        raise ValueError(f"stepper.{what}: {place} is not there")


def _check_recipe(data: dict[str, Any], moment: dict[str, Any]) -> None:
    recipe = moment["recipe"]
    operands = recipe["spec"].partition("->")[0].split(",")
    if len(moment["outs"]) != 1 or len(operands) > len(moment["ins"]):
        raise ValueError("stepper.recipe: no such operands")
    if not -1 <= recipe["plus"] < len(operands) or recipe["over"] < 1:
        raise ValueError("stepper.recipe: no such term")
    places = [recipe["plug"].count(f"{{{k}}}") for k in range(len(operands))]
    if recipe["plug"] and set(places) != {1}:
        raise ValueError("stepper.recipe: no place for an operand")
    values = [given["v"] for given in moment["ins"][: len(operands)]]
    _check_spec(data, recipe["spec"], values, moment["outs"][0]["v"])
    right = recipe["spec"].partition("->")[2]
    alone = range(len(operands)) if recipe["plug"] else [recipe["plus"]]
    for k in alone:  # one element of these is used for each element of the result
        if k >= 0 and values[k] >= 0:
            pairs = zip(operands[k], data["values"][values[k]]["shape"], strict=True)
            if any(n != 1 and name not in right for name, n in pairs):
                raise ValueError("stepper.recipe: several elements of an operand")


def _check_spec(data: dict[str, Any], spec: str, values: list[int], out: int) -> None:
    """Check the letters of each operand, and the number of products in a sum."""
    left, _, right = spec.partition("->")
    letters = left.split(",")
    if len(letters) != len(values):
        raise ValueError(f"stepper.spec: {spec!r} is of other operands")
    known = [
        (n, data["values"][p]) for n, p in zip(letters, values, strict=True) if p >= 0
    ]
    result = [(right, data["values"][out])] if out >= 0 else []
    sizes: dict[str, int] = {}
    for names, value in known + result:
        if len(value["shape"]) != len(names):
            raise ValueError(f"stepper.spec: {spec!r} is of other shapes")
        for name, n in zip(names, value["shape"], strict=True):
            if 1 != n != sizes.get(name, n):
                raise ValueError(f"stepper.spec: {spec!r} is of other sizes")
            sizes[name] = max(n, sizes.get(name, 0))
    terms = math.prod(n for name, n in sizes.items() if name not in right)
    whole = all(math.prod(v["shape"]) == len(v["cells"]) for _, v in known)
    if whole and terms > MOST_TERMS:
        raise ValueError(f"stepper.spec: {spec!r} has too many terms")
