from openvino.tools.mo.front.common.partial_infer.utils import int64_array
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.ops.reshape import Reshape


class FoldToReshape(MiddleReplacementPattern):
    enabled = True
    force_clean_up = True

    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='Fold'):
            shape = node.in_port(0).data.get_shape()
            target = [0, node.groups, int(shape[1]) // node.groups, int(shape[2])]
            reshape = create_op_with_const_inputs(graph, Reshape, {1: int64_array(target)}, {'name': node.soft_get('name', node.id), 'special_zero': True})
            node.in_port(0).get_connection().set_destination(reshape.in_port(0))
            node.out_port(0).get_connection().set_source(reshape.out_port(0))
