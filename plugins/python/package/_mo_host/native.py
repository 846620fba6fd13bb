"""mo_host.extend: operations with a schema, inference and values, and extractors, as the C++ headers have them."""
import ctypes as C

import numpy as np

from . import abi
from .abi import S
from .model import native as native_value
from .model import native_names
from .utils import Error

UNLIMITED = 0xffffffff
EVALUATE = C.CFUNCTYPE(abi.i32, abi.ptr, abi.ptr, C.POINTER(abi.InferArgs))
operations, extractors = [], []


class Declined(Exception):
    """It is for somebody else."""


def fail(*parts):
    raise Error('{}', ''.join(str(p) for p in parts))


def decline(*parts):
    raise Declined(''.join(str(p) for p in parts))


class OpSchema:
    def __init__(self):
        self.counts, self.attributes = {'in': (0, UNLIMITED), 'out': (1, 1)}, []

    def inputs(self, least, most=None):
        self.counts['in'] = (least, least if most is None else most)
        return self

    def outputs(self, least, most=None):
        self.counts['out'] = (least, least if most is None else most)
        return self

    def attr(self, name, default=None, kind=None, ir_name='', required=False):
        """`default` says the kind; without one `kind` does: int, float, bool, str, [int], [float] or [str]."""
        self.attributes.append((name, default, kind, ir_name, required))
        return self


class Op:
    """`type`, `opset`, and functions of the schema and of a context: schema(s), infer(c), evaluate(c)."""
    type = opset = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.type is None or cls.opset is None:
            raise Error('{} needs a type and an opset', cls.__name__)
        operations.append(cls)


class Extractor:
    def __init__(self, framework, domain, op, function):
        self.key, self.function = (framework, domain, op), function


def extractor(framework, domain, op):
    def note(function):
        extractors.append(Extractor(framework, domain, op, function))
        return function
    return note


class SourceNode:
    """A node of the model for an extractor."""

    def __init__(self, node):
        self._node = node

    def name(self):
        return self._node.name

    def set_op(self, op, opset):
        abi.graph.set_op(self._node.h, S(op), S(opset))

    def set(self, name, value):
        keep = []
        v = value_to_abi(value, keep)
        abi.graph.set_node_attr(self._node.h, S(name), C.byref(v))

    def native(self, name, default=None):
        found = native_value(self._node, name)
        if found is None and default is None:
            fail('the operator has no attribute \'', name, '\'; it has ', ', '.join(native_names(self._node)) or 'none')
        return default if found is None else found[1]

    def native_names(self):
        return native_names(self._node)


_KINDS = {bool: 3, int: 1, float: 2, str: 4}


def value_to_abi(value, keep):
    v = abi.Value()
    if isinstance(value, (bool, np.bool_)):
        v.kind, v.u.i = 3, int(value)
    elif isinstance(value, (int, np.integer)):
        v.kind, v.u.i = 1, int(value)
    elif isinstance(value, (float, np.floating)):
        v.kind, v.u.f = 2, float(value)
    elif isinstance(value, str):
        s = S(value)
        keep.append(s)
        v.kind, v.u.s = 4, s
    elif isinstance(value, (list, tuple, np.ndarray)):
        items = list(value)
        if items and all(isinstance(i, str) for i in items):
            array, v.kind = abi.strs(items), 19
        elif any(isinstance(i, (float, np.floating)) for i in items):
            array, v.kind = (abi.f64 * len(items))(*items), 17
        else:
            array, v.kind = (abi.i64 * max(len(items), 1))(*[int(i) for i in items]), 16
        keep.append(array)
        v.count, v.u.p = len(items), C.addressof(array)
    else:
        raise Error('an attribute cannot be a {}', type(value).__name__)
    return v


class Context:
    """What infer and evaluate see of a node."""

    def __init__(self, args, values=False):
        self._args, self._values, self.node = args, values, args.node
        self._kept = []

    def n_inputs(self):
        return self._args.n_inputs

    def _input(self, i):
        if i >= self._args.n_inputs or not self._args.inputs[i]:
            return None
        return self._args.inputs[i] if self._values else self._args.inputs[i].contents

    def type(self, i):
        return abi.Type(self._input(i).type)

    def is_float(self, i):
        """True where the type is not known, too."""
        return self._input(i) is None or self._input(i).type in (0, 2, 3, 4, 5)

    def shape(self, i):
        """A list of numbers, None for a dimension that is not known; None where not even the rank is."""
        d = self._input(i)
        return None if d is None else abi.dims_of(d.shape)

    def value(self, i):
        d = self._input(i)
        if d is None:
            return None
        if self._values:
            return abi.array_of(C.cast(d, abi.ptr).value)
        return abi.array_of(d.value) if d.value else None

    def attr(self, name):
        v = abi.Value()
        if not abi.found(abi.graph.try_node_attr(self.node, S(name), C.byref(v))):
            fail('the node has no attribute \'', name, '\'')
        return abi.value_of(v)

    def output(self, i, kind, shape):
        s = abi.shape_of(shape)
        abi.infer.set_output(i, abi.type_number(kind), C.byref(s))

    def output_value(self, i, value):
        handle = abi.tensor_of(value)
        try:
            abi.infer.set_value(i, handle)
        finally:
            abi.release(handle)

    def require(self, condition, *parts):
        if not condition:
            fail(*parts)


def register(registrar, pointer, entered):
    """What the folders have."""
    session = registrar.session
    for cls in [c for e in registrar.extensions for c in e.native[0]]:
        registrar.source(cls)
        schema = OpSchema()
        if 'schema' in cls.__dict__:
            cls.__dict__['schema'](schema)
        d = abi.OperationDef(size=C.sizeof(abi.OperationDef))
        doc = ((cls.__doc__ or '').strip().split('\n')[0])[:180]
        keep = [S(cls.type), S(cls.opset), S(doc)]
        d.op, d.opset, d.doc = keep
        (d.min_inputs, d.max_inputs), (d.min_outputs, d.max_outputs) = schema.counts['in'], schema.counts['out']
        attrs = (abi.AttrDef * max(len(schema.attributes), 1))()
        for a, (name, default, kind, ir_name, required) in zip(attrs, schema.attributes):
            a.size = C.sizeof(abi.AttrDef)
            texts = S(name), S(ir_name)
            keep.append(texts)
            a.name, a.ir_name = texts
            if default is not None:
                value = value_to_abi(default, keep)
                keep.append(value)
                a.kind, a.fallback = value.kind, C.addressof(value)
            else:
                a.kind = _KINDS[kind[0]] + 15 if isinstance(kind, list) else _KINDS[kind or str]
            a.required = 1 if required else 0
        d.attrs, d.n_attrs = attrs, len(schema.attributes)

        def run(hook, values):
            def call(args):
                context = Context(args.contents, values)
                try:
                    return hook(context)
                except BaseException as e:
                    e.mo_node = args.contents.node
                    raise
            return call
        from .start import INFER
        if 'infer' in cls.__dict__:
            d.infer = pointer(session, INFER, entered(session, run(cls.__dict__['infer'], False), None, cls=cls))
        if 'evaluate' in cls.__dict__:
            d.evaluate = pointer(session, EVALUATE, entered(session, run(cls.__dict__['evaluate'], True), None, cls=cls))
        abi.registry.operation(C.byref(d))
    for e in [x for extension in registrar.extensions for x in extension.native[1]]:
        from .start import ON_HANDLE
        abi.registry.in_source(S('{}:{}'.format(e.function.__code__.co_filename, e.function.__code__.co_firstlineno)))
        d = abi.ExtractorDef(size=C.sizeof(abi.ExtractorDef))
        keep = S(e.key[0]), S(e.key[1]), S(e.key[2])
        d.framework, d.domain, d.op = keep

        def extract(handle, e=e):
            from .graph import node_of
            try:
                e.function(SourceNode(node_of(handle)))
            except Declined as why:
                abi.rewrite.try_decline(0, S(str(why)))
                return abi.NOT_APPLICABLE
            return abi.OK
        d.extract = pointer(session, ON_HANDLE, entered(session, extract, 'front'))
        abi.registry.extractor(C.byref(d))

