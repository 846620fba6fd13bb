// The genai_config.json of a folder is refused with a message, or says which file is the model and what its cache is called.
#include "custom_mutator.hpp"
#include "model_builder.hpp"
#include "one_model.hpp"

namespace {

// A decoder of one layer, as far as the configuration speaks of it.
std::string decoder() {
  using namespace mo::test;
  ModelBuilder m(17);
  m.input("ids", OnnxType::int64, {"batch", "length"});
  m.input("fresh", OnnxType::float32, {"batch", "heads", "length", "size"});
  for (const std::string what : {"keys", "values"}) {
    m.input(what + "_0", OnnxType::float32, {"batch", "heads", "past", "size"});
    m.node({.type = "Concat",
            .inputs = {what + "_0", "fresh"},
            .outputs = {"new_" + what + "_0"},
            .attributes = {{"axis", 2}},
            .name = "join_" + what});
    m.output("new_" + what + "_0");
  }
  return m.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  static const std::string model = decoder();
  const std::filesystem::path folder = fuzz_folder() / "genai";
  write_file(folder / "genai_config.json", {reinterpret_cast<const char*>(data), size});
  if (static std::filesystem::path written; std::exchange(written, folder) != folder)
    write_file(folder / "model.onnx", model);
  Reader("onnx", "onnx").read(folder.string());
  return 0;
}
