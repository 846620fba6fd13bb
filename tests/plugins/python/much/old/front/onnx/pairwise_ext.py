from mo.front.extractor import FrontExtractorOp
from mo.front.onnx.extractors.utils import onnx_attr
from mo.ops.op import Op
class PairwiseExt(FrontExtractorOp):
    op = 'Pairwise'
    enabled = True
    @staticmethod
    def extract(node):
        for a in node.pb.attribute:
            assert a.name in ('alpha', 'mode', 'flag')
        mode = onnx_attr(node, 'mode', 's', default=b'x', dst_type=lambda s: s.decode('utf-8').upper())
        Op.get_op_class_by_name('Pairwise').update_node_stat(node, {'alpha': onnx_attr(node, 'alpha', 'f', 1.5), 'mode': mode, 'flag': bool(onnx_attr(node, 'flag', 'i', 0))})
        return PairwiseExt.enabled
