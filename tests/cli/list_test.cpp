#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "program.hpp"

namespace mo::test {
namespace {

Outcome list(const std::string& kind, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"list", kind, "--extensions", toy};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(List, PluginsSayWhatTheyOfferAndWhereTheyAre) {
  const Outcome o = list("plugins");
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.out.rfind("plugin ", 0), 0U);
  EXPECT_NE(o.out.find("org.example.toy"), std::string::npos);
  EXPECT_NE(o.out.find("1 front-end, 9 operations, 14 extractors, 1 transformation, 2 options"),
            std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find(toy), std::string::npos);
}

TEST(List, HasThreeForms) {
  const Outcome md = list("frontends", {"--format", "md"});
  EXPECT_EQ(md.out.rfind("# Front-ends\n", 0), 0U);
  EXPECT_TRUE(has_line(md.out, "| framework | also | files | plugin |"));
  EXPECT_TRUE(has_line(md.out, "| toy | toys | .toy | org.example.toy |"));
  const Outcome json = list("frontends", {"--format=json"});
  EXPECT_NE(
      json.out.find(R"({"framework": "toy", "also": "toys", "files": ".toy", "plugin": "org.example.toy"})"),
      std::string::npos);
  EXPECT_EQ(json.out.front(), '[');
}

TEST(List, Operators) {
  for (const char* kind : {"operators", "extractors"}) {
    const Outcome o = list(kind, {"--format", "json", "--framework", "toys"});
    EXPECT_NE(
        o.out.find(
            R"({"framework": "toy", "operator": "Old", "versions": "1..3", "by": "extractor", "plugin": "org.example.toy"})"),
        std::string::npos)
        << o.out;
    EXPECT_NE(o.out.find(R"("operator": "acme.Special", "versions": "any")"), std::string::npos);
  }
  const Outcome unknown = list("operators", {"--framework", "toyz"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'toy'"), std::string::npos) << unknown.err;
}

TEST(List, OperationsAndOptions) {
  EXPECT_NE(list("ops", {"--format", "md"})
                .out.find("| Copy | toy1 | yes | yes | no |  | an operation of the toy |"),
            std::string::npos);
  EXPECT_NE(list("options", {"--format", "md"})
                .out.find("| --toy_speed | int | 7 | org.example.toy | how fast it is |"),
            std::string::npos);
}

TEST(List, TransformationsInTheirOrder) {
  EXPECT_NE(list("transformations", {"--format", "md"})
                .out.find("| toy.crash_front | front | op | yes | all | org.example.toy | crashes |"),
            std::string::npos);
  EXPECT_NE(
      list("transformations", {"--format", "md"})
          .out.find("## toy.crash_front\n\ncrashes\n\n```text\n%x = Parameter -> f32[2]\n"
                    "%y = CrashFront@toy1 (%x)\nResult (%y)\n```\n\nbecomes\n\n```text\nnothing\n```\n"),
      std::string::npos);
  const Outcome order = list("transformations", {"--order"});
  const size_t start = order.out.find("front.start"), own = order.out.find("toy.crash_front"),
               finish = order.out.find("front.finish");
  EXPECT_LT(start, own);
  EXPECT_LT(own, finish);
  EXPECT_NE(finish, std::string::npos);
}

TEST(List, WhereSomethingStandsIsWhatItsPluginSays) {
  const Outcome o = list("ops", {"--where", "--format", "md"});
  EXPECT_TRUE(
      has_line(o.out, "| opset | operation | since | inputs | outputs | plugin | what it is | file |"));
  EXPECT_NE(o.out.find("| an operation of the toy | toys/crashes.cpp |"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("| an operation of the toy |  |"), std::string::npos) << "Copy is registered before";
  EXPECT_EQ(list("ops", {"--format", "md"}).out.find("toys/crashes.cpp"), std::string::npos);
  EXPECT_EQ(list("ops", {"--log_level", "DEBUG"}).err.find("toys/crashes.cpp"), std::string::npos);
  const Outcome wrong = list("options", {"--where"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("--where is for `list operators`, `list ops`"), std::string::npos) << wrong.err;
}

// Whoever looks for something of ours opens the file and finds it registered there.
TEST(List, WhereOurOwnStand) {
  for (const char* kind : {"ops", "operators", "transformations"}) {
    const Outcome o = run({"list", kind, "--where", "--format", "md"});
    std::istringstream lines(o.out);
    std::string line;
    size_t in_items = 0;
    for (int heads = 0; std::getline(lines, line);) {
      if (!line.starts_with("| ") || heads++ < 1 || line.starts_with("| ---")) continue;
      const std::string row = line.substr(0, line.size() - 2), file = row.substr(row.rfind("| ") + 2);
      if (file.empty()) continue;  // of what is not an item: `Custom`, a vendor's own layers
      ++in_items;
      std::ifstream source(fs::path(MO_SOURCE_DIR) / file);
      const std::string text{std::istreambuf_iterator<char>(source), {}};
      const std::string stem = fs::path(file).stem().string();
      EXPECT_NE(text.find("void register_" + stem + "("), std::string::npos) << line;
    }
#if defined(MO_HAVE_PLUGIN_opset) && defined(MO_HAVE_PLUGIN_onnx)
    EXPECT_GT(in_items, 100U) << kind;
#endif
  }
  const Outcome o = run({"list", "transformations", "--where"});
#ifdef MO_HAVE_PLUGIN_onnx
  EXPECT_TRUE(
      std::regex_search(o.out, std::regex("onnx\\.front\\.resize .* plugins/onnx/front/resize\\.cpp")));
#endif
}

TEST(List, AnEmptyListOfExtensionsLeavesTheHostsOwn) {
  const Folder folder;
  fs::create_directory(folder / "more");
  fs::copy_file(toy, folder / "more/toy.mo.so");
  ProgramOptions options;
  options.environment = {"MO_EXTENSIONS_PATH=" + folder / "more"};
  EXPECT_NE(run({"list", "plugins", "--allow_writable_folders"}, options).out.find("org.example.toy"),
            std::string::npos);
  EXPECT_EQ(run({"list", "plugins", "--allow_writable_folders", "--extensions", ""}, options)
                .out.find("org.example.toy"),
            std::string::npos);
}

TEST(List, TheUsersFolderIsSearched) {
  const Folder folder;
  fs::create_directories(folder / "mo-host/extensions");
  fs::copy_file(toy, folder / "mo-host/extensions/toy.mo.so");
  ProgramOptions options;
  options.environment = {"XDG_DATA_HOME=" + folder.path().string()};
  EXPECT_NE(run({"list", "plugins", "--allow_writable_folders"}, options).out.find("org.example.toy"),
            std::string::npos);
}

}  // namespace
}  // namespace mo::test
