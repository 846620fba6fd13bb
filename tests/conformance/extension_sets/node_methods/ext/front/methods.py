from openvino.tools.mo.front.common.replacement import FrontReplacementPattern
from openvino.tools.mo.graph.graph import Graph, Node
from openvino.tools.mo.ops.activation_ops import Tanh
from openvino.tools.mo.ops.elementwise import Mul


class Methods(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph: Graph):
        ids = graph.get_nodes_with_attributes(op='Sigmoid')
        assert len(ids) == 1, ids
        node = Node(graph, ids[0])
        assert node.has('op') and node.has_valid('name') and not node.has('nothing') and not node.has_valid('nothing')
        assert node.soft_get('nothing', 5) == 5 and node['op'] == 'Sigmoid' and node.id in graph
        node['mark'] = 3
        assert node.mark == 3 and node.attrs()['mark'] == 3 and graph.node[node.id]['mark'] == 3
        assert list(node.in_edges().keys()) == [0] and len(node.out_edges()) == 1
        assert node.in_port(0).get_source().node.op == 'Exp'
        assert node.out_port(0).get_destination().node.op == 'Abs' and node.out_port(0).get_destination().idx == 0
        connection = node.in_port(0).get_connection()
        assert connection.get_source().node.op == 'Exp' and connection.get_destination().node.id == node.id
        new = Tanh(graph, {'name': graph.unique_id('tanh')}).create_node()
        node.in_port(0).get_source().connect(new.in_port(0))
        node.replace_node(new)
        assert graph.get_op_nodes(op='Sigmoid') == []
