"""Expected values of operations ir_check does not compute, written with numpy from the specification."""
import itertools
import math

import numpy as np

from case import NUMPY

FLOATS, SIGNED, UNSIGNED = ("f16", "bf16", "f32", "f64"), ("i4", "i8", "i16", "i32", "i64"), ("u4", "u8", "u16", "u32", "u64")


# ------------------------------------------------------------------------ type promotion

def _bits(t):
    return {"bf16": 16, "boolean": 1}.get(t) or int(t[1:])


def _rank(t):
    return 2 if t in FLOATS else 0 if t == "boolean" else 1


def promoted(a, shape_a, b, shape_b, attrs):
    """The common type of ConvertPromoteTypes-14."""
    if a == b:
        return a
    if _rank(a) != _rank(b):
        return a if _rank(a) > _rank(b) else b
    if attrs["pytorch_scalar_promotion"] and (len(shape_a) == 0) != (len(shape_b) == 0):
        return b if len(shape_a) == 0 else a
    if _rank(a) == 2:
        return "f32" if {a, b} == {"f16", "bf16"} else max(a, b, key=_bits)
    if (a[0] == "u") == (b[0] == "u"):
        return max(a, b, key=_bits)
    unsigned, signed = (a, b) if a[0] == "u" else (b, a)
    if unsigned == "u64":
        return str(attrs["u64_integer_promotion_target"])
    return "i%d" % max(_bits(signed), 2 * _bits(unsigned))


# Pairs which lose nothing: legal without promote_unsafe.
SAFE_PROMOTIONS = {("f32", "f16"), ("f64", "f32"), ("f64", "f16"), ("i32", "i8"), ("i64", "i32"), ("u64", "u8"),
                   ("u32", "u16"), ("i32", "u8"), ("i64", "u32"), ("f32", "i8"), ("f32", "i16"), ("f64", "i32"),
                   ("f64", "u32"), ("f32", "u8"), ("i16", "u8"), ("f16", "i8")}


# ------------------------------------------------------------------------------- fp8

def to_f8(x, kind):
    """The nearest f8e4m3 / f8e5m2 values, ties to even; nothing here overflows."""
    mantissa, lowest = (3, -6) if kind == "f8e4m3" else (2, -14)
    x = np.asarray(x, np.float64)
    _, e = np.frexp(x)                       # x = m * 2**e, 0.5 <= m < 1
    step = np.exp2(np.maximum(e - 1, lowest) - mantissa)
    return np.rint(x / step) * step


def fake_convert(kind, data, scale, shift=None):
    x = data.astype(np.float64) * scale.astype(np.float64)
    s = 0.0 if shift is None else shift.astype(np.float64)
    return ((to_f8(x - s, kind) + s) / scale.astype(np.float64)).astype(data.dtype)


# --------------------------------------------------------------------- search and segments

def search_sorted(rows, values, right):
    side = "right" if right else "left"
    if rows.ndim == 1:
        return np.searchsorted(rows, values.reshape(-1), side).reshape(values.shape).astype(np.int64)
    out = [np.searchsorted(a, v, side) for a, v in zip(rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1]))]
    return np.array(out, np.int64).reshape(values.shape)


def segment_max(data, ids, count, fill):
    lowest = np.finfo(data.dtype).min if data.dtype.kind == "f" else np.iinfo(data.dtype).min
    y = np.full((count,) + data.shape[1:], 0 if fill == "ZERO" else lowest, data.dtype)
    for k in range(count):
        rows = data[ids == k]
        if len(rows):
            y[k] = rows.max(0)
    return y


def sparse_fill_empty_rows(values, dense_shape, indices, default):
    rows = int(dense_shape[0])
    entries = sorted((tuple(int(v) for v in ij), k) for k, ij in enumerate(indices))
    empty = np.array([all(ij[0] != r for ij, _ in entries) for r in range(rows)], bool).reshape(rows)
    out = []
    for r in range(rows):
        out += [(ij, values[k]) for ij, k in entries if ij[0] == r]
        if empty[r]:
            out.append(((r, 0), default.reshape(-1)[0]))
    return [np.array([ij for ij, _ in out], indices.dtype).reshape(-1, 2), np.array([v for _, v in out], values.dtype), empty]


def one_hot16(axis, mode, indices, depth, on, off):
    depth = int(depth.reshape(-1)[0])
    idx = indices.astype(np.int64)
    if mode == "normalize":
        idx = np.where(idx < 0, idx + depth, idx)
    axis = axis % (idx.ndim + 1)
    grid = np.arange(depth).reshape([-1 if i == axis else 1 for i in range(idx.ndim + 1)])
    return np.where(np.expand_dims(idx, axis) == grid, on.reshape(()), off.reshape(())).astype(on.dtype)


def slice_scatter(data, updates, start, stop, step, axes=None):
    y = data.copy()
    axes = range(len(start)) if axes is None else [int(a) % data.ndim for a in axes]
    index = [slice(None)] * data.ndim
    for b, e, s, a in zip(start, stop, step, axes):
        b, e, s = int(b), int(e), int(s)
        index[a] = slice(b, None if s < 0 and e < -data.shape[a] else e, s)
    y[tuple(index)] = updates.reshape(y[tuple(index)].shape)
    return y


def scatter_nd(reduction, data, indices, updates):
    y, k = data.copy(), indices.shape[-1]
    updates = updates.reshape(indices.shape[:-1] + data.shape[k:])
    boolean = data.dtype == bool
    func = {"none": lambda a, b: b,
            "sum": (lambda a, b: a | b) if boolean else (lambda a, b: a + b),
            "sub": (lambda a, b: a ^ b) if boolean else (lambda a, b: a - b),
            "prod": (lambda a, b: a & b) if boolean else (lambda a, b: a * b),
            "min": np.minimum, "max": np.maximum}[reduction]
    for at in np.ndindex(*indices.shape[:-1]):
        place = tuple(int(v) for v in indices[at])
        y[place] = func(y[place], updates[at])
    return y


def squeeze15(x, axes=None):
    if axes is None or axes.size == 0:
        return np.squeeze(x)
    chosen = {int(a) % x.ndim for a in axes.reshape(-1)}
    return x.reshape([d for i, d in enumerate(x.shape) if not (i in chosen and d == 1)])


def col2im(strides, dilations, pads_begin, pads_end, data, output_size, kernel_size):
    out, kernel = [int(v) for v in output_size], [int(v) for v in kernel_size]
    batched = data.ndim == 3
    x = data if batched else data[None]
    n, channels = x.shape[0], x.shape[1] // (kernel[0] * kernel[1])
    places = [(o + b + e - d * (k - 1) - 1) // s + 1
              for o, b, e, d, k, s in zip(out, pads_begin, pads_end, dilations, kernel, strides)]
    x = x.reshape(n, channels, kernel[0], kernel[1], places[0], places[1])
    y = np.zeros((n, channels, out[0], out[1]), data.dtype)
    for i, j, p, q in itertools.product(range(kernel[0]), range(kernel[1]), range(places[0]), range(places[1])):
        r = p * strides[0] + i * dilations[0] - pads_begin[0]
        c = q * strides[1] + j * dilations[1] - pads_begin[1]
        if 0 <= r < out[0] and 0 <= c < out[1]:
            y[:, :, r, c] += x[:, :, i, j, p, q]
    return y if batched else y[0]


# ------------------------------------------------------------------------------- pooling

def _window_plan(shape, kernel, strides, dilations, pads_begin, pads_end, auto_pad, rounding):
    """For each axis the first place of each window (may be in the padding) and the pads."""
    plan = []
    for i, k, s, d, b, e in zip(shape, kernel, strides, dilations, pads_begin, pads_end):
        span = (k - 1) * d + 1
        if auto_pad == "valid":
            b = e = 0
        elif auto_pad != "explicit":
            total = max((-(-i // s) - 1) * s + span - i, 0)
            b, e = (total // 2, total - total // 2) if auto_pad == "same_upper" else (total - total // 2, total // 2)
        room = i + b + e - span
        n = (room // s if rounding == "floor" else -(-room // s)) + 1
        if rounding == "ceil_torch" and (n - 1) * s >= i + b:
            n -= 1
        plan.append(([p * s - b for p in range(n)], b, e))
    return plan


def max_pool(a, x, kinds):
    kernel = a["kernel"]
    plan = _window_plan(x.shape[2:], kernel, a["strides"], a["dilations"], a["pads_begin"], a["pads_end"], a["auto_pad"],
                        a["rounding_type"])
    sizes = [len(p[0]) for p in plan]
    y = np.zeros(x.shape[:2] + tuple(sizes), x.dtype)
    z = np.zeros(y.shape, kinds)
    axis = a["axis"] % x.ndim
    tail = int(np.prod(x.shape[axis:]))
    flat = np.arange(x.size).reshape(x.shape) % max(tail, 1)
    for n, c in np.ndindex(*x.shape[:2]):
        for at in np.ndindex(*sizes):
            best = None
            for k in np.ndindex(*kernel):
                p = tuple(plan[i][0][at[i]] + k[i] * a["dilations"][i] for i in range(len(kernel)))
                if all(0 <= v < d for v, d in zip(p, x.shape[2:])) and (best is None or x[(n, c) + p] > x[(n, c) + best]):
                    best = p
            if best is None:
                raise ValueError("a window of padding alone")
            y[(n, c) + at] = x[(n, c) + best]
            z[(n, c) + at] = flat[(n, c) + best]
    return [y, z]


def avg_pool(a, x):
    kernel, dil = a["kernel"], a.get("dilations") or [1] * len(a["kernel"])
    plan = _window_plan(x.shape[2:], kernel, a["strides"], dil, a["pads_begin"], a["pads_end"], a["auto_pad"],
                        a["rounding_type"])
    sizes = [len(p[0]) for p in plan]
    # pads of the first two spatial dimensions fix the divisor, as in the runtime
    fixed = not a["exclude-pad"] and any(b or e for _, b, e in plan[:2])
    y = np.zeros(x.shape[:2] + tuple(sizes), np.float64)
    for n, c in np.ndindex(*x.shape[:2]):
        for at in np.ndindex(*sizes):
            total, count = 0.0, 0
            for k in np.ndindex(*kernel):
                p = tuple(plan[i][0][at[i]] + k[i] * dil[i] for i in range(len(kernel)))
                inside = all(0 <= v < d for v, d in zip(p, x.shape[2:]))
                padded = all(-b <= v < d + e for v, d, (_, b, e) in zip(p, x.shape[2:], plan))
                if inside:
                    total += float(x[(n, c) + p])
                count += inside if a["exclude-pad"] else padded
            y[(n, c) + at] = total / (np.prod(kernel) if fixed else count)
    return y.astype(x.dtype)


# ------------------------------------------------------------------------------- signals

def _centred(window, size):
    left = (size - len(window)) // 2
    return np.pad(window.astype(np.float64), (left, size - len(window) - left))


def stft(transpose, signal, window, size, step):
    size, step = int(size.reshape(-1)[0]), int(step.reshape(-1)[0])
    w = _centred(window, size)
    x = signal.astype(np.float64)
    frames = (x.shape[-1] - size) // step + 1
    z = np.stack([np.fft.rfft(x[..., k * step:k * step + size] * w) for k in range(frames)], -2)
    if transpose:
        z = np.swapaxes(z, -1, -2)
    return np.stack([z.real, z.imag], -1).astype(signal.dtype)


def istft(center, normalized, data, window, size, step, length=None):
    size, step = int(size.reshape(-1)[0]), int(step.reshape(-1)[0])
    w = _centred(window, size)
    z = data[..., 0].astype(np.float64) + 1j * data[..., 1].astype(np.float64)
    batched = z.ndim == 3
    z = z if batched else z[None]
    frames = z.shape[-1]
    total = (frames - 1) * step + size
    sums, weight = np.zeros((z.shape[0], total)), np.zeros(total)
    for k in range(frames):
        part = np.fft.irfft(z[:, :, k], size) * w
        if normalized:
            part = part * math.sqrt(size)
        sums[:, k * step:k * step + size] += part
        weight[k * step:k * step + size] += w * w
    y = np.where(weight > 1e-10, sums / np.where(weight > 1e-10, weight, 1), sums)
    margin = size // 2 if center else 0
    want = (total - 2 * margin if center else total) if length is None else int(length.reshape(-1)[0])
    if center and length is None:
        want = (frames - 1) * step
    y = y[:, margin:margin + want]
    y = np.pad(y, [(0, 0), (0, want - y.shape[1])]).astype(data.dtype)
    return y if batched else y[0]


def inverse(adjoint, x):
    y = np.linalg.inv(x.astype(np.float64))
    return (np.swapaxes(y, -1, -2) if adjoint else y).astype(x.dtype)


# ------------------------------------------------------------------------ embedding bags

def bag_offsets(mean, table, indices, offsets, default=None, weights=None):
    default = -1 if default is None else int(default.reshape(-1)[0])
    ends = [int(o) for o in offsets[1:]] + [len(indices)]
    out = []
    for b, e in zip([int(o) for o in offsets], ends):
        if b == e:
            out.append(table[default] if default >= 0 else np.zeros(table.shape[1:]))
            continue
        rows = table[indices[b:e].astype(np.int64)].astype(np.float64)
        if weights is not None:
            rows = rows * weights[b:e].reshape([-1] + [1] * (table.ndim - 1)).astype(np.float64)
        out.append(rows.mean(0) if mean else rows.sum(0))
    return np.array(out).reshape((len(offsets),) + table.shape[1:]).astype(table.dtype)


def bag_packed(mean, table, indices, weights=None):
    rows = table[indices.astype(np.int64)].astype(np.float64)
    if weights is not None:
        rows = rows * weights.reshape(weights.shape + (1,) * (table.ndim - 1)).astype(np.float64)
    return (rows.mean(1) if mean else rows.sum(1)).astype(table.dtype)


# --------------------------------------------------------------------- non-maximum suppression

def _iou(a, b, normalized):
    o = 0.0 if normalized else 1.0
    area_a, area_b = (a[2] - a[0] + o) * (a[3] - a[1] + o), (b[2] - b[0] + o) * (b[3] - b[1] + o)
    w = min(a[2], b[2]) - max(a[0], b[0]) + o
    h = min(a[3], b[3]) - max(a[1], b[1]) + o
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / (area_a + area_b - w * h)


def _rows(found, a, kind, count):
    """`found`: per image lists of (class, score, box, index). Sorted and flattened."""
    keys = {"class": lambda f: (f[0], -f[1], f[3]), "score": lambda f: (-f[1], f[0], f[3])}
    for f in found:
        f.sort(key=keys["score"])
    if a["keep_top_k"] >= 0:
        found = [f[:a["keep_top_k"]] for f in found]
    if not a["sort_result_across_batch"] and a["sort_result_type"] != "none":
        for f in found:
            f.sort(key=keys[a["sort_result_type"]])
    numbers = np.array([len(f) for f in found], kind)
    flat = [x for f in found for x in f]
    if a["sort_result_across_batch"] and a["sort_result_type"] == "score":
        flat.sort(key=lambda f: (-f[1], f[3]))
    elif a["sort_result_across_batch"] and a["sort_result_type"] == "class":
        flat.sort(key=lambda f: f[0])        # stable: by image, then by score
    rows = np.array([[f[0], f[1], *f[2]] for f in flat], np.float64).reshape(-1, 6)
    return [rows, np.array([f[3] for f in flat], kind).reshape(-1, 1), numbers]


def matrix_nms(a, boxes, scores):
    kind, (batches, classes, n) = NUMPY[a["output_type"]], scores.shape
    found = []
    for b in range(batches):
        one = []
        for c in range(classes):
            if c == a["background_class"]:
                continue
            s = scores[b, c].astype(np.float64)
            order = [i for i in np.argsort(-s, kind="stable") if s[i] > a["score_threshold"]]
            if a["nms_top_k"] >= 0:
                order = order[:a["nms_top_k"]]
            box = boxes[b].astype(np.float64)
            iou = [[_iou(box[i], box[j], a["normalized"]) for j in order] for i in order]
            highest = [max([iou[i][j] for i in range(j)], default=0.0) for j in range(len(order))]
            for j, index in enumerate(order):
                decay = 1.0
                for i in range(j):
                    if a["decay_function"] == "gaussian":
                        d = math.exp((highest[i] ** 2 - iou[i][j] ** 2) * a["gaussian_sigma"])
                    else:
                        d = (1 - iou[i][j]) / (1 - highest[i])
                    decay = min(decay, d)
                if s[index] * decay > a["post_threshold"]:
                    one.append((c, s[index] * decay, box[index], b * n + int(index)))
        found.append(one)
    y = _rows(found, a, kind, n)
    return [y[0].astype(boxes.dtype), y[1], y[2]]


def _adaptive_nms(box, s, a):
    """As the specification says it; `a["again"]` compares with all boxes kept before, by the newest threshold."""
    order = [i for i in np.argsort(-s, kind="stable") if s[i] >= a["score_threshold"]]
    if a["nms_top_k"] >= 0:
        order = order[:a["nms_top_k"]]
    threshold, kept = a["iou_threshold"], []
    alive = list(order)
    while alive:
        i = alive.pop(0)
        if a.get("again") and any(_iou(box[i], box[j], a["normalized"]) > threshold for j in kept):
            continue
        kept.append(i)
        if a["nms_eta"] < 1 and threshold > 0.5:
            threshold *= a["nms_eta"]
        alive = [j for j in alive if _iou(box[i], box[j], a["normalized"]) <= threshold]
    return kept


def multiclass_nms(a, boxes, scores, rois=None):
    kind, found = NUMPY[a["output_type"]], []
    if rois is None:
        n = scores.shape[2]
        for b in range(scores.shape[0]):
            one = []
            for c in range(scores.shape[1]):
                if c != a["background_class"]:
                    box, s = boxes[b].astype(np.float64), scores[b, c].astype(np.float64)
                    one += [(c, s[i], box[i], b * n + int(i)) for i in _adaptive_nms(box, s, a)]
            found.append(one)
        y = _rows(found, a, kind, n)
    else:
        begin, n, classes = 0, scores.shape[1], scores.shape[0]
        for count in rois.astype(int):
            one = []
            for c in range(classes):
                if c != a["background_class"]:
                    box = boxes[c, begin:begin + count].astype(np.float64)
                    s = scores[c, begin:begin + count].astype(np.float64)
                    one += [(c, s[i], box[i], (begin + int(i)) * classes + c) for i in _adaptive_nms(box, s, a)]
            found.append(one)
            begin += count
        y = _rows(found, a, kind, n)
    return [y[0].astype(boxes.dtype), y[1], y[2]]


def _corners(box, clockwise):
    x, y, w, h, angle = (float(v) for v in box)
    angle = angle if clockwise else -angle
    c, s = math.cos(angle), math.sin(angle)
    return [(x + c * dx - s * dy, y + s * dx + c * dy)
            for dx, dy in ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))]


def _area(p):
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(p, p[1:] + p[:1]))) / 2 if p else 0.0


def _clip(subject, clip):
    """The common part of two convex polygons, both turning the same way."""
    for a, b in zip(clip, clip[1:] + clip[:1]):
        def side(p):
            return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        out = []
        for p, q in zip(subject, subject[1:] + subject[:1]):
            sp, sq = side(p), side(q)
            if sp >= 0:
                out.append(p)
            if (sp >= 0) != (sq >= 0):
                t = sp / (sp - sq)
                out.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
        subject = out
        if not subject:
            return []
    return subject


def rotated_iou(a, b, clockwise):
    p, q = _corners(a, clockwise), _corners(b, clockwise)
    common = _area(_clip(p, q))
    return common / (_area(p) + _area(q) - common)


def nms_rotated(a, boxes, scores, limit, iou_threshold, score_threshold):
    limit, iou_t, score_t = (v.reshape(-1)[0] for v in (limit, iou_threshold, score_threshold))
    rows = []
    for b, c in np.ndindex(*scores.shape[:2]):
        alive = [int(i) for i in np.argsort(-scores[b, c], kind="stable") if scores[b, c, i] > score_t]
        kept = []
        while alive and len(kept) < int(limit):
            i = alive.pop(0)
            kept.append(i)
            alive = [j for j in alive if rotated_iou(boxes[b, i], boxes[b, j], a["clockwise"]) <= iou_t]
        rows += [(b, c, i) for i in kept]
    if a["sort_result_descending"]:
        rows.sort(key=lambda t: (-scores[t], t))
    kind = NUMPY[a["output_type"]]
    return [np.array(rows, kind).reshape(-1, 3),
            np.array([(b, c, scores[b, c, i]) for b, c, i in rows], scores.dtype).reshape(-1, 3),
            np.array([len(rows)], kind)]


def roi_align_rotated(a, x, rois, batch):
    ph, pw, ratio, scale = a["pooled_h"], a["pooled_w"], a["sampling_ratio"], a["spatial_scale"]
    h, w = x.shape[2:]
    y = np.zeros((len(rois), x.shape[1], ph, pw))
    for r, roi in enumerate(rois.astype(np.float64)):
        cx, cy = roi[0] * scale - 0.5, roi[1] * scale - 0.5
        rw, rh = roi[2] * scale, roi[3] * scale
        angle = roi[4] if a["clockwise_mode"] else -roi[4]
        c, s = math.cos(angle), math.sin(angle)
        ny = ratio or max(int(math.ceil(rh / ph)), 1)
        nx = ratio or max(int(math.ceil(rw / pw)), 1)
        plane = x[int(batch[r])].astype(np.float64)
        for i, j in itertools.product(range(ph), range(pw)):
            total = np.zeros(x.shape[1])
            for v, u in itertools.product(range(ny), range(nx)):
                dy = -rh / 2 + (i + (v + 0.5) / ny) * rh / ph
                dx = -rw / 2 + (j + (u + 0.5) / nx) * rw / pw
                py, px = dx * s + dy * c + cy, dx * c - dy * s + cx
                if py < -1 or py > h or px < -1 or px > w:
                    continue
                py, px = min(max(py, 0), h - 1), min(max(px, 0), w - 1)
                y0, x0 = int(py), int(px)
                y1, x1 = min(y0 + 1, h - 1), min(x0 + 1, w - 1)
                fy, fx = py - y0, px - x0
                total += (plane[:, y0, x0] * (1 - fy) * (1 - fx) + plane[:, y0, x1] * (1 - fy) * fx +
                          plane[:, y1, x0] * fy * (1 - fx) + plane[:, y1, x1] * fy * fx)
            y[r, :, i, j] = total / (ny * nx)
    return y.astype(x.dtype)
