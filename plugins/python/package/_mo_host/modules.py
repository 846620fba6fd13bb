"""What `import openvino.tools.mo…`, `import mo…` and `import extensions…` find.

The Model Optimizer moved its files about between releases, so a name is found under any of its modules.
"""
import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import types

import numpy as np

from . import abi, graph, library, model, ops, passes, shapes, utils
from .passes import ANCHORS, nearest

ROOTS = ('mo', 'extensions', 'openvino.tools.mo')
folders = {}    # extensions' own package of one of these names -> its folder

NAMES = dict(ops.LIBRARY)
for _module, _names in (
        (ops, 'Op UnaryElementwise Activation Elementwise Arithmetic LogicalElementwise ReduceOp create_op_with_const_inputs '
              'create_op_node_with_second_input insert_op'),
        (graph, 'Graph Node Connection rename_node rename_nodes merge_edge_props dict_includes replace_node'),
        (model, 'onnx_attr onnx_node_has_attr get_onnx_opset_version onnx_get_num_outputs get_onnx_datatype_as_numpy tf_dtype_extractor '
                'tf_data_type_cast tf_tensor_shape tf_int_list tf_tensor_content tf_data_format_spatial tf_data_format_channel '
                'tf_data_format_batch convert_tf_padding_to_str collect_tf_attrs embed_input weights_biases get_canonical_axis_index '
                'merge_attrs collect_attributes parse_param_str AttrDictionary get_mxnet_layer_attrs'),
        (passes, 'ReplacementPattern FrontReplacementPattern MiddleReplacementPattern BackReplacementPattern SubgraphMatch '
                 'FrontReplacementSubgraph FrontReplacementOp FrontReplacementFromConfigFileSubGraph '
                 'FrontReplacementFromConfigFileGeneral FrontReplacementFromConfigFileOp CustomReplacementDescriptor apply_pattern '
                 'find_pattern_matches check_value check_node_usages_out_of_match for_graph_and_each_sub_graph_recursively'),
        (shapes, 'dynamic_dimension dynamic_dimension_value shape_array is_fully_defined shape_insert shape_delete unmask_shape '
                 'compatible_dims compatible_shapes strict_compare_tensors mo_array int64_array float32_array float_array '
                 'float16_array clarify_values find_common_shape undefined_shape_of_rank mark_input_bins'),
        (utils, 'Error FrameworkError InternalError refer_to_faq_msg'),
        (library, ' '.join(library.__all__))):
    for _name in _names.split():
        NAMES[_name] = getattr(_module, _name)

NAMES['Port'] = graph.BasePort

# What cannot be had, and what does the same.
INSTEAD = {
    'get_front_classes': 'nothing: mo-host finds classes itself', 'main': 'mo-host convert', 'convert_model': 'mo-host convert',
    'partial_infer': 'nothing: shapes are inferred whenever they are asked for', 'build_graph': 'the model itself',
    'build_graph_with_attrs': 'the model itself', 'LayoutAttrs': 'nothing: the layout is changed by roles',
}


def find(module, name):
    phase = module.__name__.replace('openvino.tools.mo', 'mo').split('.')[1:2]
    if phase and phase[0] in ('front', 'middle', 'back') and name in ANCHORS and name not in ops.LIBRARY:
        return ANCHORS[name]
    if name in NAMES:
        return NAMES[name]
    if name in ANCHORS:
        return ANCHORS[name]
    own = _of_extensions(module, name)
    if own is not None:
        return own
    instead = INSTEAD.get(name)
    raise ImportError('cannot import name \'{}\' from \'{}\': mo-host has nothing of this name of the Model Optimizer{}'.format(
        name, module.__name__, '; instead: ' + instead if instead else nearest(name, list(NAMES) + list(ANCHORS))),
        name=name, path=module.__name__)


def _of_extensions(module, name):
    """Extensions were also copied into the Model Optimizer itself, and imported as a part of it."""
    from . import start
    path = module.__name__.replace('openvino.tools.mo', 'mo').split('.')[1:]
    for folder in list(start._extensions):
        if path and os.path.isfile(os.path.join(folder, *path) + '.py'):
            package = os.path.basename(folder).replace('.', '_')
            found = importlib.import_module('.'.join([package] + path))
            if hasattr(found, name):
                return getattr(found, name)
    return None


class Module(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name == '__all__':
            return [n for n in NAMES if not n.startswith('_')]
        if name.startswith('__'):
            raise AttributeError(name)
        return find(self, name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        root = name.split('.')[0]
        if root in folders and root in ('mo', 'extensions'):     # the extensions' own folder has such a name
            own = importlib.machinery.PathFinder.find_spec(name, path) if path else None
            if own is not None:
                return own
        if name in ('openvino', 'openvino.tools'):
            if importlib.machinery.PathFinder.find_spec(name, path) is not None:
                return None
        elif not any(name == r or name.startswith(r + '.') for r in ROOTS):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        pass


class _Stand(types.ModuleType):
    """For a module that extensions mention and that is not installed."""
    __path__ = []

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        raise ImportError('\'{}.{}\' is needed by an extension, and the module is not installed in this Python; '
                          '`pip install {}` gets it'.format(self.__name__, name, self.__name__.split('.')[0]))


class Last(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked when nobody else has a module: the few names of networkx and onnx that extensions use most."""
    HAVE = {'networkx': {'MultiDiGraph': graph.Graph, 'DiGraph': graph.Graph, 'Graph': graph.Graph},
            'onnx': {}, 'onnx.numpy_helper': {'to_array': model.to_array}}

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name in self.HAVE else None

    def create_module(self, spec):
        module = _Stand(spec.name)
        module.__dict__.update(self.HAVE[spec.name])
        return module

    def exec_module(self, module):
        if module.__name__ == 'onnx.numpy_helper':
            sys.modules['onnx'].numpy_helper = module


def install():
    if not any(isinstance(f, Finder) for f in sys.meta_path):
        sys.meta_path.insert(0, Finder())
        sys.meta_path.append(Last())


assert np is not None and abi is not None
