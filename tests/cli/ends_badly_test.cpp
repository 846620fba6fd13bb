// A plugin that crashes, calls exit() or does not come back, in every callback: who it was is said, and
// nothing half is left.
#include "program.hpp"

namespace mo::test {
namespace {

// Loading is met in a process of its own first; see first_contact_test.cpp.
struct Where {
  const char* callback;
  std::string node, pass;  // what else is known
  bool is_after = false;   // the result was written
};

const std::vector<Where> callbacks{
    {"frontend_load", "", ""},          {"extract", "on_input", ""},
    {"native_attr", "on_input", ""},    {"infer", "on_", ""},
    {"evaluate", "on_constant", ""},    {"on_match", "on_input", "badly.on_match"},
    {"on_graph", "", "badly.on_graph"}, {"unload", "", "", true},
    {"release", "", "", true},          {"shutdown", "", "", true},
};

class EndsBadly : public testing::Test {
 protected:
  EndsBadly() { write_text(folder_ / "a.badly", "badly"); }
  Outcome convert(const std::string& how, std::vector<std::string> environment = {}) {
    ProgramOptions options;
    options.environment = std::move(environment);
    options.environment.push_back("MO_ENDS_BADLY=" + how);
    return run({"-m", folder_ / "a.badly", "--extensions", zoo("ends_badly"), "-o", folder_ / ""}, options);
  }
  // The two files, whole, or none.
  void expect_result(bool is_there, const std::string& what) {
    const std::vector<std::string> none{"a.badly"}, both{"a.badly", "a.bin", "a.xml"};
    EXPECT_EQ(folder_.names(), is_there ? both : none) << what;
    if (is_there) {
      EXPECT_NE(read_text(folder_ / "a.xml").find("</net>"), std::string::npos) << what;
      fs::remove(folder_ / "a.xml");
      fs::remove(folder_ / "a.bin");
    }
  }
  void expect_named(const Outcome& o, const Where& w) {
    const auto has = [&](const std::string& part) { return o.err.find(part) != std::string::npos; };
    EXPECT_TRUE(has("  plugin  org.example.badly 1.0.0 (" + zoo("ends_badly") + ")")) << w.callback << o.err;
    if (!w.node.empty()) {
      EXPECT_TRUE(has("  node    '" + w.node)) << w.callback << o.err;
    }
    if (!w.pass.empty()) {
      EXPECT_TRUE(has("  pass    " + w.pass)) << w.callback << o.err;
    }
    if (w.is_after) {
      EXPECT_TRUE(has(std::string("  during  ") + w.callback)) << o.err;
    }
  }
  Folder folder_;
};

TEST_F(EndsBadly, AllIsWellWithoutTheVariable) {
  const Outcome o = convert("nothing");
  EXPECT_EQ(o.code, 0) << o.err;
  expect_result(true, "");
}

TEST_F(EndsBadly, ACrashNamesThePluginInEveryCallback) {
  for (const Where& w : callbacks) {
    const Outcome o = convert(std::string(w.callback) + ":crash");
    EXPECT_EQ(o.code, 3) << w.callback << o.err;
    EXPECT_TRUE(o.err.starts_with("error MO0809: plugin org.example.badly crashed (invalid memory access)\n"))
        << w.callback << o.err;
    expect_named(o, w);
    expect_result(w.is_after, w.callback);
  }
}

TEST_F(EndsBadly, ExitNamesThePluginInEveryCallback) {
  for (const Where& w : callbacks) {
    const Outcome o = convert(std::string(w.callback) + ":exit");
    EXPECT_EQ(o.code, 3) << w.callback << o.err;
    EXPECT_TRUE(o.err.starts_with("error MO0810: plugin org.example.badly ended the program (exit code 7)\n"))
        << w.callback << o.err;
    expect_named(o, w);
    expect_result(w.is_after, w.callback);
  }
}

// What ends a process without a word must not look like a conversion that went well.
TEST_F(EndsBadly, EndingAtOnceNamesThePluginInEveryCallback) {
  for (const Where& w : callbacks) {
    const Outcome o = convert(std::string(w.callback) + ":at_once");
    EXPECT_EQ(o.code, 3) << w.callback << o.err;
    EXPECT_TRUE(o.err.starts_with("error MO0810: plugin org.example.badly ended the program (exit code 0)\n"))
        << w.callback << o.err;
    expect_named(o, w);
    expect_result(w.is_after, w.callback);
  }
}

// What a plugin changes of the process is put back, and told: the result is where it was asked for, whole and readable.
TEST_F(EndsBadly, TheProcessStaysAsItWas) {
  const std::vector<std::pair<std::string, std::string>> changes{{"folder", "the current folder"},
                                                                 {"umask", "the umask"},
                                                                 {"signals", "what happens on signals"},
                                                                 {"rounding", "the rounding mode"},
                                                                 {"limit", "a limit (ulimit)"},
                                                                 {"alarm", "the timer of alarm()"},
                                                                 {"environment", "the environment"},
                                                                 {"close", "standard error, which is closed"},
                                                                 {"fork", "the number of child processes"},
                                                                 {"thread", "the number of threads"}};
  for (const auto& [how, what] : changes)
    for (const char* callback : {"load", "infer", "on_graph"}) {
      // A sanitizer's processes are slow: one callback is enough there.
      if (sanitized && std::string(callback) != "infer") continue;
      const std::string where = std::string(callback) + ":" + how;
      const Outcome o = convert(where);
      EXPECT_EQ(o.code, 0) << where << o.err;
      EXPECT_NE(o.err.find("[org.example.badly] it changed " + what), std::string::npos) << where << o.err;
      const auto mode =
          fs::exists(folder_ / "a.xml") ? fs::status(folder_ / "a.xml").permissions() : fs::perms::none;
      EXPECT_NE(mode & fs::perms::owner_read, fs::perms::none) << where;
      expect_result(true, where);
    }
}

TEST_F(EndsBadly, WhatItPrintsIsNoOutputOfTheProgram) {
  for (const char* callback : {"load", "infer", "on_graph"}) {
    const Outcome o = convert(std::string(callback) + ":print");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.out.find("hello from a plugin"), std::string::npos) << callback << o.out;
    EXPECT_NE(o.err.find("hello from a plugin"), std::string::npos) << callback << o.err;
    EXPECT_NE(o.err.find("[org.example.badly] it wrote to standard output in its callback '"),
              std::string::npos)
        << callback << o.err;
    expect_result(true, callback);
  }
}

TEST_F(EndsBadly, WeightsAreOnlyRead) {
  const Outcome o = convert("evaluate:spoil");
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_NE(o.err.find("error MO0503: evaluate has changed the elements of an input, which it may only read"),
            std::string::npos)
      << o.err;
  EXPECT_NE(o.err.find("org.example.badly"), std::string::npos) << o.err;
  expect_result(false, "");
}

// Static objects have no callback: whose they are nobody knows.
TEST_F(EndsBadly, ACrashAfterTheEndListsThePlugins) {
  if (sanitized) GTEST_SKIP() << "a sanitizer tells of crashes itself";
  const Outcome o = convert("destructor:crash");
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_TRUE(
      o.err.starts_with("error MO0809: a plugin crashed (invalid memory access) at the end of the program"))
      << o.err;
  EXPECT_NE(o.err.find("  one of  " + zoo("ends_badly") + "\n"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("a result that was written is whole; --isolate ID"), std::string::npos) << o.err;
  expect_result(true, "destructor");
}

// First contact went well, and is remembered; this time it does not.
TEST_F(EndsBadly, AnInitialiserThatThrowsNamesTheFile) {
  EXPECT_EQ(convert("nothing").code, 0);
  expect_result(true, "");
  const Outcome o = convert("initialiser:throw");
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_NE(o.err.find("error MOX-026: an initialiser of the library let a C++ exception out (no licence)"),
            std::string::npos)
      << o.err;
  EXPECT_NE(o.err.find(zoo("ends_badly")), std::string::npos) << o.err;
  expect_result(false, "");
}

TEST_F(EndsBadly, ALongWaitIsNamedAndNotEnded) {
  for (const Where& w : callbacks) {
    const Outcome o =
        convert(std::string(w.callback) + ":wait", {sanitized ? "MO_HANG_NOTICE=0.8" : "MO_HANG_NOTICE=0.2"});
    EXPECT_EQ(o.code, 0) << w.callback << o.err;
    EXPECT_NE(o.err.find("warning: plugin org.example.badly has been at work on one thing for "),
              std::string::npos)
        << w.callback << o.err;
    expect_named(o, w);
    expect_result(true, w.callback);
  }
}

TEST_F(EndsBadly, NobodyIsNamedBeforeTheTime) {
  for (const char* seconds : {"MO_HANG_NOTICE=0", "MO_HANG_NOTICE=600"}) {
    const Outcome o = convert("infer:wait", {seconds});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.err, "");
  }
}

}  // namespace
}  // namespace mo::test
