from openvino.tools.mo.front.common.partial_infer.utils import int64_array
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.graph.graph import Graph, rename_nodes
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.ops.ReduceOps import ReduceMean
from openvino.tools.mo.ops.split import Split


class HalfAndMeanToLibrary(MiddleReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph: Graph):
        for node in graph.get_op_nodes(op='HalfAndMean'):
            name = node.soft_get('name', node.id)
            split = create_op_with_const_inputs(graph, Split, {1: int64_array(node.axis)}, {'name': name + '/split', 'num_splits': 2})
            split.add_output_port(1, skip_if_exist=True)
            node.in_port(0).get_connection().set_destination(split.in_port(0))
            node.out_port(0).get_connection().set_source(split.out_port(0))
            if node.is_out_port_connected(1):
                mean = create_op_with_const_inputs(graph, ReduceMean, {1: int64_array([node.axis])}, {'name': name + '/mean', 'keep_dims': True})
                split.in_port(0).get_source().connect(mean.in_port(0))
                node.out_port(1).get_connection().set_source(mean.out_port(0))
