// What the system's loader refuses, in words a user can act on.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* plugin_source = R"(
#include "zoo.h"
int zoo_help(void);
static mo_status load(mo_context* c) {
  return zoo_help() == 1 ? zoo_register_operation(c, "Linked", "org.example.zoo") : MO_ERROR;
}
ZOO_PLUGIN("linked", load)
)";

void compile(const ZooFolder& f, const std::string& arguments) {
  const std::string include = "-I'" MO_SOURCE_DIR "/plugin_api/include' -I'" MO_SOURCE_DIR "/tests/abi/zoo' ";
  const std::string command = "cd '" + f.path().string() + "' && cc -shared -fPIC " + include + arguments;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(Libraries, OneThatIsMissingIsNamed) {
  const ZooFolder f;
  f.add_text("int zoo_help(void) { return 1; }", "help.c");
  f.add_text(plugin_source, "plugin.c");
  compile(f, "help.c -o libzoo_help.so");
  compile(f, "plugin.c -L. -lzoo_help -o linked.mo.so");
  Session session{host_table()};
  const auto failure = failure_of(session, (f.path() / "linked.mo.so").string());
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->render(),
              AllOf(HasSubstr("MOX-006"), HasSubstr("needs libzoo_help.so, which is not found"),
                    HasSubstr("linked.mo.so"), HasSubstr("install the library")));
}

TEST(Libraries, OneBesideThePluginIsFoundByItsRunPath) {
  const ZooFolder f;
  f.add_text("int zoo_help(void) { return 1; }", "help.c");
  f.add_text(plugin_source, "plugin.c");
  compile(f, "help.c -o libzoo_help.so");
  compile(f, "plugin.c -L. -lzoo_help '-Wl,-rpath,$ORIGIN' -o linked.mo.so");
  Session session{host_table()};
  app::CarefulRequest request;
  request.named = {f.path().string()};
  const LoadReport report = app::load_carefully(session, request);
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_EQ(report.loaded[0]->operations, 1U);
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_THAT(report.skipped[0].path, HasSubstr("libzoo_help.so"));
  EXPECT_THAT(report.skipped[0].reason, HasSubstr("a helper library"));
}

TEST(Libraries, WhatCannotBeMappedHasTheLoadersWords) {
  const ZooFolder f;
  f.add_text("int zoo_help(void) { return 1; }", "help.c");
  f.add_text(plugin_source, "plugin.c");
  compile(f, "plugin.c help.c -Wl,-z,nodlopen -o never.mo.so");
  Session session{host_table()};
  const auto failure = failure_of(session, f.path().string());
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->render(), AllOf(HasSubstr("MOX-007"), HasSubstr("never.mo.so"), HasSubstr("dlopen")));
  compile(f, "plugin.c help.c -o never.mo.so");
  EXPECT_FALSE(failure_of(session, f.path().string()).has_value());
}

}  // namespace

}  // namespace mo::core
