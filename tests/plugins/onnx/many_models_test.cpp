// Thousands of models in one process: what a conversion left behind would pile up.
#include <malloc.h>

#include "apps/frontends/choose_frontend.hpp"
#include "load.hpp"
#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

struct Held {
  size_t bytes = 0;     // asked for and not given back
  size_t resident = 0;  // of the process
  size_t descriptors = 0, mappings = 0;

  static Held now() {
    Held h;
    const struct mallinfo2 heap = mallinfo2();
    h.bytes = heap.uordblks + heap.hblkhd;
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    h.resident = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const std::filesystem::directory_iterator open("/proc/self/fd");
    h.descriptors = static_cast<size_t>(std::distance(begin(open), end(open)));
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) h.mappings += line.find('/') != std::string::npos;
    return h;
  }
};

// No two have the same names. Of seven, one is damaged, and one has an operator that nobody knows.
std::string model_of(size_t number) {
  const std::string n = text('_', number);
  ModelBuilder m;
  m.input("x" + n, OnnxType::float32, {1, 2, 4, static_cast<int64_t>(4 + number % 5)});
  m.initializer("w" + n, floats({2, 2, 1, 1}, {1, 2, 3, static_cast<float>(number)}));
  m.node({.type = "Conv", .inputs = {"x" + n, "w" + n}, .outputs = {"c" + n}, .name = "conv" + n});
  m.node({.type = number % 7 == 3 ? "Unheard" : "Relu",
          .inputs = {"c" + n},
          .outputs = {"y" + n},
          .name = "last" + n});
  m.output("y" + n);
  std::string bytes = m.bytes();
  if (number % 7 == 5) bytes.resize(bytes.size() - 9);
  return bytes;
}

TEST(ManyModels, LeaveMemoryAndDescriptorsAsTheyWere) {
  // Both parts are whole sessions.
  const size_t models = sanitized ? 240 : 2000, of_one_session = 20, warm = models / 4;
  const TemporaryFolder folder;
  size_t converted = 0, refused = 0;
  const auto convert_all = [&](size_t from, size_t to) {
    for (size_t first = from; first < to; first += of_one_session) {
      core::Session session{core::host_table()};
      load_built_in(session);
      for (size_t i = first; i < first + of_one_session; ++i) {
        // A file of its own: a session that still has one open reads no other in its place.
        std::filesystem::remove(folder / "model.onnx");
        core::ConvertOptions options;
        options.frontend = app::choose_frontend;
        options.input_model = folder.write("model.onnx", model_of(i));
        options.framework = "onnx";
        app::IrFiles files(session, {.folder = folder / "out"});
        try {
          converted += core::convert(session, options, files).ir.layers > 0 ? 1 : 0;
        } catch (const core::Failure&) {
          ++refused;
        }
        session.loose_graphs().clear();
      }
    }
  };
  convert_all(0, warm);
  const Held before = Held::now();
  convert_all(warm, models);
  const Held after = Held::now();
  EXPECT_EQ(converted + refused, models);
  EXPECT_EQ(converted, models - (models + 3) / 7 - (models + 1) / 7);
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.mappings, before.mappings);
  RecordProperty("bytes", std::to_string(after.bytes - before.bytes));
  RecordProperty("resident", std::to_string(after.resident - before.resident));
  if (sanitized) return;  // its heap keeps what was given back for a while
  EXPECT_LT(after.bytes, before.bytes + (32U << 10)) << "more than 20 bytes of each model are kept";
  EXPECT_LT(after.resident, before.resident + (4U << 20));
}

}  // namespace
}  // namespace mo::test
