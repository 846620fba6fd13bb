from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.utils.error import Error


class Look(MiddleReplacementPattern):
    enabled = True
    graph_condition = [lambda graph: 'steps' in graph.graph]

    def find_and_replace_pattern(self, graph):
        if graph.graph['steps'] != [5.0, 2.0, 3.0]:
            raise Error('steps are {}'.format(graph.graph['steps']))
