"""Imports the extensions of the folders that were found, and registers what they have."""
import ctypes as C
import importlib
import importlib.machinery
import importlib.util
import inspect
import linecache
import logging
import os
import re
import sys
import threading
import traceback

import numpy as np

from . import abi, library, model, modules, names, native, ops, passes
from .abi import S, here
from .graph import Session, _alive, node_of, remove_unread_of_front
from .infer import Inferring
from .utils import Error

FRAMEWORKS = ('caffe', 'kaldi', 'mxnet', 'onnx', 'tf')
DOMAINS = {'onnx': ('', 'ai.onnx.ml', 'com.microsoft', 'org.openvinotoolkit', 'ai.onnx.preview.training'),
           'mxnet': ('',), 'tf': ('',), 'caffe': ('',)}
_extensions = {}     # folder -> what it has, once for all sessions
_tried = []          # folders that could not be imported
_own = os.path.dirname(__file__)
_importing = threading.RLock()


class Extension:
    """What one folder has."""

    def __init__(self, folder):
        self.folder, self.transformations, self.extractors, self.operations = folder, [], [], []
        self.native = [], []    # operations and extractors of mo_host.extend
        self.problems = []  # (framework, exception): of folders that only models of a framework need


# ---- Errors

def _is_own(path):
    return path.startswith(_own + os.sep)


def frames_of(error):
    """The extensions' own lines, the innermost last."""
    out = []
    for f in traceback.extract_tb(error.__traceback__):
        if any(f.filename.startswith(folder + os.sep) for folder in list(_extensions) + _tried) and not _is_own(f.filename):
            out.append((f.filename, f.lineno, f.name, f.line or linecache.getline(f.filename, f.lineno).strip()))
    if isinstance(error, SyntaxError) and error.filename and os.path.isfile(error.filename):
        out.append((error.filename, error.lineno or 0, '<module>', (error.text or '').strip()))
    return out


def described(error, what=''):
    """(text, file, line) of an exception."""
    kind = type(error).__name__
    said = str(error)
    if isinstance(error, abi.HostError):
        text = said
    elif isinstance(error, Error):
        text = said
    elif isinstance(error, SyntaxError):
        text = 'SyntaxError: {}'.format(error.msg)
    elif isinstance(error, SystemExit):
        text = 'the extension ends the program: sys.exit({})'.format(said)
    else:
        text = '{}: {}'.format(kind, said) if said else kind
    if what:
        text = '{}: {}'.format(what, text)
    frames = frames_of(error)
    for origin in getattr(error, 'mo_classes', None) or ([error.mo_class] if not frames and getattr(error, 'mo_class', None) and not hasattr(error, 'mo_place') else []):
        frames.append(place_of(origin) + (origin.__name__, ''))
        for hook in ('run_before', 'run_after') if hasattr(error, 'mo_classes') else ():
            function = origin.__dict__.get(hook)
            if function is not None:
                lines, first = inspect.getsourcelines(function)
                frames += [(place_of(origin)[0], first + k, hook, text_line.strip()) for k, text_line in enumerate(lines) if 'return' in text_line]
    if not frames and hasattr(error, 'mo_place'):
        file, line = error.mo_place
        frames.append((file, line, 'the making of the node', linecache.getline(file, line).strip()))
    if not frames:   # ours: all of it helps
        text += '\n' + ''.join(traceback.format_tb(error.__traceback__)[-3:]).rstrip()
        return text, '', 0
    for file, line, function, source in frames[-8:]:
        text += '\n  {}:{} in {}{}'.format(file, line, function, ': ' + source if source else '')
    return text, frames[-1][0], frames[-1][1]


def report(error, what='', node=0):
    text, file, line = described(error, what)
    message = abi.Message(size=C.sizeof(abi.Message))
    keep = S(text), S(file)
    message.text, message.file = keep
    message.line = line
    message.node = getattr(error, 'mo_node', node) or 0
    abi.host.try_fail_with(abi.ERROR, C.byref(message))
    return abi.ERROR


class _ToHost(logging.Handler):
    def emit(self, record):
        level = 3 if record.levelno >= logging.ERROR else 2 if record.levelno >= logging.WARNING else 1 if record.levelno >= logging.INFO else 0
        abi.log(level, self.format(record))


# ---- Importing

def _package(folder):
    """The module that stands for the folder, so that its files import each other by its name."""
    name = os.path.basename(folder).replace('.', '_')
    present = sys.modules.get(name)
    if present is not None and folder not in list(getattr(present, '__path__', [])):
        for other in [m for m in sys.modules if m == name or m.startswith(name + '.')]:
            del sys.modules[other]
        present = None
    if present is None:
        if name in ('mo', 'extensions'):
            modules.folders[name] = folder
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [folder]
        init = os.path.join(folder, '__init__.py')
        if os.path.exists(init):
            spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[folder])
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        if spec.loader is not None and os.path.exists(init):
            spec.loader.exec_module(module)
    return name


def _files(folder):
    return sorted(f for f in os.listdir(folder) if f.endswith('.py') and f != '__init__.py') if os.path.isdir(folder) else []


def _import(extension, package, sub, framework=''):
    for file in _files(os.path.join(extension.folder, *sub)):
        module = importlib.import_module('.'.join([package] + list(sub) + [file[:-3]]))
        _collect(extension, module, framework)


def _import_new(extension, package):
    """Files of the folder itself are looked at when they are written for mo_host.extend."""
    for file in _files(extension.folder):
        with open(os.path.join(extension.folder, file), 'rb') as f:
            if b'mo_host.extend' in f.read():
                _collect(extension, importlib.import_module(package + '.' + file[:-3]), '')


def _collect(extension, module, framework):
    for cls in list(vars(module).values()):
        if not isinstance(cls, type) or cls.__module__ != module.__name__:
            continue
        if any(b in cls.__bases__ for b in passes.BASES):
            if issubclass(cls, passes.FrontReplacementOp) and cls.enabled and not isinstance(cls.op, str) and not _overrides(cls, 'pattern') \
                    and not _overrides(cls, 'find_and_replace_pattern'):
                raise _lacks(cls, 'op', 'the operation that it replaces')
            extension.transformations.append((cls, framework))
        elif issubclass(cls, library.FrontExtractorOp):
            if isinstance(cls.op, str):
                extension.extractors.append((cls, framework))
            elif cls.enabled and any(b.__module__.startswith('_mo_host') for b in cls.__bases__):
                raise _lacks(cls, 'op', 'the operation that it reads')
        elif issubclass(cls, ops.Op):
            extension.operations.append(cls)


def _overrides(cls, name):
    return any(name in c.__dict__ for c in cls.__mro__ if not c.__module__.startswith('_mo_host'))


def _lacks(cls, name, what):
    error = Error('{} has no attribute "{}", {}', cls.__name__, name, what)
    error.mo_class = cls
    return error


def extension_of(folder):
    with _importing:
        return _extension_of(os.path.realpath(folder))


def _extension_of(folder):
    if folder in _extensions:
        return _extensions[folder]
    extension = _extensions[folder] = Extension(folder)
    parent = os.path.dirname(folder)
    if parent not in sys.path:
        sys.path.insert(0, parent)
    before_native = len(native.operations), len(native.extractors)
    try:
        package = _package(folder)
        _import_new(extension, package)
        for sub in ('ops',), ('front',):
            _import(extension, package, sub)
        for framework in FRAMEWORKS:
            before = [list(getattr(extension, k)) for k in ('transformations', 'extractors', 'operations')]
            try:
                _import(extension, package, ('front', framework), framework)
            except BaseException as e:
                extension.problems.append((framework, e))
                extension.transformations, extension.extractors, extension.operations = before
        for sub in ('middle',), ('back',):
            _import(extension, package, sub)
    except BaseException as e:
        del _extensions[folder]
        _tried.append(folder)
        raise
    extension.native = native.operations[before_native[0]:], native.extractors[before_native[1]:]
    return extension


# ---- Callbacks

INFER = C.CFUNCTYPE(abi.i32, abi.ptr, abi.ptr, C.POINTER(abi.InferArgs))
ON_HANDLE = C.CFUNCTYPE(abi.i32, abi.ptr, abi.ptr, abi.u64)
ON_MATCH = C.CFUNCTYPE(abi.i32, abi.ptr, abi.ptr, abi.ptr)
RELEASE = C.CFUNCTYPE(None, abi.ptr)


def entered(session, function, phase, what='', cls=None):
    """`function` as a callback: with the context and the session at hand, exceptions told to the host."""
    def call(user, context, argument):
        before = here.context, here.session, here.phase, here.inferring
        here.context, here.session, here.phase, here.inferring = context, session, phase or before[2], None
        here.depth += phase is not None
        try:
            status = function(argument)
            return abi.OK if status is None else status
        except BaseException as e:
            if cls is not None and not hasattr(e, 'mo_class'):
                try:
                    e.mo_class = cls
                except AttributeError:
                    pass
            return report(e, what)
        finally:
            here.context, here.session, here.phase, here.inferring = before
            here.depth -= phase is not None
    return call


def pointer(session, kind, function):
    callback = kind(function)
    session.keep.append(callback)
    return C.cast(callback, abi.ptr).value


def place_of(cls):
    try:
        return inspect.getsourcefile(cls) or '', inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):
        return getattr(sys.modules.get(cls.__module__), '__file__', ''), 0


def infer_node(args):
    args = args.contents
    node = node_of(args.node)
    own = here.session.attributes.get(args.node) or {}
    function = own.get('infer')
    if not callable(function):
        function = ops.infer_form(own.get('_class'))
    ops.follow_order(node)
    inferring = Inferring(args)
    if function is None and own.get('_class') is not None and not issubclass(own['_class'], ops.Library) and not here.depth:
        error = Error('There is no infer function for node "{}" ({}): set "infer" in {}', node.name, node.op, own['_class'].__name__)
        error.mo_node, error.mo_class = args.node, own['_class']
        raise error
    if function is None or inferring.waits():
        return abi.OK
    here.inferring, phase = inferring, here.phase
    here.phase = 'middle'
    try:
        function(node)
        if callable(own.get('type_infer')):
            own['type_infer'](node)
    except Exception as e:
        if here.depth:    # of a graph that is being changed, as it stands in between; it is inferred again
            return abi.OK
        e.mo_node = args.node
        if own.get('_class') is not None:
            e.mo_class = own['_class']
        raise
    finally:
        here.inferring, here.phase = None, phase
    inferring.tell()
    return abi.OK


def write_node(handle):
    own = here.session.attributes.get(handle)
    if own is None:
        return
    for key, value in ops.ir_attributes(node_of(handle), own):
        abi.infer.add_ir_attr(S(key), S(names.ir_text(value, known=False)))


def extract_node(cls, handle):
    result = extracted(node_of(handle), cls.extract)
    if result is None or result is False:
        return abi.NOT_APPLICABLE
    ops.tell_all()
    return abi.OK


def extracted(node, extract):
    before, here.extracting = here.extracting, node.h
    try:
        return extract(node)
    finally:
        here.extracting = before


def extract_rest(session, extensions, handle):
    """Operators of domains that could not be known before, and those that only an Op of their name knows."""
    graph = session.graph(handle)
    framework = graph.graph['fw']
    extractors = {}
    for e in extensions:
        for cls, fw in e.extractors:
            if cls.enabled and fw in ('', framework):
                extractors[cls.op.lower()] = cls
    known = {op.lower(): cls for op, cls in ops.Op.registered_ops.items()}
    if not extractors and not known:
        return
    for node in graph._all():
        op, opset = node._is()
        if opset != '' or op in ('Parameter', 'Const', 'Result') or session.attributes.get(node.h):
            continue
        key = model.native_key(node)
        if key is None:
            continue
        name = key[2].lower()
        if name in extractors:
            extracted(node, extractors[name].extract)
        elif name in known:
            known[name].update_node_stat(node, {})
    ops.tell_all(graph)


def check_front(graph):
    """While it is known where a node was made. What else cannot be inferred the host tells itself."""
    if here.session.made_at:
        graph.check_shapes(None)


def settle_front(graph):
    ops.tell_all(graph, last=True)
    remove_unread_of_front()


def settle_middle(graph):
    ops.tell_all(graph, last=True)
    if graph.graph['fw'] == 'tf' and graph.graph['layout'] == 'NHWC':
        ops.free_orders(graph)


def leftovers(handle):
    """Before the IR is written: nothing may be left that only extensions understand."""
    ops.tell_all(here.session.graph(handle), last=True)
    graph = here.session.graph(handle)
    for h in list(here.session.attributes):
        if not isinstance(h, int) or not _alive(h):
            continue
        node = node_of(h)
        if node._is()[1] in (names.PRIVATE, names.ANY_ORDER):
            own = here.session.attributes.get(node.h) or {}
            error = Error('node "{}": the operation "{}" has no type that can be written, and no transformation has replaced it',
                          node.name, node.op)
            error.mo_node = node.h
            if own.get('_class') is not None and not own['_class'].__module__.startswith('_mo_host'):
                error.mo_class = own['_class']
            raise error


# ---- Registration

def _snake(text):
    text = re.sub(r'([a-z0-9])([A-Z])', r'\1_\2', re.sub(r'([A-Z]+)([A-Z][a-z])', r'\1_\2', text))
    return re.sub(r'[^a-z0-9_.]', '_', text.lower())


def id_of(cls, taken):
    own = cls.__dict__.get('id')
    name = own if isinstance(own, str) and re.fullmatch(r'[a-z][a-z0-9_]*(\.[a-z0-9_]+)*', own) else None
    if name is None:
        name = '.'.join(p for p in (_snake(cls.__module__) + '.' + _snake(cls.__name__)).split('.') if p)
        if not name[0].isalpha():
            name = 'python.' + name
    unique, n = name, 1
    while unique in taken:
        n += 1
        unique = '{}_{}'.format(name, n)
    taken.add(unique)
    return unique


class Registrar:
    def __init__(self, session, extensions):
        self.session, self.extensions, self.taken = session, extensions, set()

    def source(self, cls):
        abi.registry.in_source(S('{}:{}'.format(*place_of(cls))))

    def transformation(self, id, phase, kind, after, before, doc, function, framework='', enabled=True, cls=None, recursive=True,
                       general=None):
        d = abi.TransformationDef(size=C.sizeof(abi.TransformationDef))
        keep = S(id), S(doc[:180])
        d.id, d.doc = keep
        lists = abi.strs(before), abi.strs(after), abi.strs([framework] if framework else [])
        d.run_before, d.n_run_before = lists[0], len(before)
        d.run_after, d.n_run_after = lists[1], len(after)
        d.frameworks, d.n_frameworks = lists[2], 1 if framework else 0
        d.phase = {'load': 1, 'front': 2, 'middle': 4, 'back': 6}[phase]
        d.kind = kind
        d.enabled = 1 if enabled else 2
        d.recursive = 1 if recursive else 2
        if cls is not None:
            d.force_clean_up = 1 if cls.force_clean_up else 0
            d.force_shape_inference = 1 if cls.force_shape_inference else 0
        what = cls.__name__ if cls is not None else ''
        if kind in (1, 7):
            d.on_graph = pointer(self.session, ON_HANDLE, entered(self.session, function, phase, what, cls=cls))
        else:
            d.on_match = pointer(self.session, ON_MATCH, entered(self.session, function, phase, what, cls=cls))
        abi.registry.transformation(C.byref(d))

    def chain(self, phase, entries, after, before):
        """Entries (id, class or None, function, …) that run one after the other."""
        last = after
        for id, cls, framework, kind, function, doc in entries:
            if cls is not None:
                self.source(cls)
            self.transformation(id, phase, kind, [last] + ([after] if last != after else []), [before], doc, function, framework,
                                enabled=cls is None or bool(cls.enabled), cls=cls,
                                recursive=cls is None or not cls.run_not_recursively)
            last = id

    def entry(self, cls, framework):
        file, line = place_of(cls)
        doc = '{} of {}:{}'.format(cls.__name__, os.path.join(*file.split(os.sep)[-3:]) if file else '?', line)
        if issubclass(cls, passes.FrontReplacementFromConfigFileGeneral):
            return (cls.replacement_id, cls, framework, 7, lambda h: passes.run_general(cls, self.session.graph(h)), doc)
        if issubclass(cls, passes.FrontReplacementFromConfigFileSubGraph):
            return (cls.replacement_id, cls, framework, 5, lambda m: passes.run_on_match(cls, m), doc)
        return (id_of(cls, self.taken), cls, framework, 1, lambda h: passes.run_on_graph(cls, self.session.graph(h)), doc)

    def transformations(self):
        by_class = {}
        for e in self.extensions:
            for cls, framework in e.transformations:
                if issubclass(cls, (passes.FrontReplacementFromConfigFileSubGraph, passes.FrontReplacementFromConfigFileGeneral)) \
                        and not cls.replacement_id:
                    continue
                by_class[cls] = framework
        session = self.session
        sorted_of = {}
        for phase in ('front', 'middle', 'back'):
            own = [c for c in by_class if c.phase == phase]
            try:
                order = passes.in_order(own, phase)
            except Exception as e:
                e.mo_classes = [c for c in own if c in getattr(e, 'loop', ())]
                raise
            sorted_of[phase] = order
        chosen = {phase: [c for c in order if c in by_class and c.phase == phase] for phase, order in sorted_of.items()}
        late_from = next((i for i, c in enumerate(sorted_of['middle']) if c is passes.ANCHORS['MiddleFinish']), len(sorted_of['middle']))
        late = {c for c in sorted_of['middle'][late_from:] if c in by_class}
        late |= {c for c in chosen['middle'] if any(o.__name__ in passes.LATE for o in passes.related(c, 'run_after'))}
        entries = {phase: [self.entry(c, by_class[c]) for c in order] for phase, order in chosen.items()}
        abi.registry.in_source(S(os.path.join(_own, 'start.py')))
        self.problems()
        self.chain('front',
                   [('python.front.extract_rest', None, '', 1, lambda h: extract_rest(session, self.extensions, h),
                     'extractors of extensions for operators that no other takes')] + entries['front'] +
                   [('python.front.settle', None, '', 1, lambda h: settle_front(session.graph(h)),
                     'operations of the Model Optimizer become those of the operation sets')], 'load.finish', 'front.start')
        if entries['front']:
            self.chain('front', [('python.front.check', None, '', 1, lambda h: check_front(session.graph(h)),
                                  'what extensions have made can be inferred')], 'front.finish', 'pre_middle.start')
        early = [e for e in entries['middle'] if e[1] not in late]
        self.chain('middle', early + [('python.middle.settle', None, '', 1, lambda h: settle_middle(session.graph(h)),
                                       'operations of extensions become those of the operation sets')],
                   'front.finish', 'pre_middle.start')
        if late:
            self.chain('middle', [e for e in entries['middle'] if e[1] in late], 'middle.finish', 'post_middle.start')
        self.chain('back', [('python.back.follow_order', None, '', 1, lambda h: ops.follow_orders(session),
                             'attributes of extensions follow the order of dimensions')] + entries['back'] + [('python.back.settle', None, '', 1, leftovers,
                                               'nothing is left that only extensions understand')], 'post_middle.finish', 'back.start')

    def problems(self):
        n = 0
        for e in self.extensions:
            for framework, error in e.problems:
                if framework == 'kaldi':
                    continue

                def fail(handle, error=error):
                    raise error
                n += 1
                self.transformation('python.load.problem_{}'.format(n), 'load', 1, [], [], 'a file that cannot be imported', fail, framework)

    def extractors(self):
        found = {}
        for e in self.extensions:
            for cls, framework in e.extractors:
                if not cls.enabled:
                    continue
                domains = DOMAINS.get(framework, ('',))
                if issubclass(cls, library.CaffePythonFrontExtractorOp):
                    domains = ('Python',)
                if issubclass(cls, library.MXNetCustomFrontExtractorOp):
                    domains = ('Custom',)
                if isinstance(cls.domain, str):
                    domains = (cls.domain,)
                for domain in domains:
                    found[framework, domain, cls.op] = cls
        for (framework, domain, op), cls in found.items():
            self.source(cls)
            d = abi.ExtractorDef(size=C.sizeof(abi.ExtractorDef))
            keep = S(framework), S(domain), S(op)
            d.framework, d.domain, d.op = keep
            d.extract = pointer(self.session, ON_HANDLE, entered(
                self.session, lambda h, cls=cls: extract_node(cls, h), 'front', cls=cls))
            abi.registry.extractor(C.byref(d))

    def operation(self, op, opset, doc):
        d = abi.OperationDef(size=C.sizeof(abi.OperationDef))
        keep = S(op), S(opset), S(doc)
        d.op, d.opset, d.doc = keep
        d.max_inputs = d.max_outputs = 0xffffffff
        d.infer = pointer(self.session, INFER, entered(self.session, infer_node, None))
        d.ir_attrs = pointer(self.session, ON_HANDLE, entered(self.session, write_node, 'back'))
        if opset != names.PRIVATE:
            port, attr = abi.PortDef(size=C.sizeof(abi.PortDef)), abi.AttrDef(size=C.sizeof(abi.AttrDef))
            names_kept = S(names.ORDER), S('-')
            attr.name, attr.ir_name = names_kept
            port.role, attr.kind, attr.role = 1, 16, 3
            d.inputs, d.n_inputs = C.cast(C.pointer(port), abi.ptr), 1
            d.attrs, d.n_attrs = C.pointer(attr), 1
        else:
            def gone(user, session=self.session):
                session.attributes.clear()
                session.graphs.clear()
            d.release = pointer(self.session, RELEASE, gone)
        abi.registry.operation(C.byref(d))

    def operations(self):
        self.operation('_', names.PRIVATE, 'operations that only extensions understand')
        self.operation('_', names.ANY_ORDER, 'the same, whose dimensions may change their order')
        seen = set()
        for e in self.extensions:
            for cls in e.operations:
                try:
                    attrs = cls(None, {}).attrs
                    kind, opset = attrs.get('type'), ops.own_set(attrs.get('version'))
                except Exception:
                    continue
                if isinstance(kind, str) and (kind, opset) not in seen and not ops.is_standard(kind):
                    seen.add((kind, opset))
                    self.source(cls)
                    self.operation(kind, opset, 'operation of an extension')


def load(context, status_address):
    status = abi.i32.from_address(status_address)
    before = here.context, here.session, here.phase
    here.context, here.session, here.phase = context, Session(), 'front'
    try:
        abi.bind(context)
        modules.install()
        root = logging.getLogger()
        if not any(isinstance(h, _ToHost) for h in root.handlers):
            root.addHandler(_ToHost())
        from .graph import option
        extensions = [extension_of(f) for f in dict.fromkeys(option('foreign_folders') or [])]
        registrar = Registrar(here.session, extensions)
        registrar.operations()
        registrar.extractors()
        native.register(registrar, pointer, entered)
        registrar.transformations()
        status.value = abi.OK
    except BaseException as e:
        status.value = report(e)
    finally:
        here.context, here.session, here.phase = before


assert np is not None
