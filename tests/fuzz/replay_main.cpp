// Feeds every file below the given paths to a fuzzer's entry point. Stands in for libFuzzer in ordinary
// builds, where the corpus is a regression test. With --mutations N each file is spoilt in N ways, too: the
// same ones each time, so that a failure comes again. A path behind --if-there may be missing.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "mutate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

constexpr unsigned most_seconds = 60;  // for one input

void feed(const std::string& bytes) {
  alarm(most_seconds);  // ends the program when it hangs
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  alarm(0);
}

struct Input {
  fs::path path;
  std::string
      name;  // within the folder that was given: how a file is spoilt does not depend on where it lies
};

void add(const fs::path& path, std::vector<Input>& inputs) {
  if (!fs::is_directory(path)) return inputs.push_back({path, path.filename()});
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    // Data beside models are no inputs.
    if (entry.is_regular_file() && entry.path().extension() != ".pb")
      inputs.push_back({entry.path(), entry.path().lexically_relative(path)});
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Input> inputs;
  size_t mutations = 0, fed = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--mutations" && i + 1 < argc) {
      mutations = std::strtoul(argv[++i], nullptr, 10);
    } else if (word == "--if-there" && i + 1 < argc) {
      if (fs::exists(argv[++i])) add(argv[i], inputs);
    } else {
      add(argv[i], inputs);
    }
  }
  std::sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) { return a.path < b.path; });

  // An input of no bytes needs no file.
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (const Input& input : inputs) {
    std::ifstream in(input.path, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "cannot read %s\n", input.path.c_str());
      return 1;
    }
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    // Printed before the call: after a crash, the last line names the input.
    std::printf("%s\n", input.path.c_str());
    std::fflush(stdout);
    feed(bytes);
    const size_t seed = std::hash<std::string>()(input.name);
    for (size_t m = 0; m < mutations; ++m) {
      const std::string spoilt = mo::test::Mutator(seed + m).mutated(bytes);
      if (const char* keep = std::getenv("MO_FUZZ_KEEP"))
        std::ofstream(keep, std::ios::binary) << spoilt;  // the last one is the one that failed
      feed(spoilt);
    }
    fed += 1 + mutations;
  }
  std::printf("%zu inputs replayed\n", fed);
  return 0;
}
