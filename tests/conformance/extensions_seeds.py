"""The documents' own classes, cut out of them, as extensions: what each changes in which model."""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

# class -> (document, folder, model, words for the command line, layers that must be there, and that must not, the formula)
F = np.float32


def blocks(text):
    """(name of the class, source) of every block of Python that has a whole class; indentation that a document has lost is
    made again: class, function, and what belongs to an `if` up to its return."""
    out = {}
    for source in re.findall(r"```py\n(.*?)```", text, re.S):
        found = re.search(r"^class (\w+)\(", source, re.M)
        if found:
            out[found.group(1)] = source
    if out:
        return out
    # A class whose methods are told one after the other, with prose between them.
    methods = [re.search(p, text, re.S | re.M) for p in (r"^def replace_sub_graph\(self, graph: nx\.MultiDiGraph.*?^replace_node\(fbn, new_subgraph\)$",
                                                         r"^@staticmethod\ndef infer\(node: Node\):.*?^node\.old_infer\(node\)$")]
    if all(methods):
        text = text.replace("edge_attrs=['in'])\n\nKey lines", "edge_attrs=['in'])\n%s\n\nKey lines" % "\n".join(m.group(0) for m in methods), 1)
    lines = text.split("\n")
    for k, line in enumerate(lines):
        found = re.match(r"class (\w+)\((\w+)\):$", line)
        if not found:
            continue
        begin = k
        while begin and re.match(r"(import|from) ", lines[begin - 1]):
            begin -= 1
        body, inside, branch, n = [], False, False, k + 1
        stop = ("return", "replace_node(")
        while n < len(lines):
            text_line = lines[n]
            if not text_line and (not inside or not lines[n + 1].startswith("def ")):
                break
            if text_line.startswith(("def ", "@")):
                inside = text_line.startswith("def ")
                body.append("    " + text_line)
            elif not text_line.strip():
                pass
            else:
                body.append(("    " if not inside else "            " if branch else "        ") + text_line)
                if inside and text_line.startswith("if ") and not text_line.rstrip().endswith(":"):
                    branch = None
                if inside and text_line.rstrip().endswith(":") and (text_line.startswith("if ") or branch is None):
                    branch = True
                elif branch and text_line.startswith(stop[0]):
                    branch = False
            n += 1
        out[found.group(1)] = "\n".join(lines[begin:k + 1] + body) + "\n"
    return out


def tf(*nodes):
    """A TensorFlow graph as text: (name, op, inputs, attributes)."""
    out = ""
    for name, op, inputs, attrs in nodes:
        out += 'node { name: "%s" op: "%s" %s' % (name, op, " ".join('input: "%s"' % i for i in inputs))
        for key, value in attrs.items():
            out += ' attr { key: "%s" value { %s } }' % (key, value)
        out += " }\n"
    return out


def placeholder(name, *shape):
    return (name, "Placeholder", [], {"dtype": "type: DT_FLOAT",
                                      "shape": "shape { %s }" % " ".join("dim { size: %d }" % d for d in shape)})


def const(name, values, kind="FLOAT"):
    field = {"FLOAT": "float_val", "INT32": "int_val"}[kind]
    dims = "dim { size: %d }" % len(values) if isinstance(values, list) else ""
    listed = values if isinstance(values, list) else [values]
    return (name, "Const", [], {"dtype": "type: DT_%s" % kind, "value": "tensor { dtype: DT_%s tensor_shape { %s } %s }" % (
        kind, dims, " ".join("%s: %s" % (field, v) for v in listed))})


T = {"T": "type: DT_FLOAT"}
YOLO = '[{"id": "TFYOLO", "match_kind": "general", "custom_attributes": {"classes": 20, "coords": 4, "num": 2, "do_softmax": 0}}]'
INCEPTION = ('[{"id": "InceptionBlockReplacer", "op": "InceptionBlock", "match_kind": "scope", "instances": ["net/Mixed"], '
             '"custom_attributes": {"attr1_key": "attr1_value", "attr2_key": 123456}, '
             '"inputs": [[{"node": "first$", "port": 0}]], "outputs": [{"node": "last$", "port": 0}]}]')


def onnx_model(path, kind):
    from onnx import TensorProto, helper, numpy_helper, save
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    if kind == "mish":
        nodes = [helper.make_node("Softplus", ["x"], ["s"]), helper.make_node("Tanh", ["s"], ["t"]), helper.make_node("Mul", ["x", "t"], ["y"])]
    else:
        value = numpy_helper.from_array(np.array([1, 2, 3], F), "value")
        nodes = [helper.make_node("Constant", [], ["c"], name="c", value=value), helper.make_node("Add", ["x", "c"], ["y"])]
    model = helper.make_model(helper.make_graph(nodes, "g", [x], [y]), opset_imports=[helper.make_opsetid("", 11)])
    model.ir_version = 7
    save(model, path)


def squared(x, z):
    return (x - z) ** 2


def normalized(x):
    v = (x - x.mean((1, 2), keepdims=True)) / np.sqrt(x.var((1, 2), keepdims=True) + F(0.001))
    return np.maximum(v * np.array([1, 2, 3], F) + np.array([4, 5, 6], F), 0)


KEPT = {"T": "type: DT_FLOAT", "Tidx": "type: DT_INT32", "keep_dims": "b: true"}
ONLY_LAST = {"T": "type: DT_FLOAT", "squeeze_dims": "list { i: 0 i: 1 i: 2 }"}


# class: (document, folder below ext, framework, model, configuration, layers (type: count), inputs, formula)
X = placeholder("x", 2, 3)
TABLE = {
    "Softmax": ("000", "ops", "tf", tf(X, ("y", "Softmax", ["x"], T)), None, {"SoftMax": 1}, [(2, 3)],
                lambda x: np.exp(x) / np.exp(x).sum(1, keepdims=True)),
    "ConstExtractor": ("000", "front/tf", "tf", tf(X, const("c", [1, 2, 3]), ("y", "Add", ["x", "c"], T)), None, {"Add": 1}, [(2, 3)],
                       lambda x: x + np.array([1, 2, 3], F)),
    "ConstantExtractor": ("000", "front/onnx", "onnx", "constant", None, {"Add": 1}, [(2, 3)], lambda x: x + np.array([1, 2, 3], F)),
    "MishFusion": ("000", "front", "onnx", "mish", None, {"Mish": 1, "Multiply": 0}, [(2, 3)],
                   lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "Pack": ("000", "front", "tf", tf(X, placeholder("z", 2, 3), ("y", "Pack", ["x", "z"], dict(T, axis="i: 1", N="i: 2"))), None,
             {"Concat": 1}, [(2, 3), (2, 3)], lambda x, z: np.stack([x, z], 1)),
    "SqueezeNormalize": ("000", "front", "tf", tf(placeholder("x", 2, 1, 3), ("y", "Squeeze", ["x"], dict(T, squeeze_dims="list { i: 1 }"))),
                         None, {}, [(2, 1, 3)], lambda x: x[:, 0]),
    "YoloRegionAddon": ("000", "front", "tf", tf(placeholder("x", 1, 2, 2, 50), ("y", "Tanh", ["x"], T)), YOLO, {"RegionYolo": 1}, [], None),
    "SquaredDifference": ("004", "front", "tf", tf(X, placeholder("z", 2, 3), ("y", "SquaredDifference", ["x", "z"], T)), None,
                          {"SquaredDifference": 0}, [(2, 3), (2, 3)], squared),
    "MVN": ("004", "front/tf", "tf",
            tf(placeholder("x", 1, 4, 4, 3), const("axes", [1, 2], "INT32"), ("mean", "Mean", ["x", "axes"], KEPT), ("kept", "StopGradient", ["mean"], T),
               ("far", "SquaredDifference", ["x", "kept"], T), ("variance", "Mean", ["far", "axes"], KEPT), ("m", "Squeeze", ["mean"], ONLY_LAST),
               ("v", "Squeeze", ["variance"], ONLY_LAST), const("scale", [1, 2, 3]), const("shift", [4, 5, 6]),
               ("norm", "FusedBatchNorm", ["x", "scale", "shift", "m", "v"],
                dict(T, epsilon="f: 0.001", is_training="b: false", data_format='s: "NHWC"')), ("y", "Relu", ["norm"], T)),
            None, {"MVN": 1, "BatchNormInference": 0}, [(1, 4, 4, 3)], normalized),
    "InceptionBlock": ("004", "ops", "tf", tf(X, ("net/Mixed/first", "Exp", ["x"], T), ("net/Mixed/last", "Tanh", ["net/Mixed/first"], T),
                                              ("y", "Neg", ["net/Mixed/last"], T)), INCEPTION, {"InceptionBlock": 1, "Tanh": 0}, [], None),
}
# What documents leave out.
BEFORE = {"Softmax": "from mo.graph.graph import Graph, Node\nfrom mo.ops.op import Op\n",
          "MVN": "import logging as log\nimport networkx as nx\nfrom mo.front.common.replacement import FrontReplacementSubgraph\n"
                 "from mo.graph.graph import Node, replace_node\nfrom mo.ops.eltwise import Eltwise\nfrom mo.ops.op import Op\n"}


def check(host, shared):
    """Lines of what failed; one for each class is printed."""
    bad = []
    documents = {f[:3]: open(os.path.join(shared, "seeds", f), encoding="utf-8").read()
                 for f in sorted(os.listdir(os.path.join(shared, "seeds"))) if f.endswith(".txt")}
    classes = {(d, name): source for d, text in documents.items() for name, source in blocks(text).items()
               if re.search(r"class %s\((Op|\w*ExtractorOp|Front\w+|Middle\w+|Back\w+)\)" % name, source)}
    known = {(row[0], name) for name, row in TABLE.items()}
    for d, name in sorted(classes):
        if (d, name) not in known:
            bad.append("%s of document %s is not in the table" % (name, d))
    for name, (document, folder, framework, model, configuration, layers, shapes, formula) in TABLE.items():
        source = classes.get((document, name))
        if source is None:
            bad.append("%s is not in document %s" % (name, document))
            continue
        source = BEFORE.get(name, "") + source
        if name == "Softmax":
            source = source.replace(
                '"some code calculating output shape and values"', "node.out_port(0).data.set_shape(node.in_port(0).data.get_shape())")
        try:
            said = run_one(host, source, name, folder, framework, model, configuration, layers, shapes, formula)
            print("passed\t%s\t%s" % (name, said))
        except (AssertionError, subprocess.SubprocessError, OSError) as e:
            bad.append("%s: %s" % (name, e))
    return bad


def run(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=120)
    assert done.returncode == 0, "%s: %s" % (" ".join(words[1:4]), done.stdout)
    return done.stdout


def run_one(host, source, name, folder, framework, model, configuration, layers, shapes, formula):
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "ext", folder, "seed.py")
        os.makedirs(os.path.dirname(path))
        with open(path, "w") as f:
            f.write(source)
        file = os.path.join(tmp, "model." + ("onnx" if framework == "onnx" else "pbtxt"))
        if framework == "onnx":
            onnx_model(file, model)
        else:
            with open(file, "w") as f:
                f.write(model)
        words = [host, "--framework", framework, "--input_model", file, "--extensions", os.path.join(tmp, "ext"), "--output_dir", tmp,
                 "--model_name", "m"]
        if framework == "tf":
            words.append("--disable_nhwc_to_nchw")
        if configuration:
            with open(os.path.join(tmp, "c.json"), "w") as f:
                f.write(configuration)
            words += ["--transformations_config", os.path.join(tmp, "c.json")]
        run(words)
        with open(os.path.join(tmp, "m.xml")) as f:
            types = re.findall(r'<layer [^>]*type="(\w+)"', f.read())
        for kind, count in layers.items():
            assert types.count(kind) == count, "%d layers %s instead of %d: %s" % (types.count(kind), kind, count, " ".join(types))
        if formula is not None:
            inputs, given = [], []
            for i, shape in enumerate(shapes):
                inputs.append(np.random.RandomState(i).uniform(-1, 1, shape).astype(F))
                np.save(os.path.join(tmp, "%d.npy" % i), inputs[-1])
                given.append("%s=%s" % ("xz"[i], os.path.join(tmp, "%d.npy" % i)))
            run([host, "run", "--input_model", os.path.join(tmp, "m.xml"), "--input", ",".join(given), "--output_dir", os.path.join(tmp, "v")])
            (value,) = [np.load(os.path.join(tmp, "v", f)) for f in os.listdir(os.path.join(tmp, "v")) if f.endswith(".npy")]
            np.testing.assert_allclose(value, formula(*inputs), 1e-4, 1e-5)
        return "layers " + " ".join(types)


if __name__ == "__main__":
    problems = check(sys.argv[1], sys.argv[2])
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
