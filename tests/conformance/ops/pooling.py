"""Pooling."""
import numpy as np

import oracles
from case import NUMPY, Case, Ty, generator, par


def window(r, i, rounding, dilated):
    n = r.cycle([2, 1, 3, 2], i)
    mode = r.cycle(["explicit", "explicit", "same_upper", "same_lower", "valid"], i)
    kernel, strides = [r.int(1, 3) for _ in range(n)], [r.int(1, 3) for _ in range(n)]
    dilations = [r.int(1, 2) for _ in range(n)] if dilated else [1] * n
    zero = [0] * n
    begin = [r.int(0, k - 1) for k in kernel] if mode == "explicit" else zero
    end = [r.int(0, k - 1) for k in kernel] if mode == "explicit" else zero
    size = [max((k - 1) * d + 1 - b - e, 1) + r.int(0, 1 if r.small else 4) for k, d, b, e in zip(kernel, dilations, begin, end)]
    attrs = {"strides": strides, "pads_begin": begin, "pads_end": end, "kernel": kernel, "auto_pad": mode,
             "rounding_type": r.cycle(rounding, i // 2)}
    if dilated:
        attrs["dilations"] = dilations
    return [r.dim(1, 2), r.dim(1, 3)] + size, attrs


def attempt(make):
    """Windows of nothing but padding have no result: another try then."""
    for _ in range(100):
        try:
            return make()
        except (ValueError, ZeroDivisionError):
            pass
    raise ValueError("no legal window found")


@generator("MaxPool-1", "MaxPool-8", "MaxPool-14")
def max_pool(r, i, key):
    def make():
        opset = key[1]
        s, attrs = window(r, i, ["floor", "ceil", "ceil_torch"] if opset == 14 else ["floor", "ceil"], opset >= 8)
        full = {"axis": 0, "dilations": [1] * len(attrs["kernel"]), **attrs}
        if opset >= 8:
            full["axis"] = r.pick([0, 2, 1, -1, -len(s)])
            attrs["axis"] = full["axis"]
            attrs["index_element_type"] = Ty(r.cycle(["i64", "i32"], i))
        x = r.distinct(s, r.cycle(["f32", "f32", "f16", "i32", "f32", "u8"], i))
        if x.dtype == np.uint8 and x.size > 255:
            x = x.astype(np.int32)
        want = oracles.max_pool(full, x, NUMPY[attrs.get("index_element_type", "i64")])
        return Case([par(x)], attrs, outputs=2 if opset >= 8 else 1, oracle=lambda v: want)
    return attempt(make)


@generator("AvgPool-1", "AvgPool-14", "AvgPool-16")
def avg_pool(r, i, key):
    def make():
        s, attrs = window(r, i, ["floor", "ceil"] if key[1] == 1 else ["floor", "ceil", "ceil_torch"], key[1] == 16)
        attrs["exclude-pad"] = i % 3 == 0
        x = r.data(s, r.cycle(["f32", "f32", "f16"], i))
        want = oracles.avg_pool(attrs, x)
        return Case([par(x)], attrs, oracle=lambda v: want)
    return attempt(make)


@generator("AdaptiveAvgPool-8", "AdaptiveMaxPool-8")
def adaptive(r, i, key):
    n = r.cycle([2, 1, 3], i)
    s = [r.dim(1, 2), r.dim(1, 3)] + [r.dim(1, 5) for _ in range(n)]
    target = r.structural([r.dim(1, 4) for _ in range(n)])
    t = r.cycle(["f32", "f32", "f16"], i)
    if key[0] == "AdaptiveAvgPool":
        return Case([r.par(s, t), target])
    return Case([par(r.distinct(s, t)), target], {"index_element_type": Ty(r.cycle(["i64", "i32"], i))}, outputs=2)
