"""libmo-host by its C header, mo/host.h. Whoever calls a function of it gives up the GIL for as long."""

from __future__ import annotations

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_char, c_double, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, List, Optional

__all__: List[str] = []

ROOT = Path(__file__).resolve().parent
OK, CANCELLED = 0, 11
DEBUG, INFO, WARNING, ERROR = 0, 1, 2, 3


class Str(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]

    def text(self) -> str:
        return ctypes.string_at(self.data, self.size).decode("utf-8", "replace") if self.size else ""


class Part(Structure):
    _fields_ = [("name", Str), ("data", c_void_p), ("bytes", c_uint64)]


class Model(Structure):
    _fields_ = [("size", c_size_t), ("path", Str), ("parts", POINTER(Part)), ("n_parts", c_uint64)]


class Array(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", Str),
        ("dims", POINTER(c_int64)),
        ("rank", c_int64),
        ("data", c_void_p),
        ("bytes", c_uint64),
        ("type", c_int32),
        ("reserved", c_int32),
    ]


class Error(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("status", c_int32),
        ("exit_code", c_int32),
        ("code", Str),
        ("text", Str),
        ("hint", Str),
        ("node", Str),
        ("plugin", Str),
        ("transformation", Str),
        ("place", Str),
        ("model", Str),
        ("missing", POINTER(Str)),
        ("n_missing", c_uint64),
        ("shown", Str),
    ]


class Result(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("xml", Str),
        ("bin", c_void_p),
        ("bin_bytes", c_uint64),
        ("xml_path", Str),
        ("bin_path", Str),
        ("report", Str),
        ("outputs", POINTER(Array)),
        ("n_outputs", c_uint64),
    ]


LOG = CFUNCTYPE(None, c_void_p, c_int32, Str, Str)
PROGRESS = CFUNCTYPE(c_int32, c_void_p, Str, c_int32, c_int32, c_uint64, c_uint64)
WEIGHTS = CFUNCTYPE(c_void_p, c_void_p, c_uint64)


class SessionDef(Structure):
    _fields_ = [("size", c_size_t), ("user", c_void_p), ("log", LOG), ("progress", PROGRESS), ("weights", WEIGHTS)]


def _find() -> str:
    named = os.environ.get("MO_HOST_LIBRARY")
    if named:
        return named
    path = ROOT / "lib" / "mo-host" / "libmo-host.so"
    if not path.exists():
        raise ImportError(f"mo_host: there is no {path}; install the wheel again")
    return str(path)


def _load() -> Any:
    lib = ctypes.CDLL(_find())
    session, status = c_void_p, c_int32
    model, out = POINTER(Model), POINTER(POINTER(Result))
    for name, result, arguments in (
        ("mo_session_version", Str, []),
        ("mo_session_open", status, [POINTER(SessionDef), POINTER(session)]),
        ("mo_session_close", None, [session]),
        ("mo_session_set", status, [session, Str, Str]),
        ("mo_session_cancel", None, [session]),
        ("mo_session_error", POINTER(Error), [session]),
        ("mo_session_convert", status, [session, model, out]),
        ("mo_session_check", status, [session, model, out]),
        ("mo_session_run", status, [session, model, POINTER(Array), c_uint64, out]),
        ("mo_session_verify", status, [session, model, Str, POINTER(Array), c_uint64, out]),
        ("mo_result_free", None, [POINTER(Result)]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


lib = _load()
VERSION: str = lib.mo_session_version().text()


class Text:
    """A mo_str and what it points to."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode("utf-8", "surrogateescape")
        # The pointer is not NULL for "", which is a value.
        self._buffer = ctypes.create_string_buffer(self._bytes)
        self.str = Str(ctypes.addressof(self._buffer), len(self._bytes))


class _PyBuffer(Structure):
    _fields_ = [
        ("buf", c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", c_void_p),
        ("shape", c_void_p),
        ("strides", c_void_p),
        ("suboffsets", c_void_p),
        ("internal", c_void_p),
    ]


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, POINTER(_PyBuffer), ctypes.c_int]
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = [POINTER(_PyBuffer)]
_release_buffer.restype = None


class Bytes:
    """The memory of an object that has some (bytes, bytearray, memoryview, mmap, an array), without a copy."""

    def __init__(self, owner: Any) -> None:
        self._view = _PyBuffer()
        self._held = False
        _get_buffer(owner, ctypes.byref(self._view), 0)  # contiguous; raises what the object raises
        self._held = True
        self.address: Optional[int] = self._view.buf
        self.size: int = self._view.len

    def release(self) -> None:
        if self._held:
            self._held = False
            _release_buffer(ctypes.byref(self._view))

    def __del__(self) -> None:
        self.release()


class Made:
    """A mo_result, for as long as somebody looks into it."""

    def __init__(self, pointer: Any) -> None:
        self._pointer = pointer
        self.data: Result = pointer.contents

    def __del__(self) -> None:
        lib.mo_result_free(self._pointer)

    def view(self, address: Optional[int], size: int) -> memoryview:
        if not size or address is None:
            return memoryview(b"")
        memory = (c_char * size).from_address(address)
        memory.owner = self  # type: ignore[attr-defined]
        return memoryview(memory).cast("B").toreadonly()


assert ctypes.sizeof(c_double) == 8 and ctypes.sizeof(c_void_p) == 8
