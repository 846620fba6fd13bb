// Seeing inside: --profile, --explain, --stop_after, --dump_after, --provenance, list --used-by.
#include <gmock/gmock.h>

#include "program.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Inspect : public ::testing::Test {
 protected:
  Inspect() { write_text(folder / "a.toy", small_model); }

  Outcome convert(std::vector<std::string> more, const std::vector<std::string>& environment = {}) {
    std::vector<std::string> words{"-m",        folder / "a.toy", "-o",
                                   folder / "", "--extensions",   toy + "," + zoo("steps")};
    words.insert(words.end(), more.begin(), more.end());
    ProgramOptions options;
    options.environment = environment;
    return run(words, options);
  }
  std::string xml() const { return read_text(folder / "a.xml"); }
  std::vector<std::string> dumps(const std::string& sub = "trace") const {
    std::vector<std::string> names;
    if (fs::exists(folder / sub))
      for (const auto& e : fs::directory_iterator(folder / sub)) names.push_back(e.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  // A program that is found as graphviz.
  std::string graphviz(const std::string& script) {
    fs::create_directory(folder / "bin");
    write_text(folder / "bin/dot", "#!/bin/sh\n" + script);
    fs::permissions(folder / "bin/dot", fs::perms::owner_all);
    return "PATH=" + folder / "bin";
  }
  // The cells of the row of a table that has this one.
  static std::vector<std::string> row(const std::string& table, const std::string& cell) {
    std::stringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      std::stringstream words(line);
      std::vector<std::string> cells;
      for (std::string w; words >> w;) cells.push_back(w);
      if (std::find(cells.begin(), cells.end(), cell) != cells.end()) return cells;
    }
    return {};
  }

  Folder folder;
};

TEST_F(Inspect, TheProfileNumbersWhatEdited) {
  const std::string table = convert({"--profile", "--silent"}).out;
  EXPECT_THAT(table, StartsWith("step  transformation "));
  auto twice = row(table, "steps.twice"), tag = row(table, "steps.tag"), looks = row(table, "steps.looks");
  ASSERT_EQ(twice.size(), 8U) << table;
  EXPECT_EQ(twice[0], "1");
  EXPECT_THAT((std::vector<std::string>{twice[3], twice[4], twice[6], twice[7]}),
              ElementsAre("1", "0", "5", "6"));
  EXPECT_EQ(tag[0], "2");
  EXPECT_THAT(looks, IsEmpty()) << "it edited nothing: it is only counted";
  EXPECT_THAT(table, HasSubstr(" found nothing to do, "));
  EXPECT_THAT(row(table, "steps.off"), IsEmpty());
}

TEST_F(Inspect, TheProfileCanBeAskedForByTheEnvironment) {
  EXPECT_THAT(convert({"--silent"}, {"MO_PROFILE_PASS_ENABLE=1"}).out, HasSubstr("steps.twice"));
  EXPECT_THAT(convert({"--silent"}, {"MO_PROFILE_PASS_ENABLE=0"}).out, IsEmpty());
}

TEST_F(Inspect, ExplainsWhyNothingHappened) {
  write_text(folder / "a.toy", small_model + "node Copy other s -> z\noutput z\n");
  EXPECT_EQ(
      convert({"--silent", "--explain", "steps.twice,steps.never,steps.off,steps.looks,steps.absent"}).out,
      "steps.twice\n"
      "  applied 1 time, declined 1\n"
      "  'other' (Copy): it is not called copy\n"
      "steps.never\n"
      "  did not run: its condition does not hold for this model\n"
      "steps.off\n"
      "  did not run: off unless switched on\n"
      "steps.looks\n"
      "  it looked at the graph and edited nothing\n"
      "steps.absent\n"
      "  no candidate: the graph has no node of toy1::Nothing, Else when it runs\n");
  EXPECT_EQ(convert({"--silent", "--explain", "steps.looks"}, {"MO_DISABLED_TRANSFORMS=steps.looks"}).out,
            "steps.looks\n  did not run: switched off by the user\n");
}

// What is off unless switched on runs, and the IR says who has switched it.
TEST_F(Inspect, WhatIsOffIsSwitchedOnByAnOption) {
  const Outcome off = convert({"--explain", "steps.off"});
  EXPECT_EQ(off.code, 0) << off.err;
  EXPECT_THAT(off.out + off.err, HasSubstr("steps.off\n  did not run: "));
  EXPECT_THAT(xml(), Not(HasSubstr("enable_transformations")));
  const Outcome on = convert({"--explain", "steps.off", "--enable_transformations", "steps.off"});
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_THAT(on.out + on.err, Not(HasSubstr("steps.off\n  did not run: ")));
  EXPECT_THAT(xml(), HasSubstr("<enable_transformations value=\"steps.off\"/>"));
  const Outcome unknown = convert({"--enable_transformations", "steps.of"});
  EXPECT_EQ(unknown.code, 2) << unknown.err;
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'steps.off'"));
}

TEST_F(Inspect, ExplainsWhenTheConversionFails) {
  write_text(folder / "a.toy", "toy 1\ninput x f32 1\nnode BadInfer b x -> y\noutput y\n");
  const Outcome o = convert({"--explain", "steps.twice"});
  EXPECT_EQ(o.out, "steps.twice\n  no candidate: the graph has no node of toy1::Copy when it runs\n");
  EXPECT_THAT(o.err, HasSubstr("never satisfied"));
  write_text(folder / "a.toy", "not a model");
  EXPECT_THAT(convert({"--explain", "steps.twice"}).out, HasSubstr("did not run: the model was not loaded"));
}

TEST_F(Inspect, UnknownIdsAreErrors) {
  const Outcome o = convert({"--explain", "steps.twize"});
  EXPECT_EQ(o.code, 2);
  EXPECT_EQ(o.err,
            "error MO0603: there is no transformation 'steps.twize' to be explained\n"
            "  hint    did you mean 'steps.twice'?\n");
  EXPECT_THAT(convert({"--dump_after", "steps.tac"}).err, HasSubstr("to be dumped"));
}

TEST_F(Inspect, StopsAfterSoManySteps) {
  const auto copies = [&] {
    const std::string all = xml();
    size_t n = 0;
    for (size_t at = all.find("type=\"Copy\""); at != std::string::npos;
         at = all.find("type=\"Copy\"", at + 1))
      ++n;
    return n;
  };
  ASSERT_EQ(convert({}).code, 0);
  EXPECT_EQ(copies(), 3U);
  const std::string complete = xml();
  ASSERT_EQ(convert({"--stop-after", "0"}).code, 0);
  EXPECT_EQ(copies(), 1U);
  const Outcome one = convert({"--stop_after=1", "--silent", "--explain", "steps.tag"});
  EXPECT_EQ(copies(), 2U);
  EXPECT_EQ(one.out, "steps.tag\n  did not run: --stop_after ends before it\n");
  ASSERT_EQ(convert({"--stop-after", "2"}).code, 0);
  EXPECT_EQ(xml(), complete);
  const Outcome bad = convert({"--stop_after", "-1"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("--stop_after is '-1'; expected a number of transformations, 0 or more"));
}

TEST_F(Inspect, DumpsTheGraphAfterEachStep) {
  const Outcome o = convert({"--dump-after", "all"}, {"PATH=/nowhere"});
  EXPECT_THAT(dumps(), ElementsAre("001_steps.twice.dot", "001_steps.twice.txt", "002_steps.tag.dot",
                                   "002_steps.tag.txt"));
  EXPECT_THAT(o.err, HasSubstr("no drawings are made: graphviz is not installed"));
  EXPECT_EQ(o.err.find("no drawings"), o.err.rfind("no drawings")) << "said once";
  const std::string text = read_text(folder / "trace/001_steps.twice.txt");
  EXPECT_THAT(text, HasSubstr("Copy@toy1 \"first\""));
  EXPECT_THAT(text, HasSubstr("Add@toy1 \"sum\""));
  const std::string dot = read_text(folder / "trace/001_steps.twice.dot");
  EXPECT_THAT(dot, HasSubstr("label=\"001_steps.twice\""));
  EXPECT_THAT(dot, HasSubstr("[label=\"Copy\\nfirst\", fillcolor=palegreen]"));
  EXPECT_THAT(dot, Not(HasSubstr("[label=\"Add\\nsum\", fillcolor")));
}

TEST_F(Inspect, DumpsWhatIsNamedEvenWhenItEditedNothing) {
  convert({"--dump_after", "steps.looks,steps.tag", "--dump_dir", folder / "deep/er"});
  const auto names = dumps("deep/er");
  EXPECT_THAT(names, ::testing::Contains("002_steps.tag.txt"));
  EXPECT_THAT(names, ::testing::Contains(::testing::MatchesRegex("00._steps.looks.txt")));
  EXPECT_THAT(names, Not(::testing::Contains("001_steps.twice.txt")));
  EXPECT_THAT(dumps(), IsEmpty());
}

TEST_F(Inspect, TheEnvironmentAsksForAllDumps) {
  convert({}, {"MO_ENABLE_VISUALIZE_TRACING=1"});
  EXPECT_THAT(dumps(), ::testing::Contains("002_steps.tag.dot"));
  const Outcome dumped =
      run({"dump", folder / "a.toy", "--extensions", toy, "--dump_dir", folder / "d", "--dump_after", "all"});
  EXPECT_EQ(dumped.code, 0) << dumped.err;
  EXPECT_THAT(dumped.out, StartsWith("mo-graph 1\n"));
}

TEST_F(Inspect, GraphvizDraws) {
  const std::string path = graphviz("for w; do f=$w; done\necho \"$@\" > ${2#-o}\n");
  const Outcome o = convert({"--dump_after", "steps.tag"}, {path});
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(without_path(read_text(folder / "trace/002_steps.tag.svg"), folder),
            "-Tsvg -oDIR/trace/002_steps.tag.svg DIR/trace/002_steps.tag.dot\n");
}

TEST_F(Inspect, GraphvizMayFail) {
  EXPECT_THAT(convert({"--dump_after", "all"}, {graphviz("exit 3")}).err,
              HasSubstr("no drawings are made: graphviz failed with exit code 3"));
  EXPECT_THAT(convert({"--dump_after", "all"}, {graphviz("kill -9 $$")}).err, HasSubstr("ended by signal 9"));
}

TEST_F(Inspect, DumpsThatCannotBeWritten) {
  write_text(folder / "taken", "");
  const Outcome o = convert({"--dump_after", "all", "--dump_dir", folder / "taken/x"});
  EXPECT_EQ(o.code, 4);
  EXPECT_THAT(o.err, HasSubstr("cannot make the folder"));
  EXPECT_FALSE(fs::exists(folder / "a.xml"));
}

TEST_F(Inspect, ProvenanceTellsWhoMadeAndChangedALayer) {
  ASSERT_EQ(convert({"--provenance"}).code, 0);
  const std::string all = xml();
  const auto layer = [&](const std::string& name) {
    const size_t at = all.find("name=\"" + name + "\" type");
    return all.substr(at, all.find("</layer>", at) - at);
  };
  EXPECT_THAT(layer("x"), HasSubstr("<attribute name=\"provenance_made_by\" version=\"0\" "
                                    "value=\"org.example.toy front-end\"/>"));
  EXPECT_THAT(layer("sum"),
              HasSubstr("name=\"provenance_extracted_by\" version=\"0\" value=\"org.example.toy\""));
  EXPECT_THAT(layer("sum"), HasSubstr("name=\"provenance_changed_by\" version=\"0\" "
                                      "value=\"org.example.steps steps.tag\""));
  EXPECT_THAT(layer("first"), HasSubstr("value=\"org.example.steps steps.twice\""));
  EXPECT_THAT(layer("first"), Not(HasSubstr("changed_by")));
  ASSERT_EQ(convert({}).code, 0);
  EXPECT_THAT(xml(), Not(HasSubstr("provenance")));
}

TEST_F(Inspect, ProvenanceNeedsRtInfo) {
  const Outcome o = convert({"--provenance", "--ir_version", "10"});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, StartsWith("error MO0118: --provenance needs rt_info"));
}

TEST_F(Inspect, ListsWhatModelsUse) {
  write_text(folder / "b.toy", "toy 1\ninput x f32 1\nnode Add sum x -> y\noutput y\n");
  const std::string both = toy + "," + zoo("steps");
  const Outcome one = run({"list", "transformations", "--used-by", folder / "b.toy", "--extensions", both});
  EXPECT_EQ(one.out, "steps.tag\n") << one.err;
  const Outcome two =
      run({"list", "transformations", "--extensions", both, "--used_by", folder / "b.toy", folder / "a.toy"});
  EXPECT_EQ(two.out, "steps.tag\nsteps.twice\n") << two.err;
  const Outcome bad = run({"list", "transformations", "--used-by", folder / "none", "--extensions", both});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.err, HasSubstr("none"));
  EXPECT_EQ(run({"list", "ops", "--used-by", folder / "b.toy"}).code, 2);
}

}  // namespace
}  // namespace mo::test
