import numpy as np
from openvino.tools.mo.front.common.replacement import FrontReplacementPattern
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.graph.graph import Graph
from openvino.tools.mo.ops.elementwise import Div, Sub


class NormaliseInputs(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph: Graph):
        for node in graph.get_op_nodes(op='Parameter'):
            destinations = node.out_port(0).get_destinations()
            assert len(destinations) == 2
            sub = create_op_with_const_inputs(graph, Sub, {1: np.array([1, 2, 3], dtype=np.float32).reshape([1, 3, 1, 1])}, {'name': 'mean'})
            div = create_op_with_const_inputs(graph, Div, {1: np.array(4, dtype=np.float32)}, {'name': 'scale'}, sub)
            node.out_port(0).get_connection().set_source(div.out_port(0))
            node.out_port(0).connect(sub.in_port(0))
