"""Op, the Model Optimizer's library of operations, and what becomes of both in the host's graph.

A node of the library whose operation the host has is made as it will be written. Some operations existed only in the
Model Optimizer (AttributedPower, Clamp with inputs, EltwiseN): such a node, and one of an extension's own operation, is
of the set PRIVATE until it is settled, that is replaced by what it stands for. Of the front phase that happens when all
extensions have run, so that one sees what another has made; later after each one.
"""
import builtins
import ctypes as C
import os
import sys

import numpy as np

from . import abi, names
from .abi import IN, OUT, Port, here
from .graph import DataNode, Node, OutPort, _alive, _out_port, node_of
from .names import PRIVATE
from .utils import Error

_here = os.path.dirname(__file__)


class Op:
    """Base of an extension's operations."""
    op = None
    enabled = True
    registered_ops = {}     # by name: classes that derive from Op itself

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if Op in cls.__bases__ and isinstance(cls.op, str) and not cls.__module__.startswith('_mo_host'):
            Op.registered_ops[cls.op] = cls

    def __init__(self, graph=None, ssd_attrs=None, attrs=None):
        self.graph = graph
        self.ir_version = 11
        self.attrs = {'kind': 'op', 'dim_attrs': ['channel_dims', 'batch_dims', 'spatial_dims', 'input_channel_dim', 'output_channel_dim', 'axes', 'axis'],
                      'shape_attrs': ['pad', 'stride', 'dilation', 'window', 'kernel_shape']}
        if ssd_attrs:
            self.attrs.update(ssd_attrs)
        if attrs:
            self.attrs.update(attrs)
        if self.attrs.get('op') is None and type(self).op is not None:
            self.attrs['op'] = type(self).op

    def supported_attrs(self):
        return []

    def backend_attrs(self):
        return self.supported_attrs()

    def substitute_ie_attrs(self, new_attrs):
        pass

    def update_shape_attrs(self, *args):
        pass

    def update_dim_attrs(self, *args):
        pass

    def get_opset(self):
        return self.attrs.get('version', 'extension')

    def add_node(self, attrs=None):
        return make_node(self.graph, dict(self.attrs, **(attrs or {})), op=self)

    def create_node(self, inputs=None, attrs=None, edge_attrs=None):
        """`inputs`: nodes, data nodes, ports or (node, index)."""
        all_attrs = dict(self.attrs, **(attrs or {}))
        return make_node(self.graph, all_attrs, op=self, inputs=[None if x is None else _out_port(x) for x in inputs or []])

    def create_node_on_port(self, node, out_port, attrs=None, edge_attrs=None):
        return self.create_node([(node, out_port)], attrs, edge_attrs)

    def create_node_with_data(self, inputs=None, attrs=None, data_nodes=None, edge_attrs=None):
        node = self.create_node(inputs, attrs)
        if data_nodes is not None:
            targets = data_nodes if isinstance(data_nodes, (list, tuple)) else [data_nodes]
            for i, d in enumerate(targets):
                d._port().get_connection().set_source(node.out_port(i))
                d._moves(node, i)
        made = [DataNode(node.graph, node.h, i) for i in range(node._counts()[1])]
        return made[0] if len(made) == 1 else made

    create_data_node = create_node_with_data

    @classmethod
    def create_input_data_node(cls, graph, name, value, attrs=None):
        node = Const(graph, dict(attrs or {}, name=name, value=np.array(value))).create_node()
        return DataNode(graph, node.h, 0)

    @classmethod
    def create_and_connect_input_data_node(cls, graph, op_node, attrs=None, edge_attrs=None):
        attrs = dict(attrs or {})
        data = cls.create_input_data_node(graph, attrs.get('name', ''), attrs['value'])
        i = (edge_attrs or {}).get('in', 0)
        op_node.add_input_port(i, skip_if_exist=True)
        data._port().connect(op_node.in_port(i))
        return data

    @classmethod
    def update_node_stat(cls, node, attrs=None):
        """The node becomes one of this class, with these attributes."""
        op = cls(node.graph, dict(attrs or {}))
        become(node, op.attrs, op)

    @classmethod
    def get_op_class_by_name(cls, name):
        found = Op.registered_ops.get(name) or LIBRARY.get(name)
        if found is None:
            from .passes import nearest
            raise Error('There is no operation class with the name \'{}\'{}', name, nearest(name, Op.registered_ops))
        return found

    @staticmethod
    def normalize_outputs(node):
        """Outputs that nothing reads need no Result here."""

    @staticmethod
    def expand_node_shape(node, dims_to_add):
        raise Error('expand_node_shape is not available; reshape the value of the constant')


class Library(Op):
    """An operation that the Model Optimizer had itself."""
    TYPE, VERSION, INS, OUTS, ATTRS, DEFAULTS = None, 'opset1', 1, 1, (), {}
    lower = None    # of operations that the host does not have: what they stand for

    def __init__(self, graph=None, attrs=None, *more):
        cls = type(self)
        base = dict(op=cls.op, type=cls.TYPE, version=cls.VERSION, in_ports_count=cls.INS, out_ports_count=cls.OUTS, infer=cls.infer)
        base.update(cls.DEFAULTS)
        given = dict(attrs or {})
        for extra in more:
            given.update(extra or {})
        if 'out_ports_count' not in given:
            if given.get('num_splits') is not None:
                base['out_ports_count'] = int(given['num_splits'])
            elif given.get('size_splits', given.get('split_lengths')) is not None:
                base['out_ports_count'] = len(given.get('size_splits', given.get('split_lengths')))
        super().__init__(graph, base, given)

    def backend_attrs(self):
        return list(type(self).ATTRS)

    @classmethod
    def infer(cls, node):
        """The host infers what it knows; this is for an extension's own node that calls it, and for forms that it does not know."""
        from . import library
        form = infer_form(cls) or (library.eltwise_infer if cls.INS == 2 and 'auto_broadcast' in cls.ATTRS else library.copy_shape_infer)
        form(node)


LIBRARY = {}


def _library(name, type=None, version='opset1', ins=1, outs=1, attrs=(), lower=None, op=None, **defaults):
    cls = builtins.type(name, (Library,), {
        'op': op or name, 'TYPE': (type or name) if lower is None else None, 'VERSION': version, 'INS': ins, 'OUTS': outs,
        'ATTRS': tuple(attrs), 'DEFAULTS': defaults, '__module__': '_mo_host.ops',
        'lower': None if lower is None else staticmethod(lower)})
    LIBRARY[name] = cls
    globals()[name] = cls
    return cls


def _mask(key):
    """The Model Optimizer's masks say what is used, those of the operation set what is not."""
    def written(node):
        value = node.soft_get(key, None)
        return None if value is None else [1 - int(v) for v in np.asarray(value).reshape(-1)]
    return written


for _n in ('Abs Acos Asin Atan Ceiling Cos Cosh Erf Exp Floor Log ReLU Sigmoid Sign Sin Sinh Sqrt Tan Tanh LogicalNot '
           'Negative').split():
    _library(_n)
for _n, _v in (('Acosh', 'opset4'), ('Asinh', 'opset4'), ('Atanh', 'opset4'), ('HSwish', 'opset4'), ('HSigmoid', 'opset5'),
               ('Mish', 'opset4'), ('SoftPlus', 'opset4'), ('SoftSign', 'opset9')):
    _library(_n, version=_v)
for _n in 'Add Maximum Minimum SquaredDifference FloorMod Mod Greater GreaterEqual Less LessEqual Equal NotEqual LogicalAnd '\
          'LogicalOr LogicalXor'.split():
    _library(_n, ins=2, attrs=['auto_broadcast'])
for _n, _t in (('Sub', 'Subtract'), ('Mul', 'Multiply'), ('Div', 'Divide'), ('Pow', 'Power')):
    _library(_n, _t, ins=2, attrs=['auto_broadcast'])
for _n, _t in (('ReduceSum', None), ('ReduceMean', None), ('ReduceMax', None), ('ReduceMin', None), ('ReduceProd', None),
               ('ReduceAnd', 'ReduceLogicalAnd'), ('ReduceOr', 'ReduceLogicalOr'), ('ReduceLogicalAnd', None),
               ('ReduceLogicalOr', None)):
    _library(_n, _t, ins=2, attrs=['keep_dims'], keep_dims=False)
for _n in ('ReduceL1', 'ReduceL2'):
    _library(_n, version='opset4', ins=2, attrs=['keep_dims'], keep_dims=False)
_interpolate = ['mode', 'nearest_mode', 'antialias', 'pads_begin', 'pads_end', 'coordinate_transformation_mode', 'cube_coeff',
                'shape_calculation_mode']
_conv = ['auto_pad', 'strides', 'dilations', 'pads_begin', 'pads_end']
for _row in (
    ('Elu', dict(attrs=['alpha'], alpha=1.0)), ('Gelu', dict(version='opset7', attrs=['approximation_mode'])),
    ('Swish', dict(version='opset4', ins=2)), ('PReLU', dict(ins=2)), ('GeLUOP', dict(type='Gelu', op='Gelu', version='opset7', attrs=['approximation_mode'], approximation_mode='erf')), ('Selu', dict(ins=3)), ('HardSigmoid', dict(ins=3)),
    ('LogSoftmax', dict(version='opset5', attrs=['axis'], axis=1)), ('Round', dict(version='opset5', attrs=['mode'], mode='half_to_even')),
    ('AttributedClamp', dict(type='Clamp', op='AttributedClamp', attrs=['min', 'max'])),
    ('Concat', dict(attrs=['axis'], axis=1, ins=None)), ('Split', dict(ins=2, attrs=['num_splits'])), ('VariadicSplit', dict(ins=3)),
    ('Reshape', dict(ins=2, attrs=['special_zero'], special_zero=True)), ('Squeeze', dict(ins=2)), ('Unsqueeze', dict(ins=2)),
    ('Transpose', dict(ins=2)), ('Tile', dict(ins=2)), ('Gather', dict(version='opset8', ins=3, attrs=['batch_dims'], batch_dims=0)),
    ('GatherND', dict(version='opset8', ins=2, attrs=['batch_dims'], batch_dims=0)),
    ('GatherElements', dict(version='opset6', ins=2, attrs=['axis'], axis=0)),
    ('StridedSlice', dict(ins=4, attrs=[('begin_mask', _mask('begin_mask')), ('end_mask', _mask('end_mask')), 'new_axis_mask', 'shrink_axis_mask', 'ellipsis_mask'])),
    ('Pad', dict(ins=4, attrs=[('pad_mode', 'mode')], mode='constant')),
    ('MatMul', dict(ins=2, attrs=['transpose_a', 'transpose_b'], transpose_a=False, transpose_b=False)),
    ('Softmax', dict(type='SoftMax', op='SoftMax', version='opset8', attrs=['axis'], axis=1)),
    ('Cast', dict(type='Convert', attrs=[('destination_type', 'dst_type')])), ('ConvertLike', dict(ins=2)),
    ('Shape', dict(type='ShapeOf', version='opset3', attrs=['output_type'], op='ShapeOf', output_type=np.int64)), ('Broadcast', dict(version='opset3', ins=3, attrs=['mode'], mode='numpy')),
    ('Range', dict(version='opset4', ins=3, attrs=['output_type'])), ('Select', dict(ins=3, attrs=['auto_broadcast'])),
    ('OneHot', dict(ins=4, attrs=['axis'], axis=-1)),
    ('TopK', dict(version='opset3', ins=2, outs=2, attrs=['axis', 'mode', 'sort', 'index_element_type'], mode='max', sort='value')),
    ('NonZero', dict(version='opset3', attrs=['output_type'])), ('CumSum', dict(version='opset3', ins=2, attrs=['exclusive', 'reverse'], exclusive=False, reverse=False)),
    ('ScatterNDUpdate', dict(version='opset4', ins=3)), ('ScatterElementsUpdate', dict(version='opset3', ins=4)), ('ScatterUpdate', dict(version='opset3', ins=4)),
    ('Bucketize', dict(version='opset3', ins=2, attrs=['with_right_bound', 'output_type'])),
    ('LRN', dict(ins=2, attrs=['alpha', 'beta', 'bias', 'size'])), ('GRNOp', dict(type='GRN', op='GRN', attrs=['bias'])),
    ('MVN', dict(version='opset6', ins=2, attrs=['eps', 'eps_mode', 'normalize_variance'], normalize_variance=True, eps_mode='inside_sqrt')),
    ('NormalizeL2Op', dict(type='NormalizeL2', op='NormalizeL2', ins=2, attrs=['eps', 'eps_mode'], eps=1e-12, eps_mode='add')), ('Interpolate', dict(version='opset4', ins=4, attrs=_interpolate,
     pads_begin=[0], pads_end=[0], antialias=False, shape_calculation_mode='sizes', coordinate_transformation_mode='half_pixel', nearest_mode='round_prefer_floor', cube_coeff=-0.75)),
    ('DepthToSpaceOp', dict(type='DepthToSpace', op='DepthToSpace', attrs=['block_size', 'mode'], mode='blocks_first')),
    ('SpaceToDepth', dict(attrs=['block_size', 'mode'], mode='blocks_first')), ('BatchToSpace', dict(version='opset2', ins=4)), ('SpaceToBatch', dict(version='opset2', ins=4)),
    ('ReverseSequence', dict(ins=2, attrs=['batch_axis', 'seq_axis'], batch_axis=0, seq_axis=1)), ('BatchNormInference', dict(version='opset5', ins=5, attrs=[('epsilon', 'eps')], op='batchNormInference')),
    ('FakeQuantize', dict(ins=5, attrs=['levels', 'auto_broadcast'])), ('Result', dict(outs=0)),
    ('PSROIPoolingOp', dict(type='PSROIPooling', op='PSROIPooling', ins=2, attrs=['output_dim', 'group_size', 'spatial_scale', 'mode', 'spatial_bins_x', 'spatial_bins_y'])),
    ('ROIPooling', dict(ins=2, attrs=['pooled_h', 'pooled_w', 'spatial_scale', 'method'])),
    ('RegionYoloOp', dict(type='RegionYolo', op='RegionYolo', attrs=['coords', 'classes', 'num', 'axis', 'end_axis', 'do_softmax', 'anchors', 'mask'])),
    ('ReorgYoloOp', dict(type='ReorgYolo', op='ReorgYolo', version='opset2', attrs=[('stride', 'stride')])),
    ('NonMaxSuppression', dict(version='opset5', ins=6, outs=3, attrs=['sort_result_descending', 'box_encoding', 'output_type'])),
    ('DetectionOutput', dict(ins=3, attrs=['num_classes', 'background_label_id', 'top_k', 'variance_encoded_in_target', 'keep_top_k', 'code_type', 'share_location',
     'nms_threshold', 'confidence_threshold', 'clip_after_nms', 'clip_before_nms', 'decrease_label_id', 'normalized', 'input_height', 'input_width', 'objectness_score'])),
    ('ProposalOp', dict(type='Proposal', op='Proposal', version='opset4', ins=3, attrs=['base_size', 'pre_nms_topn', 'post_nms_topn', 'nms_thresh', 'feat_stride', 'min_size', 'ratio', 'scale',
     'clip_before_nms', 'clip_after_nms', 'normalize', 'box_size_scale', 'box_coordinate_scale', 'framework'])),
    ('PriorBoxOp', dict(type='PriorBox', op='PriorBox', ins=2, attrs=['min_size', 'max_size', 'aspect_ratio', 'flip', 'clip', 'step', 'offset', 'variance', 'scale_all_sizes',
     'density', 'fixed_size', 'fixed_ratio'])),
    ('PriorBoxClusteredOp', dict(type='PriorBoxClustered', op='PriorBoxClustered', ins=2, attrs=['width', 'height', 'clip', 'step', 'step_w', 'step_h', 'offset', 'variance'])),
    ('DFT', dict(version='opset7', ins=2)), ('IDFT', dict(version='opset7', ins=2)), ('RDFT', dict(version='opset9', ins=2)), ('IRDFT', dict(version='opset9', ins=2)),
    ('Einsum', dict(version='opset7', ins=None, attrs=['equation'])), ('Roll', dict(version='opset7', ins=3)), ('GridSample', dict(version='opset9', ins=2, attrs=['align_corners', 'mode', 'padding_mode'])),
    ('ExtractImagePatches', dict(version='opset3', attrs=['sizes', 'strides', 'rates', 'auto_pad'])), ('Eye', dict(version='opset9', ins=3, attrs=['output_type'])),
    ('DeformableConvolution', dict(version='opset8', ins=3, attrs=_conv + ['group', 'deformable_group'])), ('Convolution', dict(ins=2, attrs=_conv, op='Convolution')),
    ('Deconvolution', dict(type='ConvolutionBackpropData', ins=2, attrs=_conv + ['output_padding'])), ('GroupConvolution', dict(ins=2, attrs=_conv)),
    ('ROIAlign', dict(version='opset3', ins=3, attrs=['pooled_h', 'pooled_w', 'sampling_ratio', 'spatial_scale', 'mode'])), ('CTCGreedyDecoderOp', dict(type='CTCGreedyDecoder', op='CTCGreedyDecoder', ins=2, attrs=['ctc_merge_repeated'])),
    ('RandomUniform', dict(version='opset8', ins=3, attrs=['output_type', 'global_seed', 'op_seed'])), ('Slice', dict(version='opset8', ins=5)), ('Multinomial', dict(version='opset13', ins=2, attrs=['convert_type', 'with_replacement', 'log_probs'])),
    ('LSTMCell', dict(version='opset4', ins=6, outs=2, attrs=['hidden_size', 'activations', 'activations_alpha', 'activations_beta', 'clip'])),
    ('GRUCell', dict(version='opset3', ins=5, attrs=['hidden_size', 'activations', 'activations_alpha', 'activations_beta', 'clip', 'linear_before_reset'])),
    ('RNNCell', dict(version='opset3', ins=5, attrs=['hidden_size', 'activations', 'activations_alpha', 'activations_beta', 'clip'])),
    ('EmbeddingBagOffsetsSum', dict(version='opset3', ins=5)), ('EmbeddingBagPackedSum', dict(version='opset3', ins=3)), ('EmbeddingSegmentsSum', dict(version='opset3', ins=6)),
    ('ShuffleChannels', dict(version='opset3', attrs=['axis', 'group'])), ('LogSoftmaxOp', dict(type='LogSoftmax', op='LogSoftmax', version='opset5', attrs=['axis'], axis=1)),
    ('Const', dict(ins=0)), ('Parameter', dict(ins=0)), ('IsFinite', dict(version='opset10')), ('IsInf', dict(version='opset10')), ('IsNaN', dict(version='opset10')),
    ('Unique', dict(version='opset10', ins=2, outs=4, attrs=['sorted', 'index_element_type', 'count_element_type'])), ('BitwiseAnd', dict(version='opset13', ins=2)), ('BitwiseOr', dict(version='opset13', ins=2)), ('BitwiseXor', dict(version='opset13', ins=2)),
    ('BitwiseNot', dict(version='opset13')), ('CTCLoss', dict(version='opset4', ins=5, attrs=['preprocess_collapse_repeated', 'ctc_merge_repeated', 'unique'])),
    ('GroupNormalization', dict(version='opset12', ins=3, attrs=['num_groups', 'epsilon'])), ('GatherTree', dict(ins=4)),
    ('Assign', dict(version='opset6', attrs=['variable_id'])), ('ReadValue', dict(version='opset6', attrs=['variable_id', 'variable_shape', 'variable_type'])),
    ('OvSlice', dict(type='Slice', version='opset8', op='Slice', ins=5)), ('ReLU6', dict(type='Clamp', op='AttributedClamp', attrs=['min', 'max'], min=0.0, max=6.0)),
):
    _library(_row[0], **_row[1])
for _row in (
    ('CTCGreedyDecoderSeqLenOp', dict(type='CTCGreedyDecoderSeqLen', op='CTCGreedyDecoderSeqLen', version='opset6', ins=3, outs=2, attrs=[
        'classes_index_type', 'sequence_length_type', 'merge_repeated'])),
    ('DeformablePSROIPoolingOp', dict(type='DeformablePSROIPooling', op='DeformablePSROIPooling', ins=3, attrs=['spatial_scale', 'output_dim', 'group_size', 'mode',
        'spatial_bins_x', 'spatial_bins_y', 'trans_std', 'part_size'])),
    ('ExperimentalDetectronDetectionOutput', dict(version='opset6', ins=4, outs=3, attrs=['class_agnostic_box_regression', 'max_detections_per_image', 'nms_threshold',
        'num_classes', 'post_nms_count', 'score_threshold', 'max_delta_log_wh', 'deltas_weights'])),
    ('ExperimentalDetectronGenerateProposalsSingleImage', dict(version='opset6', ins=4, outs=2, attrs=['min_size', 'nms_threshold', 'post_nms_count', 'pre_nms_count'])),
    ('ExperimentalDetectronPriorGridGenerator', dict(version='opset6', ins=3, attrs=['flatten', 'h', 'w', 'stride_x', 'stride_y'])),
    ('ExperimentalDetectronROIFeatureExtractor', dict(version='opset6', ins=None, outs=2, attrs=['pyramid_scales', 'output_size', 'sampling_ratio', 'aligned'])),
    ('ExperimentalDetectronTopKROIs', dict(version='opset6', ins=2, attrs=['max_rois'])),
    ('NMSRotated', dict(version='opset13', ins=5, outs=3, attrs=['sort_result_descending', 'output_type', 'clockwise'])),
):
    _library(_row[0], **_row[1])


class Unavailable(Op):
    """An operation of the Model Optimizer that cannot be had: what only stood between its own transformations."""

    def __init__(self, graph=None, *attrs):
        raise Error('the Model Optimizer\'s operation "{}" is not available in mo-host; make it of operations of the operation sets: '
                    '`mo-host list ops` has them', type(self).__name__)


for _n in '''ATen AdaptiveAvgPooling ArgMaxOp ArgMinOp Assert AttributedLRN AttributedRandomUniform AxpyOp BN Binarization BlockLSTM
BoxNms CaffeSlice ClibByValueTF Complex ConstantFill CopyOp Crop DequantizeLinear DropoutMask EltwiseNin1
EmbeddingSegmentsMean Enter Exit FakeOutput Fill GRU GRUBlockCell GroupNorm If InstanceNormalization InterpOp LSTM
LSTMSequence LayerNorm LogSoftmaxONNX LookupTableInsert Loop LstmNonLinearity MVNCaffe MXFFT MXRepeat Memory
MemoryOffset Merge NextIteration ONNXPad ONNXResize10 ONNXResize11Op PNormOp PoolingV2 ProposalPythonExampleOp
QuantizeLinear RNN ResizeOp RestrictedAttentionComponent Reverse Scatter ScatterAdd ScatterDiv ScatterElementsAdd
ScatterElementsDiv ScatterElementsMax ScatterElementsMin ScatterElementsMul ScatterElementsSub ScatterMax ScatterMin
ScatterMul ScatterSub SliceLike SparseFillEmptyRows SparseReshape SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum
Splice Switch TFEye TFFFT TFPad TFResize TFScatterND TFSlice TdnnComponent TensorArray TensorArrayGather
TensorArrayReader TensorArrayScatter TensorArraySize TensorArrayWriter TensorIterator TensorIteratorBackEdge
TensorIteratorCondition TensorIteratorInput TensorIteratorOutput ThresholdedRelu TimeHeightConvolutionComponent'''.split():
    globals()[_n] = LIBRARY[_n] = builtins.type(_n, (Unavailable,), {'op': _n, '__module__': '_mo_host.ops'})
LIBRARY['SoftMax'] = SoftMax = LIBRARY['Softmax']
LIBRARY['ShapeOf'] = ShapeOf = LIBRARY['Shape']
LIBRARY['NormalizeL2'], LIBRARY['Gelu'], LIBRARY['GRN'] = LIBRARY['NormalizeL2Op'], LIBRARY['GeLUOP'], LIBRARY['GRNOp']
LIBRARY['Convert'] = LIBRARY['Cast']
LIBRARY['Activation'] = Library
UnaryElementwise = Activation = Elementwise = Arithmetic = LogicalElementwise = ReduceOp = Library


# ---- Operations that only the Model Optimizer had

def _made(node, cls, inputs, suffix='', **attrs):
    name = node.name + suffix if suffix else node.name + '/new'
    return cls(node.graph, dict(attrs, name=name)).create_node(inputs)


def _constant(node, value, suffix):
    return Const(node.graph, {'name': node.name + suffix, 'value': value}).create_node()


def _scalar(node, value, suffix):
    """A constant in the type of the first input, f32 where that is not known yet."""
    d = node.in_port(0)._desc() if not node.in_port(0).disconnected() else None
    kind = abi.TYPES.get(d.type, np.float32) if d is not None else np.float32
    return _constant(node, np.array(value, dtype=kind), suffix)


def _take_place(node, new, index=0):
    """`new` gets the outputs and the name of `node`."""
    name = node.name
    for i, port in list(node.out_ports().items()):
        source = new[i] if isinstance(new, list) else _out_port(new) if i == 0 else OutPort(new, i)
        port.get_connection().set_source(source)
    node.graph.remove_node(node.id)
    first = new[0].node if isinstance(new, list) else new
    if first._is()[0] not in ('Const', 'Parameter') and isinstance(first, Node) and first.name.startswith(name + '/'):
        first['name'] = name


def _source_of(node, i=0):
    source = node.in_port(i).get_source()
    if source is None:
        raise Error('input {} of node {} ({}) is not connected', i, node.name, node.op)
    return source


def _lower_clamp(node):
    limits = []
    for i, default in ((1, None), (2, None)):
        value = None
        if node.is_in_port_connected(i):
            value = node.in_port(i).data.get_value()
            if value is None:
                limits.append(_source_of(node, i))
                continue
            value = float(np.asarray(value).reshape(-1)[0])
        limits.append(value)
    low, high = limits
    x = _source_of(node)
    if not isinstance(low, OutPort) and not isinstance(high, OutPort):
        d = node.in_port(0)._desc()
        big = 3.4028234663852886e+38
        return _take_place(node, _made(node, AttributedClamp, [x], min=-big if low is None else low, max=big if high is None else high))
    out = x
    for limit, cls in ((low, Maximum), (high, Minimum)):
        if limit is not None:
            out = _made(node, cls, [out, limit if isinstance(limit, OutPort) else _scalar(node, limit, '/limit')]).out_port(0)
    _take_place(node, out.node)


def _lower_power(node):
    out = _source_of(node)
    last = None
    for cls, value, neutral in ((Mul, node.soft_get('scale', 1.0), 1), (Add, node.soft_get('shift', 0.0), 0),
                                (Pow, node.soft_get('power', 1.0), 1)):
        if float(value) != neutral:
            last = _made(node, cls, [out, _scalar(node, value, '/' + cls.op)], '/' + cls.op.lower())
            out = last.out_port(0)
    if last is None:
        return _bypass(node)
    _take_place(node, last)


def _bypass(node):
    node.out_port(0).get_connection().set_source(_source_of(node))
    node.graph.remove_node(node.id)


def _lower_eltwise(cls):
    def lower(node):
        inputs = [p.get_source() for p in node.in_ports().values() if not p.disconnected()]
        if len(inputs) == 1:
            return _bypass(node)
        out = inputs[0]
        for k, other in enumerate(inputs[1:]):
            out = _made(node, globals()[cls], [out, other], '/{}'.format(k)).out_port(0)
        _take_place(node, out.node)
    return lower


def _lower_any_eltwise(node):
    """Eltwise of old versions, with its operation as an attribute."""
    operation = node.soft_get('operation', 'sum')
    cls = {'sum': 'Add', 'mul': 'Mul', 'prod': 'Mul', 'max': 'Maximum', 'min': 'Minimum', 'sub': 'Sub', 'div': 'Div', 'pow': 'Pow',
           'equal': 'Equal', 'less': 'Less', 'greater': 'Greater', 'squared_diff': 'SquaredDifference'}.get(operation)
    if cls is None:
        raise Error('node {} (Eltwise): the operation "{}" is not known', node.name, operation)
    _lower_eltwise(cls)(node)


def _lower_split(node):
    axis = _constant(node, np.array(node.soft_get('axis', 1), np.int64), '/axis')
    n = int(node.soft_get('num_splits', node._counts()[1]))
    node.add_output_port(n - 1, skip_if_exist=True)
    _take_place(node, _made(node, Split, [_source_of(node), axis], num_splits=n, out_ports_count=n))


def _lower_variadic_split(node):
    axis = _constant(node, np.array(node.soft_get('axis', 1), np.int64), '/axis')
    lengths = node.soft_get('size_splits', node.soft_get('split_lengths', None))
    lengths = np.array(lengths, np.int64)
    node.add_output_port(lengths.size - 1, skip_if_exist=True)
    sizes = _constant(node, lengths, '/lengths')
    _take_place(node, _made(node, VariadicSplit, [_source_of(node), axis, sizes], out_ports_count=lengths.size))


def _lower_gather(node):
    axis = _constant(node, np.array(node.soft_get('axis', 0), np.int64), '/axis')
    _take_place(node, _made(node, Gather, [_source_of(node), _source_of(node, 1), axis]))


def _lower_tile(node):
    shape = node.in_port(0).data.get_shape()
    if shape is None:
        raise Error('node {} (AttributedTile): the rank of its input is not known; use Tile with repeats', node.name)
    repeats = np.ones(len(shape), np.int64)
    repeats[node.axis] = node.tiles
    _take_place(node, _made(node, Tile, [_source_of(node), _constant(node, repeats, '/repeats')]))


def _lower_pad(node):
    pads = np.array(node.pads, np.int64).reshape(-1, 2)
    value = _scalar(node, node.soft_get('fill_value', 0.0), '/value')
    _take_place(node, _made(node, Pad, [_source_of(node), _constant(node, pads[:, 0].copy(), '/begin'),
                                        _constant(node, pads[:, 1].copy(), '/end'), value], mode=node.soft_get('mode', 'constant')))


def _lower_slice(node):
    axes = np.array(node.soft_get('axes', node.soft_get('axis', None)), np.int64).reshape(-1)
    begin = np.array(node.soft_get('starts', node.soft_get('start', None)), np.int64).reshape(-1)
    end = np.array(node.soft_get('ends', node.soft_get('end', None)), np.int64).reshape(-1)
    steps = node.soft_get('steps', None)
    steps = np.ones(begin.size, np.int64) if steps is None else np.array(steps, np.int64).reshape(-1)
    _take_place(node, _made(node, Slice, [_source_of(node)] + [_constant(node, v, s) for v, s in (
        (begin, '/begin'), (end, '/end'), (steps, '/steps'), (axes, '/axes'))]))


def _lower_leaky(node):
    _take_place(node, _made(node, PReLU, [_source_of(node), _scalar(node, np.array([node.soft_get('negative_slope', 0.01)]), '/slope')]))


def _lower_scale_shift(node):
    out = _source_of(node)
    for i, cls in ((1, Mul), (2, Add)):
        if node.is_in_port_connected(i):
            out = _made(node, cls, [out, _source_of(node, i)], '/' + cls.op.lower()).out_port(0)
    _take_place(node, out.node) if out.node.name.startswith(node.name + '/') else _bypass(node)


def _lower_bias(node):
    _take_place(node, _made(node, Add, [_source_of(node), _source_of(node, 1)]))


def _lower_gemm(node):
    alpha, beta = node.soft_get('alpha', 1.0), node.soft_get('beta', 1.0)
    out = _made(node, MatMul, [_source_of(node), _source_of(node, 1)], '/matmul', transpose_a=bool(node.soft_get('transpose_a', False)),
                transpose_b=bool(node.soft_get('transpose_b', False)))
    if alpha != 1:
        out = _made(node, Mul, [out, _scalar(node, alpha, '/alpha')], '/scaled')
    if node.is_in_port_connected(2):
        c = _source_of(node, 2)
        if beta != 1:
            c = _made(node, Mul, [c, _scalar(node, beta, '/beta')], '/c')
        out = _made(node, Add, [out, c], '/add')
    _take_place(node, out)


def _lower_expand_dims(node):
    axis = np.array(node.soft_get('expand_axis', node.soft_get('axis', 0)), np.int64)
    _take_place(node, _made(node, Unsqueeze, [_source_of(node), _constant(node, axis, '/axis')]))


def _lower_rank(node):
    shape = _made(node, Shape, [_source_of(node)], '/shape')
    rank = _made(node, Shape, [shape], '/rank')
    _take_place(node, _made(node, Squeeze, [rank, _constant(node, np.array([0], np.int64), '/axis')], in_ports_count=2))


def _lower_size(node):
    shape = _made(node, Shape, [_source_of(node)], '/shape')
    _take_place(node, _made(node, ReduceProd, [shape, _constant(node, np.array([0], np.int64), '/axis')], keep_dims=False))


def _lower_swap_axis(node):
    order = node.soft_get('order', None)
    if order is None:
        raise Error('node {} (SwapAxis) without "order": use Transpose', node.name)
    _take_place(node, _made(node, Transpose, [_source_of(node), _constant(node, np.array(order, np.int64), '/order')]))


_lower_permute = _lower_swap_axis


def _lower_softmax_2d(node):
    """Over all dimensions from the axis on."""
    axis = int(node.soft_get('axis', 1))
    if axis != 1:
        raise Error('node {} (SoftMaxONNX) with the axis {}: use Softmax', node.name, axis)
    flat = _made(node, Reshape, [_source_of(node), _constant(node, np.array([0, -1], np.int64), '/flat')], '/rows')
    soft = _made(node, Softmax, [flat], '/softmax', axis=1)
    shape = _made(node, Shape, [_source_of(node)], '/shape')
    _take_place(node, _made(node, Reshape, [soft, shape]))


def _lower_mvn_onnx(node):
    axes = _constant(node, np.array(node.axes, np.int64), '/axes')
    _take_place(node, _made(node, MVN, [_source_of(node), axes], eps=node.soft_get('eps', 1e-9), eps_mode=node.soft_get('eps_mode', 'outside_sqrt'),
                            normalize_variance=bool(node.soft_get('normalize_variance', 1))))


def _lower_constant_of_shape(node):
    value = np.array(node.soft_get('fill_value', 0)).reshape(())
    _take_place(node, _made(node, Broadcast, [_constant(node, value, '/value'), _source_of(node)], in_ports_count=2))


def _bypass_error(node):
    raise Error('node {}: {} is not available; use the operation with inputs', node.name, node.op)


def _lower_normalize(node):
    """Over the channels, or over all but the batch, with a factor for each channel where there is a second input."""
    shape = node.in_port(0).data.get_shape()
    axes = np.array([1] if not node.soft_get('across_spatial', 0) or shape is None else list(range(1, len(shape))), np.int64)
    new = _made(node, NormalizeL2Op, [_source_of(node), _constant(node, axes, '/axes')], '/normalized', eps=node.soft_get('eps', 1e-10), eps_mode='add')
    if node.has_port('in', 1) and node.is_in_port_connected(1):
        weights = node.in_port(1).data.get_value()
        rank = len(shape) if shape is not None else 4
        factor = _source_of(node, 1) if weights is None else _constant(
            node, weights.reshape([1, -1] + [1] * (rank - 2)) if weights.size > 1 else weights.reshape(()), '/weights')
        new = _made(node, Mul, [new, factor])
    _take_place(node, new)


def _lower_upsample(node):
    scales = np.array([node.soft_get('height_scale', 1.0), node.soft_get('width_scale', 1.0)], np.float32)
    shape = _constant(node, np.array([1, 1], np.int64), '/sizes')
    linear = node.soft_get('mode', 'nearest') in ('linear', 'bilinear')
    _take_place(node, _made(node, Interpolate, [_source_of(node), shape, _constant(node, scales, '/scales'), _constant(node, np.array([2, 3], np.int64), '/axes')],
                            mode='linear_onnx' if linear else 'nearest', nearest_mode='floor', shape_calculation_mode='scales',
                            coordinate_transformation_mode='asymmetric'))


def _lower_fully_connected(node):
    out = _made(node, MatMul, [_source_of(node), _source_of(node, 1)], '/matmul', transpose_b=True)
    if node.has_port('in', 2) and node.is_in_port_connected(2):
        out = _made(node, Add, [out, _source_of(node, 2)])
    _take_place(node, out)


def _lower_flatten(node):
    axis = int(node.soft_get('axis', 1))
    if axis != 1:
        raise Error('node {} (Flatten) with the axis {}: use Reshape', node.name, axis)
    _take_place(node, _made(node, Reshape, [_source_of(node), _constant(node, np.array([0, -1], np.int64), '/shape')]))


def _lower_pack(node):
    axis = _constant(node, np.array(node.soft_get('axis', 0), np.int64), '/axis')
    parts = [_made(node, Unsqueeze, [p.get_source(), axis], '/part{}'.format(i)) for i, p in node.in_ports().items()
             if not p.disconnected()]
    _take_place(node, _made(node, Concat, parts, axis=node.soft_get('axis', 0), in_ports_count=len(parts)))


def _lower_global_pooling(node):
    # All from 2 on, however many there are: a constant as soon as that is known.
    rank = _made(node, Squeeze, [_made(node, ShapeOf, [_made(node, ShapeOf, [_source_of(node)], '/shape')], '/rank_1d'),
                                 _constant(node, np.array([0], np.int64), '/first')], '/rank')
    axes = _made(node, Range, [_constant(node, np.array(2, np.int64), '/from'), rank, _constant(node, np.array(1, np.int64), '/step')], '/axes',
                 output_type=np.int64)
    kind = ReduceMax if node.soft_get('pool_method', 'max') == 'max' else ReduceMean
    _take_place(node, _made(node, kind, [_source_of(node), axes], keep_dims=True))


def _lower_pooling(node):
    if node.has_and_set('global_pool'):
        return _lower_global_pooling(node)
    kind = {'max': ('MaxPool', 'opset1'), 'avg': ('AvgPool', 'opset1')}[node.soft_get('pool_method', 'max')]
    attrs = {'kernel': node.soft_get('window', None), 'strides': node.soft_get('stride', None),
             'rounding_type': node.soft_get('rounding_type', 'floor'), 'auto_pad': node.soft_get('auto_pad', None)}
    for key in ('kernel', 'strides'):
        if attrs[key] is not None and len(attrs[key]) > 3:
            attrs[key] = list(attrs[key])[2:]
    pad = node.soft_get('pad', None)
    if pad is not None:
        pad = np.array(pad).reshape(-1, 2)[-len(attrs['kernel']):]
        attrs['pads_begin'], attrs['pads_end'] = pad[:, 0], pad[:, 1]
    if kind[0] == 'AvgPool':
        attrs['exclude-pad'] = bool(node.soft_get('exclude_pad', True))
    new = raw_node(node.graph, kind[0], kind[1], node.name + '/new', [_source_of(node)], 1)
    for key, value in attrs.items():
        if value is not None:
            abi.graph.set_ir_attr(new.h, abi.S(key), abi.S(names.ir_text(value)))
    _take_place(node, new)


def _lower_convolution(node):
    """What the Model Optimizer's extractors of ONNX, Caffe and MXNet say of a convolution: strides and pads of all dimensions, and a
    bias as the third input."""
    shape = node.in_port(1).data.get_shape()
    if shape is None or np.ma.is_masked(shape):
        raise Error('node {} ({}): the shape of the weights is not known', node.name, node.op)
    spatial = len(shape) - 2
    group = int(np.asarray(node.soft_get('group', 1)).reshape(-1)[0])
    attrs = {'auto_pad': node.soft_get('auto_pad', None) or 'explicit'}
    for key, name in (('stride', 'strides'), ('dilation', 'dilations')):
        value = node.soft_get(key, None)
        attrs[name] = np.ones(spatial, np.int64) if value is None else np.asarray(value)[-spatial:]
    pad = node.soft_get('pad', None)
    pad = np.zeros((spatial, 2), np.int64) if pad is None else np.asarray(pad).reshape(-1, 2)[-spatial:]
    attrs['pads_begin'], attrs['pads_end'] = pad[:, 0], pad[:, 1]
    weights = _source_of(node, 1)
    if group > 1:
        grouped = _constant(node, np.array([group, shape[0] // group] + list(shape[1:]), np.int64), '/groups')
        weights = _made(node, Reshape, [weights, grouped], '/weights').out_port(0)
    new = raw_node(node.graph, 'GroupConvolution' if group > 1 else 'Convolution', 'opset1', node.name + '/new', [_source_of(node), weights], 1)
    for key, value in attrs.items():
        abi.graph.set_ir_attr(new.h, abi.S(key), abi.S(names.ir_text(value)))
    if node.is_in_port_connected(2):
        of_channels = _constant(node, np.array([1, -1] + [1] * spatial, np.int64), '/bias_shape')
        new = _made(node, Add, [new.out_port(0), _made(node, Reshape, [_source_of(node, 2), of_channels], '/bias')], '/biased')
    _take_place(node, new)


def _lower_of(cls, attrs):
    """What makes operations of the operation sets of one of the Model Optimizer's own, or of one with its own attributes."""
    if cls.lower is None and cls.op == 'Convolution' and 'strides' not in attrs and ('kernel_spatial' in attrs or 'stride' in attrs or 'pad' in attrs):
        return _lower_convolution
    if cls.lower is None and cls.op == 'Transpose' and attrs.get('order') is not None:
        return _lower_permute
    return cls.lower


for _n, _lower, _ins, _op in (
        ('Clamp', _lower_clamp, 3, None), ('AttributedPower', _lower_power, 1, None), ('Identity', _bypass, 1, None), ('IdentityN', _bypass, 1, None),
        ('EltwiseNAdd', _lower_eltwise('Add'), None, 'EltwiseN'), ('EltwiseNMul', _lower_eltwise('Mul'), None, 'EltwiseN'),
        ('EltwiseNMax', _lower_eltwise('Maximum'), None, 'EltwiseN'), ('EltwiseNMin', _lower_eltwise('Minimum'), None, 'EltwiseN'),
        ('Eltwise', _lower_any_eltwise, 2, None), ('EltwiseN', _lower_any_eltwise, None, None), ('AttributedSplit', _lower_split, 1, None), ('AttributedVariadicSplit', _lower_variadic_split, 1, None),
        ('AttributedGather', _lower_gather, 2, None), ('AttributedTile', _lower_tile, 1, None), ('AttributedPad', _lower_pad, 1, None),
        ('AttributedSlice', _lower_slice, 1, None), ('LeakyReLU', _lower_leaky, 1, None), ('ScaleShiftOp', _lower_scale_shift, 3, 'ScaleShift'),
        ('FlattenONNX', _lower_flatten, 1, None), ('Flatten', _lower_flatten, 1, None), ('PackOp', _lower_pack, None, 'Pack'), ('Pooling', _lower_pooling, 1, None),
        ('NormalizeOp', _lower_normalize, 2, 'Normalize'), ('UpsampleOp', _lower_upsample, 2, 'Upsample'),
        ('FullyConnected', _lower_fully_connected, 3, None), ('BiasAdd', _lower_bias, 2, 'Add'), ('GemmONNX', _lower_gemm, 3, 'Gemm'), ('StopGradientOp', _bypass, 1, 'StopGradient'),
        ('ExpandDims', _lower_expand_dims, 1, None), ('Rank', _lower_rank, 1, None), ('Size', _lower_size, 1, None), ('SwapAxis', _lower_swap_axis, 1, None),
        ('SoftmaxONNX', _lower_softmax_2d, 1, 'SoftMaxONNX'), ('MVNOnnx', _lower_mvn_onnx, 1, None), ('ConstantOfShape', _lower_constant_of_shape, 1, None),
        ('Permute', _lower_permute, 1, None), ('AttributedRoll', _bypass_error, 1, None)):
    _library(_n, ins=_ins, lower=_lower, op=_op)
LIBRARY['PowerOp'] = LIBRARY['Power'] = LIBRARY['AttributedPower']


def infer_form(cls):
    """Shapes of the Model Optimizer's own operations, for transformations that look at them before they are settled."""
    from . import library
    if cls is None or not issubclass(cls, Library) or cls.lower is None:
        return None
    if cls.op in ('Clamp', 'AttributedPower', 'Identity', 'IdentityN', 'LeakyReLU', 'ScaleShift', 'BiasAdd'):
        return library.copy_shape_infer
    return library.eltwise_infer if cls.op in ('EltwiseN', 'Eltwise') else None


# ---- Nodes

def raw_node(graph, op, opset, name, inputs, outs):
    init = abi.NodeInit(size=C.sizeof(abi.NodeInit))
    keep = abi.S(op), abi.S(opset), abi.S(name or '')
    init.op, init.opset, init.name = keep
    ports = (Port * max(len(inputs), 1))()
    for p, source in zip(ports, inputs):
        if source is not None:
            p.node, p.index, p.direction = source.node.h, source.idx, OUT
    init.inputs, init.n_inputs, init.n_outputs = C.cast(ports, C.POINTER(Port)), len(inputs), outs
    out = abi.u64()
    abi.graph.create_node(graph.h, C.byref(init), C.byref(out))
    here.session.touched[out.value] = True
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_here):
        frame = frame.f_back
    if frame is not None:
        here.session.made_at[out.value] = frame.f_code.co_filename, frame.f_lineno
    return node_of(out.value, graph)


def _plan(attrs, op):
    """The operation and set that a node of these attributes gets."""
    cls = type(op) if op is not None else None
    name = attrs.get('op') or attrs.get('type')
    if name is None:
        raise Error('{}: an operation needs the attribute "op"', cls.__name__ if cls else attrs.get('name'))
    if cls is not None and issubclass(cls, Library):
        if _lower_of(cls, attrs) is not None:
            return name, PRIVATE
        if attrs.get('type') is not None and attrs.get('op') in (cls.op, None):
            return attrs['type'], attrs.get('version') or cls.VERSION
        if attrs.get('type') is None:
            return name, PRIVATE
        return name, PRIVATE
    kind = attrs.get('type')
    if kind is not None and not is_standard(kind, attrs.get('version')):
        return kind, own_set(attrs.get('version'))
    return name, PRIVATE


def own_set(version):
    """Of a type that no operation set has: the set that the extension names, or the one that the Model Optimizer wrote."""
    named = isinstance(version, str) and not version.startswith('opset') and version.replace('_', 'a').replace('.', 'a').replace('-', 'a').isalnum()
    return version if named else 'extension'


def is_standard(kind, version=None):
    return names.definition(kind) is not None


def make_node(graph, attrs, op=None, inputs=(), id=None):
    attrs = dict(attrs)
    name = attrs.pop('name', None)
    name = '' if name is None else str(name)
    inputs = list(inputs)
    if isinstance(op, LIBRARY['MVN']) and len(inputs) == 3:
        inputs = _axes_once(inputs, name)
    kind = attrs.get('op')
    if kind == 'Const':
        tensor = abi.tensor_of(_value(attrs))
        out = abi.u64()
        try:
            abi.graph.create_const(graph.h, abi.S(name), tensor, C.byref(out))
        finally:
            abi.release(tensor)
        node = node_of(out.value, graph)
        if id is not None:
            _note_id(node, id)
        return node
    count = attrs.get('in_ports_count')
    count = len(inputs) if count is None else max(int(count), len(inputs))
    outs = attrs.get('out_ports_count')
    outs = 1 if outs is None else int(outs)
    if kind == 'Result':
        count, outs = max(count, 1), 0
        node = raw_node(graph, 'Result', 'opset1', name, inputs + [None] * (count - len(inputs)), 0)
    elif kind == 'Parameter':
        node = raw_node(graph, 'Parameter', 'opset1', name, [], 1)
        shape = abi.shape_of(list(attrs['shape']) if attrs.get('shape') is not None else None)
        abi.graph.set_shape(Port(node.h, 0, OUT), abi.type_number(attrs.get('data_type', np.float32)), C.byref(shape))
        v = abi.Value(kind=6)
        v.u.shape = shape
        abi.graph.set_node_attr(node.h, abi.S('shape'), C.byref(v))
        v = abi.Value(kind=5)
        v.u.i = abi.type_number(attrs.get('data_type', np.float32))
        abi.graph.set_node_attr(node.h, abi.S('element_type'), C.byref(v))
        return node
    else:
        host_op, opset = _plan(attrs, op)
        node = raw_node(graph, host_op, opset, name, inputs + [None] * (count - len(inputs)), outs)
    if id is not None:
        _note_id(node, id)
    _own(node, attrs, op)
    return node


def _axes_once(inputs, name):
    """Up to 2019 an MVN had the axes of the mean, and those of the variance, which could be nothing else."""
    mean, variance = (source.data.get_value() for source in inputs[1:])
    if mean is None or variance is None or sorted(mean.reshape(-1)) != sorted(variance.reshape(-1)):
        raise Error('node "{}" (MVN): the mean is over the axes {} and the variance over {}; expected the same constants', name, mean, variance)
    return inputs[:2]


def _note_id(node, id):
    s = here.session
    s.id_of[node.h] = id
    s.ids[node.graph.h, id] = node.h


def _value(attrs):
    value = attrs.get('value')
    if value is None:
        raise Error('Const needs a value')
    value = np.asarray(value.filled(-1) if isinstance(value, np.ma.MaskedArray) else value)
    if attrs.get('data_type') is not None:
        value = value.astype(attrs['data_type'])
    if value.dtype == np.float64:
        value = value.astype(np.float32)
    return value


def _own(node, attrs, op):
    own = here.session.attributes.setdefault(node.h, {})
    own.update({k: v for k, v in attrs.items() if k not in ('name', 'id')})
    own['_class'], own['_op'] = type(op) if op is not None else None, op
    if own.get('op') is not None:
        here.session.by_op.setdefault(own['op'], {})[node.h] = True
    if own.get('type') is not None:
        here.session.by_op.setdefault(own['type'], {})[node.h] = True
    here.session.changed[node.h] = True
    _, opset = node._is()
    if op is not None and opset not in (PRIVATE, '') and is_standard(own.get('type') or ''):
        _write(node, own)


def become(node, attrs, op):
    """A node of the model becomes one of these attributes; its connections stay."""
    attrs = dict(attrs)
    if attrs.get('name') not in (None, node.name):
        node['name'] = attrs['name']
    attrs.pop('name', None)
    before = node._is()
    host_op, opset = _plan(attrs, op) if attrs.get('op') != 'Const' else before
    if attrs.get('op') == 'Const':
        if before[0] != 'Const':
            for i in range(node._counts()[0])[::-1]:
                abi.graph.delete_port(Port(node.h, i, IN))
            abi.graph.set_op(node.h, abi.S('Const'), abi.S('opset1'))
        node._set_const(_value(attrs))
        return
    if (host_op, opset) != before:
        abi.graph.set_op(node.h, abi.S(host_op), abi.S(opset))
    ins, outs = node._counts()
    for have, count, direction in ((ins, attrs.get('in_ports_count'), IN), (outs, attrs.get('out_ports_count'), OUT)):
        for _ in range(have, int(count or 0)):
            abi.graph.add_port(node.h, direction, C.byref(Port()))
    _own(node, attrs, op)


def copy_of(node, own):
    new = raw_node(node.graph, *node._is(), node.name + '/copy', [None] * node._counts()[0], node._counts()[1])
    for key in names.attribute_names(node):
        v = abi.Value()
        if abi.found(abi.graph.try_node_attr(node.h, abi.S(key), C.byref(v))) and v.kind not in (8, 23):
            abi.graph.set_node_attr(new.h, abi.S(key), C.byref(v))
    name = own.pop('name', None)
    if name:
        new['name'] = name
    if own:
        here.session.attributes[new.h] = own
        here.session.changed[new.h] = True
        if own.get('op'):
            here.session.by_op.setdefault(own['op'], {})[new.h] = True
    return new


def ir_attributes(node, own):
    """(name in the IR, value) of what the operation's class says is written."""
    op = own.get('_op')
    listed = None
    for entry in own.get('IE') or ():
        for part in entry[2] if len(entry) > 2 else ():
            if isinstance(part, (tuple, list)) and part and part[0] == 'data':
                listed = part[1]
    if listed is None:
        listed = op.backend_attrs() if op is not None else []
    for entry in listed:
        if isinstance(entry, (tuple, list)):
            key, what = entry[0], entry[1]
            value = what(node) if callable(what) else node.soft_get(what, None)
        else:
            key, value = entry, node.soft_get(entry, None)
        if value is not None:
            yield str(key), value


def _write(node, own):
    library = own['_class'] is not None and issubclass(own['_class'], Library)
    for key, value in ir_attributes(node, own):
        if library and key not in own and key not in ('num_splits', 'epsilon', 'destination_type', 'pad_mode'):
            continue
        abi.graph.set_ir_attr(node.h, abi.S(key), abi.S(names.ir_text(value)))
    if own['_class'] is LIBRARY['Split'] and 'num_splits' not in own:
        abi.graph.set_ir_attr(node.h, abi.S('num_splits'), abi.S(str(node._counts()[1])))


def _close_gaps(node, own):
    for idx in sorted(own.pop('_gone', ()), reverse=True):
        abi.graph.delete_port(Port(node.h, idx, IN))
    op, opset = node._is()
    d = names.definition(op, opset) if opset not in ('', PRIVATE) else None
    ins = node._counts()[0]
    while d is not None and ins > d.min_inputs and node._source(ins - 1) is None:   # the operation can do without
        ins -= 1
        abi.graph.delete_port(Port(node.h, ins, IN))


def settle(node, last):
    """Tells the host what a node is. `last`: the Model Optimizer's own forms go, too."""
    s = here.session
    own = s.attributes.get(node.h)
    if own is None:
        return True
    cls = own.get('_class')
    host_op, opset = node._is()
    _close_gaps(node, own) if own.get('_gone') or cls is not None and issubclass(cls, Library) else None
    if cls is not None and issubclass(cls, Library):
        changed_type = own.get('type') is not None and own['type'] != cls.TYPE
        if own.get('op') != cls.op and not changed_type:   # another one is to find it by that name
            if not last:
                return False
        lower = _lower_of(cls, own)
        if lower is not None:
            if not last:
                return False
            lower(node)
            return True
        if own.get('type') is None:
            return not last
        if (host_op, opset) != (own['type'], own.get('version')):
            abi.graph.set_op(node.h, abi.S(own['type']), abi.S(own.get('version') or 'opset1'))
        _write(node, own)
        return True
    kind = own.get('type')
    if kind is None or cls is None and opset not in (PRIVATE, '', names.ANY_ORDER):
        if kind is not None and kind != names.type_here(node) and is_standard(kind):
            abi.graph.set_op(node.h, abi.S(kind), abi.S(set_of(kind, own.get('version'))))
        return kind is not None or opset not in (PRIVATE, names.ANY_ORDER)
    if not is_standard(kind):
        if (host_op, opset) != (kind, own_set(own.get('version'))):
            abi.graph.set_op(node.h, abi.S(kind), abi.S(own_set(own.get('version'))))
        return True
    if not last or (here.phase == 'front' and callable(own.get('infer'))):
        return False
    opset = set_of(kind, own.get('version'))
    if opset != node._is()[1] or host_op != kind:
        abi.graph.set_op(node.h, abi.S(kind), abi.S(opset))
    _write(node, own)
    return True


def set_of(kind, version):
    """The set whose definition `version` means; the newest of OpenVINO's where it names none."""
    out = abi.Str()
    if isinstance(version, str) and abi.found(abi.graph.try_defining_opset(abi.S(kind), abi.S(version), C.byref(out))):
        return abi.text(out)
    return abi.text(names.definition(kind).opset)


def tell_all(graph=None, last=False):
    s = here.session
    for _ in range(20):    # what is settled may make nodes
        todo = list(s.changed)
        if not todo:
            return
        s.changed.clear()
        for h in todo:
            if not _alive(h):
                s.attributes.pop(h, None)
                continue
            node = node_of(h)
            try:
                done = settle(node, last)
            except Exception as e:
                if not hasattr(e, 'mo_node'):
                    try:
                        e.mo_node = h
                    except AttributeError:
                        pass
                raise
            if not done:
                s.waiting[h] = True
        if not s.changed:
            break
    s.changed.update(s.waiting)
    s.waiting.clear()


# ---- The order of dimensions

def free_orders(graph):
    """Operations that are still there when the layout changes are in its order later, as all were in the Model Optimizer."""
    for node in graph._all():
        own = node._own()
        op, opset = node._is()
        if not own or own.get('_class') is None or not node._counts()[1] or opset != PRIVATE and (opset == '' or opset.startswith('opset')):
            continue
        shape = node.out_port(0).data.get_shape()
        if shape is None or len(shape) not in (4, 5):
            continue
        inputs = [p for p in node.in_ports().values() if not p.disconnected()]
        shapes = [p.data.get_shape() for p in inputs]
        if any(s is None or len(s) != len(shape) and (np.ma.is_masked(s) or int(np.prod(s)) != 1) for s in shapes):
            continue
        if opset == PRIVATE:
            abi.graph.set_op(node.h, abi.S(op), abi.S(names.ANY_ORDER))
        order = (abi.i64 * len(shape))(*range(len(shape)))
        v = abi.Value(kind=16, count=len(shape))
        v.u.p = C.addressof(order)
        abi.graph.set_node_attr(node.h, abi.S(names.ORDER), C.byref(v))
        own['_order'] = list(range(len(shape)))


_AXES = ('dim', 'axis', 'axes', 'batch_axis', 'seq_axis', 'batch_dims', 'channel_dims', 'spatial_dims', 'input_channel_dim',
         'output_channel_dim', 'expand_axis', 'squeeze_dims', 'unsqueeze_dims')


def follow_order(node):
    """What PermuteAttrs was told of, when dimensions have changed their order."""
    own = node._own()
    if not own or '_order' not in own:
        return
    v = abi.Value()
    if not abi.found(abi.graph.try_node_attr(node.h, abi.S(names.ORDER), C.byref(v))):
        return
    order, before = abi.value_of(v), own['_order']
    if list(order) == before:
        return
    turned = [before.index(d) for d in order]    # dimension i is what was dimension turned[i]
    own['_order'] = list(order)
    told = own.get('permute_attrs')
    for key in getattr(told, 'attrs', {}):
        value = own.get(key)
        if value is None:
            continue
        many = isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value)
        if key in _AXES:
            new = [turned.index(int(a) % len(turned)) for a in np.asarray(value).reshape(-1)]
            own[key] = np.array(new) if many else new[0]
        elif many and len(value) == len(turned):
            own[key] = np.asarray(value)[turned]


def follow_orders(session):
    for h, own in list(session.attributes.items()):
        if isinstance(h, int) and '_order' in own and _alive(h):
            follow_order(node_of(h))


# ---- Helpers

def create_op_with_const_inputs(graph, op, port_value_dict, op_attrs=None, input_node=None):
    """`op` a class, or an operation that was made; `port_value_dict`: values of constants by in-port."""
    attrs = dict(op_attrs or {})
    node = op(graph, attrs).create_node()
    if input_node is not None:
        _out_port(input_node).connect(node.in_port(0))
    for i, value in port_value_dict.items():
        const = Const(graph, {'name': '{}/value{}'.format(node.name, i), 'value': np.asarray(value)}).create_node()
        node.add_input_port(i, skip_if_exist=True)
        const.out_port(0).connect(node.in_port(i))
    return node


def create_op_node_with_second_input(graph, op, second_input_value, op_attrs=None, input_node=None):
    return create_op_with_const_inputs(graph, op, {1: second_input_value}, op_attrs, input_node)


def insert_op(port, op_class, attrs):
    node = op_class(port.node.graph, attrs).create_node()
    port.get_connection().insert_node(node)
    return node
