// What the system's loader refuses, in words a user can act on.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* plugin_source = R"(
#include <mo/plugin.h>
int zoo_help(void);
static mo_status load(mo_context* c) { (void)c; return zoo_help() == 1 ? MO_OK : MO_ERROR; }
const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin p = {sizeof(mo_plugin), MO_ABI_MAJOR, MO_TARGET_MINOR, MO_LOWEST_MINOR, 0, {"org.example.linked", 18}, {"1.0", 3},
                              {"tests", 5}, {"MIT", 3}, {"needs a library", 15}, {"", 0}, load, 0};
  return &p;
}
)";

void compile(const TemporaryFolder& f, const std::string& arguments) {
  const std::string include = MO_SOURCE_DIR "/plugin_api/include";
  const std::string command =
      "cd '" + f.path().string() + "' && cc -shared -fPIC -I'" + include + "' " + arguments;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(Libraries, OneThatIsMissingIsNamed) {
  const TemporaryFolder f;
  f.add_text("int zoo_help(void) { return 1; }", "help.c");
  f.add_text(plugin_source, "plugin.c");
  compile(f, "help.c -o libzoo_help.so");
  compile(f, "plugin.c -L. -lzoo_help -o linked.mo.so");
  Session session;
  const auto failure = failure_of(session, (f.path() / "linked.mo.so").string());
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->render(),
              AllOf(HasSubstr("MOX-006"), HasSubstr("needs libzoo_help.so, which is not found"),
                    HasSubstr("linked.mo.so"), HasSubstr("install the library")));
}

TEST(Libraries, OneBesideThePluginIsFoundByItsRunPath) {
  const TemporaryFolder f;
  f.add_text("int zoo_help(void) { return 1; }", "help.c");
  f.add_text(plugin_source, "plugin.c");
  compile(f, "help.c -o libzoo_help.so");
  compile(f, "plugin.c -L. -lzoo_help '-Wl,-rpath,$ORIGIN' -o linked.mo.so");
  Session session;
  const auto failure = failure_of(session, f.path().string());
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->render(),
              AllOf(HasSubstr("MOX-008"), HasSubstr("org.example.linked 1.0 registers nothing"),
                    HasSubstr("libzoo_help.so: a helper library")));
}

TEST(Libraries, WhatCannotBeMappedHasTheLoadersWords) {
  const TemporaryFolder f;
  f.add_text("int zoo_help(void) { return 1; }", "help.c");
  f.add_text(plugin_source, "plugin.c");
  compile(f, "plugin.c help.c -Wl,-z,nodlopen -o never.mo.so");
  Session session;
  const auto failure = failure_of(session, f.path().string());
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->render(), AllOf(HasSubstr("MOX-007"), HasSubstr("never.mo.so"), HasSubstr("dlopen")));
}

}  // namespace

}  // namespace mo::core
