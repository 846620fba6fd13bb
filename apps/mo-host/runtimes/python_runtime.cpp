#include "apps/mo-host/runtimes/python_runtime.hpp"

#include <filesystem>
#include <fstream>

#include "apps/run/npy.hpp"

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
buffer = b""
while True:
    more = line.read(65536)
    if not more:
        break
    buffer += more
    while b"\n" in buffer:
        word, buffer = buffer.split(b"\n", 1)
        folder = word.decode()
        try:
            for i in range(len(model.inputs)):
                value = numpy.load(os.path.join(folder, "in%d.npy" % i), allow_pickle=False)
                request.set_input_tensor(i, ov.Tensor(numpy.ascontiguousarray(value) if value.ndim else value))
            request.infer()
            for i in range(len(model.outputs)):
                t = request.get_output_tensor(i)
                value = t.str_data if t.element_type.get_type_name() == "string" else t.data
                numpy.save(os.path.join(folder, "out%d.npy" % i), value)
            answer("done", len(model.outputs))
        except Exception as e:
            answer("failed", e)
)py";

}  // namespace

PythonRuntime::PythonRuntime(const std::string& python, const std::string& xml) : AskedRuntime(python, xml) {
  if (const std::string why = start({python, "-c", script, xml}); !why.empty())
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

std::vector<core::TensorRef> PythonRuntime::infer(const core::Graph&,
                                                  std::span<const core::TensorRef> inputs) {
  const std::string to = folder() + "/" + std::to_string(calls_++);
  std::filesystem::create_directory(to);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::ofstream file(to + "/in" + std::to_string(i) + ".npy", std::ios::binary);
    file << to_npy(inputs[i]);
    if (!file.flush()) fail("the inputs cannot be written to '" + to + "'");
  }
  const size_t count = std::stoul(ask(to));
  std::vector<core::TensorRef> outputs;
  for (size_t i = 0; i < count; ++i) outputs.push_back(read_npy(to + "/out" + std::to_string(i) + ".npy"));
  return outputs;
}

}  // namespace mo::app
