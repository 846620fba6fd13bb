import numpy as np
from openvino.tools.mo.front.common.replacement import FrontReplacementPattern
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.elementwise import Add, Mul


def behind(graph, cls, value):
    for result in graph.get_op_nodes(op='Result'):
        op = create_op_with_const_inputs(graph, cls, {1: np.array(value, dtype=np.float32)}, {'name': 'step_{}'.format(value)})
        result.in_port(0).get_connection().insert_node(op)
    graph.graph['steps'] = graph.graph.get('steps', []) + [value]


class AStep(FrontReplacementPattern):
    enabled = True

    def run_after(self):
        return [BStep]

    def find_and_replace_pattern(self, graph):
        behind(graph, Mul, 3.0)


class BStep(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph):
        behind(graph, Add, 2.0)


class CStep(FrontReplacementPattern):
    enabled = True

    def run_before(self):
        return [BStep]

    def find_and_replace_pattern(self, graph):
        behind(graph, Mul, 5.0)
