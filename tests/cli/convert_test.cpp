#include "program.hpp"

namespace mo::test {
namespace {

TEST(Convert, WritesTwoFilesAndSaysSo) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = convert(folder / "a.toy", {"--output_dir", folder / "new/out"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  const std::string said = without_path(o.out, folder);
  EXPECT_EQ(said.rfind("converted DIR/a.toy to IR version 11 in ", 0), 0U) << said;
  for (const char* part :
       {" s, peak memory ", "\n  framework  toy\n", "\n  layers     5 from 5 nodes of the model\n",
        "\n  plugins    org.example.toy 1.0.0\n",
        "\n  needs      the runtime must know toy1::Add (1 layer), from org.example.toy 1.0.0\n",
        "\n  written    DIR/new/out/a.xml (", "\n             DIR/new/out/a.bin ("})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in\n" << said;
  EXPECT_TRUE(fs::exists(folder / "new/out/a.xml"));
  EXPECT_TRUE(fs::exists(folder / "new/out/a.bin"));
}

TEST(Convert, CanBeSilent) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = convert(folder / "a.toy", {"-o", folder / "", "--silent", "--toy_greeting", "not heard"});
  EXPECT_EQ(o.out + o.err, "");
  EXPECT_EQ(o.code, 0);
}

// As many as a broken file has bytes for.
TEST(Convert, WarningsWithoutEndAreCounted) {
  const Folder folder;
  std::string model = small_model;
  for (int i = 0; i < 200; ++i) model += "warn number " + std::to_string(i) + "\n";
  write_text(folder / "a.toy", model);
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const Outcome o = convert(folder / "a.toy", {"-o", folder / "out"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(lines(o.err), 51) << o.err;
  EXPECT_NE(o.err.find("[org.example.toy] number 49\n"), std::string::npos) << o.err;
  EXPECT_EQ(o.err.find("number 50\n"), std::string::npos);
  EXPECT_NE(o.err.find("[org.example.toy] warnings that are not shown: 150; --log_level INFO shows all\n"),
            std::string::npos)
      << o.err;
  const Outcome all = convert(folder / "a.toy", {"-o", folder / "out", "--log_level", "INFO"});
  EXPECT_NE(all.err.find("number 199\n"), std::string::npos) << all.err;
  EXPECT_EQ(all.err.find("that are not shown"), std::string::npos);
  EXPECT_EQ(convert(folder / "a.toy", {"-o", folder / "out", "--silent"}).err, "");
}

TEST(Convert, ErrorsAreSaidEvenThen) { EXPECT_NE(run({"-m", "/no/such/model", "--silent"}).err, ""); }

TEST(Convert, NamesTheFiles) {
  struct Row {
    const char* model;
    std::vector<std::string> more;
    const char* expected;
  };
  const Row rows[] = {
      {"a.toy", {}, "a.xml"},
      {"a.b.toy", {}, "a.b.xml"},
      {".toy", {}, "model.xml"},
      {"plain", {}, "plain.xml"},
      {"a.toy", {"-n", "other"}, "other.xml"},
      {"a.toy", {"--model_name", "with.dot"}, "with.dot.xml"},
  };
  for (const Row& r : rows) {
    const Folder folder;
    write_text(folder / r.model, small_model);
    auto more = r.more;
    more.insert(more.end(), {"-o", folder / "out"});
    EXPECT_EQ(convert(folder / r.model, more).code, 0);
    EXPECT_TRUE(fs::exists(folder / "out/" + r.expected)) << r.expected;
  }
}

TEST(Convert, PathsAreResolvedByOneRule) {
  const Folder folder;
  fs::create_directories(folder / "home/models");
  fs::create_directories(folder / "work");
  write_text(folder / "home/models/a.toy", small_model);
  ProgramOptions options;
  options.folder = folder / "work";
  options.environment = {"HOME=" + folder / "home"};
  const Outcome home = run({"-m", "~/models/a.toy", "--extensions", toy, "-o", "../out"}, options);
  EXPECT_EQ(home.code, 0) << home.err;
  EXPECT_TRUE(fs::exists(folder / "out/a.xml"));
  const Outcome absent = run({"-m", "x/../b.toy", "--extensions", toy}, options);
  EXPECT_EQ(without_path(absent.err, folder),
            "error MO0203: cannot find the model 'DIR/work/b.toy': No such file or directory\n  model   "
            "DIR/work/b.toy\n");
  // The default is the working directory.
  EXPECT_EQ(run({"-m", "../home/models/a.toy", "--extensions", toy}, options).code, 0);
  EXPECT_TRUE(fs::exists(folder / "work/a.xml"));
}

TEST(Convert, TheSameInputGivesTheSameBytes) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  for (const char* out : {"one", "two"}) ASSERT_EQ(convert(folder / "a.toy", {"-o", folder / out}).code, 0);
  EXPECT_EQ(read_text(folder / "one/a.xml"), read_text(folder / "two/a.xml"));
  EXPECT_EQ(read_text(folder / "one/a.bin"), read_text(folder / "two/a.bin"));
  EXPECT_FALSE(read_text(folder / "one/a.xml").empty());
}

TEST(Convert, TheIrDoesNotTellWhereFilesWere) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  ASSERT_EQ(convert(folder / "a.toy", {"-o", folder / ""}).code, 0);
  const std::string xml = read_text(folder / "a.xml");
  EXPECT_EQ(xml.find(folder.path().string()), std::string::npos);
  EXPECT_NE(xml.find("DIR/a.toy"), std::string::npos);
}

TEST(Convert, TimesItsPhases) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome text = convert(folder / "a.toy", {"-o", folder / "", "--timing", "text"});
  for (const char* phase : {"\nstart ", "\nload ", "\nextract ", "\nfront ", "\ninfer ", "\nmiddle ",
                            "\nback ", "\nemit ", "\ntotal "})
    EXPECT_NE(text.out.find(phase), std::string::npos) << phase;
  const Outcome json = convert(folder / "a.toy", {"-o", folder / "", "--timing", "json"});
  const std::string last = json.out.substr(json.out.rfind('\n', json.out.size() - 2) + 1);
  EXPECT_EQ(last.rfind("{\"total_ms\": ", 0), 0U) << last;
  for (const char* key :
       {"\"phases\": {\"start\": ", "\"emit\": ", "\"nodes\": 5", "\"layers\": 5", "\"peak_kib\": "})
    EXPECT_NE(last.find(key), std::string::npos) << key;
  const Outcome profile = convert(folder / "a.toy", {"-o", folder / "", "--profile"});
  EXPECT_NE(profile.out.find(" found nothing to do, "), std::string::npos) << profile.out;
}

TEST(Convert, ShapesAndCutsReachTheModel) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  struct Row {
    std::vector<std::string> more;
    const char* expected;
  };
  const Row rows[] = {
      {{"--input_shape", "[5, 3]"}, "shape=\"5,3\""},
      {{"--input", "x[6 3]"}, "shape=\"6,3\""},
      {{"--input", "x", "--input_shape", "(7,3)"}, "shape=\"7,3\""},
      {{"--input", "x[1..4 ?]"}, "shape=\"1..4,?\""},
      {{"--input", "x{f16}"}, "element_type=\"f16\""},
      {{"--input", "copy[9 9]"}, "name=\"copy/placeholder_port_0\""},
      {{"--output", "sum"}, "name=\"sum/sink_port_0\""},
  };
  for (const Row& r : rows) {
    auto more = r.more;
    more.insert(more.end(), {"-o", folder / ""});
    const Outcome o = convert(folder / "a.toy", more);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(read_text(folder / "a.xml").find(r.expected), std::string::npos) << r.expected << " in\n"
                                                                               << read_text(folder / "a.xml");
  }
}

TEST(Convert, AFrozenInputIsAConstant) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1,3\ninput k f32 3\nnode Add sum x,k -> s\noutput s\n");
  const Outcome o = convert(folder / "a.toy", {"--input", "x,k->[1 2 3]", "-o", folder / ""});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(read_text(folder / "a.xml").find("name=\"k\" type=\"Parameter\""), std::string::npos);
  const float expected[] = {1, 2, 3};
  EXPECT_EQ(read_text(folder / "a.bin").substr(0, 12),
            std::string(reinterpret_cast<const char*>(expected), 12));
}

}  // namespace
}  // namespace mo::test
