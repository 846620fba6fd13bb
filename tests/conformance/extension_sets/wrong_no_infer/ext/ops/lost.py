from openvino.tools.mo.ops.op import Op


class Lost(Op):
    op = 'Lost'
    enabled = True

    def __init__(self, graph, attrs):
        super().__init__(graph, {'type': None, 'op': self.op, 'in_ports_count': 1, 'out_ports_count': 1}, attrs)
