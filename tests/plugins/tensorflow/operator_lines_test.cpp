// The lines of loader/operators: what is registered for TensorFlow has one, as nothing else says what types
// it gives and which values its attributes have when they are left out.
#include <regex>
#include <set>

#include "tensorflow_fixture.hpp"

namespace mo::test {
namespace {

std::map<std::string, std::string> operator_lines() {
  std::map<std::string, std::string> file_of;
  const std::filesystem::path folder(MO_SOURCE_DIR "/plugins/tensorflow/loader/operators");
  static const std::regex head("^([A-Za-z_]\\w*) [^ ].*$");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path());
    bool table = false;
    for (std::string line; std::getline(in, line);) {
      if (line.ends_with("R\"(")) {
        table = true;
      } else if (line.starts_with(")\"")) {
        table = false;
      } else if (std::smatch m; table && std::regex_match(line, m, head)) {
        const auto [first, is_new] = file_of.try_emplace(m[1], entry.path().filename());
        EXPECT_TRUE(is_new) << m[1] << " stands in " << first->second << " and " << entry.path();
      }
    }
  }
  return file_of;
}

// Operators that are refused with a reason need no types.
std::set<std::string> refused_operators() {
  std::set<std::string> names;
  static const std::regex word("\\w+");
  for (const char* file : {"unsupported.cpp", "unsupported_data.cpp"}) {
    std::ifstream in(std::string(MO_SOURCE_DIR "/plugins/tensorflow/extract/") + file);
    EXPECT_TRUE(in.good()) << file;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) names.insert(i->str());
  }
  return names;
}

TEST_F(Tensorflow, EachOperatorThatIsRegisteredHasALine) {
  const auto lines = operator_lines();
  ASSERT_GT(lines.size(), 300U);
  std::set<std::string> known;
  const core::Registry& r = new_session().registry();
  r.open_contents();
  for (const core::Extractor* e : r.extractors())
    if (r.same_framework(e->framework, "tf") && !e->framework.empty() && e->domain.empty())
      known.insert(e->op);
  for (const core::Transformation* t : r.transformations())
    if (t->frameworks == std::vector<std::string>{"tensorflow"})
      for (const std::string& op : t->ops)
        if (op.starts_with("::")) known.insert(op.substr(2));
  ASSERT_GT(known.size(), 300U);
  std::set<std::string> refused = refused_operators();
  refused.insert("AutoReloadVariable");  // the loader puts its value there, with a type
  for (const std::string& op : known)
    EXPECT_TRUE(lines.contains(op) || refused.contains(op)) << op << " has no line in loader/operators";
}

}  // namespace
}  // namespace mo::test
