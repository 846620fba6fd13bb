from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.graph.graph import Graph


class FoldScale(BackReplacementPattern):
    enabled = True

    @staticmethod
    def pattern():
        return dict(
            nodes=[('conv', dict(kind='op', type='Convolution')), ('conv_d', dict(kind='data')), ('mul', dict(kind='op', type='Multiply'))],
            edges=[('conv', 'conv_d'), ('conv_d', 'mul', {'in': 0})])

    def replace_pattern(self, graph: Graph, match: dict):
        conv, mul = match['conv'], match['mul']
        factor = mul.in_port(1).data.get_value()
        if factor is None:
            return
        weights = conv.in_port(1).get_source().node
        value = weights.value * factor.reshape([-1, 1, 1, 1])
        conv.in_port(1).data.set_value(value)
        mul.out_port(0).get_connection().set_source(conv.out_port(0))
