"""What extractors see of the framework's model: node.pb, node.symbol_dict, and the functions that read them."""
import ctypes as C

import numpy as np

from . import abi
from .graph import OutPort, fw_of
from .shapes import int64_array
from .utils import Error, MissingAttribute


def native(node, name):
    v = abi.Value()
    if not abi.found(abi.graph.try_native_attr(node.h, abi.S(name), C.byref(v))):
        return None
    return v.kind, abi.value_of(v)


def native_names(node):
    try:
        return abi.get_names(abi.graph.native_attr_names, node.h)
    except abi.HostError:
        return []


def native_key(node):
    domain, op, version = abi.Str(), abi.Str(), abi.i32()
    if not abi.found(abi.graph.try_native_key(node.h, C.byref(domain), C.byref(version), C.byref(op))):
        return None
    return abi.text(domain), version.value, abi.text(op)


def part(node, what):
    key = native_key(node)
    if key is None:
        raise MissingAttribute('node "{}" has no attribute \'{}\': it does not come from the model'.format(node.name, what))
    fw = fw_of(node.graph)
    if what == 'pb' and fw in ('onnx', 'tf', 'caffe'):
        return {'onnx': OnnxNode, 'tf': TfNode, 'caffe': CaffeLayer}[fw](node, key)
    if what == 'model_pb' and fw == 'caffe':
        return CaffeModel(node)
    if what == 'symbol_dict' and fw == 'mxnet':
        return mxnet_dict(node, key)
    raise MissingAttribute('node "{}" has no attribute \'{}\' in models of {}'.format(node.name, what, fw))


def _input_names(node):
    out = []
    for port in node.in_ports().values():
        source = port.get_source()
        tensors = source.get_tensor_names() if source is not None else []
        out.append(tensors[0] if tensors else source.node.name if source is not None else '')
    while out and not out[-1]:
        out.pop()
    return out


def _output_names(node):
    return [(OutPort(node, i).get_tensor_names() or [node.name])[0] for i in range(node._counts()[1])]


# ---- ONNX

_ONNX_TYPES = {1: 9, 3: 10, 4: 1, 5: 11, 7: 3, 8: 5, 9: 6, 10: 7, 16: 2, 17: 4, 18: 12, 19: 13, 25: 8, 2: 16}


class OnnxTensor:
    """A TensorProto, as onnx.numpy_helper reads it."""

    def __init__(self, array, name=''):
        self._array = array
        self.name, self.doc_string = name, ''
        self.dims = list(array.shape)
        self.data_type = _ONNX_TYPES[abi.NUMBERS[array.dtype]] if array.dtype != object else 8
        self.raw_data = array.tobytes() if array.dtype != object else b''
        self.external_data = []
        self.data_location = 0

    def HasField(self, name):
        return name in ('raw_data', 'name', 'data_type') and bool(getattr(self, name))

    def __getattr__(self, key):
        if key in ('float_data', 'int32_data', 'int64_data', 'double_data', 'uint64_data'):
            return self._array.reshape(-1).tolist()
        if key == 'string_data':
            return [str(s).encode() for s in self._array.reshape(-1)] if self._array.dtype == object else []
        raise AttributeError(key)


class OnnxAttribute:
    """An AttributeProto."""
    FIELDS = {1: 'i', 2: 'f', 4: 's', 7: 't', 16: 'ints', 17: 'floats', 19: 'strings', 22: 'tensors', 5: 'tp', 9: 's'}
    NUMBERS = {'f': 1, 'i': 2, 's': 3, 't': 4, 'floats': 6, 'ints': 7, 'strings': 8, 'tensors': 9, 'tp': 13}
    DEFAULTS = {'f': 0.0, 'i': 0, 's': b'', 't': None, 'floats': (), 'ints': (), 'strings': (), 'tensors': ()}

    def __init__(self, name, kind, value):
        self.name, self.doc_string, self.ref_attr_name = name, '', ''
        self._field = field = self.FIELDS.get(kind, 'i')
        if field == 'f':
            value = float(np.float32(value))
        elif field == 'floats':
            value = [float(np.float32(v)) for v in value]
        elif field == 's' and isinstance(value, str):
            value = value.encode()
        elif field == 'strings':
            value = [v.encode() for v in value]
        elif field == 't':
            value = OnnxTensor(value)
        elif field == 'tensors':
            value = [OnnxTensor(v) for v in value]
        self.type = self.NUMBERS[field]
        setattr(self, field, value)

    def __getattr__(self, key):
        if key in self.DEFAULTS:
            default = self.DEFAULTS[key]
            return list(default) if isinstance(default, tuple) else default
        raise AttributeError(key)

    def HasField(self, name):
        return name == self._field or name == 'name'


class OnnxNode:
    """A NodeProto."""

    def __init__(self, node, key):
        self._node = node
        self.domain, _, self.op_type = key
        self.name, self.doc_string = node.name, ''
        self.input, self.output = _input_names(node), _output_names(node)

    @property
    def attribute(self):
        out = []
        for name in native_names(self._node):
            found = native(self._node, name)
            if found is not None:
                out.append(OnnxAttribute(name, *found))
        return out

    def HasField(self, name):
        return bool(getattr(self, name, None))

    def __getattr__(self, key):
        raise AttributeError('a node of an ONNX model has no field {!r}'.format(key))


def onnx_attr(node, name, field, default=None, dst_type=None):
    found = native(node, name)
    if found is None:
        if dst_type is not None and default is not None and not isinstance(default, np.ndarray):
            return dst_type(default)
        return default
    attribute = OnnxAttribute(name, *found)
    value = getattr(attribute, field)
    if field != attribute._field:
        if field in ('ints', 'floats') and found[1] == []:    # an empty list has no kind
            value = []
        else:
            raise Error('Attribute "{}" of node "{}" is a "{}" in the model, not a "{}"', name, node.name, attribute._field, field)
    return dst_type(value) if dst_type is not None else value


def onnx_node_has_attr(node, name):
    return native(node, name) is not None


def get_onnx_opset_version(node):
    return native_key(node)[1]


def onnx_get_num_outputs(node):
    return len(_output_names(node))


def get_onnx_datatype_as_numpy(number):
    for mo, onnx in _ONNX_TYPES.items():
        if onnx == number and mo in abi.TYPES:
            return abi.TYPES[mo]
    raise Error('The data type {} of ONNX has no counterpart in numpy', number)


def to_array(tensor):
    return tensor._array


# ---- TensorFlow

_TF_TYPES = {4: 1, 5: 2, 9: 3, 16: 4, 8: 5, 7: 6, 25: 7, 10: 9, 1: 10, 17: 17, 3: 19, 18: 22, 19: 23, 2: 14}
_TF_DTYPES = {1: np.float32, 2: np.float64, 3: np.int32, 4: np.uint8, 5: np.int16, 6: np.int8, 7: str, 9: np.int64, 10: bool,
              17: np.uint16, 19: np.float16, 22: np.uint32, 23: np.uint64}


class _Dim:
    def __init__(self, size):
        self.size, self.name = -1 if size is None else size, ''


class TfShape:
    def __init__(self, dims):
        self.unknown_rank = dims is None
        self.dim = [_Dim(d) for d in dims or []]


class TfTensor:
    def __init__(self, array):
        self._array = array
        self.dtype = _TF_TYPES.get(abi.NUMBERS.get(array.dtype, 25), 7)
        self.tensor_shape = TfShape(list(array.shape))
        self.tensor_content = array.tobytes() if array.dtype != object else b''


class _TfList:
    def __init__(self, kind=0, values=()):
        for field in ('i', 'f', 'b', 's', 'type', 'shape', 'tensor', 'func'):
            setattr(self, field, [])
        for v in values:
            field, v = _tf_field({16: 1, 17: 2, 18: 3, 19: 4, 20: 5, 21: 6, 22: 7}[kind], v)
            getattr(self, field).append(v)


def _tf_field(kind, value):
    if kind == 1:
        return 'i', value
    if kind == 2:
        return 'f', float(np.float32(value))
    if kind == 3:
        return 'b', value
    if kind in (4, 9):
        return 's', value.encode('utf-8', 'surrogateescape') if isinstance(value, str) else value
    if kind == 5:
        return 'type', _TF_TYPES.get(int(value), 0)
    if kind == 6:
        return 'shape', TfShape(value)
    return 'tensor', TfTensor(value)


class TfAttr:
    """An AttrValue."""

    def __init__(self, kind=0, value=None):
        self.i, self.f, self.b, self.s, self.type = 0, 0.0, False, b'', 0
        self.shape, self.tensor, self.list, self._field = TfShape([]), None, _TfList(), None
        if kind >= 16:
            self.list, self._field = _TfList(kind, value), 'list'
        elif kind:
            self._field, value = _tf_field(kind, value)
            setattr(self, self._field, value)

    def HasField(self, name):
        return name == self._field

    def WhichOneof(self, name):
        return self._field


class _TfAttrs:
    def __init__(self, node):
        self._node = node

    def __getitem__(self, name):
        found = native(self._node, name)
        return TfAttr(*found) if found is not None else TfAttr()

    def __contains__(self, name):
        return native(self._node, name) is not None

    def __iter__(self):
        return iter(native_names(self._node))

    def __len__(self):
        return len(native_names(self._node))

    def keys(self):
        return native_names(self._node)

    def items(self):
        return [(k, self[k]) for k in self.keys()]

    def get(self, name, default=None):
        return self[name] if name in self else default


class TfNode:
    """A NodeDef."""

    def __init__(self, node, key):
        self.op, self.name, self.device = key[2], node.name, ''
        self.input = _input_names(node)
        self.attr = _TfAttrs(node)

    def HasField(self, name):
        return bool(getattr(self, name, None))


def tf_dtype_extractor(number, default=None):
    return _TF_DTYPES.get(number, default)


def tf_data_type_cast(*args):
    raise Error('tf_data_type_cast is not available; constants of the model are inputs with values')


def tf_tensor_shape(shape):
    return int64_array([d.size for d in shape.dim])


def tf_int_list(attr):
    return int64_array(attr.i)


def tf_tensor_content(dtype, shape, tensor):
    return tensor._array


def tf_data_format_spatial(fmt):
    return [1, 2] if fmt in (b'NHWC', b'') else [2, 3] if fmt == b'NCHW' else None


def tf_data_format_channel(fmt):
    return [3] if fmt in (b'NHWC', b'') else [1]


def tf_data_format_batch(fmt):
    return [0]


def convert_tf_padding_to_str(padding):
    value = padding.s if hasattr(padding, 's') else padding
    value = value.decode() if isinstance(value, bytes) else value
    return {'SAME': 'same_upper', 'VALID': 'valid', 'EXPLICIT': None}[value]


def get_tf_node_port(tensor):
    name, _, port = tensor.partition(':')
    return name, int(port or 0)


def collect_tf_attrs(attrs):
    """Every attribute in the form that Python has; texts stay bytes."""
    out = {}
    for name, attr in attrs.items():
        field = attr._field
        if field == 'list':
            values = next((getattr(attr.list, f) for f in ('i', 'f', 'b', 's', 'type') if getattr(attr.list, f)), [])
            out[name] = list(values)
        elif field == 'type':
            out[name] = tf_dtype_extractor(attr.type)
        elif field == 'shape':
            out[name] = tf_tensor_shape(attr.shape)
        elif field == 's':
            out[name] = attr.s
        elif field == 'tensor':
            out[name] = attr.tensor._array
        elif field:
            out[name] = getattr(attr, field)
    return out


# ---- Caffe

class _Missing:
    """A field that the layer does not set and whose default is not known here: of a number 0, of a message empty."""


class CaffeMessage:
    """A parameter message, by the path of its fields."""

    def __init__(self, node, path, defaults=None):
        self.__dict__.update(_node=node, _path=path, _set={})

    def _full(self, key):
        return self._path + '.' + key if self._path else key

    def _has(self, path):
        found = native(self._node, path + '?')
        return found is not None and bool(found[1])

    def _is_message(self, path):
        return any(n.startswith(path + '.') for n in native_names(self._node))

    def __getattr__(self, key):
        if key.startswith('__'):
            raise AttributeError(key)
        if key in self._set:
            return self._set[key]
        path = self._full(key)
        if key.endswith('_param') or self._is_message(path):
            return CaffeMessage(self._node, path)
        found = native(self._node, path)
        if found is not None:
            kind, value = found
            if kind == 2:
                return float(np.float32(value))
            if kind == 17:
                return [float(np.float32(v)) for v in value]
            if kind == 4:
                number = _caffe_enum(key, value)
                return value if number is None else number
            return value
        default = CAFFE_DEFAULTS.get((self._path.rpartition('.')[2], key), CAFFE_DEFAULTS.get(('', key)))
        if default is not None:
            return default
        raise AttributeError('"{}" of layer "{}" is not set, and its default is not known; --caffe_proto names the '
                             'file that declares it'.format(path, self._node.name))

    def __setattr__(self, key, value):
        self._set[key] = value

    def HasField(self, key):
        path = self._full(key)
        return self._has(path) or native(self._node, path) is not None and not CAFFE_DEFAULTS.get((self._path, key)) \
            or self._is_message(path)

    def ListFields(self):
        out = []
        prefix = self._path + '.' if self._path else ''
        for name in native_names(self._node):
            if name.startswith(prefix) and '.' not in name[len(prefix):] and self._has(name):
                out.append((_Field(name[len(prefix):]), getattr(self, name[len(prefix):])))
        return out

    @property
    def DESCRIPTOR(self):
        class Descriptor:
            fields = [_Field(n.rpartition('.')[2]) for n in native_names(self._node) if n.startswith(self._path + '.')]
        return Descriptor

    def __repr__(self):
        return 'message {} of layer {}'.format(self._path or 'LayerParameter', self._node.name)


class _Field:
    def __init__(self, name):
        self.name = name


CAFFE_DEFAULTS = {
    ('power_param', 'power'): 1.0, ('power_param', 'scale'): 1.0, ('power_param', 'shift'): 0.0, ('scale_param', 'axis'): 1,
    ('scale_param', 'num_axes'): 1, ('scale_param', 'bias_term'): False, ('bias_param', 'axis'): 1, ('softmax_param', 'axis'): 1,
    ('concat_param', 'axis'): 1, ('slice_param', 'axis'): 1, ('eltwise_param', 'operation'): 1, ('eltwise_param', 'coeff'): [],
    ('inner_product_param', 'bias_term'): True, ('inner_product_param', 'axis'): 1, ('inner_product_param', 'transpose'): False,
    ('convolution_param', 'bias_term'): True, ('convolution_param', 'group'): 1, ('relu_param', 'negative_slope'): 0.0,
    ('elu_param', 'alpha'): 1.0, ('python_param', 'param_str'): '', ('python_param', 'module'): '', ('python_param', 'layer'): '',
    ('flatten_param', 'axis'): 1, ('flatten_param', 'end_axis'): -1, ('lrn_param', 'local_size'): 5, ('lrn_param', 'alpha'): 1.0,
    ('lrn_param', 'beta'): 0.75, ('pooling_param', 'pool'): 0, ('pooling_param', 'stride'): 1, ('pooling_param', 'pad'): 0,
    ('batch_norm_param', 'eps'): 1e-5, ('prelu_param', 'channel_shared'): False, ('tile_param', 'axis'): 1,
    ('reshape_param', 'axis'): 0, ('reshape_param', 'num_axes'): -1, ('exp_param', 'base'): -1.0, ('exp_param', 'scale'): 1.0,
    ('exp_param', 'shift'): 0.0, ('log_param', 'base'): -1.0, ('log_param', 'scale'): 1.0, ('log_param', 'shift'): 0.0,
    ('crop_param', 'axis'): 2, ('crop_param', 'offset'): [], ('mvn_param', 'normalize_variance'): True,
    ('mvn_param', 'across_channels'): False, ('mvn_param', 'eps'): 1e-9, ('threshold_param', 'threshold'): 0.0,
    ('dropout_param', 'dropout_ratio'): 0.5, ('argmax_param', 'top_k'): 1, ('argmax_param', 'out_max_val'): False,
    ('reduction_param', 'axis'): 0, ('reduction_param', 'coeff'): 1.0, ('reduction_param', 'operation'): 1,
}
_CAFFE_ENUMS = {'operation': {'PROD': 0, 'SUM': 1, 'MAX': 2}, 'pool': {'MAX': 0, 'AVE': 1, 'STOCHASTIC': 2},
                'norm_region': {'ACROSS_CHANNELS': 0, 'WITHIN_CHANNEL': 1}, 'phase': {'TRAIN': 0, 'TEST': 1}}


def _caffe_enum(field, value):
    return _CAFFE_ENUMS.get(field, {}).get(value)


class CaffeLayer(CaffeMessage):
    """A LayerParameter."""

    def __init__(self, node, key):
        super().__init__(node, '')
        kind = key[2]
        if key[0] == 'Python' or kind.startswith('Python.'):
            kind = 'Python'
        self._set.update(name=node.name, type=kind, bottom=_input_names(node)[:len(_bottoms(node))], top=_output_names(node))

    def __getattr__(self, key):
        if key == 'python_param':
            return PythonParam(self._node)
        return super().__getattr__(key)


class PythonParam:
    def __init__(self, node):
        for field in ('module', 'layer', 'param_str'):
            found = native(node, field)
            value = found[1] if found is not None else ''
            setattr(self, field, value)


def _bottoms(node):
    found = native(node, 'bottom')
    return found[1] if found is not None and isinstance(found[1], list) else [found[1]] if found is not None else []


class CaffeBlob:
    def __init__(self, array):
        self._array = array
        self.data = array.reshape(-1)
        self.shape = type('BlobShape', (), {'dim': list(array.shape)})()
        self.num, self.channels, self.height, self.width = (list(array.shape) + [0] * 4)[:4]

    @property
    def double_data(self):
        return []


class CaffeModel:
    """The layer of the .caffemodel: its blobs are inputs of the node here."""

    def __init__(self, node):
        self.blobs = []
        first = len(_bottoms(node))
        for i, port in node.in_ports().items():
            if i >= first and not port.disconnected():
                value = port.data.get_value()
                if value is not None:
                    self.blobs.append(CaffeBlob(value))

    def __bool__(self):
        return bool(self.blobs)


def embed_input(attrs, port, name, value, bin_name=None):
    """The weights are inputs already; what is noted is which of them extractors have asked for."""
    attrs[name] = np.array(value)
    attrs.setdefault('embedded_inputs', []).append((port, name, {'bin': bin_name or name}))


def weights_biases(bias_term, layer, start_index=1, proto=None):
    attrs = {}
    if not layer:
        return attrs
    embed_input(attrs, start_index, 'weights', layer.blobs[0].data)
    if bias_term and len(layer.blobs) > 1:
        embed_input(attrs, start_index + 1, 'biases', layer.blobs[1].data)
    return attrs


def get_canonical_axis_index(shape, axis):
    return axis if axis >= 0 else len(shape) + axis


def merge_attrs(param, update_attrs):
    """Of the attributes those whose field the layer sets."""
    out = {}
    for key, value in update_attrs.items():
        if isinstance(param, CaffeMessage) and not param._has(param._full(key)):
            continue
        out[key] = value
    return out


def collect_attributes(param, prefix=None, enable_flattening_nested_params=False):
    return {f.name: v for f, v in param.ListFields()}


def parse_param_str(param_str):
    import ast
    text = param_str.strip()
    value = ast.literal_eval(text if text.startswith('{') else '{' + text + '}') if text else {}
    if not isinstance(value, dict):
        raise Error('param_str {!r} is no dictionary', param_str)
    return value


# ---- MXNet

def mxnet_dict(node, key):
    attrs = {}
    for name in native_names(node):
        found = native(node, name)
        if found is not None:
            value = found[1]
            attrs[name] = str(tuple(value)) if isinstance(value, list) else str(value)
    return {'op': key[2] if key[0] != 'Custom' else 'Custom', 'name': node.name, 'attrs': attrs, 'inputs': []}


_text = str


class AttrDictionary:
    """Attributes of an MXNet operator, which are texts."""

    def __init__(self, attrs):
        self._dict = dict(attrs)

    def is_valid(self):
        return bool(self._dict)

    def dict(self):
        return self._dict

    def has(self, key):
        return key in self._dict

    def add_dict(self, other):
        self._dict.update(other)

    def set(self, key, value):
        self._dict[key] = value

    def remove(self, key):
        self._dict.pop(key, None)

    def str(self, key, default=None):
        if key not in self._dict:
            if default is None:
                raise Error('Missing required parameter: ' + key)
            return default
        return self._dict[key]

    val = str

    def _read(self, key, default, read):
        if key not in self._dict:
            return default
        value = self._dict[key]
        return read(value)

    def bool(self, key, default=None):
        return self._read(key, default, lambda v: v in (True, 'True', 'true', '1', 1))

    def int(self, key, default=None):
        return self._read(key, default, lambda v: None if v == 'None' else int(float(v)))

    def float(self, key, default=None):
        return self._read(key, default, lambda v: None if v == 'None' else float(v))

    def tuple(self, key, valtype=_text, default=None):
        return self._read(key, default, lambda v: default if v in ('None', '()') else tuple(
            valtype(p) for p in v.strip('()[]').split(',') if p.strip()))

    def list(self, key, valtype, default=None, sep=','):
        return self._read(key, default, lambda v: default if v == 'None' else [
            valtype(p) for p in v.strip('()[]').split(sep) if p.strip()])

    def __getattr__(self, key):
        if key.startswith('__') or key not in self._dict:
            raise AttributeError(key)
        return self._dict[key]



def get_mxnet_layer_attrs(json_dict):
    attrs = json_dict.get('attrs') or json_dict.get('attr') or json_dict.get('param') or {}
    return AttrDictionary(attrs)
