// packaging/docs/parity.tsv: what became of each transformation of the Python Model Optimizer 2021.4. The
// page parity.md is made of it: MO_UPDATE_PARITY=1 writes it.
//
//   phase <TAB> transformation <TAB> frameworks <TAB> done <TAB> ids here, separated by spaces, or
//   front-end:NAME phase <TAB> transformation <TAB> frameworks <TAB> not needed | later <TAB> why
#include "tests/plugins/builtin_passes/passes_lab.hpp"

#include <array>
#include <fstream>
#include <set>

namespace mo::test {
namespace {

using ParityRow = std::array<std::string, 5>;

const std::string parity_folder = MO_SOURCE_DIR "/packaging/docs/";

std::vector<ParityRow> parity_rows() {
  std::vector<ParityRow> rows;
  std::ifstream in(parity_folder + "parity.tsv");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    ParityRow row;
    size_t n = 0;
    for (std::string cell; std::getline(cells, cell, '\t'); ++n)
      if (n < row.size()) row[n] = cell;
    EXPECT_EQ(n, row.size()) << line;
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

size_t with_status(const std::vector<ParityRow>& rows, std::string_view status) {
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const ParityRow& r) { return r[3] == status; }));
}

std::string page(const std::vector<ParityRow>& rows) {
  std::string md =
      "# What became of the transformations of the Python Model Optimizer\n\n"
      "Made from `parity.tsv` by `MO_UPDATE_PARITY=1 test_builtin_passes --gtest_filter='Parity.*'`.\n\n";
  for (const char* status : {"done", "not needed", "later"})
    md += text("- ", status, ": ", with_status(rows, status), "\n");
  std::string phase;
  for (const ParityRow& r : rows) {
    if (r[0] != phase) {
      phase = r[0];
      md += "\n## " + phase +
            "\n\n| transformation of 2021.4 | for | state | here, or why not |\n| --- | --- | --- | --- |\n";
    }
    std::string here = r[4];
    if (r[3] == "done") {
      here.clear();
      for (const std::string& id : words(r[4])) here += (here.empty() ? "`" : ", `") + id + "`";
    }
    md += "| " + r[1] + " | " + r[2] + " | " + r[3] + " | " + here + " |\n";
  }
  return md;
}

TEST(Parity, EachRowIsAccountedFor) {
  const auto rows = parity_rows();
  ASSERT_GE(rows.size(), 400U);
  const PassesLab lab;
  std::set<std::string> seen;
  for (const ParityRow& r : rows) {
    EXPECT_TRUE(seen.insert(r[0] + " " + r[1]).second) << r[1] << " stands there twice";
    EXPECT_THAT((std::vector<std::string>{"done", "not needed", "later"}), testing::Contains(r[3])) << r[1];
    if (r[3] != "done") {
      EXPECT_GT(r[4].size(), 20U) << r[1] << ": why?";
      continue;
    }
    EXPECT_FALSE(words(r[4]).empty()) << r[1];
    for (const std::string& id : words(r[4]))
      if (id.starts_with("front-end:"))
        EXPECT_NE(lab.session.registry().frontend(id.substr(10)), nullptr) << r[1] << ": no " << id;
      else
        EXPECT_NE(lab.session.registry().transformation(id), nullptr)
            << r[1] << ": no transformation '" << id << "'";
  }
  EXPECT_LE(with_status(rows, "later") * 10, rows.size());
}

TEST(Parity, ThePageIsFresh) {
  const std::string expected = page(parity_rows());
  if (std::getenv("MO_UPDATE_PARITY") != nullptr) std::ofstream(parity_folder + "parity.md") << expected;
  std::ifstream in(parity_folder + "parity.md");
  const std::string have{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(have == expected)
      << "refresh packaging/docs/parity.md: MO_UPDATE_PARITY=1 test_builtin_passes --gtest_filter='Parity.*'";
}

}  // namespace
}  // namespace mo::test
