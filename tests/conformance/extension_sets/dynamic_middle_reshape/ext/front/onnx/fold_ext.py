from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

from ext.ops.fold import Fold


class FoldExtractor(FrontExtractorOp):
    op = 'Fold'
    enabled = True

    @classmethod
    def extract(cls, node):
        Fold.update_node_stat(node, {'groups': onnx_attr(node, 'groups', 'i')})
        return cls.enabled
