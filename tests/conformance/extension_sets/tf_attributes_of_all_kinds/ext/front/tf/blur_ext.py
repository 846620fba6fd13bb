import numpy as np
from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.tf.extractors.utils import collect_tf_attrs, tf_dtype_extractor, tf_int_list, tf_tensor_shape
from openvino.tools.mo.ops.op import Op


class BlurExtractor(FrontExtractorOp):
    op = 'Blur'
    enabled = True

    @classmethod
    def extract(cls, node):
        attr = node.pb.attr
        assert attr['flag'].b is True and attr['mode'].s == b'add' and attr['mode'].s.decode() == 'add'
        assert tf_dtype_extractor(attr['kind'].type) == np.int32 and 'absent' not in attr and 'times' in attr
        assert list(tf_int_list(attr['axes'].list)) == [1, 0] and list(attr['names'].list.s) == [b'a', b'b']
        assert [d.size for d in attr['size'].shape.dim] == [4, -1]
        assert node.pb.op == 'Blur' and node.pb.name == 'y' and list(node.pb.input) == ['x']
        every = collect_tf_attrs(attr)
        assert every['times'] == 3 and every['mode'] in ('add', b'add'), every
        Op.update_node_stat(node, {'op': 'Blur', 'type': None, 'eps': attr['eps'].f, 'times': attr['times'].i})
        return cls.enabled
