from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

from openvino.tools.mo.front.onnx.extractors.utils import get_onnx_opset_version, onnx_node_has_attr
from openvino.tools.mo.ops.op import Op


class GateExtractor(FrontExtractorOp):
    op = 'Gate'
    enabled = True

    @classmethod
    def extract(cls, node):
        assert get_onnx_opset_version(node) == 13 and not onnx_node_has_attr(node, 'power')
        Op.update_node_stat(node, {'op': 'Gate', 'type': None, 'power': onnx_attr(node, 'power', 'f', default=2.0),
                                   'count': len(node.pb.input), 'kind_of': node.pb.op_type})
        return cls.enabled
