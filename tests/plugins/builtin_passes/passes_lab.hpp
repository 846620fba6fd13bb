// Runs the built-in transformations on graphs in the text form, with options as on the command line, and
// computes what the result gives.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mo/tensor.hpp>

#include "apps/options/input_grammar.hpp"
#include "apps/views/text.hpp"
#include "built.hpp"
#include "core/convert/cut.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "core/schedule/schedule.hpp"
#include "load.hpp"

namespace mo::test {

class PassesLab {
 public:
  PassesLab() {
    load_built_in(session);
    session.set_option(core::schedule_options::check_graph, true);
    session.log_sink = [this](const core::LogLine& line) {
      if (line.level >= MO_LOG_WARNING) warnings += line.text + "\n";
    };
  }

  core::GraphPtr graph(std::string_view text) {
    core::GraphPtr g = app::parse_text(text, session.space());
    core::infer_all(session, *g);
    return g;
  }

  // As a conversion runs them: in order, those whose condition holds.
  void run(core::Graph& g, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      const core::Transformation* t = session.registry().transformation(id);
      ASSERT_NE(t, nullptr) << id;
      core::run_transformation(session, g, *t);
    }
    core::clean_up(session, g);
  }

  // The first output when inputs have these values: "x->[1 2 3]" as --input writes it.
  std::vector<double> computed(core::Graph& g, std::string_view inputs) {
    core::cut_inputs(g, app::parse_inputs(inputs), false);
    core::infer_all(session, g);
    const core::TensorRef value = g.out(g.source({g.results()[0], 0})).tensor.value;
    if (!value) {
      ADD_FAILURE() << "not computed:\n" << app::to_text(g);
      return {};
    }
    const Tensor t = Tensor::borrow(session.host(), value.get());
    std::vector<double> list;
    for (size_t i = 0; i < t.size(); ++i) list.push_back(t.number(i));
    return list;
  }

  static std::string type_of(const core::Graph& g, std::string_view node) {
    const core::NodeId n = g.find(node);
    return n == core::no_node ? "no such node" : std::string(name(g.out({n, 0}).tensor.type));
  }

  template <class F>
  static std::string failure_of(F f) {
    try {
      f();
    } catch (const core::Failure& e) {
      EXPECT_EQ(e.exit(), core::Exit::usage);
      return e.code() + ": " + e.message();
    }
    return "no failure";
  }

  core::Session session{core::host_table()};
  std::string warnings;
};

}  // namespace mo::test
