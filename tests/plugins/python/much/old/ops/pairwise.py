import numpy as np
import logging as log
from mo.front.common.partial_infer.utils import int64_array
from mo.front.extractor import FrontExtractorOp
from mo.graph.graph import Node, Graph
from mo.ops.op import Op, PermuteAttrs
from mo.utils.error import Error

class Pairwise(Op):
    op = 'Pairwise'
    enabled = True
    def __init__(self, graph: Graph, attrs: dict):
        mandatory_props = dict(type=__class__.op, op=__class__.op, in_ports_count=2, out_ports_count=2, infer=Pairwise.infer, type_infer=Pairwise.type_infer, version='custom_opset')
        super().__init__(graph, mandatory_props, attrs)
    def supported_attrs(self):
        return ['alpha', 'mode', ('flag', lambda n: str(int(n.flag)))]
    @staticmethod
    def type_infer(node):
        node.out_port(0).set_data_type(node.in_port(0).get_data_type())
        node.out_port(1).set_data_type(np.int32)
    @staticmethod
    def infer(node: Node):
        assert len(node.in_nodes()) == 2
        for i in range(2):
            log.debug(node.in_node(i).shape)
        a, b = node.in_node(0), node.in_node(1)
        assert a.has_valid('shape') and a.soft_get('shape') is not None
        if not np.array_equal(a.shape, b.shape):
            raise Error('Shapes of node {} differ: {} and {}', node.name, a.shape, b.shape)
        node.out_node(0).shape = np.array(a.shape)
        node.out_node(1).shape = int64_array([a.shape[0], 2])
        node['rank_seen'] = len(a.shape)
