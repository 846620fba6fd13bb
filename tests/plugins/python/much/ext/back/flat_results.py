import numpy as np
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.graph.graph import Graph, Node
from openvino.tools.mo.ops.reshape import Reshape
from openvino.tools.mo.ops.result import Result
from openvino.tools.mo.front.common.partial_infer.utils import int64_array
from openvino.tools.mo.front.tf.graph_utils import create_op_node_with_second_input
class K(BackReplacementPattern):
    enabled = True
    def pattern(self):
        return dict(nodes=[('result', dict(type='Result', kind='op'))], edges=[])
    def replace_pattern(self, graph: Graph, match: dict):
        result = match['result']
        src = result.in_port(0).get_source()
        assert result.in_port(0).data.get_shape() is not None
        flat = create_op_node_with_second_input(graph, Reshape, int64_array([-1]), {'name': src.node.soft_get('name') + '/flat'})
        result.in_port(0).get_connection().insert_node(flat)
