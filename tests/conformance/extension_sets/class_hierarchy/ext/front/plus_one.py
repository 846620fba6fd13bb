from ext.front.base_arithmetic import Arithmetic
from openvino.tools.mo.front.common.replacement import FrontReplacementOp
from openvino.tools.mo.ops.elementwise import Add, Mul


class PlusOne(Arithmetic, FrontReplacementOp):
    op = 'PlusOne'
    enabled = True
    cls, number = Add, 1


class TimesTwo(Arithmetic, FrontReplacementOp):
    op = 'TimesTwo'
    enabled = True
    cls, number = Mul, 2

    def replace_op(self, graph, node):
        assert self.number == 2
        return super().replace_op(graph, node)
