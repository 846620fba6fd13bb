from openvino.tools.mo.front.common.replacement import FrontReplacementSubgraph
from openvino.tools.mo.graph.graph import Graph, rename_nodes
from openvino.tools.mo.ops.activation_ops import Exp, Tanh


class SubMul(FrontReplacementSubgraph):
    enabled = True

    def pattern(self):
        return dict(
            nodes=[('k', dict(op='Const')), ('sub', dict(op=lambda op: op in ('Sub', 'Add'))), ('mul', dict(op='Mul'))],
            edges=[('k', 'sub', {'in': 1}), ('sub', 'mul', {'in': 0, 'out': 0})])

    def replace_sub_graph(self, graph: Graph, match: dict):
        sub, mul = match['sub'], match['mul']
        name = mul.soft_get('name', mul.id)
        new = Tanh(graph, {'name': name + '/tanh'}).create_node()
        mul.in_port(1).get_connection().set_destination(new.in_port(0))
        mul.out_port(0).get_connection().set_source(new.out_port(0))
        rename_nodes([(mul, name + '/old'), (new, name)])
