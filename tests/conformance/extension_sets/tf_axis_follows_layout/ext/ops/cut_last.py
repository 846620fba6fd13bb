from openvino.tools.mo.graph.perm_inputs import PermuteInputs
from openvino.tools.mo.ops.op import Op, PermuteAttrs


class CutLast(Op):
    op = 'CutLast'
    enabled = True

    def __init__(self, graph, attrs):
        super().__init__(graph, {'type': None, 'op': self.op, 'infer': self.infer, 'in_ports_count': 1, 'out_ports_count': 1}, attrs)

    @staticmethod
    def infer(node):
        shape = node.in_port(0).data.get_shape().copy()
        shape[node.axis] -= 1
        node.out_port(0).data.set_shape(shape)
        PermuteAttrs.create_permute_attrs(node, attrs=[('axis', 'input:0')])
