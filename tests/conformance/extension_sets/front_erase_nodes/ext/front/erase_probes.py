from openvino.tools.mo.front.common.replacement import FrontReplacementPattern
from openvino.tools.mo.graph.graph import Graph, Node


class EraseProbes(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph: Graph):
        probes = [n for n, attrs in list(graph.nodes(data=True)) if attrs.get('op') == 'Probe']
        assert len(probes) == 2, probes
        for id in probes:
            node = Node(graph, id)
            assert node.has_valid('tag') and node.has_and_set('tag')
            graph.erase_node(node)
