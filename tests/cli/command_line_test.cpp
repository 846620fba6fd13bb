#include "../plugins/tensorflow/graph_def.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

using testing::Test;

struct CommandLine {
  std::vector<std::string> words;
  int code;
  std::string err;
};

TEST(CommandLine, MistakesAreExplained) {
  const CommandLine rows[] = {
      {{},
       2,
       "error MO0109: no model is named\n  hint    mo-host --input_model FILE; `mo-host help` shows more\n"},
      {{"--input_mdoel", "m"},
       2,
       "error MO0101: unknown option '--input_mdoel'\n  hint    did you mean '--input_model'?\n"},
      {{"--nothing_like_it"},
       2,
       "error MO0101: unknown option '--nothing_like_it'\n"
       "  hint    `mo-host help` lists the options; those of plugins are there when the plugin is loaded\n"},
      {{"-y"},
       2,
       "error MO0101: unknown option '-y'\n"
       "  hint    `mo-host help` lists the options; those of plugins are there when the plugin is loaded\n"},
      {{"--inputmodel", "m"},
       2,
       "error MO0101: unknown option '--inputmodel'\n  hint    did you mean '--input_model'?\n"},
      {{"--out", "m"},
       2,
       "error MO0102: '--out' is short for several options: --output_dir, --output_model, --output\n"},
      {{"--framework"}, 2, "error MO0103: option '--framework' needs a value: --framework NAME\n"},
      {{"-m"}, 2, "error MO0103: option '-m' needs a value: -m, -w, --input_model FILE\n"},
      {{"--fsync=1"}, 2, "error MO0103: option '--fsync' takes no value\n"},
      {{"--ir_version", "12", "-m", "m"},
       2,
       "error MO0104: --ir_version is '12'; expected 10|11\n  hint    did you mean '10' or '11'?\n"},
      {{"--log_level", "LOUD", "-m", "m"},
       2,
       "error MO0104: --log_level is 'LOUD'; expected CRITICAL|ERROR|WARN|WARNING|INFO|DEBUG|NOTSET\n"},
      {{"list", "plugins", "--simulate-abi", "1.7"},
       2,
       "error MO0104: --simulate_abi: no ABI '1.7' was released\n  hint    one of 1.0-rc3\n"},
      {{"convert", "a", "b"},
       2,
       "error MO0107: 'b' is one word too many\n  hint    options begin with --; quote values that have "
       "blanks\n"},
      {{"convert", "a", "-m", "b"}, 2, "error MO0107: two models: 'a' and 'b'\n"},
      {{"lits"}, 2, "error MO0108: there is no command 'lits'\n  hint    did you mean 'list'?\n"},
      {{"frobnicate"},
       2,
       "error MO0108: there is no command 'frobnicate'\n  hint    commands: convert, dump, check, "
       "explain-config, explore, "
       "run, verify, "
       "list, "
       "plugin, new, "
       "help, version\n"},
      {{"/no/such.model"},
       1,
       "error MO0203: cannot find the model '/no/such.model': No such file or directory\n  model   "
       "/no/such.model\n"},
      {{"m.model", "--output_model", "a.xml", "-n", "b"},
       2,
       "error MO0118: --output_model does not go together with --model_name\n  hint    --output_dir names "
       "the folder, "
       "--model_name the files\n"},
      {{"m.model", "--silent=no"}, 2, "error MO0103: option '--silent' takes no value\n"},
      {{"-m", "m", "-n", "a/b"},
       2,
       "error MO0110: --model_name is 'a/b'; expected a file name without folders\n"
       "  hint    --output_dir says where the files go\n"},
      {{"list"},
       2,
       "error MO0116: list what?\n  hint    one of plugins, operators, extractors, ops, transformations, "
       "frontends, options\n"},
      {{"list", "plugin"},
       2,
       "error MO0116: there is no list of 'plugin'\n  hint    did you mean 'plugins'?\n"},
      {{"help", "lists"},
       2,
       "error MO0108: there is no command or page 'lists'\n  hint    did you mean 'list'?\n"},
      {{"-m", "/no/such/model"},
       1,
       "error MO0203: cannot find the model '/no/such/model': No such file or directory\n  model   "
       "/no/such/model\n"},
      {{"-m", "/dev/null"},
       1,
       "error MO0204: '/dev/null' is neither a file nor a folder\n"
       "  hint    a model is read more than once, so it cannot come from a pipe or a device\n"
       "  model   /dev/null\n"},
      {{"-m", "m", "--input", "a[1"},
       2,
       "error MO0111: --input: '[' is not closed\n"
       "  at      a[1\n"
       "           ^\n"
       "  hint    a bracket or comma that belongs to a name is written with a backslash before it\n"},
  };
  for (const CommandLine& r : rows) {
    const Outcome o = run(r.words);
    EXPECT_EQ(o.err, r.err);
    EXPECT_EQ(o.code, r.code) << r.err;
    EXPECT_EQ(o.out, "") << r.err;
  }
}

TEST(CommandLine, TheVersionNeedsNoPlugins) {
  for (const char* word : {"--version", "-V", "version"}) {
    const Outcome o = run({word});
    EXPECT_EQ(o.out, "mo-host 0.1.0 (plugin ABI 1.0-rc3)\n");
    EXPECT_EQ(o.code, 0);
  }
  EXPECT_EQ(run({"--version", "--extensions", "/no/such/folder"}).code, 0);
}

TEST(CommandLine, HelpShowsCommandsAndOptions) {
  const Outcome all = run({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.err, "");
  for (const char* part : {"usage: mo-host", "-m, -w, --input_model FILE", "--ir_version 10|11",
                           "(default: WARNING)", "  list KIND", "exit codes"})
    EXPECT_NE(all.out.find(part), std::string::npos) << part;
  EXPECT_EQ(run({"help"}).out, all.out);
  EXPECT_EQ(run({"help", "dump"}).out, run({"dump", "--help"}).out);
  EXPECT_NE(run({"help", "dump"}).out.find("--after load|extract|front|infer|final"), std::string::npos);
}

TEST(CommandLine, HelpHasTheOptionsOfPluginsUnderTheirHeading) {
  const Outcome o = run({"help", "--extensions", toy});
  EXPECT_NE(o.out.find("\noptions of org.example.toy\n"
                       "  --toy_greeting TEXT             what the toy says when it loads a model\n"
                       "  --toy_speed N                   how fast it is (default: 7)\n"),
            std::string::npos)
      << o.out;
}

TEST(CommandLine, OptionsOfPluginsAreOptions) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = convert(folder / "a.toy", {"-o", folder / "", "--toy_greeting", "good day"});
  EXPECT_EQ(o.err, "warning: [org.example.toy] greeting: good day\n");
  EXPECT_EQ(o.code, 0);
  const Outcome wrong = convert(folder / "a.toy", {"--toy_speed", "fast"});
  EXPECT_EQ(wrong.err, "error MO0104: --toy_speed is 'fast'; expected a whole number\n");
  EXPECT_EQ(wrong.code, 2);
}

TEST(CommandLine, LongOptionsMayBeShortened) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"-m", folder / "a.toy", "--ext", toy, "--output_d", folder / "o"},
           {"--input_model=" + folder / "a.toy", "--extensions=" + toy, "--output_dir=" + folder / "o"},
           {"-m" + folder / "a.toy", "--extensions", toy, "-o" + folder / "o"},
           {"-w", folder / "a.toy", "--extensions", toy, "-o", folder / "o"},
           {"convert", folder / "a.toy", "--extensions", toy, "-o", folder / "o"},
           {"convert", "--extensions", toy, "-o", folder / "o", "--", folder / "a.toy"},
       }) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(fs::exists(folder / "o/a.xml")) << words[0];
    fs::remove_all(folder / "o");
  }
}

TEST(CommandLine, HabitsOfOvc) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const std::string model = folder / "a.toy", out = folder / "o";
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"--output_model", out + "/b.xml"},
                                             {"--output_model", out + "/b"},
                                             {"-o", out + "/b.xml"},
                                             {"-o", out, "-n", "b", "-q"},
                                             {"-o", out, "-n", "b", "--silent", "false", "-v"},
                                             {"-o", out, "-n", "b", "--verbose"}}) {
    std::vector<std::string> all{model, "--extensions", toy};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome o = run(all);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(fs::exists(out + "/b.xml") && fs::exists(out + "/b.bin")) << words[1] << o.out;
    EXPECT_EQ(o.out.empty(), words.back() == "-q") << o.out;
    fs::remove_all(out);
  }
  // A folder of that name stays one.
  fs::create_directory(folder / "d.xml");
  EXPECT_EQ(run({model, "--extensions", toy, "-o", folder / "d.xml"}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "d.xml/a.xml"));
  EXPECT_EQ(run({model, "--extensions", toy, "--output_model", folder / "d.xml"}).code, 0);
  // A flag says what is, with any of the words.
  std::string files[2];
  for (const auto& words : std::vector<std::vector<std::string>>{{},
                                                                 {"--static_shape=False"},
                                                                 {"--static_shape", "False"},
                                                                 {"--static_shape"},
                                                                 {"--static_shape=TRUE"}}) {
    std::vector<std::string> all{model, "--extensions", toy, "-o", out};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run(all).code, 0);
    std::string& expected = files[words.empty() || words.back().ends_with("False") ? 0 : 1];
    if (expected.empty()) expected = read_text(out + "/a.xml");
    EXPECT_EQ(read_text(out + "/a.xml"), expected);
  }
  EXPECT_NE(files[0], files[1]);
}

#ifdef MO_HAVE_PLUGIN_tensorflow
TEST(CommandLine, AnOptionOfAPluginMayNameTheModel) {
  const Folder folder;
  write_text(folder / "graph.pbtxt",
             "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } "
             "attr { key: 'shape' value { shape { dim { size: 2 } } } } }\n"
             "node { name: 'y' op: 'Relu' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }\n");
  const Outcome two =
      run({"--input_meta_graph", folder / "graph.pbtxt", "--input_model", folder / "graph.pbtxt"});
  EXPECT_EQ(two.code, 2);
  EXPECT_EQ(two.err.rfind("error MO0107: two models: ", 0), 0U) << two.err;
  const Outcome one = run({"--input_model", folder / "graph.pbtxt", "-o", folder / "o"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(fs::exists(folder / "o/graph.xml"));
  const Outcome none = run({"--saved_model_dir", folder / "nowhere"});
  EXPECT_NE(none.code, 0);
  EXPECT_NE(none.err.find("nowhere"), std::string::npos) << none.err;
}
#endif

#ifdef MO_HAVE_PLUGIN_mxnet
TEST(CommandLine, AnOptionMayNameOneOfTheModelsFiles) {
  const Folder folder;
  write_text(folder / "net-symbol.json",
             R"j({"nodes": [{"op": "null", "name": "x", "attrs": {"__shape__": "(2,)"}, "inputs": []},
                           {"op": "relu", "name": "y", "inputs": [[0, 0, 0]]}], "heads": [[1, 0, 0]]})j");
  // The model where nothing else is, and no second one beside it.
  for (const std::vector<std::string>& beside :
       {std::vector<std::string>{}, {"--input_model", folder / "net-symbol.json"}}) {
    std::vector<std::string> words{"--input_symbol", folder / "net-symbol.json", "-o", folder / "o"};
    words.insert(words.end(), beside.begin(), beside.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(fs::exists(folder / "o/net-symbol.xml"));
    fs::remove_all(folder / "o");
  }
  const Outcome lonely = run({"--input_symbol", folder / "net-symbol.json", "--nd_prefix_name", "mine"});
  EXPECT_EQ(lonely.code, 2);
  EXPECT_NE(lonely.err.find("--pretrained_model_name: is missing"), std::string::npos) << lonely.err;
}
#endif

#ifdef MO_HAVE_PLUGIN_tensorflow
TEST(CommandLine, AFolderIsCalledAsItsOptionSaysWhatItIs) {
  const Folder folder;
  GraphDef g;
  g.placeholder("x", TfType::f32, {2}).node("Relu", "y", {"x"}, {tf_type("T", TfType::f32)});
  fs::create_directories(folder / "net");
  Wire meta;
  meta.message(1, Wire().text(4, "serve")).text(2, g.bytes());
  write_text(folder / "net/saved_model.pb", Wire().integer(1, 1).message(2, meta).bytes);
  EXPECT_EQ(run({"--saved_model_dir", folder / "net", "-o", folder / "o"}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "o/saved_model.xml"));
  EXPECT_EQ(run({"--saved_model_dir", folder / "net", "-o", folder / "o", "-n", "mine"}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "o/mine.xml"));
  const Outcome seen = run({"--input_model", folder / "net", "-o", folder / "o"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_TRUE(fs::exists(folder / "o/net.xml"));
}

TEST(CommandLine, OptionsForAFrameworkThatIsNotThere) {
  const Folder folder;
  GraphDef g;
  g.placeholder("x", TfType::f32, {2}).node("Relu", "y", {"x"}, {tf_type("T", TfType::f32)});
  write_text(folder / "a.pb", g.bytes());
  const Outcome drawn =
      convert(folder / "a.pb", {"--tensorboard_logdir", folder / "log", "-o", folder / "o"});
  EXPECT_EQ(drawn.code, 0);
  EXPECT_EQ(drawn.err,
            "warning: [org.mo-host.tensorflow] --tensorboard_logdir has no effect: nothing is written there; "
            "`mo-host dump` "
            "shows the graph\n");
  const Outcome loaded =
      convert(folder / "a.pb", {"--tensorflow_custom_layer_libraries", "layers.so", "-o", folder / "o"});
  EXPECT_EQ(loaded.code, 2);
  EXPECT_EQ(
      loaded.err.rfind("error MO0117: --tensorflow_custom_layer_libraries: TensorFlow is not there to load "
                       "them into; a plugin that knows the operators converts them",
                       0),
      0U)
      << loaded.err;
}
#endif

TEST(CommandLine, OfAnOptionGivenTwiceTheLastCounts) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  EXPECT_EQ(convert(folder / "a.toy", {"-n", "first", "-o", folder / "", "-n", "second"}).code, 0);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.toy", "second.bin", "second.xml"}));
}

TEST(CommandLine, AnUnknownFrameworkIsExplained) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = convert(folder / "a.toy", {"--framework", "toi"});
  EXPECT_EQ(without_path(o.err, folder),
            "error MO0105: there is no framework 'toi'\n  hint    did you mean 'toy'?\n  model   "
            "DIR/a.toy\n");
  EXPECT_EQ(o.code, 2);
}

}  // namespace
}  // namespace mo::test
