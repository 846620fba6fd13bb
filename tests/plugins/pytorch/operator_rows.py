"""Writes tests/plugins/pytorch/rows/*.txt: calls of operators, and what torch computes of them.

    operator_rows.py FOLDER [ARCHIVES [FAMILY,FAMILY]]

With ARCHIVES each call is exported, too: NAME.pt2 with its inputs and outputs as NAME.in_K.npy, NAME.out_K.npy."""
import os
import sys

import numpy as np
import torch
import torchvision  # noqa: F401  its operators

NAMES = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64",
         torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "boolean",
         # Of complex numbers the type is that of their parts.
         torch.complex64: "f32"}
inf, nan = float("inf"), float("nan")


def R(*shape, seed=0, low=-2.0, high=2.0, dtype=torch.float32):
    """Numbers with two digits, so that rows stay short."""
    g = np.random.default_rng(seed + 17 * len(shape) + sum(shape))
    return torch.tensor(np.round(g.uniform(low, high, shape), 2)).to(dtype)


def I(*shape, seed=0, low=-5, high=6, dtype=torch.int64):
    g = np.random.default_rng(seed + 31 * len(shape) + sum(shape))
    return torch.tensor(g.integers(low, high, shape)).to(dtype)


def V(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype)


def L(values, dtype=torch.int64):
    return torch.tensor(values, dtype=dtype)


def B(*shape, seed=0):
    return I(*shape, seed=seed, low=0, high=2).bool()


def number(v):
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, int):
        return str(v)
    if v != v:
        return "nan"
    if v in (inf, -inf):
        return "inf" if v > 0 else "-inf"
    s = "%.6g" % v
    return s


def floating(v):
    s = number(v)
    return s if any(c in s for c in ".en") else s + ".0"


def tensor(t):
    t = t.detach()
    if t.is_complex():
        return "complex " + tensor(torch.view_as_real(t.resolve_conj()))
    flat = t.reshape(-1).tolist()
    parts, i = [], 0
    while i < len(flat):
        j = i
        while j < len(flat) and (flat[j] == flat[i] or flat[j] != flat[j] and flat[i] != flat[i]):
            j += 1
        n = number(flat[i])
        parts.append(n if j - i == 1 else "%s*%d" % (n, j - i) if j - i > 2 else ",".join([n] * (j - i)))
        i = j
    return "%s[%s] {%s}" % (NAMES[t.dtype], ",".join(map(str, t.shape)), ",".join(parts))


def value(v):
    if isinstance(v, torch.Tensor):
        return tensor(v)
    if v is None:
        return "none"
    if isinstance(v, bool) or isinstance(v, int):
        return number(v)
    if isinstance(v, float):
        return floating(v)
    if isinstance(v, complex):
        return "j[%s,%s]" % (floating(v.real), floating(v.imag))
    if isinstance(v, str):
        return '"%s"' % v
    if isinstance(v, torch.dtype):
        return "@" + NAMES[v]
    if isinstance(v, (list, tuple)):
        if any(isinstance(e, torch.Tensor) for e in v):
            return "(" + "; ".join(value(e) for e in v) + ")"
        return "[" + ",".join(value(e) for e in v) + "]"
    raise TypeError(type(v))


def operator(name):
    parts = name.split(".")
    op = torch.ops
    for p in parts:
        op = getattr(op, p)
    return op


# Operators of which only the first result is made.
FIRST_ONLY = {"log_sigmoid_forward": 1, "_for_cpu": 1, "ps_roi_align": 1, "roi_pool": 1, "_embedding_bag": 1, "_ex.default": 1, "_linalg_det": 1,
              "_linalg_slogdet": 2}


def first_of(name):
    """How many of an operator's results are compared; None: all."""
    return next((count for part, count in FIRST_ONLY.items() if part in name), None)


def results(name, out):
    if isinstance(out, torch.Tensor):
        return [value(out)]
    if isinstance(out, list):
        return ["(" + "; ".join(value(t) for t in out) + ")"]
    read = first_of(name) or len(out)
    return [value(t) for t in out[:read]] + ["unread " + value(t).split(" {")[0] + " {}" for t in out[read:] if isinstance(t, torch.Tensor)]


class Call(torch.nn.Module):
    def __init__(self, op, args, kwargs):
        super().__init__()
        self.op, self.pattern, self.named = op, args, kwargs

    def forward(self, *tensors):
        it = iter(tensors)

        def fill(a):
            if isinstance(a, torch.Tensor):
                return next(it)
            if isinstance(a, (list, tuple)) and any(isinstance(e, torch.Tensor) for e in a):
                return [fill(e) for e in a]
            return a

        out = self.op(*[fill(a) for a in self.pattern], **{k: fill(v) for k, v in self.named.items()})
        read = first_of(str(self.op))
        if read and isinstance(out, tuple):
            out = out[:read]
        return tuple(out) if isinstance(out, (list, tuple)) else out


def flatten(a):
    if isinstance(a, torch.Tensor):
        return [a]
    if isinstance(a, (list, tuple)):
        return [t for e in a for t in flatten(e)]
    return []


def row(name, args, kwargs, archives=None, label=None):
    op = operator(name)
    names = [a.name for a in op._schema.arguments]
    given = list(zip(names, args)) + list(kwargs.items())
    copy = lambda a: a.clone() if isinstance(a, torch.Tensor) else [copy(e) for e in a] if isinstance(a, list) else a
    with torch.no_grad():
        out = op(*[copy(a) for a in args], **{k: copy(v) for k, v in kwargs.items()})
    if archives:
        ins = flatten(list(args) + list(kwargs.values()))
        try:
            program = torch.export.export(Call(op, args, kwargs).eval(), tuple(t.clone() for t in ins))
            torch.export.save(program, os.path.join(archives, label + ".pt2"))
            for k, t in enumerate(ins):
                np.save(os.path.join(archives, "%s.in_%d.npy" % (label, k)), t.numpy())
            outs = flatten(out if not isinstance(out, tuple) else list(out))
            outs = outs[:first_of(name)]
            for k, t in enumerate(outs):
                t = torch.view_as_real(t) if t.is_complex() else t
                np.save(os.path.join(archives, "%s.out_%d.npy" % (label, k)), t.detach().numpy())
        except Exception as e:  # what torch cannot export is checked by the row alone
            print("not exported:", name, str(e).splitlines()[0][:150], file=sys.stderr)
    inner = "; ".join("%s=%s" % (n, value(v)) for n, v in given)
    return "%s (%s) -> %s" % (name, inner, "; ".join(results(name, out)))


FAMILIES = {}


def family(f):
    rows = []
    f(lambda name, *args, **kwargs: rows.append((name, args, kwargs)))
    FAMILIES[f.__name__] = rows
    return f


@family
def arithmetic(a):
    x, y, i, j = R(2, 3), R(3, seed=1), V(-7, 7, 5, -5, 0, dtype=torch.int64), V(2, -2, 3, 3, 4, dtype=torch.int64)
    for op in ("add", "sub", "mul", "div"):
        a("aten.%s.Tensor" % op, x, y)
        a("aten.%s.Tensor" % op, i, R(5, seed=2) + 3)
    a("aten.add.Tensor", i, 2.5)
    a("aten.add.Tensor", V(1, 2, dtype=torch.int8), V(3, 4, dtype=torch.uint8))
    a("aten.add.Tensor", V(1, 2, dtype=torch.int32), torch.tensor(5, dtype=torch.int64))
    a("aten.add.Tensor", V(1.5, 2.5), torch.tensor(2.0, dtype=torch.float64))
    a("aten.add.Tensor", B(4), B(4, seed=1))
    a("aten.add.Tensor", x, y, alpha=-2)
    a("aten.sub.Tensor", x, y, alpha=0.5)
    a("aten.rsub.Scalar", x, 2, 3)
    a("aten.mul.Tensor", B(4), B(4, seed=1))
    a("aten.mul.Tensor", B(4), 3)
    a("aten.div.Tensor", i, j)
    a("aten.div.Tensor", i, 2)
    for mode in ("floor", "trunc"):
        a("aten.div.Tensor_mode", i, j, rounding_mode=mode)
        a("aten.div.Tensor_mode", x, y, rounding_mode=mode)
    a("aten.floor_divide.default", i, j)
    a("aten.floor_divide.default", x, y)
    a("aten.remainder.Tensor", i, j)
    a("aten.remainder.Tensor", x, y)
    a("aten.remainder.Scalar", i, -3)
    a("aten.fmod.Tensor", i, j)
    a("aten.fmod.Scalar", x, 0.75)
    a("aten.pow.Tensor_Tensor", R(2, 3, low=0.1), y)
    a("aten.pow.Tensor_Scalar", i, 2)
    a("aten.pow.Tensor_Scalar", i, 0.5)
    a("aten.pow.Scalar", 2, i)
    a("aten.pow.Scalar", 2, x)
    a("aten.float_power.Tensor_Scalar", V(1, 2, 3), 2)
    a("aten.maximum.default", x, y)
    a("aten.minimum.default", i, j)
    a("aten.maximum.default", B(4), B(4, seed=1))
    a("aten.max.other", x, y)
    a("aten.min.other", x, y)
    a("aten.atan2.default", V(0.0, 1.0, -1.0, 2.0, -2.0, 0.0), V(1.0, 0.0, 0.0, -1.0, -3.0, -1.0))
    a("aten.angle.default", torch.complex(V(0.0, 1.0, -1.0, -2.0, 0.0, 0.5), V(0.0, 1.0, 1.0, -0.5, -3.0, 0.0)))
    a("aten.ldexp.Tensor", x, V(3, -1, 0, dtype=torch.int64))
    a("aten.hypot.default", x, y)
    a("aten.logaddexp.default", V(1.0, -inf, 100.0, inf), V(2.0, -inf, 1.0, inf))
    a("aten.logaddexp2.default", V(1.0, 5.0), V(2.0, -3.0))
    a("aten.xlogy.Tensor", V(0.0, 2.0, 0.0, 1.0), V(0.0, 3.0, nan, 2.0))
    a("aten.copysign.Tensor", x, y)
    a("aten.heaviside.default", V(-1.0, 0.0, 2.0), V(0.5, 0.5, 0.5))
    a("aten.addcmul.default", x, y, R(2, 1), value=0.5)
    a("aten.addcdiv.default", x, y, R(2, 1, low=1), value=-2)
    a("aten.lerp.Scalar", x, y, 0.3)
    a("aten.lerp.Tensor", x, R(2, 3, seed=3), R(2, 3, seed=4, low=0, high=1))
    a("aten.clamp.default", x, -0.5, 1)
    a("aten.clamp.default", x, 0.5, -0.5)
    a("aten.clamp.default", i, None, 3)
    a("aten.clamp.default", i, 0.5, None)
    a("aten.clamp.Tensor", x, y, None)
    a("aten.clamp.Tensor", x, y, y + 1)
    a("aten.clamp_min.default", x, 0)
    a("aten.clamp_max.Tensor", x, y)
    a("aten.mul.Tensor", torch.complex(R(2), R(2, seed=1)), torch.complex(R(2, seed=2), R(2, seed=3)))
    a("aten.subtract.Tensor", x, y, alpha=2)
    a("aten.subtract.Scalar", x, 1.5)
    a("aten.gcd.default", L([12, -18, 0, 7, 2**20, 0]), L([18, 12, 5, 0, 2**13 * 3, 0]))
    a("aten.gcd.default", I(3, 1, low=-60, high=60, dtype=torch.int32), I(4, seed=1, low=-60, high=60, dtype=torch.int32))
    a("aten.gcd.default", torch.tensor(832040), torch.tensor(514229))
    a("aten.lcm.default", V(12, -18, 0, 7, 0, dtype=torch.int64), V(18, 12, 5, 0, 0, dtype=torch.int64))
    for op in ("fmax", "fmin"):
        a("aten.%s.default" % op, V(1.0, nan, 3.0, nan, inf), V(2.0, 1.0, nan, nan, nan))
        a("aten.%s.default" % op, i, j)


@family
def comparing(a):
    x, y, i = R(2, 3), R(3, seed=1), I(5)
    for op in ("eq", "ne", "lt", "le", "gt", "ge"):
        a("aten.%s.Tensor" % op, V(1.0, 2.0, 3.0), V(3.0, 2.0, 1.0))
        a("aten.%s.Scalar" % op, i, 0.5)
        a("aten.%s.Scalar" % op, i, 1)
    a("aten.lt.Tensor", B(4), B(4, seed=1))
    a("aten.eq.Tensor", V(1, 2, dtype=torch.int32), V(1.0, 2.5))
    a("aten.logical_and.default", i, V(0.0, 0.5, 1.0, 0.0, -2.0))
    a("aten.logical_or.default", i, V(0.0, 0.5, 1.0, 0.0, -2.0))
    a("aten.logical_xor.default", i, V(0.0, 0.5, 1.0, 0.0, -2.0))
    a("aten.logical_not.default", i)
    for op in ("and", "or", "xor"):
        a("aten.bitwise_%s.Tensor" % op, V(12, 10, -3, dtype=torch.int32), V(10, 3, 7, dtype=torch.int32))
        a("aten.bitwise_%s.Tensor" % op, B(4), B(4, seed=1))
        a("aten.bitwise_%s.Scalar" % op, V(12, 10, -3, dtype=torch.int64), 6)
    a("aten.__and__.Tensor", B(4), B(4, seed=1))
    a("aten.__or__.Scalar", V(1, 4, dtype=torch.int64), 2)
    a("aten.bitwise_not.default", V(1, 0, -3, dtype=torch.int32))
    a("aten.bitwise_not.default", B(4))
    a("aten.bitwise_left_shift.Tensor", V(1, 5, dtype=torch.int32), V(3, 1, dtype=torch.int32))
    a("aten.bitwise_right_shift.Tensor_Scalar", V(-9, 40, dtype=torch.int64), 2)
    a("aten.__lshift__.Scalar", V(1, 5, dtype=torch.int64), 2)
    a("aten.__rshift__.Tensor", V(-9, 40, dtype=torch.int64), V(1, 3, dtype=torch.int64))
    s = V(1.0, nan, inf, -inf, 0.0)
    for op in ("isnan", "isinf", "isfinite", "isposinf", "isneginf"):
        a("aten.%s.default" % op, s)
    a("aten.isnan.default", i)
    a("aten.isinf.default", i)
    a("aten.signbit.default", V(-1.0, 2.0, -0.5))
    a("aten.isclose.default", V(1.0, 1.0, inf, -inf, nan), V(1.000001, 1.1, inf, inf, nan))
    a("aten.isclose.default", V(1.0, 1.0, inf, nan), V(1.05, 1.2, inf, nan), 0.1, 0.0, True)
    a("aten.where.self", B(2, 3), x, y)
    a("aten.where.self", B(2, 3), I(2, 3), y)
    a("aten.where.ScalarOther", B(2, 3), x, 7)
    a("aten.where.ScalarSelf", B(2, 3), 0.5, I(2, 3))
    a("aten.where.Scalar", B(3), 1.5, 2.5)
    a("aten.masked_fill.Scalar", x, B(3), -inf)
    a("aten.masked_fill.Tensor", I(2, 3), B(2, 3), torch.tensor(9))
    a("aten.isin.Tensor_Tensor", I(2, 3), L([1, 2, -3]))
    a("aten.isin.Tensor_Tensor", I(2, 3), L([1, 2, -3]), invert=True)
    a("aten.nan_to_num.default", s)
    a("aten.nan_to_num.default", s, 1.0, 2.0, -3.0)
    a("aten.isreal.default", R(2, 3))
    a("aten.isreal.default", torch.complex(V(1.0, 2.0, 0.0), V(0.0, 1.0, -0.0)))


@family
def mathematics(a):
    x, u, p, i = V(-1.5, -0.5, 0.0, 0.3, 1.7), V(-0.9, -0.2, 0.0, 0.5, 0.99), V(0.2, 1.0, 3.5), V(-2, 0, 3, dtype=torch.int64)
    a("aten.special_entr.default", V(0.0, 0.3, 1.0, 2.0, -1.0, nan))
    for op in ("abs", "neg", "sign", "sgn", "positive", "square", "ceil", "floor", "round", "trunc", "frac", "cos", "cosh", "sin",
               "sinh", "tan", "tanh", "sigmoid", "exp", "erf", "erfc", "exp2", "expm1", "atan", "asinh", "sinc", "rad2deg",
               "deg2rad", "angle"):
        a("aten.%s.default" % op, x)
    for op in ("abs", "neg", "sign", "ceil", "floor", "round", "trunc", "sin", "exp", "sigmoid", "reciprocal", "sinc"):
        a("aten.%s.default" % op, i)
    for op in ("acos", "asin", "atanh", "erfinv"):
        a("aten.%s.default" % op, u)
    for op in ("log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "lgamma"):
        a("aten.%s.default" % op, p)
    a("aten.erfinv.default", V(-1.0, 1.0, -0.999, 0.9999))
    a("aten.lgamma.default", V(-1.5, 0.25, 1.0, 2.0, 10.0, -2.0, 0.0))
    a("aten.expm1.default", V(1e-4, -1e-4, 20.0, -30.0))
    a("aten.acosh.default", V(1.0, 2.5, 10.0))
    a("aten.round.default", V(0.5, 1.5, 2.5, -0.5, -1.5))
    a("aten.round.decimals", V(1.256, -2.344, 0.5), decimals=2)
    a("aten.round.decimals", V(125.6, -234.4, 55.0), decimals=-1)
    a("aten.abs.default", torch.complex(V(3.0, -1.0), V(4.0, 0.0)))
    a("aten.abs.default", V(1, 200, dtype=torch.uint8))
    a("aten.logit.default", V(0.1, 0.5, 0.9))
    a("aten.logit.default", V(0.0, 0.5, 1.0), 0.1)


@family
def activations(a):
    x = V(-7.0, -3.5, -1.5, -0.5, 0.0, 0.3, 1.7, 4.0, 8.0)
    for op in ("relu", "relu6", "hardswish", "hardsigmoid", "silu", "mish", "selu", "log_sigmoid", "gelu", "elu", "celu", "softplus",
               "hardshrink", "softshrink", "hardtanh", "leaky_relu", "rrelu"):
        a("aten.%s.default" % op, x)
    a("aten.gelu.default", x, approximate="tanh")
    a("aten.hardtanh.default", x, -0.5, 2.0)
    a("aten.leaky_relu.default", x, 0.2)
    a("aten.rrelu.default", x, 0.1, 0.3)
    a("aten.elu.default", x, 0.5)
    a("aten.elu.default", x, 1.5, 2.0, 0.5)
    a("aten.celu.default", x, 2.0)
    a("aten.softplus.default", x, 2.0, 3.0)
    a("aten.hardshrink.default", x, 1.5)
    a("aten.softshrink.default", x, 1.0)
    a("aten.threshold.default", x, 0.3, -4.0)
    a("aten.prelu.default", R(2, 3, 2), V(0.1, 0.2, 0.3))
    a("aten.prelu.default", R(2, 3, 2), V(0.25))
    a("aten.prelu.default", R(2, 3), V(0.1, 0.2, 0.3))
    a("aten.glu.default", R(2, 4, 2), 1)
    for op in ("softmax.int", "log_softmax.int"):
        a("aten.%s" % op, R(2, 3), 0)
        a("aten.%s" % op, R(2, 3), -1)
        a("aten.%s" % op, I(2, 3), 1, torch.float32)
    a("aten._softmax.default", R(2, 3, 2), 1, False)
    a("aten._log_softmax.default", R(2, 3, 2), 1, False)
    a("aten._safe_softmax.default", V(1.0, -inf, -inf, -inf).reshape(2, 2), 1)
    a("aten.log_sigmoid_forward.default", x)


@family
def views(a):
    x = R(2, 3, 4)
    a("aten.view.default", x, [4, 6])
    a("aten.view.default", x, [-1, 8])
    a("aten.view.default", R(0, 3), [3, 0])
    a("aten.reshape.default", x, [2, -1])
    a("aten._unsafe_view.default", x, [24])
    a("aten.view_as.default", x, R(6, 4))
    a("aten.reshape_as.default", x, R(6, 4))
    a("aten.permute.default", x, [2, 0, -2])
    a("aten.transpose.int", x, 0, -1)
    a("aten.swapaxes.default", x, 1, 2)
    a("aten.t.default", R(2, 3))
    a("aten.mT.default", x)
    a("aten.numpy_T.default", x)
    a("aten.movedim.int", x, 0, -1)
    a("aten.movedim.intlist", x, [0, 1], [-1, 0])
    a("aten.unsqueeze.default", x, -1)
    a("aten.unsqueeze.default", x, 0)
    a("aten.squeeze.default", R(1, 3, 1))
    a("aten.squeeze.dim", R(1, 3, 1), 1)
    a("aten.squeeze.dim", R(1, 3, 1), -1)
    a("aten.squeeze.dims", R(1, 3, 1), [0, 1, 2])
    a("aten.flatten.using_ints", x)
    a("aten.flatten.using_ints", x, 1)
    a("aten.flatten.using_ints", torch.tensor(2.5))
    a("aten.unflatten.int", x, 2, [2, -1])
    a("aten.expand.default", R(3, 1), [2, 3, 4])
    a("aten.expand.default", R(3, 1), [-1, 4])
    a("aten.broadcast_to.default", R(3, 1), [2, 3, 2])
    a("aten.expand_as.default", R(3, 1), R(2, 3, 2))
    a("aten.broadcast_tensors.default", [R(3, 1), R(4), torch.tensor(1.0)])
    a("aten.meshgrid.indexing", [R(2), R(3)], indexing="ij")
    a("aten.meshgrid.indexing", [R(2), R(3), R(2, seed=1)], indexing="xy")
    a("aten.meshgrid.default", [R(2), torch.tensor(1.5)])
    for op in ("atleast_1d", "atleast_2d", "atleast_3d"):
        a("aten.%s.default" % op, torch.tensor(1.5))
        a("aten.%s.default" % op, R(3))
        a("aten.%s.default" % op, R(2, 3))
    a("aten.as_strided.default", x, [2, 3], [8, 1], 2)
    a("aten.as_strided.default", x, [3, 3], [1, 1])
    a("aten.pixel_shuffle.default", R(1, 4, 2, 2), 2)
    a("aten.pixel_shuffle.default", R(4, 2, 1), 2)
    a("aten.pixel_unshuffle.default", R(1, 1, 4, 2), 2)
    a("aten.channel_shuffle.default", R(1, 4, 2), 2)
    a("aten.linalg_diagonal.default", R(2, 3, 4))
    a("aten.linalg_diagonal.default", R(2, 3, 4), offset=-1, dim1=0, dim2=2)
    for d in (0, 1, -2):
        a("aten.diag.default", R(3), d)
        a("aten.diag.default", R(3, 4), d)
    a("aten.diagflat.default", R(2, 2), 1)
    a("aten.diagflat.default", torch.tensor(2.5))


@family
def slicing(a):
    x = R(3, 5)
    a("aten.select.int", x, 0, -1)
    a("aten.select.int", x, 1, 2)
    a("aten.slice.Tensor", x, 1, 1, 4)
    a("aten.slice.Tensor", x, -1, -3, 9223372036854775807)
    a("aten.slice.Tensor", x, 1, None, None, 2)
    a("aten.slice.Tensor", x, 0, 5, 9)
    a("aten.narrow.default", x, 1, 1, 3)
    a("aten.narrow.default", x, 1, -2, 2)
    a("aten.cat.default", [x, R(3, 2)], 1)
    a("aten.cat.default", [x, I(1, 5)], -2)
    a("aten.cat.default", [torch.zeros(0), R(2, 2)])
    a("aten.stack.default", [R(2), R(2, seed=1)], -1)
    a("aten.hstack.default", [R(2), R(3)])
    a("aten.hstack.default", [R(2, 1), R(2, 2)])
    a("aten.vstack.default", [R(2), R(3, 2)])
    a("aten.dstack.default", [R(2), R(2, seed=1)])
    a("aten.column_stack.default", [R(2), R(2, 3)])
    a("aten.split.Tensor", x, 2, 1)
    a("aten.split.Tensor", R(4, 2), 2)
    a("aten.split_with_sizes.default", x, [1, 3, 1], -1)
    a("aten.chunk.default", x, 3, 1)
    a("aten.chunk.default", R(4), 2)
    a("aten.tensor_split.sections", x, 3, 1)
    a("aten.tensor_split.indices", x, [1, 3], 1)
    a("aten.tensor_split.indices", x, [-2], 1)
    a("aten.unbind.int", R(2, 3))
    a("aten.unbind.int", R(2, 3), -1)
    a("aten.repeat.default", R(2, 3), [2, 1, 2])
    a("aten.tile.default", R(2, 3), [2])
    a("aten.repeat_interleave.self_int", R(2, 3), 2)
    a("aten.repeat_interleave.self_int", R(2, 3), 2, 1)
    a("aten.repeat_interleave.self_Tensor", R(3, 2), L([2, 0, 1]), 0)
    a("aten.repeat_interleave.self_Tensor", R(2, 2), L([2]))
    a("aten.repeat_interleave.Tensor", L([2, 0, 3]))
    a("aten.roll.default", x, [1, -2], [0, 1])
    a("aten.roll.default", R(2, 3), [2])
    a("aten.flip.default", R(2, 3), [0, -1])
    a("aten.fliplr.default", R(2, 3))
    a("aten.flipud.default", R(2, 3))
    for k in range(-1, 4):
        a("aten.rot90.default", R(2, 3), k)
    a("aten.rot90.default", R(2, 2, 3), 1, [1, 2])
    a("aten.unfold.default", R(2, 7), 1, 3, 2)
    a("aten.unfold.default", R(5, 2), 0, 2, 1)


@family
def indexing(a):
    x = R(3, 4, 2)
    a("aten.index.Tensor", x, [L([0, 2, -1])])
    a("aten.index.Tensor", x, [None, L([[0, 3], [1, -1]])])
    a("aten.index.Tensor", x, [L([0, 1]), L([3, -2])])
    a("aten.index.Tensor", x, [None, L([0, 1]), L([1, -1])])
    a("aten.index.Tensor", x, [L([0, -1]), None, L([1, 0])])
    a("aten.index.Tensor", x, [L([[0], [2]]), L([1, 2])])
    a("aten.index.Tensor", x, [L([True, False, True], dtype=torch.bool)])
    a("aten.index.Tensor", R(2, 3), [L([[True, False, True], [False, True, False]], dtype=torch.bool)])
    a("aten.index.Tensor", R(2, 3), [None, L([True, False, True], dtype=torch.bool)])
    a("aten.index.Tensor", x, [torch.tensor(1)])
    a("aten._unsafe_index.Tensor", x, [L([0, 1], dtype=torch.int32), L([3, 2], dtype=torch.int32)])
    a("aten.index_put.default", x, [L([0, -1])], R(2, 4, 2, seed=9))
    a("aten.index_put.default", x, [L([0, 1]), L([3, -2])], torch.tensor(9.0))
    a("aten.index_put.default", x, [None, L([0, 1]), L([1, 0])], R(3, 2, seed=9))
    a("aten.index_put.default", x, [L([0, 1]), None, L([1, 0])], R(2, 4, seed=9))
    a("aten.index_put.default", R(4), [L([0, 1, 1])], V(1.0, 2.0, 3.0), True)
    a("aten.index_put.default", x, [L([0, 0]), L([1, 1])], R(2, 2, seed=9), True)
    a("aten.index_put.default", R(2, 3), [L([[True, False, True], [False, True, False]], dtype=torch.bool)], torch.tensor(7.0))
    a("aten.index_put.default", R(2, 3), [L([[True, False, True], [False, True, False]], dtype=torch.bool)], V(5.0, 6.0, 7.0))
    a("aten.index_put.default", R(2, 3), [L([True, False], dtype=torch.bool)], torch.tensor(7.0))
    a("aten.index_select.default", x, 1, L([3, 0, 3]))
    a("aten.index_select.default", torch.tensor(2.5), 0, L([0]))
    a("aten.index_copy.default", x, 1, L([3, 0]), R(3, 2, 2, seed=5))
    a("aten.index_fill.int_Scalar", x, 1, L([1, -1]), 9)
    a("aten.index_fill.int_Tensor", x, -1, L([0]), torch.tensor(4.0))
    a("aten.index_add.default", R(3, 2), 0, L([0, 2, 0]), R(3, 2, seed=5), alpha=2)
    a("aten.index_reduce.default", R(3, 2), 0, L([0, 2, 0]), R(3, 2, seed=5), "amax")
    a("aten.gather.default", R(3, 4), 1, L([[0, 3], [1, 1]]))
    a("aten.gather.default", R(3, 4), 0, L([[0, 2, 1, 0]]))
    a("aten.take_along_dim.default", R(3, 4), L([[0], [3], [-1]]), 1)
    a("aten.take_along_dim.default", R(3, 4), L([0, 11]))
    a("aten.take.default", R(3, 4), L([[0, 11], [-1, 5]]))
    a("aten.put.default", R(3, 4), L([[0, 11], [-2, 5]]), R(2, 2))
    a("aten.put.default", R(4), L([0, 3, -1]), R(3), True)
    a("aten.scatter.src", R(3, 4), 1, L([[0, 2], [3, 1]]), R(2, 3, seed=4))
    a("aten.scatter.value", R(3, 4), 0, L([[0, 2, 1, 0]]), 5)
    a("aten.scatter.reduce", R(3, 4), 0, L([[0, 2, 1, 0]]), R(1, 4, seed=3), reduce="multiply")
    a("aten.scatter.value_reduce", R(3, 4), 0, L([[0, 2, 1, 0]]), 2.0, reduce="add")
    a("aten.scatter_add.default", R(3, 3), 0, L([[0, 0, 1], [2, 0, 1]]), R(2, 3, seed=4))
    for how in ("sum", "prod", "mean", "amax", "amin"):
        a("aten.scatter_reduce.two", R(3), 0, L([0, 0, 2, 0]), R(4, seed=4), how)
        a("aten.scatter_reduce.two", R(3), 0, L([0, 0, 2, 0]), R(4, seed=4), how, include_self=False)
    a("aten.masked_select.default", R(2, 3), L([True, False, True], dtype=torch.bool))
    a("aten.masked_select.default", R(3), B(2, 3))
    a("aten.masked_scatter.default", R(2, 3), B(2, 3), R(6, seed=8))
    a("aten.masked_scatter.default", R(2, 3), L([False, True, True], dtype=torch.bool), R(4, seed=8))
    a("aten.nonzero.default", L([[1, 0, 2], [0, 0, 3]]))
    a("aten.where.default", L([[1, 0, 2], [0, 0, 3]]))
    a("aten.select_scatter.default", x, R(3, 2, seed=4), 1, -1)
    a("aten.slice_scatter.default", x, R(3, 2, 2, seed=4), 1, 1, 4, 2)
    a("aten.slice_scatter.default", x, R(3, 4, 2, seed=4), 1)
    a("aten.diagonal.default", R(3, 4))
    a("aten.diagonal.default", R(3, 4), 1)
    a("aten.diagonal.default", R(2, 3, 4), -1, 1, 2)
    a("aten.diagonal.default", R(2, 3, 2), 0, 0, -1)
    a("aten.diagonal_scatter.default", R(3, 4), R(3, seed=7), 1)
    a("aten.diagonal_scatter.default", R(2, 3, 2), R(3, 2, seed=7), 0, 0, 2)
    a("aten.diag_embed.default", R(2, 3))
    a("aten.diag_embed.default", R(2), -1)
    a("aten.diag_embed.default", R(2, 2), 1, 0, 2)
    a("aten.as_strided_scatter.default", R(6), R(2, 2, seed=3), [2, 2], [3, 1], 1)
    a("aten.nonzero_static.default", L([[0, 3], [2, 0], [1, 4]]), size=3)
    a("aten.nonzero_static.default", L([0, 3, 2]), size=5, fill_value=9)


@family
def creation(a):
    x = R(2, 3)
    a("aten.zeros.default", [2, 2])
    a("aten.zeros.default", [2], dtype=torch.int64)
    a("aten.ones.default", [2, 1], dtype=torch.bool)
    a("aten.full.default", [2, 2], 3)
    a("aten.full.default", [], 2.5)
    a("aten.full.default", [2], -inf)
    a("aten.new_zeros.default", I(2), [3])
    a("aten.new_ones.default", x, [2])
    a("aten.new_full.default", I(2), [2], 7)
    a("aten.zeros_like.default", x)
    a("aten.ones_like.default", x, dtype=torch.int32)
    a("aten.full_like.default", x, 2)
    a("aten.fill.Scalar", x, 2)
    a("aten.fill.Tensor", x, torch.tensor(3.5))
    a("aten.copy.default", x, I(3))
    a("aten.scalar_tensor.default", 5)
    a("aten.arange.default", 5)
    a("aten.arange.default", 2.5)
    a("aten.arange.start", 2, 5)
    a("aten.arange.start_step", 5, -4, -3)
    a("aten.arange.start_step", 0.5, 2, 0.3)
    a("aten.arange.start_step", 1, 6, 2, dtype=torch.float32)
    a("aten.linspace.default", 0, 1, 5)
    a("aten.linspace.default", 3.0, -2.0, 4)
    a("aten.linspace.default", 3.0, -2.0, 1)
    a("aten.eye.default", 3)
    a("aten.eye.m", 2, 3, dtype=torch.int64)
    a("aten.eye.default", 3, dtype=torch.bool)
    a("aten.tril.default", R(3, 4))
    a("aten.tril.default", R(2, 3, 3), -1)
    a("aten.triu.default", R(3, 4), 1)
    a("aten.triu.default", B(3, 3))
    a("aten.tril_indices.default", 3, 4, 1)
    a("aten.triu_indices.default", 3, 4)
    a("aten.one_hot.default", L([0, 2, 1]), 4)
    a("aten.to.dtype", V(-1.7, 0.0, 2.9), torch.int32)
    a("aten.to.dtype", V(-0.7, 0.0, 2.9), torch.bool)
    a("aten.to.dtype", B(4), torch.float32)
    a("aten.to.dtype", V(0.1, 2.9), torch.float64)
    a("aten.to.dtype", V(0.5, 2.9), torch.complex64)
    a("aten.to.dtype", B(2, 3), torch.complex64)
    a("aten.to.dtype", torch.complex(R(3), R(3, seed=1)), torch.float32)
    a("aten.logspace.default", -1, 2, 4)
    a("aten.logspace.default", 0, 3, 1, 2.0)
    a("aten._to_copy.default", V(1.1, 3.3), dtype=torch.float16)
    a("aten._to_copy.default", V(1.1, 3.3), dtype=torch.bfloat16)
    a("aten.type_as.default", V(1.1, -3.3), I(2))
    a("aten.clone.default", x)
    a("aten.dropout.default", x, 0.5, False)
    a("aten.native_dropout.default", x, 0.5, False)
    a("aten.range.step", 1, 7, 2)
    a("aten.range.default", 0.5, 3.25)
    a("aten.range.step", 5, -1, -2, dtype=torch.int64)
    a("aten.linspace.Tensor_Tensor", torch.tensor(-1.0), torch.tensor(2.5), 6)
    a("aten.linspace.Tensor_Scalar", torch.tensor(-1.0), 2, 1)
    a("aten.linspace.Scalar_Tensor", 3, torch.tensor(0.5), 4)
    for n in (1, 6):
        for p in (True, False):
            a("aten.bartlett_window.periodic", n, p)
            a("aten.kaiser_window.periodic", n, p)
    a("aten.bartlett_window.default", 5)
    a("aten.kaiser_window.default", 5)
    a("aten.kaiser_window.beta", 7, False, 4.5)


@family
def reductions(a):
    x, i = R(2, 3, 4), I(2, 3)
    for op in ("sum", "mean"):
        name = "aten.%s.dim%s" % (op, "_IntList" if op == "sum" else "")
        a("aten.%s.default" % op, x)
        a(name, x, [1])
        a(name, x, [0, -1], True)
        a(name, x, [])
        a(name, x, None)
        a(name, i, [1], dtype=torch.float32)
    a("aten.sum.default", B(2, 3))
    a("aten.sum.dim_IntList", V(100, 100, dtype=torch.int8), [0])
    a("aten.sum.default", torch.tensor(2.5))
    a("aten.prod.default", R(4))
    a("aten.prod.dim_int", i, 1)
    for op in ("amax", "amin"):
        a("aten.%s.default" % op, x, [1])
        a("aten.%s.default" % op, x)
        a("aten.%s.default" % op, i, [0, 1], True)
    a("aten.max.default", x)
    a("aten.min.default", i)
    for op in ("any", "all"):
        a("aten.%s.default" % op, B(2, 3))
        a("aten.%s.dim" % op, I(2, 3, low=0, high=2), 1)
        a("aten.%s.dim" % op, V(0.0, 0.5, 1.0).reshape(3, 1), 0, True)
        a("aten.%s.dims" % op, B(2, 3), [0, 1])
    a("aten.aminmax.default", x)
    a("aten.aminmax.default", x, dim=1, keepdim=True)
    for op in ("var", "std"):
        a("aten.%s.correction" % op, x, [1])
        a("aten.%s.correction" % op, x, None, correction=0)
        a("aten.%s.correction" % op, x, [0, 2], correction=2, keepdim=True)
        a("aten.%s.dim" % op, x, [1], False)
        a("aten.%s_mean.correction" % op, x, [2], correction=1)
    a("aten.logsumexp.default", x, [1])
    a("aten.logsumexp.default", V(-inf, -inf, 100.0, 100.0).reshape(2, 2), [1], True)
    a("aten.count_nonzero.default", i)
    a("aten.count_nonzero.default", i, 0)
    a("aten.nansum.default", V(1.0, nan, 2.0))
    a("aten.nanmean.default", V(1.0, nan, 2.0))
    for p in (2.0, 1.0, inf, -inf, 0.0, 3.0):
        a("aten.linalg_vector_norm.default", x, p, [1])
    a("aten.linalg_vector_norm.default", x)
    a("aten.norm.ScalarOpt_dim", x, 2, [1], True)
    a("aten.norm.Scalar", x, 1)
    a("aten._is_all_true.default", B(3))
    a("aten._is_any_true.default", B(3))
    a("aten.sum_to_size.default", R(2, 3, 4), [3, 1])
    a("aten.sum_to_size.default", R(2, 3), [2, 3])
    for dim in (-1, 0):
        a("aten.trapezoid.dx", R(3, 4), dx=0.5, dim=dim)
        a("aten.cumulative_trapezoid.dx", R(3, 4), dim=dim)
        a("aten.trapezoid.x", R(3, 4), R(3, 4, seed=1), dim=dim)
    a("aten.trapezoid.x", R(3, 4), V(0.0, 1.0, 1.5), dim=0)
    a("aten.cumulative_trapezoid.x", R(3, 4), V(0.0, 1.0, 1.5, 4.0))
    a("aten.trapz.x", R(4), V(0.0, 1.0, 1.5, 4.0))
    a("aten.trapezoid.dx", I(4))
    for p in (2, 1, 3.0, inf):
        a("aten.renorm.default", R(2, 3, 4), p, 1, 2.5)


@family
def sorting(a):
    x, t = R(2, 5), V(2.0, 1.0, 2.0, 3.0, 1.0)
    a("aten.sort.default", x)
    a("aten.sort.default", x, 0, True)
    a("aten.sort.stable", t, stable=True)
    a("aten.sort.stable", t, stable=True, descending=True)
    a("aten.msort.default", x)
    a("aten.argsort.default", x, 1, True)
    a("aten.topk.default", x, 2)
    a("aten.topk.default", x, 2, 1, False)
    a("aten.kthvalue.default", x, 2)
    a("aten.kthvalue.default", x, 4, 1, True)
    a("aten.median.dim", R(2, 4), 1)
    a("aten.median.dim", x, 1, True)
    a("aten.median.default", R(2, 2))
    missing = torch.tensor([[1.0, nan, 3.0, 2.0, inf], [nan, nan, nan, nan, nan], [4.0, 2.0, 0.5, -1.0, nan]])
    a("aten.nanmedian.dim", missing[::2], 1)
    a("aten.nanmedian.dim", missing[::2].mT.contiguous(), 0, True)
    a("aten.nanmedian.default", missing)
    a("aten.nanmedian.default", missing[1])
    for op in ("argmax", "argmin"):
        a("aten.%s.default" % op, x)
        a("aten.%s.default" % op, x, 0)
        a("aten.%s.default" % op, x, -1, True)
        a("aten.%s.default" % op, t)
    for op in ("max.dim", "min.dim"):
        a("aten.%s" % op, x, 1)
        a("aten.%s" % op, x, 0, True)
    a("aten.bucketize.Tensor", V(0.5, 1.0, 3.5), V(0.0, 1.0, 2.0))
    a("aten.bucketize.Tensor", V(0.5, 1.0, 3.5), V(0.0, 1.0, 2.0), right=True, out_int32=True)
    a("aten.searchsorted.Tensor", V(0.0, 1.0, 2.0, 1.0, 1.5, 4.0).reshape(2, 3), V(1.0, 2.0, 0.0, 1.5).reshape(2, 2))
    a("aten.searchsorted.Tensor", V(0.0, 1.0, 2.0), V(1.0, 5.0), side="right")
    a("aten.searchsorted.Scalar", V(0.0, 1.0, 2.0), 1.5)
    a("aten.cumsum.default", R(2, 3), 1)
    a("aten.cumsum.default", B(4), 0)
    a("aten.cumsum.default", I(4, dtype=torch.int32), 0)
    a("aten.cumprod.default", R(2, 3), 1)
    a("aten.cumprod.default", R(3, 2), 0)
    a("aten.cummax.default", t, 0)
    a("aten.cummax.default", R(3, 2), 0)
    a("aten.cummin.default", I(2, 4), 1)
    a("aten.logcumsumexp.default", V(-inf, 1.0, 3.0, -2.0), 0)
    a("aten.diff.default", R(2, 4))
    a("aten.diff.default", R(4), 2)
    a("aten.diff.default", R(2, 3), 1, 0, R(1, 3), R(1, 3, seed=2))
    a("aten.histc.default", V(1.0, 2.0, 1.0, 0.0, 3.0, 5.0), 4, 0, 3)
    a("aten.histc.default", V(1.0, 2.0, 1.0, 0.0), 4)
    a("aten.unique_consecutive.default", L([1, 1, 2, 2, 2, 1, 3]), True, True)
    a("aten.unique_consecutive.default", L([[1, 1, 2], [2, 3, 3]]), True, True)
    a("aten.unique_consecutive.default", L([]), True, True)
    a("aten.unique_consecutive.default", V(0.5, 0.5, 1.5), True, True, 0)
    holes = V(3.0, nan, 1.0, 2.0, nan, 5.0, nan, nan, nan, 1.5, -1.0, nan).reshape(3, 4)
    a("aten.nanquantile.scalar", holes, 0.3, 1)
    a("aten.nanquantile.scalar", holes, 0.5)
    a("aten.nanquantile.scalar", holes, 0.7, 0, True)
    a("aten.nanquantile.default", holes, V(0.1, 0.9), 1, True)
    a("aten.nanquantile.default", holes, V(0.25, 0.5), interpolation="nearest")


@family
def convolution(a):
    x, w = R(1, 2, 5, 4), R(3, 2, 3, 2)
    a("aten.conv2d.default", x, w, R(3))
    a("aten.conv2d.default", x, w, None, [2, 1], [1, 1], [1, 2])
    a("aten.conv2d.default", R(2, 5, 4), w)
    a("aten.conv2d.default", x, R(4, 1, 2, 2), R(4), [1], [0], [1], 2)
    a("aten.conv2d.padding", x, w, None, [1, 1], "same", [2, 1])
    a("aten.conv1d.default", R(1, 2, 6), R(2, 2, 3), R(2), [2], [1])
    a("aten.conv1d.padding", R(1, 2, 6), R(2, 2, 4), None, [1], "same")
    a("aten.conv1d.padding", R(1, 2, 6), R(2, 2, 4), None, [2], "valid")
    a("aten.conv3d.default", R(1, 1, 3, 3, 3), R(1, 1, 2, 2, 2))
    a("aten.conv_transpose2d.input", R(1, 2, 2, 3), R(2, 2, 2, 2), R(2), [2, 2], [1, 0], [1, 1])
    a("aten.conv_transpose2d.input", R(1, 4, 2, 2), R(4, 1, 2, 2), None, [1, 1], [0, 0], [0, 0], 2, [2, 1])
    a("aten.conv_transpose1d.default", R(1, 2, 3), R(2, 1, 3), None, [2], [1])
    a("aten.conv_transpose3d.input", R(1, 1, 2, 2, 2), R(1, 1, 2, 2, 2))
    a("aten.convolution.default", x, w, R(3), [1, 1], [1, 0], [1, 1], False, [0, 0], 1)
    a("aten.convolution.default", R(1, 2, 2, 3), R(2, 2, 2, 2), R(2), [2, 2], [0, 0], [1, 1], True, [1, 0], 1)
    a("aten.im2col.default", R(1, 2, 3, 4), [2, 2], [1, 2], [0, 1], [2, 1])
    a("aten.im2col.default", R(2, 3, 3), [2, 2], [1, 1], [0, 0], [1, 1])
    a("aten.col2im.default", R(1, 8, 4), [3, 3], [2, 2], [1, 1], [0, 0], [1, 1])
    a("aten.conv_tbc.default", R(5, 2, 3), R(3, 3, 4), R(4), 1)
    a("aten.conv_tbc.default", R(5, 2, 3), R(2, 3, 4), R(4))


@family
def pooling(a):
    x = R(1, 2, 5, 6)
    a("aten.max_pool1d.default", R(1, 2, 6), [2])
    a("aten.max_pool2d.default", x, [2, 2])
    a("aten.max_pool2d.default", x, [3, 3], [2, 2], [1, 1], [1, 1], True)
    a("aten.max_pool2d.default", x, [2, 2], [1, 2], [0, 0], [2, 1])
    a("aten.max_pool2d.default", R(2, 4, 4), [2], [])
    a("aten.max_pool2d_with_indices.default", x, [3, 2], [2, 2], [1, 0])
    a("aten.max_pool2d_with_indices.default", x, [2, 2], [2, 2], [0, 0], [1, 1], True)
    a("aten.max_pool3d.default", R(1, 1, 3, 4, 4), [2, 2, 2])
    a("aten.max_pool3d_with_indices.default", R(1, 1, 2, 4, 4), [2, 2, 2])
    a("aten.avg_pool1d.default", R(1, 2, 6), [3], [2], [1])
    a("aten.avg_pool2d.default", x, [2, 2])
    a("aten.avg_pool2d.default", x, [3, 3], [2, 2], [1, 1])
    a("aten.avg_pool2d.default", x, [3, 3], [2, 2], [1, 1], False, False)
    a("aten.avg_pool2d.default", x, [3, 3], [2, 2], [1, 1], True)
    a("aten.avg_pool2d.default", R(1, 1, 4, 4), [2, 2], [3, 3], [1, 1], True)
    a("aten.avg_pool2d.default", x, [2, 2], [2, 2], [0, 0], True, False)
    a("aten.avg_pool2d.default", x, [2, 2], [2, 2], [1, 1], False, True, 3)
    a("aten.avg_pool3d.default", R(1, 1, 3, 4, 4), [2, 2, 2])
    a("aten.adaptive_avg_pool1d.default", R(1, 2, 7), [3])
    a("aten.adaptive_avg_pool2d.default", x, [1, 1])
    a("aten.adaptive_avg_pool2d.default", x, [3, 4])
    a("aten._adaptive_avg_pool2d.default", R(2, 5, 6), [2, 3])
    a("aten._adaptive_avg_pool3d.default", R(1, 1, 3, 4, 4), [2, 3, 2])
    a("aten.adaptive_max_pool1d.default", R(1, 2, 7), [3])
    a("aten.adaptive_max_pool2d.default", x, [3, 4])
    a("aten.adaptive_max_pool3d.default", R(1, 1, 3, 4, 4), [2, 3, 2])
    p, at = torch.nn.functional.max_pool2d(R(2, 3, 4, 6), 2, return_indices=True)
    a("aten.max_unpool2d.default", p, at, [4, 6])
    a("aten.max_unpool2d.default", p[0], at[0], [5, 6])
    p, at = torch.nn.functional.max_pool3d(R(1, 2, 4, 4, 2), 2, return_indices=True)
    a("aten.max_unpool3d.default", p, at, [4, 4, 2], [2, 2, 2], [0, 0, 0])


@family
def normalization(a):
    x, c = R(2, 4, 3), R(4, low=0.5)
    m, v = R(4, seed=2), R(4, seed=3, low=0.2)
    a("aten.batch_norm.default", x, c, R(4, seed=1), m, v, False, 0.1, 1e-5, True)
    a("aten.batch_norm.default", x, None, None, m, v, False, 0.1, 1e-3, True)
    a("aten.batch_norm.default", x, c, R(4, seed=1), None, None, True, 0.1, 1e-5, True)
    a("aten._native_batch_norm_legit_no_training.default", x, c, R(4, seed=1), m, v, 0.1, 1e-5)
    a("aten._native_batch_norm_legit_functional.default", x, c, R(4, seed=1), m, v, True, 0.3, 1e-5)
    a("aten._native_batch_norm_legit.no_stats", x, c, R(4, seed=1), True, 0.1, 1e-5)
    a("aten.instance_norm.default", R(2, 4, 3, 2), c, R(4, seed=1), None, None, True, 0.1, 1e-5, True)
    a("aten.instance_norm.default", R(2, 4, 3), None, None, m, v, False, 0.1, 1e-5, True)
    a("aten.layer_norm.default", R(2, 3, 4), [4], c, R(4, seed=1))
    a("aten.layer_norm.default", R(2, 3, 4), [3, 4], None, None, 1e-3)
    a("aten.native_layer_norm.default", R(2, 3, 4), [4], c, None, 1e-5)
    a("aten.rms_norm.default", R(2, 4), [4], c)
    a("aten.rms_norm.default", R(2, 3, 4), [3, 4], None, 1e-2)
    a("aten.group_norm.default", x, 2, c, R(4, seed=1))
    a("aten.group_norm.default", R(2, 4), 2)
    a("aten.native_group_norm.default", x, c, None, 2, 4, 3, 2, 1e-5)
    a("aten._weight_norm.default", R(3, 2, 2), R(3, 1, 1))


@family
def products(a):
    x, y = R(2, 3), R(3, 2)
    a("aten.linear.default", R(2, 2, 3), R(4, 3), R(4))
    a("aten.linear.default", R(3), R(4, 3))
    a("aten.matmul.default", x, y)
    a("aten.matmul.default", R(3), y)
    a("aten.matmul.default", R(2, 2, 3), R(3, seed=1))
    a("aten.matmul.default", R(2, 1, 2, 3), R(2, 3, 2))
    a("aten.mm.default", x, y)
    a("aten.bmm.default", R(2, 2, 3), R(2, 3, 2))
    a("aten.mv.default", x, R(3))
    a("aten.dot.default", R(3), R(3, seed=1))
    a("aten.outer.default", R(2), R(3))
    a("aten.addmm.default", R(2), x, y)
    a("aten.addmm.default", R(2, 2), x, y, beta=0.5, alpha=2)
    a("aten.addmm.default", V(nan, nan), x, y, beta=0)
    a("aten.baddbmm.default", R(2, 2), R(2, 2, 3), R(2, 3, 2), beta=2, alpha=0.5)
    a("aten.addmv.default", R(2), x, R(3))
    a("aten.addbmm.default", R(2, 2), R(2, 2, 3), R(2, 3, 2))
    a("aten.addr.default", R(2, 3), R(2), R(3))
    a("aten.einsum.default", "bij,bjk->bik", [R(2, 2, 3), R(2, 3, 2)])
    a("aten.einsum.default", "ij, jk", [x, y])
    a("aten.einsum.default", "...ij,...kj->...ik", [R(2, 1, 2, 3), R(3, 2, 3)])
    a("aten.einsum.default", "ii->i", [R(3, 3)])
    a("aten.bilinear.default", R(2, 3), R(2, 2), R(4, 3, 2), R(4))
    a("aten.bilinear.default", R(2, 2, 3), R(2, 2, 2), R(3, 3, 2))
    a("aten.tensordot.default", R(2, 3, 4), R(4, 3, 2), [1, 2], [1, 0])
    a("aten.tensordot.default", R(2, 3), R(2, 3, seed=2), [0, 1], [0, 1])
    a("aten.matrix_power.default", R(2, 2), 3)
    a("aten.matrix_power.default", R(2, 2), 0)
    a("aten.matrix_power.default", R(2, 2), -1)
    for p in (2.0, 1.0, 3.0, inf):
        a("aten.cdist.default", R(2, 3), R(4, 3), p)
    a("aten._pdist_forward.default", R(4, 2), 2.0)
    a("aten.pairwise_distance.default", R(2, 3), R(2, 3, seed=1), 1.0)
    a("aten.cosine_similarity.default", R(2, 3), R(2, 3, seed=1), 1)
    a("aten.linalg_cross.default", R(2, 3), R(2, 3, seed=1))
    a("aten.linalg_cross.default", R(3, 2), R(3, 2, seed=1), dim=0)
    s = R(2, 3, 3) + 3 * torch.eye(3)
    a("aten.linalg_inv.default", s)
    a("aten.linalg_det.default", s)
    a("aten.linalg_det.default", R(4, 4))
    a("aten.linalg_solve_triangular.default", s, R(2, 3, 2), upper=True)
    a("aten.linalg_solve_triangular.default", s, R(2, 2, 3), upper=False, left=False)
    a("aten.linalg_solve_triangular.default", s, R(2, 3, 2), upper=False, unitriangular=True)
    a("aten.linalg_solve.default", s, R(2, 3, 2))
    a("aten.linalg_slogdet.default", R(2, 3, 3))
    a("aten.linalg_slogdet.default", R(4, 4))
    a("aten.slogdet.default", R(3, 3))
    a("aten.det.default", R(3, 3))
    a("aten._linalg_slogdet.default", R(3, 3))
    a("aten._linalg_det.default", R(3, 3))
    a("aten.linalg_inv_ex.default", s)
    a("aten.linalg_solve_ex.default", s, R(2, 3, 2))
    a("aten._linalg_solve_ex.default", s, R(2, 2, 3), left=False)
    positive = R(2, 3, 3) @ R(2, 3, 3).mT + 3 * torch.eye(3)
    a("aten.linalg_cholesky.default", positive)
    a("aten.linalg_cholesky_ex.default", positive, upper=True)
    a("aten.linalg_cholesky.default", positive[0], upper=True)
    a("aten.cholesky_solve.default", R(3, 2), torch.linalg.cholesky(positive[0]))
    a("aten.cholesky_solve.default", R(3, 2), torch.linalg.cholesky(positive[0], upper=True), True)
    a("aten.cholesky_inverse.default", torch.linalg.cholesky(positive[0]))
    a("aten.linalg_multi_dot.default", [R(2, 3), R(3, 4), R(4, 2)])
    for order in (1, -1, inf, -inf):
        a("aten.linalg_matrix_norm.default", R(2, 3, 4), order)
    a("aten.linalg_matrix_norm.default", R(2, 3, 4), 1, [2, 0], True)
    a("aten.linalg_matrix_norm.str_ord", R(2, 3, 4), "fro", [0, 1])
    a("aten.kron.default", R(2, 3), R(3, 2))
    a("aten.kron.default", R(2), R(2, 1, 2))
    a("aten.vander.default", R(3))
    a("aten.vander.default", I(3), 2, True)
    a("aten.linalg_vander.default", R(2, 3), N=4)
    a("aten.linalg_matmul.default", R(2, 3, 4), R(4, 2))
    a("aten.chain_matmul.default", [R(2, 3), R(3, 4), R(4, 2)])
    a("aten._int_mm.default", I(17, 8, low=-100, high=100, dtype=torch.int8), I(8, 8, low=-100, high=100, dtype=torch.int8))
    a("aten._euclidean_dist.default", R(3, 4), R(2, 4, seed=1))
    for p in (2, 1, 0, inf, 3.0):
        a("aten.dist.default", R(2, 3), R(3, seed=1), p)
    spd = R(2, 3, 3) + 3 * torch.eye(3)
    a("aten.logdet.default", spd)
    a("aten.logdet.default", torch.tensor([[0.0, 1.0], [1.0, 0.0]]))


@family
def attention(a):
    q, k, v = R(1, 2, 3, 4), R(1, 2, 5, 4, seed=1), R(1, 2, 5, 3, seed=2)
    op = "aten.scaled_dot_product_attention.default"
    a(op, q, k, v)
    a(op, q, k, v, R(3, 5))
    a(op, q, k, v, L([[1, 0, 1, 1, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 1]], dtype=torch.bool))
    a(op, q, k, v, None, 0.0, True)
    a(op, q, k, v, None, 0.0, False, scale=0.3)
    a(op, R(1, 4, 3, 4), k, v, None, 0.0, False, enable_gqa=True)
    a(op, R(3, 4), R(5, 4), R(5, 2))
    a("aten._scaled_dot_product_flash_attention_for_cpu.default", q, k, R(1, 2, 5, 4, seed=2))


@family
def recurrent(a):
    n, h = 3, 2

    def weights(gates, layers=1, both=False, biases=True, inputs=n, proj=0, seed=0):
        out = []
        for l in range(layers):
            for d in range(2 if both else 1):
                width = inputs if l == 0 else (proj or h) * (2 if both else 1)
                out += [R(gates * h, width, seed=seed + l + 5 * d), R(gates * h, proj or h, seed=seed + 1 + l + 5 * d)]
                if biases:
                    out += [R(gates * h, seed=seed + 2 + d), R(gates * h, seed=seed + 3 + d)]
                if proj:
                    out += [R(proj, h, seed=9)]
        return out

    x = R(2, 4, n)
    a("aten.lstm.input", x, [R(1, 2, h), R(1, 2, h, seed=1)], weights(4), True, 1, 0.0, False, False, True)
    a("aten.lstm.input", R(4, 2, n), [R(4, 2, h), R(4, 2, h, seed=1)], weights(4, 2, True), True, 2, 0.0, False, True, False)
    a("aten.lstm.input", x, [R(1, 2, h), R(1, 2, h, seed=1)], weights(4, biases=False), False, 1, 0.0, False, False, True)
    a("aten.lstm.input", x, [R(2, 2, 1), R(2, 2, h, seed=1)], weights(4, both=True, proj=1), True, 1, 0.0, False, True, True)
    a("aten.gru.input", x, R(1, 2, h), weights(3), True, 1, 0.0, False, False, True)
    a("aten.gru.input", R(4, 2, n), R(2, 2, h), weights(3, both=True), True, 1, 0.0, False, True, False)
    a("aten.rnn_tanh.input", x, R(2, 2, h), weights(1, 2), True, 2, 0.0, False, False, True)
    a("aten.rnn_relu.input", x, R(1, 2, h), weights(1), True, 1, 0.0, False, False, True)
    a("aten.lstm_cell.default", R(2, n), [R(2, h), R(2, h, seed=1)], R(8, n), R(8, h), R(8), R(8, seed=1))
    a("aten.gru_cell.default", R(2, n), R(2, h), R(6, n), R(6, h), R(6), R(6, seed=1))
    a("aten.gru_cell.default", R(2, n), R(2, h), R(6, n), R(6, h))
    a("aten.rnn_tanh_cell.default", R(2, n), R(2, h), R(2, n), R(2, h), R(2), R(2, seed=1))
    a("aten.rnn_relu_cell.default", R(2, n), R(2, h), R(2, n), R(2, h), R(2), R(2, seed=1))


@family
def resizing(a):
    x = R(1, 2, 3, 4)
    a("aten.upsample_nearest1d.vec", R(1, 2, 4), [6], None)
    a("aten.upsample_nearest2d.vec", x, None, [2.0, 1.5])
    a("aten.upsample_nearest2d.vec", x, [5, 3], None)
    a("aten.upsample_nearest2d.default", x, [6, 8], 2.0, 2.0)
    a("aten.upsample_nearest3d.vec", R(1, 1, 2, 2, 3), None, [2.0, 1.0, 2.0])
    a("aten._upsample_nearest_exact2d.vec", x, [5, 3], None)
    a("aten._upsample_nearest_exact1d.vec", R(1, 2, 5), [3], None)
    a("aten.upsample_linear1d.vec", R(1, 2, 4), [7], False, None)
    a("aten.upsample_linear1d.vec", R(1, 2, 4), [7], True, None)
    for aligned in (False, True):
        a("aten.upsample_bilinear2d.vec", x, [5, 6], aligned, None)
        a("aten.upsample_bilinear2d.vec", x, None, aligned, [1.7, 2.3])
        a("aten.upsample_bilinear2d.vec", x, [2, 2], aligned, None)
        a("aten.upsample_bicubic2d.vec", x, [5, 6], aligned, None)
        a("aten.upsample_trilinear3d.vec", R(1, 1, 2, 2, 3), [3, 3, 4], aligned, None)
    a("aten.upsample_bilinear2d.default", x, [6, 8], False, 2.0, 2.0)
    a("aten.upsample_bicubic2d.vec", x, None, False, [1.7, 2.3])
    a("aten._upsample_bilinear2d_aa.vec", R(1, 1, 6, 5), [3, 2], False, None)
    a("aten._upsample_bicubic2d_aa.vec", R(1, 1, 6, 5), [3, 2], False, None)
    a("aten._upsample_bicubic2d_aa.vec", R(1, 1, 4, 5), [6, 7], False, None)
    grid = R(1, 2, 2, 2, low=-1.3, high=1.3)
    for mode in range(3):
        for pad in range(3):
            a("aten.grid_sampler.default", R(1, 1, 3, 4), grid, mode, pad, (mode + pad) % 2 == 0)
    a("aten.grid_sampler.default", R(1, 1, 3, 3, 2), R(1, 1, 2, 2, 3, low=-1.3, high=1.3), 0, 0, False)
    a("aten.grid_sampler.default", R(1, 1, 3, 3, 2), R(1, 1, 2, 2, 3, low=-1.3, high=1.3), 1, 2, True)


@family
def padding(a):
    x = R(1, 2, 3, 4)
    a("aten.constant_pad_nd.default", x, [1, 2], 3)
    a("aten.constant_pad_nd.default", x, [1, -2, 0, 1, 1, 0])
    a("aten.constant_pad_nd.default", B(2, 2), [1, 0], True)
    a("aten.pad.default", x, [1, 2, 0, 1], "reflect")
    a("aten.pad.default", x, [1, 2, 0, 1], "replicate")
    a("aten.pad.default", x, [1, 2, 0, 1], "circular")
    a("aten.pad.default", x, [1, 0], "constant", 2.5)
    a("aten.reflection_pad1d.default", R(1, 2, 4), [2, 1])
    a("aten.reflection_pad2d.default", x, [1, 2, 1, 0])
    a("aten.reflection_pad3d.default", R(1, 1, 2, 3, 2), [1, 0, 1, 1, 0, 1])
    a("aten.replication_pad1d.default", R(1, 2, 4), [2, 1])
    a("aten.replication_pad2d.default", x, [1, 2, 1, 0])
    a("aten.replication_pad3d.default", R(1, 1, 2, 2, 2), [1, 0, 1, 1, 0, 1])
    for first in (True, False):
        for side in ("right", "left"):
            a("aten.pad_sequence.default", [R(3, 2), R(1, 2), R(2, 2)], first, 0.5, side)
    a("aten.pad_sequence.default", [I(2), I(4)])


@family
def embedding(a):
    w, i, o = R(5, 3), L([0, 2, 4, 1, 2]), L([0, 2, 2])
    a("aten.embedding.default", w, L([[0, 4], [2, 2]]), 2)
    for mode in range(3):
        a("aten._embedding_bag_forward_only.default", w, i, o, False, mode)
        a("aten._embedding_bag_forward_only.default", w, i, L([0, 3, 5]), False, mode, False, None, True)
    a("aten._embedding_bag_forward_only.default", w, i, o, False, 0, False, R(5, seed=3))
    a("aten._embedding_bag_forward_only.default", w, i, o, False, 1, False, None, False, 2)
    a("aten._embedding_bag_forward_only.default", w, i, o, False, 2, False, None, False, 2)


@family
def losses(a):
    x, y = R(2, 3), R(2, 3, seed=5)
    for red in range(3):
        a("aten.mse_loss.default", x, y, red)
        a("aten.nll_loss_nd.default", x, L([2, 0]), None, red)
        a("aten.cross_entropy_loss.default", x, L([2, 0]), None, red)
    a("aten.l1_loss.default", x, y)
    a("aten.smooth_l1_loss.default", x, y, 1, 0.5)
    a("aten.huber_loss.default", x, y, 1, 0.5)
    a("aten.binary_cross_entropy_with_logits.default", x, y.sigmoid().round(decimals=2), R(3, low=0.5), R(3, seed=1, low=0.5))
    a("aten.binary_cross_entropy.default", x.sigmoid().round(decimals=2), y.sigmoid().round(decimals=2))
    a("aten.kl_div.default", x, y.sigmoid().round(decimals=2), 2)
    a("aten.kl_div.default", x, y, 1, log_target=True)
    w = V(0.5, 1.0, 2.0)
    a("aten.nll_loss_nd.default", R(3, 3), L([2, -100, 1]), w)
    a("aten.nll_loss_nd.default", R(2, 3, 2), L([[2, 0], [1, 1]]), w, 1, 1)
    a("aten.nll_loss_forward.default", R(3, 3), L([2, 0, 1]), w, 1, -100)
    a("aten.cross_entropy_loss.default", R(3, 3), L([2, -100, 1]), w, 1, -100, 0.1)
    a("aten.cross_entropy_loss.default", R(3, 3), L([2, -100, 1]), None, 0, -100, 0.2)
    a("aten.cross_entropy_loss.default", R(2, 3, 2), L([[2, 0], [1, 1]]), None, 1)
    a("aten.cross_entropy_loss.default", x, V(0.2, 0.3, 0.5, 0.1, 0.8, 0.1).reshape(2, 3), w, 1, -100, 0.1)
    a("aten.cross_entropy_loss.default", R(3), torch.tensor(1))
    x, y, sign = R(3, 4), R(3, 4, seed=1), V(1.0, -1.0, 1.0)
    signs = torch.where(B(3, 4), 1.0, -1.0)
    for r in (0, 1, 2):
        a("aten.poisson_nll_loss.default", x, y.abs() * 3, True, False, 1e-8, r)
        a("aten.margin_ranking_loss.default", x, y, signs, 0.3, r)
        a("aten.hinge_embedding_loss.default", x, signs, 1.0, r)
        a("aten.soft_margin_loss.default", x, signs, r)
        a("aten.triplet_margin_loss.default", x, y, R(3, 4, seed=2), 1.0, 2.0, 1e-6, False, r)
        a("aten.cosine_embedding_loss.default", x, y, sign, 0.1, r)
        a("aten.multi_margin_loss.default", x, L([0, 3, 1]), 1, 1.0, None, r)
    a("aten.poisson_nll_loss.default", x.abs(), y.abs() * 3, False, True, 1e-8, 1)
    a("aten.triplet_margin_loss.default", x, y, R(3, 4, seed=2), 0.5, 3.0, 1e-6, True, 0)
    a("aten.triplet_margin_loss.default", x, y, R(3, 4, seed=2), 0.5, 1.0, 1e-6, True, 1)
    a("aten.multi_margin_loss.default", x, L([0, 3, 1]), 2, 0.5, V(1.0, 2.0, 0.5, 1.5), 1)
    a("aten.multi_margin_loss.default", x[0], torch.tensor(2), 1, 1.0, None, 1)
    a("aten.cosine_embedding_loss.default", x[0], y[0], torch.tensor(-1.0), 0.0, 1)


@family
def detection(a):
    boxes = V(0.0, 0.0, 4.0, 4.0, 1.0, 1.0, 5.0, 5.0, 6.0, 6.0, 9.0, 9.0, 0.5, 0.0, 4.0, 4.0).reshape(4, 4)
    a("torchvision.nms.default", boxes, V(0.5, 0.9, 0.3, 0.8), 0.4)
    a("torchvision.nms.default", boxes, V(0.5, 0.9, 0.3, 0.8), 0.2)
    x, rois = R(2, 2, 6, 6), V(0.0, 0.5, 0.5, 4.0, 5.0, 1.0, 1.0, 2.0, 8.0, 7.0).reshape(2, 5)
    a("torchvision.roi_align.default", x, rois, 0.5, 2, 3, 2, False)
    a("torchvision.roi_align.default", x, rois, 0.5, 2, 2, -1, True)
    a("torchvision.ps_roi_align.default", R(2, 4, 6, 6), rois, 0.5, 2, 2, 2)
    a("torchvision.roi_pool.default", x, rois, 0.5, 2, 2)
    off = R(1, 8, 3, 3, low=-0.6, high=0.6)
    a("torchvision.deform_conv2d.default", R(1, 2, 4, 4), R(2, 2, 2, 2), off, R(1, 4, 3, 3, low=0), R(2), 1, 1, 0, 0, 1, 1, 1, 1, True)
    a("torchvision.deform_conv2d.default", R(1, 2, 4, 4), R(2, 1, 2, 2), off, torch.zeros(1, 1), R(2), 1, 1, 0, 0, 1, 1, 2, 1, False)


@family
def quantized(a):
    x = R(2, 3)
    import torch.ao.quantization.fx._decomposed  # noqa: F401
    q = "quantized_decomposed."
    a(q + "quantize_per_tensor.default", x, 0.05, 3, -128, 127, torch.int8)
    a(q + "quantize_per_tensor.default", x, 0.01, 128, 0, 255, torch.uint8)
    a(q + "dequantize_per_tensor.default", I(2, 3, low=-128, high=127, dtype=torch.int8), 0.05, 3, -128, 127, torch.int8)
    a(q + "quantize_per_channel.default", x, V(0.05, 0.1), L([0, 3]), 0, -128, 127, torch.int8)
    a(q + "dequantize_per_channel.default", I(2, 3, low=-128, high=127, dtype=torch.int8), V(0.05, 0.1, 0.2), L([0, 3, 1]), 1,
      -128, 127, torch.int8)
    a("aten.fake_quantize_per_tensor_affine.default", x, 0.1, 2, -10, 10)
    a("aten.fake_quantize_per_channel_affine.default", x, V(0.1, 0.3), V(2, 0, dtype=torch.int32), 0, -10, 10)


@family
def spectra(a):
    x = R(2, 6)
    for norm in (None, "ortho", "forward"):
        a("aten.fft_rfft.default", x, None, -1, norm)
        a("aten.fft_irfft.default", torch.complex(R(2, 4), R(2, 4, seed=1)), None, -1, norm)
    a("aten.fft_rfft.default", x, 4)
    a("aten.fft_rfft.default", x, None, 0)
    a("aten.fft_irfft.default", torch.complex(R(2, 4), R(2, 4, seed=1)), 7)
    a("aten.fft_fft.default", x)
    a("aten.fft_ifft.default", torch.complex(R(5), R(5, seed=1)))
    a("aten._fft_r2c.default", x, [0, 1], 0, True)
    a("aten._fft_r2c.default", x, [1], 1, False)
    a("aten._fft_c2r.default", torch.complex(R(2, 4), R(2, 4, seed=1)), [1], 2, 6)
    a("aten._fft_c2c.default", torch.complex(R(2, 3), R(2, 3, seed=1)), [0, 1], 0, True)
    a("aten.real.default", torch.complex(R(3), R(3, seed=1)))
    a("aten.imag.default", torch.complex(R(3), R(3, seed=1)))
    a("aten.complex.default", R(3), R(3, seed=1))
    a("aten.view_as_real.default", torch.complex(R(3), R(3, seed=1)))
    a("aten.view_as_complex.default", R(3, 2))
    a("aten.stft.default", R(1, 16), 8, 4, 8, torch.hann_window(8), False, True, True)
    a("aten.stft.default", R(12), 8, 2, 6, torch.hann_window(6), True, True, True)
    a("aten.stft.default", R(2, 12), 8, 4, 8, torch.hann_window(8), False, False, True)
    a("aten.stft.default", R(12), 7, 3, 7, torch.hann_window(7), False, False, True)
    z, w = torch.complex(R(2, 4), R(2, 4, seed=1)), torch.complex(R(2, 4, seed=2), R(2, 4, seed=3))
    s = torch.stft(R(2, 24), 8, 2, 8, torch.hann_window(8), return_complex=True)
    a("aten.istft.default", s, 8, 2, 8, torch.hann_window(8))
    a("aten.istft.default", s, 8, 2, 8, torch.hann_window(8), True, True, True, 21)
    a("aten.istft.default", s[0], 8, 2, 6, torch.hamming_window(6), True, False, None, 26)
    a("aten.istft.default", torch.stft(R(2, 24), 8, 2, 8, torch.hann_window(8), onesided=False, return_complex=True), 8, 2, 8, torch.hann_window(8))
    a("aten.istft.default", torch.stft(R(2, 24), 8, 4, 8, torch.ones(8), center=False, return_complex=True), 8, 4, 8, None, False)
    for norm in (None, "ortho", "forward"):
        a("aten.fft_hfft.default", z, None, -1, norm)
        a("aten.fft_ihfft.default", x, None, -1, norm)
        a("aten.fft_hfft2.default", z, None, [-2, -1], norm)
        a("aten.fft_ihfft2.default", x, None, [-2, -1], norm)
    a("aten.fft_hfft.default", z, 5, -1)
    a("aten.fft_ihfft.default", x, 8, 0)
    a("aten.fft_hfftn.default", z, [2, 7])
    a("aten.fft_hfftn.default", z, [3, 6])
    a("aten.fft_ihfftn.default", x, [3, -1])
    a("aten.fft_rfft2.default", x, [4, 8])
    a("aten.fft_rfftn.default", x, [4])
    a("aten.fft_irfft2.default", z, [3, 5])
    a("aten.fft_irfftn.default", z, [-1, 5], None, "ortho")
    a("aten.fft_fftn.default", z, [3, 5])
    a("aten.fft_ifft2.default", z, [2, -1])
    for n in (1, 6, 7):
        a("aten.fft_fftfreq.default", n)
        a("aten.fft_rfftfreq.default", n, 0.25)
    a("aten.polar.default", R(2, 3, low=0.1), R(2, 3, seed=1))
    a("aten._conj.default", z)
    a("aten.conj.default", x)
    a("aten.conj_physical.default", z)
    a("aten.resolve_conj.default", z)
    a("aten.mH.default", z)
    a("aten.matrix_H.default", z)
    a("aten.adjoint.default", R(2, 3, 4))
    a("aten.add.Tensor", z, w, alpha=2)
    a("aten.add.Tensor", z, R(4))
    a("aten.add.Tensor", z, 1.5)
    a("aten.sub.Tensor", R(2, 1), z)
    a("aten.rsub.Scalar", z, 2)
    a("aten.mul.Tensor", z, 2j)
    a("aten.mul.Tensor", R(2, 4), 1 - 2j)
    a("aten.add.Tensor", x, 1j)
    a("aten.div.Tensor", z, w)
    a("aten.div.Tensor", R(4), w)
    a("aten.reciprocal.default", z)
    a("aten.exp.default", z)
    a("aten.square.default", z)
    a("aten.pow.Tensor_Scalar", z, 2)
    a("aten.pow.Tensor_Scalar", z, 0.5)
    a("aten.sgn.default", torch.complex(V(3.0, 0.0, -1.0), V(4.0, 0.0, 0.0)))
    a("aten.neg.default", z)
    a("aten.sum.default", z)
    a("aten.sum.dim_IntList", z, [-1], True)
    a("aten.mean.dim", z, [0])
    a("aten.matmul.default", z, torch.complex(R(4, 3), R(4, 3, seed=1)))
    a("aten.mm.default", z, torch.complex(R(4, 3), R(4, 3, seed=1)))
    a("aten.vdot.default", z[0], w[0])
    a("aten.dot.default", z[0], w[0])
    a("aten.einsum.default", "ij,kj->ik", [z, w])
    a("aten.where.self", B(2, 4), z, w)
    a("aten.masked_fill.Scalar", z, B(2, 4), 0.5)
    a("aten.flip.default", z, [-1])
    a("aten.roll.default", z, [1], [-1])
    a("aten.repeat.default", z, [2, 1])
    a("aten.cat.default", [z, w], -1)
    a("aten.stack.default", [z, w], -1)


@family
def special(a):
    x = V(-6.5, -2.25, -1.0, -0.3, 0.0, 0.2, 0.5, 1.0, 2.75, 5.5, 12.0, 40.0)
    for op in ("digamma", "special_psi", "special_digamma", "special_i0", "special_i0e", "special_i1", "special_i1e", "special_log_ndtr"):
        a("aten.%s.default" % op, x)
    a("aten.special_log_ndtr.default", V(-30.0, -5.0, 0.3, 1.2, 3.0, 6.0))
    a("aten.special_i0e.default", V(100.0, -3.7, 3.8))
    for op in ("i0", "i0e", "i1", "i1e"):
        a("aten.special_%s.default" % op, V(nan, 2.0))
    a("aten.special_erfcx.default", V(-2.0, -0.5, 0.0, 0.3, 1.0, 4.0, 30.0))
    a("aten.special_ndtri.default", V(0.0, 1e-6, 0.01, 0.3, 0.5, 0.8, 0.999, 1.0))
    a("aten.special_polygamma.default", 0, V(0.3, 2.0, 7.5))
    a("aten.special_polygamma.default", 1, V(-6.5, -2.25, -0.3, 0.0, 0.2, 0.5, 1.0, 5.5, 40.0))
    a("aten.polygamma.default", 1, V(0.3, 2.0, 7.5))
    a("aten.special_xlog1py.default", V(0.0, 2.0, 0.0, 1.0), V(-1.0, 3.0, nan, 2.0))
    a("aten.special_xlog1py.other_scalar", V(0.0, 2.0), 0.5)
    a("aten.special_xlog1py.self_scalar", 2.0, V(0.0, 2.0))
    a("aten.special_multigammaln.default", V(3.0, 4.5, 10.0), 3)
    a("aten.mvlgamma.default", V(1.0, 2.5), 2)
    a("aten.special_round.default", V(1.256, -2.5, 3.5), decimals=2)
    x = V(-8.3, -2.25, -1.0, -0.0, 0.0, 0.01, 0.5, 1.0, 2.4, 3.99, 4.01, 5.5, 12.0, 40.0, 977.5, inf, nan)
    for op in ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
               "scaled_modified_bessel_k1", "spherical_bessel_j0"):
        a("aten.special_%s.default" % op, x)
    a("aten.special_bessel_y1.default", V(1, 2, 3, dtype=torch.int64))
    a("aten.special_zeta.default", V(1.5, 2.0, 3.0, 10.0, 1.0, 0.5, 30.0, 2.0, 2.0, 2.5, 3.0, 4.0), V(2.0, 1.0, 0.25, 3.5, 2.0, 2.0, 40.0, -2.0, 0.0, -0.5, -3.25, -8.5))
    a("aten.special_zeta.default", R(2, 1, low=1.1, high=4), R(3, low=0.1, high=9))
    a("aten.special_zeta.other_scalar", V(1.25, 4.0, 100.0), 1.5)
    a("aten.special_zeta.self_scalar", 3.0, V(0.1, 7.0, 200.0))
    for n in (2, 3, 4, 5, 9):
        a("aten.polygamma.default", n, V(-6.5, -2.25, -1.0, -0.3, 0.0, 0.05, 0.5, 1.0, 5.5, 40.0))
    a("aten.special_polygamma.default", 2, V(1, 2, 3, dtype=torch.int64))
    x = V(-1.5, -1.0, -0.3, 0.0, 0.25, 0.8, 1.0, 1.75)
    for op in ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w", "hermite_polynomial_h",
               "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"):
        for n in (0, 1, 2, 5):
            a("aten.special_%s.n_scalar" % op, x, n)
        a("aten.special_%s.n_scalar" % op, x, -1)
    for kind in "tuvw":
        for n in (0, 1, 4):
            a("aten.special_shifted_chebyshev_polynomial_%s.n_scalar" % kind, V(0.0, 0.1, 0.5, 0.9, 1.0, 1.25), n)
    a("aten.frexp.Tensor", V(-6.5, 0.0, 0.5, 1.0, 2.0, 0.96875, 4096.0, 1e-20, 3e38, inf, 0.1, -1e30))
    a("aten.nextafter.default", V(1.0, 1.0, -1.0, 2.0, 1e-20, 3.4028234663852886e+38, -inf, 5.0, nan, 0.1), V(2.0, 0.0, 0.0, 3.0, -1.0, inf, 0.0, 5.0, 1.0, inf))


@family
def composites(a):
    x = R(2, 3)
    a("aten.ravel.default", x)
    a("aten.inner.default", R(2, 3), R(4, 3))
    a("aten.inner.default", R(3), R(3, seed=1))
    a("aten.linalg_vecdot.default", x, R(2, 3, seed=1))
    a("aten.trace.default", R(3, 4))
    a("aten.hsplit.int", R(2, 4), 2)
    a("aten.hsplit.array", R(5), [1, 3])
    a("aten.vsplit.int", R(4, 2), 2)
    a("aten.dsplit.array", R(1, 2, 3), [2])
    a("aten.linalg_norm.default", x)
    a("aten.linalg_norm.default", x, 3, [1], True)
    a("aten.linalg_norm.default", x, inf, [0])
    for aligned in (False, True):
        a("aten.affine_grid_generator.default", R(2, 2, 3), [2, 1, 2, 3], aligned)
        a("aten.affine_grid_generator.default", R(1, 3, 4), [1, 1, 2, 1, 3], aligned)
    for how in ("linear", "lower", "higher", "nearest", "midpoint"):
        a("aten.quantile.scalar", R(2, 5), 0.4, 1, interpolation=how)
    a("aten.quantile.default", R(2, 5), V(0.1, 0.9), 1, True)
    a("aten.quantile.default", R(2, 5), V(0.5))
    a("aten.hann_window.default", 5)
    a("aten.hann_window.periodic", 5, False)
    a("aten.hamming_window.default", 4)
    a("aten.blackman_window.default", 6)
    a("aten.special_ndtr.default", x)
    a("aten._unique2.default", L([[3, 1, 3], [2, 1, 5]]), True, True, True)
    a("aten.unique_dim.default", L([[3, 1], [2, 1], [3, 1]]), 0, True, True, True)
    a("aten.bincount.default", L([0, 3, 1, 3]), None, 6)
    a("aten.bincount.default", L([0, 2, 2]), V(0.5, 1.0, 2.0))
    a("aten.fft_rfft2.default", R(2, 3, 4))
    a("aten.fft_irfft2.default", torch.complex(R(2, 3), R(2, 3, seed=1)))
    a("aten.fft_fft2.default", R(3, 4))
    a("aten.fft_ifftn.default", torch.complex(R(2, 3), R(2, 3, seed=1)), None, None, "ortho")
    a("aten.fft_rfftn.default", R(2, 3), None, [0, 1], "forward")
    a("aten.block_diag.default", [R(2, 3), R(2), torch.tensor(1.5), R(1, 2)])
    a("aten.cartesian_prod.default", [I(2), I(3), I(2, seed=1)])
    a("aten.cartesian_prod.default", [R(3)])
    a("aten.combinations.default", R(4))
    a("aten.combinations.default", R(3), 3, True)
    a("aten.combinations.default", R(2), 3)
    a("aten.fft_fftshift.default", R(5))
    a("aten.fft_ifftshift.default", R(2, 5), [1])


def main():
    folder, archives = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    total = 0
    only = sys.argv[3].split(",") if len(sys.argv) > 3 else FAMILIES
    for name, rows in FAMILIES.items():
        if name not in only:
            continue
        lines = []
        for k, (op, args, kwargs) in enumerate(r for r in rows if r):
            try:
                lines.append(row(op, args, kwargs, archives, "%s_%03d" % (name, k)))
            except Exception as e:
                print("failed:", op, [type(v).__name__ for v in args], str(e).splitlines()[0][:200], file=sys.stderr)
        total += len(lines)
        with open(os.path.join(folder, name + ".txt"), "w") as f:
            f.write("# Made by torch %s, not written: see operator_rows.py.\n" % torch.__version__.split("+")[0])
            f.write("\n".join(lines) + "\n")
    print(total, "rows")


main()
