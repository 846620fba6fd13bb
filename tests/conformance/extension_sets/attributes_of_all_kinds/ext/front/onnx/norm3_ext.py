from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

import numpy as np
from onnx import numpy_helper
from openvino.tools.mo.ops.op import Op


class Norm3Extractor(FrontExtractorOp):
    op = 'Norm3'
    enabled = True

    @classmethod
    def extract(cls, node):
        attrs = {
            'op': 'Norm3', 'type': None,
            'eps': onnx_attr(node, 'eps', 'f', default=1.0), 'times': onnx_attr(node, 'times', 'i', default=1),
            'mode': onnx_attr(node, 'mode', 's', default=b'max', dst_type=lambda x: x.decode()),
            'shift': onnx_attr(node, 'shift', 'floats', default=[], dst_type=lambda x: np.array(x, dtype=np.float32)),
            'axes': onnx_attr(node, 'axes', 'ints', default=None),
            'names': [s.decode() for s in onnx_attr(node, 'names', 'strings', default=[])],
            'table': onnx_attr(node, 'table', 't', dst_type=numpy_helper.to_array),
            'absent': onnx_attr(node, 'absent', 'i', default=7),
        }
        assert attrs['mode'] == 'add' and attrs['names'] == ['a', 'b'] and list(attrs['axes']) == [1] and attrs['absent'] == 7
        Op.update_node_stat(node, attrs)
        return cls.enabled
