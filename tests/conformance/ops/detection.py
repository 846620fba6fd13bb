"""Detection: non-maximum suppression, prior boxes, proposals, detection outputs."""
import numpy as np

import oracles
from case import Case, Floats, Ty, con, generator, par


def scores(r, *shape):
    """Different scores in (0, 1)."""
    n = int(np.prod(shape))
    return ((r.g.permutation(n) + 1) / (n + 2)).reshape(shape).astype(np.float32)


def corners(r, *shape):
    """Boxes (x0, y0, x1, y1) within the unit square, many of which overlap."""
    a = r.g.uniform(0, 0.5, shape + (2,))
    b = a + r.g.uniform(0.2, 0.5, shape + (2,))
    return np.round(np.concatenate([a, b], -1), 3).astype(np.float32)


@generator("NonMaxSuppression-1", "NonMaxSuppression-3", "NonMaxSuppression-4", "NonMaxSuppression-5", "NonMaxSuppression-9")
def nms(r, i, key):
    opset = key[1]
    n, c, boxes = r.dim(1, 2), r.dim(1, 3), r.dim(2, 7)
    limit = r.int(1, 4)
    if opset < 4:                                # all that is selected has room
        n, limit = 1, max(boxes // c, 1)
        c = min(c, boxes)
    center = i % 2 == 1
    box = corners(r, n, boxes)[..., [1, 0, 3, 2]]
    if center:
        box = np.concatenate([(box[..., 2:] + box[..., :2])[..., ::-1] / 2, (box[..., 2:] - box[..., :2])[..., ::-1]], -1)
        box = np.ascontiguousarray(box, np.float32)
    attrs = {"box_encoding": "center" if center else "corner", "sort_result_descending": i // 2 % 2 == 0}
    if opset >= 3:
        attrs["output_type"] = Ty(r.cycle(["i64", "i32"], i))
    inputs = [par(box), par(scores(r, n, c, boxes))]
    count = r.cycle([5, 5, 4, 3, 6 if opset >= 5 else 5], i)
    if i % 11 == 10:
        count = 2
    sigma = r.pick([0.0, 0.5])
    # The specification has no threshold for soft suppression, ir_check has: nothing overlaps that much.
    overlap = 1.0 if sigma and count == 6 else r.pick([0.3, 0.5, 0.7])
    optional = [r.structural(np.array(limit)), con(np.array(overlap, np.float32)),
                con(np.array(r.pick([0.0, 0.15, 0.4]), np.float32)), con(np.array(sigma, np.float32))]
    return Case(inputs + optional[:count - 2], attrs, outputs=3 if opset >= 5 else 1, dynamic=opset >= 5)


def order_free(want):
    """Rows of a batch element in any order."""
    def check(got):
        if [g.shape for g in got] != [w.shape for w in want] or not np.array_equal(got[2], want[2]):
            return "numbers of boxes are others: %s, expected %s" % (got[2].tolist(), want[2].tolist())
        start = 0
        for n in want[2].astype(int):
            def rows(v):
                return sorted(zip(v[1][start:start + n].reshape(-1).tolist(), np.round(v[0][start:start + n], 3).tolist()))
            a, b = rows(got), rows(want)
            if [x for x, _ in a] != [x for x, _ in b]:
                return "boxes %s, expected %s" % ([x for x, _ in a], [x for x, _ in b])
            if n and not np.allclose([x for _, x in a], [x for _, x in b], atol=2e-3):
                return "rows differ"
            start += n
        return ""
    return check


def sorting(r, i):
    kind = r.cycle(["score", "class", "none"], i)
    return {"sort_result_type": kind, "sort_result_across_batch": kind != "none" and i // 3 % 2 == 1,
            "output_type": Ty(r.cycle(["i64", "i32"], i)), "nms_top_k": r.pick([-1, 2, 3]), "keep_top_k": r.pick([-1, -1, 3]),
            "background_class": r.pick([-1, -1, 0])}


@generator("MatrixNms-8")
def matrix_nms(r, i):
    n, c, boxes = r.dim(1, 2), r.dim(1, 3), r.dim(1, 6)
    attrs = {**sorting(r, i), "score_threshold": r.pick([0.0, 0.3003]), "decay_function": r.cycle(["linear", "gaussian"], i),
             "gaussian_sigma": r.pick([2.0, 0.5]), "post_threshold": r.pick([0.0, 0.2003]), "normalized": i % 4 < 2}
    box, s = corners(r, n, boxes), scores(r, n, c, boxes)
    if not attrs["normalized"]:
        box = np.round(box * 30).astype(np.float32)
    want = oracles.matrix_nms(attrs, box, s)
    free = attrs["sort_result_type"] == "none"
    return Case([par(box), par(s)], attrs, outputs=3, oracle=lambda a, b: want, dynamic=True, atol=1e-4,
                check=order_free(want) if free else None, table=not free)


@generator("MulticlassNms-8", "MulticlassNms-9")
def multiclass_nms(r, i, key):
    n, c, boxes = r.dim(1, 2), r.dim(1, 3), r.dim(1, 6)
    attrs = {**sorting(r, i), "iou_threshold": r.pick([0.2003, 0.5003, 0.7003]), "score_threshold": r.pick([0.0, 0.3003]),
             "normalized": i % 4 < 2, "nms_eta": r.cycle([1.0, 0.9], i)}
    rois = key[1] == 9 and i % 2 == 1
    for _ in range(100):
        if rois:
            counts = np.array([boxes] if n == 1 else [boxes // 2, boxes - boxes // 2])
            box, s = corners(r, c, boxes), scores(r, c, boxes)
        else:
            box, s = corners(r, n, boxes), scores(r, n, c, boxes)
        if not attrs["normalized"]:
            box = np.round(box * 30).astype(np.float32)
        inputs = [par(box), par(s)] + ([r.either(counts, r.pick(["i64", "i32"]))] if rois else [])
        want = oracles.multiclass_nms(attrs, *[v.value for v in inputs])
        # Where a falling threshold is applied to earlier boxes again, text and reference of the specification differ.
        other = oracles.multiclass_nms({**attrs, "again": True}, *[v.value for v in inputs])
        if all(np.array_equal(x, y) for x, y in zip(want, other)):
            break
    free = attrs["sort_result_type"] == "none"
    return Case(inputs, attrs, outputs=3, oracle=lambda *v: want, dynamic=True, check=order_free(want) if free else None,
                table=not free)


@generator("NMSRotated-13")
def nms_rotated(r, i):
    n, c, boxes = r.dim(1, 2), r.dim(1, 3), r.dim(1, 6)
    attrs = {"sort_result_descending": i % 2 == 0, "output_type": Ty(r.cycle(["i64", "i32"], i)), "clockwise": i // 2 % 2 == 0}
    box = np.concatenate([r.g.uniform(2, 4, (n, boxes, 2)), r.g.uniform(1, 4, (n, boxes, 2)), r.g.uniform(-3, 3, (n, boxes, 1))], -1)
    box = np.round(box, 2).astype(np.float32)
    inputs = [par(box), par(scores(r, n, c, boxes)), r.structural(np.array(r.int(1, 4))),
              con(np.array(r.pick([0.1, 0.3, 0.6]), np.float32)), con(np.array(r.pick([0.0, 0.3003]), np.float32))]
    return Case(inputs, attrs, outputs=3, oracle=lambda *v: oracles.nms_rotated(attrs, *v), dynamic=True)


# ---------------------------------------------------------------------------- prior boxes

@generator("PriorBox-1", "PriorBox-8")
def prior_box(r, i, key):
    h, w = r.dim(1, 3), r.dim(1, 3)
    image = [h * 8, w * 8 + r.int(0, 3)]
    fixed = i % 4 == 3
    mins = [4.0, 7.0][:r.int(1, 2)]
    attrs = {"min_size": Floats([] if fixed else mins), "max_size": Floats([9.0, 12.0][:len(mins)] if i % 3 == 0 and not fixed else []),
             "aspect_ratio": Floats([2.0, 3.0][:r.int(0, 2)]), "flip": i % 2 == 0, "clip": i // 2 % 2 == 0,
             "step": r.pick([0.0, 8.0, 16.0]), "offset": r.pick([0.0, 0.5]),
             "variance": Floats(r.pick([[], [0.2], [0.1, 0.1, 0.2, 0.2]])), "scale_all_sizes": True,
             "fixed_ratio": Floats(), "fixed_size": Floats(), "density": Floats()}
    if fixed:
        attrs.update({"fixed_size": Floats([4.0, 8.0]), "density": Floats([1.0, 2.0]), "aspect_ratio": Floats(),
                      "fixed_ratio": Floats([1.0, 0.5]) if i % 8 == 3 else Floats()})
    elif i % 6 == 2:
        attrs.update({"scale_all_sizes": False, "min_size": Floats([0.3]), "max_size": Floats(), "step": r.pick([0.0, -1.0, 0.5])})
    if key[1] == 8:
        attrs["min_max_aspect_ratios_order"] = i % 3 == 0
    kinds = r.pick(["i64", "i32"])
    return Case([r.structural([h, w], kinds), r.structural(image, kinds)], attrs, atol=1e-4)


@generator("PriorBoxClustered-1")
def prior_clustered(r, i):
    h, w, n = r.dim(1, 3), r.dim(1, 3), r.int(1, 3)
    attrs = {"width": Floats([4.0, 6.5, 9.0][:n]), "height": Floats([3.0, 8.0, 5.5][:n]), "clip": i % 2 == 0,
             "step": 0.0, "step_w": 0.0, "step_h": 0.0, "offset": r.pick([0.0, 0.5]),
             "variance": Floats(r.pick([[0.2], [0.1, 0.1, 0.2, 0.2]]))}
    attrs.update(r.cycle([{}, {"step": 8.0}, {"step_w": 7.0, "step_h": 9.0}], i))
    kinds = r.pick(["i64", "i32"])
    return Case([r.structural([h, w], kinds), r.structural([h * 8, w * 9], kinds)], attrs, atol=1e-4)


# ------------------------------------------------------------------------ DetectionOutput

@generator("DetectionOutput-1", "DetectionOutput-8")
def detection_output(r, i, key):
    n, num, classes = r.dim(1, 2), r.dim(2, 5), r.int(2, 3)
    share, normalized, encoded = i % 2 == 0, i // 2 % 2 == 0, i // 4 % 2 == 1
    arm, decrease = i % 5 == 4, i % 6 == 5
    attrs = {"background_label_id": r.pick([0, -1]) if not decrease else 0, "top_k": r.pick([-1, 3]),
             "variance_encoded_in_target": encoded, "keep_top_k": [r.pick([2, 4, -1])],
             "code_type": "caffe.PriorBoxParameter." + r.cycle(["CORNER", "CENTER_SIZE"], i // 3), "share_location": share,
             "nms_threshold": r.pick([0.3, 0.6]), "confidence_threshold": r.pick([0.0, 0.2003]), "clip_after_nms": i % 3 == 0,
             "clip_before_nms": i % 7 == 0, "decrease_label_id": decrease, "normalized": normalized,
             "input_height": 1 if normalized else 20, "input_width": 1 if normalized else 30, "objectness_score": 0.25 if arm else 0.0}
    if key[1] == 1:
        attrs = {"num_classes": classes, **attrs}
    nloc = 1 if share else classes
    boxes = corners(r, 1 if i % 2 else n, num)
    if not normalized:
        boxes = boxes * np.array([30, 20, 30, 20], np.float32)
        boxes = np.concatenate([np.zeros(boxes.shape[:2] + (1,), np.float32), boxes], -1)
    size = boxes.shape[-1]
    prior = boxes.reshape(boxes.shape[0], 1, num * size)
    if not encoded:
        variance = np.zeros((boxes.shape[0], 1, num * size), np.float32)
        variance[..., :num * 4] = r.data([boxes.shape[0], 1, num * 4], "f32", 0.1, 0.3)
        prior = np.concatenate([prior, variance], 1)
    inputs = [par(r.data([n, num * nloc * 4], "f32", -0.5, 0.5)), par(scores(r, n, num * classes)), r.either(prior.astype(np.float32))]
    if arm:
        inputs += [par(scores(r, n, num * 2)), par(r.data([n, num * nloc * 4], "f32", -0.3, 0.3))]
    return Case(inputs, attrs, atol=1e-3)


@generator("Proposal-1", "Proposal-4")
def proposal(r, i, key):
    n, h, w = r.dim(1, 2), r.dim(1, 3), r.dim(1, 3)
    ratio, scale = [0.5, 1.0, 2.0][:r.int(1, 3)], [1.0, 2.0][:r.int(1, 2)]
    anchors = len(ratio) * len(scale)
    attrs = {"base_size": 8, "pre_nms_topn": r.pick([4, 20]), "post_nms_topn": r.int(2, 5), "nms_thresh": r.pick([0.3003, 0.7003]),
             "feat_stride": 8, "min_size": r.pick([1, 4]), "ratio": Floats(ratio), "scale": Floats(scale),
             "clip_before_nms": i % 2 == 0, "clip_after_nms": i // 2 % 2 == 1, "normalize": i // 4 % 2 == 1,
             "box_size_scale": r.pick([1.0, 2.0]), "box_coordinate_scale": r.pick([1.0, 4.0]),
             "framework": r.cycle(["", "tensorflow"], i)}
    # With "tensorflow" height and width of the picture change places, which only a square one hides.
    size = [8.0 * h + 5, 8.0 * w + 3] if attrs["framework"] == "" else [8.0 * max(h, w) + 4] * 2
    info = size + [1.0] + ([1.0] if i % 3 == 0 else [])
    inputs = [par(scores(r, n, 2 * anchors, h, w)), par(r.data([n, 4 * anchors, h, w], "f32", -0.4, 0.4)),
              r.either(np.array(info, np.float32))]
    return Case(inputs, attrs, outputs=2 if key[1] == 4 else 1, atol=2e-3)


# --------------------------------------------------------------------------- Detectron

def anchor_grid(r, h, w, a):
    y, x = np.meshgrid(np.arange(h) * 8, np.arange(w) * 8, indexing="ij")
    size = r.data([a, 2], "f32", 5, 12)
    shift = np.stack([x, y, x, y], -1)[:, :, None]
    return (shift + np.concatenate([-size / 2, size / 2], -1)[None, None] + 4).astype(np.float32)


@generator("ExperimentalDetectronGenerateProposalsSingleImage-6")
def proposals_one(r, i):
    h, w, a = r.dim(1, 3), r.dim(1, 3), r.dim(1, 3)
    attrs = {"min_size": r.pick([0.0, 3.0]), "nms_threshold": r.pick([0.3003, 0.7003]), "pre_nms_count": r.pick([4, 50]),
             "post_nms_count": r.int(1, 6)}
    inputs = [r.either(np.array([8.0 * h + 2, 8.0 * w + 3, 1.0], np.float32)), r.either(anchor_grid(r, h, w, a).reshape(-1, 4)),
              par(r.data([4 * a, h, w], "f32", -0.4, 0.4)), par(scores(r, a, h, w))]
    return Case(inputs, attrs, outputs=2, atol=2e-3)


@generator("GenerateProposals-9")
def proposals(r, i):
    n, h, w, a = r.dim(1, 2), r.dim(1, 3), r.dim(1, 3), r.dim(1, 3)
    attrs = {"min_size": r.pick([0.0, 3.0]), "nms_threshold": r.pick([0.3003, 0.7003]), "pre_nms_count": r.pick([4, 50]),
             "post_nms_count": r.int(1, 6), "normalized": i % 2 == 0, "nms_eta": 1.0, "roi_num_type": Ty(r.cycle(["i64", "i32"], i))}
    info = np.array([[8.0 * h + 2, 8.0 * w + 3, 1.0] + ([1.0] if i % 3 == 0 else [])] * n, np.float32)
    inputs = [r.either(info), r.either(anchor_grid(r, h, w, a)), par(r.data([n, 4 * a, h, w], "f32", -0.4, 0.4)),
              par(scores(r, n, a, h, w))]
    return Case(inputs, attrs, outputs=3, dynamic=True, atol=2e-3)


@generator("ExperimentalDetectronDetectionOutput-6")
def detectron_output(r, i):
    n, c = r.dim(1, 5), r.int(2, 3)
    attrs = {"score_threshold": r.pick([0.0503, 0.3003]), "nms_threshold": r.pick([0.3003, 0.6003]), "num_classes": c,
             "post_nms_count": r.pick([2, 10, -1]), "max_detections_per_image": r.int(2, 6),
             "class_agnostic_box_regression": False, "max_delta_log_wh": 4.135166645050049,
             "deltas_weights": Floats([10.0, 10.0, 5.0, 5.0])}
    rois = (corners(r, n) * 40).astype(np.float32)
    inputs = [par(rois), par(r.data([n, c * 4], "f32", -2, 2)), par(scores(r, n, c)), r.either(np.array([[60, 60, 1]], np.float32))]
    return Case(inputs, attrs, outputs=3, atol=2e-3)


@generator("ExperimentalDetectronPriorGridGenerator-6")
def prior_grid(r, i):
    h, w, n = r.dim(1, 3), r.dim(1, 3), r.dim(1, 3)
    attrs = {"flatten": i % 2 == 0, "h": 0, "w": 0, "stride_x": 0.0, "stride_y": 0.0}
    if i % 3 == 1:
        attrs.update({"h": h, "w": w})            # less than the feature map leaves undefined elements
    if i % 3 == 2:
        attrs.update({"stride_x": 4.0, "stride_y": 6.0})
    inputs = [r.par([n, 4], "f32", -8, 8), r.par([1, 3, h, w]), r.par([1, 3, h * 8, w * 12])]
    return Case(inputs, attrs)


@generator("ExperimentalDetectronROIFeatureExtractor-6")
def roi_features(r, i):
    levels, c = r.int(1, 3), r.dim(1, 2)
    n, size = r.dim(1, 4), r.int(1, 3)
    attrs = {"output_size": size, "sampling_ratio": r.int(1, 2) if i % 4 else 2, "pyramid_scales": [32, 64, 128][:levels],
             "aligned": i % 2 == 0}
    a = r.data([n, 2], "f32", 0, 100)
    rois = np.concatenate([a, a + r.data([n, 2], "f32", 40, 600)], 1).astype(np.float32)
    maps = [r.par([1, c, r.dim(4, 8), r.dim(4, 8)]) for _ in range(levels)]
    return Case([r.either(rois)] + maps, attrs, outputs=2, atol=1e-3)


@generator("ExperimentalDetectronTopKROIs-6")
def top_rois(r, i):
    n = r.dim(1, 6)
    most = r.int(1, n) if i % 4 else n + r.int(1, 2)
    boxes, s = r.data([n, 4]), scores(r, n)
    best = boxes[np.argsort(-s)[:most]]
    want = np.concatenate([best, np.zeros((most - len(best), 4), np.float32)])

    def check(got):                               # what follows all boxes is not defined
        right = got[0].shape == want.shape and np.array_equal(got[0][:n], want[:n])
        return "" if right else "boxes are others, or not %d" % most
    return Case([par(boxes), par(s)], {"max_rois": most}, oracle=lambda a, b: want, check=check if most > n else None,
                ir_check=most <= n)
