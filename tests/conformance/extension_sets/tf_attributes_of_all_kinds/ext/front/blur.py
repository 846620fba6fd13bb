import numpy as np
from openvino.tools.mo.front.common.replacement import FrontReplacementOp
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.elementwise import Mul


class Blur(FrontReplacementOp):
    op = 'Blur'
    enabled = True

    def replace_op(self, graph, node):
        mul = create_op_with_const_inputs(graph, Mul, {1: np.array(node.eps * node.times, dtype=np.float32)}, {'name': node.soft_get('name')})
        node.in_port(0).get_connection().set_destination(mul.in_port(0))
        return [mul.id]
