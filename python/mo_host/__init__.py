"""mo-host from Python: neural networks to OpenVINO IR, in memory.

    result = mo_host.convert("net.onnx")         # or an onnx.ModelProto, bytes, {"net.onnx": …, "weights.bin": …}
    compiled = openvino.compile_model(result.model)
    result.save("net.xml")

The program ``mo-host``, its plugins, its manual and the headers for plugins of one's own come with the package:
``python -m mo_host help``.
"""

from ._convert import Page, Report, Result, check, convert, convert_many, program, run, verify
from ._errors import ConversionCancelled, ConversionError
from ._native import VERSION as __version__
from ._packages import PluginPackage, disable, enable, plugin_packages

__all__ = [
    "ConversionCancelled",
    "ConversionError",
    "Page",
    "PluginPackage",
    "Report",
    "Result",
    "__version__",
    "check",
    "convert",
    "convert_many",
    "disable",
    "enable",
    "plugin_packages",
    "program",
    "run",
    "verify",
]
