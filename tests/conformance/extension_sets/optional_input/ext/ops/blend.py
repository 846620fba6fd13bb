from openvino.tools.mo.graph.graph import Node
from openvino.tools.mo.ops.op import Op


class Blend(Op):
    op = 'Blend'
    enabled = True

    def __init__(self, graph, attrs):
        super().__init__(graph, {'type': None, 'op': self.op, 'infer': self.infer, 'in_ports_count': 3, 'out_ports_count': 1}, attrs)

    @staticmethod
    def infer(node: Node):
        connected = [i for i, port in node.in_ports().items() if not port.disconnected()]
        assert 0 in connected and 2 in connected, connected
        assert node.is_in_port_connected(1) == (1 in connected)
        node.out_port(0).data.set_shape(node.in_port(0).data.get_shape())
