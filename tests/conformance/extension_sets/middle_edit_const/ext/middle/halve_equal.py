import numpy as np
from openvino.tools.mo.graph.graph import Graph
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern


class HalveEqual(MiddleReplacementPattern):
    enabled = True

    def pattern(self):
        return dict(
            nodes=[('const', dict(kind='op', op='Const')), ('const_d', dict(kind='data', value=lambda v: v is not None and np.all(v == v.flat[0]))),
                   ('mul', dict(kind='op', op='Mul'))],
            edges=[('const', 'const_d'), ('const_d', 'mul')])

    def replace_pattern(self, graph: Graph, match: dict):
        const = match['const']
        value = const.value / 2
        const['value'] = value
        match['const_d'].value = value
