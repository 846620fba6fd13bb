import numpy as np
from openvino.tools.mo.front.common.replacement import FrontReplacementOp
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.elementwise import Add, Mul


class Norm3(FrontReplacementOp):
    op = 'Norm3'
    enabled = True

    def replace_op(self, graph, node):
        name = node.soft_get('name', node.id)
        scaled = create_op_with_const_inputs(graph, Mul, {1: np.array(node.eps * node.times, dtype=np.float32)}, {'name': name + '/scaled'}, node.in_node(0))
        shifted = create_op_with_const_inputs(graph, Add, {1: node.shift * node.table}, {'name': name + '/shifted'}, scaled)
        return [shifted.id]
