import numpy as np
from extensions.ops.hard_sigmoid import HardSigmoid
from mo.front.common.replacement import FrontReplacementSubgraph
from mo.front.tf.graph_utils import create_op_with_const_inputs
from mo.graph.graph import Graph, rename_nodes


class HardSigmoidOfParts(FrontReplacementSubgraph):
    enabled = True

    def pattern(self):
        return dict(nodes=[('three', dict(op='Const')), ('add', dict(op='Add')), ('relu6', dict(op=lambda op: op in ('Clamp', 'AttributedClamp'))), ('six', dict(op='Const')), ('div', dict(op='Div'))],
                    edges=[('three', 'add', {'in': 1}), ('add', 'relu6', {'in': 0}), ('relu6', 'div', {'in': 0}), ('six', 'div', {'in': 1})])

    def replace_sub_graph(self, graph: Graph, match: dict):
        if float(match['three'].value) != 3 or float(match['six'].value) != 6:
            return
        new = create_op_with_const_inputs(graph, HardSigmoid, {1: np.array(1 / 6, dtype=np.float32), 2: np.array(0.5, dtype=np.float32)}, {'name': 'hs'})
        match['add'].in_port(0).get_connection().set_destination(new.in_port(0))
        match['div'].out_port(0).get_connection().set_source(new.out_port(0))
        rename_nodes([(match['div'], 'old'), (new, match['div'].soft_get('name'))])
