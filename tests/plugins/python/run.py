#!/usr/bin/python3
"""Python extensions of the Model Optimizer's kind, converted with and computed by mo-host, against numpy.

    run.py MO_HOST [CASE…]

A case is a folder of extensions, a model and what must come of it: values from a formula of numpy, or words that the
error has to have. Exit status: 0 all hold; 1 not; 77 there is no Python with numpy and onnx on this machine.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as e:
    print('skipped: {} (apt install python3-numpy python3-onnx)'.format(e))
    sys.exit(77)

CASES = []
F = np.float32


def case(function):
    CASES.append(function)
    return function


class Failed(Exception):
    pass


class Case:
    def __init__(self, host, folder):
        self.host, self.folder = host, folder
        self.environment = {}

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write(text)
        return path

    def onnx(self, nodes, inputs, outputs, constants=()):
        graph = helper.make_graph(
            [helper.make_node(n[0], n[1], n[2], name=n[2][0] + '_node', **dict(n[3] if len(n) > 3 else {})) for n in nodes], 'g',
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs],
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in outputs],
            [numpy_helper.from_array(np.array(v, F), n) for n, v in dict(constants).items()])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 11), helper.make_opsetid('com.acme', 1)])
        model.ir_version = 7
        onnx.save(model, self.path('model.onnx'))
        return self.path('model.onnx')

    def run(self, words, status=0):
        environment = dict(os.environ, **(self.environment if words[0] != 'run' else {}))
        done = subprocess.run([self.host] + words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              env=environment, timeout=120)
        if (done.returncode != 0) != (status != 0):
            raise Failed('{} gives {}: {}'.format(' '.join(words), done.returncode, done.stdout))
        return done.stdout

    def convert(self, model, more=(), extensions='ext'):
        said = self.run(['--input_model', model, '--extensions', os.path.join(self.folder, extensions), '--output_dir', self.path('out'),
                         '--model_name', 'm'] + list(more))
        with open(self.path('out', 'm.xml')) as f:
            self.types = re.findall(r'<layer [^>]*type="(\w+)"', f.read())
        return said

    def outputs(self, **inputs):
        given = []
        shutil.rmtree(self.path('values'), ignore_errors=True)
        for name, value in inputs.items():
            np.save(self.path(name + '.npy'), value)
            given.append('{}={}'.format(name, self.path(name + '.npy')))
        self.run(['run', '--input_model', self.path('out', 'm.xml'), '--input', ','.join(given), '--output_dir', self.path('values')])
        return [np.load(self.path('values', f)) for f in sorted(os.listdir(self.path('values'))) if f.endswith('.npy')]

    def expect(self, got, wanted, tolerance=1e-5):
        if len(got) != len(wanted):
            raise Failed('{} outputs instead of {}'.format(len(got), len(wanted)))
        for g, w in zip(got, wanted):
            np.testing.assert_allclose(g, w, tolerance, tolerance)

    def refused(self, model, words, more=()):
        said = self.run(['--input_model', model, '--extensions', self.path('ext'), '--output_dir', self.path('out')] + list(more), 1)
        for w in words:
            if w not in said:
                raise Failed('the error does not say {!r}: {}'.format(w, said))
        if os.path.isdir(self.path('out')) and os.listdir(self.path('out')):
            raise Failed('refused, and left files')


def random(*shape):
    return np.random.RandomState(7).uniform(-1, 1, shape).astype(F)


@case
def operation_with_three_kinds_of_attributes(c):
    """An Op and its extractor; a standard type, and one that no set has."""
    c.write('ext/ops/pick.py', '''
from openvino.tools.mo.front.common.partial_infer.utils import shape_array
from openvino.tools.mo.ops.op import Op

class Pick(Op):
    op = 'Pick'
    def __init__(self, graph, attrs):
        super().__init__(graph, {'op': self.op, 'type': 'CumSum', 'version': 'opset3', 'infer': self.infer, 'in_ports_count': 2,
                                 'out_ports_count': 1, 'backwards': 0, 'exclusive': False}, attrs)
    def backend_attrs(self):
        return ['exclusive', ('reverse', lambda node: 'true' if node.has_and_set('backwards') else 'false')]
    @staticmethod
    def infer(node):
        assert node.in_port(1).data.get_value() is not None
        node.out_port(0).data.set_shape(shape_array(node.in_port(0).data.get_shape()))
''')
    c.write('ext/ops/shrug.py', '''
from mo.front.common.partial_infer.elemental import copy_shape_infer
from mo.ops.op import Op

class Shrug(Op):
    op = 'Shrug'
    def __init__(self, graph, attrs):
        super().__init__(graph, dict(op='Shrug', type='Shrug', infer=copy_shape_infer, in_ports_count=1, out_ports_count=1, none=None), attrs)
    def backend_attrs(self):
        return ['none', ('how', 'much'), ('list', lambda node: ','.join(map(str, node.taps)))]
''')
    c.write('ext/front/onnx/pick_ext.py', '''
from ext.ops.pick import Pick
from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr
from openvino.tools.mo.graph.graph import Graph
from openvino.tools.mo.ops.op import Op
from openvino.tools.mo.ops.const import Const
from openvino.tools.mo.front.common.replacement import FrontReplacementOp
import numpy as np

class PickExtractor(FrontExtractorOp):
    op = 'Pick'
    enabled = True
    @classmethod
    def extract(cls, node):
        Pick.update_node_stat(node, {'backwards': onnx_attr(node, 'back', 'i', default=0)})
        return cls.enabled

class ShrugExtractor(FrontExtractorOp):
    op = 'Shrug'
    enabled = True
    @classmethod
    def extract(cls, node):
        Op.get_op_class_by_name('Shrug').update_node_stat(
            node, {'much': onnx_attr(node, 'much', 'f'), 'taps': onnx_attr(node, 'taps', 'ints', dst_type=list)})
        return cls.enabled

class PickAxis(FrontReplacementOp):
    op = 'Pick'
    enabled = True
    def replace_sub_graph(self, graph: Graph, match: dict):
        axis = Const(graph, {'name': 'axis', 'value': np.array(1, dtype=np.int64)}).create_node()
        axis.out_port(0).connect(match['op'].in_port(1))
''')
    model = c.onnx([('Pick', ['x'], ['y'], {'back': 1})], [('x', [2, 3])], ['y'])
    c.convert(model)
    x = random(2, 3)
    c.expect(c.outputs(x=x), [np.cumsum(x[:, ::-1], 1)[:, ::-1]])
    model = c.onnx([('Shrug', ['x'], ['y'], {'much': 0.5, 'taps': [1, 2]})], [('x', [2, 3])], ['y'])
    c.convert(model)
    with open(c.path('out', 'm.xml')) as f:
        xml = f.read()
    if not re.search(r'type="Shrug" version="extension">\s*<data how="0.5" list="1,2"/>', xml):
        raise Failed('attributes of Shrug: ' + xml)


@case
def phases_and_order(c):
    """Front, middle with data nodes, back; run_after among them; the Model Optimizer's own classes as anchors."""
    c.write('ext/front/plus.py', '''
import numpy as np
from openvino.tools.mo.front.Pack import Pack
from openvino.tools.mo.front.common.replacement import FrontReplacementSubgraph
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.graph.graph import rename_nodes
from openvino.tools.mo.ops.elementwise import Sub
from openvino.tools.mo.ops.power import AttributedPower

class TanhOfSigmoid(FrontReplacementSubgraph):
    enabled = True
    def run_before(self):
        return [Pack]
    def pattern(self):
        return dict(nodes=[('s', dict(op='Sigmoid')), ('t', dict(op='Tanh'))], edges=[('s', 't', {'in': 0})])
    def replace_sub_graph(self, graph, match):
        t = match['t']
        power = AttributedPower(graph, dict(scale=2, shift=1, power=2, name='power')).create_node()
        new = create_op_with_const_inputs(graph, Sub, {1: np.array([1], dtype=np.float32)}, {'name': 'less'}, power)
        match['s'].in_port(0).get_connection().set_destination(power.in_port(0))
        t.out_port(0).get_connection().set_source(new.out_port(0))
        rename_nodes([(t, 'old'), (new, 'tanh')])
''')
    c.write('ext/middle/squares.py', '''
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.middle.pass_separator import MiddleStart
from openvino.tools.mo.ops.activation_ops import Exp

class Halves(MiddleReplacementPattern):
    enabled = True
    def run_after(self):
        return [MiddleStart]
    def pattern(self):
        return dict(nodes=[('x', dict(kind='data')), ('half', dict(kind='data', value=lambda v: v is not None and v.size == 1 and v.item() == 0.5)),
                           ('m', dict(kind='op', op='Mul')), ('out', dict(kind='data'))],
                    edges=[('x', 'm', {'in': 0}), ('half', 'm', {'in': 1}), ('m', 'out')])
    def replace_pattern(self, graph, match):
        assert list(match['x'].shape) == [2, 3]
        match['m'].out_port(0).get_connection().insert_node(Exp(graph, {'name': 'exp'}).create_node())
''')
    c.write('ext/back/a.py', '''
import numpy as np
from ext.back.b import Second
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.ops.elementwise import Add

class First(BackReplacementPattern):
    enabled = True
    def run_before(self):
        return [Second]
    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(type='Exp'):
            add = create_op_with_const_inputs(graph, Add, {1: np.float32(3)}, {'name': 'three'})
            node.out_port(0).get_connection().insert_node(add)
''')
    c.write('ext/back/b.py', '''
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.ops.activation_ops import Abs

class Second(BackReplacementPattern):
    enabled = True
    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='Add'):
            if node.name == 'three':
                node.in_port(0).get_connection().insert_node(Abs(graph, {'name': 'abs'}).create_node())
''')
    model = c.onnx([('Sigmoid', ['x'], ['s']), ('Tanh', ['s'], ['t']), ('Mul', ['t', 'h'], ['y'])], [('x', [2, 3])], ['y'], {'h': 0.5})
    c.convert(model)
    x = random(2, 3)
    c.expect(c.outputs(x=x), [np.abs(np.exp(((2 * x + 1) ** 2 - 1) * 0.5)) + 3])
    if c.types.count('Abs') != 1 or 'Tanh' in c.types:
        raise Failed('layers: {}'.format(c.types))


@case
def switched_by_variables(c):
    c.write('ext/front/two.py', '''
from mo.front.common.replacement import FrontReplacementPattern
from mo.ops.clamp import AttributedClamp
from extensions.ops.activation_ops import Abs, Exp

class _To:
    def to(self, graph, cls):
        for node in graph.get_op_nodes(op='Tanh'):
            new = cls(graph, {'name': node.name + '/new'}).create_node()
            node.in_port(0).get_connection().set_destination(new.in_port(0))
            node.out_port(0).get_connection().set_source(new.out_port(0))

class ToAbs(FrontReplacementPattern, _To):
    id = 'acme.to_abs'
    enabled = False
    def find_and_replace_pattern(self, graph):
        self.to(graph, Abs)

class ToExp(FrontReplacementPattern, _To):
    id = 'acme.to_exp'
    enabled = True
    graph_condition = [lambda graph: graph.graph['fw'] == 'onnx', lambda graph: not graph.graph['cmd_params'].static_shape]
    def run_after(self):
        return [ToAbs]
    def find_and_replace_pattern(self, graph):
        self.to(graph, Exp)
''')
    model = c.onnx([('Tanh', ['x'], ['y'])], [('x', [2, 3])], ['y'])
    x = random(2, 3)
    c.convert(model)
    c.expect(c.outputs(x=x), [np.exp(x)])
    c.environment = {'MO_ENABLED_TRANSFORMS': 'acme.to_abs', 'MO_DISABLED_TRANSFORMS': 'acme.to_exp'}
    c.convert(model)
    c.expect(c.outputs(x=x), [np.abs(x)])


@case
def text_graph_of_tensorflow(c):
    """node.pb of TensorFlow, a scope and a general entry of a configuration, and a folder of another framework that is not looked at."""
    c.write('ext/front/caffe/broken.py', 'import no_such_module_anywhere\n')
    c.write('ext/front/tf/gain.py', '''
from mo.front.extractor import FrontExtractorOp
from mo.front.tf.replacement import FrontReplacementFromConfigFileGeneral, FrontReplacementFromConfigFileSubGraph
from mo.front.tf.extractors.utils import tf_dtype_extractor, tf_tensor_shape
from mo.front.tf.graph_utils import create_op_with_const_inputs
from extensions.ops.elementwise import Add, Mul
from mo.ops.power import AttributedPower
import numpy as np

class GainExtractor(FrontExtractorOp):
    op = 'Gain'
    enabled = True
    @classmethod
    def extract(cls, node):
        assert 'nothing' not in node.pb.attr and tf_dtype_extractor(node.pb.attr['T'].type) == np.float32
        assert tf_tensor_shape(node.pb.attr['shape'].shape).tolist() == [2, -1]
        assert list(node.pb.attr['list'].list.i) == [3, 4] and node.pb.attr['name'].s == b'loud' and node.pb.op == 'Gain'
        AttributedPower.update_node_stat(node, {'scale': node.pb.attr['gain'].f})
        return cls.enabled

class Block(FrontReplacementFromConfigFileSubGraph):
    replacement_id = 'Block'
    def generate_sub_graph(self, graph, match):
        assert match.scope == 'net/block' or match.scope == 'net/block/', match.scope
        return {'new': create_op_with_const_inputs(graph, Add, {1: np.float32(match.custom_replacement_desc.custom_attributes['by'])}, {'name': 'block'})}
    def input_edges_match(self, graph, match, new):
        node, port = match.single_input_node(0)
        return {(node.id, port): (new['new'].id, 0)}
    def output_edges_match(self, graph, match, new):
        node, port = match.output_node(0)
        return {(node.id, port): (new['new'].id, 0)}

class Twice(FrontReplacementFromConfigFileGeneral):
    replacement_id = 'Twice'
    def transform_graph(self, graph, replacement_descriptions):
        for result in graph.get_op_nodes(op='Result'):
            mul = create_op_with_const_inputs(graph, Mul, {1: np.float32(replacement_descriptions['factor'])}, {'name': 'twice'})
            result.in_port(0).get_connection().insert_node(mul)
''')
    config = c.write('config.json', '''[
{"id": "Block", "match_kind": "scope", "instances": ["net/block/"], "custom_attributes": {"by": 5},
 "inputs": [[{"node": "first$", "port": 0}]], "outputs": [{"node": "last$", "port": 0}]},
{"id": "Twice", "match_kind": "general", "custom_attributes": {"factor": 2}}]''')
    def node(*words, **attrs):
        title, op, inputs = words[0], words[1], words[2:]
        out = 'node { name: "%s" op: "%s" ' % (title, op) + ' '.join('input: "%s"' % i for i in inputs)
        for k, v in dict(attrs, T='type: DT_FLOAT').items():
            out += ' attr { key: "%s" value { %s } }' % (k, v)
        return out + ' }\n'
    model = c.write('model.pbtxt', 'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } '
                    'attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }\n' +
                    node('gain', 'Gain', 'x', gain='f: 1.5', shape='shape { dim { size: 2 } dim { size: -1 } }',
                         list='list { i: 3 i: 4 }', name='s: "loud"') +
                    node('net/block/first', 'Exp', 'gain') + node('net/block/last', 'Tanh', 'net/block/first') + node('y', 'Neg', 'net/block/last'))
    c.convert(model, ['--framework', 'tf', '--transformations_config', config])
    x = random(2, 3)
    c.expect(c.outputs(x=x), [-(1.5 * x + 5) * 2])


@case
def layers_of_caffe(c):
    c.write('ext/front/caffe/layers.py', '''
from openvino.tools.mo.front.caffe.collect_attributes import merge_attrs
from openvino.tools.mo.front.common.replacement import FrontReplacementOp
from openvino.tools.mo.front.extractor import CaffePythonFrontExtractorOp, FrontExtractorOp
from openvino.tools.mo.ops.power import AttributedPower
from openvino.tools.mo.ops.elementwise import Mul

class Stretch(FrontExtractorOp):
    op = 'Stretch'
    enabled = True
    @classmethod
    def extract(cls, node):
        param = node.pb.power_param
        assert param.power == 1.0 and node.pb.type == 'Stretch' and list(node.pb.bottom) == ['x']
        assert merge_attrs(param, {'scale': param.scale, 'power': param.power}) == {'scale': 3.0}
        AttributedPower.update_node_stat(node, {'scale': param.scale, 'shift': param.shift})
        return cls.enabled

class Twist(CaffePythonFrontExtractorOp):
    op = 'layers.Twist'
    enabled = True
    @classmethod
    def extract(cls, node):
        node['by'] = CaffePythonFrontExtractorOp.get_attrs(node.pb)['by']
        node['op'] = 'Twisted'
        return cls.enabled

class TwistedToMul(FrontReplacementOp):
    op = 'Twisted'
    enabled = True
    def replace_op(self, graph, node):
        assert node.by == 2
        return [Mul(graph, {'name': node.name + '/mul'}).create_node([node.in_node(0), node.in_node(0)]).id]
''')
    model = c.write('model.prototxt', '''name: "n" layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 dim: 3 } } }
layer { name: "a" type: "Stretch" bottom: "x" top: "a" power_param { scale: 3 } }
layer { name: "b" type: "Python" bottom: "a" top: "b" python_param { module: "layers" layer: "Twist" param_str: "{'by': 2}" } }''')
    c.convert(model, ['--framework', 'caffe', '--allow_missing_weights'])
    x = random(1, 3)
    c.expect(c.outputs(x=x), [(3 * x) ** 2])


@case
def values_and_dynamic_shapes(c):
    """infer computes values of constants; a dimension that is not known is masked."""
    c.write('ext/ops/grow.py', '''
import numpy as np
from openvino.tools.mo.front.common.partial_infer.utils import dynamic_dimension, is_fully_defined, shape_array
from openvino.tools.mo.graph.graph import Node, Graph
from openvino.tools.mo.ops.op import Op
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.front.tf.graph_utils import create_op_node_with_second_input
from openvino.tools.mo.ops.concat import Concat

class Grow(Op):
    op = 'Grow'
    def __init__(self, graph: Graph, attrs: dict):
        super().__init__(graph, dict(type=None, op=self.op, infer=self.infer, in_ports_count=1, out_ports_count=1), attrs)
    @staticmethod
    def infer(node: Node):
        value = node.in_port(0).data.get_value()
        if value is not None:
            return node.out_port(0).data.set_value(np.concatenate([value, value], 0))
        shape = node.in_port(0).data.get_shape()
        assert isinstance(shape, np.ma.masked_array) and not is_fully_defined(shape) and shape[0] is dynamic_dimension
        node['seen'] = len(shape)
        node.out_port(0).data.set_shape(shape_array([dynamic_dimension, shape[1]]))

class GrowToConcat(BackReplacementPattern):
    enabled = True
    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='Grow'):
            assert node.seen == 2
            source = node.in_port(0).get_source()
            concat = Concat(graph, dict(axis=0, in_ports_count=2, name=node.name + '/concat')).create_node()
            node.in_port(0).disconnect()
            source.connect(concat.in_port(0))
            source.connect(concat.in_port(1))
            node.out_port(0).get_connection().set_source(concat.out_port(0))
''')
    c.write('ext/back/grow.py', '''
from ext.ops.grow import GrowToConcat as Base

class Shown(Base):
    """Derives from a class that runs: it does not run itself."""
    enabled = True
''')
    model = c.onnx([('Grow', ['x'], ['a']), ('Grow', ['k'], ['b']), ('Add', ['a', 'b'], ['y'])], [('x', ['n', 3])], ['y'], {'k': [[1, 2, 3]]})
    c.convert(model)
    x = random(1, 3)
    k = np.array([[1, 2, 3]], F)
    c.expect(c.outputs(x=x), [np.concatenate([x, x]) + np.concatenate([k, k])])


@case
def channels_last(c):
    """A middle pattern sees a convolution in the order of the model; what is left in the back phase is in that of the IR."""
    c.write('ext/middle/pattern.py', '''
from openvino.tools.mo.middle.replacement import MiddleReplacementPattern
from openvino.tools.mo.ops.activation_ops import Exp

class ConvRelu(MiddleReplacementPattern):
    enabled = True
    def pattern(self):
        return dict(nodes=[('conv', dict(kind='op', type='Convolution')), ('conv_d', dict(kind='data')), ('relu', dict(kind='op', op='ReLU'))],
                    edges=[('conv', 'conv_d'), ('conv_d', 'relu', {'in': 0})])
    def replace_pattern(self, graph, match):
        assert list(match['conv_d'].shape) == [1, 4, 5, 2] and graph.graph['layout'] == 'NHWC'
        assert match['conv'].in_port(0).get_source().node.op == 'Parameter'
        match['conv'].out_port(0).get_connection().insert_node(Exp(graph, {'name': 'e'}).create_node())
''')
    c.write('ext/ops/norm.py', '''
import numpy as np
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.front.common.partial_infer.elemental import copy_shape_infer
from openvino.tools.mo.front.tf.graph_utils import create_op_with_const_inputs
from openvino.tools.mo.graph.perm_inputs import PermuteInputs
from openvino.tools.mo.ops.elementwise import Mul
from openvino.tools.mo.ops.op import Op, PermuteAttrs

class ByChannel(Op):
    op = 'ByChannel'
    def __init__(self, graph, attrs):
        super().__init__(graph, dict(op=self.op, type=None, infer=self.infer, axis=3, in_ports_count=1, out_ports_count=1), attrs)
    @staticmethod
    def infer(node):
        assert node.in_port(0).data.get_shape()[node.axis] == 2
        copy_shape_infer(node)
        PermuteAttrs.create_permute_attrs(node, attrs=[('axis', 'input:0')])

class ByChannelToMul(BackReplacementPattern):
    enabled = True
    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='ByChannel'):
            assert node.axis == 1 and node.in_port(0).data.get_shape()[1] == 2
            factors = np.array([2, 3], dtype=np.float32).reshape([1, 2, 1, 1])
            mul = create_op_with_const_inputs(graph, Mul, {1: factors}, {'name': node.name + '/mul'})
            node.in_port(0).get_connection().set_destination(mul.in_port(0))
            node.out_port(0).get_connection().set_source(mul.out_port(0))
''')
    c.write('ext/back/norm.py', 'import ext.ops.norm\n')
    weights = (np.arange(6) % 4 - 1.5).astype(F)
    tensor = 'tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 3 } dim { size: 2 } } %s }' % ' '.join(
        'float_val: %r' % float(w) for w in weights)
    kind = 'attr { key: "T" value { type: DT_FLOAT } }'
    model = c.write('model.pbtxt', '''
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {
  dim { size: 1 } dim { size: 4 } dim { size: 5 } dim { size: 3 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { %s } } }
node { name: "c" op: "Conv2D" input: "x" input: "w" %s attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } }
  attr { key: "padding" value { s: "SAME" } } attr { key: "data_format" value { s: "NHWC" } } }
node { name: "r" op: "Relu" input: "c" %s }
node { name: "n" op: "ByChannel" input: "r" %s }
node { name: "y" op: "Tanh" input: "n" %s }''' % (tensor, kind, kind, kind, kind))
    c.convert(model, ['--framework', 'tf'])
    x = random(1, 4, 5, 3)
    y = np.tanh(np.maximum(np.exp(x @ weights.reshape(3, 2)), 0) * np.array([2, 3], F))
    c.expect(c.outputs(x=x.transpose(0, 3, 1, 2).copy()), [y.transpose(0, 3, 1, 2)])


HEAD = """
from openvino.tools.mo.front.common.partial_infer.elemental import copy_shape_infer
from openvino.tools.mo.ops.op import Op
from openvino.tools.mo.front.extractor import FrontExtractorOp
from openvino.tools.mo.front.common.replacement import *
from openvino.tools.mo.front.tf.graph_utils import create_op_node_with_second_input
from openvino.tools.mo.back.replacement import BackReplacementPattern
from openvino.tools.mo.front.onnx.extractors.utils import onnx_attr
from openvino.tools.mo.ops.reshape import Reshape
import numpy as np
"""
LINE = HEAD.count('\n') + 1


@case
def other_domains_and_operations_that_extract(c):
    c.write('ext/ops/o.py', HEAD + '''class Gain(Op):
    op = 'Gain'
    def __init__(self, graph, attrs):
        super().__init__(graph, dict(op='Gain', type='Elu', version='opset1', infer=copy_shape_infer, in_ports_count=1, out_ports_count=1), attrs)
    def backend_attrs(self):
        return ['alpha']

class Same(Op):
    op = 'Same'
    enabled = False
    def __init__(self, graph, attrs):
        super().__init__(graph, dict(op='Same', type=None, infer=copy_shape_infer, in_ports_count=1, out_ports_count=1), attrs)
''')
    c.write('ext/back/same.py', HEAD + '''class Remove(BackReplacementPattern):
    enabled = True
    def find_and_replace_pattern(self, graph):
        for node in graph.get_op_nodes(op='Same'):
            node.out_port(0).get_connection().set_source(node.in_port(0).get_source())
            graph.remove_node(node.id)
''')
    c.write('ext/front/onnx/gain.py', HEAD + '''class Extractor(FrontExtractorOp):
    op = 'gain'
    enabled = True
    @classmethod
    def extract(cls, node):
        assert node.pb.domain == 'com.acme'
        Op.get_op_class_by_name('Gain').update_node_stat(node, {'alpha': onnx_attr(node, 'k', 'f', 2.0)})
        return cls.enabled
''')
    c.convert(c.onnx([('Gain', ['x'], ['g'], {'k': 3.0, 'domain': 'com.acme'}), ('Same', ['g'], ['y'])], [('x', [2, 3])], ['y']))
    x = random(2, 3)
    c.expect(c.outputs(x=x), [np.where(x > 0, x, 3 * (np.exp(x) - 1))])
    if 'Same' in c.types:
        raise Failed('layers: {}'.format(c.types))


@case
def what_extensions_lack(c):
    model = c.onnx([('Nope', ['x'], ['z']), ('Tanh', ['z'], ['t']), ('Sin', ['t'], ['y'])], [('x', [2, 3])], ['y'])
    known = HEAD + '''class Nope(Op):
    op = 'Nope'
    def __init__(self, graph, attrs):
        super().__init__(graph, dict(op='Nope', type='Nope', infer=copy_shape_infer, in_ports_count=1, out_ports_count=1), attrs)
'''
    def refused(folder, text, *words, first=known):
        c.write('ext/ops/nope.py', first)
        c.write('ext/{}/wrong.py'.format(folder), HEAD + text)
        c.refused(model, words)
        os.remove(c.path('ext', folder, 'wrong.py'))
    refused('front', 'class Rep(FrontReplacementOp):\n  enabled = True\n  def replace_op(self, graph, node):\n    return []\n',
            'Rep', '"op"', 'wrong.py:%d' % LINE)
    refused('front/onnx', 'class Ext(FrontExtractorOp):\n  enabled = True\n  @classmethod\n  def extract(cls, node):\n    return True\n',
            'Ext', '"op"', 'wrong.py:%d' % LINE)
    refused('front/onnx', 'class Ext(FrontExtractorOp):\n  op = "Nope"\n  enabled = True\n  @classmethod\n  def extract(cls, node):\n'
            '    Op.get_op_class_by_name("Nopee").update_node_stat(node, {})\n', 'Nopee', "did you mean 'Nope'", 'wrong.py:%d' % (LINE + 5))
    refused('back', '', 'no infer function', 'Nope', 'nope.py:%d' % LINE, first=known.replace(' infer=copy_shape_infer,', ''))
    refused('front', '''class Circle(FrontReplacementPattern):
  enabled = True
  def find_and_replace_pattern(self, graph):
    tanh, sin = graph.get_op_nodes(op='Tanh')[0], graph.get_op_nodes(op='Sin')[0]
    tanh.in_port(0).disconnect()
    sin.out_port(0).connect(tanh.in_port(0))
''', 'Circle', 'cycle', 'wrong.py:%d' % LINE)
    refused('front', '''class Misfit(FrontReplacementPattern):
  enabled = True
  def find_and_replace_pattern(self, graph):
    for node in graph.get_op_nodes(op='Tanh'):
      new = create_op_node_with_second_input(graph, Reshape, np.array([5, 5]), {'name': 'bad'})
      node.in_port(0).get_connection().insert_node(new)
''', 'bad', '[5,5]', 'wrong.py:%d' % (LINE + 4))


@case
def much_of_the_api(c):
    """Two folders that do what extensions do, in both spellings."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'much')
    weights = np.random.RandomState(0).uniform(-1, 1, (4, 4)).astype(F)
    model = c.onnx([('A', ['x'], ['a']), ('B', ['x'], ['b'], {'k': 3}), ('MatMul', ['x', 'w'], ['mm']), ('Add', ['mm', 'bias'], ['ad']),
                    ('Relu', ['ad'], ['r']), ('Tanh', ['r'], ['c'])], [('x', [2, 4, 4])], ['a', 'b', 'c'], {'w': weights, 'bias': np.ones(4)})
    c.convert(model, extensions=os.path.join(here, 'ext'))
    x = random(2, 4, 4)
    first, second = np.split(x, 2, 1)
    padded = np.concatenate([np.full((2, 2, 1), 1.5, F), second], 2).sum(2, keepdims=True)
    a = (np.sort(first, -1)[..., ::-1][..., :2] + padded) * 2
    clamped = np.clip(x, -0.5, 0.5)
    squared = clamped ** 2
    b = np.maximum(np.maximum(np.where(squared > F(0.1), squared, clamped), clamped), squared) * 10
    c.expect(c.outputs(x=x), [a.reshape(-1), b.reshape(-1), np.tanh(x @ weights).reshape(-1)], 1e-4)
    model = c.onnx([('Tanh', ['x'], ['a']), ('Tanh', ['a'], ['b'])], [('x', [2, 4])], ['b'])
    c.convert(model, extensions=os.path.join(here, 'old'))
    x = random(2, 4)
    c.expect(c.outputs(x=x), [2 * x + 1])
    model = c.onnx([('Pairwise', ['x', 'z'], ['a', 'b'], {'alpha': 0.5, 'mode': 'up'})], [('x', [2, 4]), ('z', [2, 4])], ['a', 'b'])
    c.convert(model, extensions=os.path.join(here, 'old'))
    with open(c.path('out', 'm.xml')) as f:
        xml = f.read()
    if not re.search(r'type="Pairwise" version="custom_opset">\s*<data alpha="0.5" mode="UP" flag="0"/>', xml):
        raise Failed('attributes of Pairwise: ' + xml)


@case
def names_of_the_headers(c):
    """mo_host.extend: an operation with a schema and values, and its extractor."""
    c.write('ext/gain.py', '''
from mo_host.extend import BackReplacementPattern, Op, extractor

class Gain(Op):
    type, opset = 'Gain', 'com.acme'
    def schema(s):
        s.inputs(1).outputs(1).attr('scale', 1.0).attr('sizes', [1])
    def infer(c):
        c.require(c.shape(0) is not None, 'the rank is not known')
        c.output(0, c.type(0), c.shape(0))
    def evaluate(c):
        c.output_value(0, c.value(0) * c.attr('scale'))

@extractor('onnx', 'com.acme', 'Gain')
def extract(node):
    node.set_op('Gain', 'com.acme')
    node.set('scale', node.native('scale', 1.0))
    node.set('sizes', node.native('sizes', [1]))
''')
    model = c.onnx([('Gain', ['k'], ['g'], {'scale': 3.0, 'sizes': [2, 3], 'domain': 'com.acme'}), ('Add', ['x', 'g'], ['y'])],
                   [('x', [2, 3])], ['y'], {'k': [[1, 2, 3]]})
    c.convert(model)
    x = random(2, 3)
    c.expect(c.outputs(x=x), [x + 3 * np.array([[1, 2, 3]], F)])
    c.convert(c.onnx([('Gain', ['x'], ['y'], {'sizes': [2, 3], 'domain': 'com.acme'})], [('x', [2, 3])], ['y']))
    with open(c.path('out', 'm.xml')) as f:
        xml = f.read()
    if not re.search(r'type="Gain" version="com.acme">\s*<data scale="1" sizes="2,3"/>', xml):
        raise Failed('attributes of Gain: ' + xml)


@case
def errors_say_where(c):
    model = c.onnx([('Tanh', ['x'], ['y'])], [('x', [2, 3])], ['y'])
    c.write('ext/back/bad.py', 'from openvino.tools.mo.graph.graph import Graph\nclass Bad\n    pass\n')
    c.refused(model, ['SyntaxError', 'bad.py:2'])
    c.write('ext/back/bad.py', 'from openvino.tools.mo.ops.elementwise import Addd\n')
    c.refused(model, ['Addd', "did you mean 'Add'", 'bad.py:1'])
    head = 'from openvino.tools.mo.back.replacement import BackReplacementPattern\nclass Bad(BackReplacementPattern):\n  enabled = True\n'
    c.write('ext/back/bad.py', head + '  def find_and_replace_pattern(self, graph):\n    return self.deep(graph)\n  def deep(self, graph):\n    return {}["key"]\n')
    c.refused(model, ['KeyError', 'key', 'bad.py:5', 'bad.py:7', 'Bad'])
    c.write('ext/back/bad.py', head + '  def find_and_replace_pattern(self, graph):\n    graph.get_op_nodes(op="Tanh")[0].in_port(3)\n')
    c.refused(model, ['port with index 3', 'bad.py:5'])
    c.write('ext/back/bad.py', head + '  def run_before(self):\n    return [Other]\nclass Other(BackReplacementPattern):\n  def run_before(self):\n    return [Bad]\n')
    c.refused(model, ['cycle', 'Bad', 'Other', 'bad.py:'])
    c.write('ext/back/bad.py', head + '  def find_and_replace_pattern(self, graph):\n    raise SystemExit(3)\n')
    c.refused(model, ['sys.exit', 'bad.py:5'])
    c.refused(model, ['--python', '/nowhere/python3'], ['--python', '/nowhere/python3'])


def says(text, *words):
    for w in words:
        if w not in text:
            raise Failed('it is not said: {!r}: {}'.format(w, text))


@case
def a_new_extension(c):
    """What `new extension` writes, its own test, and what commands say of it: the file and the line."""
    folder = c.path('acme_gate')
    says(c.run(['new', 'extension', 'acme_gate', '--lang', 'python', '--id', 'com.acme.gate', '--dir', folder]), 'acme_gate.py', 'test_acme_gate.py')
    says(c.run(['new', 'extension', 'x', '--lang', 'cpp'], 1), 'new plugin x --lang cpp')
    says(c.run(['new', 'plugin', 'x', '--lang', 'python'], 1), 'new extension x --lang python')
    says(c.run(['new', 'extension', 'x', '--wheel'], 1), '--wheel')
    # Its other test is `plugin check` with all rules, which takes a process for each.
    done = subprocess.run([sys.executable, os.path.join(folder, 'tests', 'test_acme_gate.py'), 'TestAcmeGate.test_values'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, env=dict(os.environ, MO_HOST=c.host), timeout=600)
    if done.returncode:
        raise Failed(done.stdout)
    says(done.stdout, 'Ran 1 test')
    says(c.run(['plugin', 'check', folder, '--level', 'smoke']), 'org.mo-host.python', '0 failed')
    source = os.path.join(folder, 'acme_gate.py')
    with open(source) as f:
        lines = f.read().split('\n')
    operation, extract = (next(i for i, l in enumerate(lines, 1) if l.startswith(begin)) for begin in ('class AcmeGate', '@extractor'))
    said = c.run(['plugin', 'why', 'AcmeGate', '--extensions', folder])
    says(said, '{}:{}'.format(source, operation), '{}:{}'.format(source, extract))
    # A rule that is broken is told as a plugin's.
    with open(source, 'w') as f:
        f.write('\n'.join(lines).replace('(x * c.attr("scale")).astype(x.dtype)', 'x[:1]'))
    says(c.run(['plugin', 'check', folder, '--filter', 'MOX-228/com.acme*'], 1), 'MOX-228', 'AcmeGate', 'plugin check ' + folder)


@case
def places_of_transformations(c):
    """--explain, provenance and the page name the file and the line."""
    source = c.write('ext/front/twice.py', HEAD + '''class Twice(FrontReplacementOp):
    op = 'Abs'
    enabled = True
    def replace_op(self, graph, node):
        new = Op.get_op_class_by_name('Exp')(graph, {'name': 'two'}).create_node([node.in_node(0)])
        return [new.id]
''')
    place = '{}:{}'.format(source, LINE)
    model = c.onnx([('Abs', ['x'], ['y'])], [('x', [2, 3])], ['y'])
    page = c.path('page.html')
    said = c.convert(model, ['--explain', 'ext.front.twice.twice', '--provenance', '--explore', page])
    says(said, 'ext.front.twice.twice ({})\n  applied 1 time'.format(place))
    with open(c.path('out', 'm.xml')) as f:
        says(f.read(), 'value="org.mo-host.python ext.front.twice.twice ({})"'.format(place))
    with open(page, errors='replace') as f:
        says(f.read(), 'ext/front/twice.py:{}'.format(LINE))


@case
def what_ends_badly(c):
    """As of a compiled plugin, in the process of the program and isolated."""
    model = c.onnx([('Abs', ['x'], ['y'])], [('x', [2, 3])], ['y'])
    alone = ['--isolate', 'org.mo-host.python', '--isolate_timeout', '5']
    def source(*lines):
        c.write('ext/front/it.py', 'import ctypes, os, sys, threading, time\n' + HEAD +
                'class It(FrontReplacementPattern):\n  enabled = True\n  def find_and_replace_pattern(self, graph):\n' +
                ''.join('    {}\n'.format(l) for l in lines))
    source('os._exit(0)')
    c.refused(model, ['MO0810', 'exit code 0', 'ext.front.it.it'])
    c.refused(model, ['MO0815', 'exit status 0', 'ext.front.it.it'], alone)
    with open(c.host, 'rb') as f:
        sanitized = b'__asan_init' in f.read()    # which tells of crashes itself
    if not sanitized:
        source('ctypes.string_at(8)')
        c.refused(model, ['MO0809', 'ext.front.it.it'])
        c.refused(model, ['MO0815', 'SIGSEGV', 'ext.front.it.it'], alone)
    source('while True:', '  pass')
    c.refused(model, ['MO0816', 'longer than 5 seconds', 'ext.front.it.it'], alone)
    source('sys.exit(0)')
    for more in [], alone:
        c.refused(model, ['sys.exit(0)', 'it.py:{}'.format(LINE + 4)], more)
    source('def forever():', '  while True: time.sleep(1)', 'threading.Thread(target=forever).start()')
    for more in [], alone:
        c.convert(model, more)


def main():
    host, wanted = sys.argv[1], sys.argv[2:]
    bad = 0
    for function in CASES:
        if wanted and function.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(Case(host, folder))
                print('passed', function.__name__)
            except (Failed, AssertionError, subprocess.TimeoutExpired, OSError) as e:
                bad += 1
                print('FAILED', function.__name__, e)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
