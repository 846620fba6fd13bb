from openvino.tools.mo.front.common.replacement import FrontReplacementPattern


class First(FrontReplacementPattern):
    enabled = True

    def run_before(self):
        return [Second]

    def find_and_replace_pattern(self, graph):
        pass


class Second(FrontReplacementPattern):
    enabled = True

    def run_before(self):
        return [First]

    def find_and_replace_pattern(self, graph):
        pass
