import numpy as np
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.fakequantize import FakeQuantize


class QuantizeInputs(BackReplacementPattern):
    enabled = True
    force_clean_up = True

    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(type='Convolution'):
            low, high = np.array(-2, dtype=np.float32), np.array(2, dtype=np.float32)
            fq = create_op_with_const_inputs(graph, FakeQuantize, {1: low, 2: high, 3: low, 4: high}, {'name': node.soft_get('name') + '/fq', 'levels': 5})
            node.in_port(0).get_connection().insert_node(fq)
