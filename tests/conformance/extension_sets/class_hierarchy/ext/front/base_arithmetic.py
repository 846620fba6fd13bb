import numpy as np
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs


class Arithmetic:
    cls, number = None, None

    def replace_op(self, graph, node):
        new = create_op_with_const_inputs(graph, self.cls, {1: np.array(self.number, dtype=np.float32)}, {'name': node.soft_get('name', node.id)})
        node.in_port(0).get_connection().set_destination(new.in_port(0))
        return [new.id]
