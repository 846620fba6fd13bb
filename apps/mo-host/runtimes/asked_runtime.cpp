#include "apps/mo-host/runtimes/asked_runtime.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <mo/text.hpp>
#include <sstream>
#include <system_error>

#include "apps/mo-host/runtimes/find_library.hpp"
#include "apps/mo-host/runtimes/library_runtime.hpp"
#include "apps/mo-host/runtimes/passed_values.hpp"
#include "apps/mo-host/runtimes/python_runtime.hpp"
#include "apps/processes/how_it_ended.hpp"
#include "apps/processes/wait_until.hpp"
#include "apps/run/npy.hpp"

namespace mo::app {

namespace {

std::string last_of(const std::string& path) {
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

constexpr std::string_view only_a_python =
    "which the C interface of OpenVINO does not pass: give a Python to --runtime";

}  // namespace

AskedRuntime::AskedRuntime(std::string runtime, std::string xml)
    : runtime_(std::move(runtime)), xml_(std::move(xml)) {}

std::string AskedRuntime::start(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return std::generic_category().message(errno);
  line_ = core::Descriptor(ends[0]);
  const core::Descriptor other(ends[1]);  // else its end would never be seen
  const std::string said = folder() + "/said";
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
  if (wrong == 0) return {};
  child_ = 0;
  return std::generic_category().message(wrong);
}

std::optional<std::string> AskedRuntime::wait_until_ready() {
  auto [word, rest] = parted(next_answer());
  if (word == "none") return rest;
  std::tie(release_, rest) = parted(rest);
  if (word != "ready") fail("OpenVINO " + release_ + " does not take the model", rest);
  return std::nullopt;
}

AskedRuntime::~AskedRuntime() {
  line_.close();
  if (child_ == 0) return;
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void AskedRuntime::fail(const std::string& what, const std::string& said) const {
  throw core::Failure(core::Exit::model, "MO0511", what)
      .with("result", xml_)
      .with("runtime", runtime_)
      .with("said", said);
}

void AskedRuntime::fail_at_the_end() {
  std::string how;
  // It may have closed its line and go on.
  if (ends_until(child_, std::chrono::steady_clock::now() + std::chrono::seconds(2))) {
    int status = 0;
    if (waitpid(child_, &status, 0) == child_) how = "; it " + how_it_ended(status);
    child_ = 0;
  }
  fail("the runtime has ended without an answer" + how, last_of(folder() + "/said"));
}

std::string AskedRuntime::ask(const std::string& line) {
  const std::string words = line + "\n";
  for (size_t at = 0; at < words.size();) {
    const ssize_t n = send(line_.get(), words.data() + at, words.size() - at, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) break;  // it has ended, which reading will show
    at += n > 0 ? static_cast<size_t>(n) : 0;
  }
  const auto [word, rest] = parted(next_answer());
  if (word != "done") fail("OpenVINO " + release_ + " does not compute the model", rest);
  return rest;
}

std::string AskedRuntime::next_answer() {
  for (;;) {
    if (const size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> part{};
    const ssize_t n = read(line_.get(), part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_at_the_end();
    read_.append(part.data(), static_cast<size_t>(n));
  }
}

void AskedRuntime::write_input(const core::Graph& ir, size_t i, const core::TensorRef& t) const {
  std::ofstream file(input_file(folder(), i), std::ios::binary);
  if (t->type != ElementType::string)
    file.write(reinterpret_cast<const char*>(t->data()), static_cast<std::streamsize>(t->bytes));
  else if (knows_strings())
    file << to_npy(t);
  else
    fail(text("input '", ir.name(ir.parameters()[i]), "' is of strings, ", only_a_python));
  if (!file.flush()) fail("the inputs cannot be written to '" + folder() + "'");
}

core::TensorRef AskedRuntime::read_output(const core::Graph& ir, size_t i,
                                          const std::vector<int64_t>& shape) const {
  const core::NodeId result = ir.results()[i];
  const ElementType type = ir.out(ir.source({result, 0})).tensor.type;
  const std::string path = output_file(folder(), i);
  if (type == ElementType::string && knows_strings()) return read_npy(path);
  if (bits(type) == 0)
    fail(text("output '", ir.name(result), "' is of type ", name(type), ", ", only_a_python));
  core::TensorRef value = core::make_tensor(type, shape);
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (const auto bytes = static_cast<uint64_t>(file.tellg()); bytes != value->bytes)
    fail(text("output '", ir.name(result), "' has ", bytes, " bytes; ", name(type), " ",
              write_shapes({&shape, 1}), " are ", value->bytes));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(value->buffer.get()), static_cast<std::streamsize>(value->bytes));
  return value;
}

std::vector<core::TensorRef> AskedRuntime::infer(const core::Graph& ir,
                                                 std::span<const core::TensorRef> inputs) {
  std::vector<std::vector<int64_t>> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    write_input(ir, i, inputs[i]);
    shapes.push_back(inputs[i]->dims);
  }
  const auto given = read_shapes(ask(write_shapes(shapes)));
  std::vector<core::TensorRef> outputs;
  for (size_t i = 0; i < given.size() && i < ir.results().size(); ++i)
    outputs.push_back(read_output(ir, i, given[i]));
  return outputs;
}

std::unique_ptr<AskedRuntime> ask_runtime(const std::string& named, const std::string& xml) {
  if (const auto library = find_runtime_library(named))
    return std::make_unique<LibraryRuntime>(*library, xml);
  return std::make_unique<PythonRuntime>(named, xml);
}

}  // namespace mo::app
