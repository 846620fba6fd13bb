// Checkpoints of three kinds, as the first byte says: 0 is the bytes of an index, otherwise entries of which
// a table with right checksums is made, so that more than these are tried: for 1 an index, for 2 a checkpoint
// of version 1, for 3 an index that snappy packed. An entry is the size of its key, the key, the size of its
// value in 2 bytes, and the value. After an entry with an empty key and an empty value comes the shard.
#include <cstring>

#include "../plugins/tensorflow/checkpoint_files.hpp"
#include "custom_mutator.hpp"
#include "one_model.hpp"

namespace {

std::string model() {
  using namespace mo::test;
  GraphDef g;
  const std::vector<TfAttribute> any = {tf_type("dtype", TfType::f32)};
  for (const char* name : {"v", "w"}) g.node("VariableV2", name, {}, any);
  return g.node("Add", "y", {"v", "w"}, {tf_type("T", TfType::f32)}).bytes();
}

mo::test::TableWriter read_entries(std::string_view& rest) {
  mo::test::TableWriter table;
  const auto take = [&rest](size_t width) {
    size_t n = 0;
    width = std::min(width, rest.size());
    std::memcpy(&n, rest.data(), width);
    rest.remove_prefix(width);
    const std::string part(rest.substr(0, n));
    rest.remove_prefix(part.size());
    return part;
  };
  while (!rest.empty()) {
    const std::string key = take(1), value = take(2);
    if (key.empty() && value.empty()) break;
    table.entries[key] = value;
  }
  return table;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (rest.empty()) return 0;
  const int kind = rest.front() & 3;
  rest.remove_prefix(1);
  const Reader tensorflow("tf", "tensorflow");
  const std::filesystem::path folder = fuzz_folder() / "checkpoint";
  const std::string prefix = folder / "model";
  for (const std::string& old : {prefix, prefix + ".index"}) unlink(old.c_str());
  if (kind == 0) {
    write_file(prefix + ".index", rest);
  } else {
    TableWriter table = read_entries(rest);
    table.snappy = kind == 3;
    write_file(kind == 2 ? prefix : prefix + ".index", table.bytes());
  }
  write_file(prefix + ".data-00000-of-00001", rest);
  if (static std::filesystem::path written; std::exchange(written, folder) != folder)
    write_file(folder / "graph.pb", model());
  tensorflow.session().set_option("input_checkpoint", prefix);
  tensorflow.read(folder / "graph.pb");
  return 0;
}
