from openvino.tools.mo.graph.graph import Graph
from openvino.tools.mo.middle.pass_separator import PreMiddleStart
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.utils.error import Error


class ScaleWeights(MiddleReplacementPattern):
    enabled = True
    force_clean_up = True

    def run_after(self):
        return [PreMiddleStart]

    def pattern(self):
        return dict(nodes=[('conv', dict(kind='op', type='Convolution')), ('conv_d', dict(kind='data')), ('mul', dict(kind='op', op='Mul'))],
                    edges=[('conv', 'conv_d'), ('conv_d', 'mul')])

    def replace_pattern(self, graph: Graph, match: dict):
        conv, mul = match['conv'], match['mul']
        if graph.graph['layout'] != 'NHWC':
            raise Error('layout is {}', graph.graph['layout'])
        factor = mul.in_port(1).data.get_value()
        weights = conv.in_port(1).data.get_value()
        assert list(weights.shape) == [2, 2, 2, 3] and factor is not None, (weights.shape, factor)
        conv.in_port(1).data.set_value(weights * factor)
        mul.out_port(0).get_connection().set_source(conv.out_port(0))
