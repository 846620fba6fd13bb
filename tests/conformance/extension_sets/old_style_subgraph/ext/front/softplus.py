from extensions.ops.activation_ops import SoftPlus
from mo.front.common.replacement import FrontReplacementSubgraph
from mo.graph.graph import Graph


class SoftplusFromParts(FrontReplacementSubgraph):
    enabled = True

    def pattern(self):
        return dict(nodes=[('exp', dict(op='Exp')), ('add', dict(op='Add')), ('log', dict(op='Log'))],
                    edges=[('exp', 'add'), ('add', 'log')])

    def replace_sub_graph(self, graph: Graph, match: dict):
        new = SoftPlus(graph, {'name': match['log'].soft_get('name') + '/softplus'}).create_node()
        match['exp'].in_port(0).get_connection().set_destination(new.in_port(0))
        match['log'].out_port(0).get_connection().set_source(new.out_port(0))
