#include "apps/mo-host/models/asked_runtime.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/run/npy.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using core::Exit;
using core::Failure;

// Talks over descriptor 3. Whatever the runtime says goes to a file that is shown when it ends badly.
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

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  std::string s = all.str();
  while (!s.empty() && s.back() == '\n') s.pop_back();
  return s.size() > 2000 ? s.substr(s.size() - 2000) : s;
}

// The first word, and the rest.
std::pair<std::string, std::string> parted(const std::string& answer) {
  const size_t space = answer.find(' ');
  if (space == std::string::npos) return {answer, {}};
  return {answer.substr(0, space), answer.substr(space + 1)};
}

}  // namespace

PassingFolder::PassingFolder() : ScratchFolder("mo-host") {
  if (path().empty())
    throw Failure(Exit::output, "MO0701",
                  "no folder can be made in '" + fs::temp_directory_path().string() + "'");
}

AskedRuntime::AskedRuntime(const std::string& python, const std::string& xml) : python_(python), xml_(xml) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail("no process can be started", {});
  line_ = core::Descriptor(ends[0]);
  core::Descriptor other(ends[1]);
  const std::string said = folder_.path() + "/said", code = script;
  std::vector<std::string> words{python, "-c", code, xml};
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, other.get(), 3);
  const int wrong = posix_spawnp(&child_, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  other.close();  // else its end would never be seen
  if (wrong != 0) {
    child_ = 0;
    throw Failure(
        Exit::usage, "MO0104",
        "--runtime is '" + python + "', which cannot be run: " + std::generic_category().message(wrong))
        .with("hint",
              "give a Python that has OpenVINO: python3, or venv/bin/python behind `pip install openvino`");
  }
  auto [word, rest] = parted(ask({}));
  if (word == "none")
    throw Failure(Exit::usage, "MO0104",
                  "--runtime: the Python '" + python + "' has no OpenVINO that can be used: " + rest)
        .with("hint", "'" + python + "' -m pip install openvino; releases from 2022.1 on can be asked");
  std::tie(release_, rest) = parted(rest);
  if (word != "ready") fail("OpenVINO " + release_ + " does not take the model", rest);
}

AskedRuntime::~AskedRuntime() {
  line_.close();
  if (child_ == 0) return;
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void AskedRuntime::fail(const std::string& what, const std::string& said) const {
  throw Failure(Exit::model, "MO0511", what).with("result", xml_).with("runtime", python_).with("said", said);
}

// The next line that comes, after these words; "" for words asks nothing.
std::string AskedRuntime::ask(const std::string& words) {
  for (size_t at = 0; at < words.size();) {
    const ssize_t n = send(line_.get(), words.data() + at, words.size() - at, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) break;
    at += n > 0 ? static_cast<size_t>(n) : 0;
  }
  for (;;) {
    if (const size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> part{};
    const ssize_t n = read(line_.get(), part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("the runtime has ended without an answer", text_of(folder_.path() + "/said"));
    read_.append(part.data(), static_cast<size_t>(n));
  }
}

std::vector<core::TensorRef> AskedRuntime::infer(std::span<const core::TensorRef> inputs) {
  const std::string folder = folder_.path() + "/" + std::to_string(calls_++);
  fs::create_directory(folder);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::ofstream file(folder + "/in" + std::to_string(i) + ".npy", std::ios::binary);
    file << to_npy(inputs[i]);
    if (!file.flush()) fail("the inputs cannot be written to '" + folder + "'", {});
  }
  const auto [word, rest] = parted(ask(folder + "\n"));
  if (word != "done") fail("OpenVINO " + release_ + " does not compute the model", rest);
  std::vector<core::TensorRef> outputs;
  for (size_t i = 0; i < std::stoul(rest); ++i)
    outputs.push_back(read_npy(folder + "/out" + std::to_string(i) + ".npy"));
  return outputs;
}

}  // namespace mo::app
