from openvino.tools.mo.front.extractor import FrontExtractorOp
from ext.ops.cut_last import CutLast


class CutLastExtractor(FrontExtractorOp):
    op = 'CutLast'
    enabled = True

    @classmethod
    def extract(cls, node):
        CutLast.update_node_stat(node, {'axis': node.pb.attr['axis'].i})
        return cls.enabled
