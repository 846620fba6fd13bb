"""What operations and their attributes are called here and in the Model Optimizer.

The host knows an operation by the name of the operation set, from extraction on; one that its front-end has not
translated yet has the framework's name and no set. The Model Optimizer had names of its own for some (`op`), beside the
`type` of the operation set.
"""
import ctypes as C

import numpy as np

from . import abi
from .abi import here

PRIVATE = 'mo.python'   # the set of nodes that only extensions understand; none of them reaches the IR

ANY_ORDER = 'mo.python.any_order'  # the same of nodes whose dimensions may be turned with those of the graph around them
ORDER = 'mo_order'   # an attribute with the number of each dimension, which is turned with them

# op of the Model Optimizer -> type of the operation set
TYPES = {
    'Sub': 'Subtract', 'Mul': 'Multiply', 'Div': 'Divide', 'Pow': 'Power', 'Negative': 'Negative', 'Neg': 'Negative',
    'SoftMax': 'SoftMax', 'Softmax': 'SoftMax', 'Shape': 'ShapeOf', 'ShapeOf': 'ShapeOf', 'Cast': 'Convert',
    'SoftPlus': 'SoftPlus', 'Round': 'Round', 'ExpandDims': 'Unsqueeze', 'L2Normalization': 'NormalizeL2',
    'Permute': 'Transpose', 'FakeQuantize': 'FakeQuantize', 'hswish': 'HSwish', 'Conv2D': 'Convolution', 'Conv': 'Convolution',
    'Placeholder': 'Parameter', 'LeakyReLU': 'PReLU', 'batchNormInference': 'BatchNormInference', 'Floor': 'Floor',
    'LogSoftmax': 'LogSoftmax', 'NormalizeL2': 'NormalizeL2', 'Ceiling': 'Ceiling', 'OpOutput': 'Result',
}
# type of the operation set -> op of the Model Optimizer, where it is another
OPS = {'Subtract': 'Sub', 'Multiply': 'Mul', 'Divide': 'Div', 'Power': 'Pow', 'Convert': 'Cast', 'ShapeOf': 'ShapeOf',
       'SoftMax': 'SoftMax', 'Softmax': 'SoftMax', 'BatchNormInference': 'batchNormInference', 'SoftPlus': 'SoftPlus',
       'Pad': 'Pad'}
# of operators that nobody has translated yet, by framework: (op, type)
SOURCE = {
    'onnx': {'Clip': ('Clamp', 'Clamp'), 'Conv': ('Conv', 'Convolution'), 'ConvTranspose': ('Deconvolution', None),
             'AveragePool': ('AvgPool', 'AvgPool'), 'MaxPool': ('MaxPool', 'MaxPool'), 'LeakyRelu': ('LeakyReLU', 'PReLU'),
             'Relu': ('ReLU', 'ReLU'), 'Neg': ('Negative', 'Negative'), 'Sqrt': ('Sqrt', 'Sqrt'), 'Softmax': ('SoftMax', 'SoftMax'),
             'Upsample': ('Upsample', None), 'BatchNormalization': ('batchNormInference', 'BatchNormInference'),
             'Gemm': ('Gemm', None), 'HardSigmoid': ('HardSigmoid', 'HardSigmoid'), 'Shape': ('ShapeOf', 'ShapeOf'),
             'Flatten': ('FlattenONNX', None), 'Slice': ('Slice', None), 'Sum': ('EltwiseN', None)},
    'tf': {'Relu': ('ReLU', 'ReLU'), 'Relu6': ('Clamp', 'Clamp'), 'Neg': ('Negative', 'Negative'), 'MaxPool': ('MaxPool', 'MaxPool'),
           'AvgPool': ('AvgPool', 'AvgPool'), 'BiasAdd': ('Add', 'Add'), 'Softmax': ('SoftMax', 'SoftMax'),
           'Conv2D': ('Conv2D', 'Convolution'), 'DepthwiseConv2dNative': ('DepthwiseConv2dNative', 'Convolution'),
           'FusedBatchNorm': ('FusedBatchNorm', None), 'ExpandDims': ('ExpandDims', 'Unsqueeze'), 'Shape': ('ShapeOf', 'ShapeOf')},
    'caffe': {'ReLU': ('ReLU', 'ReLU'), 'Power': ('AttributedPower', 'Power'), 'InnerProduct': ('MatMul', 'MatMul'),
              'Pooling': ('Pooling', None), 'Softmax': ('SoftMax', 'SoftMax'), 'Sigmoid': ('Sigmoid', 'Sigmoid'),
              'TanH': ('Tanh', 'Tanh'), 'Convolution': ('Convolution', 'Convolution'), 'Eltwise': ('Eltwise', None)},
    'mxnet': {},
}

# Other names under which an operation is meant, too: of older versions, and of operators that later became another.
ALSO = {'Pooling': ('MaxPool', 'AvgPool'), 'AttributedSlice': ('Slice',), 'Conv2D': ('Convolution', 'Conv'), 'Conv': ('Convolution',),
        'Softmax': ('SoftMax',)}

# What TensorFlow calls reductions, which old versions kept.
REDUCTIONS = {'Mean': 'ReduceMean', 'Sum': 'ReduceSum', 'Max': 'ReduceMax', 'Min': 'ReduceMin', 'Prod': 'ReduceProd', 'Any': 'ReduceLogicalOr',
              'All': 'ReduceLogicalAnd'}

# (op, name in the Model Optimizer) -> name here
ATTRIBUTES = {
    ('', 'stride'): 'strides', ('', 'dilation'): 'dilations', ('', 'eps'): 'epsilon', ('', 'transpose_a'): 'transpose_a',
    ('', 'src_type'): None, ('', 'dst_type'): 'destination_type', ('', 'out_type'): 'output_type',
}


def _source_names(node, op, which):
    from .graph import fw_of
    known = SOURCE.get(fw_of(node.graph), {}).get(op)
    return known[which] if known else (op if which == 0 else None)


# What the Model Optimizer read as AttributedPower, and later had as a power or a product: (scale, power).
_POWERS = {'Sqrt': (1.0, 0.5), 'Rsqrt': (1.0, -0.5), 'Square': (1.0, 2.0), 'Negative': (-1.0, 1.0), 'Neg': (-1.0, 1.0)}


def _power(node):
    """(scale, power) of an operator of the model that was one."""
    op = node._is()[0]
    if op in _POWERS and '_class' not in (node._own() or {}):
        tag = abi.u64()
        if abi.found(abi.graph.try_native_tag(node.h, C.byref(tag))) and tag.value:
            return _POWERS[op]
    return None


def lift(graph, wanted):
    """Of the middle and back phase: operations that the Model Optimizer had as powers or products become some."""
    from . import ops
    from .graph import OutPort, node_of
    for op, (scale, power) in _POWERS.items():
        if (wanted == 'Pow') != (scale == 1.0):
            continue
        for h in graph._handles('opset1::' + op):
            node = node_of(h, graph)
            if _power(node) is None:
                continue
            d = node.in_port(0)._desc()
            if d is None or d.type not in abi.TYPES:
                continue
            value = np.array(power if scale == 1.0 else scale, dtype=abi.TYPES[d.type])
            const = ops.Const(graph, {'name': node.name + '/value', 'value': value}).create_node()
            abi.graph.set_op(h, abi.S('Power' if wanted == 'Pow' else 'Multiply'), abi.S('opset1'))
            node.add_input_port(1, skip_if_exist=True)
            abi.graph.connect(OutPort(const, 0)._abi(), abi.Port(h, 1, abi.IN))


def op_here(node):
    op, opset = node._is()
    if here.extracting == node.h:    # as the model has it
        return op
    if here.phase == 'front' and op in _POWERS and _power(node):
        return 'AttributedPower'
    if opset in (PRIVATE, ANY_ORDER):
        return op
    if opset == '' and op not in ('Parameter', 'Const', 'Result'):
        return _source_names(node, op, 0)
    return OPS.get(op, op)


def type_here(node):
    op, opset = node._is()
    if opset in (PRIVATE, ANY_ORDER):
        return None
    if opset == '':
        return _source_names(node, op, 1)
    return 'SoftMax' if op == 'Softmax' else op


def _host_names(wanted):
    """Operations of the host that may be meant by an op or type of the Model Optimizer."""
    found = {wanted}
    if wanted in REDUCTIONS:
        found.add(REDUCTIONS[wanted])
    for other in ALSO.get(wanted, ()):
        found |= _host_names(other)
    if wanted == 'AttributedPower':
        found.update(_POWERS)
    if wanted in TYPES:
        found.add(TYPES[wanted])
    if TYPES.get(wanted) == 'SoftMax':
        found.add('Softmax')
    for table in SOURCE.values():
        for source, (op, kind) in table.items():
            if wanted in (op, kind):
                found.add(source)
    return found


_names_of = {}


def candidates(graph, attrs):
    """(nodes, what is left to be asked): by the host's index where an operation is asked for."""
    from .graph import _alive, fw_of, node_of
    key = 'op' if isinstance(attrs.get('op'), str) else 'type' if isinstance(attrs.get('type'), str) else None
    if key is None:
        return graph._all(), attrs
    wanted = attrs[key]
    rest = {k: v for k, v in attrs.items() if k != key}
    if here.phase != 'front' and wanted in ('Pow', 'Mul', 'Power', 'Multiply'):
        lift(graph, 'Pow' if wanted.startswith('Pow') else 'Mul')
    host = _names_of.get(wanted)
    if host is None:
        host = _names_of[wanted] = sorted(_host_names(wanted))
    session = here.session
    own, handles, asked = session.attributes, set(), []
    fits = is_op if key == 'op' else lambda have, asked_for: False
    source = SOURCE.get(fw_of(graph), {})
    for name in host:
        untranslated = set(graph._handles('::' + name)) if name not in ('Const', 'Parameter', 'Result') else set()
        translated = [h for h in graph._handles('*::' + name) if h not in untranslated]
        if key == 'op':
            of = [(untranslated, source.get(name, (name, None))[0]), (translated, OPS.get(name, name))]
        else:
            of = [(untranslated, source.get(name, (None, None))[1]), (translated, 'SoftMax' if name == 'Softmax' else name)]
        for group, have in of:
            sure = have == wanted or fits(have, wanted)
            if name in _POWERS and here.phase == 'front':
                asked += group
            elif sure:
                asked += [h for h in group if h in own]
                handles.update(h for h in group if h not in own)
            else:
                asked += [h for h in group if h in own]
    for h in list(session.by_op.get(wanted, ())):
        if not _alive(h):
            del session.by_op[wanted][h]
        elif h not in handles:
            g = abi.u64()
            abi.graph.graph_of(h, C.byref(g))
            if g.value == graph.h:
                asked.append(h)
    for h in set(asked):
        have = getattr(node_of(h, graph), key)
        if have == wanted or fits(have, wanted):
            handles.add(h)
        else:
            handles.discard(h)
    if wanted == 'Transpose' and here.phase == 'middle':
        from .graph import hides
        handles = {h for h in handles if not hides(graph, h)}
    return [node_of(h, graph) for h in sorted(handles)], rest


def _python(value):
    """Lists of numbers as arrays, as the Model Optimizer's attributes are."""
    if isinstance(value, abi.Type):
        return abi.TYPES.get(int(value), int(value))
    if isinstance(value, list) and value and all(isinstance(v, (int, float, bool)) for v in value):
        return np.array(value)
    if isinstance(value, list) and not value:
        return np.array([], dtype=np.int64)
    return value


# Attributes that the Model Optimizer's extractors took from others.
_NATIVE = {'squeeze_dims': ('axes',), 'unsqueeze_dims': ('axes', 'dim'), 'expand_axis': ('dim', 'axis'), 'num_splits': ('num_split', 'num'),
           'eps': ('epsilon',), 'negative_slope': ('alpha',), 'keep_dims': ('keepdims',), 'group': ('num_group',)}


def is_op(have, wanted):
    return isinstance(wanted, str) and (REDUCTIONS.get(wanted) == have or have in ALSO.get(wanted, ()))


def attribute_here(node, key):
    """An attribute that the host has; KeyError where it has none."""
    if node._own() and '_class' in node._own():
        raise KeyError(key)
    if key in ('scale', 'power', 'shift') and here.phase == 'front':
        found = _power(node)
        if found is not None:
            return {'scale': found[0], 'power': found[1], 'shift': 0.0}[key]
    v = abi.Value()
    for name in (key, ATTRIBUTES.get(('', key))):
        if name and abi.found(abi.graph.try_node_attr(node.h, abi.S(name), C.byref(v))):
            value = _python(abi.value_of(v))
            if key in ('begin_mask', 'end_mask') and node._is()[0] == 'StridedSlice':
                value = 1 - value
            return value
    if node._is()[1] == '':    # what the model says of an operator that nobody has translated yet
        from . import model
        for name in (key,) + _NATIVE.get(key, ()):
            found = model.native(node, name)
            if found is not None:
                return _python(found[1])
    if key == 'auto_pad':
        return None
    raise KeyError(key)


def attribute_names(node):
    return abi.get_names(abi.graph.node_attr_names, node.h)


def definition(op, opset=''):
    d = C.POINTER(abi.OperationDef)()
    if not abi.found(abi.graph.try_definition_of(abi.S(op), abi.S(opset), C.byref(d))):
        return None
    return d.contents


def ir_text(value, known=True):
    """As the Model Optimizer wrote it; of operations that the host knows lists as the IR has them."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower() if known else str(value)
    if known and isinstance(value, (list, tuple, np.ndarray)):
        return ','.join(ir_text(v) for v in np.asarray(value).reshape(-1).tolist())
    if known and isinstance(value, (type, np.dtype)):
        return abi.IR_TYPES[abi.type_number(value)]
    if isinstance(value, np.generic):
        return str(value.item()) if known else str(value)
    return str(value)


def tell_host(node, key, value):
    """An attribute that an extension sets on a node of the host's own."""
    op, opset = node._is()
    d = definition(op, opset) if opset not in ('', PRIVATE, ANY_ORDER) else None
    if d is None or value is None:
        return
    known = {}
    for a in d.attrs[:d.n_attrs] if d.n_attrs else []:
        name = abi.text(a.name)
        known[name] = abi.text(a.ir_name) or name
    for name in (key, ATTRIBUTES.get(('', key))):
        if name in known and known[name] != '-':
            if key in ('begin_mask', 'end_mask') and op == 'StridedSlice':
                value = [1 - int(v) for v in np.asarray(value).reshape(-1)]
            abi.graph.set_ir_attr(node.h, abi.S(known[name]), abi.S(ir_text(value)))
            return


def may_have_input(node, idx):
    """An input that the model's operator leaves out and the Model Optimizer's operation has; it is there from now on."""
    own = node._own()
    if own and '_class' in own or not isinstance(idx, int) or idx in node._gone():
        return False
    kind = node.type
    d = definition(kind) if kind else None
    if d is None and node._is()[1] == '':
        d = definition(node._is()[0])
    if d is None or d.max_inputs == 0xffffffff or idx >= d.max_inputs:
        return False
    node.add_input_port(idx, skip_if_exist=True)
    return True
