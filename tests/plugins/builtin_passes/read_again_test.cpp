// What is made of the graphs of golden/ stays what it is when it is read as an IR and written again: no pass undoes
// what another one has done.
#include "tests/plugins/builtin_passes/golden_files.hpp"
#include "tests/plugins/ir/ir_lab.hpp"

#include "apps/frontends/choose_frontend.hpp"
#include "core/convert/cut.hpp"

namespace mo::test {
namespace {

class ReadAgain {
 public:
  explicit ReadAgain(const std::string& target) {
    load_built_in(session_);
    if (!target.empty()) session_.set_option("target", target);
  }

  // Whether there is an IR of the graph, which need not be one that can be written.
  bool compare(const std::string& graph) {
    if (!write(graph)) return false;
    convert("given", "once");
    convert("once", "again");
    EXPECT_EQ(content(path("once/m.xml")), content(path("again/m.xml"))) << graph;
    EXPECT_EQ(content(path("once/m.bin")), content(path("again/m.bin"))) << graph;
    return true;
  }

 private:
  std::string path(const std::string& name) const { return folder_ / name; }

  bool write(const std::string& graph) {
    try {
      const core::GraphPtr g = app::parse_text(graph, session_.space());
      core::infer_all(session_, *g);
      for (const core::NodeId p : g->parameters())
        core::set_parameter(*g, p, g->out({p, 0}).tensor.type, g->out({p, 0}).tensor.shape);
      core::EmitOptions options;
      options.model_name = "m";
      app::IrFiles files(session_, {.folder = path("given"), .overwrite_source = true});
      core::emit_ir(session_, *g, options, files);
      return true;
    } catch (const core::Failure&) {
      return false;
    }
  }

  void convert(const std::string& from, const std::string& to) {
    core::ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = path(from + "/m.xml");
    options.emit.model_name = "m";
    app::IrFiles files(session_, {.folder = path(to), .overwrite_source = true});
    core::convert(session_, options, files);
    session_.close_model();
  }

  TemporaryFolder folder_;
  core::Session session_{core::host_table()};
};

TEST(Golden, WhatIsReadAgainAndWrittenIsTheSame) {
  std::map<std::string, std::unique_ptr<ReadAgain>> by_target;
  size_t all = 0, compared = 0;
  const PassesLab lab;
  for (const auto& [id, file] : golden_files()) {
    std::string target;
    for (const auto& [name, value] : file.options)
      if (name == "target") target = std::get<std::string>(value);
    auto& again = by_target[target];
    if (!again) again = std::make_unique<ReadAgain>(target);
    std::vector<std::string> graphs;
    if (file.statement) graphs.push_back(lab.session.registry().transformation(id)->before);
    for (const GoldenCase& c : file.cases) graphs.push_back(c.before);
    for (const std::string& graph : graphs) {
      SCOPED_TRACE(id);
      ++all;
      try {
        compared += again->compare(graph) ? 1U : 0U;
      } catch (const core::Failure& f) {
        ADD_FAILURE() << f.render() << graph;
      }
    }
  }
  // What front-ends write, and what has options beside the release, is not all an IR.
  EXPECT_GT(compared, all * 8 / 10) << compared << " of " << all;
  RecordProperty("compared", std::to_string(compared));
}

}  // namespace
}  // namespace mo::test
