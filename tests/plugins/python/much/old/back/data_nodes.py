import numpy as np
from mo.back.replacement import BackReplacementPattern
from mo.graph.graph import Graph, Node
from mo.ops.op import Op
from mo.ops.reshape import Reshape
from extensions.ops.transpose import Transpose
from extensions.ops.elementwise import Mul, Add
from mo.ops.const import Const
class Y(BackReplacementPattern):
    enabled = True
    @staticmethod
    def pattern():
        return dict(nodes=[('m', dict(kind='op', type='Multiply')), ('md', dict(kind='data')), ('t', dict(kind='op', type='Tanh')), ('td', dict(kind='data'))],
                    edges=[('m', 'md'), ('md', 't'), ('t', 'td')])
    @staticmethod
    def replace_pattern(graph: Graph, match: dict):
        t, td = match['t'], match['td']
        shape = td.shape
        graph.remove_edge(t.id, td.id)
        new = Add(graph, dict(name=t.name + '/plus'))
        one = Const(graph, dict(value=np.ones([1], dtype=np.float32), name='one')).create_node_with_data()
        new.create_node_with_data([match['md'], one], data_nodes=td)
        graph.graph['done'] = True
        assert td.in_node(0).op == 'Add'
        for n in graph.get_op_nodes(op='Result'):
            assert n.in_node(0).in_node(0) is not None
        for d in graph.get_data_nodes():
            d.out_nodes()
        for n in graph.topological_sort():
            n.soft_get('name')
