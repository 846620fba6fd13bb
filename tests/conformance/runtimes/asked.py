"""Asks the OpenVINO of this python which layers it can make: an XML file per line of the standard input, an answer per line
of the standard output: "no" with what the reader says, "yes" otherwise. What the reader says of a layer that it knows, and
that lacks its inputs, is a yes, as is a crash there. See releases."""
import json
import os
import re
import sys
import warnings

warnings.simplefilter("ignore")
UNKNOWN = ("doesn't contain the operation", "unsupported opset", "is not supported in", "Cannot create", "Unsupported operation",
           "not registered", "unknown opset", "Incorrect weights", "Unable to read the model", "Couldn't create",
           "Unsupported opset")


def reader():
    try:
        try:
            import openvino
            core = openvino.Core()
        except (ImportError, AttributeError):
            from openvino.runtime import Core
            core = Core()
        return core.read_model
    except ImportError:
        from openvino.inference_engine import IECore
        core = IECore()
        return lambda path: core.read_network(model=path, weights=os.path.splitext(path)[0] + ".bin")


def by_factory(path):
    """2022.2 does not say what it minds: what makes the nodes of its Python does."""
    from openvino import pyopenvino
    with open(path) as f:
        op, opset = re.search(r'type="(\w+)" version="(\w+)"', f.read()).groups()
    try:
        pyopenvino.NodeFactory(opset).create(op, [], {})
    except Exception as e:                                      # noqa: BLE001
        return " ".join(str(e).split())
    return ""


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)                                               # what libraries print is no answer
    read = reader()
    for line in sys.stdin:
        try:
            read(line.strip())
            answer = "yes"
        except Exception as e:                                  # noqa: BLE001
            text = " ".join(str(e).split())
            if text.endswith("Converting input model"):
                text = by_factory(line.strip())
            answer = ("no " if any(u in text for u in UNKNOWN) else "yes ") + text
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
