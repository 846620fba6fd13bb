import numpy as np
from openvino.tools.mo.front.common.partial_infer.utils import int64_array
from openvino.tools.mo.front.common.replacement import FrontReplacementPattern
from openvino.tools.mo.front.tf.graph_utils import create_op_node_with_second_input, create_op_with_const_inputs
from openvino.tools.mo.graph.graph import Graph, rename_nodes
from openvino.tools.mo.ops.Cast import Cast
from openvino.tools.mo.ops.broadcast import Broadcast
from openvino.tools.mo.ops.const import Const
from openvino.tools.mo.ops.elementwise import Less, Mul
from openvino.tools.mo.ops.gather import Gather
from openvino.tools.mo.ops.range import Range
from openvino.tools.mo.ops.select import Select
from openvino.tools.mo.ops.shape import Shape


class PositionMask(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph: Graph):
        for node in graph.get_op_nodes(op='PositionMask'):
            name = node.soft_get('name', node.id)
            shape = Shape(graph, {'name': name + '/shape'}).create_node()
            source = node.in_port(0).get_source()
            source.connect(shape.in_port(0))
            last = create_op_with_const_inputs(graph, Gather, {1: int64_array(1), 2: int64_array(0)}, {'name': name + '/last'}, shape)
            positions = create_op_with_const_inputs(graph, Range, {0: np.array(0, dtype=np.int64), 2: np.array(1, dtype=np.int64)},
                                                    {'name': name + '/positions', 'output_type': np.int64})
            last.out_port(0).connect(positions.in_port(1))
            kept = create_op_node_with_second_input(graph, Less, int64_array(node.keep), {'name': name + '/kept'}, positions)
            zero = Const(graph, {'name': name + '/zero', 'value': np.array(0, dtype=np.float32)}).create_node()
            zeros = Broadcast(graph, {'name': name + '/zeros'}).create_node()
            zero.out_port(0).connect(zeros.in_port(0))
            shape.out_port(0).connect(zeros.in_port(1))
            select = Select(graph, {'name': name + '/select'}).create_node()
            kept.out_port(0).connect(select.in_port(0))
            source.connect(select.in_port(1))
            zeros.out_port(0).connect(select.in_port(2))
            factor = Cast(graph, {'name': name + '/factor', 'dst_type': np.float32}).create_node()
            last.out_port(0).connect(factor.in_port(0))
            scaled = Mul(graph, {'name': name + '/scaled'}).create_node()
            select.out_port(0).connect(scaled.in_port(0))
            factor.out_port(0).connect(scaled.in_port(1))
            node.out_port(0).get_connection().set_source(scaled.out_port(0))
            rename_nodes([(node, name + '/old'), (scaled, name)])
