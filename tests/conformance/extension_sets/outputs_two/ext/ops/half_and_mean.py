import numpy as np
from openvino.tools.mo.graph.graph import Graph, Node
from openvino.tools.mo.ops.op import Op


class HalfAndMean(Op):
    op = 'HalfAndMean'
    enabled = True

    def __init__(self, graph: Graph, attrs: dict):
        super().__init__(graph, {'type': None, 'op': self.op, 'infer': self.infer, 'axis': 1, 'in_ports_count': 1,
                                 'out_ports_count': 2}, attrs)

    @staticmethod
    def infer(node: Node):
        shape = node.in_port(0).data.get_shape()
        half = shape.copy()
        half[node.axis] = shape[node.axis] // 2
        node.out_port(0).data.set_shape(half)
        mean = shape.copy()
        mean[node.axis] = 1
        if node.is_out_port_connected(1):
            node.out_port(1).data.set_shape(mean)
