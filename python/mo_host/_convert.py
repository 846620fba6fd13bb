"""convert, check, verify, run, convert_many, and what they give."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import subprocess
import sys
import tempfile
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _native, _packages
from ._errors import ConversionError
from ._native import Text
from ._session import Call, Progress, option_text, parts_of

if TYPE_CHECKING:
    import numpy as np
    import openvino  # type: ignore[import-untyped, unused-ignore]

__all__: List[str] = []

PathLike = Union[str, "os.PathLike[str]"]
Dim = Union[int, str, None, Tuple[int, int]]
Shape = Union[str, Sequence[Dim]]
#: A path; bytes, or what has some; an onnx.ModelProto, a GraphDef of TensorFlow, or a torch.export.ExportedProgram; or
#: names and bytes of all parts of a model, the model itself first.
Model = Any
#: As --input of the command line has it; or, by the name of an input, its shape, its type, or both.
Inputs = Union[str, Sequence[str], Mapping[str, Any]]

_TYPES = {
    "bool": "boolean", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16", "int8": "i8",
    "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
}  # fmt: skip


# --- options -----------------------------------------------------------------------------------------------


def _escaped(name: str) -> str:
    """A name in the grammar of --input, where a backslash makes a character mean itself."""
    return "".join("\\" + c if c in "\\,[]{}:->= \t\"'" else c for c in name)


def _type_text(dtype: Any) -> str:
    if isinstance(dtype, str):
        return _TYPES.get(dtype, dtype)
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return _TYPES.get(str(name), str(name))


def _dim_text(dim: Dim) -> str:
    if dim is None or dim == -1:
        return "?"
    if isinstance(dim, tuple):
        return f"{dim[0]}..{dim[1]}"
    return str(dim)


def _is_shape(value: Any) -> bool:
    if isinstance(value, str):
        return value.startswith("[")
    return isinstance(value, (list, tuple)) and all(
        d is None or isinstance(d, (int, str)) or (isinstance(d, tuple) and len(d) == 2) for d in value
    )


def _shape_text(shape: Shape) -> str:
    if isinstance(shape, str):
        return shape
    return "[" + ",".join(_dim_text(d) for d in shape) + "]"


def _input_text(name: str, spec: Any) -> str:
    """``(shape, type)``, a shape, or a type."""
    shape, dtype = None, None
    if isinstance(spec, tuple) and len(spec) == 2 and (spec[0] is None or _is_shape(spec[0])) and not (
        isinstance(spec[0], (int, type(None))) and isinstance(spec[1], int)
    ):
        shape, dtype = spec
    elif spec is not None and _is_shape(spec):
        shape = spec
    elif spec is not None:
        dtype = spec
    text = _escaped(name)
    if dtype is not None:
        text += "{" + _type_text(dtype) + "}"
    if shape is not None:
        text += _shape_text(shape)
    return text


def _input_option(inputs: Optional[Inputs]) -> Optional[str]:
    if inputs is None or isinstance(inputs, str):
        return inputs
    if isinstance(inputs, Mapping):
        return ",".join(_input_text(str(name), spec) for name, spec in inputs.items())
    return ",".join(_escaped(name) for name in inputs)


def _options(
    extensions: Iterable[PathLike],
    config: Union[None, PathLike, Sequence[PathLike]],
    target: Optional[str],
    options: Mapping[str, Any],
) -> Dict[str, Any]:
    all_options: Dict[str, Any] = dict(options)
    folders = [os.fspath(e) for e in ([extensions] if isinstance(extensions, (str, os.PathLike)) else extensions)]
    folders += [p.folder for p in _packages.plugin_packages() if p.enabled and p.folder is not None]
    if folders:
        all_options["extensions"] = ",".join(folders)
    if config is not None:
        named = [config] if isinstance(config, (str, os.PathLike)) else config
        all_options["transformations_config"] = [_packages.configuration(os.fspath(c)) for c in named]
    if target is not None:
        all_options["target"] = target
    return all_options


# --- results -----------------------------------------------------------------------------------------------


class Result:
    """An OpenVINO IR in memory, and what is known of how it was made.

    Attributes:
        report: framework, nodes (of the source), layers, ir_version, target, plugins, needs (operations that a
            runtime knows only with an extension), phases and ms (milliseconds), warnings.
        path: the .xml, where the option ``output_dir`` asked for files; None: nothing was written.
    """

    def __init__(self, made: _native.Made, weights: Any, report: Dict[str, Any], source: Model, options: Dict[str, Any]):
        self._made: Optional[_native.Made] = made
        self.path = Path(made.data.xml_path.text()) if made.data.xml_path.size else None
        self._xml = self.path.read_bytes() if self.path else ctypes.string_at(made.data.xml.data, made.data.xml.size)
        self._file: Optional[mmap.mmap] = None  # the weights, where they are in a file
        if self.path is not None:
            with open(made.data.bin_path.text(), "rb") as f:
                if os.fstat(f.fileno()).st_size:
                    self._file = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        self._weights = weights  # an openvino.Tensor, when the weights went there
        self._model: Any = None
        self._source, self._options = source, options
        self.report = report

    def __repr__(self) -> str:
        return (
            f"<mo_host.Result: {self.report['framework']}, {self.report['layers']} layers, "
            f"{len(self._xml)} + {len(self.bin)} bytes>"
        )

    @property
    def xml(self) -> bytes:
        """The text of the IR, UTF-8."""
        return self._xml

    @property
    def bin(self) -> memoryview:
        """The weights. The memory is not copied, and stays as long as the view."""
        if self._file is not None:
            return memoryview(self._file)
        if self._weights is not None:
            data: memoryview = memoryview(self._weights.data).cast("B").toreadonly()
            return data
        assert self._made is not None
        return self._made.view(self._made.data.bin, self._made.data.bin_bytes)

    @property
    def model(self) -> "openvino.Model":
        """The IR as openvino.Model, read from memory once. This imports openvino; when it was imported before the
        conversion, the weights lie where it needs them, and are not copied."""
        if self._model is None:
            import openvino

            if self.path is not None:
                self._model = openvino.Core().read_model(self.path)
                return self._model
            if self._weights is None:
                self._weights = _openvino_tensor(openvino, len(self.bin), self.bin)
                self._made = None
            self._model = openvino.Core().read_model(self._xml, self._weights)
        return self._model

    def save(self, path: PathLike) -> Path:
        """Writes ``path``, with the extension .xml, and the weights beside it; gives the path of the .xml.
        Neither file is seen before it is whole."""
        xml = Path(path)
        if xml.suffix != ".xml":
            xml = xml.with_name(xml.name + ".xml")
        weights = xml.with_suffix(".bin")
        for target, content in ((weights, self.bin), (xml, self._xml)):
            with tempfile.NamedTemporaryFile(dir=xml.parent, prefix=target.name + ".", delete=False) as f:
                try:
                    f.write(content)
                    f.flush()
                    os.chmod(f.name, 0o666 & ~_umask())
                    os.replace(f.name, target)
                except BaseException:
                    os.unlink(f.name)
                    raise
        return xml

    def explore(self) -> "Page":
        """The page of ``mo-host explore``: what each transformation did. A notebook shows it; ``.save(path)``
        writes it. The model is converted once more for it, by the program."""
        return _explore(self._source, self._options)


class Page:
    """A page of HTML in one piece."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: PathLike) -> Path:
        Path(path).write_text(self.html, encoding="utf-8")
        return Path(path)

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="800" style="border:0"></iframe>'


class Report:
    """What ``check`` or ``verify`` found. ``bool()`` of it: all is well.

    Attributes:
        report: all of it, as JSON has it.
        missing: operations that nobody converts, and files that are not there.
    """

    def __init__(self, report: Dict[str, Any], ok: bool, missing: Sequence[str]) -> None:
        self.report, self._ok, self.missing = report, ok, list(missing)

    def __bool__(self) -> bool:
        return self._ok

    def __getitem__(self, key: str) -> Any:
        return self.report[key]

    def __repr__(self) -> str:
        return f"<mo_host.Report: {'ok' if self._ok else 'not ok'}, {', '.join(self.report)}>"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _openvino_tensor(openvino: Any, size: int, content: Optional[memoryview] = None) -> Any:
    tensor = openvino.Tensor(openvino.Type.u8, openvino.Shape([size]))
    if content is not None and size:
        memoryview(tensor.data).cast("B")[:] = content
    return tensor


def _report_of(made: _native.Made, call: Call) -> Dict[str, Any]:
    report: Dict[str, Any] = json.loads(made.data.report.text())
    report["warnings"] = call.warnings
    return report


# --- the functions -----------------------------------------------------------------------------------------


def convert(
    model: Model,
    *,
    input: Optional[Inputs] = None,
    output: Union[None, str, Sequence[str]] = None,
    config: Union[None, PathLike, Sequence[PathLike]] = None,
    extensions: Iterable[PathLike] = (),
    target: Optional[str] = None,
    compress_to_fp16: bool = False,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Result:
    """Converts a model to OpenVINO IR, in memory.

    The GIL is released meanwhile, and any number of threads may convert at the same time. Ctrl-C ends the
    conversion and raises KeyboardInterrupt.

    Args:
        model: a path (of a file or a folder); bytes, or any object with contiguous memory; an onnx.ModelProto, a
            GraphDef of TensorFlow or a torch.export.ExportedProgram; or a dictionary of names and bytes, for models of
            several files: the model itself first, the others by the names that it knows them by. Memory is not copied.
        input: where the model begins, with shapes and types: ``{"x": [1, 3, 224, 224]}``,
            ``{"x": ([1, 3, "?", "?"], "f32")}``, or text as ``--input`` has it. A dimension is a number, None or
            "?" for any, or a pair of its bounds.
        output: where it ends: names of nodes or tensors.
        config: files as ``--transformations_config`` takes them, or names of those that come with mo-host.
        extensions: plugins, or folders with plugins, besides those of installed packages.
        target: the oldest release of OpenVINO that has to read the result, such as "2023.0".
        compress_to_fp16: weights of 16 bits where the model has 32.
        progress: called with the name of the phase and two numbers, done and total (total 0: not known). When it
            answers False, ConversionCancelled is raised.
        options: any other long option of ``mo-host convert``, those of plugins among them: True for one that takes
            no value; numbers, text and paths; lists for what commas separate.

    Raises:
        ConversionError: with code, node, plugin, hint and missing.
        TypeError: the model, or an option, is nothing of this.
    """
    given = _options(extensions, config, target, options)
    for name, value in (("input", _input_option(input)), ("output", option_text("output", output))):
        if value is not None:
            given[name] = value
    if compress_to_fp16:
        given["compress_to_fp16"] = True
    tensors: List[Any] = []

    def room(size: int) -> int:
        tensors.append(_openvino_tensor(sys.modules["openvino"], size))
        return int(tensors[0].data.ctypes.data)

    # Where it is in use already, openvino's own memory saves a copy.
    call = Call(given, progress, room if hasattr(sys.modules.get("openvino"), "Tensor") else None)
    made = call.run("convert", model)
    return Result(made, tensors[0] if tensors else None, _report_of(made, call), model, given)


def check(
    model: Model,
    *,
    input: Optional[Inputs] = None,
    config: Union[None, PathLike, Sequence[PathLike]] = None,
    extensions: Iterable[PathLike] = (),
    target: Optional[str] = None,
    **options: Any,
) -> Report:
    """Whether a model can be converted, and who converts each of its operations, without reading weights.

    The report has framework, convertible, inputs, outputs, operations (with domain, operation, nodes, by, open),
    problems, open_inputs, configurations (that fit), missing_files and, where it cannot be converted, error.

    Raises:
        ConversionError: the model cannot be read, or an option is wrong.
    """
    given = _options(extensions, config, target, options)
    if input is not None:
        given["input"] = _input_option(input)
    call = Call(given)
    report = _report_of(call.run("check", model), call)
    missing = [o["operation"] if not o["domain"] else f"{o['domain']}.{o['operation']}"
               for o in report["operations"] if o["open"]] + report["missing_files"]  # fmt: skip
    return Report(report, bool(report["convertible"]), missing)


def verify(
    model: Model,
    inputs: Union[None, "np.ndarray[Any, Any]", Mapping[str, "np.ndarray[Any, Any]"]] = None,
    *,
    ir: Optional[PathLike] = None,
    seed: int = 0,
    tolerance: Optional[float] = None,
    config: Union[None, PathLike, Sequence[PathLike]] = None,
    extensions: Iterable[PathLike] = (),
    **options: Any,
) -> Report:
    """Whether the conversion of a model computes what the model computes: both are run by mo-host.

    The report has equal, compared, tolerance, outputs (with name, relative and largest difference), and first: the
    transformation after which they differ.

    Args:
        inputs: values by name; random ones, of ``seed``, for the others.
        ir: the .xml of a finished conversion; by default the model is converted for it.
        tolerance: by how much an output may differ, relative to its largest element; by default what the types in
            which the model computes allow.
    """
    given = _options(extensions, config, None, options)
    given.update(seed=seed, tolerance=tolerance)
    call = Call(given)
    arrays, kept = _arrays(inputs)
    text = Text("" if ir is None else os.fspath(ir))
    report = _report_of(call.run("verify", model, text.str, arrays, len(kept)), call)
    return Report(report, bool(report["equal"]), report["without_values"])


def run(
    model: Model,
    inputs: Union[None, "np.ndarray[Any, Any]", Mapping[str, "np.ndarray[Any, Any]"]] = None,
    *,
    seed: int = 0,
    config: Union[None, PathLike, Sequence[PathLike]] = None,
    extensions: Iterable[PathLike] = (),
    **options: Any,
) -> "Dict[str, np.ndarray[Any, Any]]":
    """Computes the outputs of a model, or of an IR, with the operations of mo-host: slowly, and without any runtime.

    Args:
        inputs: values by name, or those of the only input; random ones, of ``seed``, for the others.

    Returns:
        The outputs by name, in the order of the model. What NumPy has no type for is raised as TypeError.
    """
    given = _options(extensions, config, None, options)
    given["seed"] = seed
    call = Call(given)
    arrays, kept = _arrays(inputs)
    made = call.run("run", model, arrays, len(kept))
    return {made.data.outputs[i].name.text(): _numpy(made.data.outputs[i]) for i in range(made.data.n_outputs)}


def convert_many(
    models: Iterable[Model], *, jobs: Optional[int] = None, **options: Any
) -> Iterator[Tuple[Model, Union[Result, ConversionError]]]:
    """Converts models in a pool of threads; gives each with its result, or with what went wrong, in their order.

    Args:
        jobs: how many at a time; as many as there are processors by default. No more than twice as many results
            wait to be taken, so that the memory of any number of models stays bounded.
        options: as of ``convert``, for all of them.
    """
    count = jobs if jobs is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"jobs is {count}; expected a number from 1 on")
    waiting: "Deque[Tuple[Model, Future[Result]]]" = deque()

    def outcome(future: "Future[Result]") -> Union[Result, ConversionError]:
        try:
            return future.result()
        except ConversionError as e:
            return e

    with ThreadPoolExecutor(count, thread_name_prefix="mo_host") as pool:
        try:
            for model in models:
                waiting.append((model, pool.submit(convert, model, **options)))
                if len(waiting) >= 2 * count:
                    model, future = waiting.popleft()
                    yield model, outcome(future)
            while waiting:
                model, future = waiting.popleft()
                yield model, outcome(future)
        finally:
            for _, future in waiting:
                future.cancel()


# --- values ------------------------------------------------------------------------------------------------

_NUMBERS = {1: "bool", 3: "float16", 4: "float32", 5: "float64", 7: "int8", 8: "int16", 9: "int32", 10: "int64",
            16: "uint8", 17: "uint16", 18: "uint32", 19: "uint64"}  # fmt: skip
_STRING = 25


def _string_bytes(values: Any) -> bytes:
    """Strings as the IR lays them out: the count, count + 1 offsets, bytes."""
    texts = [v if isinstance(v, bytes) else str(v).encode() for v in values.reshape(-1).tolist()]
    offsets, at = [], 0
    for t in texts:
        offsets.append(at)
        at += len(t)
    numbers = [len(texts), *offsets, at]
    return b"".join(n.to_bytes(4, "little") for n in numbers) + b"".join(texts)


def _arrays(inputs: Any) -> Tuple[Any, List[Any]]:
    if inputs is None:
        return None, []
    import numpy as np

    by_name = inputs if isinstance(inputs, Mapping) else {"": inputs}
    arrays = (_native.Array * len(by_name))()
    kept: List[Any] = []
    for place, (name, value) in zip(arrays, by_name.items()):
        value = np.asarray(value)
        if value.dtype.kind in "USO":
            kind, memory = _STRING, np.frombuffer(_string_bytes(value), np.uint8)
        else:
            value = np.asarray(value, order="C").astype(value.dtype.newbyteorder("<"), copy=False)
            kinds = [k for k, n in _NUMBERS.items() if n == value.dtype.name]
            if not kinds:
                raise TypeError(f"input {name!r} is of type {value.dtype}, which mo-host does not take")
            kind, memory = kinds[0], np.ascontiguousarray(value)
        text, dims = Text(name), (ctypes.c_int64 * max(1, value.ndim))(*value.shape)
        kept.append((text, dims, memory))
        place.size, place.name, place.rank = ctypes.sizeof(_native.Array), text.str, value.ndim
        place.dims = ctypes.cast(dims, ctypes.POINTER(ctypes.c_int64))
        place.data, place.bytes, place.type = memory.ctypes.data, memory.nbytes, kind
    return arrays, kept


def _numpy(a: _native.Array) -> Any:
    import numpy as np

    dims = [a.dims[i] for i in range(a.rank)]
    content = ctypes.string_at(a.data, a.bytes) if a.bytes else b""
    if a.type == _STRING:
        count = int.from_bytes(content[:4], "little")
        ends = [int.from_bytes(content[4 * i + 4 : 4 * i + 8], "little") for i in range(count + 1)]
        texts = content[4 * count + 8 :]
        values = np.empty(count, object)
        for i in range(count):
            values[i] = texts[ends[i] : ends[i + 1]]
        return values.reshape(dims)
    if a.type == 2:  # bf16, the upper half of float32
        wide = np.frombuffer(content, "<u2").astype("<u4") << 16
        return wide.view("<f4").reshape(dims)
    if a.type not in _NUMBERS:
        raise TypeError(f"output '{a.name.text()}' is of a type that NumPy does not have")
    return np.frombuffer(content, np.dtype(_NUMBERS[a.type]).newbyteorder("<")).reshape(dims).copy()


# --- the program -------------------------------------------------------------------------------------------


def program() -> str:
    """The path of the program mo-host that comes with this package."""
    return str(_native.ROOT / "bin" / "mo-host")


def _explore(model: Model, options: Mapping[str, Any]) -> Page:
    with tempfile.TemporaryDirectory(prefix="mo_host.") as folder:
        parts = parts_of(model)
        path = os.fsdecode(model) if parts is None else ""
        for name, content in (parts or {}).items():
            target = Path(folder, "model", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "wb") as f:
                f.write(content)
            path = path or str(target)
        words = [program(), "explore", "--silent", "--output_file", os.path.join(folder, "page.html"), path]
        for key, value in options.items():
            text = option_text(key, value)
            if text is not None and key != "output_dir":
                words.append(f"--{key}" if value is True else f"--{key}={text}")
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        page = Path(folder, "page.html")
        if not page.exists():
            shown = done.stderr.decode("utf-8", "replace").strip()
            raise ConversionError(shown, exit_code=done.returncode)
        return Page(page.read_text(encoding="utf-8"))
