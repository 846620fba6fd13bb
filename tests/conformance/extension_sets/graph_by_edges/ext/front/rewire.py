from mo.front.common.replacement import FrontReplacementPattern
from mo.graph.graph import Graph, Node


class Rewire(FrontReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph: Graph):
        for node in graph.get_op_nodes(op='Sigmoid'):
            source, readers = node.in_node(0), list(node.out_nodes().values())
            assert source.op == 'Exp' and len(readers) == 1 and len(node.in_nodes()) == 1
            assert len(list(graph.in_edges(node.id, data=True))) == 1
            graph.remove_edge(node.id, readers[0].id)
            graph.create_edge(source, readers[0], 0, 0)
            graph.remove_node(node.id)
