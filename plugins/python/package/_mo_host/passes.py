"""Classes of transformations, how patterns are matched, and the order in which extensions run."""
import ctypes as C
import difflib
import json
import os
import re

from . import abi, names
from .abi import Port, here
from .graph import DataNode, OutPort, matches, node_of, remove_unread
from .ops import Op, tell_all
from .utils import Error


def nearest(name, known):
    close = difflib.get_close_matches(str(name), list(known), 1)
    return '; did you mean \'{}\'?'.format(close[0]) if close else ''


class ReplacementPattern:
    """What all transformations derive from."""
    phase = None
    enabled = True
    graph_condition = None
    force_clean_up = False
    force_shape_inference = False
    run_not_recursively = False
    _own_bases = True

    def run_before(self):
        return []

    def run_after(self):
        return []

    def pattern(self):
        return None

    def find_and_replace_pattern(self, graph):
        pattern = self.pattern()
        if pattern is None:
            raise Error('{} has neither pattern nor find_and_replace_pattern', type(self).__name__)
        apply_pattern(graph, action=self.replace_pattern, **pattern)

    def replace_pattern(self, graph, match):
        raise Error('{} has a pattern but no replace_pattern', type(self).__name__)


class FrontReplacementPattern(ReplacementPattern):
    phase = 'front'


class MiddleReplacementPattern(ReplacementPattern):
    phase = 'middle'


class BackReplacementPattern(ReplacementPattern):
    phase = 'back'


class SubgraphMatch(dict):
    """A match by aliases, or an instance of a configuration file."""

    def __init__(self, match=None, description=None, scope='', call=None):
        super().__init__(match or {})
        self.custom_replacement_desc, self.scope, self._call = description, scope, call

    # of an instance
    def _ports(self, i):
        graph = self._graph
        if not 0 <= i < self.inputs_count():
            raise Error('The match has {} inputs, and no input {}', self.inputs_count(), i)
        ports = abi.get_list(abi.rewrite.input_ports, Port, self._call, i)
        return [(node_of(p.node, graph), p.index) for p in ports]

    def _count(self):
        i, o = abi.u32(), abi.u32()
        abi.rewrite.counts(self._call, C.byref(i), C.byref(o))
        return i.value, o.value

    def inputs_count(self):
        return self._count()[0]

    def outputs_count(self):
        return self._count()[1]

    def input_nodes(self, i):
        return self._ports(i)

    def single_input_node(self, i):
        nodes = self._ports(i)
        if len(nodes) != 1:
            raise Error('Input {} of {} has {} nodes; input_nodes gives all', i, self.scope, len(nodes))
        return nodes[0]

    def output_node(self, i):
        if not 0 <= i < self.outputs_count():
            raise Error('The match has {} outputs, and no output {}', self.outputs_count(), i)
        p = Port()
        abi.rewrite.output_port(self._call, i, C.byref(p))
        return node_of(p.node, self._graph), p.index

    def _nodes(self):
        return [node_of(h, self._graph) for h in abi.get_list(abi.rewrite.nodes, abi.u64, self._call, room=64)]

    def matched_nodes_names(self):
        return [n.id for n in self._nodes()]

    def node_by_pattern(self, pattern):
        found = [n for n in self._nodes() if re.search(pattern, n.id)]
        if not found:
            return None
        if len(found) > 1:
            raise Error('Found more than one node for the pattern "{}": {}', pattern, [n.id for n in found])
        return found[0]

    def add_input_node(self, *args):
        raise Error('add_input_node is not available: inputs of a match are those of the configuration file')


class FrontReplacementSubgraph(ReplacementPattern):
    phase = 'front'

    def pattern(self):
        return None

    def find_and_replace_pattern(self, graph):
        pattern = self.pattern()
        if pattern is None:
            raise Error('{} has neither pattern nor find_and_replace_pattern', type(self).__name__)
        apply_pattern(graph, action=self.replace_sub_graph, wrap=True, **pattern)

    def replace_sub_graph(self, graph, match):
        new = self.generate_sub_graph(graph, match)
        inputs = self.input_edges_match(graph, match, new)
        outputs = self.output_edges_match(graph, match, new)
        replace_edges(graph, inputs, outputs)
        graph.remove_nodes_from(self.nodes_to_remove(graph, match))

    def generate_sub_graph(self, graph, match):
        raise Error('{} has neither replace_sub_graph nor generate_sub_graph', type(self).__name__)

    def input_edges_match(self, graph, match, new_sub_graph):
        raise Error('{} has no input_edges_match', type(self).__name__)

    def output_edges_match(self, graph, match, new_sub_graph):
        raise Error('{} has no output_edges_match', type(self).__name__)

    def nodes_to_remove(self, graph, match):
        return match.matched_nodes_names() if match._call else [n.id for n in match.values()]

    # The extensions' own functions are these of the class in older versions.
    @staticmethod
    def replace_input_edges(graph, input_edges_match):
        replace_edges(graph, input_edges_match, {})

    @staticmethod
    def replace_output_edges(graph, output_edges_match):
        replace_edges(graph, {}, output_edges_match)


def _id_port(x):
    return x if isinstance(x, tuple) else (x, 0)


def replace_edges(graph, inputs, outputs):
    """(old id, port) -> (new id, port): of inputs who reads instead, of outputs who gives instead."""
    for old, new in (inputs or {}).items():
        (a, i), (b, j) = _id_port(old), _id_port(new)
        source = graph._node(a).in_port(i).get_source()
        node = graph._node(b)
        node.add_input_port(j, skip_if_exist=True)
        source.connect(node.in_port(j))
    for old, new in (outputs or {}).items():
        (a, i), (b, j) = _id_port(old), _id_port(new)
        graph._node(a).out_port(i).get_connection().set_source(graph._node(b).out_port(j))


class FrontReplacementOp(FrontReplacementSubgraph):
    op = None

    def pattern(self):
        return dict(nodes=[('op', dict(op=type(self).op))], edges=[])

    def replace_op(self, graph, node):
        raise Error('{} has neither replace_op nor replace_sub_graph', type(self).__name__)

    def replace_sub_graph(self, graph, match):
        node = match['op']
        new = self.replace_op(graph, node)
        if new is None:
            raise Error('replace_op of {} returns None; a list of ids of nodes is expected', type(self).__name__)
        ports = list(node.out_ports().values())
        connections = [p.get_connection() for p in ports]
        for i, given in enumerate(new):
            if given is None or i >= len(connections):
                continue
            source = _given_port(graph, given)
            connections[i].set_source(source)
        if node.h and graph.has_node(node.id):
            name = node.name
            graph.remove_node(node.id)
            first = _given_port(graph, new[0]).node if new and new[0] is not None else None
            if first is not None and first._is()[0] not in ('Const', 'Parameter') and name in first.name and first.name != name:
                pass

    def nodes_to_remove(self, graph, match):
        return [match['op'].id]

    def gen_output_edges_match(self, node, out_node_replace):
        return {(node.id, i): _id_port(new) for i, new in enumerate(out_node_replace)}


def _given_port(graph, given):
    if isinstance(given, tuple):
        return _given_port(graph, given[0]).node.out_port(given[1])
    if isinstance(given, OutPort):
        return given
    return graph._node(given).out_port(0) if isinstance(given, str) else given.out_port(0)


class FrontReplacementFromConfigFileSubGraph(FrontReplacementSubgraph):
    replacement_id = ''


class FrontReplacementFromConfigFileGeneral(FrontReplacementPattern):
    replacement_id = ''

    def transform_graph(self, graph, replacement_descriptions):
        raise Error('{} has no transform_graph', type(self).__name__)


class FrontReplacementFromConfigFileOp(FrontReplacementFromConfigFileSubGraph):
    """An operation in the place of a sub-graph: an entry with "op" does it without a class."""


class CustomReplacementDescriptor:
    def __init__(self, id, attributes):
        self.id, self.custom_attributes = id, attributes

    def get(self, key, default=None):
        return getattr(self, key, default)


# ---- Patterns

def for_graph_and_each_sub_graph_recursively(graph, function):
    function(graph)


def _parts(pattern_node):
    if isinstance(pattern_node, str):
        return pattern_node, {}
    return pattern_node[0], dict(pattern_node[1]) if len(pattern_node) > 1 else {}


class Matcher:
    def __init__(self, graph, nodes, edges, node_attrs=None, edge_attrs=None):
        self.graph = graph
        self.wanted = dict(_parts(n) for n in nodes)
        self.edges = []
        mentions_data = any(a.get('kind') == 'data' for a in self.wanted.values())
        for e in edges:
            attrs = e[2] if len(e) > 2 else {}
            attrs = attrs if isinstance(attrs, dict) else {'in': attrs}
            for end in e[:2]:
                if end not in self.wanted:
                    raise Error('an edge of the pattern names the node \'{}\', which is none of its nodes{}', end, nearest(end, self.wanted))
            self.edges.append((e[0], e[1], attrs.get('in'), attrs.get('out')))
        self.is_data = {k: a.get('kind') == 'data' for k, a in self.wanted.items()}
        self.is_op = {k: not self.is_data[k] for k in self.wanted}
        del mentions_data
        self._found = {}
        self.order = self._order()

    def _weight(self, alias):
        attrs = self.wanted[alias]
        if self.is_data[alias]:
            return 10 ** 9
        if not isinstance(attrs.get('op', attrs.get('type')), str):
            return 10 ** 8
        return len(self._of(alias)[0])

    def _of(self, alias):
        """(nodes, what is left to ask, their handles) of an alias that names an operation."""
        known = self._found.get(alias)
        if known is None:
            attrs = {k: v for k, v in self.wanted[alias].items() if k != 'kind'}
            found, rest = names.candidates(self.graph, attrs)
            by_op = isinstance(attrs.get('op', attrs.get('type')), str)
            known = self._found[alias] = found, rest, {n.h for n in found} if by_op else None
        return known

    def _order(self):
        """The rarest operation first, then along the edges."""
        left = list(self.wanted)
        order = []
        while left:
            linked = [a for a in left if any((x in order and y == a) or (y in order and x == a) for x, y, _, _ in self.edges)]
            alias = linked[0] if linked else min(left, key=self._weight)
            order.append(alias)
            left.remove(alias)
        return order

    def all(self):
        out = []
        self._extend({}, 0, out)
        return out

    def _extend(self, bound, depth, out):
        if depth == len(self.order):
            if self._induced(bound):
                out.append(dict(bound))
            return
        alias = self.order[depth]
        for node in self._candidates(alias, bound):
            if any(node == other for other in bound.values()) or not self._fits(alias, node):
                continue
            bound[alias] = node
            if all(self._edge(e, bound) for e in self.edges if alias in e[:2] and e[0] in bound and e[1] in bound):
                self._extend(bound, depth + 1, out)
            del bound[alias]

    def _fits(self, alias, node):
        if isinstance(node, DataNode) != self.is_data[alias]:
            return False
        if self.is_data[alias]:
            return matches(node, {k: v for k, v in self.wanted[alias].items() if k != 'kind'})
        _, rest, handles = self._of(alias)
        return (handles is None or node.h in handles) and (not rest or matches(node, rest))

    def _candidates(self, alias, bound):
        for a, b, i, o in self.edges:
            if b == alias and a in bound:
                return self._readers(bound[a], o)
            if a == alias and b in bound:
                return self._sources(bound[b], i, alias)
        if self.is_data[alias]:
            return self.graph.get_data_nodes()
        return self._of(alias)[0]

    def _readers(self, node, out):
        if isinstance(node, DataNode):
            readers = [d.node for d in node._port().get_destinations()]
        elif here.phase != 'front':
            return [DataNode(self.graph, node.h, i) for i in range(node._counts()[1])]
        else:
            readers = [d.node for i, p in node.out_ports().items() if out is None or i == out for d in p.get_destinations()]
        unique = []
        for r in readers:
            if r not in unique:
                unique.append(r)
        return unique

    def _sources(self, node, i, alias):
        if isinstance(node, DataNode):
            return [node.in_node()]
        ports = [p.get_source() for k, p in node.in_ports().items() if i is None or k == i]
        unique = []
        for p in ports:
            if p is None:
                continue
            found = DataNode(self.graph, p.node.h, p.idx) if here.phase != 'front' else p.node
            if found not in unique:
                unique.append(found)
        return unique

    def _links(self, a, b):
        """(in, out) of the connections between two."""
        if isinstance(b, DataNode):
            return [(None, b.index)] if b.h == a.h else []
        links = []
        for k in range(b._counts()[0]):
            p = b._source(k)
            if p is not None and p.node == a.h and (not isinstance(a, DataNode) or p.index == a.index):
                links.append((k, None if isinstance(a, DataNode) else p.index))
        return links

    def _edge(self, edge, bound):
        a, b, i, o = edge
        return any((i is None or k is None or k == i) and (o is None or out is None or out == o)
                   for k, out in self._links(bound[a], bound[b]))

    def _induced(self, bound):
        """Between two nodes of a match there are as many connections as the pattern says."""
        count = {}
        for a, b, _, _ in self.edges:
            count[a, b] = count.get((a, b), 0) + 1
        handles = {}
        for k, n in bound.items():
            handles.setdefault(n.h, []).append(k)
        for b, node in bound.items():
            if isinstance(node, DataNode):
                continue
            for k in range(node._counts()[0]):
                p = node._source(k)
                if p is None or p.node not in handles:
                    continue
                for a in handles[p.node]:
                    other = bound[a]
                    if isinstance(other, DataNode) and other.index != p.index:
                        continue
                    if not isinstance(other, DataNode) and here.phase != 'front':
                        continue
                    if (a, b) not in count or len(self._links(other, node)) != count[a, b]:
                        return False
        return True


def find_pattern_matches(graph, nodes, edges, node_attrs=None, edge_attrs=None):
    return Matcher(graph, nodes, edges).all()


def apply_pattern(graph, nodes, edges, action, node_attrs=None, edge_attrs=None, wrap=False, **more):
    from .graph import _alive
    found = Matcher(graph, nodes, edges).all()
    for match in found:
        if all(_alive(n.h) for n in match.values()):
            action(graph, SubgraphMatch(match) if wrap else match)


def check_value(value, check):
    return value is not None and bool(check(value))


def check_node_usages_out_of_match(match, node_name_in_match_group):
    node = match[node_name_in_match_group]
    inside = {n.h for n in match.values()}
    return all(d.node.h in inside for p in node.out_ports().values() for d in p.get_destinations())


def replace_by_pattern(*args, **kwargs):
    raise Error('build_graph_with_attrs and the like are not available; create_node makes nodes')


# ---- The Model Optimizer's own transformations: names that extensions order themselves by

class Anchor(type):
    """Their classes. They cannot be run, but stand where they stood in the order."""

    def __call__(cls, *args, **kwargs):
        raise Error('{} is a transformation of the Model Optimizer and cannot be run here; mo-host does this itself: '
                    'packaging/docs/parity.md says how', cls.__name__)


def _anchors():
    found = {}
    with open(os.path.join(os.path.dirname(__file__), 'transformations.tsv')) as f:
        for line in f:
            if not line.startswith('#'):
                phase, name = line.split('\t')[:2]
                found[name] = Anchor(name, (), {'phase': phase, '__module__': '_mo_host.passes', 'enabled': True})
    for phase, listed in (('front', 'FrontStart FrontFinish LoadFinish LoadStart InitialFrontPass StandaloneConstEraser '
                           'AddReshapeTransposeAroundConvPool '
                           'AttributedRandomUniformToRandomUniform CTCGreedyDecoderSingleReplacement ClipByValueTFTransformation '
                           'CorrectPaddingsForPadAfterComplex EmbeddingSegmentsMeanDecomposition '
                           'EmbeddingSegmentsOperationMultipleFeaturesFusing EmbeddingSegmentsOperationSingleFeatureFusing EyeTFToEye '
                           'FIFOQueueDequeueCut GRUBlockCellToGRUCell IteratorGetNextCut MapFNInputSlicing MapFNOutputConcatenation '
                           'RFFTRealImagToRDFTSplit ReplaceDropoutMaskPattern RestrictedAttentionComponentReplacer '
                           'TFScatterNDDecomposition TensorListOutputConcatenation'),
                          ('middle', 'PreMiddleStart MiddleStart MiddleFinish PostMiddleStart PostMiddleFinish PartialInfer '
                            'BlockLSTMtoLSTMSequenceSingleFirstOutput FuseReshapesSequenceKaldi GatherNDDecomposition LayerNormalization '
                            'MergeNodesPermutations PreserveRuntimeInfo QuantizeDequantizeLinearResolver'),
                          ('back', 'BackStart BackFinish AddOutputRecursive ChangeOutputTypeAttributes ChangeRandomUniformOutputType '
                          'ZeroPointOptimizer ReduceReplacer')):
        for name in listed.split():
            if name not in found:
                found[name] = Anchor(name, (), {'phase': phase, '__module__': '_mo_host.passes', 'enabled': True})
    return found


ANCHORS = _anchors()
# Of the middle phase what comes when the layout is that of the IR.
LATE = {'MiddleFinish', 'PostMiddleStart', 'PostMiddleFinish', 'ApplyNHWCtoNCHWpermutation', 'ApplyPermutation', 'LayoutChangeForConstantShapePaths',
        'InsertLayoutPropagationTranspose', 'SharedWeightsDuplication'}
_SEQUENCE = {'front': ['LoadStart', 'LoadFinish', 'FrontStart', 'FrontFinish'],
             'middle': ['PreMiddleStart', 'PartialInfer', 'MiddleStart', 'MiddleFinish', 'PostMiddleStart', 'PostMiddleFinish'],
             'back': ['BackStart', 'BackFinish']}

BASES = (FrontReplacementPattern, FrontReplacementSubgraph, FrontReplacementOp, FrontReplacementFromConfigFileSubGraph,
         FrontReplacementFromConfigFileGeneral, FrontReplacementFromConfigFileOp, MiddleReplacementPattern, BackReplacementPattern)


def related(cls, method):
    """What run_before or run_after of a class gives."""
    function = cls.__dict__.get(method) or next((b.__dict__[method] for b in cls.__mro__ if method in b.__dict__), None)
    if function is None:
        return []
    listed = getattr(object.__new__(cls), method)() or []
    return [c for c in listed if isinstance(c, type)]


def _says(cls, hook):
    return any(hook in c.__dict__ for c in cls.__mro__ if not c.__module__.startswith('_mo_host'))


def in_order(classes, phase):
    """The Model Optimizer's order: by what classes say, and where nothing is said by their names."""
    after = {}     # class -> those behind it

    def edge(a, b):
        after.setdefault(a, set()).add(b)
        after.setdefault(b, set())
    chain = [ANCHORS[n] for n in _SEQUENCE[phase]]
    for a, b in zip(chain, chain[1:]):
        edge(a, b)
    start, finish = (chain[2], chain[3]) if phase != 'back' else (chain[0], chain[1])
    for c in classes:
        before, behind = related(c, 'run_before'), related(c, 'run_after')
        for other in before:
            edge(c, other)
        for other in behind:
            edge(other, c)
        after.setdefault(c, set())
        if not _says(c, 'run_before'):
            edge(c, finish)
        if not _says(c, 'run_after'):
            edge(start, c)
    order, state = [], {}

    def visit(c, path):
        if state.get(c) == 2:
            return
        if state.get(c) == 1:
            loop = path[path.index(c):] + [c]
            error = Error('the order of transformations has a cycle: {}', ' before '.join(x.__name__ for x in loop))
            error.loop = loop
            raise error
        state[c] = 1
        for other in sorted(after[c], key=lambda x: x.__name__):
            visit(other, path + [c])
        state[c] = 2
        order.append(c)
    for c in sorted(after, key=lambda x: x.__name__):
        visit(c, [])
    order.reverse()
    return order


# ---- Running them

def run_on_graph(cls, graph):
    condition = cls.graph_condition
    if condition is not None and not all(f(graph) for f in condition):
        return
    if here.phase == 'front':
        here.session.touched_in_front.update(here.session.touched)
    here.session.touched.clear()
    cls().find_and_replace_pattern(graph)
    edited = bool(here.session.touched or here.session.changed)
    tell_all(graph, last=here.phase != 'front')
    if edited:
        if here.phase != 'front':
            remove_unread()
        graph.check_order(cls)
        if here.phase != 'front':
            graph.check_shapes(cls)


def run_on_match(cls, call):
    handle = abi.u64()
    abi.rewrite.graph(call, C.byref(handle))
    graph = here.session.graph(handle.value)
    attributes = json.loads(abi.get_text(abi.rewrite.custom_attributes, call))
    match = SubgraphMatch({}, CustomReplacementDescriptor(cls.replacement_id, attributes),
                          abi.get_text(abi.rewrite.scope, call), call)
    match._graph = graph
    for node in match._nodes():
        node.id     # noqa: B018, names that extensions will ask for
        abi.rewrite.keep(call, node.h)
    cls().replace_sub_graph(graph, match)
    tell_all(graph)


def run_general(cls, graph):
    attributes = json.loads(abi.get_text(abi.rewrite.custom_attributes, None))
    cls().transform_graph(graph, attributes)
    tell_all(graph)
