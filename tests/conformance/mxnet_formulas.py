"""Operators of MXNet that shared/tools/oracle/mxnet_exec.py does not know, in numpy.

Each function follows the source of apache/mxnet (commit b84609d3fc73) that its first line names, element by element and
without any trick, and knows nothing of this project. Attributes are text, as a symbol has them. FIGURES are inputs
and outputs that MXNet's own tests and documentation state."""
import ast

import numpy as np


def value(attributes, name, default=None):
    text = attributes.get(name)
    if text is None:
        return default
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def half_up(v):
    """C's round(): half away from zero."""
    return np.floor(abs(v) + 0.5) * np.sign(v)


def psroi_pooling(a, data, rois):
    """src/operator/contrib/psroi_pooling.cc"""
    pooled, dims, scale = value(a, "pooled_size"), value(a, "output_dim"), value(a, "spatial_scale")
    group = value(a, "group_size", 0) or pooled
    height, width = data.shape[2:]
    out = np.zeros((len(rois), dims, pooled, pooled))
    for n, roi in enumerate(rois):
        x0, y0 = half_up(roi[1]) * scale, half_up(roi[2]) * scale
        x1, y1 = (half_up(roi[3]) + 1) * scale, (half_up(roi[4]) + 1) * scale
        bin_h, bin_w = max(y1 - y0, 0.1) / pooled, max(x1 - x0, 0.1) / pooled
        for d in range(dims):
            for ph in range(pooled):
                for pw in range(pooled):
                    h0, h1 = (int(min(max(f(v), 0), height)) for f, v in ((np.floor, ph * bin_h + y0), (np.ceil, (ph + 1) * bin_h + y0)))
                    w0, w1 = (int(min(max(f(v), 0), width)) for f, v in ((np.floor, pw * bin_w + x0), (np.ceil, (pw + 1) * bin_w + x0)))
                    c = (d * group + ph * group // pooled) * group + pw * group // pooled
                    cells = data[int(roi[0]), c, h0:h1, w0:w1]
                    out[n, d, ph, pw] = cells.mean() if cells.size else 0
    return out


def between_neighbours(plane, x, y):
    x0, y0, x1, y1 = int(np.floor(x)), int(np.floor(y)), int(np.ceil(x)), int(np.ceil(y))
    dx, dy = x - x0, y - y0
    return ((1 - dx) * (1 - dy) * plane[y0, x0] + (1 - dx) * dy * plane[y1, x0] + dx * (1 - dy) * plane[y0, x1] + dx * dy * plane[y1, x1])


def deformable_psroi_pooling(a, data, rois, trans=None):
    """src/operator/contrib/deformable_psroi_pooling.cc"""
    pooled, dims, scale = value(a, "pooled_size"), value(a, "output_dim"), value(a, "spatial_scale")
    group, samples, std = value(a, "group_size"), value(a, "sample_per_part", 1), value(a, "trans_std", 0)
    part = value(a, "part_size", 0) or pooled
    height, width = data.shape[2:]
    classes = 1 if trans is None else trans.shape[1] // 2
    out = np.zeros((len(rois), dims, pooled, pooled))
    for n, roi in enumerate(rois):
        x0, y0 = half_up(roi[1]) * scale - 0.5, half_up(roi[2]) * scale - 0.5
        roi_w = max((half_up(roi[3]) + 1) * scale - 0.5 - x0, 0.1)
        roi_h = max((half_up(roi[4]) + 1) * scale - 0.5 - y0, 0.1)
        bin_h, bin_w = roi_h / pooled, roi_w / pooled
        for d in range(dims):
            for ph in range(pooled):
                for pw in range(pooled):
                    of_class = 2 * (d // (dims // classes))
                    at = (int(ph / pooled * part), int(pw / pooled * part))
                    move_x = 0 if trans is None else trans[n, of_class][at] * std
                    move_y = 0 if trans is None else trans[n, of_class + 1][at] * std
                    left, top = pw * bin_w + x0 + move_x * roi_w, ph * bin_h + y0 + move_y * roi_h
                    c = (d * group + ph * group // pooled) * group + pw * group // pooled
                    found = []
                    for i in range(samples):
                        for k in range(samples):
                            w, h = left + k * bin_w / samples, top + i * bin_h / samples
                            if w < -0.5 or w > width - 0.5 or h < -0.5 or h > height - 0.5:
                                continue
                            found.append(between_neighbours(data[int(roi[0]), c], min(max(w, 0), width - 1), min(max(h, 0), height - 1)))
                    out[n, d, ph, pw] = np.mean(found) if found else 0
    return out


def deformable_convolution(a, data, offset, weight, bias=None):
    """src/operator/contrib/nn/deformable_im2col.h, src/operator/deformable_convolution-inl.h"""
    kh, kw = value(a, "kernel")
    (sh, sw), (ph, pw), (dh, dw) = (value(a, k, v) for k, v in (("stride", (1, 1)), ("pad", (0, 0)), ("dilate", (1, 1))))
    groups, shifts = value(a, "num_group", 1), value(a, "num_deformable_group", 1)
    batch, channels, height, width = data.shape
    filters = weight.shape[0]
    oh, ow = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1, (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    columns = np.zeros((batch, channels, kh, kw, oh, ow))

    def inside(plane, y, x):
        if not (0 <= y < height and 0 <= x < width):
            return 0
        y0, x0 = int(np.floor(y)), int(np.floor(x))
        y1, x1 = min(y0 + 1, height - 1), min(x0 + 1, width - 1)
        ly, lx = (0 if y0 >= height - 1 else y - y0), (0 if x0 >= width - 1 else x - x0)
        return (1 - ly) * ((1 - lx) * plane[y0, x0] + lx * plane[y0, x1]) + ly * ((1 - lx) * plane[y1, x0] + lx * plane[y1, x1])

    for index in np.ndindex(*columns.shape):
        n, c, i, j, y, x = index
        first = (c // (channels // shifts)) * 2 * kh * kw + 2 * (i * kw + j)
        columns[index] = inside(data[n, c], y * sh - ph + i * dh + offset[n, first, y, x], x * sw - pw + j * dw + offset[n, first + 1, y, x])
    out = np.zeros((batch, filters, oh, ow))
    for f in range(filters):
        g = f // (filters // groups)
        own = columns[:, g * (channels // groups):(g + 1) * (channels // groups)]
        out[:, f] = np.einsum("ncijyx,cij->nyx", own, weight[f])
    return out if bias is None else out + bias.reshape(1, -1, 1, 1)


def proposal(a, scores, deltas, info):
    """src/operator/contrib/proposal.cc, proposal-inl.h and multi_proposal.cc"""
    before, after = value(a, "rpn_pre_nms_top_n", 6000), value(a, "rpn_post_nms_top_n", 300)
    stride, overlap = value(a, "feature_stride", value(a, "feat_stride", 16)), value(a, "threshold", 0.7)
    anchors = []
    for ratio in value(a, "ratios", (0.5, 1, 2)):
        for scale in value(a, "scales", (4, 8, 16, 32)):
            w = np.floor(np.sqrt(np.floor(stride * stride / ratio)) + 0.5) * scale
            h = np.floor(w / scale * ratio + 0.5) * scale
            c = 0.5 * (stride - 1)
            anchors.append((c - 0.5 * (w - 1), c - 0.5 * (h - 1), c + 0.5 * (w - 1), c + 0.5 * (h - 1)))
    count, height, width = len(anchors), *scores.shape[2:]
    regions, of_regions = [], []
    for n in range(len(scores)):
        boxes = []
        for y in range(height):
            for x in range(width):
                for k, base in enumerate(anchors):
                    x0, y0, x1, y1 = np.array(base) + stride * np.array((x, y, x, y))
                    w, h = x1 - x0 + 1, y1 - y0 + 1
                    dx, dy, dw, dh = deltas[n, 4 * k:4 * k + 4, y, x]
                    cx, cy, nw, nh = dx * w + x0 + 0.5 * (w - 1), dy * h + y0 + 0.5 * (h - 1), np.exp(dw) * w, np.exp(dh) * h
                    box = [cx - 0.5 * (nw - 1), cy - 0.5 * (nh - 1), cx + 0.5 * (nw - 1), cy + 0.5 * (nh - 1)]
                    if value(a, "iou_loss", False):
                        box = [x0 + dx, y0 + dy, x1 + dw, y1 + dh]
                    box = [min(max(v, 0), info[n, 1 - i % 2] - 1) for i, v in enumerate(box)]
                    score = scores[n, count + k, y, x]
                    if y >= int(info[n, 0] / stride) or x >= int(info[n, 1] / stride):
                        score = -1
                    least = value(a, "rpn_min_size", 16) * info[n, 2]
                    if box[2] - box[0] + 1 < least or box[3] - box[1] + 1 < least:
                        score = -1
                    boxes.append(box + [score])
        boxes = np.array(boxes)
        boxes = boxes[np.argsort(-boxes[:, 4], kind="stable")][:before if before > 0 else None]
        area = (boxes[:, 2] - boxes[:, 0] + 1) * (boxes[:, 3] - boxes[:, 1] + 1)
        kept, gone = [], np.zeros(len(boxes), bool)
        for i in range(len(boxes)):
            if gone[i] or len(kept) == after:
                continue
            kept.append(i)
            w = np.maximum(0, np.minimum(boxes[i, 2], boxes[:, 2]) - np.maximum(boxes[i, 0], boxes[:, 0]) + 1)
            h = np.maximum(0, np.minimum(boxes[i, 3], boxes[:, 3]) - np.maximum(boxes[i, 1], boxes[:, 1]) + 1)
            gone |= w * h / (area[i] + area - w * h) > overlap
        assert len(kept) == after, "only %d regions: the operation of the IR leaves the others empty" % len(kept)
        assert boxes[kept, 4].min() > 0, "a region that does not count is among them"
        regions += [[n] + list(boxes[i, :4]) for i in kept]
        of_regions += [[boxes[i, 4]] for i in kept]
    return [np.array(regions), np.array(of_regions)] if value(a, "output_score", False) else np.array(regions)


def multi_box_detection(a, scores, locations, anchors):
    """src/operator/contrib/multibox_detection.cc with force_suppress; as rows [picture, class, score, box] without those whose class
    has become -1, which are filled up with -1"""
    variances, least, overlap = value(a, "variances", (0.1, 0.1, 0.2, 0.2)), value(a, "threshold", 0.01), value(a, "nms_threshold", 0.5)
    most, result = value(a, "nms_topk", -1), []
    for n, picture in enumerate(scores):
        rows = []
        for k, (x0, y0, x1, y1) in enumerate(anchors[0]):
            c = int(np.argmax(picture[1:, k]))
            dx, dy, dw, dh = locations[n].reshape(-1, 4)[k] * variances
            x, y = dx * (x1 - x0) + (x0 + x1) / 2, dy * (y1 - y0) + (y0 + y1) / 2
            w, h = np.exp(dw) * (x1 - x0) / 2, np.exp(dh) * (y1 - y0) / 2
            box = np.array([x - w, y - h, x + w, y + h])
            if picture[c + 1, k] >= least:
                rows.append([n, c, picture[c + 1, k]] + list(np.clip(box, 0, 1) if value(a, "clip", True) else box))
        rows = sorted(rows, key=lambda r: -r[2])[:most if most > 0 else None]
        kept = []
        for r in rows:
            both = [max(0, min(r[5 + i], o[5 + i]) - max(r[3 + i], o[3 + i])) for o in kept for i in (0, 1)]
            shared = [w * h for w, h in zip(both[::2], both[1::2])]
            areas = [(o[5] - o[3]) * (o[6] - o[4]) for o in kept + [r]]
            if all(s / (area + areas[-1] - s) < overlap for s, area in zip(shared, areas)):
                kept.append(r)
        assert len(kept) < len(rows) or overlap > 0.99, "nothing is suppressed: the case shows nothing"
        result += kept + [[-1] * 7] * (len(anchors[0]) - len(kept))
    return np.reshape(result, (1, 1, -1, 7))


def roi_align(a, data, rois):
    """src/operator/contrib/roi_align.cc"""
    (ph, pw), scale, ratio = value(a, "pooled_size"), value(a, "spatial_scale"), value(a, "sample_ratio", -1)
    aligned, sensitive = value(a, "aligned", False), value(a, "position_sensitive", False)
    height, width = data.shape[2:]
    channels = data.shape[1] // (ph * pw if sensitive else 1)
    out = np.zeros((len(rois), channels, ph, pw))

    def at(plane, y, x):
        if y < -1 or y > height or x < -1 or x > width:
            return 0
        y, x = max(y, 0), max(x, 0)
        y0, x0 = min(int(y), height - 1), min(int(x), width - 1)
        ly, lx = (0 if int(y) >= height - 1 else y - y0), (0 if int(x) >= width - 1 else x - x0)
        y1, x1 = min(y0 + 1, height - 1), min(x0 + 1, width - 1)
        return (1 - ly) * ((1 - lx) * plane[y0, x0] + lx * plane[y0, x1]) + ly * ((1 - lx) * plane[y1, x0] + lx * plane[y1, x1])

    for n, roi in enumerate(rois):
        x0, y0, x1, y1 = roi[1:] * scale - (0.5 if aligned else 0)
        w, h = (x1 - x0, y1 - y0) if aligned else (max(x1 - x0, 1), max(y1 - y0, 1))
        gh, gw = (ratio, ratio) if ratio > 0 else (int(np.ceil(h / ph)), int(np.ceil(w / pw)))
        for c, i, j in np.ndindex(channels, ph, pw):
            plane = data[int(roi[0]), c * ph * pw + i * pw + j if sensitive else c]
            out[n, c, i, j] = np.mean([at(plane, y0 + (i + (p + 0.5) / gh) * h / ph, x0 + (j + (q + 0.5) / gw) * w / pw)
                                       for p in range(gh) for q in range(gw)])
    return out


def group_norm(a, data, gamma, beta):
    """src/operator/nn/group_norm-inl.h, of 1.9.1 where the factors are those of groups"""
    groups = value(a, "num_groups", 1)
    apart = data.reshape(data.shape[0], groups, -1)
    normal = (apart - apart.mean(2, keepdims=True)) / np.sqrt(apart.var(2, keepdims=True) + value(a, "eps", 1e-5))
    if len(gamma) == groups:
        return (normal * gamma.reshape(1, -1, 1) + beta.reshape(1, -1, 1)).reshape(data.shape)
    dims = (1, -1) + (1,) * (data.ndim - 2)
    return normal.reshape(data.shape) * gamma.reshape(dims) + beta.reshape(dims)


def grid_generator(a, data):
    """src/operator/grid_generator-inl.h"""
    if value(a, "transform_type") == "warp":
        height, width = data.shape[2:]
        own = np.stack([np.tile(np.arange(width), (height, 1)), np.tile(np.arange(height), (width, 1)).T])
        return (data + own) / np.array([(width - 1) / 2, (height - 1) / 2]).reshape(1, 2, 1, 1) - 1
    height, width = value(a, "target_shape")
    x, y = np.meshgrid(-1 + np.arange(width) * 2 / (width - 1), -1 + np.arange(height) * 2 / (height - 1))
    places = np.stack([x.ravel(), y.ravel(), np.ones(height * width)])
    return (data.reshape(-1, 3) @ places).reshape(-1, 2, height, width)


def bilinear_sampler(_, data, grid):
    """src/operator/bilinear_sampler.cc"""
    height, width = data.shape[2:]
    out = np.zeros(data.shape[:2] + grid.shape[2:])
    for n, c, i, j in np.ndindex(*out.shape):
        y, x = (grid[n, 1, i, j] + 1) * (height - 1) / 2, (grid[n, 0, i, j] + 1) * (width - 1) / 2
        top, left = int(np.floor(y)), int(np.floor(x))
        for k, m in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if 0 <= top + k < height and 0 <= left + m < width:
                out[n, c, i, j] += data[n, c, top + k, left + m] * abs(1 - k - (y - top)) * abs(1 - m - (x - left))
    return out


def spatial_transformer(a, data, loc):
    """src/operator/spatial_transformer-inl.h"""
    return bilinear_sampler(a, data, grid_generator(a, loc))


def with_length(f):
    """SoftmaxWithLength of src/operator/nn/softmax-inl.h"""
    def softmax(a, data, length):
        axis = value(a, "axis", -1)
        x, y = np.moveaxis(data, axis, -1), np.zeros(np.moveaxis(data, axis, -1).shape)
        for i in np.ndindex(*x.shape[:-1]):
            n = int(length[i])
            y[i][:n] = f(x[i][:n] / value(a, "temperature", 1.0))
        return np.moveaxis(y, -1, axis)
    return softmax


def exponents(x):
    return np.exp(x - x.max()) / np.exp(x - x.max()).sum() if x.size else x


def parts(x, heads, count):
    """[count][batch * heads, time, size]: the equivalent code in src/operator/contrib/transformer.cc"""
    time, batch, _ = x.shape
    apart = x.reshape(time, batch, heads, count, -1)
    return [apart[:, :, :, i].transpose(1, 2, 0, 3).reshape(batch * heads, time, -1) for i in range(count)]


def joined(x, heads):
    rows, time, size = x.shape
    return x.reshape(rows // heads, heads, time, size).transpose(2, 0, 1, 3).reshape(time, rows // heads, -1)


def scaled_product(q, k):
    return q / np.sqrt(q.shape[-1]) @ k.transpose(0, 2, 1)


def selfatt_qk(a, x):
    q, k, _ = parts(x, value(a, "heads"), 3)
    return scaled_product(q, k)


def selfatt_valatt(a, x, attention):
    return joined(attention @ parts(x, value(a, "heads"), 3)[2], value(a, "heads"))


def encdec_qk(a, q, x):
    return scaled_product(parts(q, value(a, "heads"), 1)[0], parts(x, value(a, "heads"), 2)[0])


def encdec_valatt(a, x, attention):
    return joined(attention @ parts(x, value(a, "heads"), 2)[1], value(a, "heads"))


def sum_pooling(a, data):
    """pool_sum_2d_cpu of src/operator/nn/pool.h, with the sizes of src/operator/nn/pooling.cc"""
    (kh, kw), (sh, sw), (ph, pw) = (value(a, k, v) for k, v in (("kernel", 0), ("stride", (1, 1)), ("pad", (0, 0))))
    height, width = data.shape[2:]
    oh, ow = int(np.ceil((height + 2 * ph - kh) / sh)) + 1, int(np.ceil((width + 2 * pw - kw) / sw)) + 1
    out = np.zeros(data.shape[:2] + (oh, ow))
    for y in range(oh):
        for x in range(ow):
            top, left = y * sh - ph, x * sw - pw
            out[:, :, y, x] = data[:, :, max(top, 0):max(top + kh, 0), max(left, 0):max(left + kw, 0)].sum((2, 3))
    return out


def scale_shift(a, data, gamma, beta):
    """Of tools that merge statistics: fix_gamma is true when absent, as in src/operator/nn/batch_norm-inl.h"""
    return data * (1 if value(a, "fix_gamma", True) else gamma.reshape(1, -1, 1, 1)) + beta.reshape(1, -1, 1, 1)


def sequences(f):
    """src/operator/sequence_last-inl.h and sequence_reverse-inl.h: f of the first steps of each sample."""
    def over(a, data, lengths=None):
        axis = value(a, "axis", 0)
        x = np.moveaxis(data, axis, 0)
        used = lengths if lengths is not None and value(a, "use_sequence_length", False) else np.full(x.shape[1], len(x))
        y = np.stack([f(x[:, n], int(used[n])) for n in range(x.shape[1])], 0)
        return y if y.ndim < x.ndim else np.moveaxis(np.moveaxis(y, 0, 1), 0, axis)
    return over


def ordered(a, x, ascending):
    """src/operator/tensor/ordering_op-inl.h: places along an axis."""
    return np.argsort(x if ascending else -x, axis=value(a, "axis", -1), kind="stable")


def topk(a, x):
    places = np.take(ordered(a, x, value(a, "is_ascend", False)), range(value(a, "k", 1)), value(a, "axis", -1))
    values = np.take_along_axis(x, places, value(a, "axis", -1))
    return {"indices": places, "value": values, "both": [values, places]}[value(a, "ret_typ", "indices")]


def pick(a, x, index):
    """src/operator/tensor/broadcast_reduce_op.h, with the mode clip"""
    axis = value(a, "axis", -1)
    places = np.expand_dims(np.clip(index.astype(int), 0, x.shape[axis] - 1), axis)
    y = np.take_along_axis(x, places, axis)
    return y if value(a, "keepdims", False) else y.squeeze(axis)


def space_to_depth(a, x):
    """The documentation of space_to_depth, in src/operator/tensor/matrix_op.cc"""
    (n, c, h, w), k = x.shape, value(a, "block_size")
    return x.reshape(n, c, h // k, k, w // k, k).transpose(0, 3, 5, 1, 2, 4).reshape(n, c * k * k, h // k, w // k)


def lstm(a, x, parameters, h0, c0, lengths=None):
    """src/operator/rnn-inl.h for the sizes, python/mxnet/gluon/rnn/rnn_layer.py for their order: weights of the input, of the
    output before and of the projection of each layer and direction, then the biases. The state is cut before it is read.
    Sequences with lengths: outputs behind their end are zeros, and the other direction begins at their end."""
    hidden, layers, directions = value(a, "state_size"), value(a, "num_layers"), 2 if value(a, "bidirectional") else 1
    projection = value(a, "projection_size", 0)
    low, high = value(a, "lstm_state_clip_min", -np.inf), value(a, "lstm_state_clip_max", np.inf)
    out, at = projection or hidden, 0
    lengths = np.full(x.shape[1], len(x)) if lengths is None else lengths.astype(int)

    def taken(*dims):
        nonlocal at
        at += int(np.prod(dims))
        return parameters[at - int(np.prod(dims)):at].reshape(dims)

    def sigmoid(v):
        return 1 / (1 + np.exp(-v))
    weights = [(taken(4 * hidden, x.shape[2] if k < directions else out * directions), taken(4 * hidden, out),
                taken(out, hidden) if projection else np.eye(hidden)) for k in range(layers * directions)]
    biases = [taken(4 * hidden) + taken(4 * hidden) for k in range(layers * directions)]
    assert at == parameters.size
    last_h, last_c = [], []
    for layer in range(layers):
        y = np.zeros(x.shape[:2] + (directions, out))
        for d in range(directions):
            k = layer * directions + d
            (w, r, p), h, c = weights[k], h0[k], c0[k]
            for t in range(len(x)) if d == 0 else reversed(range(len(x))):
                i, f, g, o = np.split(x[t] @ w.T + h @ r.T + biases[k], 4, 1)
                new = np.clip(sigmoid(f) * c + sigmoid(i) * np.tanh(g), low, high)
                there = (t < lengths)[:, None]
                y[t, :, d] = step = np.where(there, (sigmoid(o) * np.tanh(new)) @ p.T, 0)
                h, c = np.where(there, step, h), np.where(there, new, c)
            last_h.append(h)
            last_c.append(c)
        x = y.reshape(x.shape[:2] + (directions * out,))
    return [x, np.array(last_h), np.array(last_c)]


def correlation(a, x, y):
    """CorrelationForward of src/operator/correlation.cc"""
    kernel, most, s1, s2, pad = (value(a, k, v) for k, v in (
        ("kernel_size", 1), ("max_displacement", 1), ("stride1", 1), ("stride2", 1), ("pad_size", 0)))
    x, y = (np.pad(v, ((0, 0), (0, 0), (pad, pad), (pad, pad))) for v in (x, y))
    border, radius = most + (kernel - 1) // 2, most // s2
    height, width = (int(np.ceil((n - 2 * border) / s1)) for n in x.shape[2:])
    out = np.zeros((len(x), (2 * radius + 1) ** 2, height, width))
    for c, (dy, dx) in enumerate((i * s2, k * s2) for i in range(-radius, radius + 1) for k in range(-radius, radius + 1)):
        for i in range(height):
            for k in range(width):
                top, left = i * s1 + most, k * s1 + most
                u = x[:, :, top:top + kernel, left:left + kernel]
                v = y[:, :, top + dy:top + dy + kernel, left + dx:left + dx + kernel]
                out[:, c, i, k] = (u * v if value(a, "is_multiply", True) else abs(u - v)).mean((1, 2, 3))
    return out


def softmax_cross_entropy(a, x, label):
    """src/operator/loss_binary_op.cc"""
    return np.array([-sum(np.log(exponents(row))[int(k)] for row, k in zip(x, label))])


def ctc_loss(a, x, labels, *lengths):
    """The documentation of CTCLoss, src/operator/nn/ctc_loss.cc: minus the logarithm of the sum, over all ways to choose a class at
    each step that give the labels when equal neighbours count once and blanks are left out, of the product of probabilities."""
    lengths, first = list(lengths), value(a, "blank_label", "first") == "first"
    times = lengths.pop(0).astype(int) if value(a, "use_data_lengths", False) else [len(x)] * x.shape[1]
    counts = lengths.pop(0).astype(int) if value(a, "use_label_lengths", False) else None
    blank, end, out = 0 if first else x.shape[2] - 1, 0 if first else -1, []
    for n, row in enumerate(labels.astype(int)):
        wanted = list(row[:counts[n]]) if counts is not None else list(row[:list(row).index(end)]) if end in row else list(row)
        total = 0
        for path in np.ndindex(*[x.shape[2]] * times[n]):
            said = [c for k, c in enumerate(path) if c != blank and (k == 0 or path[k - 1] != c)]
            if said == wanted:
                total += np.prod([exponents(x[t, n])[c] for t, c in enumerate(path)])
        out.append(-np.log(total))
    return np.array(out)


OPS = {
    "ctc_loss": ctc_loss,
    "Correlation": correlation, "softmax_cross_entropy": softmax_cross_entropy,
    "RNN": lstm,
    "SequenceLast": sequences(lambda x, n: x[n - 1]),
    "SequenceReverse": sequences(lambda x, n: np.concatenate([x[:n][::-1], x[n:]])),
    "argsort": lambda a, x: ordered(a, x, value(a, "is_ascend", True)), "topk": topk, "pick": pick, "space_to_depth": space_to_depth,
    "sort": lambda a, x: np.take_along_axis(x, ordered(a, x, value(a, "is_ascend", True)), value(a, "axis", -1)),
    "degrees": lambda a, x: np.degrees(x), "radians": lambda a, x: np.radians(x), "rcbrt": lambda a, x: 1 / np.cbrt(x),
    "_contrib_PSROIPooling": psroi_pooling, "_contrib_DeformablePSROIPooling": deformable_psroi_pooling,
    "_contrib_DeformableConvolution": deformable_convolution, "_contrib_Proposal": proposal, "_contrib_MultiBoxDetection": multi_box_detection,
    "_contrib_MultiProposal": proposal, "Custom.proposal": proposal, "_contrib_ROIAlign": roi_align, "GroupNorm": group_norm,
    "GridGenerator": grid_generator, "BilinearSampler": bilinear_sampler, "SpatialTransformer": spatial_transformer,
    "softmax": with_length(exponents), "log_softmax": with_length(lambda x: np.log(exponents(x))),
    "softmin": with_length(lambda x: exponents(-x)), "Pooling": sum_pooling, "ScaleShift": scale_shift,
    "_contrib_interleaved_matmul_selfatt_qk": selfatt_qk, "_contrib_interleaved_matmul_selfatt_valatt": selfatt_valatt,
    "_contrib_interleaved_matmul_encdec_qk": encdec_qk, "_contrib_interleaved_matmul_encdec_valatt": encdec_valatt,
    "mish": lambda a, x: x * np.tanh(np.log1p(np.exp(x))), "log_sigmoid": lambda a, x: np.log(1 / (1 + np.exp(-x))),
}

BOXES = [[0, .5, .1, .1, .2, .2], [1, .4, .1, .1, .2, .2], [0, .3, .1, .1, .14, .14], [2, .6, .5, .5, .7, .8]]
BEST, SECOND, GONE = [2, .6, .5, .5, .7, .8], [0, .5, .1, .1, .2, .2], [-1] * 6
MORE = [[0, .5, .1, .1, .2, .2], [0, .4, .1, .1, .2, .2], [1, .3, .1, .1, .14, .14], [-1, .6, .5, .5, .7, .8]]
SQUARES = [[[i, s, 0, 0, 10, 10] for s in (1, .4, .3)] for i in (1, 2, 3)]
PICTURE = [[[[1, 4, 3, 6], [1, 8, 8, 9], [0, 4, 1, 5], [1, 0, 1, 3]]]]
NMS = {"overlap_thresh": "0.5", "valid_thresh": "0", "id_index": "0"}
STEPS = [1.2, 3.4, 1.2, -0.1, -2.34], [0.1, 0.2, 0.3, 0.22, 0.123]

# (operator, attributes, inputs, outputs)
FIGURES = [
    # tests/python/unittest/test_contrib_operator.py, test_box_nms_op, cases 1, 3, 4, 7, 8 and 9
    ("_contrib_box_nms", dict(NMS, force_suppress="True"), [BOXES], [[BEST, SECOND, BOXES[2], GONE]]),
    ("_contrib_box_nms", dict(NMS, force_suppress="True", overlap_thresh="0.1"), [BOXES], [[BEST, SECOND, GONE, GONE]]),
    ("_contrib_box_nms", dict(NMS, overlap_thresh="0.1"), [BOXES], [[BEST, SECOND, BOXES[1], GONE]]),
    ("_contrib_box_nms", dict(NMS, id_index="-1"), [BOXES], [[BEST, SECOND, BOXES[2], GONE]]),
    ("_contrib_box_nms", dict(NMS, valid_thresh="0.5", topk="2"), [SQUARES], [[[b[0], GONE, GONE] for b in SQUARES]]),
    ("_contrib_box_nms", dict(NMS, force_suppress="True"), [MORE], [[MORE[0], MORE[2], GONE, GONE]]),
    ("_contrib_box_nms", dict(NMS, force_suppress="True", background_id="0"), [MORE], [[MORE[3], MORE[2], GONE, GONE]]),
    # tests/python/unittest/test_operator.py, test_ctc_loss, tests 1 and 2, "from Torch"
    ("ctc_loss", {}, [[[STEPS[0]] * 2, [STEPS[1]] * 2, [[-15, -14, -13, -12, -11]] * 2], [[2, 3, 0]] * 2], [[4.04789, 4.04789]]),
    ("ctc_loss", {}, [[[[-5, -4, -3, -2, -1], STEPS[0]], [[-10, -9, -8, -7, -6], STEPS[1]],
                       [[-15, -14, -13, -12, -11], [-15, -14.2, -13.5, -12.2, -11.22]]], [[2, 3, 1], [2, 0, 0]]], [[7.3557, 5.4091]]),
    # the documentation of BilinearSampler, examples 1 and 2: the grids are those of GridGenerator
    ("SpatialTransformer", {"target_shape": "(4, 4)", "transform_type": "affine", "sampler_type": "bilinear"},
     [PICTURE, [[2, 0, 0, 0, 2, 0]]], [[[[[0, 0, 0, 0], [0, 3.5, 6.5, 0], [0, 1.25, 2.5, 0], [0, 0, 0, 0]]]]]),
]
