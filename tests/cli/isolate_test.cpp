// Plugins in processes of their own: the same results, and nothing that goes wrong there reaches the host.
// tests/conformance/faults tries a thousand random faults; here are some of each kind.
#include <gmock/gmock.h>

#include <tuple>

#include "program.hpp"

namespace mo::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

const std::string data = MO_SOURCE_DIR "/tests/data/";
const std::string faults = zoo("faults");
const std::string faults_id = "org.example.faults";

Outcome convert_to(const std::string& out, std::vector<std::string> words,
                   const std::vector<std::string>& more, std::vector<std::string> environment = {}) {
  for (const std::string& w : {std::string("-o"), out, std::string("-n"), std::string("m"),
                               std::string("--allow_writable_folders"), std::string("--silent")})
    words.push_back(w);
  words.insert(words.end(), more.begin(), more.end());
  ProgramOptions options;
  options.environment = std::move(environment);
  return run(words, options);
}

void expect_same(const std::vector<std::string>& words, const std::string& isolated) {
  const Folder folder;
  const Outcome plain = convert_to(folder / "plain", words, {});
  const Outcome apart = convert_to(folder / "apart", words, {"--isolate", isolated});
  ASSERT_EQ(plain.code, 0) << plain.err;
  ASSERT_EQ(apart.code, 0) << apart.err;
  for (const char* name : {"/m.xml", "/m.bin"}) {
    EXPECT_EQ(read_text((folder / "plain") + name), read_text((folder / "apart") + name)) << name;
    EXPECT_TRUE(fs::exists((folder / "apart") + name));
  }
}

TEST(Isolated, AFrontEndGivesTheSame) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  expect_same({"--input_model", folder / "a.toy", "--extensions", toy}, "all");
}

TEST(Isolated, NothingIsLoadedWhenItsProcessCannotBeStarted) {
  const Folder folder;
  ProgramOptions options;
  options.environment = {"XDG_CACHE_HOME=" + folder / "cache", "ASAN_OPTIONS=detect_leaks=0"};
  // Known from now on: no process is needed to meet it.
  EXPECT_EQ(run({"list", "plugins", "--extensions", toy}, options).code, 0);
  options.no_processes = true;
  const Outcome o = run({"list", "plugins", "--extensions", toy, "--isolate", "all"}, options);
  EXPECT_EQ(o.code, 3);
  EXPECT_THAT(o.err, HasSubstr("error MOX-130: the process that the plugin is to run in cannot be started: "
                               "fork: Resource temporarily unavailable\n"));
  EXPECT_THAT(o.err, HasSubstr("ulimit -a"));
}

TEST(Isolated, AConfiguredReplacementGivesTheSame) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  write_text(folder / "c.json",
             R"([{"id": "replaced", "match_kind": "scope", "op": "Old", "instances": ["cop"]}])");
  expect_same(
      {"--input_model", folder / "a.toy", "--extensions", toy, "--transformations_config", folder / "c.json"},
      "all");
}

#if defined(MO_HAVE_PLUGIN_onnx) && defined(MO_HAVE_PLUGIN_builtin_passes)
TEST(Isolated, EachPluginOfAConversionGivesTheSame) {
  for (const char* ids : {"org.mo-host.onnx", "org.mo-host.opset", "org.mo-host.builtin_passes",
                          "org.mo-host.onnx,org.mo-host.opset,org.mo-host.builtin_passes"}) {
    SCOPED_TRACE(ids);
    for (const char* model : {"small_cnn.onnx", "small_cnn_external.onnx"})
      expect_same({"--input_model", data + model}, ids);
  }
}

// Each kind of callback takes part in it.
TEST(Isolated, AVendorsPluginGivesTheSame) {
  expect_same({"--input_model", data + "small_cnn.onnx", "--extensions", faults}, "all");
}

// What goes wrong.

class Fault : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(Fault, LeavesNothingAndNamesThePlugin) {
  const auto [kind, crossing] = GetParam();
  const Folder folder;
  const bool hangs = std::string(kind) == "hang";
  const Outcome o = convert_to(
      folder / "out", {"--input_model", data + "small_cnn.onnx", "--extensions", faults},
      {"--isolate", faults_id, "--isolate_timeout", hangs ? "1" : "30"},
      {std::string("MO_FAULT=") + kind, "MO_FAULT_AT=" + std::to_string(crossing), "MO_FAULT_SEED=5"});
  EXPECT_THAT(o.code, AnyOf(1, 3)) << o.err;
  EXPECT_THAT(o.err, HasSubstr(faults_id));
  EXPECT_THAT(o.err, HasSubstr("error MO"));
  EXPECT_TRUE(!fs::exists(folder / "out") || fs::is_empty(folder / "out"));
}

// In load, in a callback of an extractor, of a transformation, of a predicate, and in host calls.
INSTANTIATE_TEST_SUITE_P(Kinds, Fault,
                         testing::Combine(testing::Values("throw", "abort", "crash", "exit", "kill", "babble",
                                                          "close", "status", "handle", "text", "shape",
                                                          "size", "null"),
                                          testing::Values(2, 8, 12, 20, 33)),
                         [](const auto& tried) {
                           return std::string(std::get<0>(tried.param)) + "_" +
                                  std::to_string(std::get<1>(tried.param));
                         });
INSTANTIATE_TEST_SUITE_P(Hangs, Fault, testing::Combine(testing::Values("hang"), testing::Values(12)));

TEST(Isolated, ACrashIsToldWithPassNodeAndSignal) {
  const Folder folder;
  const Outcome o =
      convert_to(folder / "out", {"--input_model", data + "small_cnn.onnx", "--extensions", faults},
                 {"--isolate", "all"}, {"MO_FAULT=abort", "MO_FAULT_AT=12"});
  EXPECT_EQ(o.code, 3);
  EXPECT_THAT(o.err, HasSubstr("error MO0815: plugin org.example.faults, which runs isolated, was ended by "
                               "SIGABRT (Aborted)\n"));
  EXPECT_THAT(o.err, HasSubstr("\n  pass    faults.mark\n"));
  EXPECT_THAT(o.err, HasSubstr("\n  node    '"));
  EXPECT_THAT(o.err, HasSubstr("callback 'on_node'"));
}

// The files are whole by then, so it is no error; whoever the plugin is from wants to know.
TEST(Isolated, AShutdownThatEndsBadlyIsAWarning) {
  const std::string badly = zoo("ends_badly");
  const std::pair<const char*, const char*> rows[] = {
      {"nothing", ""},
      {"shutdown:crash", "was ended by SIGSEGV (Segmentation fault) when it was to shut down"},
      {"shutdown:exit", "ended its process with exit status 7 when it was to shut down"},
  };
  for (const auto& [how, told] : rows) {
    const Folder folder;
    write_text(folder / "a.badly", "badly");
    ProgramOptions options;
    options.environment = {std::string("MO_ENDS_BADLY=") + how};
    const Outcome o = run({"-m", folder / "a.badly", "--extensions", badly, "--isolate", "org.example.badly",
                           "-o", folder / "out"},
                          options);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(fs::exists(folder / "out/a.xml") && fs::exists(folder / "out/a.bin"));
    if (*told == '\0') {
      EXPECT_EQ(o.err, "");
    } else if (!sanitized) {  // a sanitizer tells of crashes itself, and ends the process its own way
      EXPECT_THAT(o.err, HasSubstr(std::string("plugin org.example.badly, which runs isolated, ") + told));
    }
  }
}

// The other process has its sockets, too, and lives for longer than the plugin may take.
TEST(Isolated, ACrashIsSeenWhileWhatItStartedLives) {
  const Folder folder;
  const Outcome o =
      convert_to(folder / "out", {"--input_model", data + "small_cnn.onnx", "--extensions", faults},
                 {"--isolate", "all", "--isolate_timeout", "10"}, {"MO_FAULT=orphan", "MO_FAULT_AT=12"});
  EXPECT_EQ(o.code, 3);
  EXPECT_THAT(o.err, HasSubstr("error MO0815: plugin org.example.faults, which runs isolated, was ended by "
                               "SIGABRT (Aborted)\n"));
}

TEST(Isolated, ATimeLimitEndsAHang) {
  const Folder folder;
  const Outcome o =
      convert_to(folder / "out", {"--input_model", data + "small_cnn.onnx", "--extensions", faults},
                 {"--isolate", "all", "--isolate_timeout", "0.5"}, {"MO_FAULT=hang", "MO_FAULT_AT=12"});
  EXPECT_EQ(o.code, 3);
  EXPECT_THAT(o.err, HasSubstr("error MO0816: plugin org.example.faults, which runs isolated, took longer "
                               "than 0.5 seconds and was ended\n"));
}

TEST(Isolated, WhatThePluginSaysWithoutBeingAskedEndsIt) {
  const Folder folder;
  const Outcome o =
      convert_to(folder / "out", {"--input_model", data + "small_cnn.onnx", "--extensions", faults},
                 {"--isolate", "all"}, {"MO_FAULT=babble", "MO_FAULT_AT=12", "MO_FAULT_SEED=4"});
  EXPECT_EQ(o.code, 3);
  EXPECT_THAT(o.err, HasSubstr("error MO0817: plugin org.example.faults"));
}
#endif

TEST(Isolated, APluginThatIsNotThereIsAMistake) {
  const Outcome o = run({"list", "plugins", "--isolate", "com.example.none"});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("error MO0125: --isolate: no plugin 'com.example.none' is loaded\n"));
}

// Whose id is known, by the note of a built-in plugin or from first contact, is not started to be asked.
TEST(Isolated, NoProcessIsStartedForOthers) {
  const Folder folder;
  ProgramOptions options;
  options.environment = {"XDG_CACHE_HOME=" + folder / "cache"};
  const std::vector<std::string> words{"list", "plugins", "--allow_writable_folders", "--extensions",
                                       zoo("twin_a")};  // which has no note
  ASSERT_EQ(run(words, options).code, 0);
  options.no_processes = true;
  options.environment.emplace_back("ASAN_OPTIONS=detect_leaks=0");
  std::vector<std::string> isolated = words;
  isolated.insert(isolated.end(), {"--isolate", "com.example.none"});
  const Outcome none = run(isolated, options);
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("error MO0125: --isolate: no plugin 'com.example.none' is loaded\n"));
  // The limit holds, and the one that is asked for needs a process.
  isolated.back() = "org.example.zoo.twin-a";
  EXPECT_NE(run(isolated, options).code, 0);
  options.no_processes = false;
  isolated.insert(isolated.end(), {"--log_level", "INFO"});
  const Outcome one = run(isolated, options);
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.err, HasSubstr("plugin org.example.zoo.twin-a ran isolated: "));
  EXPECT_EQ(one.err.find(" ran isolated: "), one.err.rfind(" ran isolated: ")) << one.err;
}

// Whoever wants it apart does not want it beside what was loaded before.
TEST(Isolated, DoesNotInheritThePluginsThatAreLoadedBefore) {
  const std::vector<std::string> words{"list", "plugins", "--allow_writable_folders", "--extensions",
                                       toy + "," + zoo("looks_around")};
  EXPECT_THAT(run(words).err, HasSubstr("sees toy"));
  for (const char* ids : {"org.example.zoo.looks-around", "all"}) {
    std::vector<std::string> isolated = words;
    isolated.insert(isolated.end(), {"--isolate", ids});
    const Outcome o = run(isolated);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_THAT(o.err, HasSubstr("sees none")) << ids;
  }
}

TEST(Isolated, ATimeThatIsNoneIsAMistake) {
  for (const std::string value : {"0", "-1", "1e9", "nan", "soon", ""}) {
    const Outcome o = run({"list", "plugins", "--isolate_timeout=" + value});
    EXPECT_EQ(o.code, 2) << value;
    EXPECT_THAT(o.err, HasSubstr("error MO0104: --isolate_timeout is '" + value +
                                 "'; expected seconds, more than 0 and at most 86400\n"));
  }
}

// First contact comes before: a library that ends the process while it is opened is refused.
TEST(Isolated, ACrashWhileOpeningIsARefusal) {
  const Outcome o = run({"list", "plugins", "--extensions", zoo("crash_on_open"), "--allow_writable_folders",
                         "--isolate", "all"});
  EXPECT_EQ(o.code, 3);
  EXPECT_THAT(o.err, HasSubstr("error MOX-131: the plugin crashed while it was loaded"));
  EXPECT_THAT(o.err, HasSubstr("crash_on_open.mo.so"));
}

}  // namespace
}  // namespace mo::test
