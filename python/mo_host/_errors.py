"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import List, Optional

__all__ = ["ConversionCancelled", "ConversionError"]


class ConversionError(Exception):
    """A model was not converted, checked, run or verified. ``str()`` is what the program ``mo-host`` shows.

    Attributes:
        code: a name for scripts, such as ``"MO0401"``; `mo-host help errors` explains those of the host.
        text: what is wrong, in one sentence.
        hint: what to try, or None.
        node: the node of the model, or None.
        plugin: id and version of the plugin whose callback failed, or None.
        transformation: id of the transformation that ran, or None.
        place: file and line or byte, or None.
        model: path of the model, or the name of its first part in memory; or None.
        missing: operations that nobody converts, or files that are not there; one line each.
        exit_code: with which the program would have ended.
    """

    def __init__(
        self,
        shown: str,
        *,
        code: str = "",
        text: str = "",
        hint: Optional[str] = None,
        node: Optional[str] = None,
        plugin: Optional[str] = None,
        transformation: Optional[str] = None,
        place: Optional[str] = None,
        model: Optional[str] = None,
        missing: Optional[List[str]] = None,
        exit_code: int = 1,
    ) -> None:
        super().__init__(shown)
        self.code = code
        self.text = text or shown
        self.hint = hint
        self.node = node
        self.plugin = plugin
        self.transformation = transformation
        self.place = place
        self.model = model
        self.missing: List[str] = missing or []
        self.exit_code = exit_code

    def __reduce__(self) -> "tuple[object, ...]":  # for pools of processes
        return (_again, (str(self), type(self), self.__dict__))


class ConversionCancelled(ConversionError):
    """``progress`` answered False."""


def _again(shown: str, kind: "type[ConversionError]", state: "dict[str, object]") -> ConversionError:
    error = kind(shown)
    error.__dict__.update(state)
    return error
