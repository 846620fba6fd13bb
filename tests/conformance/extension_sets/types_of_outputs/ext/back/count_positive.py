import numpy as np
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.front.common.partial_infer.utils import int64_array
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.Cast import Cast
from openvino.tools.mo.ops.ReduceOps import ReduceSum
from openvino.tools.mo.ops.elementwise import Greater


class CountPositiveToReduce(BackReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='CountPositive'):
            name = node.soft_get('name', node.id)
            greater = create_op_with_const_inputs(graph, Greater, {1: np.array(0, dtype=np.float32)}, {'name': name + '/greater'})
            cast = Cast(graph, {'name': name + '/cast', 'dst_type': np.int32}).create_node()
            reduce = create_op_with_const_inputs(graph, ReduceSum, {1: int64_array(node.axes)}, {'name': name + '/sum', 'keep_dims': True}, cast)
            node.in_port(0).get_connection().set_destination(greater.in_port(0))
            greater.out_port(0).connect(cast.in_port(0))
            node.out_port(0).get_connection().set_source(reduce.out_port(0))
