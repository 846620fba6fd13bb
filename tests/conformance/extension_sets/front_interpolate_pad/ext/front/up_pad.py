import numpy as np
from openvino.tools.mo.front.common.partial_infer.utils import int64_array, float32_array
from openvino.tools.mo.front.common.replacement import FrontReplacementOp
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.graph.graph import Graph, Node
from openvino.tools.mo.ops.interpolate import Interpolate
from openvino.tools.mo.ops.pad import Pad


class UpPad(FrontReplacementOp):
    op = 'UpPad'
    enabled = True

    def replace_op(self, graph: Graph, node: Node):
        name = node.soft_get('name', node.id)
        p = node.pad
        pad = create_op_with_const_inputs(graph, Pad, {1: int64_array([0, 0, p, p]), 2: int64_array([0, 0, p, p]), 3: np.array(0.5, dtype=np.float32)},
                                          {'name': name + '/pad', 'mode': 'constant'})
        node.in_port(0).get_connection().set_destination(pad.in_port(0))
        up = create_op_with_const_inputs(graph, Interpolate, {1: int64_array([10, 10]), 2: float32_array([node.factor, node.factor]), 3: int64_array([2, 3])},
                                         {'name': name, 'mode': 'nearest', 'antialias': 0, 'pads_begin': int64_array([0]), 'pads_end': int64_array([0]),
                                          'coordinate_transformation_mode': 'asymmetric', 'nearest_mode': 'floor', 'cube_coeff': -0.75,
                                          'version': 'opset4', 'shape_calculation_mode': 'scales', 'in_ports_count': 4}, pad)
        return [up.id]
