// convert --manifest, --depfile and --cache.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "model_builder.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ManyModels : public ::testing::Test {
 protected:
  ManyModels() {
    write_text(folder / "a.toy", small_model);
    write_text(folder / "b.toy", small_model);
  }
  Outcome convert(const std::string& manifest, std::vector<std::string> more = {}) {
    write_text(folder / "models.json", manifest);
    std::vector<std::string> words{"convert", "--manifest", folder / "models.json", "--extensions",
                                   toy,       "-o",         folder / "out"};
    words.insert(words.end(), more.begin(), more.end());
    ProgramOptions options;
    options.folder = folder / "";
    return run(words, options);
  }
  // By model.
  std::map<std::string, json> results(const Outcome& o) const {
    std::map<std::string, json> all;
    std::stringstream lines(o.out);
    for (std::string line; std::getline(lines, line);) {
      const json j = json::parse(line);
      all[fs::path(j["model"].get<std::string>()).filename()] = j;
    }
    return all;
  }
  std::vector<std::string> written() const {
    std::vector<std::string> names;
    if (fs::exists(folder / "out"))
      for (const auto& e : fs::directory_iterator(folder / "out")) names.push_back(e.path().filename());
    return names;
  }
  Folder folder;
};

TEST_F(ManyModels, EachIsOneLine) {
  const Outcome o =
      convert(R"({"models": [{"model": "a.toy"}, {"model": "b.toy", "options": {"model_name": "c"}}]})");
  ASSERT_EQ(o.code, 0) << o.err;
  const auto all = results(o);
  ASSERT_EQ(all.size(), 2U) << o.out;
  const json& a = all.at("a.toy");
  EXPECT_EQ(a["ok"], true);
  EXPECT_EQ(a["xml"], folder / "out/a.xml");
  EXPECT_EQ(a["xml_bytes"], fs::file_size(folder / "out/a.xml"));
  EXPECT_EQ(a["framework"], "toy");
  EXPECT_GT(a["peak_kib"], 1000);
  EXPECT_EQ(all.at("b.toy")["xml"], folder / "out/c.xml");
  ASSERT_EQ(run({"-m", folder / "a.toy", "-o", folder / "alone", "--extensions", toy}).code, 0);
  EXPECT_EQ(read_text(folder / "alone/a.xml"), read_text(folder / "out/a.xml")) << "as a conversion alone";
}

TEST_F(ManyModels, WarningsWithoutEndAreCounted) {
  std::string model = small_model;
  for (int i = 0; i < 60; ++i) model += "warn number " + std::to_string(i) + "\n";
  write_text(folder / "c.toy", model);
  const json warnings = results(convert(R"({"models": [{"model": "c.toy"}]})")).at("c.toy")["warnings"];
  ASSERT_EQ(warnings.size(), 51U);
  EXPECT_EQ(warnings[49], "number 49");
  EXPECT_EQ(warnings[50], "warnings that are not shown: 10; --log_level INFO shows all");
}

TEST_F(ManyModels, AFailedOneStopsNobody) {
  write_text(folder / "bad.toy", "toy 1\ninput x f32 1\nnode Unknown u x -> a\noutput a\n");
  const Outcome o =
      convert(R"([{"model": "bad.toy"}, {"model": "nowhere.toy"}, {"model": "a.toy"}])", {"-j", "2"});
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.err, HasSubstr("error MO0140: 2 of 3 models of "));
  EXPECT_THAT(o.err, HasSubstr("MO0203     1  " + (folder / "nowhere.toy")));
  const auto all = results(o);
  EXPECT_EQ(all.at("bad.toy")["code"], "MO0401");
  EXPECT_EQ(all.at("bad.toy")["exit"], 1);
  EXPECT_THAT(all.at("bad.toy")["error"].get<std::string>(), HasSubstr("Unknown"));
  EXPECT_THAT(all.at("bad.toy")["message"].get<std::string>(), Not(HasSubstr("\n")));
  EXPECT_TRUE(all.at("bad.toy")["about"].contains("hint"));
  EXPECT_EQ(all.at("nowhere.toy")["code"], "MO0203");
  EXPECT_EQ(all.at("a.toy")["ok"], true);
  EXPECT_THAT(written(), ::testing::UnorderedElementsAre("a.xml", "a.bin"));
}

TEST_F(ManyModels, OneAloneHasALineToo) {
  const auto line = [&](const std::string& model) {
    const Outcome o = run({folder / model, "-o", folder / "out", "--extensions", toy, "--format", "json"});
    EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 1) << o.out;
    const json j = json::parse(o.out);
    EXPECT_EQ(j["ok"] == true, o.code == 0);
    EXPECT_EQ(o.err.empty(), o.code == 0) << o.err;
    return j;
  };
  EXPECT_EQ(line("a.toy")["xml"], folder / "out/a.xml");
  const json failed = line("nowhere.toy");
  EXPECT_EQ(failed["code"], "MO0203");
  EXPECT_EQ(failed["exit"], 1);
}

TEST_F(ManyModels, ACrashIsThatOfOneModel) {
  for (const char* operation : {"Segv", "Interrupt"})
    write_text(folder / (std::string(operation) + ".toy"),
               std::string("toy 1\ninput x f32 1\nnode ") + operation + " u x -> a\noutput a\n");
  const Outcome o = convert(R"([{"model": "Segv.toy"}, {"model": "a.toy"}, {"model": "Interrupt.toy"}])");
  EXPECT_EQ(o.code, 1);
  const auto all = results(o);
  EXPECT_EQ(all.at("a.toy")["ok"], true);
  EXPECT_EQ(all.at("Segv.toy")["ok"], false);
  EXPECT_EQ(all.at("Segv.toy")["code"], "MO0809");
  EXPECT_EQ(all.at("Segv.toy")["exit"], 3);
  EXPECT_EQ(all.at("Interrupt.toy")["code"], "MO0143");
}

TEST_F(ManyModels, ManifestsThatCannotBeUsed) {
  struct Row {
    const char *manifest, *part;
  };
  const Row rows[] = {
      {"nonsense", "it is not JSON"},
      {"7", "neither an object nor an array"},
      {"{}", "it has no 'models'"},
      {R"([{"modell": "a.toy"}])", "model 1 has a key 'modell' that means nothing"},
      {R"([{"model": 1}])", "model 1 has no text as 'model'"},
      {R"([{"model": "a.toy", "options": {"jobs": 3}}])", "'jobs' is for all models"},
      {R"([{"model": "a.toy", "options": {"fold_limit": {"a": 1}}}])",
       "neither text nor number nor true or false"},
      {R"([{"model": "a.toy", "options": {"input": [["a"]]}}])", "nor a list of texts or numbers"},
      {R"([{"model": "a.toy", "options": {"modle_name": "x"}}])", "MO0101"},
      {R"([{"model": "a.toy"}, {"model": "a.toy"}])", "models 1 and 2 of the manifest both write"},
  };
  for (const Row& r : rows) {
    const Outcome o = convert(r.manifest);
    EXPECT_EQ(o.code, 2) << r.manifest << o.err;
    EXPECT_THAT(o.err, HasSubstr(r.part)) << r.manifest;
    EXPECT_THAT(o.out, IsEmpty());
  }
  EXPECT_EQ(convert("[]", {"-j", "0"}).code, 2);
  EXPECT_EQ(convert("[]").code, 0);
  EXPECT_EQ(convert("[]", {"-m", folder / "a.toy"}).code, 2);
}

TEST_F(ManyModels, OptionsOfAModelComeFirst) {
  const Outcome o = convert(
      R"({"options": {"model_name": "general"}, "models": [{"model": "a.toy"}, {"model": "b.toy", "options": {"model_name": "own"}}]})",
      {"--model_name", "line"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(written(), ::testing::IsSupersetOf({"general.xml", "own.xml"}));
}

TEST_F(ManyModels, WithoutATerminalProgressIsLines) {
  const Outcome o = convert(R"([{"model": "a.toy"}])", {"--progress"});
  const std::string bytes = std::to_string(fs::file_size(folder / "a.toy")) + " B";
  EXPECT_EQ(o.err, "[==============================] 1 of 1 models, " + bytes + " of " + bytes + "\n");
}

// --depfile.

TEST_F(ManyModels, TheDepfileNamesWhatWasRead) {
  fs::create_directory(folder / "with blank");
  write_text(folder / "with blank/a.toy", small_model);
  write_text(folder / "c.json", "[]");
  const Outcome o =
      run({"-m", folder / "with blank/a.toy", "-o", folder / "out", "--extensions", toy, "--depfile",
           folder / "a.d", "--transformations_config", folder / "c.json", "--silent"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string rule = read_text(folder / "a.d");
  EXPECT_THAT(rule, ::testing::StartsWith(folder / "out/a.xml " + folder / "out/a.bin: \\\n"));
  EXPECT_THAT(rule, HasSubstr("with\\ blank/a.toy"));
  for (const std::string& part : {toy, std::string(host_program), folder / "c.json"})
    EXPECT_THAT(rule, HasSubstr("  " + part)) << part;
}

// --cache.

class Cached : public ManyModels {
 protected:
  Outcome convert_cached(std::vector<std::string> more = {}, const std::string& model = "a.toy") {
    std::vector<std::string> words{"-m",      folder / model,  "-o", folder / "out", "--extensions", toy,
                                   "--cache", folder / "cache"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  static bool hit(const Outcome& o) {
    EXPECT_EQ(o.code, 0) << o.err;
    return o.out.starts_with("taken from the cache");
  }
  std::vector<std::string> files(const std::string& called) const {
    std::vector<std::string> list;
    for (const auto& e : fs::recursive_directory_iterator(folder / "cache"))
      if (e.path().filename() == called) list.push_back(e.path());
    return list;
  }
};

TEST_F(Cached, TheSameAgainIsTaken) {
  EXPECT_FALSE(hit(convert_cached()));
  const std::string xml = read_text(folder / "out/a.xml"), bin = read_text(folder / "out/a.bin");
  fs::remove_all(folder / "out");
  EXPECT_TRUE(hit(convert_cached()));
  EXPECT_EQ(read_text(folder / "out/a.xml"), xml);
  EXPECT_EQ(read_text(folder / "out/a.bin"), bin);
  // Neither where the model lies nor where the result goes is in it.
  fs::create_directory(folder / "elsewhere");
  fs::copy_file(folder / "a.toy", folder / "elsewhere/a.toy");
  EXPECT_TRUE(hit(convert_cached({}, "elsewhere/a.toy")));
  EXPECT_TRUE(hit(convert_cached({"-o", folder / "other"})));
}

TEST_F(Cached, WhatDiffersIsConverted) {
  EXPECT_FALSE(hit(convert_cached()));
  EXPECT_FALSE(hit(convert_cached({"--model_name", "b"})));
  EXPECT_FALSE(hit(convert_cached({"--static_shape"})));
  EXPECT_FALSE(hit(convert_cached({"--extensions", toy + "," + zoo("steps")}))) << "another plugin";
  write_text(folder / "c.json", "[]");
  EXPECT_FALSE(hit(convert_cached({"--transformations_config", folder / "c.json"})));
  EXPECT_TRUE(hit(convert_cached({"--transformations_config", folder / "c.json"})));
  write_text(folder / "c.json", "[ ]");
  EXPECT_FALSE(hit(convert_cached({"--transformations_config", folder / "c.json"}))) << "other contents";
  write_text(folder / "a.toy", small_model + "node Copy more s -> z\noutput z\n");
  EXPECT_FALSE(hit(convert_cached()));
}

TEST_F(Cached, DamageIsNoticed) {
  EXPECT_FALSE(hit(convert_cached()));
  for (const char* part : {"xml", "bin", "result.json", "files.json"}) {
    ASSERT_EQ(files(part).size(), 1U) << part;
    write_text(files(part).front(), "damaged");
    const Outcome o = convert_cached();
    EXPECT_FALSE(hit(o)) << part;
    EXPECT_THAT(o.err, HasSubstr("damaged")) << part;
    EXPECT_TRUE(hit(convert_cached())) << part;
  }
}

TEST_F(Cached, DamageOfAnyKindMeansConvertingAgain) {
  EXPECT_FALSE(hit(convert_cached()));
  const std::string description = files("result.json").front(), list = files("files.json").front();
  const std::string was = read_text(description), deep = std::string(100000, '['),
                    begin = was.substr(0, was.find("\"bin\":"));
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("{}"), deep, begin + "\"bin\":null}",
        begin + "\"bin\":[1]}", begin + "\"bin\":\"\"}", was.substr(0, was.size() / 2)}) {
    write_text(description, text);
    EXPECT_FALSE(hit(convert_cached())) << text.substr(0, 100);
  }
  for (const std::string& text : {std::string(), std::string("{}"), deep, std::string("[null]"),
                                  std::string("[[[1,2]]]"), std::string("[[[\"a\"]]]")}) {
    write_text(list, text);
    EXPECT_FALSE(hit(convert_cached())) << text.substr(0, 100);
  }
  EXPECT_TRUE(hit(convert_cached()));
}

// What is in an entry says which one it is for.
TEST_F(Cached, ExchangedEntriesAreNotTaken) {
  EXPECT_FALSE(hit(convert_cached()));
  const std::string xml = read_text(folder / "out/a.xml");
  EXPECT_FALSE(hit(convert_cached({"--model_name", "b"})));
  const auto both = files("result.json");
  ASSERT_EQ(both.size(), 2U);
  const fs::path first = fs::path(both[0]).parent_path(), second = fs::path(both[1]).parent_path();
  for (const char* part : {"result.json", "xml", "bin"}) {
    const std::string of_first = read_text(first / part);
    write_text(first / part, read_text(second / part));
    write_text(second / part, of_first);
  }
  EXPECT_FALSE(hit(convert_cached()));
  EXPECT_EQ(read_text(folder / "out/a.xml"), xml);
}

// Daemons start programs like that.
TEST_F(ManyModels, ClosedDescriptorsTakeNothing) {
  write_text(folder / "a.toy", small_model);
  write_text(folder / "list.json", R"([{"model": "a.toy"}])");
  ProgramOptions shell;
  shell.folder = folder.path();
  shell.program = "/bin/sh";
  const auto with = [&](const std::string& closed) {
    return run({"-c", "exec \"$0\" convert --manifest list.json -o out --extensions \"$1\" " + closed,
                host_program, toy},
               shell);
  };
  const Outcome o = with("2>&-");
  EXPECT_EQ(o.code, 0) << o.out;
  EXPECT_THAT(o.out, HasSubstr(R"("ok":true)"));
  EXPECT_EQ(with("<&-").code, 0);
  EXPECT_NE(with(">&-").code, 0) << "nobody can read the results";
  EXPECT_NE(with("<&- >&-").code, 0);
}

#ifdef MO_HAVE_PLUGIN_onnx
// Of 2 MB: by another name of the same file, which nobody can change by mistake.
TEST_F(Cached, LargeWeightsAreNotCopied) {
  std::vector<float> weights(512 * 1024);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i % 97);
  ModelBuilder m;
  m.input("x", OnnxType::float32, {1, 512});
  m.output(m.op("MatMul", {"x", m.constant(OnnxTensor::of<float>({512, 1024}, weights))}));
  m.write(folder / "w.onnx");
  const auto cached = [&](const std::string& out, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"-o", folder / out});
    return hit(convert_cached(more, "w.onnx"));
  };
  EXPECT_FALSE(cached("out"));
  const std::string bin = read_text(folder / "out/w.bin"), kept = files("bin").front();
  EXPECT_TRUE(cached("two"));
  EXPECT_TRUE(cached("two")) << "in its own place";
  EXPECT_TRUE(cached("copy", {"--cache_copies"}));
  for (const char* out : {"out", "two", "copy"}) {
    EXPECT_EQ(read_text(folder / (std::string(out) + "/w.bin")), bin);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / std::string(out)), {}), 2)
        << "nothing is left over";
  }
  EXPECT_FALSE(fs::equivalent(folder / "copy/w.bin", kept));
  EXPECT_NE(fs::status(folder / "copy/w.bin").permissions() & fs::perms::owner_write, fs::perms::none);
  // Where blocks are shared it is a file of its own.
  if (fs::equivalent(folder / "two/w.bin", kept)) {
    EXPECT_EQ(fs::status(kept).permissions() & (fs::perms::owner_write | fs::perms::group_write),
              fs::perms::none);
    // Who insists, as root can, damages the entry: it is noticed, and what is made again is right.
    fs::permissions(folder / "two/w.bin", fs::perms::owner_write, fs::perm_options::add);
    std::fstream(folder / "two/w.bin", std::ios::in | std::ios::out) << "damaged";
    EXPECT_FALSE(cached("three"));
    EXPECT_EQ(read_text(folder / "three/w.bin"), bin);
  }
  // A conversion does not write into what others have, either.
  EXPECT_EQ(run({"-m", folder / "w.onnx", "-o", folder / "three", "--compress_to_fp16"}).code, 0);
  EXPECT_TRUE(cached("four"));
  EXPECT_EQ(read_text(folder / "four/w.bin"), bin);
}
#endif

TEST_F(Cached, ManyAtOnce) {
  std::string manifest = "[";
  for (int i = 0; i < 12; ++i) {
    const std::string stem = "m" + std::to_string(i / 2) + "_" + std::to_string(i);
    write_text(folder / (stem + ".toy"), small_model);
    manifest += (i == 0 ? "" : ", ") + std::string(R"({"model": ")") + stem + R"(.toy"})";
  }
  const std::vector<std::string> options{"-j", "4", "--cache", folder / "cache"};
  for (const bool again : {false, true}) {
    const Outcome o = convert(manifest + "]", options);
    ASSERT_EQ(o.code, 0) << o.err << o.out;
    const auto all = results(o);
    EXPECT_EQ(all.size(), 12U);
    for (const auto& [model, result] : all) EXPECT_EQ(result["cached"], again) << model;
  }
  for (const auto& e : fs::directory_iterator(folder / "cache"))
    EXPECT_THAT(e.path().filename().string(), Not(::testing::StartsWith("new-")));
}

TEST_F(Cached, OneThatCannotBeWrittenIsAWarning) {
  write_text(folder / "cache", "a file");
  EXPECT_EQ(convert_cached().code, 4);
}

}  // namespace
}  // namespace mo::test
