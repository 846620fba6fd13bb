import numpy as np
from openvino.tools.mo.front.common.partial_infer.utils import int64_array, float32_array, mo_array
from openvino.tools.mo.front.common.replacement import FrontReplacementPattern, FrontReplacementOp, FrontReplacementSubgraph
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs, create_op_node_with_second_input
from openvino.tools.mo.graph.graph import Graph, Node, rename_nodes, rename_node
from openvino.tools.mo.graph.port import Port
from openvino.tools.mo.graph.connection import Connection
from openvino.tools.mo.ops.const import Const
from openvino.tools.mo.ops.elementwise import Add, Mul, Sub, Div, Pow, Maximum, Minimum, Greater
from openvino.tools.mo.ops.activation_ops import *
from openvino.tools.mo.ops.ReduceOps import ReduceSum, ReduceMean
from openvino.tools.mo.ops.squeeze import Squeeze
from openvino.tools.mo.ops.unsqueeze import Unsqueeze
from openvino.tools.mo.ops.shape import Shape
from openvino.tools.mo.ops.select import Select
from openvino.tools.mo.ops.Cast import Cast
from openvino.tools.mo.ops.split import Split, AttributedSplit, AttributedVariadicSplit
from openvino.tools.mo.ops.topk import TopK
from openvino.tools.mo.ops.pad import Pad
from openvino.tools.mo.ops.result import Result
from openvino.tools.mo.ops.parameter import Parameter
from openvino.tools.mo.ops.one_hot import OneHot
from openvino.tools.mo.ops.broadcast import Broadcast
from openvino.tools.mo.ops.range import Range
from openvino.tools.mo.utils.error import Error
from openvino.tools.mo.ops.MatMul import MatMul
from openvino.tools.mo.ops.mvn import MVN
from openvino.tools.mo.ops.normalize_l2 import NormalizeL2Op
from openvino.tools.mo.ops.interpolate import Interpolate
from openvino.tools.mo.ops.clamp import Clamp, AttributedClamp
from openvino.tools.mo.ops.scatter import ScatterElementsUpdate
from openvino.tools.mo.ops.tile import AttributedTile
from openvino.tools.mo.ops.eltwise_n import EltwiseNMax
from openvino.tools.mo.ops.pooling import Pooling
from openvino.tools.mo.ops.convolution import Convolution
from openvino.tools.mo.ops.non_max_suppression import NonMaxSuppression
from openvino.tools.mo.utils.shape import node_to_get_shape_value_of_indices

class A(FrontReplacementOp):
    op = 'A'
    enabled = True
    def replace_op(self, graph: Graph, node: Node):
        name = node.soft_get('name', node.id)
        src = node.in_port(0).get_source()
        s = AttributedSplit(graph, {'axis': 1, 'num_splits': 2, 'name': name + '/s'}).create_node([src.node])
        top = create_op_with_const_inputs(graph, TopK, {1: int64_array(2)}, {'axis': -1, 'mode': 'max', 'sort': 'value', 'name': name + '/top', 'remove_values_output': True, 'index_element_type': np.int32})
        s.out_port(0).connect(top.in_port(0))
        pad = create_op_with_const_inputs(graph, Pad, {1: int64_array([0, 0, 1]), 2: int64_array([0, 0, 0]), 3: np.float32(1.5)}, {'mode': 'constant', 'name': name + '/pad'})
        s.out_port(1).connect(pad.in_port(0))
        red = create_op_with_const_inputs(graph, ReduceSum, {1: int64_array([2])}, {'keep_dims': True, 'name': name + '/red'})
        pad.out_port(0).connect(red.in_port(0))
        add = Add(graph, {'name': name + '/add'}).create_node([top, red])
        assert add.in_port(0).get_source().node == top and add.in_port(1).get_source().idx == 0
        assert [p.node.id for p in red.out_port(0).get_destinations()] == [add.id]
        assert top.out_port(0).get_destination().node == add
        c = red.out_port(0).get_connection()
        assert isinstance(c, Connection) and c.get_source().node == red and len(c.get_destinations()) == 1
        assert isinstance(add.in_port(0), Port)
        shape = Shape(graph, {'name': name + '/shape'}).create_node([src.node])
        dim = node_to_get_shape_value_of_indices(shape, [0])
        one = create_op_with_const_inputs(graph, Cast, {}, {'dst_type': np.float32, 'name': name + '/cast'}, dim)
        mul = Mul(graph, dict(name=name + '/mul')).create_node()
        mul.in_port(0).connect(add.out_port(0)); mul.in_port(1).connect(one.out_port(0))
        graph.graph['seen'] = 3
        assert graph.graph['seen'] == 3 and 'nothing' not in graph.graph
        assert graph.has_node(mul.id) and mul.id in graph.nodes()
        assert Node(graph, mul.id) == mul and graph.node[mul.id]['op'] == 'Mul' and graph.nodes[mul.id]['name'] == mul.name
        return [mul.id]

class B(FrontReplacementPattern):
    enabled = True
    def run_after(self):
        return [A]
    def find_and_replace_pattern(self, graph: Graph):
        for node in graph.get_op_nodes(op='B'):
            x = node.in_port(0).get_source()
            assert node.k == 3 and node.soft_get('zz', 5) == 5 and node.has('k') and not node.has_valid('q') and node['k'] == 3
            node.k = 4
            assert node.k == 4 and node.has_and_set('k')
            cl = create_op_with_const_inputs(graph, Clamp, {1: np.float32(-0.5), 2: np.float32(0.5)}, {'name': 'cl'})
            x.connect(cl.in_port(0))
            pw = Pow(graph, {'name': 'pw'}).create_node([cl, Const(graph, {'value': np.float32(2.0), 'name': 'two'}).create_node()])
            sel = Select(graph, {'name': 'sel'}).create_node()
            gr = create_op_with_const_inputs(graph, Greater, {1: mo_array(0.1, dtype=np.float32)}, {'name': 'gr'}, pw)
            gr.out_port(0).connect(sel.in_port(0))
            pw.out_port(0).connect(sel.in_port(1))
            cl.out_port(0).connect(sel.in_port(2))
            mx = EltwiseNMax(graph, {'name': 'mx', 'in_ports_count': 3}).create_node([sel, cl, pw])
            node.out_port(0).get_connection().set_source(mx.out_port(0))
            ident = create_op_with_const_inputs(graph, MVN, {1: int64_array([-1])}, {'name': 'mvn', 'eps': 1e-6, 'eps_mode': 'inside_sqrt', 'normalize_variance': 1})
            mx.out_port(0).get_connection().insert_node(ident)
            node.in_port(0).disconnect()
            for p in node.in_ports().values():
                assert p.disconnected()
            rename_node(node, 'gone'); rename_node(ident, 'b_node')

class C(FrontReplacementSubgraph):
    enabled = True
    def pattern(self):
        return dict(nodes=[('mm', dict(op='MatMul')), ('add', dict(op='Add')), ('w', dict(op='Const')), ('act', dict(op=lambda o: o in ('ReLU', 'Tanh')))],
                    edges=[('w', 'mm', {'in': 1, 'out': 0}), ('mm', 'add', {'in': 0}), ('add', 'act')])
    def generate_sub_graph(self, graph, match):
        assert match['w'].value.shape == (4, 4), match['w'].shape
        mm = MatMul(graph, {'name': 'newmm', 'transpose_b': True}).create_node()
        w = Const(graph, {'value': match['w'].value.T.copy(), 'name': 'wt'}).create_node()
        w.out_port(0).connect(mm.in_port(1))
        return {'mm': mm}
    def input_edges_match(self, graph, match, new):
        return {(match['mm'].id, 0): (new['mm'].id, 0)}
    def output_edges_match(self, graph, match, new):
        return {match['act'].id: new['mm'].id}
