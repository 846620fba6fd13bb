from openvino.tools.mo.back.replacement import BackReplacementPattern


def ratio(node):
    return 1 / len(node.out_ports()[0].get_destinations()[1:])


class Divide(BackReplacementPattern):
    enabled = True

    @staticmethod
    def pattern():
        return dict(nodes=[('op', dict(kind='op', op='ReLU'))], edges=[])

    def replace_pattern(self, graph, match):
        ratio(match['op'])
