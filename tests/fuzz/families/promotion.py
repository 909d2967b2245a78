"""Results of two operands of any dtypes: tensors, 0-d and empty ones, Python numbers."""

from __future__ import annotations

import random

__all__ = ["program"]

DTYPES = """float16 bfloat16 float32 float64 complex64 complex128
int8 uint8 int16 int32 int64 bool""".split()  # noqa: SIM905 (a list of words)
SHAPES = ["", "0", "1", "3", "2, 3", "1, 3", "2, 1"]
OPERATORS = "+ - * / // % ** == != < <= > >= & | ^ << >>".split()  # noqa: SIM905
UPDATES = [o + "=" for o in "+ - * / // % ** & | ^ << >>".split()]  # noqa: SIM905
FUNCTIONS = """add sub mul div true_divide floor_divide remainder fmod pow float_power
maximum minimum fmax fmin atan2 hypot logaddexp logaddexp2 copysign nextafter heaviside
gcd lcm eq ne lt ge logical_and logical_xor bitwise_and bitwise_left_shift xlogy rsub
ldexp isclose dot inner outer matmul""".split()  # noqa: SIM905
NUMBERS = "0 1 -1 2 7 -3 300 0.0 1.0 -0.5 2.5 1e10 True False 1j (2-1j)".split()  # noqa: SIM905


def program(rng: random.Random) -> str:
    """A program of one function of two operands."""
    x, y = operand(rng), operand(rng, numbers=True)
    if rng.random() < 0.2:
        x, y = y, x
    lines = [f"x = {x}", f"y = {y}"]
    form = rng.random()
    if form < 0.4:
        lines.append(f"result = x {rng.choice(OPERATORS)} y")
    elif form < 0.55:
        lines += [f"x {rng.choice(UPDATES)} y", "result = x"]
    else:
        lines.append(f"result = {call(rng)}")
    return "\n".join(lines)


def call(rng: random.Random) -> str:
    """A call of a function, now and then with what few programs use."""
    form = rng.random()
    if form < 0.1:
        alpha = rng.choice(["2", "-1", "0.5", "True", "2.0"])
        return f"torch.{rng.choice(['add', 'sub', 'rsub'])}(x, y, alpha={alpha})"
    if form < 0.2:
        mode = rng.choice(["'floor'", "'trunc'", "None"])
        return f"torch.div(x, y, rounding_mode={mode})"
    if form < 0.3:
        return f"torch.where(torch.tensor({rng.choice(['True', 'False'])}), x, y)"
    if form < 0.4:
        return "torch.result_type(x, y)"
    if form < 0.5:
        return f"torch.{rng.choice(['cat', 'stack', 'hstack'])}([x, y])"
    return f"torch.{rng.choice(FUNCTIONS)}(x, y)"


def operand(rng: random.Random, *, numbers: bool = False) -> str:
    """A tensor with small values, or a number."""
    if numbers and rng.random() < 0.3:
        number = rng.choice(NUMBERS)
        kind = rng.choice(["", "", "np.float32", "np.float64", "np.int64"])
        return f"{kind}({number})" if kind and "j" not in number else number
    dtype, shape = rng.choice(DTYPES), rng.choice(SHAPES)
    low = 0 if dtype in ("uint8", "bool") else -4
    seed = rng.randrange(1000)
    values = f"np.random.default_rng({seed}).integers({low}, 5, ({shape}{',' * bool(shape)}))"
    half = " / 2" if dtype.startswith(("float", "bf", "complex")) else ""
    return f"torch.tensor({values}{half}, dtype=torch.{dtype})"
