// Every code that the sources use is in the manual, and none that they do not.
#include <regex>
#include <set>

#include "program.hpp"

namespace mo::test {
namespace {

std::set<std::string> codes_in(const std::string& text) {
  static const std::regex code("MO0[0-9]{3}");
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), code), end; i != end; ++i) found.insert(i->str());
  return found;
}

TEST(ErrorCodes, AreInTheManual) {
  std::set<std::string> used;
  for (const char* folder : {"core", "apps"})
    for (const auto& e : fs::recursive_directory_iterator(fs::path(MO_SOURCE_DIR) / folder))
      if (e.path().extension() == ".cpp") used.merge(codes_in(read_text(e.path())));
  const std::set<std::string> explained =
      codes_in(read_text(MO_SOURCE_DIR "/packaging/docs/manual/errors.md"));
  EXPECT_EQ(used, explained) << "packaging/docs/manual/errors.md lists the codes";
}

}  // namespace
}  // namespace mo::test
