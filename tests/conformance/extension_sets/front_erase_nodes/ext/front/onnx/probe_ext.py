from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

from openvino.tools.mo.ops.op import Op


class ProbeExtractor(FrontExtractorOp):
    op = 'Probe'
    enabled = True

    @classmethod
    def extract(cls, node):
        Op.update_node_stat(node, {'op': 'Probe', 'type': None, 'tag': onnx_attr(node, 'tag', 's').decode()})
        return cls.enabled
