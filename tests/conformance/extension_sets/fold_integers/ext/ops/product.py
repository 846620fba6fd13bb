import numpy as np
from openvino.tools.mo.front.common.partial_infer.utils import int64_array
from openvino.tools.mo.ops.op import Op


class Product(Op):
    op = 'Product'
    enabled = True

    def __init__(self, graph, attrs):
        super().__init__(graph, {'type': None, 'op': self.op, 'infer': self.infer, 'in_ports_count': 1, 'out_ports_count': 1}, attrs)

    @staticmethod
    def infer(node):
        value = node.in_port(0).data.get_value()
        assert value is not None and value.dtype == np.int64, value
        node.out_port(0).data.set_value(int64_array([value[0] * 2, -1]))
