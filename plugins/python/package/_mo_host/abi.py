"""mo/plugin.h by ctypes: structs, the host's functions, and numpy's view of tensors."""
import ctypes as C
import threading

import numpy as np

u8, i32, u32, i64, u64, f64, ptr, size = C.c_uint8, C.c_int32, C.c_uint32, C.c_int64, C.c_uint64, C.c_double, C.c_void_p, C.c_size_t

OK, ERROR, NOT_APPLICABLE, NOT_FOUND = 0, 1, 2, 3
OUT, IN = 1, 2


class Str(C.Structure):
    _fields_ = [('data', ptr), ('size', size)]


class Port(C.Structure):
    _fields_ = [('node', u64), ('index', u32), ('direction', i32)]


class Dim(C.Structure):
    _fields_ = [('min', i64), ('max', i64)]


class Interval(C.Structure):
    _fields_ = [('min', i64), ('max', i64), ('open', u32), ('reserved', u32)]


class Shape(C.Structure):
    _fields_ = [('dims', C.POINTER(Dim)), ('rank', i64)]


class _Union(C.Union):
    _fields_ = [('i', i64), ('f', f64), ('s', Str), ('shape', Shape), ('p', ptr)]


class Value(C.Structure):
    _fields_ = [('kind', i32), ('reserved', i32), ('count', u64), ('u', _Union)]


class Desc(C.Structure):
    _fields_ = [('size', size), ('shape', Shape), ('value', ptr), ('bounds', C.POINTER(Interval)), ('bounds_count', u64),
                ('type', i32), ('reserved', i32)]


class TensorInfo(C.Structure):
    _fields_ = [('size', size), ('dims', C.POINTER(i64)), ('rank', i64), ('bytes', u64), ('type', i32), ('resident', i32)]


class NodeInit(C.Structure):
    _fields_ = [('size', size), ('op', Str), ('opset', Str), ('name', Str), ('inputs', C.POINTER(Port)), ('n_inputs', u32),
                ('n_outputs', u32), ('output_names', ptr), ('native', u64)]


class PortDef(C.Structure):
    _fields_ = [('size', size), ('name', Str), ('types', u64), ('role', i32), ('flags', u32)]


class InferArgs(C.Structure):
    _fields_ = [('size', size), ('node', u64), ('inputs', C.POINTER(C.POINTER(Desc))), ('n_inputs', u32), ('n_outputs', u32)]


class AttrDef(C.Structure):
    _fields_ = [('size', size), ('name', Str), ('ir_name', Str), ('fallback', ptr), ('allowed', ptr), ('n_allowed', u64),
                ('kind', i32), ('required', i32), ('role', i32), ('reserved', i32)]


class OperationDef(C.Structure):
    _fields_ = [('size', size), ('op', Str), ('opset', Str), ('doc', Str), ('attrs', C.POINTER(AttrDef)), ('n_attrs', u64),
                ('min_inputs', u32), ('max_inputs', u32), ('min_outputs', u32), ('max_outputs', u32), ('flags', u32),
                ('reserved', u32), ('inputs', ptr), ('n_inputs', u64), ('outputs', ptr), ('n_outputs', u64), ('user', ptr),
                ('infer', ptr), ('evaluate', ptr), ('ir_attrs', ptr), ('symbols', ptr), ('release', ptr)]


class ExtractorDef(C.Structure):
    _fields_ = [('size', size), ('framework', Str), ('domain', Str), ('op', Str), ('since', i32), ('until', i32), ('user', ptr),
                ('extract', ptr), ('release', ptr)]


class TransformationDef(C.Structure):
    _fields_ = [('size', size), ('id', Str), ('doc', Str), ('before', Str), ('after', Str),
                ('run_before', C.POINTER(Str)), ('n_run_before', u64), ('run_after', C.POINTER(Str)), ('n_run_after', u64),
                ('frameworks', C.POINTER(Str)), ('n_frameworks', u64), ('ops', ptr), ('n_ops', u64), ('nodes', ptr),
                ('n_nodes', u64), ('edges', ptr), ('n_edges', u64), ('group', Str), ('phase', i32), ('kind', i32),
                ('enabled', i32), ('recursive', i32), ('force_clean_up', i32), ('force_shape_inference', i32), ('user', ptr),
                ('condition', ptr), ('on_graph', ptr), ('on_node', ptr), ('on_match', ptr), ('release', ptr)]


class Message(C.Structure):
    _fields_ = [('size', size), ('text', Str), ('hint', Str), ('code', Str), ('option', Str), ('file', Str), ('line', u64),
                ('column', u64), ('offset', u64), ('node', u64)]


# The arguments of each function behind the context, in the order of the header's tables.
_value, _count, _str_out, _node_out, _graph_out = C.POINTER(Value), C.POINTER(u64), C.POINTER(Str), C.POINTER(u64), C.POINTER(u64)
_nodes, _ports, _strs = C.POINTER(u64), C.POINTER(Port), C.POINTER(Str)
_list, _names = [_nodes, u64, _count], [_strs, u64, _count]
GRAPH = [
    ('graph_name', [u64, _str_out]), ('set_graph_name', [u64, Str]), ('create_graph', [Str, _graph_out]),
    ('clone_graph', [u64, _graph_out]), ('parent', [u64, _node_out]), ('graph_attr', [u64, Str, _value]),
    ('set_graph_attr', [u64, Str, _value]), ('graph_attr_names', [u64] + _names), ('nodes', [u64, Str] + _list),
    ('topological', [u64] + _list), ('find', [u64, Str, _node_out]), ('find_tensor', [u64, Str, _ports]),
    ('parameters', [u64] + _list), ('results', [u64] + _list), ('infer', [u64, i32]), ('clean_up', [u64]),
    ('create_node', [u64, C.POINTER(NodeInit), _node_out]), ('create_const', [u64, Str, ptr, _node_out]),
    ('remove_node', [u64]), ('graph_of', [u64, _graph_out]), ('op', [u64, _str_out]), ('opset', [u64, _str_out]),
    ('set_op', [u64, Str, Str]), ('node_name', [u64, _str_out]), ('rename', [u64, Str]), ('mark', [u64]),
    ('port_counts', [u64, C.POINTER(u32), C.POINTER(u32)]), ('add_port', [u64, i32, _ports]), ('delete_port', [Port]),
    ('source', [Port, _ports]), ('destinations', [Port, _ports, u64, _count]), ('connect', [Port, Port]),
    ('disconnect', [Port]), ('set_source', [Port, Port, i32]), ('set_destination', [Port, Port, i32]),
    ('insert_node', [Port, u64, i32]), ('desc', [Port, C.POINTER(C.POINTER(Desc))]),
    ('set_shape', [Port, i32, C.POINTER(Shape)]), ('set_value', [Port, ptr]), ('tensor_names', [Port] + _names),
    ('set_tensor_names', [Port, _strs, u64]), ('node_attr', [u64, Str, _value]), ('node_attrs', [u64, _strs, u64, _value]),
    ('set_node_attr', [u64, Str, _value]), ('node_attr_names', [u64] + _names), ('rt_info', [u64, Str, _value]),
    ('set_rt_info', [u64, Str, _value]), ('rt_info_names', [u64] + _names), ('copy_rt_info', [_nodes, u64, _nodes, u64]),
    ('native_attr', [u64, Str, _value]), ('native_attr_names', [u64] + _names), ('native_tag', [u64, _count]),
    ('native_key', [u64, _str_out, C.POINTER(i32), _str_out]), ('defining_opset', [Str, Str, _str_out]),
    ('set_ir_attr', [u64, Str, Str]), ('definition', [u64, C.POINTER(C.POINTER(OperationDef))]),
    ('definition_of', [Str, Str, C.POINTER(C.POINTER(OperationDef))]), ('symbols', [u64, ptr, ptr]),
    ('native_attrs', [u64, _strs, u64, _value]),
]
TENSOR = [
    ('retain', None), ('release', None), ('info', None), ('data', [ptr, C.POINTER(ptr)]),
    ('create', [i32, C.POINTER(i64), i64, C.POINTER(ptr), C.POINTER(ptr)]),
]
INFER = [
    ('set_output', [u32, i32, C.POINTER(Shape)]), ('set_value', [u32, ptr]), ('set_bounds', [u32, C.POINTER(Interval), u64]),
    ('add_ir_attr', [Str, Str]),
]
REWRITE = [
    ('node', [ptr, Str, _node_out]), ('port', [ptr, Str, _ports]), ('root', [ptr, _node_out]), ('nodes', [ptr] + _list),
    ('graph', [ptr, _graph_out]), ('input_ports', [ptr, u32, _ports, u64, _count]), ('output_port', [ptr, u32, _ports]),
    ('counts', [ptr, C.POINTER(u32), C.POINTER(u32)]), ('scope', [ptr, _str_out]), ('custom_attributes', [ptr, _str_out]),
    ('replace_outputs', [u64, _ports, u64]), ('map_input', [ptr, u32, Port]), ('map_output', [ptr, u32, Port]),
    ('keep', [ptr, u64]), ('register_new_node', [u64]), ('decline', [u64, Str]), ('run', [u64, Str]),
]
REGISTRY = [
    ('operation', [C.POINTER(OperationDef)]), ('extractor', [C.POINTER(ExtractorDef)]),
    ('transformation', [C.POINTER(TransformationDef)]), ('frontend', [ptr]), ('option', [ptr]), ('converter', [ptr]),
    ('add_interface', [Str, u32, ptr]), ('in_source', [Str]),
]
HOST = [
    ('fail', [i32, u64, Str]), ('fail_with', [i32, C.POINTER(Message)]), ('last_error', None), ('log', None), ('log_with', None),
    ('progress', None), ('option', [Str, _value]),
]


class Here(threading.local):
    """What the thread is doing: the context of the callback it is in, the session, a node being inferred, one being read."""
    context, session, inferring, phase, depth, extracting = 0, None, None, 'front', 0, 0


here = Here()


class HostError(Exception):
    """A call of the host that failed."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def text(s):
    return C.string_at(s.data, s.size).decode('utf-8', 'replace') if s.size else ''


def S(value):
    """A mo_str; its bytes live as long as it does."""
    raw = value.encode('utf-8', 'replace')
    s = Str(C.cast(C.c_char_p(raw), ptr), len(raw))
    s.raw = raw
    return s


def strs(values):
    raws = [v.encode('utf-8', 'replace') for v in values]
    array = (Str * max(len(raws), 1))()
    for s, raw in zip(array, raws):
        s.data, s.size = C.cast(C.c_char_p(raw), ptr), len(raw)
    array.raws = raws
    return array


class _Table:
    pass


_host = None
graph, tensor, infer, rewrite, registry, host = (_Table() for _ in range(6))


def last_error():
    return text(_last_error(here.context))


def found(status):
    """Of a function for which "there is none" is an answer: whether there is."""
    if status not in (OK, NOT_FOUND):
        raise HostError(status, last_error())
    return status == OK


def _table(table, address, rows):
    functions = C.cast(address, C.POINTER(ptr))
    for k, (name, arguments) in enumerate(rows):
        if arguments is None:
            continue
        raw = C.PYFUNCTYPE(i32, ptr, *arguments)(functions[k + 1])

        def call(*args, raw=raw):
            status = raw(here.context, *args)
            if status:
                raise HostError(status, last_error())
        setattr(table, name, call)
        setattr(table, 'try_' + name, lambda *args, raw=raw: raw(here.context, *args))


def bind(context):
    """The host's table is the same for all sessions."""
    global _host, _last_error, _log, retain, release, _info
    if _host is not None:
        return
    _host = C.cast(context, C.POINTER(ptr))[1]
    words = C.cast(_host, C.POINTER(ptr))
    # size, two numbers of 4 bytes, the name's two words, then the tables
    tables = dict(zip(('graph', 'tensor', 'file', 'infer', 'rewrite', 'registry'), words[4:10]))
    _table(graph, tables['graph'], GRAPH)
    _table(tensor, tables['tensor'], TENSOR)
    _table(infer, tables['infer'], INFER)
    _table(rewrite, tables['rewrite'], REWRITE)
    _table(registry, tables['registry'], REGISTRY)
    _table(host, _host + 9 * 8, HOST)
    functions = words[10:20]
    _last_error = C.PYFUNCTYPE(Str, ptr)(functions[2])
    _log = C.PYFUNCTYPE(None, ptr, i32, Str)(functions[3])
    words = C.cast(tables['tensor'], C.POINTER(ptr))
    retain, release = C.PYFUNCTYPE(None, ptr)(words[1]), C.PYFUNCTYPE(None, ptr)(words[2])
    _info = C.PYFUNCTYPE(i32, ptr, C.POINTER(TensorInfo))(words[3])


def log(level, message):
    if here.context:
        _log(here.context, level, S(message))


def get_text(function, *args):
    s = Str()
    function(*args, C.byref(s))
    return text(s)


def get_list(function, kind, *args, room=16):
    count = u64()
    while True:
        items = (kind * room)()
        function(*args, items, room, C.byref(count))
        if count.value <= room:
            return items[:count.value]
        room = count.value


def get_names(function, *args):
    return [text(s) for s in get_list(function, Str, *args, room=64)]


# ---- Types and tensors

TYPES = {1: np.bool_, 3: np.float16, 4: np.float32, 5: np.float64, 7: np.int8, 8: np.int16, 9: np.int32, 10: np.int64,
         16: np.uint8, 17: np.uint16, 18: np.uint32, 19: np.uint64, 25: np.str_}
NUMBERS = {np.dtype(t): n for n, t in TYPES.items()}
IR_TYPES = {1: 'boolean', 2: 'bf16', 3: 'f16', 4: 'f32', 5: 'f64', 6: 'i4', 7: 'i8', 8: 'i16', 9: 'i32', 10: 'i64', 11: 'u1',
            14: 'u4', 16: 'u8', 17: 'u16', 18: 'u32', 19: 'u64', 25: 'string'}


def type_number(kind):
    if isinstance(kind, int):
        return kind
    if isinstance(kind, str):
        for number, name in IR_TYPES.items():
            if kind.lower() == name:
                return number
        if kind.upper() in ('FP32', 'FP16', 'FP64'):
            return {'FP32': 4, 'FP16': 3, 'FP64': 5}[kind.upper()]
    number = NUMBERS.get(np.dtype(kind))
    if number is None:
        raise TypeError('the element type {} has no counterpart in a model'.format(kind))
    return number


def array_of(handle):
    """A copy of a tensor as numpy has it; None for types that numpy does not have."""
    info = TensorInfo(size=C.sizeof(TensorInfo))
    if _info(handle, C.byref(info)):
        return None
    kind = TYPES.get(info.type)
    if kind is None:
        return None
    data = ptr()
    tensor.data(handle, C.byref(data))
    shape = info.dims[:info.rank] if info.rank else []
    raw = C.string_at(data.value, info.bytes) if info.bytes else b''
    if kind is np.str_:
        count = np.frombuffer(raw, np.int32, 1)[0]
        at = np.frombuffer(raw, np.int32, count + 1, 4)
        body = raw[4 * (count + 2):]
        return np.array([body[a:b].decode('utf-8', 'replace') for a, b in zip(at, at[1:])], dtype=object).reshape(shape)
    return np.frombuffer(raw, kind).reshape(shape).copy()


def tensor_of(value):
    """A tensor of the host with one reference, which the caller releases."""
    value = np.ascontiguousarray(value).reshape(np.shape(value))
    if value.dtype.kind in 'OUS':
        texts = [t if isinstance(t, bytes) else str(t).encode() for t in value.reshape(-1).tolist()]
        ends = np.concatenate([[0], np.cumsum([len(t) for t in texts])]).astype(np.int32)
        raw = np.int32(len(texts)).tobytes() + ends.tobytes() + b''.join(texts)
        raise TypeError('constants of texts cannot be made from Python')
    number = type_number(value.dtype)
    dims = (i64 * max(value.ndim, 1))(*value.shape)
    handle, data = ptr(), ptr()
    tensor.create(number, dims, value.ndim, C.byref(handle), C.byref(data))
    if value.nbytes:
        C.memmove(data.value, value.ctypes.data, value.nbytes)
    return handle.value


# ---- Values of attributes

def value_of(v):
    """What a mo_value says, as Python has it; a tensor is an array, a shape a list with None for what is open."""
    kind, u = v.kind, v.u
    if kind == 0:
        return None
    if kind == 1:
        return u.i
    if kind == 2:
        return u.f
    if kind == 3:
        return bool(u.i)
    if kind == 4:
        return text(u.s)
    if kind == 5:
        return Type(u.i)
    if kind == 6:
        return dims_of(u.shape)
    if kind == 7:
        return array_of(u.p)
    if kind == 9:
        return C.string_at(u.s.data, u.s.size)
    n = v.count
    item = {16: i64, 17: f64, 18: u8, 19: Str, 20: i32, 21: Shape, 22: ptr}.get(kind)
    if item is None or not n:
        return []
    items = C.cast(u.p, C.POINTER(item))[:n]
    if kind == 18:
        return [bool(b) for b in items]
    if kind == 19:
        return [text(s) for s in items]
    if kind == 20:
        return [Type(t) for t in items]
    if kind == 21:
        return [dims_of(s) for s in items]
    if kind == 22:
        return [array_of(t) for t in items]
    return items


class Type(int):
    """A mo_type."""


def dims_of(shape):
    """None: not even the rank is known. A dimension that is not one number is None."""
    if shape.rank < 0:
        return None
    return [d.min if d.min == d.max else None for d in shape.dims[:shape.rank]] if shape.rank else []


def shape_of(dims):
    """A mo_shape of numbers, None or masked for what is open; the bounds of `like` stay where they fit."""
    if dims is None:
        return Shape(None, -1)
    array = (Dim * max(len(dims), 1))()
    for d, n in zip(array, dims):
        if n is None or n is np.ma.masked or n < 0:
            d.min, d.max = 0, -1
        else:
            d.min = d.max = int(n)
    s = Shape(C.cast(array, C.POINTER(Dim)), len(dims))
    s.array = array
    return s
