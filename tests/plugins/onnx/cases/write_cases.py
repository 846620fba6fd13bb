#!/usr/bin/python3
"""Writes a model and its figures as the text that cases_test.cpp reads.

    write_cases.py NAME MODEL.onnx [--published FOLDER | --in NAME=FILE.npy … --out NAME=FILE.npy …]

FOLDER is a test_data_set_0 of ONNX's node tests. Needs Debian's python3-onnx."""
import argparse
import glob
import os

import numpy as np
import onnx
import onnx.numpy_helper

TYPES = {"float32": "f32", "float64": "f64", "int64": "i64", "int32": "i32", "bool": "boolean", "uint8": "u8", "int8": "i8",
         "uint32": "u32", "uint16": "u16", "int16": "i16", "uint64": "u64"}


def number(v):
    if isinstance(v, (bool, np.bool_)):
        return str(int(v))
    if isinstance(v, (int, np.integer)):
        return str(int(v))
    return "%.9g" % v


def tensor(kind, name, x):
    dims = ",".join(map(str, x.shape)) or "-"
    return "%s %s %s %s : %s" % (kind, name or "-", TYPES[x.dtype.name], dims, " ".join(number(v) for v in x.ravel()))


def attribute(a):
    A = onnx.AttributeProto
    if a.type == A.TENSOR:
        return tensor("tensor", a.name, onnx.numpy_helper.to_array(a.t))
    kind, values = {A.INT: ("i", [a.i]), A.FLOAT: ("f", [a.f]), A.STRING: ("s", [a.s]), A.INTS: ("is", a.ints),
                    A.FLOATS: ("fs", a.floats), A.STRINGS: ("ss", a.strings)}[a.type]
    text = " ".join(v.decode() if isinstance(v, bytes) else number(v) for v in values)
    return "attribute %s %s %s" % (a.name, kind, text)


def pairs(words):
    return [(w.split("=", 1)[0], np.load(w.split("=", 1)[1])) for w in words]


def published(folder, model):
    def read(kind, values):
        files = sorted(glob.glob(os.path.join(folder, kind + "_*.pb")), key=lambda f: int(f.rsplit("_", 1)[1][:-3]))
        for f, v in zip(files, values):
            t = onnx.TensorProto()
            t.ParseFromString(open(f, "rb").read())
            yield v.name, onnx.numpy_helper.to_array(t)
    return list(read("input", model.graph.input)), list(read("output", model.graph.output))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("model")
    parser.add_argument("--published")
    parser.add_argument("--in", dest="inputs", action="append", default=[])
    parser.add_argument("--out", dest="outputs", action="append", default=[])
    args = parser.parse_args()
    model = onnx.load(args.model)
    inputs, outputs = published(args.published, model) if args.published else (pairs(args.inputs), pairs(args.outputs))
    print("case", args.name)
    for o in model.opset_import:
        print("opset", o.domain or "-", o.version)
    for t in model.graph.initializer:
        print(tensor("constant", t.name, onnx.numpy_helper.to_array(t)))
    for n in model.graph.node:
        print("node", n.domain or "-", n.op_type, ",".join(i or "-" for i in n.input) or "-", ",".join(o or "-" for o in n.output))
        for a in n.attribute:
            print(attribute(a))
    for name, x in inputs:
        print(tensor("in", name, x))
    for name, x in outputs:
        print(tensor("out", name, x))


main()
