// A CustomLayersMapping.xml is refused with a message, or says what becomes of the layers of a network.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  const std::filesystem::path folder = fuzz_folder() / "caffe_mapping";
  write_file(
      folder / "net.prototxt",
      "input: 'x' input_dim: [1, 2, 3, 4]\n"
      "layer { name: 'a' type: 'Foo' bottom: 'x' top: 'a' foo_param { n: 3 m: [1, 2] sub { s: 'x' } } }\n"
      "layer { name: 'b' type: 'Bar' bottom: 'a' top: 'b' top: 'c' }\n");
  write_file(folder / "mapping.xml", {reinterpret_cast<const char*>(data), size});
  const Reader caffe("caffe", "caffe", mo::core::Exit::usage);
  caffe.session().set_option("k", (folder / "mapping.xml").string());
  caffe.read((folder / "net.prototxt").string());
  return 0;
}
