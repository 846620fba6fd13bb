// `mo-host new`: names, refusals, and what is written. That it builds and converts is shown by
// tests/consumer.
#include <gmock/gmock.h>

#include "program.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Outcome run_in(const std::string& folder, const std::vector<std::string>& words,
               const std::string& program = host_program) {
  ProgramOptions options;
  options.folder = folder;
  options.program = program;
  return run(words, options);
}

Outcome make(const Folder& work, std::vector<std::string> words) {
  words.insert(words.begin(), "new");
  return run_in(work.path().string(), words);
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> list;
  for (const auto& e : fs::recursive_directory_iterator(folder))
    if (e.is_regular_file()) list.push_back(fs::relative(e.path(), folder).string());
  std::sort(list.begin(), list.end());
  return list;
}

TEST(New, APluginIsAProjectWithEverythingItNeeds) {
  const Folder work;
  const Outcome o =
      make(work, {"plugin", "FastLayers", "--id", "com.acme.layers", "--vendor", "Acme & Sons"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(
      files_below(work / "fast_layers"),
      testing::ElementsAre(".github/workflows/build.yml", ".gitignore", "CMakeLists.txt", "CMakePresets.json",
                           "README.md", "kit.json", "src/fast_layers.cpp", "src/plugin.cpp",
                           "tests/cases/fast_layers/model.onnx", "tests/cases/fast_layers/x.npy",
                           "tests/cases/fast_layers/y.npy", "tests/check_case.cmake"));
  EXPECT_THAT(o.out, HasSubstr("cd fast_layers\ncmake --workflow --preset all\n"));
  EXPECT_THAT(read_text(work / "fast_layers/src/plugin.cpp"),
              HasSubstr(R"(MO_PLUGIN("com.acme.layers", MO_PLUGIN_VERSION, "Acme & Sons")"));
  EXPECT_THAT(read_text(work / "fast_layers/src/fast_layers.cpp"),
              HasSubstr(R"(type = "FastLayers", opset = "com.acme";)"));
  for (const std::string& f : files_below(work.path())) {
    if (f.ends_with(".npy") || f.ends_with("model.onnx")) continue;
    EXPECT_THAT(read_text(work / f), Not(testing::ContainsRegex("@[a-zA-Z_]+@"))) << f;
  }
}

TEST(New, ItemsAreAddedFromAnywhereInTheProjectAndChangeNoFile) {
  for (const std::string language : {"cpp", "c"}) {
    const Folder work;
    ASSERT_EQ(make(work, {"plugin", "kit", "--lang", language}).code, 0);
    const auto before = files_below(work / "kit");
    std::vector<std::string> texts;
    for (const std::string& f : before) texts.push_back(read_text(work / ("kit/" + f)));
    for (const char* kind : {"op", "extractor", "front", "middle", "back"}) {
      const Outcome o = run_in(work / "kit/src", {"new", kind, std::string("my-") + kind});
      ASSERT_EQ(o.code, 0) << o.err;
      EXPECT_THAT(o.out, HasSubstr(std::string("src/my_") + kind + "." + language + "\n"));
      EXPECT_TRUE(fs::exists(work / ("kit/tests/cases/my_" + std::string(kind) + "/model.onnx")));
    }
    // What its case needs beside a model of the framework, or in its place.
    const std::pair<const char*, const char*> others[] = {{"configured", "transformations.json"},
                                                          {"frontend", "model.my_frontend"}};
    for (const auto& [kind, file] : others) {
      const Outcome o = run_in(work / "kit/src", {"new", kind, std::string("my-") + kind});
      ASSERT_EQ(o.code, 0) << o.err;
      EXPECT_THAT(o.out, HasSubstr(std::string("src/my_") + kind + "." + language + "\n"));
      EXPECT_TRUE(fs::exists(work / ("kit/tests/cases/my_" + std::string(kind) + "/" + file)));
    }
    for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(read_text(work / ("kit/" + before[i])), texts[i]);
  }
}

// Templates are there for those whose models are text or small; a framework may be called by its other names.
TEST(New, ModelsOfSeveralFrameworks) {
  const std::pair<const char*, const char*> rows[] = {{"tf", "model.pb"},          {"tensorflow", "model.pb"},
                                                      {"caffe", "model.prototxt"}, {"mxnet", "model.json"},
                                                      {"paddle", "model.json"},    {"pytorch", "model.pt2"},
                                                      {"tflite", "model.tflite"}};
  for (const auto& [framework, model] : rows) {
    const Folder work;
    const Outcome o = make(work, {"plugin", "acme_gate", "--framework", framework});
    ASSERT_EQ(o.code, 0) << framework << o.err;
    for (const char* kind : {"extractor", "front", "middle"})
      ASSERT_EQ(make(work, {kind, std::string("my_") + kind, "--dir", "acme_gate"}).code, 0) << framework;
    for (const char* item : {"acme_gate", "my_extractor", "my_front", "my_middle"})
      EXPECT_TRUE(fs::exists(work / ("acme_gate/tests/cases/" + std::string(item) + "/" + model)))
          << framework << item;
    for (const std::string& f : files_below(work.path()))
      if (f.ends_with(".cpp") || f.ends_with(".prototxt") || f.ends_with(".json")) {
        EXPECT_THAT(read_text(work / f), Not(testing::ContainsRegex("@[a-zA-Z_]+@"))) << f;
      }
  }
}

// The operations for OpenVINO are the project's, whichever of them asked for it.
TEST(New, TheSideOfTheRuntime) {
  const Folder work;
  ASSERT_EQ(make(work, {"plugin", "with_it", "--runtime"}).code, 0);
  EXPECT_THAT(read_text(work / "with_it/runtime/extension.cmake"),
              HasSubstr("mo_add_runtime_extension(with_it_runtime PLUGIN with_it KERNELS ${kernels} RUNNER "
                        "with_it_run_ir"));
  ASSERT_EQ(make(work, {"plugin", "later"}).code, 0);
  EXPECT_FALSE(fs::exists(work / "later/runtime"));
  for (const char* op : {"first", "second"}) {
    const Outcome o = make(work, {"op", op, "--runtime", "--dir", "later"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_THAT(o.out, Not(HasSubstr("has to include")));
  }
  EXPECT_TRUE(fs::exists(work / "later/runtime/extension.cmake"));
  // A project that was made before there was such a thing.
  ASSERT_EQ(make(work, {"plugin", "older"}).code, 0);
  write_text(work / "older/CMakeLists.txt", "project(older)\n");
  EXPECT_THAT(make(work, {"op", "gate", "--runtime", "--dir", "older"}).out,
              HasSubstr("older/CMakeLists.txt has to include(runtime/extension.cmake) behind mo_add_plugin"));
  EXPECT_THAT(make(work, {"front", "x", "--runtime", "--dir", "later"}).err, HasSubstr("MO0118"));
  EXPECT_THAT(make(work, {"extension", "x", "--runtime"}).err, HasSubstr("MO0118"));
}

TEST(New, NothingIsOverwritten) {
  const Folder work;
  ASSERT_EQ(make(work, {"plugin", "kit"}).code, 0);
  const Outcome again = make(work, {"plugin", "kit"});
  EXPECT_EQ(again.code, 4);
  EXPECT_THAT(again.err, HasSubstr("MO0131"));
  write_text(work / "kit/src/gate.cpp", "mine");
  const auto before = files_below(work.path());
  const Outcome item = make(work, {"op", "Gate", "--dir", "kit"});
  EXPECT_EQ(item.code, 4);
  EXPECT_THAT(item.err, HasSubstr("kit/src/gate.cpp"));
  EXPECT_EQ(files_below(work.path()), before);
  EXPECT_EQ(read_text(work / "kit/src/gate.cpp"), "mine");
}

TEST(New, NamesAreChecked) {
  const Folder work;
  for (const char* bad : {"", "9lives", "a b", "a/b", "../a", "_a", "a_", "a__b", "class", "test", "Über",
                          "a.b", "new", "a123456789b123456789c123456789d123456789e123456789f1234567890"}) {
    const Outcome o = make(work, {"plugin", "--", bad});
    EXPECT_EQ(o.code, 2) << bad;
    EXPECT_THAT(o.err, HasSubstr("MO0133")) << bad;
  }
  for (const char* bad :
       {"acme", "com..acme", ".com.acme", "com.acme.", "Com.acme", "com.9acme", "com.ac me", "com.a\"b"}) {
    const Outcome o = make(work, {"plugin", "kit", "--id", bad});
    EXPECT_EQ(o.code, 2) << bad;
    EXPECT_THAT(o.err, HasSubstr("MO0134")) << bad;
  }
  EXPECT_EQ(make(work, {"plugin", "kit", "--vendor", "a \" b"}).code, 2);
  EXPECT_TRUE(work.names().empty());
}

TEST(New, WhatCannotBeMadeIsSaid) {
  const Folder work;
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{}, "MO0135"},
      {{"op"}, "MO0135"},
      {{"plugins", "kit"}, "did you mean 'plugin'?"},
      {{"op", "gate"}, "MO0132"},
      {{"op", "gate", "--in_tree"}, "MO0132"},
      {{"plugin", "kit", "--framework", "onxn"}, "did you mean 'onnx'?"},
      {{"plugin", "kit", "--lang", "rust"}, "MO0104"},
  };
  for (const auto& [words, text] : rows) {
    const Outcome o = make(work, words);
    EXPECT_EQ(o.code, 2) << text;
    EXPECT_THAT(o.err, HasSubstr(text));
  }
  EXPECT_TRUE(work.names().empty());
  ASSERT_EQ(make(work, {"plugin", "kit", "--lang", "c"}).code, 0);
  EXPECT_THAT(make(work, {"op", "gate", "--dir", "kit", "--lang", "cpp"}).err, HasSubstr("MO0118"));
  EXPECT_THAT(make(work, {"op", "gate", "--dir", "kit", "--vendor", "me"}).err, HasSubstr("MO0118"));
  write_text(work / "kit/kit.json", "{\"name\": 7}");
  EXPECT_THAT(make(work, {"op", "gate", "--dir", "kit"}).err, HasSubstr("kit.json"));
}

// A small tree that looks like ours.
TEST(New, InTreeAddsASourceAndItsTestWhereTheyAreFound) {
  const Folder work;
  fs::create_directories(work / "plugin_api/include/mo");
  write_text(work / "plugin_api/include/mo/plugin.h", "");
  fs::create_directories(work / "packaging");
  fs::create_directory_symlink(MO_SOURCE_DIR "/packaging/scaffold", work / "packaging/scaffold");
  const std::pair<std::vector<std::string>, std::vector<std::string>> rows[] = {
      {{"op", "LeakyGate"}, {"plugins/opset/ops/leaky_gate.cpp", "tests/plugins/opset/rows/leaky_gate.txt"}},
      {{"op", "Deep", "--dir", "plugins/opset/ops/activation"},
       {"plugins/opset/ops/activation/deep.cpp", "tests/plugins/opset/rows/deep.txt"}},
      {{"extractor", "gain"}, {"plugins/onnx/extract/gain.cpp", "tests/plugins/onnx/gain_test.cpp"}},
      {{"front", "plus"}, {"plugins/onnx/front/plus.cpp", "tests/plugins/onnx/plus_test.cpp"}},
      {{"middle", "fuse_it"},
       {"plugins/builtin_passes/middle/fuse_it.cpp",
        "tests/plugins/builtin_passes/golden/middle.fuse_it.txt"}},
      {{"back", "fuse_late"},
       {"plugins/builtin_passes/back/fuse_late.cpp",
        "tests/plugins/builtin_passes/golden/back.fuse_late.txt"}},
      {{"plugin", "extra"}, {"plugins/extra/plugin.cpp", "tests/plugins/extra/extra_test.cpp"}},
  };
  for (const auto& [words, files] : rows) {
    auto all = words;
    all.emplace_back("--in_tree");
    const Outcome o = make(work, all);
    ASSERT_EQ(o.code, 0) << o.err;
    for (const std::string& f : files) EXPECT_TRUE(fs::exists(work / f)) << f;
  }
  EXPECT_THAT(read_text(work / "plugins/opset/ops/leaky_gate.cpp"), HasSubstr("void register_leaky_gate("));
  EXPECT_THAT(make(work, {"op", "x", "--in_tree", "--dir", "core"}).err, HasSubstr("MO0136"));
  EXPECT_THAT(make(work, {"op", "x", "--in_tree", "--dir", "plugins/opset/extract"}).err,
              HasSubstr("MO0136"));
  EXPECT_THAT(make(work, {"op", "x", "--in_tree", "--dir", "plugins/../../ops"}).err, HasSubstr("MO0136"));
}

TEST(New, WithoutTemplatesThePackageIsNamed) {
  const Folder work;
  fs::create_directories(work / "bin");
  fs::copy_file(host_program, work / "bin/mo-host");
  const Outcome o = run_in(work.path().string(), {"new", "plugin", "kit"}, work / "bin/mo-host");
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("libmo-host-dev"));
}

// Other forms of the help.

TEST(HelpFormats, EachCommandAndOptionIsInAllOfThem) {
  const std::string list = run({"list", "options", "--format=json"}).out;
  for (const char* format : {"man", "bash", "zsh", "fish"}) {
    const Outcome o = run({"help", std::string("--format=") + format});
    ASSERT_EQ(o.code, 0) << o.err;
    for (const char* word : {"convert", "explain-config", "new", "input_model", "in_tree", "static_shape"}) {
      std::string text = o.out;
      for (size_t at = text.find("\\-"); at != std::string::npos; at = text.find("\\-")) text.erase(at, 1);
      EXPECT_THAT(text, HasSubstr(word)) << format;
    }
    EXPECT_EQ(run({"help", "dump", std::string("--format=") + format}).code, 2);
  }
}

TEST(HelpFormats, BashCompletesWithThem) {
  const Folder work;
  write_text(work / "complete", run({"help", "--format=bash", "--extensions="}).out);
  const auto completed = [&](const std::string& line) {
    write_text(
        work / "ask",
        "source '" + (work / "complete") + "'\nCOMP_WORDS=(" + line +
            ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_mo_host\nprintf '%s\\n' \"${COMPREPLY[@]}\" >'" +
            (work / "answer") + "'\n");
    EXPECT_EQ(std::system(("cd '" + work.path().string() + "' && bash -u ask").c_str()), 0) << line;
    return read_text(work / "answer");
  };
  EXPECT_EQ(completed("mo-host du"), "dump\n");
  EXPECT_EQ(completed("mo-host dump --aft"), "--after\n");
  EXPECT_EQ(completed("mo-host dump --after l"), "load\n");
  EXPECT_EQ(completed("mo-host dump --after = fr"), "front\n");
  EXPECT_EQ(completed("mo-host --ir_version 1"), "10\n11\n");
  write_text(work / "network.bin", "");
  EXPECT_EQ(completed("mo-host --input_model net"), "network.bin\n");
  EXPECT_THAT(completed("mo-host new --la"), "--lang\n");
}

}  // namespace
}  // namespace mo::test
