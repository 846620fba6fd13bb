// A prototxt and the weights beside it, in one input: whatever they are, reading them ends with a graph or a
// message. The text ends at the first zero byte.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t end = all.find('\0');
  const std::filesystem::path folder = fuzz_folder() / "caffe", weights = folder / "net.caffemodel";
  write_file(folder / "net.prototxt", all.substr(0, end));
  const Reader caffe("caffe", "caffe");
  caffe.session().set_option("allow_missing_weights", true);
  if (end == std::string_view::npos) {
    std::filesystem::remove(weights);
    caffe.read(folder / "net.prototxt");
  } else {
    write_file(weights, all.substr(end + 1));
    caffe.read(weights.string());
  }
  return 0;
}
