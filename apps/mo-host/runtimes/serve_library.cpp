#include "apps/mo-host/runtimes/serve_library.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "apps/mo-host/runtimes/openvino_c.hpp"
#include "apps/mo-host/runtimes/passed_values.hpp"
#include "apps/processes/run_in_copy.hpp"

namespace mo::app::openvino_c {

namespace {

constexpr int line = 3;

// In one line, with single blanks.
void answer(const std::string& word, const std::string& rest) {
  std::string words = word;
  bool apart = true;
  for (const char c : rest) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_blank && apart) words += ' ';
    if (!is_blank) words += c;
    apart = is_blank;
  }
  write_or_exit(line, words + "\n");
}

// The first two numbers of a release are at most these. One that has none is the newest.
bool is_at_most(const std::string& release, int year, int number) {
  int found_year = 0, found_number = 0;
  const char* const end = release.data() + release.size();
  const auto [dot, error] = std::from_chars(release.data(), end, found_year);
  if (error != std::errc() || dot == end || *dot != '.' ||
      std::from_chars(dot + 1, end, found_number).ec != std::errc())
    return false;
  return found_year < year || (found_year == year && found_number <= number);
}

std::string release_of(const Library& ov) {
  Version version{};
  ov.expect(ov.get_version(&version), "version");
  std::string release = version.build == nullptr ? "?" : version.build;
  for (char& c : release)
    if (c == ' ') c = '_';
  return release;
}

class Served {
 public:
  Served(const Library& ov, const std::string& release, const char* xml, std::string folder)
      : ov_(ov), folder_(std::move(folder)) {
    Core* core = nullptr;
    Model* model = nullptr;
    ov.expect(ov.core_create(&core), "core");
    // Else the runtime computes in 16 bits where the processor has them.
    const bool is_old = is_at_most(release, 2022, 3);
    std::array<const char*, 4> words{is_old ? "ENFORCE_BF16" : "INFERENCE_PRECISION_HINT",
                                     is_old ? "NO" : "f32", "KV_CACHE_PRECISION", "f32"};
    char* known = nullptr;
    const bool has_cache = ov.core_get_property(core, "CPU", "SUPPORTED_PROPERTIES", &known) == 0 &&
                           known != nullptr && std::strstr(known, words[2]) != nullptr;
    if (known != nullptr) ov.free(known);
    ov.expect(ov.core_read_model(core, xml, nullptr, &model), "reading");
    ov.expect(ov.core_compile_model(core, model, "CPU", has_cache ? 4 : 2, &compiled_, words[0], words[1],
                                    words[2], words[3]),
              "compiling");
    ov.expect(ov.create_request(compiled_, &request_), "request");
    ov.expect(ov.inputs_size(compiled_, &inputs_), "inputs");
    ov.expect(ov.outputs_size(compiled_, &outputs_), "outputs");
  }

  std::string infer(const std::string& words) {
    const auto shapes = read_shapes(words);
    if (shapes.size() != inputs_)
      throw std::runtime_error("it has " + std::to_string(inputs_) + " inputs, the IR has " +
                               std::to_string(shapes.size()));
    for (size_t i = 0; i < inputs_; ++i) set_input(i, shapes[i]);
    ov_.expect(ov_.infer(request_), "infer");
    std::vector<std::vector<int64_t>> given;
    for (size_t i = 0; i < outputs_; ++i) given.push_back(output(i));
    return write_shapes(given);
  }

 private:
  void set_input(size_t i, std::vector<int64_t> dims) {
    Port* port = nullptr;
    Type type{};
    ov_.expect(ov_.input(compiled_, i, &port), "input");
    ov_.expect(ov_.port_type(port, &type), "type of an input");
    ov_.port_free(port);
    Tensor* tensor = nullptr;
    ov_.expect(ov_.tensor_create(type, {static_cast<int64_t>(dims.size()), dims.data()}, &tensor), "tensor");
    const auto [data, bytes] = content(tensor);
    std::ifstream file(input_file(folder_, i), std::ios::binary | std::ios::ate);
    if (static_cast<size_t>(file.tellg()) != bytes)
      throw std::runtime_error("input " + std::to_string(i) + " takes " + std::to_string(bytes) +
                               " bytes, its value in the IR's type has " + std::to_string(file.tellg()));
    file.seekg(0);
    file.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
    ov_.expect(ov_.set_input(request_, i, tensor), "input");
    ov_.tensor_free(tensor);
  }

  std::vector<int64_t> output(size_t i) {
    Tensor* tensor = nullptr;
    Shape shape{};
    ov_.expect(ov_.get_output(request_, i, &tensor), "output");
    size_t elements = 0;
    ov_.expect(ov_.tensor_size(tensor, &elements), "elements of an output");
    // The shape of a scalar is an error.
    const Status has_shape = ov_.tensor_shape(tensor, &shape);
    if (elements != 1) ov_.expect(has_shape, "shape of an output");
    std::vector<int64_t> dims;
    if (has_shape == 0) dims.assign(shape.dims, shape.dims + shape.rank);
    if (has_shape == 0) (void)ov_.shape_free(&shape);
    const auto [data, bytes] = content(tensor);
    std::ofstream file(output_file(folder_, i), std::ios::binary | std::ios::trunc);
    file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    if (!file.flush()) throw std::runtime_error("the outputs cannot be written to '" + folder_ + "'");
    ov_.tensor_free(tensor);
    return dims;
  }

  std::pair<void*, size_t> content(const Tensor* tensor) {
    void* data = nullptr;
    size_t bytes = 0;
    ov_.expect(ov_.tensor_bytes(tensor, &bytes), "size of a tensor");
    if (bytes != 0) ov_.expect(ov_.tensor_data(tensor, &data), "content of a tensor");
    return {data, bytes};
  }

  const Library& ov_;
  std::string folder_;
  Compiled* compiled_ = nullptr;
  Request* request_ = nullptr;
  size_t inputs_ = 0, outputs_ = 0;
};

void serve_lines(Served& served) {
  std::string read_so_far;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(line, part.data(), part.size())) > 0;) {
    read_so_far.append(part.data(), static_cast<size_t>(n));
    for (size_t end = 0; (end = read_so_far.find('\n')) != std::string::npos; read_so_far.erase(0, end + 1))
      try {
        answer("done", served.infer(read_so_far.substr(0, end)));
      } catch (const std::exception& e) {
        answer("failed", e.what());
      }
  }
}

void serve(const char* path, const char* xml, const char* folder) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  std::optional<Library> library;
  std::optional<Served> served;
  std::string release;
  try {
    release = release_of(library.emplace(path));
  } catch (const std::exception& e) {
    return answer("none", e.what());
  }
  try {
    served.emplace(*library, release, xml, folder);
  } catch (const std::exception& e) {
    return answer("refused", release + " " + e.what());
  }
  answer("ready", release);
  serve_lines(*served);
}

}  // namespace

}  // namespace mo::app::openvino_c

namespace mo::app {

void serve_library(std::span<char* const> words) {
  if (words.size() != 5 || std::string_view(words[1]) != serving_word) return;
  openvino_c::serve(words[2], words[3], words[4]);
  _exit(0);  // what the library does at its end is nobody's concern, and may wait for its threads
}

}  // namespace mo::app
