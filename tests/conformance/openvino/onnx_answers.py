"""What ONNX says of the operations of shared/oracle/reproductions, computed by ONNX's own helpers where the package has
them (onnx.backend.test.case.node) and by numpy after the operator's text where it has none."""
import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import gathernd, lstm, resize, scatterelements, scatternd
from onnx.backend.test.case.node.gatherelements import gather_elements


def answers(model, inputs):
    """{name: array} of the outputs of the onnx model."""
    return _graph(model.graph, dict(inputs), model.opset_import[0].version)


def _graph(graph, values, opset):
    for t in graph.initializer:
        values.setdefault(t.name, numpy_helper.to_array(t))
    values[""] = None
    for node in graph.node:
        a = {x.name: onnx.helper.get_attribute_value(x) for x in node.attribute}
        a = {k: v.decode() if isinstance(v, bytes) else v for k, v in a.items()}
        a["opset"], a["outer"] = opset, values
        got = globals()["_" + node.op_type](a, *[values[n] for n in node.input])
        for name, y in zip(node.output, got if isinstance(got, tuple) else (got,)):
            values[name] = y
    return {o.name: values[o.name] for o in graph.output}


# ---------------------------------------------------------------------- element by element

def _Relu(a, x): return np.maximum(x, 0)
def _Neg(a, x): return -x
def _Sigmoid(a, x): return (1 / (1 + np.exp(-x))).astype(x.dtype)
def _Sqrt(a, x): return np.sqrt(x)
def _Add(a, x, y): return x + y
def _Mul(a, x, y): return x * y
def _Div(a, x, y): return x / y
def _Pow(a, x, y): return np.power(x, y).astype(x.dtype)
def _Max(a, *x): return x[0] if len(x) == 1 else np.maximum(*x)
def _Min(a, *x): return x[0] if len(x) == 1 else np.minimum(*x)
def _Identity(a, x): return x


def _Clip(a, x, low=None, high=None):
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


# ---------------------------------------------------------------------- shapes and places

def _Shape(a, x): return np.array(x.shape, np.int64)
def _Expand(a, x, shape): return np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape)))
def _Unsqueeze(a, x, axes): return np.expand_dims(x, tuple(np.atleast_1d(axes)))
def _Gather(a, x, i): return np.take(x, i, axis=a.get("axis", 0))
def _GatherElements(a, x, i): return gather_elements(x, np.where(i < 0, i + x.shape[a.get("axis", 0)], i), a.get("axis", 0))
def _GatherND(a, x, i): return gathernd.gather_nd_impl(x, i, a.get("batch_dims", 0))
def _ScatterND(a, x, i, u): return scatternd.scatter_nd_impl(x, i, u)


def _ScatterElements(a, x, i, u):
    axis = a.get("axis", 0)
    return scatterelements.scatter_elements(x, np.where(i < 0, i + x.shape[axis], i), u, axis)


def _Reshape(a, x, shape):
    return x.reshape([x.shape[k] if d == 0 else d for k, d in enumerate(shape)])


def _Slice(a, x, starts, ends, axes=None, steps=None):
    axes = range(len(starts)) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    which = [slice(None)] * x.ndim
    for s, e, k, t in zip(starts, ends, axes, steps):
        n = x.shape[k]
        # past the first element, going down, is the end that a Python slice calls None
        which[k] = slice(int(s), None if t < 0 and e < -n else int(e), int(t))
    return x[tuple(which)]


def _Pad(a, x, pads, value=None):
    widths = list(zip(pads[:x.ndim], pads[x.ndim:]))
    return np.pad(x, widths, a["mode"])


def _CumSum(a, x, axis): return np.cumsum(x, axis=int(axis)).astype(x.dtype)


# ---------------------------------------------------------------------- reducing, normalizing

def _kept(a): return bool(a.get("keepdims", 1))
def _ReduceMean(a, x): return x.mean(axis=tuple(a["axes"]), keepdims=_kept(a))
def _ReduceL2(a, x): return np.sqrt((x * x).sum(axis=tuple(a["axes"]), keepdims=_kept(a)))


def _LpNormalization(a, x):
    axis, p = a.get("axis", -1), a.get("p", 2)
    return x / (np.abs(x) ** p).sum(axis=axis, keepdims=True) ** (1 / p)


def _Softmax(a, x):
    axis = a.get("axis", 1 if a["opset"] < 13 else -1)
    flat = x.reshape(int(np.prod(x.shape[:axis % x.ndim])), -1) if a["opset"] < 13 else x
    axis = 1 if a["opset"] < 13 else axis
    e = np.exp(flat - flat.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).reshape(x.shape)


def _InstanceNormalization(a, x, scale, bias):
    axes, form = tuple(range(2, x.ndim)), (1, -1) + (1,) * (x.ndim - 2)
    centred = x - x.mean(axis=axes, keepdims=True)
    return scale.reshape(form) * centred / np.sqrt((centred ** 2).mean(axis=axes, keepdims=True) + a.get("epsilon", 1e-5)) + \
        bias.reshape(form)


def _LRN(a, x):
    size, c = a["size"], x.shape[1]
    total = np.zeros_like(x)
    for k in range(c):  # floor((size - 1) / 2) channels before, ceil((size - 1) / 2) after
        total[:, k] = (x[:, max(0, k - (size - 1) // 2):min(c - 1, k + size // 2) + 1] ** 2).sum(axis=1)
    return x / (a.get("bias", 1.0) + a.get("alpha", 1e-4) / size * total) ** a.get("beta", 0.75)


# ---------------------------------------------------------------------- products, windows

def _Einsum(a, *x): return np.einsum(a["equation"].replace(" ", ""), *x)
def _Det(a, x): return np.linalg.det(x).astype(x.dtype)


def _MatMulInteger(a, x, y, xz=0, yz=0):
    return np.matmul(x.astype(np.int32) - np.int32(xz), y.astype(np.int32) - np.int32(yz))


def _Conv(a, x, w):
    kernel = w.shape[2:]
    windows = np.lib.stride_tricks.sliding_window_view(x, kernel, axis=(2, 3))
    return np.einsum("nchwij,kcij->nkhw", windows, w)


def _ConvInteger(a, x, w, xz=0, wz=0): return _Conv(a, x.astype(np.int32) - np.int32(xz), w.astype(np.int32) - np.int32(wz))


def _QuantizeLinear(a, x, scale, zero):
    info = np.iinfo(zero.dtype)
    return np.clip(np.rint(x / scale) + zero, info.min, info.max).astype(zero.dtype)


def _DequantizeLinear(a, x, scale, zero): return ((x.astype(np.int32) - np.int32(zero)) * scale).astype(np.float32)


def _QLinearConv(a, x, xs, xz, w, ws, wz, ys, yz):
    return _QuantizeLinear(a, (_ConvInteger(a, x, w, xz, wz) * xs * ws).astype(np.float32), ys, yz)


def _QLinearMatMul(a, x, xs, xz, y, ys, yz, s, z):
    return _QuantizeLinear(a, (_MatMulInteger(a, x, y, xz, yz) * xs * ys).astype(np.float32), s, z)


def _AveragePool(a, x):
    """Windows begin in the data or in the pads before them; what they count ends where the pads end."""
    kernel, rank = a["kernel_shape"], len(a["kernel_shape"])
    pads, strides = a.get("pads", [0] * 2 * rank), a.get("strides", [1] * rank)
    sizes = []
    for k in range(rank):
        span = x.shape[2 + k] + pads[k] + pads[rank + k] - kernel[k]
        n = (-(-span // strides[k]) if a.get("ceil_mode") else span // strides[k]) + 1
        if a.get("ceil_mode") and (n - 1) * strides[k] >= x.shape[2 + k] + pads[k]:
            n -= 1
        sizes.append(n)
    y = np.zeros(x.shape[:2] + tuple(sizes), x.dtype)
    for place in np.ndindex(*sizes):
        which, counted = [], 1
        for k, p in enumerate(place):
            begin = p * strides[k] - pads[k]
            end = min(begin + kernel[k], x.shape[2 + k] + pads[rank + k])
            which.append(slice(max(begin, 0), min(end, x.shape[2 + k])))
            counted *= end - begin if a.get("count_include_pad") else which[-1].stop - which[-1].start
        y[(slice(None), slice(None)) + place] = x[(slice(None), slice(None)) + tuple(which)].sum(
            axis=tuple(range(2, 2 + rank))) / counted
    return y


def _Resize(a, x, roi, scales=None, sizes=None):
    coefficients = {"nearest": resize.nearest_coeffs, "linear": resize.linear_coeffs, "cubic": resize.cubic_coeffs}[a["mode"]]
    return resize.interpolate_nd(x, coefficients, scale_factors=scales,
                                 coordinate_transformation_mode=a["coordinate_transformation_mode"]).astype(x.dtype)


# ---------------------------------------------------------------------- boxes, sequences

def _NonMaxSuppression(a, boxes, scores, count, iou=0.0, least=-np.inf):
    def overlap(p, q):
        p, q = [np.concatenate([np.minimum(b[:2], b[2:]), np.maximum(b[:2], b[2:])]) for b in (p, q)]
        common = np.prod(np.maximum(np.minimum(p[2:], q[2:]) - np.maximum(p[:2], q[:2]), 0))
        return common / (np.prod(p[2:] - p[:2]) + np.prod(q[2:] - q[:2]) - common)
    found = []
    for n, c in np.ndindex(scores.shape[:2]):
        kept = []
        for i in np.argsort(-scores[n, c], kind="stable"):
            if scores[n, c, i] > least and len(kept) < count and all(overlap(boxes[n, i], boxes[n, j]) <= iou for j in kept):
                kept.append(i)
        found += [[n, c, i] for i in kept]
    return np.array(found, np.int64).reshape(-1, 3)


def _LSTM(a, x, w, r, b, lengths=None, h=None, c=None, p=None):
    limit = a.get("clip")
    peepholes = {} if p is None else {"P": p}
    helper = lstm.LSTM_Helper(X=x, W=w, R=r, B=b, **peepholes)
    if limit is not None:  # applied to what the activations of the gates get
        sigmoid, tanh = helper.f, helper.g
        helper.f = lambda z: sigmoid(np.clip(z, -limit, limit))
        helper.g = lambda z: tanh(np.clip(z, -limit, limit))
    return tuple(y.astype(x.dtype) for y in helper.step())


def _Loop(a, count, go, *state):
    body, turns = a["body"], 0
    names = [i.name for i in body.input]
    while turns < count and go:
        values = dict(a["outer"])
        values.update(zip(names, (np.array(turns), go) + state))
        got = list(_graph(body, values, a["opset"]).values())
        go, state, turns = got[0], tuple(got[1:]), turns + 1
    return state


def _Scan(a, *x):
    body, n = a["body"], a["num_scan_inputs"]
    state, parts = list(x[:-n]), [np.moveaxis(v, k, 0) for v, k in zip(x[-n:], a["scan_input_axes"])]
    parts = [v[::-1] if d else v for v, d in zip(parts, a["scan_input_directions"])]
    outputs = []
    for elements in zip(*parts):
        got = list(_graph(body, dict(zip([i.name for i in body.input], state + list(elements))), a["opset"]).values())
        state = got[:len(state)]
        outputs.append(got[len(state):])
    stacked = [np.stack(v[::-1] if d else v, axis=k) for v, k, d in
               zip(map(list, zip(*outputs)), a["scan_output_axes"], a["scan_output_directions"])]
    return tuple(state + stacked)
