"""Results of two operands of any dtypes: tensors, 0-d and empty ones, Python numbers."""

from __future__ import annotations

import random

__all__ = ["program"]

DTYPES = """float16 bfloat16 float32 float64 complex64 complex128
int8 uint8 int16 int32 int64 bool""".split()
SHAPES = ["", "0", "1", "3", "2, 3", "1, 3", "2, 1"]
OPERATORS = "+ - * / // % ** == != < <= > >= & | ^ << >>".split()
UPDATES = [o + "=" for o in "+ - * / // % ** & | ^ << >>".split()]
FUNCTIONS = """add sub mul div true_divide floor_divide remainder fmod pow float_power
maximum minimum fmax fmin atan2 hypot logaddexp logaddexp2 copysign nextafter heaviside
gcd lcm eq ne lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or
bitwise_xor bitwise_left_shift bitwise_right_shift xlogy rsub ldexp isclose dot inner
outer matmul vdot kron igamma igammac clamp_min clamp_max special.xlog1py""".split()
METHODS = """add sub mul div floor_divide remainder fmod pow float_power atan2 copysign
nextafter heaviside gcd lcm eq lt ge logical_and logical_xor bitwise_and bitwise_or
bitwise_left_shift xlogy ldexp clamp_min clamp_max hypot igamma""".split()
TERNARY = """torch.where(c, x, y); torch.clamp(x, y, z); torch.clamp(x, max=y)
torch.lerp(x, y, z); torch.lerp(x, y, 0.3); torch.lerp(x, x, y)
torch.addcmul(x, y, z); torch.addcmul(x, x, y, value=A); torch.addcdiv(x, y, z)
torch.addcdiv(x, x, y, value=A); x.clamp_(y, z); x.lerp_(y, z); x.addcmul_(y, z)
x.addcdiv_(y, z, value=A); x.where(c, y)""".replace("\n", ";").split(";")
NUMBERS = "0 1 -1 2 7 -3 300 0.0 1.0 -0.5 2.5 1e10 True False 1j (2-1j)".split()
ALPHAS = ["2", "-1", "0.5", "True", "2.0", "1.0", "300", "1j", "(1+0j)", "1e10"]
# What is neither a tensor nor a number that every program has.
STRANGERS = """[1] (1.0,) None {} np.ones(3) np.ones((2,3),np.int64) np.array(2.5)
np.array(2,np.int8) np.bool_(True) np.complex64(2) np.complex128(1j) np.int8(-3)
np.float16(0.5)""".split()


def program(rng: random.Random) -> str:
    """A program of one function of two operands, now and then three."""
    x, y = operand(rng), operand(rng, numbers=True)
    if rng.random() < 0.2:
        x, y = y, x
    lines = [f"x = {x}", f"y = {y}"]
    form = rng.random()
    if form < 0.35:
        lines.append(f"result = x {rng.choice(OPERATORS)} y")
    elif form < 0.5:
        lines += [f"x {rng.choice(UPDATES)} y", "result = x"]
    elif form < 0.6:
        alpha = ""
        name = rng.choice(METHODS)
        if name in ("add", "sub") and rng.random() < 0.5:
            alpha = f", alpha={rng.choice(ALPHAS)}"
        lines.append(f"result = x.{name}_(y{alpha})")
    elif form < 0.75:
        lines.append(f"z = {operand(rng, numbers=True)}")
        lines.append("c = torch.tensor([True, False, True])")
        text = rng.choice(TERNARY).strip().replace("=A", f"={rng.choice(ALPHAS)}")
        lines.append(f"result = {text}")
    else:
        lines.append(f"result = {call(rng)}")
    return "\n".join(lines)


def call(rng: random.Random) -> str:
    """A call of a function, now and then with what few programs use."""
    form = rng.random()
    if form < 0.1:
        name, alpha = rng.choice(["add", "sub", "rsub"]), rng.choice(ALPHAS)
        return f"torch.{name}(x, y, alpha={alpha})"
    if form < 0.2:
        mode = rng.choice(["'floor'", "'trunc'", "None"])
        return f"torch.div(x, y, rounding_mode={mode})"
    if form < 0.25:
        return f"torch.where(torch.tensor({rng.choice(['True', 'False'])}), x, y)"
    if form < 0.35:
        kinds = (rng.choice([*DTYPES, "uint16", "uint64", "complex32"]) for _ in "ab")
        name = rng.choice(["promote_types", "can_cast"])
        told = f"torch.{name}(torch.{next(kinds)}, torch.{next(kinds)})"
        return rng.choice(["torch.result_type(x, y)", told])
    if form < 0.45:
        return f"torch.{rng.choice(['cat', 'stack', 'hstack'])}([x, y])"
    return f"torch.{rng.choice(FUNCTIONS)}(x, y)"


def operand(rng: random.Random, *, numbers: bool = False) -> str:
    """A tensor with small values, or a number; seldom a stranger."""
    if numbers and rng.random() < 0.3:
        if rng.random() < 0.2:
            return rng.choice(STRANGERS)
        number = rng.choice(NUMBERS)
        kind = rng.choice(["", "", "np.float32", "np.float64", "np.int64"])
        return f"{kind}({number})" if kind and "j" not in number else number
    dtype, shape = rng.choice(DTYPES), rng.choice(SHAPES)
    low = 0 if dtype in ("uint8", "bool") else -4
    seed = rng.randrange(1000)
    values = f"np.random.default_rng({seed}).integers({low}, 5, ({shape}{',' * bool(shape)}))"
    half = " / 2" if dtype.startswith(("float", "bf", "complex")) else ""
    return f"torch.tensor({values}{half}, dtype=torch.{dtype})"
