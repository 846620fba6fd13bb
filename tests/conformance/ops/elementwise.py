"""Element-wise operations: unary, binary, comparison, logical, bitwise, type conversion."""
import numpy as np

import oracles
from case import NUMPY, Case, Ty, con, generator, par

DOMAIN = {"Acos": (-1, 1), "Asin": (-1, 1), "Acosh": (1, 6), "Atanh": (-0.9, 0.9), "Log": (0.1, 9), "Sqrt": (0, 9),
          "Tan": (-1.4, 1.4), "Cosh": (-3, 3), "Sinh": (-3, 3), "Exp": (-3, 3)}
KEEPS_INTEGERS = {"Abs", "Negative", "Sign", "ReLU"}


@generator("Abs-1", "Acos-1", "Acosh-4", "Asin-1", "Asinh-4", "Atan-1", "Atanh-4", "Ceiling-1", "Cos-1", "Cosh-1", "Erf-1",
           "Exp-1", "Floor-1", "Log-1", "Negative-1", "Sign-1", "Sin-1", "Sinh-1", "Sqrt-1", "Tan-1", "Tanh-1", "Sigmoid-1",
           "ReLU-1", "HSwish-4", "Mish-4", "SoftPlus-4", "HSigmoid-5", "SoftSign-9")
def unary(r, i, key):
    types = ["f32", "f32", "bf16", "f16", "f64"]
    if key[0] in KEEPS_INTEGERS:
        types += ["i32", "i64", "i8"]
    t = r.cycle(types, i)
    return Case([r.par(r.shape(0, 5, empty=0.1), t, *DOMAIN.get(key[0], (-6, 6)))])


@generator("Swish-4")
def swish(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    x = r.par(r.shape(0, 4, empty=0.05), t)
    return Case([x] if i % 2 else [x, r.either(r.data([], t, 0.2, 2), t)])


@generator("Selu-1", "HardSigmoid-1")
def two_scalars(r, i, key):
    t = r.cycle(["f32", "f32", "f16"], i)
    scalars = [r.either(r.data([], t, 0.1, 1.5), t) for _ in range(2)]
    return Case([r.par(r.shape(0, 4, empty=0.05), t)] + scalars)


@generator("PReLU-1")
def prelu(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(2, 4)
    slope = r.pick([[1], [s[1]], [s[1]], [1, s[1]] + [1] * (len(s) - 2)])
    return Case([r.par(s, t), r.either(r.data(slope, t), t)])


@generator("Elu-1")
def elu(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    return Case([r.par(r.shape(0, 4, empty=0.05), t)], {"alpha": r.pick([0.5, 1.0, 2.0, 0.1])})


@generator("Clamp-1")
def clamp(r, i):
    t = r.cycle(["f32", "f32", "f16", "i32", "i64", "u8"], i)
    low = r.pick([-2.0, -0.5, 0.0, 1.0, -1.25])
    return Case([r.par(r.shape(0, 4, empty=0.05), t, -6, 9)], {"min": low, "max": low + r.pick([0.5, 2.0, 3.75])})


@generator("Gelu-2", "Gelu-7")
def gelu(r, i, key):
    attrs = {"approximation_mode": r.cycle(["erf", "tanh"], i)} if key[1] == 7 else {}
    return Case([r.par(r.shape(0, 4, empty=0.05), r.pick(["f32", "f32", "f16"]))], attrs)


@generator("SoftMax-1", "SoftMax-8", "LogSoftmax-5")
def softmax(r, i, key):
    s = r.shape(2 if i % 4 == 0 else 1, 5)
    axis = r.axis(len(s), negative=key != ("SoftMax", 1))
    return Case([r.par(s, r.pick(["f32", "f32", "f16"]))], {"axis": axis})


@generator("Round-5")
def round_(r, i):
    x = r.data(r.shape(0, 4, empty=0.05), "f32", -6, 6)
    x = np.where(r.data(x.shape, "boolean"), np.round(x * 2) / 2, x)      # halves are what differs
    t = r.cycle(["f32", "f32", "f16"], i // 2)
    return Case([par(x.astype("f2" if t == "f16" else "f4"))], {"mode": r.cycle(["half_to_even", "half_away_from_zero"], i)})


def special(r, shape, t):
    x = r.data(shape, t)
    odd = r.g.choice([np.nan, np.inf, -np.inf, 0.0], size=x.shape)
    return np.where(r.data(x.shape, "boolean"), odd, x).astype(x.dtype)


@generator("IsFinite-10", "IsInf-10", "IsNaN-10")
def classify(r, i, key):
    attrs = {"detect_negative": i % 2 == 0, "detect_positive": i // 2 % 2 == 0} if key[0] == "IsInf" else {}
    return Case([par(special(r, r.shape(0, 4, empty=0.05), r.pick(["f32", "f32", "f16"])))], attrs)


def binary_shapes(r, i):
    """Shapes of two inputs and the auto_broadcast attribute."""
    if i % 5 == 4:
        s = r.shape(0, 4, empty=0.05)
        return s, s, {"auto_broadcast": "none"}
    if i % 11 == 10:                              # the second one to the last axes of the first
        s = r.shape(1, 4)
        return s, [d if r.chance(0.8) else 1 for d in s[r.int(0, len(s)):]], {"auto_broadcast": "pdpd"}
    a, b = r.pair()
    return a, b, {"auto_broadcast": "numpy"}


NUMBERS = ["f32", "f32", "i32", "f16", "i64", "bf16", "f64", "i8", "u8", "i16", "u16", "u32", "u64"]


@generator("Add-1", "Subtract-1", "Multiply-1", "Maximum-1", "Minimum-1", "SquaredDifference-1", "Divide-1", "Mod-1",
           "FloorMod-1", "Power-1", "Equal-1", "NotEqual-1", "Greater-1", "GreaterEqual-1", "Less-1", "LessEqual-1")
def binary(r, i, key):
    t = r.cycle(NUMBERS, i)
    a, b, attrs = binary_shapes(r, i)
    low, high = ((0, 9) if t[0] == "u" else (-6, 6))
    x, y = r.data(a, t, low, high), r.data(b, t, low, high)
    name = key[0]
    if t[0] == "u" and name == "Subtract":
        x, y = np.full(a, 9, x.dtype), y
    if t[0] == "u" and name == "SquaredDifference":
        x, y = (x + 9).astype(x.dtype), y
    if name in ("Divide", "Mod", "FloorMod"):
        y = np.where(y == 0, 3, y).astype(y.dtype)
        if x.dtype.kind == "f":                 # no remainder next to the divisor: rounding would decide
            y = np.where(r.data(b, "boolean"), y.dtype.type(2), np.sign(y) * y.dtype.type(0.75)).astype(y.dtype)
            x = (np.round(x * 8) / 8 + np.array(0.0625)).astype(x.dtype)
    if name == "Power":
        x = np.abs(x) + 1 if x.dtype.kind == "f" else np.clip(x, 0, 3) if t[0] == "u" else np.clip(x, -3, 3)
        y = r.data(b, t, 0, 3)
        x = x.astype(y.dtype)
        if t == "bf16":
            y = np.round(y)
    if name == "Divide":
        attrs = {"m_pythondiv": i % 2 == 0, **attrs}
    if name in ("Equal", "NotEqual", "GreaterEqual", "LessEqual") and y.size:
        y = np.round(y).astype(y.dtype)
        x = np.round(x).astype(x.dtype)
    boolean = key[0] in ("Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual")
    return Case([par(x, t), r.either(y, t)], attrs, out_types=["boolean" if boolean else t])


@generator("LogicalAnd-1", "LogicalOr-1", "LogicalXor-1", "Xor-1")
def logical(r, i):
    a, b, attrs = binary_shapes(r, i)
    return Case([r.par(a, "boolean"), r.either(r.data(b, "boolean"))], attrs)


@generator("LogicalNot-1")
def logical_not(r, i):
    return Case([r.par(r.shape(0, 5, empty=0.1), "boolean")])


INTEGERS = ["i32", "i64", "u8", "i8", "u32", "boolean", "u16", "i16", "u64"]


@generator("BitwiseAnd-13", "BitwiseOr-13", "BitwiseXor-13")
def bitwise(r, i):
    t = r.cycle(INTEGERS, i)
    a, b, attrs = binary_shapes(r, i)
    return Case([r.par(a, t, -100, 100), r.either(r.data(b, t, -100, 100), t)], attrs)


@generator("BitwiseNot-13")
def bitwise_not(r, i):
    return Case([r.par(r.shape(0, 5, empty=0.1), r.cycle(INTEGERS, i), -100, 100)])


@generator("BitwiseLeftShift-15", "BitwiseRightShift-15")
def shift(r, i, key):
    t = r.cycle([t for t in INTEGERS if t != "boolean"], i)
    a, b, attrs = binary_shapes(r, i)
    low = 0 if key[0] == "BitwiseLeftShift" else -100
    func = np.left_shift if key[0] == "BitwiseLeftShift" else np.right_shift
    high = 7 if t[1:] == "8" else 100
    return Case([r.par(a, t, low, high), r.either(r.data(b, t, 0, 4), t)], attrs, oracle=func)


@generator("Select-1")
def select(r, i):
    t = r.cycle(NUMBERS + ["boolean"], i)
    full = r.shape(0, 4, empty=0.05)
    shapes = [full] * 3 if i % 5 == 4 else [full] + [r.broadcastable(full, 0.7) for _ in range(2)]
    if i % 5 != 4:
        shapes = shapes[1:] + shapes[:1] if r.chance(0.3) else shapes
    return Case([r.par(shapes[0], "boolean"), r.par(shapes[1], t), r.either(r.data(shapes[2], t), t)],
                {"auto_broadcast": "none" if i % 5 == 4 else "numpy"}, out_types=[t])


ALL = ["f32", "i32", "i64", "f16", "u8", "boolean", "i8", "f64", "u16", "i16", "u32", "u64"]


def conversion_data(r, shape, source, target):
    """Values the target can hold: what happens outside of it is not specified."""
    low, high = (0, 100) if target[0] == "u" else (-100, 100)
    return r.data(shape, source, low, high)


@generator("Convert-1")
def convert(r, i):
    source, target = r.cycle(ALL + ["u4", "i4", "u1"], i), r.cycle(ALL, i * 5 + r.int(0, 1))
    s = r.shape(0, 4, empty=0.1)
    x = conversion_data(r, s, source, target) if source not in ("u4", "i4", "u1") else r.data(s, source, 0, 7)
    if source in ("u4", "i4", "u1"):
        x = con(x, source)
        return Case([x], {"destination_type": Ty(target)}, out_types=[target])
    return Case([par(x, source)], {"destination_type": Ty(target)})


@generator("ConvertLike-1")
def convert_like(r, i):
    source, target = r.cycle(ALL, i), r.cycle(ALL, i * 5 + r.int(0, 1))
    x = conversion_data(r, r.shape(0, 4, empty=0.1), source, target)
    return Case([par(x, source), r.par(r.shape(0, 3), target)])


@generator("ConvertPromoteTypes-14")
def promote(r, i):
    a, b = r.pick(ALL), r.pick(ALL)
    attrs = {"promote_unsafe": True, "pytorch_scalar_promotion": i % 2 == 0,
             "u64_integer_promotion_target": Ty(r.pick(["f32", "f64", "i64"]))}
    sa, sb = r.shape(0, 3), r.shape(0, 3)
    if i % 3 == 0:
        sa = []
    if a == b or (a, b) in oracles.SAFE_PROMOTIONS or (b, a) in oracles.SAFE_PROMOTIONS:
        # The type of a tensor may be too small for a scalar.
        attrs["promote_unsafe"] = i % 4 < 2 or attrs["pytorch_scalar_promotion"]
    x, y = r.data(sa, a, 0, 100), r.data(sb, b, 0, 100)
    t = oracles.promoted(a, sa, b, sb, attrs)
    return Case([par(x, a), par(y, b)], attrs, outputs=2, oracle=lambda p, q: [p.astype(NUMPY[t]), q.astype(NUMPY[t])])


@generator("FakeConvert-13")
def fake_convert(r, i):
    kind = r.cycle(["f8e4m3", "f8e5m2"], i)
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(1, 4, dims=(1, 4))
    # Multiples of 1/8: products and sums are exact in f16, so nothing but the conversion rounds.
    x = r.data(s, "f16", -4, 4).astype(NUMPY[t])
    scale = r.data([] if i % 3 == 0 else r.broadcastable(s), "f16", 0.5, 4).astype(NUMPY[t])
    shift_ = r.data(list(scale.shape), "f16", -1, 1).astype(NUMPY[t])
    inputs = [par(x, t), con(scale, t)] + ([con(shift_, t)] if i % 2 else [])
    return Case(inputs, {"destination_type": kind}, oracle=lambda *v: oracles.fake_convert(kind, *v),
                atol=1e-5 if t == "f32" else 2e-2)


@generator("FakeQuantize-1")
def fake_quantize(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(1, 4)
    levels = r.pick([2, 3, 15, 16, 255, 256])

    def limit(low, high):
        shape = r.pick([[], [1], [1] * len(s), r.broadcastable(s)])
        return r.data(shape, t, low, high)
    low, high = limit(-3, -1), limit(1, 3)
    out_low, out_high = limit(-2, -1), limit(1, 2)
    x = r.data(s, t, -4, 4)
    for _ in range(9):                            # not halfway between two levels: rounding would decide
        place = (x - low.astype("f8")) / (high.astype("f8") - low) * (levels - 1)
        x = np.where(np.abs(place - np.floor(place) - 0.5) < 0.02, x + x.dtype.type(0.03), x).astype(x.dtype)
    return Case([par(x)] + [r.either(v, t) for v in (low, high, out_low, out_high)],
                {"levels": levels, "auto_broadcast": "numpy"}, atol=5e-3 if t == "f16" else 1e-4)


@generator("Identity-16")
def identity(r, i):
    t = r.cycle(ALL + ["bf16"], i)
    return Case([r.par(r.shape(0, 5, empty=0.1), t)], oracle=lambda x: x)


@generator("Bucketize-3")
def bucketize(r, i):
    t = r.cycle(["f32", "i32", "i64", "f16"], i)
    n = r.int(0 if i % 5 == 0 else 1, 6)
    borders = np.unique(np.round(r.data([n], "f32", -4, 4))).astype(r.data([], t).dtype)
    x = r.data(r.shape(0, 4, empty=0.05), t)
    x = np.where(r.data(x.shape, "boolean"), np.round(x.astype("f4")), x).astype(x.dtype)
    return Case([par(x), r.either(borders)],
                {"output_type": Ty(r.cycle(["i64", "i32"], i)), "with_right_bound": i % 4 < 2})


@generator("SearchSorted-15")
def search_sorted(r, i):
    t = r.cycle(["f32", "i32", "i64", "f16", "u8"], i)
    s = r.shape(1, 4)
    s_values = s[:-1] + [r.dim(1, 5)]
    if i % 4 == 3:
        s, s_values = s[-1:], r.shape(1, 3)      # one sorted row for all values
    x = np.sort(np.round(r.data(s, t, -5, 5).astype("f4")), -1).astype(r.data([], t).dtype)
    v = np.round(r.data(s_values, t, -6, 6).astype("f4")).astype(x.dtype)
    right = i % 2 == 0
    return Case([par(x), r.either(v)], {"right_mode": right}, oracle=lambda a, b: oracles.search_sorted(a, b, right))
