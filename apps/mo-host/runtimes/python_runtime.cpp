#include "apps/mo-host/runtimes/python_runtime.hpp"

namespace mo::app {

namespace {

constexpr const char* script = R"py(
import os, sys, warnings
warnings.simplefilter("ignore")
line = os.fdopen(3, "r+b", buffering=0)
def answer(*words):
    line.write((" ".join(" ".join(str(w).split()) for w in words) + "\n").encode())
try:
    import numpy
    import openvino
    ov = openvino if hasattr(openvino, "Core") else __import__("openvino.runtime", fromlist=["Core"])
    release = ov.get_version()
    number = tuple(int(n) for n in release.split("-")[0].split(".")[:2])
    if number < (2024, 1) and int(numpy.__version__.split(".")[0]) > 1:
        raise ImportError("OpenVINO %s reads wrong numbers with numpy %s; pip install 'numpy<2'" % (release, numpy.__version__))
except Exception as e:
    answer("none", type(e).__name__ + ":", e)
    sys.exit()
try:
    core = ov.Core()
    config = {"INFERENCE_PRECISION_HINT": "f32"} if number > (2022, 3) else {"ENFORCE_BF16": "NO"}
    if "KV_CACHE_PRECISION" in str(core.get_property("CPU", "SUPPORTED_PROPERTIES")):
        config["KV_CACHE_PRECISION"] = "f32"
    model = core.read_model(sys.argv[1])
    request = core.compile_model(model, "CPU", config).create_infer_request()
except Exception as e:
    answer("refused", release, e)
    sys.exit()
answer("ready", release)
def strings(kind):
    return kind.get_type_name() == "string"
def content(tensor):
    return tensor.data.reshape(-1).view(numpy.uint8)
def set_input(i, dims):
    path = os.path.join(sys.argv[2], "in%d" % i)
    kind = model.inputs[i].element_type
    if strings(kind):
        tensor = ov.Tensor(numpy.load(path, allow_pickle=False))
    else:
        tensor = ov.Tensor(kind, ov.Shape(dims))
        value = numpy.fromfile(path, numpy.uint8)
        if value.size != content(tensor).size:
            raise ValueError("input %d takes %d bytes, its value in the IR's type has %d" % (i, content(tensor).size, value.size))
        content(tensor)[:] = value
    request.set_input_tensor(i, tensor)
def output(i):
    tensor, path = request.get_output_tensor(i), os.path.join(sys.argv[2], "out%d" % i)
    if strings(tensor.element_type):
        with open(path, "wb") as f:
            numpy.save(f, tensor.str_data)
    else:
        content(tensor).tofile(path)
    return "[%s]" % ",".join(map(str, tensor.shape))
buffer = b""
while True:
    more = line.read(65536)
    if not more:
        break
    buffer += more
    while b"\n" in buffer:
        words, buffer = buffer.split(b"\n", 1)
        try:
            for i, dims in enumerate(words.decode().split()):
                set_input(i, [int(n) for n in dims[1:-1].split(",") if n])
            request.infer()
            answer("done", *[output(i) for i in range(len(model.outputs))])
        except Exception as e:
            answer("failed", e)
)py";

}  // namespace

PythonRuntime::PythonRuntime(const std::string& python, const std::string& xml) : AskedRuntime(python, xml) {
  if (const std::string why = start({python, "-c", script, xml, folder()}); !why.empty())
    throw core::Failure(core::Exit::usage, "MO0104",
                        "--runtime is '" + python + "', which cannot be run: " + why)
        .with(
            "hint",
            "give a Python that has OpenVINO: python3, or venv/bin/python behind `pip install openvino`; or "
            "its library, libopenvino_c.so, or a folder that has it");
  if (const auto none = wait_until_ready())
    throw core::Failure(core::Exit::usage, "MO0104",
                        "--runtime: the Python '" + python + "' has no OpenVINO that can be used: " + *none)
        .with("hint", "'" + python + "' -m pip install openvino; releases from 2022.1 on can be asked");
}

}  // namespace mo::app
