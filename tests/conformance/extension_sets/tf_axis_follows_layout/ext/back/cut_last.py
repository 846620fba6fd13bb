from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.front.common.partial_infer.utils import int64_array
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.gather import Gather


class CutLastToGather(BackReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='CutLast'):
            size = int(node.in_port(0).data.get_shape()[node.axis])
            gather = create_op_with_const_inputs(graph, Gather, {1: int64_array(list(range(size - 1))), 2: int64_array(node.axis)},
                                                 {'name': node.soft_get('name') + '/gather'})
            node.in_port(0).get_connection().set_destination(gather.in_port(0))
            node.out_port(0).get_connection().set_source(gather.out_port(0))
