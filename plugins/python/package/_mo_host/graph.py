"""Graph, Node, ports, connections and data nodes of the Model Optimizer, over handles of the host.

What the host keeps (the operation, its name, connections, shapes) is asked of it each time; what only extensions know
(attributes of any kind, functions among them) lies in Session.attributes, by the handle of the node. There are no data
nodes in the host's graph: a DataNode is an out-port, looked at from outside.
"""
import ctypes as C
from collections.abc import MutableMapping

import numpy as np

from . import abi, names
from .abi import IN, OUT, Port, here
from .shapes import shape_array
from .utils import Error, MissingAttribute


class Session:
    """What extensions know in one session of the host."""

    def __init__(self):
        self.attributes = {}    # handle -> {name: value} of what Python has made or changed
        self.ids, self.id_of = {}, {}  # (graph, id) -> handle, handle -> id
        self.graphs = {}
        self.by_op = {}         # op -> handles of nodes whose operation in the host has another name
        self.changed = {}       # handles whose attributes the host has to be told; ordered
        self.waiting = {}       # of these what cannot be told yet
        self.output_names = {}  # Result -> (port, names) of what it read before
        self.made_at = {}       # handle -> (file, line) of the extension that has made the node
        self.touched = {}       # handles that may have lost their last reader
        self.touched_in_front = {}  # those of earlier transformations
        self.keep = []          # what the host has pointers to

    def graph(self, handle):
        g = self.graphs.get(handle)
        if g is None:
            g = self.graphs[handle] = Graph._of(handle, self)
        return g


def node_of(handle, graph=None):
    s = here.session
    if graph is None:
        g = abi.u64()
        abi.graph.graph_of(handle, C.byref(g))
        graph = s.graph(g.value)
    node = object.__new__(Node)
    object.__setattr__(node, 'h', handle)
    object.__setattr__(node, 'graph', graph)
    return node


def _alive(handle):
    return abi.graph.try_op(handle, C.byref(abi.Str())) == 0


class BaseNode:
    """What nodes and data nodes have in common: attributes under both spellings."""
    def __getattr__(self, key):
        if key.startswith('__'):
            raise AttributeError(key)
        return self[key]

    def __setattr__(self, key, value):
        self[key] = value

    def has(self, key):
        try:
            self[key]
            return True
        except MissingAttribute:
            return False

    __contains__ = has

    def soft_get(self, key, default='<UNKNOWN>'):
        try:
            value = self[key]
        except MissingAttribute:
            return default
        return default if value is None else value

    def has_valid(self, key):
        return self.soft_get(key, None) is not None

    def has_and_set(self, key):
        value = self.soft_get(key, None)
        return value is not None and bool(value if not isinstance(value, np.ndarray) else value.size and value.all())

    def __hash__(self):
        return hash(self._key())

    def __eq__(self, other):
        return isinstance(other, BaseNode) and self._key() == other._key()

    def __lt__(self, other):
        return self.id < other.id

    @property
    def node(self):
        return self.id


class Node(BaseNode):
    def __new__(cls, graph, id):
        if isinstance(id, BaseNode):
            return id
        return graph._node(id)

    def __init__(self, graph=None, id=None):
        pass

    def __repr__(self):
        return 'Node({!r})'.format(self.id)

    def _key(self):
        return self.h

    # -- what it is

    def _own(self):
        return here.session.attributes.get(self.h)

    def _is(self):
        """The operation and the set that the host knows."""
        return abi.get_text(abi.graph.op, self.h), abi.get_text(abi.graph.opset, self.h)

    @property
    def id(self):
        s = here.session
        known = s.id_of.get(self.h)
        if known is None:
            known = base = self.name
            n = 0
            while s.ids.get((self.graph.h, known), self.h) != self.h:
                n += 1
                known = '{}_{}'.format(base, n)
            s.id_of[self.h] = known
            s.ids[self.graph.h, known] = self.h
        return known

    @property
    def name(self):
        return abi.get_text(abi.graph.node_name, self.h)

    @property
    def op(self):
        own = self._own()
        return own['op'] if own and own.get('op') is not None else names.op_here(self)

    @property
    def type(self):
        own = self._own()
        return own['type'] if own and 'type' in own else names.type_here(self)

    # -- attributes

    def __getitem__(self, key):
        own = self._own()
        if own is not None and key in own:
            return own[key]
        if key in ('name', 'id', 'op', 'type'):
            return getattr(self, key)
        if own is not None and key in own.get('_deleted', ()):
            raise MissingAttribute('node "{}" ({}) has no attribute \'{}\' any more'.format(self.name, self.op, key))
        computed = _COMPUTED.get(key)
        if computed is not None:
            return computed(self)
        try:
            value = names.attribute_here(self, key)
        except KeyError:
            raise MissingAttribute('node "{}" ({}) has no attribute \'{}\''.format(self.name, self.op, key)) from None
        return value

    def __setitem__(self, key, value):
        if key == 'name':
            return self._rename(value)
        if key == 'id':
            return None
        own = here.session.attributes.setdefault(self.h, {})
        own[key] = value
        if key == 'op':
            here.session.by_op.setdefault(value, {})[self.h] = True
        if key == 'value' and self._is()[0] == 'Const':
            self._set_const(value)
        if not here.inferring:
            here.session.changed[self.h] = True
            if '_class' not in own:
                names.tell_host(self, key, value)

    def __delitem__(self, key):
        self[key]
        own = here.session.attributes.setdefault(self.h, {})
        if own.pop(key, None) is None:   # the model's or the host's
            own['_deleted'] = set(own.get('_deleted', ())) | {key}

    def _set_const(self, value):
        OutPort(self, 0)._set(value=np.asarray(value))

    def _rename(self, name):
        name = str(name)
        if name == self.name:
            return
        self.id  # noqa: B018, as it stays
        n = 0
        other = abi.u64()
        unique = name
        while abi.graph.try_find(self.graph.h, abi.S(unique), C.byref(other)) == 0:
            n += 1
            unique = '{}_{}'.format(name, n)
        abi.graph.rename(self.h, abi.S(unique))

    def attrs(self):
        return Attributes(self)

    def _attributes(self):
        out = {'name': self.name, 'op': self.op, 'type': self.type, 'kind': 'op', 'id': self.id}
        for key in names.attribute_names(self):
            out[key] = self.soft_get(key, None)
        out.update(self._own() or {})
        return out

    def update_node(self):
        return None

    def get_opset(self):
        return self.soft_get('version', 'extension')

    # -- ports

    def _counts(self):
        i, o = abi.u32(), abi.u32()
        abi.graph.port_counts(self.h, C.byref(i), C.byref(o))
        return i.value, o.value

    def _gone(self):
        own = self._own()
        return own.get('_gone', ()) if own else ()

    def in_port(self, idx=None, control_flow=False):
        if idx not in self.in_ports() and not names.may_have_input(self, idx):
            raise Error('Input port with index {} is not in node {}'.format(idx, self.name))
        return InPort(self, idx)

    def out_port(self, idx=None, control_flow=False):
        if not isinstance(idx, (int, np.integer)) or not 0 <= idx < self._counts()[1]:
            raise Error('Output port with index {} is not in node {}'.format(idx, self.name))
        return OutPort(self, int(idx))

    def in_ports(self, control_flow=False):
        gone = self._gone()
        return {i: InPort(self, i) for i in range(self._counts()[0]) if i not in gone}

    def out_ports(self, control_flow=False):
        return {i: OutPort(self, i) for i in range(self._counts()[1])}

    def has_port(self, port_type, idx, control_flow=False):
        return idx in (self.in_ports() if port_type == 'in' else self.out_ports())

    def _add(self, idx, skip_if_exist, direction):
        have = self._counts()[0 if direction == IN else 1]
        gone = self._gone()
        if idx < have and idx in gone:
            self._own()['_gone'] = [g for g in gone if g != idx]
            return
        if idx < have and not skip_if_exist:
            raise Error('{} port with index {} is already in node {}'.format(
                'Input' if direction == IN else 'Output', idx, self.name))
        for _ in range(have, idx + 1):
            abi.graph.add_port(self.h, direction, C.byref(Port()))

    def add_input_port(self, idx, skip_if_exist=False, **kwargs):
        self._add(idx, skip_if_exist, IN)

    def add_output_port(self, idx, skip_if_exist=False, **kwargs):
        self._add(idx, skip_if_exist, OUT)

    def add_sequence_of_ports(self, type, rng):
        for idx in rng:
            self._add(idx, True, IN if type == 'in' else OUT)

    def delete_input_port(self, idx, skip_if_absent=False):
        if idx not in self.in_ports():
            if skip_if_absent:
                return
            raise Error('Input port with index {} is not in node {}'.format(idx, self.name))
        self.in_port(idx).disconnect()
        if idx == self._counts()[0] - 1:
            abi.graph.delete_port(Port(self.h, idx, IN))
        else:   # the others keep their numbers until the node is written
            own = here.session.attributes.setdefault(self.h, {})
            own['_gone'] = list(own.get('_gone', ())) + [idx]
            here.session.changed[self.h] = True

    def delete_input_ports(self, idx_set, skip_if_absent=False):
        for idx in sorted(idx_set, reverse=True):
            self.delete_input_port(idx, skip_if_absent)

    def delete_output_port(self, idx, skip_if_absent=False):
        if idx not in self.out_ports():
            if skip_if_absent:
                return
            raise Error('Output port with index {} is not in node {}'.format(idx, self.name))
        abi.graph.delete_port(Port(self.h, idx, OUT))

    def is_in_port_connected(self, idx, control_flow=False):
        return self.has_port('in', idx) and not self.in_port(idx).disconnected()

    def is_out_port_connected(self, idx, control_flow=False):
        return self.has_port('out', idx) and not self.out_port(idx).disconnected()

    # -- neighbours: other operations in the front phase, data nodes later

    def _source(self, idx):
        p = Port()
        abi.graph.source(Port(*_inside(self, idx), IN), C.byref(p))
        if not p.node:
            return None
        if _turns(self.graph) and p.index == 0:
            inner = _turned(p.node)
            if inner is not None and _op_of(inner.node) in CHANNELS_FIRST:
                return inner
        return p

    def in_node(self, idx=0, control_flow=False):
        nodes = self.in_nodes()
        if idx not in nodes:
            raise Error('Input port with index {} of node {} is not connected'.format(idx, self.name))
        return nodes[idx]

    def in_nodes(self, control_flow=False):
        out = {}
        for i in self.in_ports():
            p = self._source(i)
            if p is None:
                continue
            if _has_data_nodes():
                out[i] = DataNode(self.graph, p.node, p.index, reader=(self.h, i))
            else:
                out[i] = node_of(p.node, self.graph)
        return out

    def out_node(self, idx=0, control_flow=False):
        nodes = self.out_nodes()
        if idx not in nodes:
            raise Error('Output port with index {} of node {} is not connected'.format(idx, self.name))
        return nodes[idx]

    def out_nodes(self, control_flow=False):
        out = {}
        for i in range(self._counts()[1]):
            if _has_data_nodes():
                out[i] = DataNode(self.graph, self.h, i)
            else:
                readers = OutPort(self, i).get_destinations()
                if readers:
                    out[i] = readers[0].node
        return out

    def in_edges(self, control_flow=False):
        return {i: Edge(self, i) for i in self.in_ports() if self._source(i) is not None}

    def in_edge(self, idx=0):
        return self.in_edges()[idx]

    def out_edges(self, control_flow=False):
        if _has_data_nodes():
            return {i: {'out': i} for i in range(self._counts()[1])}
        return {i: Edge(d.node, d.idx) for i, p in self.out_ports().items() for d in p.get_destinations()[:1]}

    def out_edge(self, idx=0):
        return self.out_edges()[idx]

    def get_inputs(self, edge_attr=None, control_flow=False):
        nodes = self.in_nodes()
        return [(nodes[i].id, e) for i, e in self.in_edges().items()
                if not edge_attr or all(e.get(k) == v for k, v in edge_attr.items())]

    def get_outputs(self, edge_attr=None, control_flow=False):
        if _has_data_nodes():
            out = [(d.id, {'out': i}) for i, d in self.out_nodes().items()]
        else:
            out = [(d.node.id, Edge(d.node, d.idx)) for p in self.out_ports().values() for d in p.get_destinations()]
        return [(n, e) for n, e in out if not edge_attr or all(e.get(k) == v for k, v in edge_attr.items())]

    def get_sorted_inputs(self, control_flow=False):
        return sorted(self.get_inputs(), key=lambda x: x[1]['in'])

    def get_sorted_outputs(self, control_flow=False):
        return sorted(self.get_outputs(), key=lambda x: x[1]['out'])

    # -- surgery

    def replace_node(self, new_node, new_node_port=None):
        replace_node(self, new_node, new_node_port)

    def insert_node_after(self, new_node, node_out_port=0):
        self.out_port(node_out_port).get_connection().insert_node(new_node)

    def insert_op_on_input_port(self, in_port_idx, new_op_class, new_op_attrs, value=None):
        attrs = dict(new_op_attrs)
        attrs.setdefault('name', self.name + '/' + new_op_class.op)
        op = new_op_class(self.graph, attrs)
        if value is not None:
            from .ops import create_op_with_const_inputs
            node = create_op_with_const_inputs(self.graph, new_op_class, {1: value}, attrs)
        else:
            node = op.create_node()
        self.in_port(in_port_idx).get_connection().insert_node(node)
        return node

    def insert_node_with_data_after(self, out_node, new_op_class, op_before_params=None, additional_inputs=None):
        source = out_node._port()
        readers = source.get_destinations()
        node = new_op_class(self.graph, dict(op_before_params or {})).create_node()
        for d in readers:
            node.out_port(0).connect(d)
        source.connect(node.in_port(0))
        for k, extra in enumerate(additional_inputs or []):
            node.add_input_port(k + 1, skip_if_exist=True)
            _out_port(extra).connect(node.in_port(k + 1))
        return node

    insert_node_with_data_before = None

    def copy_node(self, new_attrs=None, dst_graph=None):
        if dst_graph is not None and dst_graph is not self.graph:
            raise Error('copy_node into another graph is not available; create the node in it')
        own = dict(self._own() or {})
        own.update(new_attrs or {})
        from .ops import copy_of
        return copy_of(self, own)


def _has_data_nodes():
    return here.phase != 'front'


def _out_port(x):
    """Of what extensions hand to create_node: a node, a data node, a port, or (node, index)."""
    if isinstance(x, tuple):
        return _out_port(x[0]).node.out_port(x[1])
    if isinstance(x, DataNode):
        return x._port()
    if isinstance(x, InPort):
        return x.get_source()
    if isinstance(x, OutPort):
        return x
    return OutPort(x, 0)


def _const(node):
    if node._is()[0] != 'Const':
        raise MissingAttribute('node "{}" ({}) has no attribute \'value\''.format(node.name, node.op))
    return _Value.of(node, OutPort(node, 0).data.get_value())


def _declared_shape(node):
    if node._is()[0] not in ('Const', 'Parameter'):
        raise MissingAttribute('node "{}" ({}) has no attribute \'shape\''.format(node.name, node.op))
    return OutPort(node, 0).data.get_shape()


def _declared_type(node):
    if node._is()[0] not in ('Const', 'Parameter'):
        raise MissingAttribute('node "{}" ({}) has no attribute \'data_type\''.format(node.name, node.op))
    return OutPort(node, 0).get_data_type()


def _from_model(what):
    def get(node):
        from . import model
        return model.part(node, what)
    return get


_COMPUTED = {
    'kind': lambda node: 'op', 'value': _const, 'shape': _declared_shape, 'data_type': _declared_type,
    'version': lambda node: node._is()[1] or 'extension', 'node': lambda node: node.id,
    'in_ports_count': lambda node: node._counts()[0], 'out_ports_count': lambda node: node._counts()[1],
    'pb': _from_model('pb'), 'model_pb': _from_model('model_pb'), 'symbol_dict': _from_model('symbol_dict'),
}


class Edge(dict):
    """Attributes of the edge into an in-port; a number that is set moves it."""

    def __init__(self, node, i):
        super().__init__({'in': i})
        p = node._source(i)
        if p is not None and not _has_data_nodes():
            self['out'] = p.index
        self._node, self._i = node, i

    def __setitem__(self, key, value):
        if key == 'in' and value != self._i:
            source = InPort(self._node, self._i).get_source()
            self._node.add_input_port(value, skip_if_exist=True)
            InPort(self._node, self._i).disconnect()
            source.connect(InPort(self._node, value))
            self._i = value
        super().__setitem__(key, value)


# A model with channels last: the host has Transposes around operations that need them first, from the front phase on. In the
# Model Optimizer these came later, so until the layout is changed such an operation is seen together with them.
CHANNELS_FIRST = {'Convolution', 'GroupConvolution', 'ConvolutionBackpropData', 'GroupConvolutionBackpropData', 'MaxPool', 'AvgPool', 'LRN',
                  'DepthToSpace', 'SpaceToDepth', 'BatchNormInference', 'Interpolate', 'ROIPooling', 'PSROIPooling', 'ExtractImagePatches'}
_TO_LAST, _TO_FIRST = ([0, 2, 3, 1], [0, 2, 3, 4, 1]), ([0, 3, 1, 2], [0, 4, 1, 2, 3])


def _turns(graph):
    if here.phase != 'middle' or here.inferring is not None:
        return False
    if graph._last is None:
        graph._last = fw_of(graph) == 'tf'
    return graph._last


def _op_of(h):
    return abi.get_text(abi.graph.op, h)


def _turned(h, orders=_TO_LAST):
    """What a Transpose of one of these orders reads."""
    if _op_of(h) != 'Transpose':
        return None
    d = C.POINTER(abi.Desc)()
    if abi.graph.try_desc(Port(h, 1, IN), C.byref(d)) or not d.contents.value:
        return None
    if abi.array_of(d.contents.value).tolist() not in orders:
        return None
    p = Port()
    abi.graph.source(Port(h, 0, IN), C.byref(p))
    return p if p.node else None


def hides(graph, h):
    """Is this a Transpose that belongs to an operation with channels first?"""
    if not _turns(graph):
        return False
    p = _turned(h)
    if p is not None and _op_of(p.node) in CHANNELS_FIRST:
        return True
    return _reader(Port(h, 0, IN)).node != h


def _outside(node, idx):
    """The out-port that readers of one of the model see."""
    if _turns(node.graph) and _op_of(node.h) in CHANNELS_FIRST:
        readers = abi.get_list(abi.graph.destinations, Port, Port(node.h, idx, OUT))
        if len(readers) == 1 and readers[0].index == 0 and _turned(readers[0].node) is not None:
            return readers[0].node, 0
    return node.h, idx


def _reader(port):
    """Of a Transpose before such an operation that operation."""
    if port.index == 0 and _turned(port.node, _TO_FIRST) is not None:
        readers = abi.get_list(abi.graph.destinations, Port, Port(port.node, 0, OUT))
        if len(readers) == 1 and readers[0].index == 0 and _op_of(readers[0].node) in CHANNELS_FIRST:
            return readers[0]
    return port


def _inside(node, idx):
    """The in-port that reads what the model has there."""
    if idx == 0 and _turns(node.graph) and _op_of(node.h) in CHANNELS_FIRST:
        p = Port()
        abi.graph.source(Port(node.h, 0, IN), C.byref(p))
        if p.node and _turned(p.node, _TO_FIRST) is not None:
            return p.node, 0
    return node.h, idx


def _kernel_order(port):
    """Of a constant that only convolutions of a model with channels last read as weights, the order in which such a model has
    them: sizes, channels of the input, of the output. Of one per channel: sizes, channels, multiples."""
    if not _turns(port.node.graph) or port.node._is()[0] != 'Const':
        return None
    orders = set()
    for p in abi.get_list(abi.graph.destinations, Port, Port(port.node.h, port.idx, OUT)):
        reader = node_of(p.node, port.node.graph)
        kind = _op_of(p.node)
        if p.index != 1 or kind not in _KERNELS or _inside(reader, 0)[0] == p.node:
            return None
        orders.add(_KERNELS[kind])
    return orders.pop() if len(orders) == 1 else None


_KERNELS = {'Convolution': 'whole', 'ConvolutionBackpropData': 'whole', 'GroupConvolution': 'each'}


def _as_in_the_model(value, order):
    if order is None or order == 'each' and value.shape[2] != 1:
        return value
    if order == 'whole':
        return value.transpose(list(range(2, value.ndim)) + [1, 0])
    return value[:, :, 0].transpose(list(range(2, value.ndim - 1)) + [0, 1])


def _as_in_the_host(value, order):
    if order is None:
        return value
    if order == 'whole':
        return value.transpose([value.ndim - 1, value.ndim - 2] + list(range(value.ndim - 2)))
    return value.transpose([value.ndim - 2, value.ndim - 1] + list(range(value.ndim - 2)))[:, :, None]


def _touch_source(port):
    p = port.node._source(port.idx)
    if p is not None:
        here.session.touched[p.node] = True
        if _op_of(port.node.h) == 'Result':   # whose name is that of the output
            names_of = abi.get_names(abi.graph.tensor_names, p)
            if names_of:
                here.session.output_names[port.node.h] = p, names_of


def _name_output(port):
    """An output of the model that reads another tensor now takes its names along."""
    noted = here.session.output_names.pop(port.node.h, None)
    if noted is None:
        return
    old, names_of = noted
    new = port.node._source(port.idx)
    if new is None or (new.node, new.index) == (old.node, old.index):
        return
    if _alive(old.node):
        left = abi.get_list(abi.graph.destinations, Port, old)
        if any(_op_of(p.node) == 'Result' for p in left):
            return
        abi.graph.try_set_tensor_names(old, abi.strs([]), 0)
    both = abi.get_names(abi.graph.tensor_names, new)
    both += [n for n in names_of if n not in both]
    abi.graph.try_set_tensor_names(new, abi.strs(both), len(both))


def remove_unread_of_front():
    """In the front phase a later transformation may read what an earlier one has left: all of it at the end."""
    here.session.touched.update(here.session.touched_in_front)
    here.session.touched_in_front.clear()
    remove_unread()


def remove_unread():
    """Nodes that a transformation has left without readers. The Model Optimizer's graph could keep them; here they would be
    inferred, with inputs that they do not have."""
    touched = here.session.touched
    for _ in range(len(touched) * 64 + 1024):
        if not touched:
            return
        h, _ = touched.popitem()
        if not _alive(h):
            continue
        node = node_of(h)
        op = node._is()[0]
        if op in ('Parameter', 'Assign') or any(not p.disconnected() for p in node.out_ports().values()) or op == 'Result':
            continue
        for i in range(node._counts()[0]):
            p = node._source(i)
            if p is not None:
                touched[p.node] = True
        here.session.attributes.pop(h, None)
        abi.graph.remove_node(h)
    touched.clear()


def _is_culprit(h):
    """A node whose inputs are known and whose outputs are not."""
    if not _alive(h):
        return False
    node = node_of(h)
    ins, outs = node._counts()
    d = C.POINTER(abi.Desc)()

    def known(port):
        return abi.graph.try_desc(port, C.byref(d)) == 0 and d.contents.shape.rank >= 0
    sources = [node._source(i) for i in range(ins)]
    return outs > 0 and all(known(p) for p in sources if p is not None) and not all(known(Port(h, i, OUT)) for i in range(outs))


class PortData:
    def __init__(self, port):
        self.port = port

    def _desc(self):
        return self.port._desc()

    def get_shape(self):
        d = self._desc()
        if d is None or d.shape.rank < 0:
            return None
        order = self._kernel_order()
        if order is not None:
            return shape_array(list(_as_in_the_model(np.empty(abi.dims_of(d.shape), np.bool_), order).shape))
        return shape_array([x for x in abi.dims_of(d.shape)])

    def _kernel_order(self):
        port = self.port if self.port.type == 'out' else self.port.get_source()
        return None if port is None else _kernel_order(port)

    def set_shape(self, shape):
        self.port._set(shape=shape)

    def get_value(self):
        d = self._desc()
        if d is None:
            return None
        if d.value:
            value = abi.array_of(d.value)
            return value if value is None else _as_in_the_model(value, self._kernel_order())
        if d.bounds_count:
            values = [None if b.open or b.min != b.max else b.min for b in d.bounds[:d.bounds_count]]
            if all(v is None for v in values):
                return None
            return shape_array(values).reshape([x for x in abi.dims_of(d.shape)])
        return None

    def set_value(self, value):
        self.port._set(value=value)

    def has_valid(self, name):
        return self.get_attr(name) is not None

    def get_attr(self, name):
        if name == 'shape':
            return self.get_shape()
        if name == 'value':
            return self.get_value()
        return self.port._data_attributes().get(name)

    def set_attr(self, name, value):
        if name == 'shape':
            return self.set_shape(value)
        if name == 'value':
            return self.set_value(value)
        self.port._data_attributes()[name] = value

    def insert_value(self, value):
        self.set_value(value)


class BasePort:
    def __init__(self, node, idx):
        self.node, self.idx = node, int(idx)

    control_flow = False

    def __eq__(self, other):
        return type(self) is type(other) and self.node.h == other.node.h and self.idx == other.idx

    def __hash__(self):
        return hash((self.type, self.node.h, self.idx))

    def __repr__(self):
        return '{}_port {} of {}'.format(self.type, self.idx, self.node.name)

    @property
    def data(self):
        return PortData(self)

    def _data_attributes(self):
        p = self if self.type == 'out' else self.get_source()
        return here.session.attributes.setdefault(('data', p.node.h, p.idx), {}) if p is not None else {}

    def get_data_type(self):
        d = self._desc()
        if d is None or d.type not in abi.TYPES:
            raise Error('The data type for {} is not defined'.format(self))
        return abi.TYPES[d.type]

    def is_data_type_defined(self):
        d = self._desc()
        return d is not None and d.type in abi.TYPES


class InPort(BasePort):
    type = 'in'

    def _abi(self):
        return Port(*_inside(self.node, self.idx), IN)

    def _desc(self):
        inferring = here.inferring
        if inferring is not None and inferring.node == self.node.h:
            return inferring.input(self.idx)
        if self.disconnected():
            return None
        d = C.POINTER(abi.Desc)()
        abi.graph.desc(self._abi(), C.byref(d))
        return d.contents

    def _set(self, shape=None, value=None):
        source = self.get_source()
        if source is None:
            raise Error('{} is not connected'.format(self))
        if here.inferring is not None:
            return     # what an input is was inferred already; MO's functions store it in another form
        source._set(shape, value)

    def get_source(self):
        p = self.node._source(self.idx)
        return OutPort(node_of(p.node, self.node.graph), p.index) if p is not None else None

    def get_connection(self):
        return Connection(self.get_source(), [self], one=self)

    def get_in_port(self):
        return self

    def disconnected(self):
        return self.node._source(self.idx) is None

    def disconnect(self):
        _touch_source(self)
        abi.graph.disconnect(self._abi())

    def connect(self, port):
        if port is None:
            raise Error('{} cannot be connected: there is no source'.format(self))
        if port.type == 'in':
            port = port.get_source()
        _touch_source(self)
        abi.graph.connect(port._abi(), self._abi())
        _name_output(self)

    def set_source(self, port):
        self.connect(port)

    def set_data_type(self, kind):
        pass


class OutPort(BasePort):
    type = 'out'

    def _abi(self):
        return Port(*_outside(self.node, self.idx), OUT)

    def _desc(self):
        inferring = here.inferring
        if inferring is not None and inferring.node == self.node.h:
            return inferring.output(self.idx)
        d = C.POINTER(abi.Desc)()
        abi.graph.desc(self._abi(), C.byref(d))
        return d.contents

    def _set(self, shape=None, value=None):
        inferring = here.inferring
        if inferring is not None and inferring.node == self.node.h:
            return inferring.set(self.idx, shape, value)
        if value is not None:
            tensor = abi.tensor_of(_as_in_the_host(np.asarray(value), _kernel_order(self)))
            try:
                abi.graph.set_value(self._abi(), tensor)
            finally:
                abi.release(tensor)
        else:
            d = self._desc()
            s = abi.shape_of(list(shape))
            abi.graph.set_shape(self._abi(), d.type if d is not None else 0, C.byref(s))

    def get_destinations(self):
        ports = abi.get_list(abi.graph.destinations, Port, self._abi())
        if _turns(self.node.graph):
            ports = [_reader(p) for p in ports]
        return [InPort(node_of(p.node, self.node.graph), p.index) for p in ports]

    def get_destination(self):
        readers = self.get_destinations()
        if len(readers) > 1:
            raise Error('{} has {} destinations; get_destinations gives all'.format(self, len(readers)))
        return readers[0] if readers else None

    def get_connection(self):
        return Connection(self, self.get_destinations())

    def get_out_port(self):
        return self

    def get_source(self):
        return self

    def disconnected(self):
        return not self.get_destinations()

    def disconnect(self):
        here.session.touched[self.node.h] = True
        abi.graph.disconnect(self._abi())

    def connect(self, port):
        _touch_source(port)
        abi.graph.connect(self._abi(), port._abi())
        _name_output(port)

    def set_data_type(self, kind, override=False):
        inferring = here.inferring
        if inferring is not None and inferring.node == self.node.h:
            return inferring.set_type(self.idx, kind)
        s = self._desc().shape
        abi.graph.set_shape(self._abi(), abi.type_number(kind), C.byref(s))

    def get_tensor_names(self, port_renumber=False):
        return sorted(abi.get_names(abi.graph.tensor_names, self._abi()))

    def add_tensor_names(self, new_names, port_renumber=False):
        both = abi.get_names(abi.graph.tensor_names, self._abi())
        new_names = [new_names] if isinstance(new_names, str) else list(new_names)
        both += [n for n in new_names if n not in both]
        abi.graph.set_tensor_names(self._abi(), abi.strs(both), len(both))

    def get_tensor_debug_info(self, port_renumber=False):
        return [(n, None, n) for n in self.get_tensor_names()]

    def remove_tensor_names(self, port_renumber=False):
        abi.graph.set_tensor_names(self._abi(), abi.strs([]), 0)


_MODES = {None: 0, 'merge': 0, 'source': 1, 'dest': 2}


class Connection:
    """Of an in-port that one reader alone, of an out-port all that read it now."""

    def __init__(self, source, destinations, one=None):
        self.source, self.destinations, self._one = source, destinations, one

    def get_source(self):
        return self.source

    def get_destinations(self):
        return list(self.destinations)

    def get_destination(self):
        if len(self.destinations) > 1:
            raise Error('The connection of {} has {} destinations'.format(self.source, len(self.destinations)))
        return self.destinations[0] if self.destinations else None

    @property
    def data(self):
        return self.source.data

    def remove(self):
        for d in self.destinations:
            d.disconnect()
        self.destinations = []
        if self._one is None:
            self.source = None

    def set_source(self, port, attributes_save_mode=None):
        port = _out_port(port)
        if self._one is not None or self.source is None:
            for d in self.destinations:
                port.connect(d)
        else:
            now = self.source.get_destinations()
            others = [d for d in now if d not in self.destinations]
            for d in others:
                d.disconnect()
            here.session.touched[self.source.node.h] = True
            if port != self.source:
                abi.graph.set_source(self.source._abi(), port._abi(), _MODES[attributes_save_mode])
            for d in self.destinations:
                if d not in now:
                    port.connect(d)
            for d in others:
                self.source.connect(d)
        self.source = port

    def set_destination(self, port, attributes_save_mode=None):
        if self._one is None and len(self.destinations) > 1:
            raise Error('set_destination: {} has {} destinations'.format(self.source, len(self.destinations)))
        for d in self.destinations:
            if d != port:
                d.disconnect()
        if self.source is not None:
            self.source.connect(port)
        self.destinations = [port]
        if self._one is not None:
            self._one = port

    def add_destination(self, port):
        self.source.connect(port)
        self.destinations.append(port)

    def insert_node(self, new_node, attributes_save_mode=None):
        if self.source is None:
            raise Error('insert_node: {} has no source'.format(self._one))
        if self._one is None and len(self.destinations) == len(self.source.get_destinations()):
            abi.graph.insert_node(self.source._abi(), new_node.h, _MODES[attributes_save_mode])
        else:
            for d in self.destinations:
                OutPort(new_node, 0).connect(d)
            self.source.connect(InPort(new_node, 0))


class DataNode(BaseNode):
    def __init__(self, graph, handle, index, reader=None):
        for key, value in (('graph', graph), ('h', handle), ('index', index), ('reader', reader)):
            object.__setattr__(self, key, value)

    def _key(self):
        return self.h, self.index

    def __repr__(self):
        return 'DataNode({!r})'.format(self.id)

    def _port(self):
        return OutPort(node_of(self.h, self.graph), self.index)

    def _moves(self, node, index):
        """It has another producer."""
        object.__setattr__(self, 'h', node.h)
        object.__setattr__(self, 'index', index)

    def _data(self):
        inferring = here.inferring
        if inferring is not None and self.reader is not None and self.reader[0] == inferring.node:
            return PortData(InPort(node_of(self.reader[0], self.graph), self.reader[1]))
        return PortData(self._port())

    @property
    def id(self):
        key = '{}/Output_{}/Data_'.format(node_of(self.h, self.graph).id, self.index)
        self.graph._data[key] = (self.h, self.index)
        return key

    name = id

    def __getitem__(self, key):
        if key == 'kind':
            return 'data'
        if key == 'shape':
            return _Shape.of(self, self._data().get_shape())
        if key == 'value':
            return _Value.of(node_of(self.h, self.graph), self._data().get_value())
        if key in ('id', 'name'):
            return self.id
        if key == 'data_type':
            return self._port().get_data_type()
        known = self._port()._data_attributes()
        if key in known:
            return known[key]
        raise MissingAttribute('the data node "{}" has no attribute \'{}\''.format(self.id, key))

    def __setitem__(self, key, value):
        if key == 'shape':
            self._data().set_shape(value)
        elif key == 'value':
            self._data().set_value(value)
        elif key == 'data_type':
            self._port().set_data_type(value)
        else:
            self._port()._data_attributes()[key] = value

    def attrs(self):
        return Attributes(self)

    def _attributes(self):
        return dict(self._port()._data_attributes(), kind='data', shape=self.soft_get('shape', None),
                    value=self.soft_get('value', None))

    def in_node(self, idx=0, control_flow=False):
        return node_of(self.h, self.graph)

    def in_nodes(self, control_flow=False):
        return {0: self.in_node()}

    def out_nodes(self, control_flow=False):
        return [d.node for d in self._port().get_destinations()]

    def out_node(self, idx=0, control_flow=False):
        return self.out_nodes()[idx]

    def in_edges(self, control_flow=False):
        return [{'out': self.index}]

    def in_edge(self, idx=0):
        return {'out': self.index}

    def out_edges(self, control_flow=False):
        return [Edge(d.node, d.idx) for d in self._port().get_destinations()]

    def get_outputs(self, edge_attr=None, control_flow=False):
        return [(d.node.id, Edge(d.node, d.idx)) for d in self._port().get_destinations()]

    def get_inputs(self, edge_attr=None, control_flow=False):
        return [(self.in_node().id, {'out': self.index})]


class _Shape(np.ma.MaskedArray):
    """A shape that is a data node's: an element that is set is set there."""

    @staticmethod
    def of(data, value):
        if value is None:
            return None
        shape = value.view(_Shape)
        shape._of = data
        return shape

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        owner = getattr(self, '_of', None)
        if owner is not None:
            owner['shape'] = self

    def copy(self, order='C'):
        return np.ma.array(self.data, mask=np.ma.getmaskarray(self)).copy().view(np.ma.MaskedArray)


class _Value(np.ndarray):
    """The value of a constant: an element that is set is set there."""

    @staticmethod
    def of(node, value):
        if value is None or isinstance(value, np.ma.MaskedArray) or value.dtype == object or node._is()[0] != 'Const':
            return value
        value = value.view(_Value)
        value._of = node
        return value

    def __array_finalize__(self, other):
        self._of = None

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if self._of is not None:
            self._of._set_const(np.asarray(self))


class Attributes(MutableMapping):
    """The attributes of a node, as the Model Optimizer's graph has them: what is changed here is changed there."""

    def __init__(self, node):
        self._node = node

    def __getitem__(self, key):
        return self._node[key]

    def __setitem__(self, key, value):
        self._node[key] = value

    def __delitem__(self, key):
        del self._node[key]

    def __iter__(self):
        return iter(self._node._attributes())

    def __len__(self):
        return len(self._node._attributes())

    def copy(self):
        return dict(self)

    def __repr__(self):
        return repr(self._node._attributes())


class _Nodes:
    """graph.node and graph.nodes: ids to attributes."""

    def __init__(self, graph):
        self._graph = graph

    def __getitem__(self, id):
        return Attributes(self._graph._node(id))

    def __contains__(self, id):
        return self._graph.has_node(id)

    def __iter__(self):
        return iter(self())

    def __len__(self):
        return len(self())

    def __call__(self, data=False):
        all_nodes = self._graph._all() + (self._graph.get_data_nodes() if _has_data_nodes() else [])
        return [(n.id, Attributes(n)) for n in all_nodes] if data else [n.id for n in all_nodes]

    def keys(self):
        return self()

    def items(self):
        return self(data=True)


class Graph:
    def __init__(self, data=None, **attrs):
        raise Error('a graph of its own cannot be made in an extension: transformations get the graph of the model')

    @classmethod
    def _of(cls, handle, session):
        g = object.__new__(cls)
        g.h, g._session, g._data = handle, session, {}
        g.node = g.nodes = _Nodes(g)
        g.graph = GraphAttributes(g)
        g.strict_mode = True
        g._last = None
        return g

    @property
    def name(self):
        return abi.get_text(abi.graph.graph_name, self.h)

    @property
    def stage(self):
        return here.phase

    @stage.setter
    def stage(self, value):
        pass

    # -- finding

    def _handles(self, op=''):
        try:
            return abi.get_list(abi.graph.nodes, abi.u64, self.h, abi.S(op), room=256)
        except abi.HostError:
            return []     # no name of an operation: nothing has it

    def _all(self):
        return [node_of(h, self) for h in self._handles()]

    def _find(self, id):
        s = self._session
        h = s.ids.get((self.h, id))
        if h is not None:
            return node_of(h, self) if _alive(h) else None
        if id in self._data:
            h, index = self._data[id]
            return DataNode(self, h, index) if _alive(h) else None
        out = abi.u64()
        if abi.graph.try_find(self.h, abi.S(id), C.byref(out)) == 0 and s.id_of.get(out.value, id) == id:
            node = node_of(out.value, self)
            node.id  # noqa: B018, noted
            return node
        return None

    def _node(self, id):
        node = self._find(id) if isinstance(id, str) else None
        if node is None:
            raise Error('Attempt to access node {} that not in graph'.format(id))
        return node

    def has_node(self, id):
        return isinstance(id, str) and self._find(id) is not None

    __contains__ = has_node

    def __len__(self):
        return len(self._handles())

    def __iter__(self):
        return iter(self.nodes())

    def get_op_nodes(self, **attrs):
        found, rest = names.candidates(self, attrs)
        return [n for n in found if matches(n, rest)] if rest else found

    def get_data_nodes(self, has_value=None):
        out = []
        for n in self._all():
            for i in range(n._counts()[1]):
                d = DataNode(self, n.h, i)
                if has_value is None or (d.value is not None) == has_value:
                    out.append(d)
        return out

    def get_nodes_with_attributes(self, **attrs):
        if attrs.get('kind') == 'data':
            wanted = {k: v for k, v in attrs.items() if k != 'kind'}
            return [d.id for d in self.get_data_nodes() if matches(d, wanted)]
        return [n.id for n in self.get_op_nodes(**attrs)]

    def get_node_id_by_name(self, name):
        out = abi.u64()
        if abi.graph.try_find(self.h, abi.S(name), C.byref(out)):
            raise Error('No node with name {}'.format(name))
        return node_of(out.value, self).id

    def topological_sort(self, reverse=False):
        handles = abi.get_list(abi.graph.topological, abi.u64, self.h, room=256)
        order = [node_of(h, self) for h in handles]
        return order[::-1] if reverse else order

    pseudo_topological_sort = topological_sort

    def check_order(self, cls):
        """After a transformation: no node may need what it makes."""
        count = abi.u64()
        if abi.graph.try_topological(self.h, None, 0, C.byref(count)):
            error = Error('{} makes a cycle in the graph: {}', cls.__name__, abi.last_error())
            error.mo_class = cls
            raise error

    def check_shapes(self, cls):
        """What a transformation has made is inferred while it is known whose it is."""
        here.depth -= 1
        try:
            status = abi.graph.try_infer(self.h, 0)
        finally:
            here.depth += 1
        if status:
            said = abi.last_error()
            error = Error('after {}: {}', cls.__name__, said) if cls is not None else Error('{}', said)
            error.mo_class = cls
            for h, place in self._session.made_at.items():
                if _is_culprit(h):
                    error.mo_node, error.mo_place = h, place
                    raise error
            if cls is not None:
                raise error

    def unique_id(self, prefix=''):
        n, id = 0, prefix
        while not id or self.has_node(id):
            id = '{}{}'.format(prefix, n)
            n += 1
        return id

    def get_inputs_with_ports(self, *args, **kwargs):
        raise Error('get_inputs_with_ports is not available here; in_port(i).get_source() gives each input')

    # -- editing

    def remove_node(self, id):
        node = self._node(id)
        if isinstance(node, DataNode):
            return OutPort(node_of(node.h, self), node.index).disconnect()
        self._session.attributes.pop(node.h, None)
        self._session.changed.pop(node.h, None)
        abi.graph.remove_node(node.h)

    def remove_nodes_from(self, ids):
        for id in list(ids):
            if isinstance(id, BaseNode):
                id = id.id
            if self.has_node(id):
                self.remove_node(id)

    def erase_node(self, node):
        """Takes a node with one input and one output out."""
        if node.op == 'Result' or not node.out_ports():
            return self.remove_node(node.id)
        inputs = node.in_nodes()
        if inputs:
            source = node.in_port(min(inputs)).get_source()
            node.out_port(0).get_connection().set_source(source)
        self.remove_node(node.id)

    def add_node(self, id, **attrs):
        from .ops import make_node
        if attrs.get('kind') == 'data':
            raise Error('a data node has a producer here: Op.create_input_data_node makes one with a value')
        return make_node(self, dict(attrs, name=attrs.get('name', id)), id=id)

    def add_nodes_from(self, nodes):
        for n in nodes:
            if isinstance(n, tuple):
                self.add_node(n[0], **n[1])
            else:
                self.add_node(n)

    def add_edge(self, src, dst, key=None, **attrs):
        a, b = self._node(src), self._node(dst)
        if isinstance(b, DataNode):    # the data node gets another producer
            a.add_output_port(attrs.get('out', 0), skip_if_exist=True)
            to = a.out_port(attrs.get('out', 0))
            if b._port() != to:
                b._port().get_connection().set_source(to)
                self._data[dst] = (a.h, to.idx)
                b._moves(a, to.idx)
            return
        i = attrs.get('in', 0)
        b.add_input_port(i, skip_if_exist=True)
        source = a._port() if isinstance(a, DataNode) else a.out_port(attrs.get('out', 0))
        source.connect(b.in_port(i))

    def add_edges_from(self, edges):
        for e in edges:
            self.add_edge(e[0], e[1], **(e[2] if len(e) > 2 else {}))

    def create_edge(self, src_node, dst_node, out_port=0, in_port=0, edge_attrs=None):
        attrs = dict(edge_attrs or {})
        attrs.update({'in': in_port, 'out': out_port})
        self.add_edge(src_node.id, dst_node.id, **attrs)

    def remove_edge(self, src, dst, key=None):
        a, b = self._node(src), self._node(dst)
        if isinstance(b, DataNode):
            return
        for port in b.in_ports().values():
            source = port.get_source()
            if source is None or source.node.h != a.h or (isinstance(a, DataNode) and source.idx != a.index):
                continue
            port.disconnect()
            if key is None or key == 0:
                return

    def remove_edges_from(self, edges):
        for e in edges:
            self.remove_edge(e[0], e[1])

    def in_edges(self, id, data=False):
        return [(s, id, e) if data else (s, id) for s, e in self._node(id).get_inputs()]

    def out_edges(self, id, data=False):
        return [(id, d, e) if data else (id, d) for d, e in self._node(id).get_outputs()]

    def predecessors(self, id):
        return [s for s, _ in self._node(id).get_inputs()]

    def successors(self, id):
        return [d for d, _ in self._node(id).get_outputs()]

    def clean_up(self, undead_node_types=None):
        from .ops import tell_all
        tell_all(self)
        abi.graph.clean_up(self.h)

    def __getattr__(self, key):
        raise AttributeError('Graph.{} of the Model Optimizer is not available in mo-host; '
                             '`mo-host help migrating_from_python` has what is'.format(key))


class GraphAttributes(dict):
    """graph.graph: what the Model Optimizer kept there."""

    def __init__(self, graph):
        super().__init__()
        self._graph = graph

    def __missing__(self, key):
        if key == 'fw':
            return fw_of(self._graph)
        if key == 'layout':
            if fw_of(self._graph) == 'tf' and here.phase in ('front', 'middle') and not option('disable_nhwc_to_nchw'):
                return 'NHWC'
            return 'NCHW'
        if key == 'cmd_params':
            return cmd_params
        if key == 'name':
            return self._graph.name
        if key == 'ir_version':
            return 11
        v = abi.Value()
        if abi.found(abi.graph.try_graph_attr(self._graph.h, abi.S(key), C.byref(v))):
            return abi.value_of(v)
        raise KeyError('graph.graph has no {!r}'.format(key))

    def __contains__(self, key):
        try:
            self[key]
            return True
        except KeyError:
            return False

    def get(self, key, default=None):
        return self[key] if key in self else default


def fw_of(graph):
    v = abi.Value()
    if not abi.found(abi.graph.try_graph_attr(graph.h, abi.S('framework'), C.byref(v))):
        return ''
    return {'tensorflow': 'tf'}.get(abi.value_of(v), abi.value_of(v))


def option(name):
    v = abi.Value()
    if not abi.found(abi.host.try_option(abi.S(name), C.byref(v))):
        return None
    return abi.value_of(v)


class CommandLine:
    """graph.graph['cmd_params']: options of the command line, None where nothing was given."""

    DEFAULTS = {'data_type': 'float', 'generate_experimental_IR_V10': True, 'generate_deprecated_IR_V7': False, 'static_shape': False,
                'disable_nhwc_to_nchw': False, 'reverse_input_channels': False, 'keep_shape_ops': True, 'use_legacy_frontend': True}

    def __getattr__(self, key):
        if key.startswith('__'):
            raise AttributeError(key)
        value = option(key)
        return self.DEFAULTS.get(key) if value is None else value

    def __contains__(self, key):
        return True


cmd_params = CommandLine()


def matches(node, attrs):
    """What a pattern or get_op_nodes asks of a node: a value, or a function of the value."""
    for key, wanted in attrs.items():
        value = node.soft_get(key, None)
        if callable(wanted) and not isinstance(wanted, type):
            if not wanted(value):
                return False
            continue
        if isinstance(value, np.ndarray) or isinstance(wanted, np.ndarray):
            if not np.array_equal(value, wanted):
                return False
        elif value != wanted and not (key == 'op' and names.is_op(value, wanted)):
            return False
    return True


def rename_node(node, name):
    node['name'] = name


def rename_nodes(pairs):
    for node, name in pairs:
        rename_node(node, name)


def replace_node(old_node, new_node, new_node_port=None):
    readers = {i: p.get_connection() for i, p in old_node.out_ports().items()}
    for i, connection in readers.items():
        if not connection.destinations and i:
            continue
        connection.set_source(new_node.out_port(i if new_node_port is None else new_node_port))
    if old_node.has_and_set('need_shape_inference'):
        new_node['need_shape_inference'] = True
    old_node.graph.remove_node(old_node.id)


def merge_edge_props(attrs, additional_attrs):
    return dict(attrs, **additional_attrs)


def dict_includes(big, sub_dict, skip_attr_names=()):
    return all((sub_dict[k](big.get(k)) if callable(sub_dict[k]) else big.get(k) == sub_dict[k])
               for k in sub_dict if k not in skip_attr_names)
