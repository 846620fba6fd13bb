"""One call of the library: options, callbacks, the model, and how Ctrl-C ends it."""

from __future__ import annotations

import ctypes
import io
import logging
import os
import sys
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type

from . import _native
from ._errors import ConversionCancelled, ConversionError
from ._native import Str, Text, lib

__all__: List[str] = []

Progress = Callable[[str, int, int], Optional[bool]]
_LEVELS = {0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING, 3: logging.ERROR}
_logger = logging.getLogger("mo_host")

# Messages of protocol buffers, by their full name: what a file of them is called.
_MESSAGES = {
    "onnx.ModelProto": "model.onnx",
    "tensorflow.GraphDef": "model.pb",
    "tensorflow.SavedModel": "saved_model.pb",
    "tensorflow.MetaGraphDef": "model.meta",
    "caffe.NetParameter": "model.caffemodel",
}


def has_memory(model: Any) -> bool:
    try:
        memoryview(model)
    except TypeError:
        return False
    return True


def message_name(model: Any) -> Optional[str]:
    """What a file of this message of a protocol buffer is called; None: it is none that is known."""
    name = getattr(getattr(model, "DESCRIPTOR", None), "full_name", None)
    return _MESSAGES.get(str(name)) if name is not None else None


def parts_of(model: Any) -> Optional[Dict[str, Any]]:
    """The parts of a model in memory by name; None: it is a path."""
    if isinstance(model, (str, os.PathLike)):
        return None
    if isinstance(model, Mapping):
        if not model:
            raise TypeError("the model has no parts")
        return {str(name): part for name, part in model.items()}
    name = message_name(model)
    if name is not None:
        return {name: model.SerializeToString()}
    if has_memory(model):
        return {"model": model}
    if _is_torch(model, "ExportedProgram"):
        file = io.BytesIO()
        sys.modules["torch"].export.save(model, file)
        return {"model.pt2": file.getbuffer()}
    if _is_torch(model, "Module"):
        raise TypeError(
            "a torch.nn.Module is no program yet: give torch.export.export(model.eval(), (example_input,))"
        )
    # A graph of TensorFlow 1, a concrete function: what gives a message of its own.
    as_graph_def = getattr(getattr(model, "graph", model), "as_graph_def", None)
    if callable(as_graph_def):
        return parts_of(as_graph_def())
    raise TypeError(
        f"{type(model).__module__}.{type(model).__qualname__} is no model: give a path, bytes, an onnx.ModelProto, "
        "a GraphDef of TensorFlow, a torch.export.ExportedProgram, or a dictionary of names and bytes"
    )


def _is_torch(model: Any, name: str) -> bool:
    """Whether it is of a class of torch of this name, or of one derived from it; torch is not imported for it."""
    return any(c.__name__ == name and c.__module__.split(".")[0] == "torch" for c in type(model).__mro__)


def option_text(name: str, value: Any) -> Optional[str]:
    """As the command line has it; None: it is not set."""
    if value is None or value is False:
        return None
    if value is True:
        return "true"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value) if not isinstance(value, str) else value
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        parts = [option_text(name, v) for v in value]
        return ",".join(p for p in parts if p is not None)
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a number of NumPy
        return option_text(name, value.item())
    raise TypeError(f"the option {name} is a {type(value).__name__}; expected text, a number, True, False or a list")


class Call:
    """A session of the library for one call of it."""

    def __init__(
        self,
        options: Mapping[str, Any],
        progress: Optional[Progress] = None,
        weights: Optional[Callable[[int], int]] = None,
    ) -> None:
        self.warnings: List[str] = []
        self._raised: Optional[BaseException] = None
        self._progress = progress
        self._weights = weights
        self._session = ctypes.c_void_p()
        # The callbacks have to live as long as the session.
        self._def = _native.SessionDef(size=ctypes.sizeof(_native.SessionDef), log=_native.LOG(self._log))
        if progress is not None:
            self._def.progress = _native.PROGRESS(self._show)
        if weights is not None:
            self._def.weights = _native.WEIGHTS(self._make_room)
        if lib.mo_session_open(ctypes.byref(self._def), ctypes.byref(self._session)) != _native.OK:
            raise MemoryError("mo_host: no session can be opened")
        for name, value in options.items():
            text = option_text(name, value)
            if text is not None:
                key, given = Text(name), Text(text)
                lib.mo_session_set(self._session, key.str, given.str)

    def __del__(self) -> None:
        if getattr(self, "_session", None):
            lib.mo_session_close(self._session)

    def _log(self, _user: Any, level: int, plugin: Str, text: Str) -> None:
        by = plugin.text()
        line = f"[{by}] {text.text()}" if by else text.text()
        if level >= _native.WARNING:
            self.warnings.append(line)
        _logger.log(_LEVELS.get(level, logging.INFO), "%s", line)

    def _show(self, _user: Any, phase: Str, _number: int, _phases: int, done: int, total: int) -> int:
        try:
            assert self._progress is not None
            return int(self._progress(phase.text(), done, total) is False)
        except BaseException as e:  # it cannot pass through C
            self._raised = e
            return 1

    def _make_room(self, _user: Any, size: int) -> Optional[int]:
        try:
            assert self._weights is not None
            return self._weights(size)
        except BaseException as e:
            self._raised = e
            return None

    def _error(self) -> BaseException:
        if self._raised is not None:
            return self._raised
        pointer = lib.mo_session_error(self._session)
        if not pointer:
            return ConversionError("mo_host: the library was called in a wrong way", exit_code=70)
        e: _native.Error = pointer.contents
        kind: Type[ConversionError] = ConversionCancelled if e.status == _native.CANCELLED else ConversionError
        return kind(
            e.shown.text(),
            code=e.code.text(),
            text=e.text.text(),
            hint=e.hint.text() or None,
            node=e.node.text() or None,
            plugin=e.plugin.text() or None,
            transformation=e.transformation.text() or None,
            place=e.place.text() or None,
            model=e.model.text() or None,
            missing=[e.missing[i].text() for i in range(e.n_missing)],
            exit_code=e.exit_code,
        )

    def run(self, function: str, model: Any, *arguments: Any) -> _native.Made:
        """Calls mo_session_<function> for the model. Raises ConversionError, or what a callback raised."""
        parts = parts_of(model)
        kept: List[Any] = []
        given = _native.Model(size=ctypes.sizeof(_native.Model))
        if parts is None:
            kept.append(Text(os.fsdecode(model)))
            given.path = kept[-1].str
        else:
            array = (_native.Part * len(parts))()
            for place, (name, part) in zip(array, parts.items()):
                text, memory = Text(name), _native.Bytes(part)
                kept += [text, memory]
                place.name, place.data, place.bytes = text.str, memory.address, memory.size
            given.parts, given.n_parts = array, len(parts)
            kept.append(array)
        result = ctypes.POINTER(_native.Result)()

        def work() -> int:
            native = getattr(lib, "mo_session_" + function)
            return int(native(self._session, ctypes.byref(given), *arguments, ctypes.byref(result)))

        status = self._interruptible(work)
        for k in kept:
            if isinstance(k, _native.Bytes):
                k.release()
        if status != _native.OK:
            raise self._error()
        return _native.Made(result)

    def _interruptible(self, work: Callable[[], int]) -> int:
        """Ctrl-C comes to the main thread, which cannot take it inside of C: it waits while another one works."""
        if threading.current_thread() is not threading.main_thread():
            return work()
        done = threading.Event()
        outcome: List[Tuple[int, Optional[BaseException]]] = []

        def target() -> None:
            try:
                outcome.append((work(), None))
            except BaseException as e:
                outcome.append((-1, e))
            finally:
                done.set()

        thread = threading.Thread(target=target, name="mo_host")
        thread.start()
        interrupted: Optional[BaseException] = None
        while not done.is_set():
            try:
                done.wait()
            except BaseException as e:  # KeyboardInterrupt, or what another handler of a signal raises
                interrupted = e
                lib.mo_session_cancel(self._session)
        thread.join()
        if interrupted is not None:
            raise interrupted
        status, raised = outcome[0]
        if raised is not None:
            raise raised
        return status


def openvino_is_there() -> bool:
    return "openvino" in sys.modules
