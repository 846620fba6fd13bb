"""Networks of MXNet that one operator does not show: control flow, quantized and fused ones. Each has a symbol, arrays, and outputs
that numpy computes here step by step, as the documentation of foreach, while_loop and cond (python/mxnet/symbol/contrib.py)
and the kernels of src/operator/quantization state it (apache/mxnet, commit b84609d3fc73), in integers where MXNet has integers."""
import json

import numpy as np


class Net:
    """A symbol. Entries are [node, output, version]."""

    def __init__(self):
        self.nodes = []

    def var(self, name):
        self.nodes.append({"op": "null", "name": name, "inputs": []})
        return [len(self.nodes) - 1, 0, 0]

    def op(self, op, name, inputs, attributes=None, graphs=()):
        node = {"op": op, "name": name, "inputs": inputs}
        if attributes:
            node["attrs"] = {k: str(v) for k, v in attributes.items()}
        if graphs:
            node["subgraphs"] = [g for g in graphs]
        self.nodes.append(node)
        return [len(self.nodes) - 1, 0, 0]

    def done(self, *heads):
        variables = [i for i, n in enumerate(self.nodes) if n["op"] == "null"]
        return {"nodes": self.nodes, "arg_nodes": variables, "heads": list(heads)}


def out(entry, number):
    return [entry[0], number, 0]


def drawn(random, *dims):
    return random.uniform(-1, 1, dims).round(3).astype(np.float32)


# ---- control flow

def step_of_sums():
    """The example of foreach's documentation: (data + state, state * 2)."""
    g = Net()
    x, s = g.var("x"), g.var("s")
    return g.done(g.op("elemwise_add", "sum", [x, s]), g.op("_mul_scalar", "twice", [s], {"scalar": 2}))


def foreach_of_the_documentation(random):
    data, state = drawn(random, 4, 3), drawn(random, 3)
    n = Net()
    loop = n.op("_foreach", "loop", [n.var("data"), n.var("state")],
                {"num_args": 3, "num_outputs": 2, "num_out_data": 1, "in_data_locs": (0,), "in_state_locs": (1,), "remain_locs": ()},
                [step_of_sums()])
    sums, s = [], state
    for x in data:
        sums.append(x + s)
        s = s * 2
    return n.done(loop, out(loop, 1)), {"data": data, "state": state}, [np.stack(sums), s]


def foreach_of_single_numbers(random):
    """Slices of one dimension are lists of one number, and what reads the loop knows its shape."""
    data, state = drawn(random, 5), drawn(random, 1)
    n = Net()
    loop = n.op("_foreach", "loop", [n.var("data"), n.var("state")],
                {"num_args": 3, "num_outputs": 2, "num_out_data": 1, "in_data_locs": (0,), "in_state_locs": (1,), "remain_locs": ()},
                [step_of_sums()])
    y = n.op("SwapAxis", "turned", [loop], {"dim1": 0, "dim2": -1})
    sums, s = [], state
    for x in data:
        sums.append(x + s)
        s = s * 2
    return n.done(y), {"data": data, "state": state}, [np.stack(sums).T]


def foreach_of_a_cell(random):
    """A cell with weights from outside, two sequences, and outputs in another order than the inputs of the body."""
    x, z, h, w, b = (drawn(random, *d) for d in ((3, 2, 4), (3, 2, 5), (2, 5), (5, 4), (5,)))
    g = Net()
    weights, gates, hidden, features, bias = (g.var(v) for v in ("w", "z", "h", "x", "b"))
    dense = g.op("FullyConnected", "dense", [features, weights, bias], {"num_hidden": 5})
    new = g.op("Activation", "new", [g.op("elemwise_add", "both", [dense, hidden])], {"act_type": "tanh"})
    cell = g.done(g.op("elemwise_mul", "gated", [new, gates]), g.op("sum", "total", [new], {"axis": 1, "keepdims": True}), new)
    n = Net()
    names = {"x": x, "z": z, "h0": h, "w": w, "b": b}
    inputs = {k: n.var(k) for k in names}
    loop = n.op("_foreach", "loop", [inputs[k] for k in ("x", "z", "h0", "w", "b")],
                {"num_args": 6, "num_outputs": 3, "num_out_data": 2, "in_data_locs": (3, 1), "in_state_locs": (2,), "remain_locs": (0, 4)},
                [cell])
    mean = n.op("mean", "mean", [loop], {"axis": (0, 2)})
    parts, totals, s = [], [], h
    for t in range(3):
        s = np.tanh(x[t] @ w.T + b + s)
        parts.append(s * z[t])
        totals.append(s.sum(1, keepdims=True))
    return (n.done(loop, out(loop, 1), out(loop, 2), mean), names, [np.stack(parts), np.stack(totals), s, np.stack(parts).mean((0, 2))])


def foreach_in_foreach(random):
    """Prefix sums of each row, and of the rows' sums."""
    x, first, zero = drawn(random, 3, 4), drawn(random, 1), np.zeros(1, np.float32)
    inner = Net()
    v, s = inner.var("v"), inner.var("s")
    both = inner.op("elemwise_add", "prefix", [v, s])
    inner = inner.done(both, inner.op("_copy", "same", [both]))
    attributes = {"num_args": 3, "num_outputs": 2, "num_out_data": 1, "in_data_locs": (0,), "in_state_locs": (1,), "remain_locs": ()}
    outer = Net()
    row, total, zeros = outer.var("row"), outer.var("total"), outer.var("zeros")
    loop = outer.op("_foreach", "inner", [row, zeros], attributes, [inner])
    outer = outer.done(loop, outer.op("elemwise_add", "totals", [total, out(loop, 1)]))
    n = Net()
    loop = n.op("_foreach", "outer", [n.var("x"), n.var("first"), n.var("zero")], dict(attributes, num_args=4, remain_locs=(2,)), [outer])
    sums = [np.cumsum(r, dtype=np.float32).reshape(4, 1) for r in x]
    return n.done(loop, out(loop, 1)), {"x": x, "first": first, "zero": zero}, [np.stack(sums), first + x.sum()]


def while_loop(start, most):
    """The example of while_loop's documentation: i <= 5, (i + s, [i + 1, s + i]); steps that do not run are zeros here."""
    def network(random):
        i, s = np.array([start], np.float32), drawn(random, 1)
        test = Net()
        test = test.done(test.op("_lesser_equal_scalar", "goes_on", [test.var("i")], {"scalar": 5}))
        body = Net()
        a, b = body.var("i"), body.var("s")
        both = body.op("elemwise_add", "both", [a, b])
        body = body.done(both, body.op("_plus_scalar", "next", [a], {"scalar": 1}), body.op("elemwise_add", "sum", [b, a]))
        n = Net()
        loop = n.op("_while_loop", "loop", [n.var("i"), n.var("s")],
                    {"num_args": 4, "num_outputs": 3, "num_out_data": 1, "max_iterations": most, "cond_input_locs": (0,),
                     "func_input_locs": (0, 1), "func_var_locs": (0, 1)}, [test, body])
        steps, at, total = [], i, s
        while at[0] <= 5 and len(steps) < most:
            steps.append(at + total)
            at, total = at + 1, total + at
        padded = np.zeros((most, 1), np.float32)
        padded[:len(steps)] = np.reshape(steps, (-1, 1))
        return n.done(loop, out(loop, 1), out(loop, 2)), {"i": i, "s": s}, [padded, at, total]
    return network


def cond(scale):
    """The example of cond's documentation: a * b < 5 chooses (a + 5) * (b + 5) or (a - 5) * (b - 5)."""
    def network(random):
        a, b = np.array([1.5], np.float32), np.array([scale], np.float32)
        test = Net()
        test = test.done(test.op("_lesser_scalar", "less", [test.op("elemwise_mul", "ab", [test.var("a"), test.var("b")])], {"scalar": 5}))

        def branch(op):
            g = Net()
            second, first = g.var("b"), g.var("a")
            x, y = (g.op(op, name, [e], {"scalar": 5}) for name, e in (("x", first), ("y", second)))
            return g.done(g.op("elemwise_mul", "xy", [x, y]))
        n = Net()
        y = n.op("_cond", "choice", [n.var("a"), n.var("b")],
                 {"num_args": 5, "num_outputs": 1, "cond_input_locs": (0, 1), "then_input_locs": (1, 0), "else_input_locs": (1, 0)},
                 [test, branch("_plus_scalar"), branch("_minus_scalar")])
        return n.done(y), {"a": a, "b": b}, [(a + 5) * (b + 5) if a[0] * b[0] < 5 else (a - 5) * (b - 5)]
    return network


# ---- quantized networks

def half_away(x):
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def to_int8(x, reach):
    """FloatToQuantized<int8_t> of quantization_utils.h."""
    return np.sign(x) * np.floor(np.minimum(np.abs(x) * (127 / reach) + 0.5, 127))


def to_uint8(x, low, high):
    """quantize_v2_unsigned; what is beyond the range is not MXNet's to say."""
    return np.floor((x - low) * (255 / (high - low)) + 0.5)


def quantized_layer(op, plain, attributes):
    """quantize_v2, a layer with weights and bias of int8, requantize, dequantize: the sums in integers."""
    def network(random):
        conv = plain is convolved
        x = drawn(random, 1, 2, 4, 4) if conv else drawn(random, 2, 6)
        w = random.randint(-127, 128, (3, 2, 3, 3) if conv else (3, 6)).astype(np.int8)
        bias = random.randint(-127, 128, 3).astype(np.int8)
        reach_x, reach_w, reach_b, reach_y = 0.9, 0.5, 0.25, 1.5
        n = Net()
        q = n.op("_contrib_quantize_v2", "q", [n.var("x")], {"out_type": "int8", "min_calib_range": -reach_x, "max_calib_range": reach_x})
        arrays = {"x": x, "w": w, "b": bias}
        for name, reach in (("w", reach_w), ("b", reach_b)):
            arrays[name + "_min"], arrays[name + "_max"] = np.array([-reach], np.float32), np.array([reach], np.float32)
        more = {k: n.var(k) for k in ("w", "b", "w_min", "w_max", "b_min", "b_max")}
        layer = n.op(op, "layer", [q, more["w"], more["b"], out(q, 1), out(q, 2), more["w_min"], more["w_max"], more["b_min"], more["b_max"]],
                     attributes)
        r = n.op("_contrib_requantize", "r", [layer, out(layer, 1), out(layer, 2)], {"min_calib_range": -1.25, "max_calib_range": reach_y})
        y = n.op("_contrib_dequantize", "y", [r, out(r, 1), out(r, 2)])
        step = (reach_x / 127) * (reach_w / 127)
        sums = plain(to_int8(x, reach_x), w.astype(np.float64))
        shape = (1, 3) + (1,) * (sums.ndim - 2)
        sums = sums + (bias * (reach_b / 127) / step).reshape(shape)
        return n.done(y, out(r, 1), out(r, 2)), arrays, [to_int8(sums * step, reach_y) * (reach_y / 127), np.array([-reach_y]), np.array([reach_y])]
    return network


def convolved(x, w):
    rows = [[(x[0, :, i:i + 3, k:k + 3] * w[o]).sum() for i in range(2) for k in range(2)] for o in range(len(w))]
    return np.reshape(rows, (1, len(w), 2, 2))


def quantized_activations(random):
    """int8 through relu, pooling of averages, Flatten, and a Concat of two ranges; the range of x is that of its numbers."""
    x, y = drawn(random, 1, 2, 4, 4), drawn(random, 1, 8)
    n = Net()
    q = n.op("_contrib_quantize_v2", "q", [n.var("x")])
    act = n.op("_contrib_quantized_act", "act", [q, out(q, 1), out(q, 2)], {"act_type": "relu"})
    pool = n.op("_contrib_quantized_pooling", "pool", [act, out(act, 1), out(act, 2)], {"kernel": (2, 2), "stride": (2, 2), "pool_type": "avg"})
    flat = n.op("_contrib_quantized_flatten", "flat", [pool, out(pool, 1), out(pool, 2)])
    other = n.op("_contrib_quantize", "other", [n.var("y"), n.var("low"), n.var("high")], {"out_type": "int8"})
    both = n.op("_contrib_quantized_concat", "both", [flat, other, out(flat, 1), out(flat, 2), out(other, 1), out(other, 2)],
                {"num_args": 2, "dim": 1})
    end = n.op("_contrib_dequantize", "end", [both, out(both, 1), out(both, 2)])
    reach, reach_y = np.abs(x).max(), 2.0
    ints = np.maximum(to_int8(x, reach), 0)
    # oneDNN's averages are rounded to the nearest, as in mkldnn_quantized_pooling
    means = np.rint(ints.reshape(1, 2, 2, 2, 2, 2).mean((3, 5)).reshape(1, 8))
    low, high = np.array([-1.5], np.float32), np.array([reach_y], np.float32)
    parts = [half_away(means * (reach / reach_y)), to_int8(y, reach_y)]
    return n.done(end), {"x": x, "y": y, "low": low, "high": high}, [np.concatenate(parts, 1) * (reach_y / 127)]


def quantized_sums(random):
    """elemwise_add with a range for what it gives, elemwise_mul of 32 bits, and uint8 between two ends."""
    x, y = drawn(random, 3, 5), drawn(random, 3, 5)
    n = Net()
    a, b = (n.op("_contrib_quantize_v2", "q" + k, [n.var(k)], {"min_calib_range": -1, "max_calib_range": 1}) for k in "xy")
    ends = [out(a, 1), out(a, 2), out(b, 1), out(b, 2)]
    s = n.op("_contrib_quantized_elemwise_add", "s", [a, b] + ends, {"min_calib_range": -1.75, "max_calib_range": 1.75})
    total = n.op("_contrib_dequantize", "total", [s, out(s, 1), out(s, 2)])
    p = n.op("_contrib_quantized_elemwise_mul", "p", [a, b] + ends)
    r = n.op("_contrib_requantize", "r", [p, out(p, 1), out(p, 2)])
    product = n.op("_contrib_dequantize", "product", [r, out(r, 1), out(r, 2)])
    u = n.op("_contrib_quantize_v2", "u", [n.var("z")], {"out_type": "auto", "min_calib_range": 0, "max_calib_range": 2})
    z = np.abs(x)
    last = n.op("_contrib_dequantize", "last", [u, out(u, 1), out(u, 2)])
    i, k = to_int8(x, 1), to_int8(y, 1)
    products = i * k / 127 ** 2
    reach = np.abs(products).max()
    return (n.done(total, product, last), {"x": x, "y": y, "z": z},
            [to_int8((i + k) / 127, 1.75) * (1.75 / 127), to_int8(products, reach) * (reach / 127), to_uint8(z, 0, 2) * (2 / 255)])


def quantized_embedding_and_norm(random):
    """Rows of int8, and a normalization by statistics."""
    w = random.randint(-127, 128, (5, 3)).astype(np.int8)
    gamma, beta, mean = (drawn(random, 3) for _ in range(3))
    variance = np.abs(drawn(random, 3)) + 0.5
    ids = np.array([4, 0, 2], np.float32)
    n = Net()
    e = n.op("_contrib_quantized_embedding", "e", [n.var(k) for k in ("ids", "w", "low", "high")], {"input_dim": 5, "output_dim": 3})
    norm = n.op("_contrib_quantized_batch_norm", "norm", [e] + [n.var(k) for k in ("gamma", "beta", "mean", "variance")] + [out(e, 1), out(e, 2)],
                {"eps": 0.001, "fix_gamma": "False", "min_calib_range": -2, "max_calib_range": 2.5})
    y = n.op("_contrib_dequantize", "y", [norm, out(norm, 1), out(norm, 2)])
    rows = w[[4, 0, 2]] * (0.75 / 127)
    normal = (rows - mean) / np.sqrt(variance + 0.001) * gamma + beta
    arrays = {"ids": ids, "w": w, "low": np.array([-0.75], np.float32), "high": np.array([0.5], np.float32), "gamma": gamma, "beta": beta,
              "mean": mean, "variance": variance.astype(np.float32)}
    return n.done(y), arrays, [to_int8(normal, 2.5) * (2.5 / 127)]


def fused_convolutions(random):
    """What oneDNN has fused: a plain layer with its normalization, and a quantized one with a sum and a relu."""
    x, w, v, gamma, beta, mean = drawn(random, 1, 2, 4, 4), drawn(random, 2, 2, 1, 1), drawn(random, 3, 2, 3, 3), *(drawn(random, 2) for _ in range(3))
    variance, side = np.abs(drawn(random, 2)) + 0.5, drawn(random, 1, 3, 2, 2)
    plain = Net()
    c = plain.op("Convolution", "conv", [plain.var("data0"), plain.var("w0")], {"kernel": (1, 1), "num_filter": 2, "no_bias": True})
    c = plain.op("BatchNorm", "norm", [c] + [plain.var(k + "0") for k in ("gamma", "beta", "mean", "variance")],
                 {"eps": 0.001, "fix_gamma": False})
    summed = Net()
    y = summed.op("Convolution", "conv", [summed.var("data0"), summed.var("v0")], {"kernel": (3, 3), "num_filter": 3, "no_bias": True})
    y = summed.op("elemwise_add", "sum", [y, summed.var("side0")])
    y = summed.op("Activation", "relu", [y], {"act_type": "relu"})
    n = Net()
    first = n.op("_sg_mkldnn_conv", "first", [n.var(k) for k in ("x", "w", "gamma", "beta", "mean", "variance")], {"with_bn": "true"},
                 [plain.done(c)])
    q, s = (n.op("_contrib_quantize_v2", k + "_q", [e], {"out_type": "int8", "min_calib_range": -r, "max_calib_range": r})
            for k, e, r in (("first", first, 2), ("side", n.var("side"), 1)))
    second = n.op("_sg_mkldnn_conv", "second", [q, n.var("v"), s, out(q, 1), out(q, 2), out(s, 1), out(s, 2)],
                  {"quantized": "true", "with_sum": "true", "with_postsum_relu": "true", "min_calib_range": "-0.000000",
                   "max_calib_range": 1.5}, [summed.done(y)])
    pool = n.op("_contrib_quantized_pooling", "pool", [second, out(second, 1), out(second, 2)], {"kernel": (2, 2), "pool_type": "max"})
    end = n.op("_contrib_dequantize", "end", [pool, out(pool, 1), out(pool, 2)])
    shape = (1, 2, 1, 1)
    normal = np.einsum("nchw,oc->nohw", x, w[:, :, 0, 0]) - mean.reshape(shape)
    normal = normal / np.sqrt(variance.reshape(shape) + 0.001) * gamma.reshape(shape) + beta.reshape(shape)
    sums = convolved(to_int8(normal, 2) * (2 / 127), v.astype(np.float64)) + to_int8(side, 1) / 127
    last = to_uint8(np.clip(sums, 0, 1.5), 0, 1.5).max((2, 3), keepdims=True) * (1.5 / 255)
    return (n.done(first, end), {"x": x, "w": w, "gamma": gamma, "beta": beta, "mean": mean, "variance": variance.astype(np.float32), "v": v,
                                 "side": side}, [normal, last])


def fused_fully_connected(random):
    """Weights and bias of int8 with ranges of their own; the result stays in floats."""
    x, reach_x, reach_w, reach_b = drawn(random, 2, 6), 0.9, 0.5, 0.25
    w, bias = random.randint(-127, 128, (3, 6)).astype(np.int8), random.randint(-127, 128, 3).astype(np.int8)
    g = Net()
    y = g.op("FullyConnected", "fc", [g.var("data0"), g.var("w0"), g.var("b0")], {"num_hidden": 3})
    n = Net()
    q = n.op("_contrib_quantize_v2", "q", [n.var("x")], {"out_type": "int8", "min_calib_range": -reach_x, "max_calib_range": reach_x})
    names = ("w", "b", "w_min", "w_max", "b_min", "b_max")
    arrays = dict(zip(names, [w, bias] + [np.array([r], np.float32) for r in (-reach_w, reach_w, -reach_b, reach_b)]), x=x)
    more = {k: n.var(k) for k in names}
    end = n.op("_sg_mkldnn_fully_connected", "end", [q, more["w"], more["b"], out(q, 1), out(q, 2)] + [more[k] for k in names[2:]],
               {"quantized": "True", "enable_float_output": "True"}, [g.done(y)])
    return n.done(end), arrays, [to_int8(x, reach_x) * (reach_x / 127) @ (w * (reach_w / 127)).T + bias * (reach_b / 127)]


NETWORKS = {
    "foreach_of_the_documentation": foreach_of_the_documentation, "foreach_of_single_numbers": foreach_of_single_numbers,
    "foreach_of_a_cell": foreach_of_a_cell, "foreach_in_foreach": foreach_in_foreach,
    "while_loop_that_ends": while_loop(2, 10), "while_loop_to_its_limit": while_loop(-3, 4), "while_loop_that_never_runs": while_loop(6, 3),
    "cond_then": cond(2), "cond_else": cond(4),
    "quantized_conv": quantized_layer("_contrib_quantized_conv", convolved, {"kernel": (3, 3), "num_filter": 3}),
    "quantized_fully_connected": quantized_layer("_contrib_quantized_fully_connected", lambda x, w: x @ w.T, {"num_hidden": 3}),
    "quantized_activations": quantized_activations, "quantized_sums": quantized_sums,
    "quantized_embedding_and_norm": quantized_embedding_and_norm,
    "fused_convolutions": fused_convolutions, "fused_fully_connected": fused_fully_connected,
}


def table(line_of):
    lines = ["# Made by tests/conformance/mxnet_operators of mxnet_networks.py."]
    for number, (name, make) in enumerate(NETWORKS.items()):
        symbol, arrays, outputs = make(np.random.RandomState(number))
        symbol["attrs"] = {"mxnet_version": ["int", 10901]}
        lines += ["", "network " + name, "symbol " + json.dumps(symbol)]
        lines += [line_of("in " + k, a).replace(":", " %s:" % a.dtype, 1) for k, a in arrays.items()]
        lines += [line_of("out", np.asarray(v)) for v in outputs]
    return "\n".join(lines) + "\n"
