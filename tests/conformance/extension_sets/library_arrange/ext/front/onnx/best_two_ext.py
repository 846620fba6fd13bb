from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

from openvino.tools.mo.ops.op import Op


class BestTwoExtractor(FrontExtractorOp):
    op = 'BestTwo'
    enabled = True

    @classmethod
    def extract(cls, node):
        Op.update_node_stat(node, {'op': 'BestTwo', 'type': None, 'out_ports_count': 2})
        return cls.enabled
