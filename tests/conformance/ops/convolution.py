"""Convolutions."""
import numpy as np

from case import Case, con, generator, par


def places(r, n, auto_pad):
    """kernel, strides, dilations, pads and a spatial shape the window fits into."""
    kernel, strides = [r.int(1, 3) for _ in range(n)], [r.int(1, 3) for _ in range(n)]
    dilations = [r.int(1, 2) for _ in range(n)]
    zero = [0] * n
    begin = [r.int(0, 2) for _ in range(n)] if auto_pad == "explicit" else zero
    end = [r.int(0, 2) for _ in range(n)] if auto_pad == "explicit" else zero
    size = [max((k - 1) * d + 1 - b - e, 1) + r.int(0, 1 if r.small else 4) for k, d, b, e in zip(kernel, dilations, begin, end)]
    return kernel, size, {"strides": strides, "dilations": dilations, "pads_begin": begin, "pads_end": end,
                          "auto_pad": auto_pad}


PADS = ["explicit", "explicit", "same_upper", "same_lower", "valid"]


@generator("Convolution-1", "GroupConvolution-1")
def convolution(r, i, key):
    n = r.cycle([2, 1, 3, 2], i)
    kernel, size, attrs = places(r, n, r.cycle(PADS, i))
    groups = r.int(1, 3)
    c, o = r.dim(1, 3), r.dim(1, 3)
    t = r.cycle(["f32", "f32", "f16", "f32", "f64"], i)
    if key[0] == "Convolution":
        x, w = [r.dim(1, 2), c] + size, [o, c] + kernel
    else:
        if i % 3 == 0:
            c = o = 1                             # depth-wise
        x, w = [r.dim(1, 2), c * groups] + size, [groups, o, c] + kernel
    return Case([r.par(x, t, -2, 2), r.either(r.data(w, t, -2, 2), t)], attrs, atol=3e-2 if t == "f16" else None)


@generator("ConvolutionBackpropData-1", "GroupConvolutionBackpropData-1")
def deconvolution(r, i, key):
    n = r.cycle([2, 1, 3, 2], i)
    mode = r.cycle(["explicit", "same_upper", "explicit", "same_lower", "valid"], i)
    kernel, strides, dilations = [r.int(1, 3) for _ in range(n)], [r.int(1, 3) for _ in range(n)], [r.int(1, 2) for _ in range(n)]
    size = [r.int(2, 2 if r.small else 4) for _ in range(n)]
    full = [s * (d - 1) + (k - 1) * l + 1 for s, d, k, l in zip(strides, size, kernel, dilations)]
    zero = [0] * n
    begin, end, padding = zero, zero, zero
    if mode == "explicit":
        begin, end = [r.int(0, 1) for _ in full], [r.int(0, 1) for _ in full]
        begin = [min(b, (f - 1) // 2) for b, f in zip(begin, full)]
        end = [min(e, (f - 1) // 2) for e, f in zip(end, full)]
        if i % 2 == 0:
            padding = [r.int(0, s - 1) for s in strides]
    attrs = {"strides": strides, "dilations": dilations, "pads_begin": begin, "pads_end": end, "auto_pad": mode,
             "output_padding": padding}
    groups, c, o = r.int(1, 2), r.dim(1, 3), r.dim(1, 3)
    if key[0] == "ConvolutionBackpropData":
        x, w = [r.dim(1, 2), c] + size, [c, o] + kernel
    else:
        x, w = [r.dim(1, 2), c * groups] + size, [groups, c, o] + kernel
    t = r.cycle(["f32", "f32", "f16"], i)
    inputs = [r.par(x, t, -2, 2), r.either(r.data(w, t, -2, 2), t)]
    if mode.startswith("same"):
        inputs.append(r.structural([max(f - r.int(0, 2), 1) for f in full]))
    return Case(inputs, attrs, atol=3e-2 if t == "f16" else None)


@generator("BinaryConvolution-1")
def binary_convolution(r, i):
    kernel, size, attrs = places(r, 2, r.cycle(PADS, i))
    c, o = r.dim(1, 3), r.dim(1, 3)
    attrs.update({"mode": "xnor-popcount", "pad_value": r.cycle([0.0, 1.0], i)})
    x = r.g.integers(0, 2, [r.dim(1, 2), c] + size).astype(np.float32)
    return Case([par(x), con(r.g.integers(0, 2, [o, c] + kernel), "u1")], attrs, out_types=["f32"])


@generator("DeformableConvolution-1", "DeformableConvolution-8")
def deformable(r, i, key):
    kernel, size, attrs = places(r, 2, r.cycle(PADS, i))
    group, deformable_group = r.int(1, 2), r.int(1, 2)
    c, o, n = group * deformable_group * r.dim(1, 2), group * r.dim(1, 2), r.dim(1, 2)
    out = []
    for d, k, s, l, b, e in zip(size, kernel, attrs["strides"], attrs["dilations"], attrs["pads_begin"], attrs["pads_end"]):
        span = (k - 1) * l + 1
        out.append(-(-d // s) if attrs["auto_pad"].startswith("same") else (d + b + e - span) // s + 1)
    attrs.update({"group": group, "deformable_group": deformable_group})
    taps = deformable_group * kernel[0] * kernel[1]
    t = r.cycle(["f32", "f32", "f16"], i)
    # Offsets end in .x5 or so: no sample exactly at a border.
    offsets = r.data([n, 2 * taps] + out, "f32", -2, 2) + 0.0625
    inputs = [r.par([n, c] + size, t, -2, 2), r.either(offsets, t), r.either(r.data([o, c // group] + kernel, t, -2, 2), t)]
    if key[1] == 8:
        attrs["bilinear_interpolation_pad"] = i % 2 == 0
        if i // 2 % 2:
            inputs.append(r.either(r.data([n, taps] + out, t, 0, 1), t))
    return Case(inputs, attrs, atol=5e-2 if t == "f16" else 1e-4, rtol=2e-2 if t == "f16" else None)
