"""What the generators of single-operation models share: random tensors, cases, and the writing of a case as an IR."""
import os
import sys
import tempfile
import xml.sax.saxutils
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, os.pardir, os.pardir, os.pardir))
SHARED = os.path.abspath(os.environ.get("MO_SHARED") or os.path.join(ROOT, os.pardir, "shared"))
IR_CHECK = os.path.join(SHARED, "tools", "ir_check")
ir_ops = None
HAVE_IR_CHECK = os.path.exists(os.path.join(IR_CHECK, "ir_exec.py"))
if HAVE_IR_CHECK:
    sys.path.insert(0, IR_CHECK)
    import ir_exec
    import ir_ops
    import ir_schema

PRECISION = {"f64": "FP64", "f32": "FP32", "f16": "FP16", "boolean": "BOOL", "u1": "BIN"}
NUMPY = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32, "i64": np.int64, "i32": np.int32,
         "i16": np.int16, "i8": np.int8, "i4": np.int8, "u64": np.uint64, "u32": np.uint32, "u16": np.uint16,
         "u8": np.uint8, "u4": np.uint8, "u1": np.uint8, "boolean": np.bool_}
NAMES = {np.dtype(v): k for k, v in NUMPY.items() if k not in ("bf16", "i4", "u4", "u1")}


class Ty(str):
    """An attribute that is an element type."""


class Floats(list):
    """A list of floats, also when it is empty."""


class Strings(list):
    """A list of strings, also when it is empty."""


def bfloat(x):
    """The nearest bf16 values, as float32."""
    bits = np.array(x, np.float32).reshape(-1).view(np.uint32).astype(np.uint64)
    rounded = (bits + np.uint64(0x7fff) + ((bits >> np.uint64(16)) & np.uint64(1))) >> np.uint64(16)
    return (rounded << np.uint64(16)).astype(np.uint32).view(np.float32).reshape(np.shape(x))


class In:
    """An input of an operation: a Parameter with its value, or a Const."""

    def __init__(self, value, type_=None, const=False, structural=False):
        value = np.asarray(value)
        self.type = type_ or NAMES[value.dtype]
        self.value = value if self.type == "string" else np.array(value, NUMPY[self.type], order="C").reshape(value.shape)
        if self.type == "bf16":
            self.value = bfloat(self.value)
        self.const, self.structural = const, structural


def par(value, type_=None):
    return In(value, type_)


def con(value, type_=None):
    return In(value, type_, const=True)


class Rng:
    """Seeded random shapes, numbers and tensors. `small` keeps dimensions down, for rows of text."""

    def __init__(self, seed, name, opset, index, small=False):
        self.g = np.random.default_rng([seed, zlib.crc32(name.encode()), opset, index])
        self.small = small

    def int(self, low, high):
        return int(self.g.integers(low, high + 1))

    def dim(self, low=1, high=5):
        return self.int(low, min(high, max(low + 1, 2)) if self.small else high)

    def chance(self, p=0.5):
        return bool(self.g.random() < p)

    def bool(self):
        return self.chance()

    def pick(self, items):
        return items[int(self.g.integers(len(items)))]

    def cycle(self, items, index):
        """Item by index: every one is met early."""
        return items[index % len(items)]

    def sample(self, items, count):
        items = list(items)
        return [items[i] for i in self.g.permutation(len(items))[:count]]

    def shape(self, low=0, high=4, dims=(1, 5), empty=0.0):
        s = [self.dim(*dims) for _ in range(self.int(low, min(high, max(low, 3)) if self.small else high))]
        if s and self.chance(empty):
            s[self.int(0, len(s) - 1)] = 0
        return s

    def axis(self, rank, negative=True):
        a = self.int(0, rank - 1)
        return a - rank if negative and self.bool() else a

    def data(self, shape, type_="f32", low=-4.0, high=4.0):
        """Numbers of few digits; integers stay small."""
        shape = tuple(shape)
        if type_ == "boolean":
            return self.g.random(shape) < 0.5
        if type_[0] == "f" or type_ == "bf16":
            step = 8 if type_ in ("f16", "bf16") else 100
            x = np.round(self.g.uniform(low, high, shape) * step) / step
            x = np.array(np.clip(x, low, high), NUMPY[type_]).reshape(shape)
            return bfloat(x) if type_ == "bf16" else x
        low, high = int(np.ceil(low)), int(np.floor(high))
        if type_[0] == "u":
            low = max(low, 0)
        bits = int(type_[1:])
        top = (1 << bits) - 1 if type_[0] == "u" else (1 << (bits - 1)) - 1
        bottom = 0 if type_[0] == "u" else -top - 1
        return self.g.integers(max(low, bottom), min(high, top) + 1, shape).astype(NUMPY[type_])

    def distinct(self, shape, type_="f32"):
        """Numbers which are all different."""
        n = int(np.prod(shape))
        x = self.g.permutation(n).reshape(shape) - n // 2
        return np.array(x / 4 if type_[0] == "f" else (x + n // 2 if type_[0] == "u" else x), NUMPY[type_]).reshape(shape)

    def par(self, shape, type_="f32", low=-4.0, high=4.0):
        return par(self.data(shape, type_, low, high), type_)

    def structural(self, value, type_=None):
        """Axes, shapes and the like: mostly a Const."""
        type_ = type_ or self.pick(["i64", "i64", "i32"])
        return In(np.array(value, NUMPY[type_]), type_, const=not self.chance(0.15), structural=True)

    def either(self, value, type_=None):
        return In(value, type_, const=self.bool())

    def broadcastable(self, shape, keep=0.5):
        """A shape which broadcasts to `shape`, perhaps of lower rank."""
        s = [d if self.chance(keep) else 1 for d in shape]
        return s[self.int(0, len(s)):] if s and self.bool() else s

    def pair(self, high=4, empty=0.05):
        """Two shapes which broadcast in both directions."""
        full = self.shape(0, high, empty=empty)
        a, b = self.broadcastable(full, 0.7), self.broadcastable(full, 0.7)
        return (full, b) if self.bool() else (a, full)


class Case:
    """One operation with its inputs. `oracle` computes the outputs from the arrays; without it ir_check does, as
    `oracle_as` (type, opset) when that is given."""

    def __init__(self, inputs, attrs=None, outputs=1, oracle=None, oracle_as=None, out_types=None, dynamic=False,
                 rtol=None, atol=None, check=None, table=True, graph=None,
                 ir_check=True, loose=False):
        self.inputs, self.attrs, self.outputs = inputs, attrs or {}, outputs
        self.oracle, self.oracle_as, self.out_types = oracle, oracle_as, out_types
        self.dynamic = dynamic                    # the sizes of the outputs depend on data
        self.rtol, self.atol = rtol, atol
        self.check = check                        # instead of a comparison: f(outputs of mo-host) -> "" or what is wrong
        self.table = table                        # may become a row of a table
        self.graph = graph                        # f(net, ports of the inputs) -> sources of the outputs, when one
        #                                           operation alone makes no model
        self.ir_check = ir_check                  # False: legal, but ir_check does not know it
        self.loose = loose                        # of its row: the specification itself asks for less than what follows
        self.type, self.opset = None, None
        self.want = None
        self.unknown = {}                         # input -> dimensions its Parameter leaves open

    # -- expected outputs

    def node(self):
        return _Node(self)

    def compute(self):
        arrays = [i.value for i in self.inputs]
        if self.graph is not None and self.oracle is None:
            self._run_model()
            return
        with np.errstate(all="ignore"):
            if self.oracle is not None:
                want = self.oracle(*arrays)
                want = list(want) if isinstance(want, (list, tuple)) else [want]
            else:
                node = self.node()
                want = ir_ops.KERNELS[node.type](node, arrays)
        self.want = [np.asarray(w) for w in want][:self.outputs]
        if self.out_types is None:
            odd = next((i.type for i in self.inputs if i.type in ("bf16", "u4", "i4", "u1")), None)
            self.out_types = [odd if odd and w.dtype == NUMPY[odd] else NAMES[w.dtype] for w in self.want]
        self.want = [bfloat(w) if t == "bf16" else w for w, t in zip(self.want, self.out_types)]

    def _run_model(self):
        with tempfile.TemporaryDirectory() as folder:
            stem = os.path.join(folder, "m")
            self.net().write(stem)
            model = ir_exec.load(stem + ".xml")
            got = model.run({k: i.value for k, i in self.feeds().items()})
        self.want = [np.asarray(got[o.name]) for o in model.outputs]
        self.outputs = len(self.want)
        self.out_types = self.out_types or [NAMES[w.dtype] for w in self.want]

    def known_to_ir_check(self):
        return self.ir_check and self.opset <= ir_schema.MAX_OPSET and ir_schema.find(self.type, self.opset) is not None

    # -- writing

    def net(self):
        """The model: inputs, the operation, results."""
        net = Net()
        ports = []
        dynamic = self.dynamic or bool(self.unknown) or any(i.structural and not i.const for i in self.inputs)
        for k, i in enumerate(self.inputs):
            if not i.const:
                dims = [-1 if d in self.unknown.get(k, ()) else n for d, n in enumerate(i.value.shape)]
                ports.append(net.parameter("in%d" % k, i.type, dims))
            else:
                ports.append(None)
        for k, i in enumerate(self.inputs):
            if i.const:
                ports[k] = net.constant("in%d" % k, i.type, i.value)
        if self.graph is not None:
            for k, source in enumerate(self.graph(net, ports)):
                net.result("out%d" % k, source)
            return net
        dims = [[-1] * w.ndim if dynamic else list(w.shape) for w in self.want]
        op = net.add(self.type, self.opset, ports, list(zip(self.out_types, dims)), self.attrs, name="op")
        for k in range(self.outputs):
            net.result("out%d" % k, (op, k))
        return net

    def feeds(self):
        return {"in%d" % k: i for k, i in enumerate(self.inputs) if not i.const}

    def result_names(self):
        return ["out%d" % k for k in range(self.outputs)]


class _Node:
    """What ir_check's kernels want to know about a layer."""

    def __init__(self, case):
        self.type, opset = case.oracle_as or (case.type, case.opset)
        spec = ir_schema.find(self.type, min(opset, ir_schema.MAX_OPSET))
        self.ver, self.n_out = spec.first, case.outputs
        self.raw = {k: attribute_text(v) for k, v in case.attrs.items()}
        self.a = {}
        for name, a in spec.attrs.items():
            given = self.raw.get(name, a.default)
            self.a[name] = None if given is None else a.parse(given)[0]


def attribute_text(v):
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, (list, tuple)):
        return ",".join(attribute_text(float(x) if isinstance(v, Floats) else x) for x in v)
    return repr(v) if isinstance(v, float) else str(v)


class Net:
    """A model, or the body of a layer, being written. `model` is the outermost one: it owns the weights."""

    def __init__(self, model=None):
        self.model = model or self
        self.layers, self.edges, self.ports = [], [], {}
        if model is None:
            self.blob = bytearray()

    def add(self, type_, opset, inputs, outputs, attrs=None, name=None, extra="", keep_name=False):
        """Appends a layer; inputs are layer ids or (layer id, port number); returns its id."""
        number = len(self.layers)
        quote = xml.sax.saxutils.quoteattr
        text = '<layer id="%d" name=%s type="%s" version="opset%d">' % (
            number, quote(name or "%s_%d" % (type_, number)), type_, opset)
        if attrs:
            text += "<data %s/>" % " ".join("%s=%s" % (k, quote(attribute_text(v))) for k, v in attrs.items())
        sources = [p if isinstance(p, tuple) else (p, 0) for p in inputs]
        if sources:
            text += "<input>"
            for k, (layer, port) in enumerate(sources):
                _, kind, dims = self.ports[layer][port]
                text += port_text(k, kind, dims)
                self.edges.append((layer, self.ports[layer][port][0], number, k))
            text += "</input>"
        self.ports[number] = [(len(sources) + k, kind, list(dims)) for k, (kind, dims) in enumerate(outputs)]
        if outputs:
            text += "<output>%s</output>" % "".join(
                port_text(p, kind, dims, self.model is self and "t%d_%d" % (number, k))
                for k, (p, kind, dims) in enumerate(self.ports[number]))
        self.layers.append(text + extra + "</layer>")
        return number

    def parameter(self, name, type_, dims):
        shape = ",".join("?" if d < 0 else str(d) for d in dims)
        return self.add("Parameter", 1, [], [(type_, dims)], {"element_type": type_, "shape": shape}, name)

    def constant(self, name, type_, value):
        value = np.asarray(value)
        data, blob = constant_bytes(type_, value), self.model.blob
        blob.extend(b"\0" * (-len(blob) % 64))
        attrs = {"element_type": type_, "shape": ",".join(map(str, value.shape)), "offset": len(blob), "size": len(data)}
        blob.extend(data)
        return self.add("Const", 1, [], [(type_, value.shape)], attrs, name)

    def result(self, name, source):
        return self.add("Result", 1, [source], [], None, name)

    def xml(self):
        return "<layers>%s</layers><edges>%s</edges>" % ("\n".join(self.layers), "".join(
            '<edge from-layer="%d" from-port="%d" to-layer="%d" to-port="%d"/>' % e for e in self.edges))

    def write(self, stem):
        with open(stem + ".xml", "w") as file:
            file.write('<?xml version="1.0"?>\n<net name="case" version="11">%s</net>\n' % self.xml())
        with open(stem + ".bin", "wb") as file:
            file.write(self.model.blob)


def port_text(number, type_, dims, name=None):
    return '<port id="%d" precision="%s"%s>%s</port>' % (
        number, PRECISION.get(type_, type_.upper()), ' names="%s"' % name if name else "",
        "".join("<dim>%d</dim>" % d for d in dims))


def constant_bytes(type_, value):
    if type_ == "bf16":
        return (np.asarray(value, np.float32).view(np.uint32) >> 16).astype(np.uint16).tobytes()
    if type_ == "boolean":
        return value.astype(np.uint8).tobytes()
    if type_ == "u1":
        return np.packbits(value.reshape(-1).astype(np.uint8)).tobytes()
    if type_ in ("u4", "i4"):
        flat = value.reshape(-1).astype(np.uint8) & 15
        flat = np.concatenate([flat, np.zeros(flat.size % 2, np.uint8)])
        return (flat[0::2] | (flat[1::2] << 4)).tobytes()
    return np.ascontiguousarray(value, NUMPY[type_]).tobytes()


# ---------------------------------------------------------------------- registry

GENERATORS = {}     # (type, opset) -> (family, function of Rng and index)


def generator(*names, family=None):
    """@generator("Add-1", "Multiply-1"): the function gets (rng, index) and returns a Case; with a third argument it
    also gets (type, opset)."""
    def deco(func):
        where = family or func.__module__
        for name in names:
            type_, _, opset = name.rpartition("-")
            key = (type_, int(opset))
            assert key not in GENERATORS, key
            GENERATORS[key] = (where, func)
        return func
    return deco


def make(key, seed, index, small=False):
    type_, opset = key
    func = GENERATORS[key][1]
    rng = Rng(seed, type_, opset, index, small)
    case = func(rng, index, key) if func.__code__.co_argcount == 3 else func(rng, index)
    case.type, case.opset = key
    if index % 4 == 3 and case.graph is None:    # some dimensions are known only when there are values
        other = Rng(seed + 1, type_, opset, index)
        every = other.chance(0.3)
        for k, i in enumerate(case.inputs):
            open_ = [d for d in range(i.value.ndim) if every or other.chance(0.5)]
            if open_ and not i.const and not i.structural:
                case.unknown[k] = open_
    return case
