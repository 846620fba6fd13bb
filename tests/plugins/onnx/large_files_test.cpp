// Weights behind the first 4 GiB, files whose fields are longer than 2 GiB, and more files than a process may
// have open. Large files have holes: they take no room on the disk.
#include <fcntl.h>
#include <sys/resource.h>

#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t gib = uint64_t{1} << 30;

class OnnxLargeFiles : public Onnx {
 protected:
  // A file of this size, all zeros but for what stands at its end.
  void write_sparse(std::string_view name, uint64_t size, const std::string& at_end,
                    const std::string& at_begin = {}) {
    const std::string path = folder_ / name;
    std::ofstream file(path, std::ios::binary);
    file << at_begin;
    file.seekp(static_cast<std::streamoff>(size - at_end.size()));
    file << at_end;
    ASSERT_TRUE(file.good());
  }
  static std::string bytes_of(const std::vector<float>& v) {
    return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float)};
  }
  static std::string varint(uint64_t v) {
    std::string out;
    for (; v >= 0x80; v >>= 7) out += static_cast<char>(v | 0x80);
    return out + static_cast<char>(v);
  }
  static std::string head(int field, uint64_t length) {
    return varint(static_cast<uint64_t>(field) << 3 | 2) + varint(length);
  }
  static std::string field(int number, const std::string& bytes) {
    return head(number, bytes.size()) + bytes;
  }
  ModelBuilder& reads_external(ModelBuilder& m, uint64_t offset, uint64_t length = 16) {
    m.initializer("w", OnnxTensor::in_file(OnnxType::float32, {4}, "weights.bin", offset, length));
    m.output(m.op("Neg", {"w"}));
    return m;
  }
};

TEST_F(OnnxLargeFiles, ExternalDataBehindFiveGibibytes) {
  write_sparse("weights.bin", 5 * gib, bytes_of({1, 2, 3, 4}));
  ModelBuilder m;
  EXPECT_THAT(computed(reads_external(m, 5 * gib - 16)), ElementsAre(-1, -2, -3, -4));
}

TEST_F(OnnxLargeFiles, OffsetsBeyondTheFileAreErrors) {
  write_sparse("weights.bin", 5 * gib, {1});
  for (const uint64_t offset : {5 * gib - 15, 5 * gib, uint64_t{1} << 63, UINT64_MAX - 15, UINT64_MAX}) {
    ModelBuilder m;
    EXPECT_THAT(failure_of(reads_external(m, offset)), HasSubstr("which has only 5368709120 bytes"))
        << offset;
  }
  ModelBuilder m;
  EXPECT_THAT(failure_of(reads_external(m, 16, UINT64_MAX - 7)), HasSubstr("takes 16 bytes"));
}

TEST_F(OnnxLargeFiles, TwentyThousandFilesWithSixtyFourDescriptors) {
  constexpr size_t files = 20000;
  ModelBuilder m;
  std::vector<std::string> names;
  std::vector<double> numbers;
  std::filesystem::create_directory(folder_ / "weights");
  for (size_t i = 0; i < files; ++i) {
    names.push_back(text("weights/", i));
    numbers.push_back(static_cast<double>(i));
    std::ofstream(folder_ / names.back(), std::ios::binary) << bytes_of({static_cast<float>(i)});
    m.initializer(names.back(), OnnxTensor::in_file(OnnxType::float32, {1}, names.back(), 0, 4));
  }
  m.output(m.op("Concat", names, {{"axis", 0}}));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{64, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  EXPECT_EQ(computed(m), numbers);
  setrlimit(RLIMIT_NOFILE, &before);
}

// A graph of more than 2 GiB: protobuf's own libraries refuse it, exporters wrote such files all the same.
TEST_F(OnnxLargeFiles, ATensorOfMoreThanTwoGibibytesInTheModelItself) {
  constexpr uint64_t floats_there = 5 * gib / 8;  // 2.5 GiB
  const std::string tensor =
      varint(1 << 3) + varint(floats_there) + varint(2 << 3) + varint(1) + field(8, "w");
  const std::string raw = head(9, floats_there * 4);
  const auto node = [&](const std::string& type, const std::vector<std::string>& inputs,
                        const std::string& output) {
    std::string n;
    for (const std::string& i : inputs) n += field(1, i);
    return field(1, n + field(2, output) + field(4, type));
  };
  const auto small = [&](const std::string& name, int64_t value) {
    return field(5, varint(1 << 3) + varint(1) + varint(2 << 3) + varint(7) + field(8, name) +
                        field(9, {reinterpret_cast<const char*>(&value), 8}));
  };
  std::string rest = small("from", floats_there - 2) + small("to", floats_there) +
                     node("Slice", {"w", "from", "to"}, "y") + field(12, field(1, "y"));
  // The last elements of the tensor stand right before what follows it.
  const std::string at_end = bytes_of({7, 9}) + rest;
  const uint64_t length = tensor.size() + raw.size() + floats_there * 4;
  const uint64_t graph = head(5, length).size() + length + rest.size();
  const std::string begin = varint(1 << 3) + varint(8) +
                            field(8, field(1, "") + varint(2 << 3) + varint(13)) + head(7, graph) +
                            head(5, length) + tensor + raw;
  write_sparse("model.onnx", begin.size() + floats_there * 4 + rest.size(), at_end, begin);
  EXPECT_THAT(values(*prepare(folder_ / "model.onnx")), ElementsAre(7, 9));
}

}  // namespace
}  // namespace mo::test
