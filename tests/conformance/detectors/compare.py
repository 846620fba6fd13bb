"""compare.py IR MODEL: runs the IR in this environment's OpenVINO and compares it with MODEL/tensorflow.npz."""
import os
import sys

import numpy as np
import openvino


def fed(port, pictures):
    shape = port.partial_shape
    if len(shape) == 4:
        first = shape[1].is_static and shape[1].get_length() == 3
        return (pictures.transpose(0, 3, 1, 2) if first else pictures).astype(port.element_type.to_dtype())
    return np.array([[pictures.shape[1], pictures.shape[2], 1]], np.float32)


def detected(model, outputs, names):
    """Boxes, scores, classes and masks, as TensorFlow has them. A SavedModel gives Identity, Identity_1, … in the order of names."""
    numbered = {"Identity_%d" % i if i else "Identity": n for i, n in enumerate(sorted(names))}
    rows = [x for x in outputs if x.ndim > 1 and x.shape[-1] == 7]
    if rows:
        rows = rows[0].reshape(-1, 7)
        rows = rows[np.cumprod(rows[:, 0] >= 0).astype(bool)]
        masks = [x for x in outputs if x.ndim == 4 and x.shape[-1] != 7]
        if masks:
            masks = [np.stack([m[int(c) - 1] for m, c in zip(masks[0], rows[:, 1])])]
        return rows[:, [4, 3, 6, 5]], rows[:, 2], rows[:, 1], masks[0] if masks else None
    by_name = {}
    for port, x in zip(model.outputs, outputs):
        for name in port.names:
            last = name.split(":")[0].split("/")[-1]
            by_name[numbered.get(last, last)] = x
    if "detection_boxes" not in by_name:
        raise SystemExit("the outputs are %s" % sorted(by_name))
    n = int(by_name["num_detections"].reshape(-1)[0])
    masks = by_name.get("detection_masks")
    if masks is not None:  # outputs of four dimensions have the channels first
        masks = masks.transpose(0, 2, 3, 1)[0][:n]
    return tuple(by_name["detection_" + k][0][:n] for k in ("boxes", "scores", "classes")) + (masks,)


def main():
    core = openvino.Core()
    model = core.read_model(sys.argv[1])
    pictures = np.load(os.path.join(sys.argv[2], "pictures.npy"))
    result = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})([fed(p, pictures) for p in model.inputs])
    wanted = np.load(os.path.join(sys.argv[2], "tensorflow.npz"))
    boxes, scores, classes, masks = detected(model, [np.asarray(result[i]) for i in range(len(model.outputs))], wanted.files)
    n = int(wanted["num_detections"][0])
    left, worst, missing = set(range(len(scores))), [0.0, 0.0, 0.0], []
    for i in range(n):
        box, score, kind = (wanted["detection_" + k][0][i] for k in ("boxes", "scores", "classes"))
        away = [(np.abs(boxes[j] - box).max() + abs(scores[j] - score), j) for j in left if classes[j] == kind]
        if not away or min(away)[0] > 1e-3:
            missing.append("class %d, score %.4f, box %s" % (kind, score, np.round(box, 3)))
            continue
        j = min(away)[1]
        left.remove(j)
        differences = [np.abs(boxes[j] - box).max(), abs(scores[j] - score), 0.0]
        if "detection_masks" in wanted.files:
            differences[2] = np.abs(masks[j] - wanted["detection_masks"][0][i]).max() if masks is not None else 1.0
        worst = np.maximum(worst, differences)
    print("OpenVINO %s: %d of %d detections, %d more; box %.1e, score %.1e, mask %.1e%s" %
          (openvino.__version__.split("-")[0], n - len(missing), n, len(left), *worst,
           "; missing: " + missing[0] if missing else ""))
    return 1 if n == 0 or missing or left or worst[2] > 1e-3 else 0


if __name__ == "__main__":
    sys.exit(main())
