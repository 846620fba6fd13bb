"""@Name@, an operation, and how it is read from a model. Begin with `schema`, then the formula in `evaluate`."""
from mo_host.extend import Op, extractor


class @Name@(Op):
    """x * scale"""
    type, opset = "@Name@", "@domain@"

    # Ports and attributes: the host checks nodes against it and writes the attributes to the IR.
    def schema(s):
        s.inputs(1).outputs(1).attr("scale", 1.0)

    # Says what is certain, for shapes that are known in full, in part (None in the list), or not at all (None).
    def infer(c):
        c.require(c.is_float(0), "x is not a floating-point tensor")
        c.output(0, c.type(0), c.shape(0))

    # Optional. With it the host folds constants, and `mo-host run` computes the operation.
    def evaluate(c):
        x = c.value(0)
        c.output_value(0, (x * c.attr("scale")).astype(x.dtype))


@extractor("@framework@", "@extract_domain@", "@extract_name@")
def extract(node):
    node.set_op("@Name@", "@domain@")
    node.set("scale", float(node.native("@prefix@scale", 1.0)))
