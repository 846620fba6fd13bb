// An IR and, behind a zero byte, its weights: reading them ends with a graph or a message.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(all.find('\0'), all.size());
  const std::filesystem::path folder = fuzz_folder() / "ir";
  write_file(folder / "net.xml", all.substr(0, end));
  write_file(folder / "net.bin", all.substr(std::min(end + 1, all.size())));
  Reader("ir", "ir").read((folder / "net.xml").string());
  return 0;
}
