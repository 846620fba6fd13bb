import numpy as np
from openvino.tools.mo.front.subgraph_matcher import SubgraphMatch
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.front.tf.replacement import FrontReplacementFromConfigFileSubGraph
from openvino.tools.mo.graph.graph import Graph
from openvino.tools.mo.ops.elementwise import Mul


class MiddlePart(FrontReplacementFromConfigFileSubGraph):
    replacement_id = 'MiddlePart'

    def generate_sub_graph(self, graph: Graph, match: SubgraphMatch):
        factor = match.custom_replacement_desc.custom_attributes['factor']
        node, port = match.single_input_node(0)
        mul = create_op_with_const_inputs(graph, Mul, {1: np.array(factor, dtype=np.float32)}, {'name': 'middle_part'})
        return {'mul': mul}

    def input_edges_match(self, graph, match, new_sub_graph):
        node, port = match.single_input_node(0)
        return {(node.id, port): (new_sub_graph['mul'].id, 0)}

    def output_edges_match(self, graph, match, new_sub_graph):
        node, port = match.output_node(0)
        return {(node.id, port): (new_sub_graph['mul'].id, 0)}
