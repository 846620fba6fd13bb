from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

from ext.ops.half_and_mean import HalfAndMean


class HalfAndMeanExtractor(FrontExtractorOp):
    op = 'HalfAndMean'
    enabled = True

    @classmethod
    def extract(cls, node):
        HalfAndMean.update_node_stat(node, {'axis': onnx_attr(node, 'axis', 'i', default=1)})
        return cls.enabled
