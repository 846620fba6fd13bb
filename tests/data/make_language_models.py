#!/usr/bin/env python3
"""make_language_models.py [FOLDER]: tiny language models with random weights, as exporters write them.

Two layers each, a few thousand numbers. "exported" ones are written out as the exporter of PyTorch does it for
optimum: a cache of past_key_values.* and present.*, sums of squares, rotations by halves, heads that are repeated,
a mask that is computed. "built" ones are as the model builder of onnxruntime-genai writes them, with operators of
com.microsoft. Needs the Python packages onnx and numpy; FOLDER is tests/data/language when absent.

decode.mjs beside the results runs them with onnxruntime and writes what test_cli expects.
"""
import math
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HIDDEN, HEADS, GROUPS, WIDTH, VOCABULARY, INNER, LAYERS = 16, 4, 2, 16, 32, 24, 2
BIG = float(np.finfo(np.float32).min)


class Net:
    def __init__(self, seed):
        self.nodes, self.weights, self.count = [], [], 0
        self.random = np.random.default_rng(seed)

    def op(self, kind, *inputs, outputs=1, name=None, domain="", **attributes):
        self.count += 1
        names = [name] if name else [f"{kind}_{self.count}" + (f"_{i}" if outputs > 1 else "") for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, f"{kind}_{self.count}", domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def named(self, node_inputs, kind, names, domain="com.microsoft", **attributes):
        self.count += 1
        self.nodes.append(helper.make_node(kind, node_inputs, names, f"{kind}_{self.count}", domain=domain, **attributes))
        return names

    def const(self, value, kind=None):
        self.count += 1
        array = np.asarray(value, kind)
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        self.weights.append(numpy_helper.from_array(array, f"c_{self.count}"))
        return self.weights[-1].name

    def ints(self, *values):
        return self.const(np.array(values, np.int64))

    def int(self, value):
        return self.const(np.array(value, np.int64))

    def weight(self, name, *dims, scale=None, offset=0.0):
        scale = scale if scale is not None else 1 / math.sqrt(dims[0])
        array = (offset + scale * self.random.standard_normal(dims)).astype(np.float32)
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def linear(self, x, name, rows, columns, bias=False):
        y = self.op("MatMul", x, self.weight(name + ".weight", rows, columns))
        return self.op("Add", y, self.weight(name + ".bias", columns, scale=0.1)) if bias else y

    def dim(self, x, axis):
        return self.op("Gather", self.op("Shape", x), self.int(axis), axis=0)

    def length(self, x, axis):  # as a list
        return self.op("Unsqueeze", self.dim(x, axis), self.ints(0))


def cache_info(prefix, last):
    return [
        helper.make_tensor_value_info(f"{prefix}.{layer}.{what}", TensorProto.FLOAT,
                                      ["batch_size", GROUPS, last, WIDTH])
        for layer in range(LAYERS) for what in ("key", "value")
    ]


def save(net, folder, name, past, total, producer, positions=True, microsoft=False):
    tokens = ["batch_size", "sequence_length"]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, tokens),
              helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch_size", total])]
    if positions:
        inputs.append(helper.make_tensor_value_info("position_ids", TensorProto.INT64, tokens))
    inputs += cache_info("past_key_values", past)
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, tokens + [VOCABULARY])]
    outputs += cache_info("present", total)
    graph = helper.make_graph(net.nodes, name, inputs, outputs, net.weights)
    opsets = [helper.make_opsetid("", 17)]
    if microsoft:
        opsets.append(helper.make_opsetid("com.microsoft", 1))
    model = helper.make_model(graph, producer_name=producer, opset_imports=opsets, ir_version=8)
    if not microsoft:
        onnx.checker.check_model(model)
    onnx.save(model, str(folder / f"{name}.onnx"))


# ---- written out, as the exporter of PyTorch does


def rms_norm(net, x, name, size, plus_one=False):
    mean = net.op("ReduceMean", net.op("Pow", x, net.const(2.0)), axes=[-1], keepdims=1)
    root = net.op("Sqrt", net.op("Add", mean, net.const(1e-6)))
    normed = net.op("Mul", x, net.op("Div", net.const(1.0), root))
    weight = net.weight(name, size, scale=0.2, offset=0.0 if plus_one else 1.0)
    if plus_one:
        weight = net.op("Add", weight, net.const(1.0))
        return net.op("Mul", normed, weight)
    return net.op("Mul", weight, normed)


def layer_norm(net, x, name, size):
    return net.op("LayerNormalization", x, net.weight(name + ".weight", size, scale=0.2, offset=1.0),
                  net.weight(name + ".bias", size, scale=0.1), axis=-1, epsilon=1e-5)


def rotation(net, width, base=10000.0):
    steps = (1 / base ** (np.arange(0, width, 2) / width)).astype(np.float32).reshape(1, -1, 1)
    batch = net.length("position_ids", 0)
    shape = net.op("Concat", batch, net.ints(-1), net.ints(1), axis=0)
    ones = net.op("ConstantOfShape", net.ints(3), value=helper.make_tensor("v", TensorProto.INT64, [1], [1]))
    is_open = net.op("Equal", shape, net.op("Mul", ones, net.int(-1)))
    spread = net.op("Expand", net.const(steps), net.op("Where", is_open, ones, shape))
    places = net.op("Cast", net.op("Unsqueeze", "position_ids", net.ints(1)), to=TensorProto.FLOAT)
    angles = net.op("Transpose", net.op("MatMul", spread, places), perm=[0, 2, 1])
    both = net.op("Concat", angles, angles, axis=-1)
    return [net.op("Unsqueeze", net.op("Mul", net.op(f, both), net.const(1.0)), net.ints(1)) for f in ("Cos", "Sin")]


def rotated(net, x, table, width):
    half = width // 2
    first = net.op("Slice", x, net.ints(0), net.ints(half), net.ints(3), net.ints(1))
    second = net.op("Slice", x, net.ints(half), net.ints(2**63 - 1), net.ints(3), net.ints(1))
    turned = net.op("Concat", net.op("Neg", second), first, axis=-1)
    return net.op("Add", net.op("Mul", x, table[0]), net.op("Mul", turned, table[1]))


def partly_rotated(net, x, table, width):
    if width == WIDTH:
        return rotated(net, x, table, width)
    front = net.op("Slice", x, net.ints(0), net.ints(width), net.ints(3), net.ints(1))
    back = net.op("Slice", x, net.ints(width), net.ints(2**63 - 1), net.ints(3), net.ints(1))
    return net.op("Concat", rotated(net, front, table, width), back, axis=-1)


def causal_mask(net, window=0):
    """[batch, 1, queries, keys]: 0, and the lowest number for what comes later or is padding."""
    length, past = net.dim("input_ids", 1), net.dim("past_key_values.0.key", 2)
    total = net.op("Add", past, length)
    rows = net.op("Unsqueeze", net.op("Range", past, total, net.int(1)), net.ints(1))
    columns = net.op("Unsqueeze", net.op("Range", net.int(0), total, net.int(1)), net.ints(0))
    kept = net.op("LessOrEqual", columns, rows)
    if window:
        kept = net.op("And", kept, net.op("Greater", columns, net.op("Sub", rows, net.int(window))))
    present = net.op("Cast", net.op("Unsqueeze", "attention_mask", net.ints(1, 2)), to=TensorProto.BOOL)
    kept = net.op("And", net.op("Unsqueeze", kept, net.ints(0, 1)), present)
    return net.op("Where", kept, net.const(0.0), net.const(BIG))


def heads_of(net, x, count):
    shape = net.op("Concat", net.length("input_ids", 0), net.length("input_ids", 1), net.ints(count), net.ints(WIDTH),
                   axis=0)
    return net.op("Transpose", net.op("Reshape", x, shape), perm=[0, 2, 1, 3])


def repeated(net, x):
    times = HEADS // GROUPS
    batch, length = net.length(x, 0), net.length(x, 2)
    wide = net.op("Expand", net.op("Unsqueeze", x, net.ints(2)),
                  net.op("Concat", batch, net.ints(GROUPS), net.ints(times), length, net.ints(WIDTH), axis=0))
    return net.op("Reshape", wide, net.op("Concat", batch, net.ints(HEADS), length, net.ints(WIDTH), axis=0))


def attention(net, x, layer, table, mask, *, rotary=WIDTH, bias=False, norms=False, plus_one=False, softcap=0.0,
              sinks=False, split_scale=True):
    name = f"model.layers.{layer}.self_attn"
    q = heads_of(net, net.linear(x, name + ".q_proj", HIDDEN, HEADS * WIDTH, bias), HEADS)
    k = heads_of(net, net.linear(x, name + ".k_proj", HIDDEN, GROUPS * WIDTH, bias), GROUPS)
    v = heads_of(net, net.linear(x, name + ".v_proj", HIDDEN, GROUPS * WIDTH, bias), GROUPS)
    if norms:
        q, k = rms_norm(net, q, name + ".q_norm", WIDTH, plus_one), rms_norm(net, k, name + ".k_norm", WIDTH, plus_one)
    q, k = partly_rotated(net, q, table, rotary), partly_rotated(net, k, table, rotary)
    k = net.op("Concat", f"past_key_values.{layer}.key", k, axis=2, name=f"present.{layer}.key")
    v = net.op("Concat", f"past_key_values.{layer}.value", v, axis=2, name=f"present.{layer}.value")
    k, v = repeated(net, k), repeated(net, v)
    turned = net.op("Transpose", k, perm=[0, 1, 3, 2])
    if split_scale:  # the operator scaled_dot_product_attention
        part = math.sqrt(1 / math.sqrt(WIDTH))
        scores = net.op("MatMul", net.op("Mul", q, net.const(part)), net.op("Mul", turned, net.const(part)))
    else:  # "eager" attention
        scores = net.op("Mul", net.op("MatMul", q, turned), net.const(1 / math.sqrt(WIDTH)))
    if softcap:
        scores = net.op("Mul", net.op("Tanh", net.op("Div", scores, net.const(softcap))), net.const(softcap))
    scores = net.op("Add", scores, mask)
    if sinks:
        sink = net.weight(name + ".sinks", 1, HEADS, 1, 1, scale=1.0)
        spread = net.op("Expand", sink, net.op("Concat", net.length(q, 0), net.ints(HEADS), net.length(q, 2), net.ints(1),
                                               axis=0))
        scores = net.op("Concat", scores, spread, axis=-1)
        scores = net.op("Sub", scores, net.op("ReduceMax", scores, axes=[-1], keepdims=1))
        weights = net.op("Slice", net.op("Softmax", scores, axis=-1), net.ints(0), net.ints(-1), net.ints(3), net.ints(1))
    else:
        weights = net.op("Softmax", scores, axis=-1)
    y = net.op("Transpose", net.op("MatMul", weights, v), perm=[0, 2, 1, 3])
    y = net.op("Reshape", y, net.op("Concat", net.length("input_ids", 0), net.length("input_ids", 1),
                                    net.ints(HEADS * WIDTH), axis=0))
    return net.linear(y, name + ".o_proj", HEADS * WIDTH, HIDDEN, bias)


def gelu_tanh(net, x):
    cube = net.op("Mul", net.const(0.044715), net.op("Pow", x, net.const(3.0)))
    inner = net.op("Mul", net.const(math.sqrt(2 / math.pi)), net.op("Add", x, cube))
    return net.op("Mul", net.op("Mul", net.const(0.5), x), net.op("Add", net.const(1.0), net.op("Tanh", inner)))


def silu(net, x):
    return net.op("Mul", x, net.op("Sigmoid", x))


def gated(net, x, layer, activation=silu):
    name = f"model.layers.{layer}.mlp"
    gate = activation(net, net.linear(x, name + ".gate_proj", HIDDEN, INNER))
    up = net.linear(x, name + ".up_proj", HIDDEN, INNER)
    return net.linear(net.op("Mul", gate, up), name + ".down_proj", INNER, HIDDEN)


def experts(net, x, layer, count=4, used=2):
    """All experts for all tokens, and a weight of 0 for those that the router does not take."""
    name = f"model.layers.{layer}.mlp"
    flat = net.op("Reshape", x, net.ints(-1, HIDDEN))
    scores = net.linear(flat, name + ".router", HIDDEN, count, bias=True)
    best, places = net.op("TopK", scores, net.ints(used), outputs=2, axis=-1)
    share = net.op("Softmax", best, axis=-1)
    zeros = net.op("Mul", scores, net.const(0.0))
    weights = net.op("ScatterElements", zeros, places, share, axis=1)
    all_x = net.op("Expand", net.op("Unsqueeze", flat, net.ints(0)), net.ints(count, 1, 1))
    both = net.op("Add", net.op("MatMul", all_x, net.weight(name + ".gate_up_proj", count, HIDDEN, 2 * INNER, scale=0.25)),
                  net.weight(name + ".gate_up_bias", count, 1, 2 * INNER, scale=0.1))
    gate = net.op("Slice", both, net.ints(0), net.ints(2**63 - 1), net.ints(2), net.ints(2))
    up = net.op("Slice", both, net.ints(1), net.ints(2**63 - 1), net.ints(2), net.ints(2))
    gate = net.op("Min", gate, net.const(7.0))
    up = net.op("Clip", up, net.const(-7.0), net.const(7.0))
    glu = net.op("Mul", gate, net.op("Sigmoid", net.op("Mul", gate, net.const(1.702))))
    out = net.op("MatMul", net.op("Mul", net.op("Add", up, net.const(1.0)), glu),
                 net.weight(name + ".down_proj", count, INNER, HIDDEN, scale=0.2))
    share = net.op("Unsqueeze", net.op("Transpose", weights, perm=[1, 0]), net.ints(2))
    total = net.op("ReduceSum", net.op("Mul", out, share), net.ints(0), keepdims=0)
    return net.op("Reshape", total, net.op("Shape", x))


def exported(folder, name, seed, *, norm=rms_norm, mlp=gated, parallel=False, scaled=False, tied=False, plus_one=False,
             window=0, final_cap=0.0, both_norms=False, rotary=WIDTH, **options):
    net = Net(seed)
    table = net.weight("model.embed_tokens.weight", VOCABULARY, HIDDEN, scale=1.0)
    x = net.op("Gather", table, "input_ids", axis=0)
    if scaled:
        x = net.op("Mul", x, net.const(math.sqrt(HIDDEN)))
    angles = rotation(net, rotary)
    mask = causal_mask(net)
    near = causal_mask(net, window) if window else mask

    def normed(y, what):
        return norm(net, y, what, HIDDEN, plus_one) if norm is rms_norm else norm(net, y, what, HIDDEN)

    for layer in range(LAYERS):
        y = normed(x, f"model.layers.{layer}.input_layernorm")
        a = attention(net, y, layer, angles, near if layer % 2 == 0 else mask, plus_one=plus_one, rotary=rotary, **options)
        if both_norms:
            a = normed(a, f"model.layers.{layer}.post_attention_layernorm")
        if parallel:
            x = net.op("Add", net.op("Add", a, mlp(net, y, layer)), x)
            continue
        x = net.op("Add", x, a)
        m = mlp(net, normed(x, f"model.layers.{layer}.mlp_layernorm"), layer)
        if both_norms:
            m = normed(m, f"model.layers.{layer}.post_feedforward_layernorm")
        x = net.op("Add", x, m)
    x = normed(x, "model.norm")
    head = net.op("Transpose", table, perm=[1, 0]) if tied else net.weight("lm_head.weight", HIDDEN, VOCABULARY)
    if final_cap:
        y = net.op("Div", net.op("MatMul", x, head), net.const(final_cap))
        net.op("Mul", net.op("Tanh", y), net.const(final_cap), name="logits")
    else:
        net.op("MatMul", x, head, name="logits")
    save(net, folder, name, "past_sequence_length", "past_sequence_length + sequence_length", "pytorch")


def plain_mlp(net, x, layer):
    name = f"model.layers.{layer}.mlp"
    y = gelu_tanh(net, net.linear(x, name + ".fc1", HIDDEN, INNER, bias=True))
    return net.linear(y, name + ".fc2", INNER, HIDDEN, bias=True)


# ---- as the builder of onnxruntime-genai does


def tables(net, width, length=64, base=10000.0):
    angles = np.outer(np.arange(length), 1 / base ** (np.arange(0, width, 2) / width))
    for what, f in (("cos_cache", np.cos), ("sin_cache", np.sin)):
        net.weights.append(numpy_helper.from_array(f(angles).astype(np.float32), what))
    return ["cos_cache", "sin_cache"]


def built(folder, name, seed, *, sinks=False, window=-1, packed=False, skip_norm=True, softcap=0.0):
    net = Net(seed)
    sums = net.op("ReduceSum", "attention_mask", net.ints(1), keepdims=0)
    lengths = net.op("Cast", net.op("Sub", sums, net.int(1)), to=TensorProto.INT32)
    total = net.op("Cast", net.dim("attention_mask", 1), to=TensorProto.INT32)
    caches = tables(net, WIDTH)
    x = net.op("Gather", net.weight("model.embed_tokens.weight", VOCABULARY, HIDDEN, scale=1.0), "input_ids")
    carried = x

    def normed(y, residual, what):
        weight = net.weight(what + ".weight", HIDDEN, scale=0.2, offset=1.0)
        if residual is None:
            return net.op("SimplifiedLayerNormalization", y, weight, axis=-1, epsilon=1e-6, stash_type=1), y
        names = [what + "/output_0", what + "/output_3"]
        net.named([residual, y, weight], "SkipSimplifiedLayerNormalization", [names[0], "", "", names[1]], epsilon=1e-6)
        return names[0], names[1]

    y, carried = normed(x, None, "model.layers.0.input_layernorm")
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}"
        if packed:
            q, k, v = net.linear(y, prefix + ".attn.qkv_proj", HIDDEN, (HEADS + 2 * GROUPS) * WIDTH), "", ""
        else:
            q = net.linear(y, prefix + ".attn.q_proj", HIDDEN, HEADS * WIDTH)
            k = net.linear(y, prefix + ".attn.k_proj", HIDDEN, GROUPS * WIDTH)
            v = net.linear(y, prefix + ".attn.v_proj", HIDDEN, GROUPS * WIDTH)
        inputs = [q, k, v, f"past_key_values.{layer}.key", f"past_key_values.{layer}.value", lengths, total] + caches
        attributes = dict(num_heads=HEADS, kv_num_heads=GROUPS, scale=1 / math.sqrt(WIDTH), do_rotary=1,
                          rotary_interleaved=0, local_window_size=window if layer % 2 == 0 else -1, softcap=softcap)
        if sinks:
            inputs += ["", "", net.weight(prefix + ".attn.sinks", HEADS, scale=1.0)]
        a = net.named(inputs, "GroupQueryAttention",
                      [prefix + ".attn/out", f"present.{layer}.key", f"present.{layer}.value"], **attributes)[0]
        a = net.linear(a, prefix + ".attn.o_proj", HEADS * WIDTH, HIDDEN)
        y, carried = normed(a, carried, prefix + ".post_attention_layernorm")
        if sinks:
            m = experts(net, y, layer)
        else:
            m = gated(net, y, layer)
        last = layer + 1 == LAYERS
        y, carried = normed(m, carried, "model.norm" if last else f"model.layers.{layer + 1}.input_layernorm")
    net.op("MatMul", y, net.weight("lm_head.weight", HIDDEN, VOCABULARY), name="logits")
    save(net, folder, name, "past_sequence_length", "total_sequence_length", "onnxruntime-genai", positions=False,
         microsoft=True)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "language")
    folder.mkdir(parents=True, exist_ok=True)
    exported(folder, "llama_exported", 1)
    exported(folder, "phi_exported", 2, norm=layer_norm, mlp=plain_mlp, parallel=True, bias=True, rotary=WIDTH // 2,
             split_scale=False)
    exported(folder, "qwen_exported", 3, norms=True, tied=True)
    exported(folder, "gemma_exported", 4, plus_one=True, scaled=True, tied=True, softcap=20.0, final_cap=30.0, window=3,
             both_norms=True, split_scale=False, mlp=lambda n, x, layer: gated(n, x, layer, gelu_tanh))
    exported(folder, "gpt_oss_exported", 5, bias=True, sinks=True, window=3, mlp=experts, split_scale=False)
    built(folder, "llama_built", 6)
    built(folder, "phi_built", 7, packed=True, window=3)
    built(folder, "gpt_oss_built", 8, sinks=True, window=3)


main()
