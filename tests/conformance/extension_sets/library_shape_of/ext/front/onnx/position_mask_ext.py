from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

from openvino.tools.mo.ops.op import Op


class PositionMaskOp(Op):
    op = 'PositionMask'

    def __init__(self, graph, attrs):
        super().__init__(graph, {'op': self.op, 'type': None, 'in_ports_count': 1, 'out_ports_count': 1}, attrs)


class PositionMaskExtractor(FrontExtractorOp):
    op = 'PositionMask'
    enabled = True

    @classmethod
    def extract(cls, node):
        PositionMaskOp.update_node_stat(node, {'keep': onnx_attr(node, 'keep', 'i')})
        return cls.enabled
