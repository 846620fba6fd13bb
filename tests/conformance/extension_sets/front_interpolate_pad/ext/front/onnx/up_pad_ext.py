from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

from openvino.tools.mo.ops.op import Op


class UpPadExtractor(FrontExtractorOp):
    op = 'UpPad'
    enabled = True

    @classmethod
    def extract(cls, node):
        Op.update_node_stat(node, {'op': 'UpPad', 'type': None, 'factor': onnx_attr(node, 'factor', 'i'), 'pad': onnx_attr(node, 'pad', 'i')})
        return cls.enabled
