import numpy as np
from openvino.tools.mo.ops.op import Op


class CountPositive(Op):
    op = 'CountPositive'
    enabled = True

    def __init__(self, graph, attrs):
        super().__init__(graph, {'type': None, 'op': self.op, 'infer': self.infer, 'type_infer': self.type_infer,
                                 'in_ports_count': 1, 'out_ports_count': 1}, attrs)

    @staticmethod
    def infer(node):
        shape = node.in_port(0).data.get_shape()
        out = shape.copy()
        for a in node.axes:
            out[a] = 1
        node.out_port(0).data.set_shape(out)

    @staticmethod
    def type_infer(node):
        node.out_port(0).set_data_type(np.int32)
