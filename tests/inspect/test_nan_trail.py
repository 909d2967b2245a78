"""NaNTrail's findings, against the same models computed with NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import edutorch as torch
from edutorch import events, nn, optim
from edutorch.inspect import NanTrailRecorder, NonFiniteError, record

F = np.float32


def finding_of(run):
    with NanTrailRecorder() as recorder:
        run()
    return recorder.series()["finding"]


def account(array):
    """What a range should say, counted with NumPy alone."""
    array = np.asarray(array)
    finite = array[np.isfinite(array)]
    return {
        "min": float(finite.min()) if finite.size else None,
        "max": float(finite.max()) if finite.size else None,
        "nan": int(np.isnan(array).sum()),
        "posinf": int((array == np.inf).sum()),
        "neginf": int((array == -np.inf).sum()),
        "n": array.size,
    }


def assert_trail(finding, walk, operands):
    """The trail is that part of a walk by hand which is not finite.

    Args:
        finding: of the recorder.
        walk: (name, array) of each op in order.
        operands: arrays that the root was given, as NumPy has them.
    """
    bad = [(name, a) for name, a in walk if not np.isfinite(a).all()]
    shown = finding["trail"]
    assert [box["name"] for box in shown] == [name for name, _ in bad]
    for box, (_, array) in zip(shown, bad, strict=True):
        assert_ranges_agree(box["result"], account(array))
        assert math.prod(box["shape"]) == np.asarray(array).size
    root = shown[finding["root"]]
    for operand, array in zip(root["operands"], operands, strict=True):
        assert_ranges_agree(operand["range"], account(array))


def assert_ranges_agree(shown, mine):
    assert {k: shown[k] for k in ("nan", "posinf", "neginf", "n")} == {
        k: mine[k] for k in ("nan", "posinf", "neginf", "n")
    }
    for end in ("min", "max"):
        if mine[end] is None:
            assert shown[end] is None
        else:
            assert shown[end] == pytest.approx(mine[end], rel=1e-6)


def test_logarithm_of_a_negative_number_is_the_root():
    x = np.array([-1.5, 2, 3], F)

    def run():
        values = torch.tensor(x, requires_grad=True)
        (torch.log(values) * 2).sum().backward()

    with np.errstate(invalid="ignore"):
        y = np.log(x)
    finding = finding_of(run)
    assert_trail(finding, [("log", y), ("mul", y * 2), ("sum", (y * 2).sum())], [x])
    assert (finding["kind"], finding["reached"]) == ("op", "loss")
    box = finding["trail"][0]
    assert box["src"]["text"] == "(torch.log(values) * 2).sum().backward()"
    assert box["operands"][0]["name"] == "values"


def test_division_by_zero_that_reaches_the_loss_is_the_root():
    x, d = np.array([1, 2, 3], F), np.array([0, 1, 2], F)

    def run():
        a, b = torch.tensor(x, requires_grad=True), torch.tensor(d)
        (a + 1).div(b).mean().backward()

    with np.errstate(divide="ignore"):
        y = (x + 1) / d
    finding = finding_of(run)
    assert_trail(finding, [("add", x + 1), ("div", y), ("mean", y.mean())], [x + 1, d])
    assert finding["reached"] == "loss"


def test_overflow_in_exp_is_blamed_for_the_nan_that_comes_of_it():
    x = np.array([100, 2, 3], F)

    def run():
        e = torch.tensor(x, requires_grad=True).exp()
        (e - e * 2).sum().backward()

    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(x)
        walk = [("exp", e), ("sub", e - e * 2), ("sum", (e - e * 2).sum())]
    finding = finding_of(run)  # by the shortest way, which is not that through mul
    assert_trail(finding, walk, [x])


def test_softmax_over_a_row_that_is_masked_whole_is_the_root():
    x = np.array([[1, 2, 3], [4, 5, 6]], F)
    mask = np.array([[True, True, True], [False, False, True]])

    def run():
        scores = torch.tensor(x, requires_grad=True)
        masked = scores.masked_fill(torch.tensor(mask), -math.inf)
        torch.softmax(masked, -1).sum().backward()

    masked = np.where(mask, F(-np.inf), x)
    with np.errstate(invalid="ignore"):
        e = np.exp(masked - masked.max(-1, keepdims=True))
        p = e / e.sum(-1, keepdims=True)
    finding = finding_of(run)
    walk = [("masked_fill", masked), ("softmax", p), ("sum", p.sum())]
    assert_trail(finding, walk, [masked])
    assert finding["root"] == 1
    assert "deliberate" in finding["rule"]


def test_masked_scores_are_not_called_wrong():
    def run():
        scores = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        mask = torch.tensor([[False, True], [False, False]])
        torch.softmax(scores.masked_fill(mask, -math.inf), -1).sum().backward()

    with NanTrailRecorder() as recorder:
        run()
    assert recorder.series()["finding"] is None
    assert recorder.series()["suspects"] == 1


def test_mask_added_as_a_tensor_is_not_called_wrong():
    mask = torch.tensor([[0.0, -math.inf], [0.0, 0.0]])
    scores = torch.ones(2, 2, requires_grad=True)
    assert finding_of(lambda: torch.softmax(scores + mask, -1).sum().backward()) is None


def test_exploding_learning_rate_is_found_at_its_step_and_op():
    rate, x = 1e10, np.array([[1, -2], [0.5, 3], [2, 1]], F)
    weight = np.array([[0.5, -0.25]], F)
    w, steps = weight.copy(), 0
    with np.errstate(over="ignore"):
        while True:  # by hand, in single precision
            y = x @ w.T
            square = y**2
            if not np.isfinite(square).all():
                break
            w = w - F(rate) * (2 * y / 3 * x).sum(0, keepdims=True)
            steps += 1

    def run():
        model = nn.Linear(2, 1, bias=False)
        with torch.no_grad():
            model.weight.copy_(torch.tensor(weight))
        optimizer = optim.SGD(model.parameters(), lr=rate)
        for _ in range(10):
            optimizer.zero_grad()
            model(torch.tensor(x)).pow(2).mean().backward()
            optimizer.step()

    finding = finding_of(run)
    assert finding["step"] == steps > 0
    with np.errstate(over="ignore"):
        assert_trail(finding, [("pow", square), ("mean", square.mean())], [y])


def test_step_of_an_optimizer_that_overflows_is_named():
    x, rate = np.full((4, 2), 1e3, F), 1e38

    def run():
        model = nn.Linear(2, 1, bias=False)
        optimizer = optim.SGD(model.parameters(), lr=rate)
        for _ in range(3):
            optimizer.zero_grad()
            model(torch.tensor(x)).sum().backward()
            optimizer.step()

    with np.errstate(over="ignore"):
        weight = -F(rate) * x.sum(0, keepdims=True)  # the first weights are nothing
    finding = finding_of(run)
    assert (finding["step"], finding["kind"]) == (1, "update")
    assert "the step of SGD made 2 -inf of 2 values" in finding["rule"]
    assert_ranges_agree(finding["trail"][0]["result"], account(weight))


def test_infinity_that_came_with_an_input_is_told_where_nan_comes_of_it():
    batch = torch.tensor([1.0, math.inf])
    finding = finding_of(lambda: (batch - batch).sum())
    assert [box["name"] for box in finding["trail"]] == ["batch", "sub", "sum"]
    assert finding["root"] == 1
    assert finding["rule"].endswith("out of infinities that came with batch")


def test_square_root_at_zero_is_a_root_in_backward_though_forward_is_finite():
    x, factor = np.array([0, 1, 4], F), np.array([0, 1, 1], F)

    def run():
        value = torch.tensor(x, requires_grad=True)
        (torch.sqrt(value * 1) * torch.tensor(factor)).sum().backward()

    with np.errstate(divide="ignore", invalid="ignore"):
        gradient = factor / (2 * np.sqrt(x))  # 0 / 0
    finding = finding_of(run)
    assert (finding["where"], finding["kind"]) == ("backward", "backward")
    assert finding["reached"] == "gradient"
    walk = [("sqrt", gradient), ("mul", gradient), ("value", gradient)]
    assert_trail(finding, walk, [x])
    assert finding["trail"][0]["src"]["text"].startswith("(torch.sqrt(value * 1)")


def test_infinite_gradient_of_a_leaf_is_found_without_a_nan():
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    finding = finding_of(lambda: torch.sqrt(x).sum().backward())
    assert [box["kind"] for box in finding["trail"]] == ["backward", "leaf"]
    assert_ranges_agree(finding["trail"][1]["result"], account([np.inf, 0.5]))


def test_nan_in_the_batch_is_not_blamed_on_an_op():
    batch = np.array([[1, np.nan], [0, 1]], F)
    model = nn.Linear(2, 1)

    def run():
        inputs = torch.tensor(batch)
        model(inputs).sum().backward()

    weight, bias = model.weight.numpy(force=True), model.bias.numpy(force=True)
    y = batch @ weight.T + bias
    finding = finding_of(run)
    assert finding["kind"] == "input"
    assert_trail(finding, [("inputs", batch), ("linear", y), ("sum", y.sum())], [])


def test_nan_in_a_loaded_parameter_is_not_blamed_on_an_op():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    weight = np.array([[1, np.nan], [2, 3]], F)
    model.load_state_dict({"0.weight": torch.tensor(weight), "0.bias": torch.zeros(2)})

    finding = finding_of(lambda: model(torch.ones(1, 2)).sum().backward())
    assert finding["kind"] == "parameter"
    y = np.ones((1, 2), F) @ weight.T
    walk = [("0.weight", weight), ("linear", y), ("relu", y), ("sum", y.sum())]
    assert_trail(finding, walk, [])
    assert [box["module"] for box in finding["trail"]] == ["", "0", "1", ""]


def test_parameter_that_became_nan_between_two_uses_is_told_from_a_loaded_one():
    model = nn.Linear(2, 1)

    def run():
        model(torch.ones(1, 2))
        model.weight.data[0, 0] = math.nan
        model(torch.ones(1, 2)).sum().backward()

    finding = finding_of(run)
    assert finding["kind"] == "update"
    assert "weight was finite when last used" in finding["rule"]


def test_gradient_that_the_program_gives_is_named_as_such():
    x = torch.ones(2, requires_grad=True)
    finding = finding_of(lambda: (x * 2).backward(torch.tensor([1.0, math.nan])))
    assert [box["kind"] for box in finding["trail"]] == ["gradient", "backward", "leaf"]


def test_hook_that_makes_nan_is_blamed_with_its_line():
    x = torch.ones(2, requires_grad=True)

    def run():
        y = x * 2
        y.register_hook(lambda g: g * math.nan)
        y.sum().backward()

    finding = finding_of(run)
    assert (finding["where"], finding["reached"]) == ("backward", "gradient")
    kinds = [box["kind"] for box in finding["trail"]]
    assert kinds == ["op", "backward", "leaf"]
    assert "register_hook" in finding["trail"][0]["src"]["text"]


def test_backward_of_a_user_function_that_makes_nan_is_blamed_with_its_line():
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            return gradient * math.nan

    x = torch.ones(2, requires_grad=True)
    finding = finding_of(lambda: Broken.apply(x * 2).sum().backward())
    assert [box["kind"] for box in finding["trail"]] == [
        "op",
        "backward",
        "backward",
        "leaf",
    ]
    assert finding["trail"][0]["src"]["text"] == "return gradient * math.nan"
    assert finding["reached"] == "gradient"


def test_nan_that_is_replaced_does_not_reach_the_loss():
    x = torch.tensor([-1.0, 1.0], requires_grad=True)
    finding = finding_of(lambda: torch.nan_to_num(x.log()).sum().backward())
    assert [box["name"] for box in finding["trail"]] == ["log"]
    assert finding["reached"] == "nothing"


def test_gradient_spoiled_by_what_where_has_left_out_is_blamed_on_its_backward():
    x = np.array([-1, 4], F)

    def run():
        value = torch.tensor(x, requires_grad=True)
        root = torch.sqrt(value)
        torch.where(value > 0, root, torch.zeros(2)).sum().backward()

    with np.errstate(invalid="ignore"):
        gradient = np.array([0, 1], F) / (2 * np.sqrt(x))
    finding = finding_of(run)  # the loss is finite: the nan in forward did no harm
    assert (finding["where"], finding["reached"]) == ("backward", "gradient")
    assert_trail(finding, [("sqrt", gradient), ("value", gradient)], [x])


def test_second_loss_of_a_step_is_looked_at_where_the_first_is_finite():
    def run():
        x = torch.tensor([-1.0, 1.0], requires_grad=True)
        bad = x.log()
        (x * 2).sum().backward()
        bad.sum().backward()

    finding = finding_of(run)
    assert [box["name"] for box in finding["trail"]] == ["log", "sum"]
    assert finding["reached"] == "loss"


def test_single_nan_among_a_million_values_is_found():
    x = np.ones(1_000_003, F)
    x[777_777] = -1

    def run():
        torch.tensor(x).log() * 2

    finding = finding_of(run)
    assert finding["trail"][0]["result"]["nan"] == 1
    assert finding["trail"][0]["name"] == "log"


def test_stop_when_an_op_makes_nan_raises_in_its_line():
    x = torch.tensor([-1.0, 3.0])
    after = []
    with NanTrailRecorder(stop=True) as recorder:
        with pytest.raises(
            NonFiniteError, match="log made 1 nan of 2 values"
        ) as caught:
            after.append(x.log())
        x.log()  # the first finding is enough
    assert after == []
    assert "x (2,): -1 to 3" in str(caught.value)
    assert caught.traceback[0].statement.lines[0].strip() == "after.append(x.log())"
    assert recorder.series()["finding"]["trail"][0]["name"] == "log"


def test_stop_in_backward_leaves_an_engine_that_works():
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    with NanTrailRecorder(stop=True), pytest.raises(FloatingPointError):
        torch.sqrt(x).sum().backward()
    x.grad = None
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_replay_of_a_recorded_step_finds_the_same():
    def run():
        x = torch.tensor([-1.0, 4.0], requires_grad=True)
        (x.sqrt() + 1).sum().backward()

    with NanTrailRecorder() as live, record(level=3) as recording:
        run()
    assert recording.nan_trail()["finding"]["trail"][0]["name"] == "sqrt"
    mine, replayed = live.series()["finding"], recording.nan_trail()["finding"]
    for box in (*mine["trail"], *replayed["trail"]):
        for operand in box["operands"]:
            operand["name"] = ""  # variables are known while their function runs
    assert mine == replayed


def test_again_looks_for_the_next():
    x = torch.tensor([-1.0, 1.0])
    with NanTrailRecorder() as recorder:
        x.log()
        assert recorder.series()["finding"]["trail"][0]["name"] == "log"
        recorder.again()
        x.sqrt()
    assert recorder.series()["finding"]["trail"][0]["name"] == "sqrt"


def test_value_overwritten_in_place_is_the_op_of_that_line():
    x = torch.ones(3)

    def run():
        y = x * 2
        y -= 3
        y.log_()
        (y + 1).sum()

    finding = finding_of(run)
    walk = [box["name"] for box in finding["trail"]]
    assert walk[0] in ("log", "log_")
    assert walk[-1] == "sum"
    assert_ranges_agree(finding["trail"][0]["operands"][0]["range"], account([-1] * 3))


def test_closed_recorder_leaves_no_listener_and_keeps_no_tensor():
    with NanTrailRecorder():
        assert events.level == 3
    assert events.level == 0 and not events.active


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.tensor([1 + 1j, complex(math.nan, 0)]) * 2,
        lambda: torch.tensor([6e4, 1.0], dtype=torch.float16) * 2,
        lambda: torch.tensor([3e38, 1.0], dtype=torch.bfloat16) * 4,
        lambda: torch.tensor([[-1.0, 0.0]]).to_sparse() * math.nan,
    ],
    ids=["complex", "float16", "bfloat16", "sparse"],
)
def test_value_of_any_dtype_is_counted(make):
    with NanTrailRecorder() as recorder:
        make()
    data = recorder.series()
    assert data["finding"] or data["suspects"]
