from mo.front.common.replacement import FrontReplacementPattern, FrontReplacementSubgraph
from mo.graph.graph import Graph, Node
from mo.ops.const import Const
from extensions.ops.elementwise import Add, Mul
from extensions.ops.activation_ops import Tanh
import numpy as np
class TwoTanh(FrontReplacementSubgraph):
    enabled = True
    @staticmethod
    def pattern(**kwargs):
        return dict(nodes=[('a', dict(op='Tanh')), ('b', dict(op='Tanh'))], edges=[('a', 'b', {'out': 0, 'in': 0})], node_attrs=['op'], edge_attrs=['in', 'out'])
    def replace_sub_graph(self, graph: Graph, match: dict):
        a, b = match['a'], match['b']
        assert a.out_node() == b and b.in_node() == a and a.out_node(0).id == b.id
        assert a.get_outputs()[0][0] == b.id and b.get_inputs()[0][0] == a.id, b.get_inputs()
        c = Const(graph, dict(value=np.array([2.0], dtype=np.float32), name=a.name + '/c')).create_node()
        n = Mul(graph, dict(name=a.name + '/mul')).create_node()
        graph.add_edges_from([(a.in_node(0).id, n.id, {'in': 0, 'out': 0}), (c.id, n.id, {'in': 1, 'out': 0})])
        graph.remove_edge(a.in_node(0).id, a.id)
        t = Tanh(graph, dict(name='t2')).create_node([n])
        for dst, attrs in b.get_outputs():
            graph.remove_edge(b.id, dst)
            graph.create_edge(t, Node(graph, dst), 0, attrs['in'])
        graph.remove_nodes_from([a.id, b.id])
