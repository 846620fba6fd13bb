// The schema of a fork of Caffe is refused with a message, or a network is read by it.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  const std::filesystem::path folder = fuzz_folder() / "caffe_schema";
  write_file(folder / "net.prototxt",
             "input: 'x' input_dim: [1, 2, 3, 4]\n"
             "layer { name: 'a' type: 'Foo' bottom: 'x' top: 'a' foo_param { n: 3 m: [1, 2] mode: SUM } }\n");
  write_file(folder / "fork.proto", {reinterpret_cast<const char*>(data), size});
  const Reader caffe("caffe", "caffe", mo::core::Exit::usage);
  caffe.session().set_option("caffe_proto", (folder / "fork.proto").string());
  caffe.read((folder / "net.prototxt").string());
  return 0;
}
