#include "program.hpp"

namespace mo::test {
namespace {

// A model of one operation, and what is said about it.
struct FailureRow {
  std::string model;
  int code;
  std::string err;
};

std::string plugin_line(const std::string& callback = {}) {
  return "  plugin  org.example.toy 1.0.0 (" + toy + ")" +
         (callback.empty() ? "" : ", callback '" + callback + "'") + "\n";
}
const std::string support = "  support https://toy.example/help\n";

std::string model_with(const std::string& node) {
  return "toy 1\ninput x f32 1,3\nnode " + node + " x -> s\noutput s\n";
}

void expect_failure(const FailureRow& r) {
  const Folder folder;
  write_text(folder / "a.toy", r.model);
  const Outcome o = convert(folder / "a.toy", {"-o", folder / "out"});
  EXPECT_EQ(without_path(o.err, folder), r.err);
  EXPECT_EQ(o.code, r.code) << r.err;
  EXPECT_EQ(o.out, "");
  EXPECT_FALSE(fs::exists(folder / "out/a.xml"));
}

TEST(Failures, AllUnsupportedOperationsAtOnce) {
  expect_failure(
      {"toy 1\n"
       "input x f32 1,3\n"
       "node Ad first x -> a\n"
       "node Copy fine a -> b\n"
       "node Ad second b -> c\n"
       "node copy third c -> d\n"
       "node Old fourth d -> e v=5\n"
       "node Special fifth e -> f d=acmee\n"
       "node Decline sixth f -> g\n"
       "node Unheard_of seventh g -> h d=acme v=2\n"
       "output h\n",
       1,
       "error MO0401: no plugin supports 6 operation types of the model (7 nodes)\n"
       "  missing Ad, version 1: 2 nodes, 'first', 'second'\n"
       "              plugin org.example.toy knows Add of the default domain\n"
       "          Decline, version 1: 1 node, 'sixth'\n"
       "              plugin org.example.toy: not mine\n"
       "          Old, version 5: 1 node, 'fourth'\n"
       "              plugin org.example.toy knows it for versions 1 to 3\n"
       "          Special of domain 'acmee', version 1: 1 node, 'fifth'\n"
       "              plugin org.example.toy knows Special of domain 'acme'\n"
       "          Unheard_of of domain 'acme', version 2: 1 node, 'seventh'\n"
       "          copy, version 1: 1 node, 'third'\n"
       "              plugin org.example.toy knows Copy of the default domain: the names differ in upper and "
       "lower case\n"
       "  hint    add the plugin that knows them with --extensions, or leave them out with --input and "
       "--output;\n"
       "          `mo-host list operators` shows what is known\n"
       "  model   DIR/a.toy\n"});
}

TEST(Failures, WhatNoOutputNeedsMayBeUnsupported) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1\nnode Unknown u x -> a\nnode Copy c x -> b\noutput b\n");
  EXPECT_EQ(convert(folder / "a.toy", {"-o", folder / ""}).code, 0);
}

TEST(Failures, CallbacksThatFailAreNamed) {
  expect_failure({model_with("Throw bad"), 1,
                  "error MO0402: no such luck\n"
                  "  node    'bad' (Throw)\n" +
                      plugin_line("extract") + support +
                      "  source  Throw, version 1\n  model   DIR/a.toy\n"});
  expect_failure({model_with("BadInfer bad"), 1,
                  "error MO0501: this operation is never satisfied\n"
                  "  node    'bad' (toy1::BadInfer)\n" +
                      plugin_line("infer") + support + "  inputs  f32 [1,3]\n  model   DIR/a.toy\n"});
}

TEST(Failures, ModelsThatAreNoneAreRefused) {
  expect_failure(
      {"toy 1\n", 1, "error MO0207: the model is empty: it has no operations\n  model   DIR/a.toy\n"});
  expect_failure(
      {"toy 1\ninput x f32 1\n", 1, "error MO0207: the model has no outputs\n  model   DIR/a.toy\n"});
  expect_failure({"toy 1\ninput x f32 1\noutput y\n", 1,
                  "error MO0207: output 'y/result' (Result) of the model is connected to nothing\n  model   "
                  "DIR/a.toy\n"});
  expect_failure({"", 1, "error MO0205: the model 'DIR/a.toy' is empty\n  model   DIR/a.toy\n"});
}

TEST(Failures, AFileOfNoFrameworkNamesThoseThereAre) {
  const Folder folder;
  write_text(folder / "a.txt", "nothing of the kind");
  const Outcome o = convert(folder / "a.txt");
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(without_path(o.err, folder)
                .find("error MO0206: no front-end recognises 'DIR/a.txt'\n"
                      "  hint    name the framework with --framework; known: "),
            std::string::npos)
      << o.err;
  EXPECT_NE(o.err.find("toy (.toy)"), std::string::npos);
}

TEST(Failures, WhatCameInThePlaceOfAModelIsSaid) {
  const std::string tar = std::string(257, 'a') + "ustar" + std::string(250, '\0');
  const struct {
    std::string bytes, problem;
  } wrong[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
       "is no model but Git's pointer to one"},
      {"<!DOCTYPE html>\n<html><body>Sign in</body></html>", "is a web page"},
      {"<html lang=en></html>", "is a web page"},
      {"\x1f\x8b\x08", "is a packed archive"},
      {tar, "is a packed archive"},
      {std::string("PK\3\4") + "abcdef", "it is a zip archive: unpack it, or name the framework"},
  };
  for (const auto& w : wrong) {
    const Folder folder;
    write_text(folder / "a.toy2", w.bytes);
    const Outcome o = convert(folder / "a.toy2");
    EXPECT_EQ(o.code, 1);
    EXPECT_THAT(o.err, testing::HasSubstr(w.problem));
    EXPECT_THAT(o.err, testing::HasSubstr("hint    "));
  }
}

TEST(Failures, ACrashWhileALibraryIsOpenedNamesTheFile) {
  const std::string file = zoo("crash_on_open");
  const Outcome o = run({"list", "plugins", "--extensions", file});
  EXPECT_TRUE(
      o.err.starts_with("error MOX-131: the plugin crashed while it was loaded (invalid memory access, "
                        "signal 11)\n  plugin  org.example.crash_on_open 1.0.0\n"))
      << o.err;
  EXPECT_NE(o.err.find("  file    " + file + "\n"), std::string::npos) << o.err;
  EXPECT_EQ(o.code, 3);
}

TEST(Failures, ACrashNamesWhoWasAtWork) {
  expect_failure(
      {model_with("Segv bad"), 3,
       "error MO0809: plugin org.example.toy crashed (invalid memory access)\n"
       "  node    'bad' (Segv)\n" +
           plugin_line() + support +
           "  model   DIR/a.toy\n  hint    nothing was written; report this to whoever the plugin is "
           "from\n"});
  expect_failure(
      {model_with("Abort bad"), 3,
       "error MO0809: plugin org.example.toy crashed (abort)\n"
       "  node    'bad' (Abort)\n" +
           plugin_line() + support +
           "  model   DIR/a.toy\n  hint    nothing was written; report this to whoever the plugin is "
           "from\n"});
  expect_failure(
      {model_with("CrashInfer bad"), 3,
       "error MO0809: plugin org.example.toy crashed (invalid memory access)\n"
       "  node    'bad' (CrashInfer)\n" +
           plugin_line() + support +
           "  model   DIR/a.toy\n  hint    nothing was written; report this to whoever the plugin is "
           "from\n"});
  expect_failure(
      {model_with("CrashFront bad"), 3,
       "error MO0809: plugin org.example.toy crashed (arithmetic error)\n"
       "  node    'bad' (CrashFront)\n"
       "  pass    toy.crash_front\n" +
           plugin_line() + support +
           "  model   DIR/a.toy\n  hint    nothing was written; report this to whoever the plugin is "
           "from\n"});
}

TEST(Failures, NothingIsLeftByACrashOrASignal) {
  for (const auto& [op, code] : {std::pair("CrashEmit", 3), std::pair("Interrupt", 128 + SIGTERM)}) {
    const Folder folder;
    write_text(folder / "a.toy", model_with(std::string(op) + " bad"));
    const Outcome o = convert(folder / "a.toy", {"-o", folder / ""});
    EXPECT_EQ(o.code, code) << o.err;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.toy"}) << op;
  }
}

TEST(Failures, FoldersThatWereMadeGoWithASignal) {
  const Folder folder;
  write_text(folder / "a.toy", model_with("Interrupt bad"));
  const Outcome o = convert(folder / "a.toy", {"-o", folder / "some/folders/below"});
  EXPECT_EQ(o.code, 128 + SIGTERM) << o.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.toy"});
}

TEST(Failures, AModelThatIsWrittenToMeanwhileGivesNothing) {
  const Folder folder;
  write_text(folder / "a.toy", model_with("Copy fine"));
  ProgramOptions options;
  options.environment = {"MO_TOY_REWRITES=" + folder / "a.toy"};
  const Outcome o = run({"-m", folder / "a.toy", "--extensions", toy, "-o", folder / "out"}, options);
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(without_path(o.err, folder),
            "error MO0212: 'DIR/a.toy' was changed while it was converted\n"
            "  hint    nothing was written; convert it again when nobody writes to it\n"
            "  model   DIR/a.toy\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.toy"});
}

TEST(Failures, AModelIsReplacedOnlyWhenThatIsAsked) {
  const Folder folder;
  write_text(folder / "in.toy", small_model);
  ASSERT_EQ(convert(folder / "in.toy", {"-o", folder / "", "-n", "m"}).code, 0);
  const std::string before = read_text(folder / "m.xml");
  const Outcome refused = convert(folder / "m.xml", {"-o", folder / ""});
  EXPECT_EQ(refused.code, 4);
  EXPECT_EQ(
      without_path(refused.err, folder),
      "error MO0715: 'DIR/m.xml' would be replaced, and the model is read from it\n"
      "  hint    another --output_dir or --model_name keeps both; --overwrite_source replaces the model\n"
      "  model   DIR/m.xml\n");
  EXPECT_EQ(read_text(folder / "m.xml"), before);
  fs::rename(folder / "in.toy", folder / "t.xml");
  EXPECT_EQ(convert(folder / "t.xml", {"-o", folder / "", "--framework", "toy"}).code, 4)
      << "whatever it is called";
  fs::create_symlink("t.xml", folder / "l.xml");
  EXPECT_EQ(convert(folder / "l.xml", {"-o", folder / "", "--framework", "toy"}).code, 0)
      << "a link goes, not the model";
  EXPECT_EQ(read_text(folder / "t.xml"), small_model);
  EXPECT_EQ(convert(folder / "m.xml", {"-o", folder / "", "--overwrite_source"}).code, 0);
}

TEST(Failures, WhatIsWrittenBesideAResultDoesNotReplaceTheModel) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  fs::create_symlink("a.toy", folder / "link");
  const std::string model = folder / "a.toy", out = folder / "out";
  const std::vector<std::vector<std::string>> commands{{"convert", "-o", out, "--depfile", model},
                                                       {"convert", "-o", out, "--depfile", model + "/"},
                                                       {"convert", "-o", out, "--explore", model},
                                                       {"dump", "--output_file", folder / "link"},
                                                       {"explore", "--output_file", model}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.begin() + 1, {"--input_model", model, "--extensions", toy});
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 4) << words[0] << o.err;
    EXPECT_NE(o.err.find("MO0715: " + words[words.size() - 2] + ": "), std::string::npos) << o.err;
    EXPECT_EQ(read_text(model), small_model) << words[0];
    EXPECT_FALSE(fs::exists(out));
  }
}

TEST(Failures, AFileThatShrinksIsNoCrashOfThePlugin) {
  const Folder folder;
  write_text(folder / "a.toy", model_with("Shrink bad"));
  write_text(folder / "weights", std::string(10000, 'x'));
  ProgramOptions options;
  options.environment = {"MO_TOY_FILE=" + folder / "weights"};
  const Outcome o = run({"-m", folder / "a.toy", "--extensions", toy, "-o", folder / "out"}, options);
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(without_path(o.err, folder),
            "error MO0208: a file that is being read has become shorter, or cannot be read any more\n"
            "  node    'bad' (Shrink)\n" +
                plugin_line() + support +
                "  model   DIR/a.toy\n"
                "  hint    leave the model and the files beside it alone until the conversion ends\n");
}

TEST(Failures, AnExtensionThatIsNotThereIsAnError) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = run({"-m", folder / "a.toy", "--extensions", folder / "none"});
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find(folder / "none"), std::string::npos) << o.err;
}

TEST(Failures, AnOutputFolderThatCannotBeMade) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  write_text(folder / "file", "");
  const Outcome o = convert(folder / "a.toy", {"-o", folder / "file/out"});
  EXPECT_EQ(o.code, 4);
  EXPECT_EQ(without_path(o.err, folder),
            "error MO0711: cannot make the folder 'DIR/file/out': 'DIR/file' is not a folder\n"
            "  hint    --output_dir names the folder to write to\n"
            "  model   DIR/a.toy\n");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.toy", "file"}));
}

TEST(Failures, ALimitOnFilesIsAnErrorOfTheOutput) {
  const Folder folder;
  std::string weights = "const w";
  for (int i = 0; i < 8192; ++i) weights += " " + std::to_string(i);
  write_text(folder / "a.toy", "toy 1\n" + weights + "\nnode Copy c w -> s\noutput s\n");
  ProgramOptions options;
  options.largest_file = 16384;
  const Outcome o = run({"-m", folder / "a.toy", "--extensions", toy, "-o", folder / "out"}, options);
  EXPECT_EQ(o.code, 4);
  EXPECT_EQ(without_path(o.err, folder),
            "error MO0710: cannot write 'DIR/out/a.bin': File too large\n"
            "  hint    the system limits the size of files; see `ulimit -f`\n"
            "  model   DIR/a.toy\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.toy"});
}

}  // namespace
}  // namespace mo::test
