from openvino.tools.mo.front.common.partial_infer.utils import dynamic_dimension_value, is_fully_defined, shape_array
from openvino.tools.mo.ops.op import Op


class Fold(Op):
    op = 'Fold'
    enabled = True

    def __init__(self, graph, attrs):
        super().__init__(graph, {'type': None, 'op': self.op, 'infer': self.infer, 'in_ports_count': 1, 'out_ports_count': 1}, attrs)

    @staticmethod
    def infer(node):
        n, c, w = node.in_port(0).data.get_shape()
        assert not is_fully_defined(node.in_port(0).data.get_shape())
        node.out_port(0).data.set_shape(shape_array([dynamic_dimension_value, node.groups, c // node.groups, w]))
