from openvino.tools.mo.front.common.replacement import FrontReplacementPattern
from openvino.tools.mo.ops.result import Result


class SecondOutput(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='Exp'):
            result = Result(graph, {'name': 'second'}).create_node()
            node.out_port(0).connect(result.in_port(0))
