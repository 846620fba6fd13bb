from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr

import numpy as np
from ext.ops.count_positive import CountPositive


class CountPositiveExtractor(FrontExtractorOp):
    op = 'CountPositive'
    enabled = True

    @classmethod
    def extract(cls, node):
        axes = onnx_attr(node, 'axes', 'ints', default=None, dst_type=lambda x: np.array(x, dtype=np.int64))
        CountPositive.update_node_stat(node, {'axes': axes})
        return cls.enabled
