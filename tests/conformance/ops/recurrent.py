"""Recurrent cells and sequences, CTC, embedding bags."""
import numpy as np

import oracles
from case import Case, Floats, Strings, Ty, con, generator, par

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
COUNT = {"LSTM": 3, "GRU": 2, "RNN": 1}
DEFAULT = {"LSTM": ["sigmoid", "tanh", "tanh"], "GRU": ["sigmoid", "tanh"], "RNN": ["tanh"]}


def common(r, i, kind, hidden):
    names = DEFAULT[kind] if i % 3 else [r.pick(["sigmoid", "tanh", "relu"]) for _ in range(COUNT[kind])]
    attrs = {"hidden_size": hidden, "activations": Strings(names), "activations_alpha": Floats(), "activations_beta": Floats(),
             "clip": r.cycle([0.0, 0.0, 0.5, 1.5], i)}
    if kind == "GRU":
        attrs["linear_before_reset"] = i % 2 == 0
    return attrs


FORMATS = ["fico", "icof", "ifco", "ifoc", "iofc"]


def other_format(case, key, i):
    """A case of opset1 whose gates have another order; what it gives is what the usual order gives."""
    case.type, case.opset = key
    case.compute()
    want, order = case.want, FORMATS[i % len(FORMATS)]
    first = 3 if key[0] == "LSTMCell" else 4
    for item in case.inputs[first:first + 3]:
        axis = 0 if key[0] == "LSTMCell" else 1
        parts = np.split(item.value, 4, axis)
        item.value = np.concatenate([parts["fico".index(gate)] for gate in order], axis)
    case.attrs["weights_format"] = order
    case.oracle, case.ir_check = (lambda *v: want), order == "fico"
    return case


def bias_gates(kind, attrs):
    return 4 if attrs.get("linear_before_reset") else GATES[kind]


@generator("LSTMCell-1", "LSTMCell-4", "GRUCell-3", "RNNCell-3")
def cell(r, i, key):
    kind = key[0][:-4]
    t = r.cycle(["f32", "f32", "f16"], i)
    n, size, hidden = r.dim(1, 3), r.dim(1, 4), r.dim(1, 3)
    attrs = common(r, i, kind, hidden)

    def data(*s):
        return r.data(s, t, -1, 1)
    inputs = [par(data(n, size)), par(data(n, hidden))] + ([par(data(n, hidden))] if kind == "LSTM" else [])
    inputs += [r.either(data(GATES[kind] * hidden, size)), r.either(data(GATES[kind] * hidden, hidden)),
               r.either(data(bias_gates(kind, attrs) * hidden))]
    if key == ("LSTMCell", 1):
        attrs.update({"weights_format": "fico", "input_forget": False})
        if i % 2:
            inputs.append(con(np.zeros(3 * hidden, data(1).dtype)))
    made = Case(inputs, attrs, outputs=2 if kind == "LSTM" else 1, atol=1e-2 if t == "f16" else 1e-5)
    return other_format(made, key, i) if key == ("LSTMCell", 1) else made


@generator("LSTMSequence-1", "LSTMSequence-5", "GRUSequence-5", "RNNSequence-5")
def sequence(r, i, key):
    kind = key[0][:-8]
    t = r.cycle(["f32", "f32", "f16"], i)
    n, size, hidden, steps = r.dim(1, 3), r.dim(1, 3), r.dim(1, 3), r.dim(1, 4)
    attrs = common(r, i, kind, hidden)
    attrs["direction"] = r.cycle(["forward", "reverse", "bidirectional"], i)
    d = 2 if attrs["direction"] == "bidirectional" else 1

    def data(*s):
        return r.data(s, t, -1, 1)
    inputs = [par(data(n, steps, size)), par(data(n, d, hidden))] + ([par(data(n, d, hidden))] if kind == "LSTM" else [])
    lengths = r.data([n], "i32", 1, steps) if i % 2 else np.full(n, steps, np.int32)
    inputs += [r.either(lengths, r.pick(["i32", "i64"])), r.either(data(d, GATES[kind] * hidden, size)),
               r.either(data(d, GATES[kind] * hidden, hidden)), r.either(data(d, bias_gates(kind, attrs) * hidden))]
    if key == ("LSTMSequence", 1):
        attrs.update({"weights_format": "fico", "input_forget": False})
        if i % 2:
            inputs.append(con(np.zeros((d, 3 * hidden), data(1).dtype)))
    made = Case(inputs, attrs, outputs=3 if kind == "LSTM" else 2, atol=1e-2 if t == "f16" else 1e-5)
    return other_format(made, key, i) if key == ("LSTMSequence", 1) else made


@generator("CTCGreedyDecoder-1")
def ctc_decoder(r, i):
    t, n, c = r.dim(1, 6), r.dim(1, 3), r.dim(2, 4)
    x = r.distinct([t, n, c], r.cycle(["f32", "f32", "f16"], i))
    mask = (np.arange(t)[:, None] < r.data([n], "i32", 1, t)[None]).astype(x.dtype)
    return Case([par(x), r.either(mask)], {"ctc_merge_repeated": i % 2 == 0})


@generator("CTCGreedyDecoderSeqLen-6")
def ctc_decoder_len(r, i):
    n, t, c = r.dim(1, 3), r.dim(1, 6), r.dim(2, 4)
    x = r.distinct([n, t, c], r.cycle(["f32", "f32", "f16"], i))
    kinds = r.pick(["i32", "i64"])
    inputs = [par(x), r.either(r.data([n], "i32", 1, t), kinds)]
    if i % 2:
        inputs.append(con(np.array([r.int(0, c - 1)]), kinds))
    return Case(inputs, {"merge_repeated": i % 4 < 2, "classes_index_type": Ty(r.cycle(["i32", "i64"], i)),
                         "sequence_length_type": Ty(r.cycle(["i32", "i64"], i // 2))}, outputs=2)


@generator("CTCLoss-4")
def ctc_loss(r, i):
    n, c = r.dim(1, 3), r.dim(3, 5)
    t = r.dim(3, 6)
    label_length = r.data([n], "i32", 1, t // 2)
    lengths = np.minimum(2 * label_length + r.data([n], "i32", 0, 2), t)
    blank = r.int(0, c - 1) if i % 2 else c - 1
    labels = r.g.choice([k for k in range(c) if k != blank], (n, t))
    kinds = r.pick(["i32", "i64"])
    inputs = [r.par([n, t, c], r.cycle(["f32", "f32", "f16"], i), -2, 2), r.either(lengths, kinds), r.either(labels, kinds),
              r.either(label_length, kinds)]
    if i % 2:
        inputs.append(con(np.array(blank), kinds))
    return Case(inputs, {"preprocess_collapse_repeated": i // 2 % 2 == 1, "ctc_merge_repeated": i // 4 % 2 == 0,
                         "unique": i // 8 % 2 == 1}, rtol=1e-2 if inputs[0].type == "f16" else 5e-4, atol=2e-2
                if inputs[0].type == "f16" else 1e-4)


def table(r, i):
    t = r.cycle(["f32", "f32", "f16", "i32"], i)
    return t, [r.dim(2, 5)] + r.shape(1, 2, dims=(1, 3))


@generator("EmbeddingBagOffsetsSum-3", "EmbeddingBagOffsets-15")
def bag_offsets(r, i, key):
    t, s = table(r, i)
    kinds, n = r.pick(["i64", "i32"]), r.dim(1, 6)
    offsets = np.sort(r.g.integers(0, n + 1, r.dim(1, 4)))
    offsets[0] = 0
    mean = key[1] == 15 and i % 2 == 1
    t = "f32" if mean else t
    inputs = [r.par(s, t), r.either(r.g.integers(0, s[0], n), kinds), r.either(offsets, kinds)]
    count = r.cycle([3, 4, 4 if mean else 5, 4 if mean else 5], i // 2)
    if count >= 4:
        # ir_check and the specification agree on -1 alone.
        inputs.append(con(np.array(r.int(0, s[0] - 1) if r.chance(0.7) else -1), kinds))
    if count == 5:
        inputs.append(r.either(r.data([n], t, -2, 2), t))
    attrs = {"reduction": "mean" if mean else "sum"} if key[1] == 15 else {}
    return Case(inputs, attrs, oracle=(lambda *v: oracles.bag_offsets(mean, *v)) if key[1] == 15 else None)


@generator("EmbeddingBagPackedSum-3", "EmbeddingBagPacked-15")
def bag_packed(r, i, key):
    t, s = table(r, i)
    kinds, n = r.pick(["i64", "i32"]), [r.dim(1, 3), r.dim(1, 4)]
    mean = key[1] == 15 and i % 2 == 1
    t = "f32" if mean else t
    inputs = [r.par(s, t), r.either(r.g.integers(0, s[0], n), kinds)]
    if i // 2 % 2 and not mean:
        inputs.append(r.either(r.data(n, t, -2, 2), t))
    attrs = {"reduction": "mean" if mean else "sum"} if key[1] == 15 else {}
    return Case(inputs, attrs, oracle=(lambda *v: oracles.bag_packed(mean, *v)) if key[1] == 15 else None)


@generator("EmbeddingSegmentsSum-3")
def bag_segments(r, i):
    t, s = table(r, i)
    kinds, n, segments = r.pick(["i64", "i32"]), r.dim(1, 6), r.int(1, 4)
    inputs = [r.par(s, t), r.either(r.g.integers(0, s[0], n), kinds), r.either(np.sort(r.g.integers(0, segments, n)), kinds),
              r.structural(np.array(segments), kinds)]
    count = r.cycle([4, 5, 6], i)
    if count >= 5:
        inputs.append(con(np.array(r.int(0, s[0] - 1) if r.chance(0.7) else -1), kinds))
    if count == 6:
        inputs.append(r.either(r.data([n], t, -2, 2), t))
    return Case(inputs)
