import numpy as np
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.graph.graph import Graph, Node
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.ops.elementwise import Mul


class ByData(MiddleReplacementPattern):
    enabled = True
    force_shape_inference = True

    def find_and_replace_pattern(self, graph: Graph):
        for node in graph.get_op_nodes(op='ReLU'):
            data = node.in_node(0)
            assert data.kind == 'data' and data.in_node(0).op == 'Exp' and list(data.shape) == [2, 3] and data.value is None
            out = node.out_node(0)
            assert len(out.out_nodes()) == 1 and out.out_node(0).op == 'Abs' and node.out_node().has_valid('shape')
            order = [n.op for n in graph.topological_sort() if n.kind == 'op' and n.op in ('Exp', 'ReLU', 'Abs')]
            assert order == ['Exp', 'ReLU', 'Abs'], order
            factor = float(np.prod(out.shape))
            mul = create_op_with_const_inputs(graph, Mul, {1: np.array(factor, dtype=np.float32)}, {'name': 'by_data'})
            node.out_port(0).get_connection().insert_node(mul)
