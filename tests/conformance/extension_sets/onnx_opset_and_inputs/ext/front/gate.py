import numpy as np
from openvino.tools.mo.front.common.replacement import FrontReplacementOp
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.elementwise import Add, Mul, Pow


class Gate(FrontReplacementOp):
    op = 'Gate'
    enabled = True

    def replace_op(self, graph, node):
        assert node.count == 3 and node.kind_of == 'Gate'
        square = create_op_with_const_inputs(graph, Pow, {1: np.array(node.power, dtype=np.float32)}, {'name': 'square'})
        product, total = Mul(graph, {'name': 'product'}).create_node(), Add(graph, {'name': node.soft_get('name')}).create_node()
        node.in_port(0).get_source().connect(square.in_port(0))
        node.in_port(1).get_source().connect(product.in_port(1))
        node.in_port(2).get_source().connect(total.in_port(1))
        square.out_port(0).connect(product.in_port(0))
        product.out_port(0).connect(total.in_port(0))
        return [total.id]
