// operator_versions.tsv against what is registered.
#include <sstream>

#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

struct VersionRow {
  std::string op, version, change, made;
};

std::vector<VersionRow> version_rows() {
  std::ifstream in(MO_SOURCE_DIR "/tests/plugins/onnx/operator_versions.tsv");
  std::vector<VersionRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    VersionRow& r = rows.emplace_back();
    std::getline(fields, r.op, '\t');
    std::getline(fields, r.version, '\t');
    std::getline(fields, r.change, '\t');
    std::getline(fields, r.made);
  }
  return rows;
}

// The error of an operator that has nothing but its name: whatever it says, it is not that nobody knows it.
TEST_F(Onnx, EachVersionOfAnOperatorIsKnown) {
  const auto rows = version_rows();
  ASSERT_GT(rows.size(), 60U);
  std::string before;
  for (const VersionRow& r : rows) {
    EXPECT_FALSE(r.change.empty() || r.made.empty()) << r.op;
    EXPECT_LE(before, text(r.op, '-', r.version)) << "rows are in the order of their names";
    before = text(r.op, '-', r.version);
    ModelBuilder m(std::stoll(r.version));
    m.input("x", OnnxType::float32, {1, 3, 2, 2});
    std::string y = m.op(r.op, {"x"});
    // A sequence is known where something is taken from it.
    if (r.op == "SplitToSequence") y = m.op("SequenceAt", {y, m.constant(OnnxTensor::scalar<int64_t>(0))});
    m.output(y);
    EXPECT_THAT(failure_of(m), testing::Not(testing::HasSubstr("no plugin supports")))
        << r.op << '-' << r.version;
  }
}

}  // namespace
}  // namespace mo::test
