import numpy as np
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.graph.graph import Graph, Node
from openvino.tools.mo.ops.op import Op
from openvino.tools.mo.ops.elementwise import Add, Mul
from openvino.tools.mo.ops.const import Const
class M(MiddleReplacementPattern):
    enabled = True
    force_clean_up = True
    graph_condition = [lambda graph: graph.graph['layout'] == 'NCHW']
    def find_and_replace_pattern(self, graph: Graph):
        for mvn in graph.get_op_nodes(op='MVN'):
            d = mvn.in_node(0)
            assert d.kind == 'data' and d.has_valid('shape') and not d.has_valid('value') and d.in_node(0).kind == 'op'
            assert len(mvn.in_nodes()) == 2 and mvn.in_node(1).value.tolist() == [-1] and mvn.in_node(1).has_valid('value')
            out = mvn.out_node(0)
            assert [n.op for n in out.out_nodes()], out
            consumers = mvn.out_port(0).get_destinations()
            assert mvn.out_port(0).data.get_shape().tolist() == list(out.shape)
            new = Mul(graph, {'name': 'm_new'}).create_node_with_data([d, Op.create_input_data_node(graph, 'ten', np.array(10, dtype=np.float32))])
            assert new.shape is not None and list(new.shape) == list(d.shape)
            new.out_nodes()
            for c in consumers:
                c.get_connection().set_source(new.in_node(0).out_port(0))
            assert mvn.out_port(0).disconnected()
