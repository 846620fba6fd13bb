from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.ops.elementwise import Add, Mul


class BlendToSums(BackReplacementPattern):
    enabled = True

    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='Blend'):
            name = node.soft_get('name', node.id)
            total = Add(graph, {'name': name + '/total'}).create_node()
            node.in_port(0).get_connection().set_destination(total.in_port(0))
            node.in_port(2).get_connection().set_destination(total.in_port(1))
            last = total
            if node.is_in_port_connected(1):
                last = Mul(graph, {'name': name + '/product'}).create_node()
                total.out_port(0).connect(last.in_port(0))
                node.in_port(1).get_connection().set_destination(last.in_port(1))
            node.out_port(0).get_connection().set_source(last.out_port(0))
