"""Resampling, colour conversion, regions of interest."""
import numpy as np

import oracles
from case import NUMPY, Case, Floats, con, generator, par

MODES = ["half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"]
NEAREST = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"]


@generator("Interpolate-1")
def interpolate1(r, i):
    mode = r.cycle(["nearest", "linear", "cubic"], i)
    s = [r.dim(1, 2), r.dim(1, 2), r.dim(2, 4), r.dim(2, 4)]
    axes = r.cycle([[2, 3], [2, 3], [3], [2]], i // 3)
    sizes = [r.dim(1, 7) for _ in axes]
    align = i % 2 == 0
    t = r.cycle(["f32", "f32", "f16"], i)
    if mode == "linear" and not align:
        axes = [2, 3]
        sizes = [r.dim(1, 7), r.dim(1, 7)]
    return Case([r.par(s, t), r.structural(sizes)],
                {"axes": axes, "mode": mode, "align_corners": align, "antialias": False, "pads_begin": [0] * len(axes),
                 "pads_end": [0] * len(axes)}, atol=2e-2 if t == "f16" else 1e-3)


@generator("Interpolate-4", "Interpolate-11")
def interpolate(r, i, key):
    old = key[1] == 4
    modes = ["nearest", "linear_onnx", "cubic", "linear"] + ([] if old else ["bilinear_pillow", "bicubic_pillow"])
    mode = r.cycle(modes, i)
    ctm = r.cycle(MODES, i // 2)
    n = 3 if i % 7 == 6 and mode in ("nearest", "linear", "linear_onnx") else 1 if i % 9 == 4 else 2
    s = [r.dim(1, 2), r.dim(1, 2)] + [r.dim(2, 4) for _ in range(n)]
    pillow = mode.endswith("pillow")
    begin = end = [0] * len(s)
    if i % 5 == 4 and not pillow:
        begin = [0, 0] + [r.int(0, 1) for _ in range(n)]
        end = [0, 0] + [r.int(0, 2) for _ in range(n)]
    axes = list(range(2, 2 + n))
    padded = [s[a] + begin[a] + end[a] for a in axes]
    all_axes = i % 6 == 5 and mode != "cubic" and not pillow and n == 2
    calc = r.cycle(["sizes", "scales"], i // 3)
    if calc == "scales":
        # Dyadic, and the product with the dimension is whole: no place depends on rounding.
        scales = [r.pick([0.5, 1.0, 1.5, 2.0, 2.5]) for _ in axes]
        scales = [v if (v * d) % 1 == 0 and v * d >= 1 else 2.0 for v, d in zip(scales, padded)]
        sizes = [int(v * d) for v, d in zip(scales, padded)]
    else:
        sizes = [r.dim(1, 8) for _ in axes]
        scales = [v / d for v, d in zip(sizes, padded)]
    t = r.cycle(["f32", "f32", "f16"], i)
    attrs = {"mode": mode, "shape_calculation_mode": calc, "coordinate_transformation_mode": ctm,
             "nearest_mode": r.cycle(NEAREST, i), "antialias": mode == "linear" and i % 8 == 3, "pads_begin": begin,
             "pads_end": end, "cube_coeff": r.pick([-0.75, -0.5])}
    if all_axes:
        sizes, scales, axes = s[:2] + sizes, [1.0, 1.0] + scales, [0, 1] + axes
    if mode == "nearest":                        # coordinates next to a tie: the specification says float, not how
        for k, (size, d) in enumerate(zip(sizes, [s[a] + begin[a] + end[a] for a in axes])):
            if calc == "sizes" and not _clear(ctm, size, d, attrs["nearest_mode"]):
                sizes[k] = d
                scales[k] = 1.0
    x = r.par(s, t)
    kinds = r.pick(["i64", "i32"])
    axes_input = con(np.array(axes), kinds)
    values = r.structural(sizes, kinds), r.structural(np.array(scales, np.float32), "f32")
    if old:
        inputs = [x, *values] + ([] if all_axes and i % 2 else [axes_input])
        if all_axes and i % 2 == 0:
            inputs = inputs[:4]
    else:
        if i % 4 == 3 and not all_axes:
            axes_input = con(np.array([a - len(s) for a in axes]), kinds)
        inputs = [x, values[0] if calc == "sizes" else values[1]] + ([] if all_axes and i % 2 else [axes_input])
    return Case(inputs, attrs, atol=3e-2 if t == "f16" else 1e-3)


def _clear(ctm, n_out, n_in, nearest):
    """No output element sits next to where its nearest neighbour changes, unless exactly there and dyadic."""
    scale = n_out / n_in
    x = np.arange(n_out, dtype=np.float64)
    if ctm in ("half_pixel", "pytorch_half_pixel"):
        c = (x + 0.5) / scale - 0.5
    elif ctm == "asymmetric":
        c = x / scale
    elif ctm == "tf_half_pixel_for_nn":
        c = (x + 0.5) / scale
    else:
        c = x * (n_in - 1) / max(n_out - 1, 1)
    exact = np.float64(np.float32(scale)) == scale and (n_out & (n_out - 1) == 0 or n_out % n_in == 0 and ctm != "align_corners")
    edge = c - 0.5 if nearest.startswith("round") else c
    near = np.abs(edge - np.rint(edge)) < 1e-3
    return exact or not near.any()


@generator("GridSample-9")
def grid_sample(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = [r.dim(1, 2), r.dim(1, 2), r.dim(2, 4), r.dim(2, 4)]
    grid = r.data([s[0], r.dim(1, 3), r.dim(1, 3), 2], "f32", -1.4, 1.4)
    align, mode = i % 2 == 0, r.cycle(["bilinear", "nearest", "bicubic"], i)
    if mode == "nearest":                        # away from the middle between two pixels
        for k, size in ((0, s[3]), (1, s[2])):
            for _ in range(20):
                g = grid[..., k].astype(np.float64)
                at = (g + 1) / 2 * (size - 1) if align else ((g + 1) * size - 1) / 2
                grid[..., k] = np.where(np.abs(at - np.floor(at) - 0.5) < 0.05, g + 0.037, g)
    kind = t if mode == "bilinear" else "f32"
    return Case([r.par(s, kind), r.either(grid.astype(NUMPY[kind]))],
                {"align_corners": align, "mode": mode, "padding_mode": r.cycle(["zeros", "border", "reflection"], i // 3)},
                atol=6e-2 if kind == "f16" else 1e-3)


@generator("NV12toBGR-8", "NV12toRGB-8", "I420toBGR-8", "I420toRGB-8")
def colours(r, i, key):
    n, h, w = r.dim(1, 2), 2 * r.dim(1, 2), 2 * r.dim(1, 2)
    t = r.cycle(["u8", "f32", "u8", "f16"], i)

    def plane(*s):
        return par(r.g.integers(0, 256, s).astype(NUMPY[t]))
    if i % 2:
        inputs = [plane(n, h * 3 // 2, w, 1)]
    elif key[0].startswith("NV12"):
        inputs = [plane(n, h, w, 1), plane(n, h // 2, w // 2, 2)]
    else:
        inputs = [plane(n, h, w, 1), plane(n, h // 2, w // 2, 1), plane(n, h // 2, w // 2, 1)]
    c = Case(inputs, {}, atol=0.5 if t == "f16" else 1e-2, rtol=1e-3, table=t != "u8")
    if t == "u8":                                # 1.164 and the like in float: a half may go either way
        c.type, c.opset = key
        c.compute()
        want = c.want[0].astype(int)
        c.check = lambda got: "" if got[0].shape == want.shape and np.abs(got[0].astype(int) - want).max(initial=0) <= 1 \
            else "differs by more than one from what is expected"
    return c


def boxes(r, count, h, w):
    """Corners (x0, y0, x1, y1) of boxes well inside or a little outside of an image, off the pixel grid."""
    x0, y0 = r.data([count], "f32", -1, w - 2), r.data([count], "f32", -1, h - 2)
    b = np.stack([x0, y0, x0 + r.data([count], "f32", 1, w), y0 + r.data([count], "f32", 1, h)], 1)
    return (b + 0.013).astype(np.float32)


@generator("ROIAlign-3", "ROIAlign-9")
def roi_align(r, i, key):
    n, c, h, w = r.dim(1, 2), r.dim(1, 2), r.dim(3, 6), r.dim(3, 6)
    count, mode = r.dim(1, 3), r.cycle(["avg", "max"], i)
    t = r.cycle(["f32", "f32", "f16"], i)
    scale = r.pick([1.0, 0.5, 0.25])
    attrs = {"pooled_h": r.int(1, 3), "pooled_w": r.int(1, 3), "sampling_ratio": r.pick([0, 1, 2, 3]), "spatial_scale": scale,
             "mode": mode}
    if key[1] == 9:
        attrs["aligned_mode"] = r.cycle(["asymmetric", "half_pixel_for_nn", "half_pixel"], i // 2)
    b = (boxes(r, count, h, w) / scale).astype(NUMPY[t])
    x = r.data([n, c, h, w], t, 0 if mode == "max" else -4, 4)
    return Case([par(x), r.either(b), r.either(r.g.integers(0, n, count), r.pick(["i32", "i64"]))], attrs,
                atol=6e-2 if t == "f16" else 1e-3)


@generator("ROIAlignRotated-15")
def roi_align_rotated(r, i):
    n, c, h, w = r.dim(1, 2), r.dim(1, 2), r.dim(3, 6), r.dim(3, 6)
    count, scale = r.dim(1, 3), r.pick([1.0, 0.5, 2.0])
    b = np.stack([r.data([count], "f32", 1, w - 1), r.data([count], "f32", 1, h - 1), r.data([count], "f32", 1, w),
                  r.data([count], "f32", 1, h)], 1) / scale
    b = np.concatenate([b, r.data([count, 1], "f32", -3, 3)], 1).astype(np.float32)
    attrs = {"pooled_h": r.int(1, 3), "pooled_w": r.int(1, 3), "sampling_ratio": r.pick([0, 1, 2, 3]), "spatial_scale": scale,
             "clockwise_mode": i % 2 == 0}
    return Case([r.par([n, c, h, w]), r.either(b), r.either(r.g.integers(0, n, count), r.pick(["i32", "i64"]))], attrs,
                oracle=lambda *v: oracles.roi_align_rotated(attrs, *v), atol=1e-3)


def rois5(r, n, count, h, w, scale=1.0):
    b = boxes(r, count, h, w) / scale
    return np.concatenate([r.g.integers(0, n, (count, 1)), b], 1).astype(np.float32)


@generator("ROIPooling-2")
def roi_pooling(r, i):
    n, c, h, w = r.dim(1, 2), r.dim(1, 2), r.dim(3, 6), r.dim(3, 6)
    count, scale, method = r.dim(1, 3), r.pick([1.0, 0.5, 0.0625]), r.cycle(["max", "bilinear"], i)
    rois = rois5(r, n, count, h, w, scale)
    if method == "bilinear":                     # relative coordinates
        a, b = r.data([count, 2], "f32", 0.03, 0.4), r.data([count, 2], "f32", 0.5, 0.97)
        rois[:, 1:] = np.concatenate([a, b], 1)
    else:
        rois[:, 1:] = np.maximum(rois[:, 1:], 0.013)
    attrs = {"pooled_h": r.int(1, 3), "pooled_w": r.int(1, 3), "spatial_scale": scale, "method": method}
    return Case([r.par([n, c, h, w]), r.either(rois)], attrs, atol=1e-3)


@generator("PSROIPooling-1")
def psroi_pooling(r, i):
    mode, g, od = r.cycle(["average", "bilinear"], i), r.int(1, 3), r.dim(1, 2)
    bx, by = r.int(1, 3), r.int(1, 3)
    n, h, w = r.dim(1, 2), r.dim(3, 6), r.dim(3, 6)
    c = od * g * g if mode == "average" else od * bx * by
    count, scale = r.dim(1, 3), r.pick([1.0, 0.5, 0.25])
    rois = rois5(r, n, count, h, w, scale)
    if mode == "bilinear":
        a, b = r.data([count, 2], "f32", 0.03, 0.4), r.data([count, 2], "f32", 0.5, 0.97)
        scale = 1.0
        rois[:, 1:] = np.concatenate([a, b], 1)
    else:
        rois[:, 1:] = np.maximum(np.round(rois[:, 1:]), 0) + np.float32(0.2)
    attrs = {"output_dim": od, "group_size": g, "spatial_scale": scale, "mode": mode, "spatial_bins_x": bx, "spatial_bins_y": by}
    if mode == "average":
        attrs.update({"spatial_bins_x": 1, "spatial_bins_y": 1})
    return Case([r.par([n, c, h, w]), r.either(rois)], attrs, atol=1e-3)


@generator("DeformablePSROIPooling-1")
def deformable_psroi(r, i):
    g, od, n, h, w = r.int(1, 3), r.dim(1, 2), r.dim(1, 2), r.dim(3, 6), r.dim(3, 6)
    count, scale, part = r.dim(1, 3), r.pick([1.0, 0.5]), g
    rois = rois5(r, n, count, h, w, scale)
    rois[:, 1:] = np.round(rois[:, 1:]) + np.float32(0.2)
    attrs = {"output_dim": od, "group_size": g, "spatial_scale": scale, "mode": "bilinear_deformable",
             "spatial_bins_x": r.int(1, 3), "spatial_bins_y": r.int(1, 3), "trans_std": r.pick([0.1, 0.5]), "part_size": part}
    inputs = [r.par([n, od * g * g, h, w]), r.either(rois)]
    if i % 2:
        inputs.append(r.either(r.data([count, 2 * r.pick([1, od]), part, part], "f32", -1, 1) + np.float32(0.0037)))
    return Case(inputs, attrs, atol=1e-3)


@generator("ReorgYolo-2")
def reorg_yolo(r, i):
    stride = r.int(1, 3)
    s = [r.dim(1, 2), stride * stride * r.dim(1, 2), stride * r.dim(1, 2), stride * r.dim(1, 2)]
    return Case([r.par(s, r.cycle(["f32", "i32", "f16"], i))], {"stride": stride})


@generator("RegionYolo-1")
def region_yolo(r, i):
    classes, num, h, w = r.int(1, 4), r.int(2, 3), r.dim(1, 3), r.dim(1, 3)
    softmax = i % 2 == 0
    mask = [] if softmax and i % 4 else list(range(r.int(1, num)))
    regions = num if softmax else len(mask)
    attrs = {"anchors": Floats([10.0, 14.0, 23.0, 27.0]), "axis": 1, "coords": 4, "classes": classes,
             "end_axis": r.pick([1, 2, 3, -1]) if softmax else 3, "num": num, "do_softmax": softmax, "mask": mask}
    t = r.cycle(["f32", "f32", "f16"], i)
    return Case([r.par([r.dim(1, 2), regions * (4 + classes + 1), h, w], t)], attrs)
