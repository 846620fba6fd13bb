// A SavedModel with its checkpoint in one input: the size of saved_model.pb in 4 bytes, the file, the size of
// the index, the index, and what is left is the shard.
#include <cstring>

#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto take = [&rest] {
    uint32_t n = 0;
    if (rest.size() < sizeof n) return std::exchange(rest, {});
    std::memcpy(&n, rest.data(), sizeof n);
    rest.remove_prefix(sizeof n);
    const std::string_view part = rest.substr(0, n);
    rest.remove_prefix(part.size());
    return part;
  };
  const std::filesystem::path folder = fuzz_folder() / "saved_model";
  const std::string_view graph = take(), index = take();
  write_file(folder / "saved_model.pb", graph);
  write_file(folder / "variables/variables.index", index);
  write_file(folder / "variables/variables.data-00000-of-00001", rest);
  Reader("tf", "tensorflow").read(folder.string());
  return 0;
}
