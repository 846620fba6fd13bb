import numpy as np
from openvino.tools.mo.front.common.partial_infer.utils import int64_array, mo_array
from openvino.tools.mo.front.common.replacement import FrontReplacementPattern
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.Cast import Cast
from openvino.tools.mo.ops.topk import TopK
from openvino.tools.mo.ops.unsqueeze import Unsqueeze
from openvino.tools.mo.ops.squeeze import Squeeze


class BestTwo(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='BestTwo'):
            name = node.soft_get('name', node.id)
            top = create_op_with_const_inputs(graph, TopK, {1: int64_array(2)}, {'name': name + '/top', 'axis': 1, 'mode': 'max', 'sort': 'value',
                                                                              'index_element_type': np.int32, 'in_ports_count': 2, 'out_ports_count': 2})
            node.in_port(0).get_connection().set_destination(top.in_port(0))
            wide = create_op_with_const_inputs(graph, Unsqueeze, {1: mo_array([0])}, {'name': name + '/wide'})
            narrow = create_op_with_const_inputs(graph, Squeeze, {1: int64_array([0])}, {'name': name + '/narrow'}, wide)
            top.out_port(0).connect(wide.in_port(0))
            index = Cast(graph, {'name': name + '/index', 'dst_type': np.int64}).create_node()
            top.add_output_port(1, skip_if_exist=True)
            top.out_port(1).connect(index.in_port(0))
            node.out_port(0).get_connection().set_source(narrow.out_port(0))
            node.out_port(1).get_connection().set_source(index.out_port(0))
