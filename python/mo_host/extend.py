"""Extensions of mo-host in Python, with the names of its C++ headers.

    from mo_host.extend import Op, extractor

    class Gain(Op):
        type, opset = "Gain", "com.acme"
        def schema(s):
            s.inputs(1).outputs(1).attr("scale", 1.0)
        def infer(c):
            c.output(0, c.type(0), c.shape(0))
        def evaluate(c):
            c.output_value(0, c.value(0) * c.attr("scale"))

    @extractor("onnx", "com.acme", "Gain")
    def extract(node):
        node.set_op("Gain", "com.acme")
        node.set("scale", node.native("scale", 1.0))

A file beside ops/, front/, middle/ and back/, or in one of them, in a folder that --extensions names. Transformations are
FrontReplacementOp, FrontReplacementSubgraph, MiddleReplacementPattern and BackReplacementPattern, with `id`, `op` or pattern(), and
the graph of extensions of the Model Optimizer: packaging/docs/manual/python_extensions.md.
"""
# mypy: ignore-errors
# What it takes its names from is beside the plugin that runs extensions, and has no types.
try:
    from _mo_host.native import Extractor, Op, OpSchema, SourceNode, decline, extractor, fail
    from _mo_host.passes import (BackReplacementPattern, FrontReplacementOp, FrontReplacementPattern, FrontReplacementSubgraph,
                                 MiddleReplacementPattern)
except ImportError as error:
    raise ImportError("mo_host.extend is for files that mo-host loads with --extensions; it is not there by itself ({})".format(error))

__all__ = ["Op", "OpSchema", "SourceNode", "Extractor", "extractor", "fail", "decline", "FrontReplacementOp", "FrontReplacementSubgraph",
           "FrontReplacementPattern", "MiddleReplacementPattern", "BackReplacementPattern"]
