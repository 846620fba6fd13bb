"""Helpers of the Model Optimizer that belong to none of the other modules."""
import logging

import numpy as np

from . import model
from .ops import (Cast, Concat, Const, Gather, Op, Result, ShapeOf, Unsqueeze, create_op_with_const_inputs)  # noqa: F401
from .shapes import int64_array, shape_array
from .utils import Error


def copy_shape_infer(node, value_infer=None):
    """Every output has the shape of the first input."""
    for port in node.out_ports().values():
        port.data.set_shape(node.in_port(0).data.get_shape())
    if value_infer is not None and node.in_port(0).data.get_value() is not None:
        value_infer(node)


def copy_value(node):
    value = node.in_port(0).data.get_value()
    return None if value is None else value.copy()


def single_output_infer(node, shape_infer, value_infer=None):
    shape = shape_infer(node)
    if shape is not None:
        node.out_port(0).data.set_shape(shape)
    if value_infer is not None:
        value = value_infer(node)
        if value is not None:
            node.out_port(0).data.set_value(value)


def eltwise_infer(node, op=None, **kwargs):
    values = [p.data.get_value() for p in node.in_ports().values() if not p.disconnected()]
    if op is not None and all(v is not None for v in values):
        result = values[0] if len(values) > 1 else op(values[0], **kwargs)
        for v in values[1:]:
            result = op(result, v, **kwargs)
        return node.out_port(0).data.set_value(np.asarray(result))
    node.out_port(0).data.set_shape(bi_directional_shape_broadcasting(
        *[p.data.get_shape() for p in node.in_ports().values() if not p.disconnected()]))


def bi_directional_shape_broadcasting(*shapes):
    """The shape of what is computed element by element; None where sizes do not go together."""
    rank = max(len(s) for s in shapes)
    out = []
    for k in range(rank):
        dims = [s[len(s) - rank + k] for s in shapes if len(s) - rank + k >= 0]
        known = [d for d in dims if d is not np.ma.masked and d != 1]
        if len(set(known)) > 1:
            return None
        open_dims = [d for d in dims if d is np.ma.masked]
        out.append(known[0] if known else open_dims[0] if open_dims else 1)
    return shape_array(out)


def copy_type_infer(node):
    node.out_port(0).set_data_type(node.in_port(0).get_data_type())


class _Mapped:
    """Layouts: what dimension is the channels, and so on."""

    @staticmethod
    def features(layout, rank):
        return rank - 1 if layout == 'NHWC' and rank > 3 else 1

    @staticmethod
    def height(layout, rank):
        return {'NHWC': rank - 3, 'NCHW': rank - 2}[layout]

    @staticmethod
    def width(layout, rank):
        return {'NHWC': rank - 2, 'NCHW': rank - 1}[layout]


def get_features_dim(layout, shape_len):
    return _Mapped.features(layout, shape_len)


def get_height_dim(layout, shape_len):
    return _Mapped.height(layout, shape_len)


def get_width_dim(layout, shape_len):
    return _Mapped.width(layout, shape_len)


def get_depth_dim(layout, shape_len):
    return {'NHWC': 1, 'NCHW': 2}[layout]


def get_batch_dim(layout, shape_len):
    return 0


def get_dim_from_layout(node, dim):
    raise Error('get_dim_from_layout is not available; get_features_dim and the like are')


def shape_for_layout(layout, **dims):
    order = {'NHWC': 'batch height width features', 'NCHW': 'batch features height width'}[layout].split()
    if 'depth' in dims:
        order.insert(1 if layout == 'NHWC' else 2, 'depth')
    return int64_array([dims[k] for k in order])


class PermuteAttrs:
    """Which attributes are about dimensions. Here the host keeps each operation in the order of the model, with Transposes
    around it where that is needed, so there is nothing to do when the layout changes."""

    class Permutation:
        def __init__(self, perm, inv):
            self.perm, self.inv = perm, inv

    def __init__(self):
        self.attrs = {}

    def update_attrs(self, attrs):
        for a in attrs:
            self.attrs[a[0]] = a[1:]
        return self

    @staticmethod
    def create_permute_attrs(node, attrs=None):
        node['permute_attrs'] = PermuteAttrs().update_attrs(attrs or [])

    @staticmethod
    def set_permutation(*args, **kwargs):
        pass

    @staticmethod
    def get_nhwc_to_nchw_permutation(rank):
        perm = [0, rank - 1] + list(range(1, rank - 1)) if rank > 3 else list(range(rank))
        return PermuteAttrs.Permutation(int64_array(perm), int64_array(np.argsort(perm)))

    @staticmethod
    def get_nchw_to_nhwc_permutation(rank):
        perm = [0] + list(range(2, rank)) + [1] if rank > 3 else list(range(rank))
        return PermuteAttrs.Permutation(int64_array(perm), int64_array(np.argsort(perm)))


class PermuteInputs:
    """The same of inputs."""

    def set_input_permutation(self, *args, **kwargs):
        pass


class FrontExtractorOp:
    op = None
    enabled = False
    domain = None

    @classmethod
    def extract(cls, node):
        raise Error('{} has no extract', cls.__name__)


class CaffePythonFrontExtractorOp(FrontExtractorOp):
    @staticmethod
    def parse_param_str(param_str):
        return model.parse_param_str(param_str)

    @staticmethod
    def get_attrs(pb):
        return model.parse_param_str(pb.python_param.param_str)

    @staticmethod
    def check_param(op_cls, attrs):
        known = []
        for entry in op_cls(None, {}).supported_attrs():
            known.append(entry[1] if isinstance(entry, tuple) and isinstance(entry[1], str) else entry[0] if isinstance(entry, tuple) else entry)
        for a in attrs:
            if a not in known:
                raise Error('Parameter {} is not recognised, please check correctness.\n List of supported parameters '
                            'is: {}', a, ', '.join(map(str, known)))


class MXNetCustomFrontExtractorOp(FrontExtractorOp):
    pass


def log_debug_dict(values, title=''):
    logging.debug('%s: %s', title, values)


def send_event(*args, **kwargs):
    pass


class Telemetry:
    def __init__(self, *args, **kwargs):
        pass

    send_event = send_event


def get_value_id(node):
    return next((i for i, p in node.in_ports().items() if p.data.get_value() is not None), None)


def get_tensor_id(node):
    return next((i for i, p in node.in_ports().items() if p.data.get_value() is None), None)


def get_value_in_port(node):
    i = get_value_id(node)
    return None if i is None else node.in_port(i)


def get_tensor_in_port(node):
    i = get_tensor_id(node)
    return None if i is None else node.in_port(i)


def get_list_from_container(container, key, dtype):
    value = container.get(key)
    return [] if value is None else [dtype(v) for v in (value if isinstance(value, list) else [value])]


def bool_to_str(node, attr):
    value = node.soft_get(attr, None)
    if value is None:
        return None
    return str(bool(value)).lower()


def np_data_type_to_destination_type(kind):
    from . import abi
    return abi.IR_TYPES[abi.type_number(kind)]


def data_type_str_to_np(name):
    from . import abi
    return abi.TYPES[abi.type_number(name)]


def data_type_str_to_precision(name):
    return {'float': 'FP32', 'half': 'FP16'}.get(name, name)


def node_to_get_shape_value_of_indices(shape_node, indices):
    """A part of what a ShapeOf gives."""
    return create_op_with_const_inputs(shape_node.graph, Gather, {1: int64_array(indices), 2: int64_array(0)},
                                       {'name': shape_node.name + '/indices'}, shape_node)


def get_shape_values_by_indices_node(shape_node, indices_node):
    graph = shape_node.graph
    gather = create_op_with_const_inputs(graph, Gather, {2: int64_array(0)}, {'name': shape_node.name + '/gather'}, shape_node)
    gather.in_port(1).connect(indices_node.out_port(0))
    return gather


def new_shape_node_from_shape_nodes(input_shape_nodes):
    graph = input_shape_nodes[0].graph
    node = Concat(graph, {'axis': 0, 'name': input_shape_nodes[0].name + '/concat', 'in_ports_count': len(input_shape_nodes)}).create_node()
    for i, s in enumerate(input_shape_nodes):
        s.out_port(0).connect(node.in_port(i))
    return node


class RTInfo:
    def __init__(self):
        self.info = {}


class ClassType:
    EXTRACTOR, OP, FRONT_REPLACER, MIDDLE_REPLACER, BACK_REPLACER = range(5)


def get_new_placeholder_name(node_id, is_out_port=False, port=0):
    return '{}/placeholder{}_port_{}'.format(node_id, '_out' if is_out_port else '', port)


def spatial_getter(name, attr, rule):
    return name, lambda node: rule(getattr(node, attr))


def attr_getter(node, name):
    value = node.soft_get(name, None)
    if isinstance(value, (list, tuple, np.ndarray)):
        return ','.join(map(str, value))
    return None if value is None else str(value)


def getter(value, index):
    return value[index]


def add_opoutput(graph, node_name, port, cut=True, keep_output_port=False, user_defined_name=None):
    """The output becomes one of the model; `cut`: of the model alone. The id of the Result."""
    node = graph._node(node_name)
    source = node.out_port(port)
    if cut:
        for reader in source.get_destinations():
            reader.disconnect()
    result = Result(graph, {'name': user_defined_name or '{}/sink_port_{}'.format(node.soft_get('name', node.id), port)}).create_node()
    source.connect(result.in_port(0))
    return result.id


def remove_op_node_with_data_node(graph, node_to_remove, input_data_node=None):
    """Who reads it reads what it reads, or that data node."""
    if input_data_node is None:
        return graph.erase_node(node_to_remove)
    node_to_remove.out_port(0).get_connection().set_source(input_data_node._port())
    graph.remove_node(node_to_remove.id)


def get_next_operation(node):
    """Those that read its outputs, each once."""
    found = []
    for port in node.out_ports().values():
        found += [d.node for d in port.get_destinations() if d.node not in found]
    return found


def layout_attrs():
    return {'spatial_dims': int64_array([2, 3]), 'channel_dims': int64_array([1]), 'batch_dims': int64_array([0]), 'layout': 'NCHW'}


def get_onnx_autopad(auto_pad):
    text = auto_pad.decode().lower()
    return None if text == 'notset' else text


def get_backend_pad(pads, spatial_dims, axis):
    return [pads[dim][axis] for dim in spatial_dims]


def np_data_type_to_precision(kind):
    from . import abi
    return {'f32': 'FP32', 'f16': 'FP16', 'f64': 'FP64', 'boolean': 'BOOL'}.get(abi.IR_TYPES[abi.type_number(kind)],
                                                                               abi.IR_TYPES[abi.type_number(kind)].upper())


def nothing_to_do(*args, **kwargs):
    """What tells the Model Optimizer something that the host knows: how shapes go back to inputs, which layout is meant."""


reverse_bypass_infer = set_input_shapes = mark_input_as_in_correct_layout = mark_output_as_in_correct_layout = nothing_to_do

__all__ = ['copy_shape_infer', 'copy_value', 'single_output_infer', 'eltwise_infer', 'copy_type_infer', 'get_features_dim', 'get_height_dim',
           'get_width_dim', 'get_depth_dim', 'get_batch_dim', 'get_dim_from_layout', 'shape_for_layout', 'PermuteAttrs', 'PermuteInputs', 'FrontExtractorOp',
           'CaffePythonFrontExtractorOp', 'MXNetCustomFrontExtractorOp', 'log_debug_dict', 'send_event', 'Telemetry', 'get_value_id', 'get_tensor_id',
           'get_value_in_port', 'get_tensor_in_port', 'get_list_from_container', 'bool_to_str', 'np_data_type_to_destination_type', 'data_type_str_to_np',
           'data_type_str_to_precision', 'node_to_get_shape_value_of_indices', 'get_shape_values_by_indices_node', 'new_shape_node_from_shape_nodes',
           'RTInfo', 'ClassType', 'get_new_placeholder_name', 'spatial_getter', 'attr_getter', 'getter',
           'bi_directional_shape_broadcasting', 'add_opoutput', 'remove_op_node_with_data_node', 'get_next_operation', 'layout_attrs', 'get_onnx_autopad',
           'get_backend_pad', 'np_data_type_to_precision', 'reverse_bypass_infer', 'set_input_shapes', 'mark_input_as_in_correct_layout',
           'mark_output_as_in_correct_layout']
